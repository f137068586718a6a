//! Rejudges, for the staff: the choice of games, the progress, what would change, and the decision.

use super::deadline::{end, sent_reason, zone_hint};
use crate::competition::ladder::{LadderEntrant, Standing};
use crate::competition::preview::Preview;
use crate::competition::rejudges::{self, Choice, Pair, Rejudge, in_words};
use crate::people::{Role, audit};
use crate::web::{Asked, Refusal, Reply, field, form, page};
use botyard_league::standings::BotStanding;
use botyard_league::standings::words::{places, rank, rating};
use botyard_pages::pieces::{cell, fact, moment, name, plain, row_name, table, text};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, html};

/// The most games that are listed.
const GAMES: usize = 200;

/// The longest reason in a table, in characters.
const REASON: usize = 300;

pub(super) fn list(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let site = asked.site;
    let final_event = asked.competition().boards().round.as_ref().map(|round| round.state.event.id);
    let is_of_final = asked.query.get("event") == "final" && final_event.is_some();
    let event = final_event.filter(|_| is_of_final).unwrap_or(asked.competition().event.id);
    let choice = chosen(asked, &asked.query, event);
    let is_asked = !asked.query.get("event").is_empty();
    let (all, entrants, hosts, number) = site.class.database.transaction(|transaction| {
        let number = match &choice {
            Ok(choice) if is_asked => rejudges::count(transaction, choice)?,
            _ => 0,
        };
        Ok::<_, rusqlite::Error>((
            rejudges::all(transaction)?,
            crate::competition::ladder::all(transaction, event)?,
            rejudges::hosts(transaction, event)?,
            number,
        ))
    })?;
    let is_teacher = asked.visitor()?.person.role >= Role::Teacher;
    let main = html! {
        p {
            "A rejudge plays chosen games again from the same starts. Nothing changes until its results are applied, "
            "and old results are kept."
        }
        @if is_teacher { (choice_form(asked, &entrants, &hosts, final_event.is_some())) }
        @match &choice {
            Err(why) => (crate::web::notice(why)),
            Ok(choice) if is_asked && is_teacher => (begin_form(asked, choice, &entrants, number)),
            Ok(_) => {}
        }
        section aria-labelledby="all" {
            h2 id="all" { "Rejudges" }
            @if all.is_empty() { p { "None yet." } } @else { (rows(&all)) }
        }
    };
    Ok(page(asked, "Rejudge", &main))
}

fn rows(all: &[Rejudge]) -> Markup {
    let body = html! {
        @for one in all {
            tr role="row" {
                (row_name(&html! { a href=(format!("/rejudges/{}", one.id)) { "rejudge " (one.id) } }))
                (plain("state", &one.state))
                (plain("games", format!("{} of {}", one.played, one.games)))
                (cell("choice", &text(&one.choice, REASON)))
                (cell("reason", &text(&one.reason, REASON)))
                (cell("by", &name(&one.person)))
                (cell("time", &moment(u64::try_from(one.at).unwrap_or_default())))
            }
        }
    };
    let header = ["rejudge", "state", "games", "choice", "reason", "by", "time"];
    table("The newest first", &header, &body)
}

/// Returns the games that the fields of a form or address choose.
fn chosen(asked: &Asked<'_>, fields: &crate::web::Fields, event: i64) -> Result<Choice, String> {
    let time = |name: &str| match fields.get(name) {
        "" => Ok(None),
        sent => asked.site.class.zone.moment(sent).map(Some),
    };
    let entrant = match fields.get("bot") {
        "" => None,
        sent => Some(sent.parse().map_err(|_| "Expected a bot of the list.".to_string())?),
    };
    let host = fields.get("host");
    Ok(Choice {
        event,
        entrant,
        host: (!host.is_empty()).then(|| host.to_string()),
        from: time("from")?,
        until: time("until")?,
    })
}

/// Returns what is called a bot in the lists.
fn title(entrant: &LadderEntrant) -> String {
    match entrant.team {
        Some(_) => format!("{}, version {}", printable(&entrant.name, 60), entrant.version),
        None => printable(&entrant.name, 60),
    }
}

fn choice_form(
    asked: &Asked<'_>,
    entrants: &[LadderEntrant],
    hosts: &[String],
    has_final: bool,
) -> Markup {
    let query = &asked.query;
    let bot: Option<i64> = query.get("bot").parse().ok();
    html! {
        section aria-labelledby="choose" {
            h2 id="choose" { "Choose games" }
            form method="get" action="/rejudges" {
                p class="field" {
                    label for="event" { "Event" }
                    select id="event" name="event" {
                        option value="ladder" { "the ladder" }
                        @if has_final {
                            option value="final" selected[query.get("event") == "final"] { "the final" }
                        }
                    }
                }
                p class="field" {
                    label for="bot" { "Bot" }
                    select id="bot" name="bot" {
                        option value="" { "all" }
                        @for entrant in entrants {
                            option value=(entrant.id) selected[bot == Some(entrant.id)] { (title(entrant)) }
                        }
                    }
                }
                p class="field" {
                    label for="host" { "Host" }
                    select id="host" name="host" {
                        option value="" { "all" }
                        @for host in hosts {
                            option value=(host) selected[host == query.get("host")] { (printable(host, 60)) }
                        }
                    }
                }
                @for (id, label) in [("from", "From"), ("until", "Until")] {
                    p class="field" {
                        label for=(id) { (label) }
                        input id=(id) name=(id) type="datetime-local" value=(query.get(id))
                            aria-describedby=(format!("{id}-zone"));
                        (zone_hint(asked, &format!("{id}-zone")))
                    }
                }
                p { button { "Show how many" } }
            }
        }
    }
}

fn begin_form(
    asked: &Asked<'_>,
    choice: &Choice,
    entrants: &[LadderEntrant],
    number: u64,
) -> Markup {
    html! {
        section aria-labelledby="begin" {
            h2 id="begin" { "Rejudge them" }
            p { strong { (counted(number, "game")) } ": " (choice_in_words(asked, choice, entrants)) }
            @if number > 0 {
                (form(asked, "/rejudges", &html! {
                    @for name in ["event", "bot", "host", "from", "until"] {
                        input type="hidden" name=(name) value=(asked.query.get(name));
                    }
                    (field("Reason", "reason", "text", "off", ""))
                    p { button { "Play them again" } }
                }))
            }
        }
    }
}

fn choice_in_words(asked: &Asked<'_>, choice: &Choice, entrants: &[LadderEntrant]) -> String {
    let is_ladder = choice.event == asked.competition().event.id;
    let mut words = vec![if is_ladder { "ladder" } else { "final" }.to_string()];
    if let Some(id) = choice.entrant {
        let found = entrants.iter().find(|entrant| entrant.id == id);
        words.push(found.map_or("an unknown bot".to_string(), title));
    }
    words.extend(choice.host.iter().map(|host| format!("host {}", printable(host, 60))));
    words.extend(choice.from.map(|from| format!("from {}", end(Some(from)))));
    words.extend(choice.until.map(|until| format!("until {}", end(Some(until)))));
    words.join("; ")
}

pub(super) fn begin(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (site, person) = (asked.site, asked.visitor()?.person.id);
    let event = match asked.form.get("event") {
        "ladder" => asked.competition().event.id,
        "final" => {
            let round = asked.competition().boards().round.clone();
            let none = || Refusal::Wrong("There is no final.".to_string());
            round.ok_or_else(none)?.state.event.id
        }
        _ => return Err(Refusal::Wrong("Choose games first.".to_string())),
    };
    let choice = chosen(asked, &asked.form, event).map_err(Refusal::Wrong)?;
    let reason = sent_reason(asked)?;
    let id = site.class.database.transaction(|transaction| {
        let entrants = crate::competition::ladder::all(transaction, event)?;
        let words = choice_in_words(asked, &choice, &entrants);
        let id = rejudges::begin(transaction, &choice, &words, &reason, person)?;
        let detail = format!("rejudge {id}: {words}: {reason}");
        audit::note(transaction, Some(person), "began a rejudge", &detail)?;
        Ok::<_, Refusal>(id)
    })?;
    Ok(Reply::see(format!("/rejudges/{id}")))
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let id = asked.number("rejudge")?;
    let found = asked.database().transaction(|transaction| {
        let Some(found) = rejudges::find(transaction, id)? else { return Ok(None) };
        Ok::<_, rusqlite::Error>(Some((found, rejudges::pairs(transaction, id)?)))
    })?;
    let (rejudge, pairs) = found.ok_or(Refusal::NotFound)?;
    let preview = asked.competition().boards().preview(id);
    let changed = pairs.iter().filter(|pair| pair.is_different()).count();
    let is_teacher = asked.visitor()?.person.role >= Role::Teacher;
    let main = html! {
        dl class="facts" {
            (fact("state", &html! { span id="state" { (rejudge.state) } }))
            (fact("games", &html! { (rejudge.played) " of " (rejudge.games) " played again, " (changed) " with another result" }))
            (fact("choice", &text(&rejudge.choice, REASON)))
            (fact("reason", &text(&rejudge.reason, REASON)))
            (fact("begun", &html! {
                (moment(u64::try_from(rejudge.at).unwrap_or_default())) " by " (name(&rejudge.person))
            }))
            @if let Some((reason, at, by)) = &rejudge.decided {
                (fact(&rejudge.state, &html! {
                    (moment(u64::try_from(*at).unwrap_or_default())) " by " (name(by)) ": " (text(reason, REASON))
                }))
            }
        }
        @if rejudge.is_open() {
            section aria-labelledby="changes" {
                h2 id="changes" { "What would change" }
                @if !rejudge.is_complete() { p { "The games are being played. Load the page again." } }
                @else {
                    @match preview {
                        Some(preview) => (standings_change(&preview)),
                        None => p { "The standings are being computed. Load the page again." },
                    }
                }
            }
            @if is_teacher { (decision_form(asked, &rejudge)) }
        }
        section aria-labelledby="games" {
            h2 id="games" { "Games with another result" }
            @if changed == 0 { p { "None." } } @else { (changed_games(&pairs)) }
        }
    };
    Ok(page(asked, &format!("Rejudge {id}"), &main))
}

/// Returns a table of the bots whose places or ratings differ.
fn standings_change(preview: &Preview) -> Markup {
    let Preview { before, after } = preview;
    let shown = |bot: Option<&BotStanding>| match bot {
        Some(bot) => [rank(bot.rank), places(bot), rating(bot.rating)],
        None => ["-", "-", "-"].map(String::from),
    };
    let both = |entrant: &LadderEntrant| {
        let of = |standing: &Standing| shown(standing.of(entrant.id));
        (of(before), of(after))
    };
    let rows: Vec<_> = (after.entrants.iter())
        .map(|entrant| (entrant, both(entrant)))
        .filter(|(_, (before, after))| before != after)
        .collect();
    let change = |before: &str, after: &str| match before == after {
        true => after.to_string(),
        false => format!("{before} \u{2192} {after}"),
    };
    let body = html! {
        @for (entrant, (before, after)) in &rows {
            tr role="row" {
                (row_name(&name(&title(entrant))))
                (plain("rank", change(&before[0], &after[0])))
                (plain("places", change(&before[1], &after[1])))
                (plain("rating", change(&before[2], &after[2])))
            }
        }
    };
    html! {
        @if rows.is_empty() { p { "The standings stay as they are." } }
        @else { (table("Bots whose standing changes", &["bot", "rank", "places", "rating"], &body)) }
    }
}

fn changed_games(pairs: &[Pair]) -> Markup {
    let changed = pairs.iter().filter(|pair| pair.is_different());
    let body = html! {
        @for pair in changed.take(GAMES) {
            tr role="row" {
                (row_name(&html! { a href=(format!("/games/{}", pair.old_id)) { (text(&pair.old_id, 60)) } }))
                (cell("again", &html! { a href=(format!("/games/{}", pair.new_id)) { (text(&pair.new_id, 60)) } }))
                (plain("points before", in_words(&pair.old)))
                (plain("points after", in_words(&pair.new)))
            }
        }
    };
    table("By block", &["game", "again", "points before", "points after"], &body)
}

fn decision_form(asked: &Asked<'_>, rejudge: &Rejudge) -> Markup {
    html! {
        section aria-labelledby="decide" {
            h2 id="decide" { "Decide" }
            (form(asked, &format!("/rejudges/{}", rejudge.id), &html! {
                (field("Reason", "reason", "text", "off", ""))
                p {
                    @if rejudge.is_complete() { button name="decision" value="apply" { "Apply the new results" } " " }
                    button name="decision" value="drop" { "Drop them" }
                }
            }))
        }
    }
}

pub(super) fn decide(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (site, person, id) = (asked.site, asked.visitor()?.person.id, asked.number("rejudge")?);
    let reason = sent_reason(asked)?;
    let is_applied = match asked.form.get("decision") {
        "apply" => true,
        "drop" => false,
        _ => {
            return Err(Refusal::Wrong(
                "Expected the results to be applied or dropped.".to_string(),
            ));
        }
    };
    site.class.database.transaction(|transaction| {
        let what = match is_applied {
            true => {
                rejudges::apply(transaction, id, &reason, person)?;
                "applied a rejudge"
            }
            false => {
                rejudges::drop_open(transaction, id, &reason, person)?;
                "dropped a rejudge"
            }
        };
        audit::note(transaction, Some(person), what, &format!("rejudge {id}: {reason}"))?;
        Ok::<_, Refusal>(())
    })?;
    if is_applied {
        asked.competition().reload_record()?;
        asked.competition().announce_result();
        asked.competition().reload_course()?;
    }
    Ok(Reply::see(format!("/rejudges/{id}")))
}
