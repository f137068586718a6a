//! The event: its conditions, the hashes and secrets of its games, and its course, which teachers lead:
//! freezes, the final, its release.

use super::deadline::{end, sent_reason};
use super::{drawing, final_games, rules};
use crate::competition::finals::{self, Design, Estimate, FinalState, Step, Taken};
use crate::competition::freezes::{self, Freeze};
use crate::error::SiteError;
use crate::people::{Person, Role, audit};
use crate::submissions::{deadlines, git};
use crate::web::{Asked, Refusal, Reply, field, form, page};
use botyard_pages::pieces::{cell, fact, moment, moment_text, name, row_name, table, text};
use botyard_protocol::printable;
use botyard_runner::secret_draws;
use botyard_runner::words::counted;
use maud::{Markup, html};

/// The most blocks of a line-up in a final, and the most tables of a round.
const MOST: u32 = 1000;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let role = person.role;
    let event = &asked.competition().event;
    let boards = asked.competition().boards();
    let state = boards.round.as_ref().map(|round| &round.state);
    let (until, freezes, taken, hosts) = asked.database().transaction(|transaction| {
        Ok::<_, rusqlite::Error>((
            own_end(transaction, person, event.competition)?,
            freezes::all(transaction, event.id)?,
            finals::taken(transaction, event.id)?,
            git::hosts(transaction)?,
        ))
    })?;
    let is_over = state.is_some_and(|state| state.has_replays);
    let main = html! {
        (rules::closed(asked)?)
        (super::pending::section(asked)?)
        section aria-labelledby="conditions" {
            h2 id="conditions" { "Conditions" }
            (drawing::figure(asked))
            dl class="facts" {
                (fact("game", &rules::link(asked)))
                (rules::facts(asked)?)
                (fact("file", &html! { a href="/event.toml" { "event.toml" } }))
                (fact("last submissions", &html! { (end(until)) }))
                (fact("board", &html! { (if boards.is_frozen() { "frozen" } else { "live" }) }))
                (fact("final", &html! { (in_words(state, role)) }))
            }
            @if state.is_some_and(|state| state.has_standings || role.is_staff()) {
                p { a href="/final" { "Standings of the final" } }
            }
        }
        section aria-labelledby="secrets" {
            h2 id="secrets" { "Secrets" }
            p {
                "All starts and dice follow from a secret. Its SHA-256 is shown from the beginning, and the "
                "secret when the replays of the final are published: "
                code { "printf %s SECRET | sha256sum" } " prints the hash."
            }
            dl class="facts" {
                (secret("ladder", event.commitment.as_deref(), event.secret().filter(|_| is_over)))
                @if let Some(state) = state {
                    (secret("final", state.event.commitment.as_deref(), state.event.secret().filter(|_| is_over)))
                }
            }
        }
        @if role >= Role::Teacher { (leading(asked, state)?) (git_hosts(asked, &hosts)) }
        (super::past::section(asked)?)
        @if role.is_staff() { (course(&freezes, &taken)) }
    };
    Ok(page(asked, "Event", &main))
}

/// Returns when the submissions of a person end: those of the person's team, or else of all teams. For the staff the
/// last extension counts.
fn own_end(
    transaction: &rusqlite::Transaction<'_>,
    person: &Person,
    competition: i64,
) -> rusqlite::Result<Option<i64>> {
    match person.role.is_staff() {
        true => deadlines::last_of_all(transaction, competition),
        // No team has this number: the deadline without an extension.
        false => deadlines::of_team(transaction, competition, person.team.unwrap_or(-1)),
    }
}

/// Returns how far the final is, for a role.
fn in_words(state: Option<&FinalState>, role: Role) -> String {
    match state {
        None => "none yet".to_string(),
        Some(state) if state.has_replays => "published with its replays".to_string(),
        Some(state) if state.has_standings => "its standings are published".to_string(),
        Some(state) if role.is_staff() => {
            format!("{} of {} blocks played, hidden", state.blocks - state.open, state.blocks)
        }
        Some(_) => "not published yet".to_string(),
    }
}

fn secret(of: &str, hash: Option<&str>, secret: Option<String>) -> Markup {
    let Some(hash) = hash else {
        return fact(of, &html! { "drawn from the seed in event.toml, which everybody can read" });
    };
    html! {
        (fact(&format!("{of}: hash"), &html! { code { (hash) } }))
        @if let Some(secret) = secret { (fact(&format!("{of}: secret"), &html! { code { (secret) } })) }
    }
}

/// What teachers do.
fn leading(asked: &Asked<'_>, state: Option<&FinalState>) -> Result<Markup, Refusal> {
    let event = &asked.competition().event;
    let (estimate, discarded) = asked.database().transaction(|transaction| {
        let estimate = match state {
            None => finals::estimate(transaction, event)?,
            Some(_) => None,
        };
        Ok::<_, rusqlite::Error>((estimate, finals::last_discarded(transaction, event.id)?))
    })?;
    let reason = |id: &str| {
        html! {
            p class="field" {
                label for=(id) { "Reason" }
                input id=(id) name="reason" type="text" autocomplete="off" required;
            }
        }
    };
    let step = |step: Step, words: &str| {
        let id = format!("reason-{}", step.as_str());
        form(
            asked,
            "/event/final/step",
            &html! {
                input type="hidden" name="step" value=(step.as_str());
                (reason(&id))
                p { button { (words) } }
            },
        )
    };
    Ok(html! {
        @if state.is_none_or(|state| state.has_standings) {
            section aria-labelledby="freeze" {
                h2 id="freeze" { "The board" }
                (form(asked, "/event/freeze", &html! {
                    @if asked.competition().boards().is_frozen() {
                        p { "Students see the board frozen." }
                        (reason("freeze-reason"))
                        p { button name="board" value="live" { "Show the live board" } }
                    } @else {
                        p { "Students see the live board." }
                        (reason("freeze-reason"))
                        p { button name="board" value="frozen" { "Freeze the board" } }
                    }
                }))
            }
        }
        section aria-labelledby="final" {
            h2 id="final" { "The final" }
            @match state {
                None => {
                    p {
                        "The versions that play now and the references meet in a complete design, drawn from a new "
                        "secret. The ladder ends, and the board is frozen until the standings are published. It can "
                        "begin when all submissions have ended."
                    }
                    (estimated(estimate))
                    (form(asked, "/event/final", &html! {
                        (field("Blocks of each line-up", "blocks", "number", "off", "1 or more; each has a game for every seat"))
                        @if asked.competition().event.setup.seats.len() > 2 {
                            p class="field" {
                                label for="tables" { "Most tables of a round" }
                                input id="tables" name="tables" type="number" min="1" max=(MOST);
                                span class="note" { "empty: every line-up meets" }
                            }
                        }
                        p { button { "Begin the final" } }
                    }))
                    @if let Some(number) = discarded {
                        p { "The final " (number) " was discarded." }
                        (undo(asked, Step::Discarded, "Take the discarding back", "It counts again then, and is played on."))
                    }
                }
                Some(state) => {
                    p {
                        "It began at " (moment_text(u64::try_from(state.began_at).unwrap_or_default())) ": "
                        (state.blocks - state.open) " of " (state.blocks) " blocks are played."
                    }
                    @if !state.has_standings {
                        @if state.is_complete() { (step(Step::Standings, "Publish the standings")) }
                        (step(Step::Discarded, "Discard the final"))
                    } @else if !state.has_replays {
                        (step(Step::Replays, "Publish the replays and the secrets"))
                        (undo(asked, Step::Standings, "Take the standings back", "The staff alone sees them then."))
                    } @else {
                        (undo(asked, Step::Replays, "Take the replays back",
                            "What was seen or downloaded meanwhile is known, the secrets too."))
                    }
                }
            }
        }
    })
}

/// The form that undoes the last step of a final.
fn undo(asked: &Asked<'_>, step: Step, words: &str, what_follows: &str) -> Markup {
    let id = format!("undo-{}", step.as_str());
    form(
        asked,
        "/event/final/undo",
        &html! {
            p { (what_follows) }
            input type="hidden" name="step" value=(step.as_str());
            p class="field" {
                label for=(id) { "Reason" }
                input id=(id) name="reason" type="text" autocomplete="off" required;
            }
            p { button { (words) } }
        },
    )
}

/// Returns how long a final would take, in words.
fn estimated(estimate: Option<Estimate>) -> Markup {
    let Some(Estimate { bots, games, seconds }) = estimate else {
        return html! { p { "Too few bots play for a final." } };
    };
    html! {
        p {
            "Now " (bots) " bots play: each block of all line-ups is " (counted(games, "game"))
            @match seconds {
                Some(seconds) => {
                    ", about " (counted((games as f64 * seconds / 60.0).ceil().max(1.0) as u64, "minute"))
                    " at the pace of the last games of the ladder"
                }
                None => { "; no game was played yet that would tell how long they take" }
            }
            "."
        }
    }
}

/// The hosts from which teams may submit.
fn git_hosts(asked: &Asked<'_>, hosts: &[String]) -> Markup {
    html! {
        section aria-labelledby="git" {
            h2 id="git" { "Git repositories" }
            p {
                "Teams may submit branches of repositories on these hosts, by HTTPS and without a password. The site "
                "then makes requests to them. Without a host, it makes none."
            }
            (form(asked, "/event/git", &html! {
                p class="field" {
                    label for="hosts" { "Hosts" }
                    input id="hosts" name="hosts" type="text" autocomplete="off" value=(hosts.join(" "))
                        aria-describedby="hosts-hint";
                    span class="note" id="hosts-hint" { "separated by spaces, as in git.example.org; empty: none" }
                }
                p class="field" {
                    label for="git-reason" { "Reason" }
                    input id="git-reason" name="reason" type="text" autocomplete="off" required;
                }
                p { button { "Set the hosts" } }
            }))
        }
    }
}

pub(super) fn set_git_hosts(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let hosts = git::parse_hosts(asked.form.get("hosts")).map_err(Refusal::Wrong)?;
    let reason = sent_reason(asked)?;
    asked.database().transaction(|transaction| {
        let before = git::hosts(transaction)?;
        git::set_hosts(transaction, &hosts, &reason, person)?;
        let [before, hosts] = [before, hosts].map(|hosts| audit::listed(&hosts, 20));
        let detail = format!("from {before} to {hosts}: {reason}");
        audit::note(transaction, Some(person), "set the git hosts", &detail)
    })?;
    Ok(Reply::see("/event"))
}

/// What was done, for the staff.
fn course(freezes: &[Freeze], taken: &[Taken]) -> Markup {
    let mut rows: Vec<(i64, String, &str, &str)> = Vec::new();
    for one in freezes {
        let what = if one.is_frozen { "froze the board" } else { "showed the live board" };
        rows.push((one.at, what.to_string(), &one.reason, &one.person));
    }
    for one in taken {
        let what = match one.step.as_str() {
            "discarded" => format!("discarded the final {}", one.event),
            what => format!("published the {what} of the final {}", one.event),
        };
        rows.push((one.at, what, &one.reason, &one.person));
    }
    rows.sort_by_key(|row| -row.0);
    let body = html! {
        @for (at, what, reason, person) in &rows {
            tr role="row" {
                (row_name(&html! { (what) }))
                (cell("reason", &text(reason, 300)))
                (cell("by", &name(person)))
                (cell("time", &moment(u64::try_from(*at).unwrap_or_default())))
            }
        }
    };
    html! {
        @if !rows.is_empty() {
            section aria-labelledby="course" {
                h2 id="course" { "Course" }
                (table("The newest first", &["what", "reason", "by", "time"], &body))
            }
        }
    }
}

pub(super) fn freeze(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let reason = sent_reason(asked)?;
    let site = asked.site;
    let wants_frozen = match asked.form.get("board") {
        "frozen" => true,
        "live" => false,
        _ => return Err(Refusal::Wrong("Expected the board to be frozen or live.".to_string())),
    };
    if asked.competition().boards().round.as_ref().is_some_and(|round| !round.state.has_standings) {
        return Err(Refusal::Wrong(
            "The board is frozen until the standings of the final are published.".to_string(),
        ));
    }
    if asked.competition().boards().is_frozen() != wants_frozen {
        site.class.database.transaction(|transaction| {
            let playing =
                crate::competition::ladder::of_event(transaction, &asked.competition().event)?;
            let ids: Vec<i64> = playing.iter().map(|entrant| entrant.id).collect();
            let entrants = wants_frozen.then_some(&ids[..]);
            freezes::set(transaction, asked.competition().event.id, entrants, &reason, person)?;
            let what = if wants_frozen { "froze the board" } else { "showed the live board" };
            audit::note(transaction, Some(person), what, &reason)
        })?;
        asked.competition().reload_course()?;
    }
    Ok(Reply::see("/event"))
}

pub(super) fn begin_final(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let number = |field: &str| {
        let sent = asked.form.get(field);
        let found = sent.parse().ok().filter(|number| (1..=MOST).contains(number));
        found.ok_or_else(|| {
            Refusal::Wrong(format!("Expected {field} from 1 to {MOST}, got {sent:?}."))
        })
    };
    let tables = if asked.form.get("tables").is_empty() { None } else { Some(number("tables")?) };
    let design = Design { blocks: number("blocks")?, tables };
    let draws = secret_draws()?;
    let site = asked.site;
    site.class.database.transaction(|transaction| {
        let games = finals::begin(transaction, &asked.competition().event, design, draws, person)?;
        let detail = format!("{games} games, {} blocks of each line-up", design.blocks);
        audit::note(transaction, Some(person), "began the final", &detail)?;
        Ok::<_, SiteError>(())
    })?;
    asked.competition().reload_course()?;
    Ok(Reply::see("/event"))
}

pub(super) fn undo_step(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let (step, what) = match asked.form.get("step") {
        "discarded" => (Step::Discarded, "took back that the final was discarded"),
        "standings" => (Step::Standings, "took back the standings of the final"),
        "replays" => (Step::Replays, "took back the replays and the secrets"),
        _ => return Err(Refusal::Wrong("Expected a step of the final.".to_string())),
    };
    let reason = sent_reason(asked)?;
    asked.database().transaction(|transaction| {
        finals::undo(transaction, &asked.competition().event, step, &reason, person)?;
        audit::note(transaction, Some(person), what, &reason)?;
        Ok::<_, SiteError>(())
    })?;
    asked.competition().reload_course()?;
    Ok(Reply::see("/event"))
}

pub(super) fn take_step(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let (step, what) = match asked.form.get("step") {
        "discarded" => (Step::Discarded, "discarded the final"),
        "standings" => (Step::Standings, "published the standings of the final"),
        "replays" => (Step::Replays, "published the replays and the secrets"),
        _ => return Err(Refusal::Wrong("Expected a step of the final.".to_string())),
    };
    let reason = sent_reason(asked)?;
    let site = asked.site;
    site.class.database.transaction(|transaction| {
        finals::take(transaction, &asked.competition().event, step, &reason, person)?;
        audit::note(transaction, Some(person), what, &reason)?;
        Ok::<_, SiteError>(())
    })?;
    asked.competition().reload_course()?;
    Ok(Reply::see("/event"))
}

/// The standings of the final, for everybody once they are published.
pub(super) fn show_final(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let round = asked.competition().boards().round.clone();
    let round = round.filter(|round| round.state.has_standings || person.role.is_staff());
    let round = round.ok_or(Refusal::NotFound)?;
    let mut games = asked.database().transaction(|transaction| {
        crate::competition::ladder::games_of_event(transaction, round.state.event.id, None)
    })?;
    let sees_games = round.state.has_replays || person.role.is_staff();
    let entrants = &round.board.standing.entrants;
    let chosen: Option<usize> = asked.query.get("bot").parse().ok();
    if let Some(bot) = chosen {
        games.retain(|game| game.seats.contains(&bot));
    }
    let named = |id: usize| {
        let found = entrants.iter().find(|entrant| entrant.id == id as i64);
        let named = found.map(|it| super::standings::name_for(it, person).to_string());
        named.unwrap_or_else(|| "a disqualified version".to_string())
    };
    let address = |number| match chosen {
        Some(bot) => format!("/final?bot={bot}&page={number}#games"),
        None => format!("/final?page={number}#games"),
    };
    let main = html! {
        p { "State: " (in_words(Some(&round.state), person.role)) "." }
        (table("The final. Intervals: 95%", &super::standings::header(&round.board.standing),
            &super::standings::rows_for(&round.board.standing, person)))
        @if sees_games {
            section aria-labelledby="games" {
                h2 id="games" { "Games" }
                form method="get" action="/final" class="filters" {
                    label { "Bot " select name="bot" {
                        option value="" { "all" }
                        @for entrant in entrants {
                            option value=(entrant.id) selected[chosen == Some(entrant.id as usize)] {
                                (printable(super::standings::name_for(entrant, person), 60))
                            }
                        }
                    } }
                    button { "Show" }
                }
                (final_games::list(asked, &games, &named, &address))
            }
        }
    };
    Ok(page(asked, "Final", &main))
}
