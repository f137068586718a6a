//! The results of a team, for its members and the staff: its version in the ladder, its faults with the
//! evidence, and its games.

use super::paging;
use super::standings::name_for;
use super::team::{may_see, rows as version_rows};
use super::team_games::{self, Outcome};
use crate::competition::ladder::{
    ChosenGames, GameOfEntrant, LadderEntrant, RatingAt, Standing, games_of, ratings_of_team,
};
use crate::people::{self, Person, audit};
use crate::submissions;
use crate::web::{Asked, Refusal, Reply, field, form, page};
use botyard_league::standings::words::{
    excused, milliseconds, percent, percents, places, range, rank, rating,
};
use botyard_league::statistics::Estimate;
use botyard_pages::chart::{Moment, rating_over_time};
use botyard_pages::games::read;
use botyard_pages::pieces::{
    SCORE_HEADER, fact, groups, lines, moment, name, row_name, score_cells, table, text,
};
use botyard_replay::kept_stderr;
use maud::{Markup, html};
use std::path::Path;

/// The games on a page of the list.
const GAMES: u32 = 60;

/// The lost games that are shown, and the newest games among which they are looked for.
const LOST: (usize, u32) = (6, 200);

/// The most games whose faults are shown with their evidence.
const FAULTS: u32 = 10;

/// How much of a bot's standard error is shown, in characters.
const STDERR: usize = 2000;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, team) = (&asked.visitor()?.person, asked.number("team")?);
    if !may_see(person, team) {
        return Err(Refusal::NotFound);
    }
    let site = asked.site;
    let against: Option<i64> = asked.query.get("against").parse().ok();
    let number = paging::number(asked);
    let (standing, is_frozen) = asked.competition().boards().ladder_for(person.role);
    let until = if is_frozen { standing.at } else { i64::MAX };
    let own = standing.entrants.iter().find(|entrant| entrant.team == Some(team));
    let found = site.class.database.transaction(|transaction| {
        let Some(title) = people::team_if_any(transaction, team)? else { return Ok(None) };
        let versions = submissions::of_team(transaction, team)?;
        let active = submissions::active(transaction, team, asked.competition().id)?;
        let [games, faulty, newest] = match own {
            Some(own) => {
                // One more than a page has: whether there is another page.
                let page = ChosenGames {
                    against,
                    skipped: (number - 1) * GAMES,
                    most: GAMES + 1,
                    ..ChosenGames::default()
                };
                let faulty =
                    ChosenGames { only_faults: true, most: FAULTS, ..ChosenGames::default() };
                let newest = ChosenGames { most: LOST.1, ..ChosenGames::default() };
                [
                    games_of(transaction, own.id, page)?,
                    games_of(transaction, own.id, faulty)?,
                    games_of(transaction, own.id, newest)?,
                ]
            }
            None => Default::default(),
        };
        let ratings = ratings_of_team(transaction, asked.competition().event.id, team, until)?;
        Ok::<_, rusqlite::Error>(Some((title, versions, active, [games, faulty, newest], ratings)))
    })?;
    let Some((title, versions, active, [mut games, faulty, newest], ratings)) = found else {
        return Err(Refusal::NotFound);
    };
    let has_older = paging::cut(&mut games, GAMES);
    let lost: Vec<&GameOfEntrant> = newest
        .iter()
        .filter(|game| Outcome::of(&game.game, game.seat).is_loss())
        .take(LOST.0)
        .collect();
    let main = html! {
        @if let Some(own) = own { (results(&standing, own, person, team)) }
        @else { p { "No version of this team plays." } }
        @if ratings.len() > 1 {
            section aria-labelledby="ratings" {
                h2 id="ratings" { "Rating over time" }
                (course_of(&ratings))
            }
        }
        @if person.team == Some(team) { (alias_form(asked, own)) }
        @if !lost.is_empty() {
            section aria-labelledby="lost" {
                h2 id="lost" { "Lost last" }
                p class="note" { "Each opens in the viewer at the decision by which it was lost." }
                (team_games::losses(site.class.directory.path(), &standing, person, &lost))
            }
        }
        section aria-labelledby="faults" {
            h2 id="faults" { "Faults of this version" }
            @if faulty.is_empty() { p { "None." } }
            @for game in &faulty { (fault(site.class.directory.path(), game)) }
        }
        section aria-labelledby="games" {
            h2 id="games" {
                "Games of this version"
                @if let Some(other) = against.and_then(|id| standing.entrants.iter().find(|one| one.id == id)) {
                    " against " (name(name_for(other, person)))
                }
            }
            @if against.is_some() { p { a href=(format!("/teams/{team}#games")) { "Games against all opponents" } } }
            @if games.is_empty() { p { "None yet." } } @else { (team_games::rows(&standing, person, &games)) }
            (paging::links(number, has_older, &|number| {
                let against = against.map_or(String::new(), |id| format!("&against={id}"));
                format!("/teams/{team}?page={number}{against}#games")
            }))
        }
        section aria-labelledby="versions" {
            h2 id="versions" { "Versions" }
            @if versions.is_empty() { p { "None yet." } } @else { (version_rows(&versions, active)) }
        }
    };
    Ok(page(asked, &title, &main))
}

fn results(standing: &Standing, own: &LadderEntrant, person: &Person, team: i64) -> Markup {
    let Some(bot) = standing.of(own.id) else { return html! {} };
    let all = &standing.standings.bots;
    let position = all.iter().position(|it| it.entrant == bot.entrant);
    let scores = position.and_then(|position| standing.standings.head_to_head.get(position));
    let opponents =
        all.iter().zip(scores.into_iter().flatten()).filter(|(_, score)| score.games > 0);
    let mut header = vec!["opponent"];
    header.extend(SCORE_HEADER);
    let body = html! {
        @for (other, score) in opponents {
            @if let Some(entrant) = standing.entrants.get(other.entrant) {
                tr role="row" {
                    (row_name(&html! {
                        a href=(format!("/teams/{team}?against={}#games", entrant.id)) { (name(name_for(entrant, person))) }
                    }))
                    (score_cells(score, score.interval))
                }
            }
        }
    };
    let mut seat_header = vec!["seat"];
    seat_header.extend(SCORE_HEADER);
    let seats = html! {
        @for (seat, score) in standing.standings.seats.iter().zip(&bot.by_seat) {
            tr role="row" { (row_name(&name(seat))) (score_cells(score, score.interval)) }
        }
    };
    html! {
        section aria-labelledby="results" {
            h2 id="results" { "Version " (own.version) " in the ladder" }
            dl class="facts" {
                (fact("rank", &html! { (rank(bot.rank)) " of " (all.len()) }))
                (fact("places", &html! { (places(bot)) }))
                (fact("group", &groups(bot)))
                (fact("share", &html! {
                    (percent(bot.score.share)) " (" (percents(bot.block_interval.or(bot.score.interval))) ")"
                }))
                (fact("rating", &html! { (rating(bot.rating)) " (" (range(bot.rating)) ")" }))
                @if let Some(mean) = bot.time.mean_us {
                    (fact("time", &html! {
                        (milliseconds(Some(mean))) " a decision, "
                        (milliseconds(Some(bot.time.longest_us as f64))) " the longest; excused "
                        (excused(&bot.time))
                    }))
                }
            }
            (table("Results by opponent. Intervals: 95%", &header, &body))
            (table("Results by seat", &seat_header, &seats))
        }
    }
}

/// Returns a drawing of ratings, with a mark where each version begins.
fn course_of(ratings: &[RatingAt]) -> Markup {
    let seconds = |at: i64| u64::try_from(at).unwrap_or_default();
    let moments: Vec<Moment> = ratings
        .iter()
        .map(|one| Moment {
            at: seconds(one.at),
            rating: Estimate { value: one.rating, low: one.low, high: one.high },
        })
        .collect();
    let mut marks: Vec<(u64, String)> = Vec::new();
    let mut last = 0;
    for one in ratings {
        if one.version > last {
            last = one.version;
            marks.push((seconds(one.at), format!("v{last}")));
        }
    }
    rating_over_time(&moments, &marks)
}

fn alias_form(asked: &Asked<'_>, own: Option<&LadderEntrant>) -> Markup {
    html! {
        section aria-labelledby="alias-title" {
            h2 id="alias-title" { "What other teams see" }
            @if let Some(own) = own { p { "Others see your bot as " (name(&own.alias)) "." } }
            (form(asked, "/team/alias", &html! {
                (field("Alias", "alias", "text", "off", "3 to 30 characters"))
                p { button { "Change the alias" } }
            }))
        }
    }
}

/// Returns the faults of the entrant in a game, with the evidence that the replay has.
fn fault(directory: &Path, game: &GameOfEntrant) -> Markup {
    let read = read(directory, 0, &game.game, false);
    let own: Vec<_> = read.game.faults.iter().filter(|fault| fault.seat == game.seat).collect();
    let stderr = own_stderr(directory, game);
    html! {
        article {
            h3 {
                a href=(format!("/games/{}", game.id)) { (text(&game.id, 60)) } ", "
                (moment(u64::try_from(game.at).unwrap_or_default()))
            }
            @if let Some(problem) = &read.game.problem { p { (text(problem, 400)) } }
            @for shown in own {
                p class="fault" {
                    (shown.fault.kind.as_str()) " at move " (shown.fault.turn) ": " (text(&shown.fault.message, 600))
                    @if shown.fatal { " (the game was lost by it)" }
                }
                @if let Some(got) = &shown.fault.got { p { "the line sent: " code { (text(got, 2000)) } } }
            }
            @if let Some(stderr) = stderr {
                details { summary { "End of standard error" } (lines(&stderr, 400)) }
            }
        }
    }
}

/// Returns the end of what the entrant wrote to standard error in a game.
fn own_stderr(directory: &Path, game: &GameOfEntrant) -> Option<String> {
    let replay = directory.join(game.game.replay.as_deref()?);
    let mut in_order = game.game.seats.clone();
    in_order.sort_unstable();
    in_order.dedup();
    let players = in_order.len();
    let own = *game.game.seats.get(game.seat)?;
    let place = in_order.iter().position(|&entrant| entrant == own)?;
    let kept = kept_stderr(&replay, players);
    let (_, text) = kept.into_iter().find(|(player, _)| *player == place)?;
    let skipped = text.chars().count().saturating_sub(STDERR);
    Some(text.chars().skip(skipped).collect())
}

pub(super) fn rename(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let (Some(team), alias) = (person.team, asked.form.get("alias")) else {
        return Err(Refusal::Wrong("You are in no team.".to_string()));
    };
    let length = alias.chars().count();
    if !(3..=30).contains(&length) || alias.chars().any(char::is_control) {
        return Err(Refusal::Wrong("Expected an alias of 3 to 30 characters.".to_string()));
    }
    let is_reference = asked.competition().event.setup.bots.iter().any(|bot| bot.name == alias);
    let is_number = alias.strip_prefix("Team ").is_some_and(|rest| rest.parse::<i64>().is_ok());
    asked.database().transaction(|transaction| {
        if is_reference || is_number || people::is_anothers_alias(transaction, team, alias)? {
            return Err(Refusal::Wrong("This alias belongs to somebody else.".to_string()));
        }
        let before = people::alias(transaction, team)?;
        people::set_alias(transaction, team, alias)?;
        let name = people::team_name(transaction, team)?;
        let before = before.unwrap_or(format!("Team {team}"));
        let detail = format!("from {before} to {alias}");
        audit::about(transaction, Some(person.id), ("changed an alias", &name), &detail)?;
        Ok(())
    })?;
    asked.competition().announce_result();
    Ok(Reply::see(format!("/teams/{team}")))
}
