//! What needs the attention of the staff: bots with faults, a host that is overloaded, versions that
//! wait, excused time, and the room on the disk.

use crate::files::now;
use crate::pages::standings::name_for;
use crate::submissions;
use crate::web::{Asked, Refusal};
use botyard_league::standings::words::{excused, faults};
use botyard_pages::pieces::{cell, name, plain, row_name, table};
use botyard_runner::free_space;
use botyard_runner::words::counted;
use maud::{Markup, html};

/// The bots with faults that are listed.
const BOTS: usize = 12;

/// Less room than this on the disk needs attention, in bytes.
const ROOM: u64 = 2 << 30;

pub(super) fn section(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let person = &asked.visitor()?.person;
    let competition = asked.competition();
    let boards = competition.boards();
    let ladder = &boards.ladder;
    let (waiting, oldest) = asked.database().transaction(submissions::waiting)?;
    let mut faulty: Vec<_> = (ladder.standings.bots.iter())
        .filter(|bot| bot.fault_count() > 0)
        .filter_map(|bot| Some((bot, ladder.entrants.get(bot.entrant)?)))
        .collect();
    faulty.sort_by_key(|(bot, _)| std::cmp::Reverse(bot.fault_count()));
    let excused_bots = ladder.standings.bots.iter().filter(|bot| bot.time.excused_us > 0);
    let most_excused = excused_bots.max_by_key(|bot| bot.time.excused_us);
    let change = competition.limit.last_change().filter(|_| competition.limit.is_lowered());
    let room = free_space(asked.site.class.directory.path()).filter(|&room| room < ROOM);
    let body = html! {
        @for (bot, entrant) in faulty.iter().take(BOTS) {
            tr role="row" {
                (row_name(&html! {
                    @match entrant.team {
                        Some(team) => { a href=(format!("/teams/{team}#faults")) { (name(name_for(entrant, person))) } }
                        None => { (name(&entrant.name)) }
                    }
                }))
                (plain("faults", faults(bot)))
                (cell("games", &html! { (bot.score.games) }))
            }
        }
    };
    let is_quiet = waiting == 0
        && faulty.is_empty()
        && change.is_none()
        && most_excused.is_none()
        && room.is_none()
        && asked.site.class.problem().is_none();
    Ok(html! {
        section aria-labelledby="attention" {
            h2 id="attention" { "Needs attention" }
            @if is_quiet { p { "Nothing." } }
            ul {
                @if let Some(problem) = asked.site.class.problem() {
                    li { a href="/desk" { "The host failed" } ": " (name(&problem.to_string())) }
                }
                @if let Some(change) = change { li { a href="/desk" { "Fewer games are played" } ": " (change.in_words()) } }
                @if waiting > 0 {
                    li {
                        a href="/submissions" { (counted(waiting.unsigned_abs(), "version")) " " (if waiting == 1 { "waits" } else { "wait" }) }
                        @if let Some(oldest) = oldest {
                            ", the oldest for " (counted((now() - oldest).unsigned_abs() / 60, "minute"))
                        }
                    }
                }
                @if let Some(bot) = most_excused {
                    li { a href="/desk#excused" { "Time that hosts took from bots" } ": " (name(&bot.name)) " " (excused(&bot.time)) }
                }
                @if let Some(room) = room { li { a href="/desk#room" { "The disk is nearly full" } ": " (room >> 20) " MiB free" } }
            }
            @if !faulty.is_empty() {
                (table("Bots of the ladder with faults, the most first", &["bot", "faults", "games"], &body))
                @if faulty.len() > BOTS { p { a href="/standings" { "All " (faulty.len()) " bots with faults" } ", in the order of faults" } }
            }
        }
    })
}
