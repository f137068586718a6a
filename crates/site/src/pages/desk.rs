//! What the staff needs to know of the site: the queue, what is played, the room on the disk, faults by
//! kind, and failures of the host.

use super::{mail, rules};
use crate::competition::outside::games_at_once;
use crate::competition::rechecks::{self, Rechecked};
use crate::competition::{host, hosts};
use crate::files::{Statements, now};
use crate::people::retention;
use crate::submissions::queue::Queue;
use crate::web::{Asked, Refusal, Reply, notice, scripted_page};
use botyard_league::standings::BotStanding;
use botyard_league::standings::words::excused;
use botyard_pages::pieces::{fact, name, plain, row_name, table};
use botyard_protocol::printable;
use botyard_queue::{Difference, LargestResidual, Recheck, SeenWorker};
use botyard_runner::free_space;
use botyard_runner::words::counted;
use maud::{Markup, html};
use rusqlite::Transaction;
use std::collections::BTreeMap;
use std::fs;

/// What is read of the database.
struct Work {
    waiting: i64,
    /// Since when the oldest one that waits was submitted, in seconds.
    oldest: Option<i64>,
    /// Versions that are tried or wait, in order: the number of each, its team and its version.
    queue: Vec<(i64, String, i64)>,
    challenges: i64,
    /// Games of the last hour.
    games: i64,
    /// Blocks that were dropped: of void games, or because a version was replaced.
    dropped: i64,
    /// Whether the personal data are kept longer than stated.
    is_overdue: bool,
}

fn work(transaction: &Transaction<'_>) -> rusqlite::Result<Work> {
    let number = |sql: &str| transaction.query_row(sql, [], |row| row.get::<_, i64>(0));
    let oldest: Option<i64> = transaction.query_row(
        "SELECT MIN(at) FROM submissions WHERE state = 'queued'",
        [],
        |row| row.get(0),
    )?;
    let sql = "SELECT id FROM submissions WHERE state = 'working' ORDER BY began_ms";
    let mut ids: Vec<i64> = transaction.rows(sql, [], |row| row.get(0))?;
    ids.extend(Queue::read(transaction)?.waiting());
    let sql = "SELECT submissions.id, teams.name, version FROM submissions \
               JOIN teams ON teams.id = submissions.team WHERE submissions.id = ?1";
    let one =
        |id: i64| transaction.row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let queue = ids.into_iter().take(MOST_QUEUED).map(one).collect::<rusqlite::Result<_>>()?;
    Ok(Work {
        waiting: number("SELECT COUNT(*) FROM submissions WHERE state = 'queued'")?,
        oldest: oldest.map(|at| now() - at),
        queue,
        challenges: number(
            "SELECT COUNT(*) FROM blocks WHERE state = 'open' AND reason = 'challenge'",
        )?,
        games: transaction.query_row(
            "SELECT COUNT(*) FROM games WHERE at > ?1",
            [now() - 3600],
            |row| row.get(0),
        )?,
        dropped: number("SELECT COUNT(*) FROM blocks WHERE state = 'dropped'")?,
        is_overdue: retention::until(transaction)?.is_some_and(|until| until < now()),
    })
}

/// The most versions of the queue that are shown.
const MOST_QUEUED: usize = 30;

fn queue(asked: &Asked<'_>, queue: &[(i64, String, i64)]) -> Result<Markup, Refusal> {
    let submissions = &asked.site.submissions;
    let elapsed = submissions.lanes.elapsed();
    let mut rows = Vec::new();
    for (id, team, version) in queue {
        let state = match (submissions.place(*id)?, elapsed.get(id)) {
            (Some(place), _) => place.in_words(),
            (None, Some(elapsed)) => format!("is tried, for {} s", elapsed.as_secs()),
            (None, None) => "begins".to_string(),
        };
        rows.push((id, team, version, state));
    }
    let body = html! {
        @for (id, team, version, state) in &rows {
            tr role="row" {
                (row_name(&html! {
                    a href=(format!("/submissions/{id}")) { (name(team)) ", version " (version) }
                }))
                (plain("state", state))
            }
        }
    };
    Ok(html! {
        section aria-labelledby="queue" {
            h2 id="queue" { "Versions that are tried and wait" }
            p { "The page of a version has a form that cancels its trial." }
            (table("In the order of their turns", &["version", "state"], &body))
        }
    })
}

fn hosts_that_differ(differing: &[Difference]) -> Markup {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let body = html! {
        @for one in differing {
            tr role="row" {
                (row_name(&name(&one.worker)))
                (plain("more", one.measure.as_str()))
                (plain("of its games", percent(one.share)))
                (plain("of its peers'", percent(one.share_of_peers)))
                (plain("p", format!("{:.1e}", one.p)))
            }
        }
    };
    let header = ["host", "more", "of its games", "of its peers'", "p"];
    table("Hosts that differ, the clearest first", &header, &body)
}

/// Returns how many games a worker plays at once, and how many it would if its host were not overloaded.
fn at_once_in_words(worker: &SeenWorker) -> String {
    let all = games_at_once(worker);
    match worker.about["allowed"].as_u64().filter(|&allowed| allowed < all) {
        Some(allowed) => format!("{allowed} of {all}: its host is overloaded"),
        None => all.to_string(),
    }
}

fn excused_of(bots: &[BotStanding]) -> Markup {
    let rows = html! {
        @for bot in bots.iter().filter(|bot| bot.time.excused_us > 0) {
            tr role="row" { (row_name(&name(&bot.name))) (plain("excused time", excused(&bot.time))) }
        }
    };
    table("In the ladder, by version", &["version", "excused time"], &rows)
}

fn residuals_of_hosts(residuals: &[LargestResidual]) -> Markup {
    let body = html! {
        @for LargestResidual { residual: one, deviates } in residuals {
            tr role="row" {
                (row_name(&name(&one.worker)))
                (plain("blocks", one.blocks))
                (plain("residual", format!("{:+.1}", one.z)))
                (plain("more than chance", if *deviates { "yes" } else { "no" }))
            }
        }
    };
    let header = ["host", "blocks", "residual", "more than chance"];
    table("The largest deviation of a bot's points from those of the same pairings", &header, &body)
}

/// The most games with another result that are shown.
const MOST_DIFFERING: usize = 50;

fn rechecked_games(rechecked: &Rechecked) -> Markup {
    let one = |one: &Recheck| {
        let points: Vec<String> = one.points.iter().map(f64::to_string).collect();
        format!(
            "{} on {} after {}",
            points.join(":"),
            printable(&one.worker, 60),
            counted(one.turns, "decision")
        )
    };
    let body = html! {
        @for (part, game) in rechecked.differing.iter().take(MOST_DIFFERING) {
            tr role="row" {
                (row_name(&html! { (part) ", block " (game.block) ", game " (game.game) }))
                (plain("first, which counts", one(&game.first)))
                (plain("again", one(&game.again)))
            }
        }
    };
    let header = ["game", "first, which counts", "again"];
    table("Games with another result, the newest first", &header, &body)
}

fn workers_that_are_alive(workers: &[SeenWorker]) -> Markup {
    let body = html! {
        @for worker in workers {
            tr role="row" {
                (row_name(&name(&worker.name)))
                (plain("games at once", at_once_in_words(worker)))
                (plain("blocks in play", worker.leases))
                (plain("last sign of life", format!("{} s ago", worker.silent_ms / 1000)))
            }
        }
    };
    let header = ["worker", "games at once", "blocks in play", "last sign of life"];
    table("Alive in the last minute and a half", &header, &body)
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (class, competition) = (&asked.site.class, asked.competition());
    let work = class.database.transaction(work)?;
    let residuals = class.database.read(|it| hosts::residuals(it, competition.event.id))?;
    let rechecked = class.database.read(rechecks::all)?;
    let mut faults: BTreeMap<&str, u32> = BTreeMap::new();
    let mut repeated = 0;
    let boards = competition.boards();
    for bot in &boards.ladder.standings.bots {
        for (kind, count) in &bot.faults {
            *faults.entry(kind.as_str()).or_default() += count;
        }
        repeated += bot.void;
    }
    let mib =
        |bytes: Option<u64>| bytes.map_or("-".to_string(), |bytes| format!("{} MiB", bytes >> 20));
    let database = fs::metadata(class.directory.database()).ok().map(|about| about.len());
    let rows = html! {
        @for (kind, count) in &faults {
            tr role="row" { (row_name(&html! { (kind) })) (plain("faults", count)) }
        }
    };
    let main = html! {
        (super::pending::section(asked)?)
        @if work.is_overdue {
            (notice("The time for which personal data are kept has passed. Stop the site, then run: botyard site forget DIR"))
        }
        @if let Some(problem) = class.problem() {
            (notice(&format!("The last failure of the host, after which the work was begun again: {problem}")))
        }
        @if let Some(problem) = class.sign_in_problem() {
            (notice(&format!("The last sign-in that the provider failed: {problem}")))
        }
        @if let Some(change) = competition.limit.last_change().filter(|_| competition.limit.is_lowered()) {
            (notice(&format!("Fewer games are played: {}.", change.in_words())))
        }
        (rules::on_desk(asked)?)
        (mail::on_desk(asked)?)
        section aria-labelledby="work" {
            h2 id="work" { "Work" }
            dl class="facts" {
                (fact("versions that wait", &html! {
                    (work.waiting)
                    @if let Some(oldest) = work.oldest { ", the oldest for " (counted(oldest.unsigned_abs() / 60, "minute")) }
                }))
                (fact("challenges that wait", &html! { (work.challenges) }))
                (fact("games in the last hour", &html! { (work.games) }))
                (fact("blocks dropped", &html! { (work.dropped) }))
                (fact("void games", &html! { (repeated) }))
                @if let Some(waited) = competition.limit.waited() {
                    (fact("waits for a core", &html! {
                        (format!("{:.0}%", 100.0 * waited)) " of the time in which bots of this host wanted one"
                    }))
                }
            }
        }
        @if !work.queue.is_empty() { (queue(asked, &work.queue)?) }
        @let differing = &boards.hosts;
        section aria-labelledby="hosts" {
            h2 id="hosts" { "Hosts" }
            p {
                "This host is " (printable(host::name(), 60)) ". "
                @if differing.is_empty() { "No host differs from its peers in void games, timeouts or crashes." }
                @else { "The games of these hosts differ from those of their peers, by Fisher's exact test with Holm's correction." }
            }
            @if !differing.is_empty() { (hosts_that_differ(differing)) }
            @if !residuals.is_empty() { (residuals_of_hosts(&residuals)) }
            p { a href="/rejudges" { "Rejudge games" } }
        }
        @let workers = &boards.workers;
        @if !workers.is_empty() {
            section aria-labelledby="workers" {
                h2 id="workers" { "Workers on other hosts" }
                (workers_that_are_alive(workers))
            }
        }
        @if rechecked.blocks > 0 {
            section aria-labelledby="rechecks" {
                h2 id="rechecks" { "Blocks that another worker played again" }
                p {
                    (counted(rechecked.blocks.unsigned_abs(), "block")) ": "
                    (counted(rechecked.same.unsigned_abs(), "game")) " with the same result, "
                    (rechecked.differing.len()) " with another."
                }
                @if !rechecked.differing.is_empty() { (rechecked_games(&rechecked)) }
            }
        }
        @if boards.ladder.standings.has_excused() {
            section aria-labelledby="excused" {
                h2 id="excused" { "Time that hosts took from bots" }
                (excused_of(&boards.ladder.standings.bots))
            }
        }
        section aria-labelledby="room" {
            h2 id="room" { "Room" }
            dl class="facts" {
                (fact("database", &html! { (mib(database)) }))
                (fact("free on the disk", &html! { (mib(free_space(class.directory.path()))) }))
            }
        }
        section aria-labelledby="faults" {
            h2 id="faults" { "Faults of versions that play" }
            @if faults.is_empty() { p { "None." } } @else {
                (table("In the ladder, by kind", &["kind", "faults"], &rows))
            }
        }
    };
    Ok(scripted_page(
        asked,
        "Desk",
        &main,
        rules::is_being_checked(asked)?.then_some("/assets/log.js"),
    ))
}

#[cfg(test)]
mod tests;
