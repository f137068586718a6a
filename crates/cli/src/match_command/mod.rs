//! `botyard match`: plays games between bots, and shows them, sums them up, or tells a program of
//! them. How a game is played is the referee's business.

mod arguments;
mod capacity;
mod concurrency;
mod games;
mod json_events;
mod opening_file;
mod plan;
mod pool;
mod progress;
mod searches;
mod shown;
mod standings;
mod summary;
mod watch;
mod worker;

pub use arguments::MatchArgs;
pub use games::{Numbered, start_failure};
pub use plan::{Plan, quoted, read_openings, tables};
pub use pool::{GameSource, Observer, REPEATS_OF_VOID, run as play_games};
pub use progress::bar;
pub use searches::Searches;
pub use summary::empty_table;
pub use watch::{fault_in_words, place_among_losers, stderr_in_words};
pub use worker::PlayedGame;

use crate::error::Error;
use crate::failure::{FAILED, Failure, is_broken_pipe};
use crate::installed::programs;
use crate::text::{out, warn};
use botyard_referee::{Interrupt, Progress};
use games::MatchGames;
use shown::{How, Shown, tell};
use standings::Standings;
use std::io::{self, BufWriter};
use std::process::ExitCode;
use watch::Watch;

/// Plays the match that the arguments ask for.
///
/// The exit code is that of a failed game where a bot could never be started, or the match was interrupted.
/// A bot's fault in a game is a result like any other.
///
/// # Errors
///
/// Arguments that make no match, and what the host cannot do: also where it made the same game void again
/// and again.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let plan = Plan::new(&args.into(), &programs()?)?;
    warn(&plan.warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    match play(&plan, args, &interrupt) {
        // Who reads has heard enough.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(FAILED)),
        played => played,
    }
}

fn play(plan: &Plan, args: &MatchArgs, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let is_watched = !args.json && plan.schedule.games == 1;
    let mut watch = Watch::new(plan, BufWriter::new(io::stdout()));
    let mut steps = |progress: &Progress<'_>| {
        watch.step(progress);
        if watch.has_failed() {
            interrupt.raise();
        }
    };
    let how = match (args.json, is_watched) {
        (true, _) => {
            tell(json_events::match_started(plan))?;
            How::Json
        }
        (false, true) => {
            out(&watch::header(plan, &plan.schedule.game(1)))?;
            How::Game
        }
        (false, false) => {
            out(&progress::announcement(plan))?;
            How::Bar(bar(plan.schedule.games))
        }
    };
    let mut games = MatchGames::new(plan, args.keep_going, interrupt);
    let mut shown = Shown::new(plan, how);
    let steps: Option<&mut (dyn FnMut(&Progress<'_>) + Send)> =
        if is_watched { Some(&mut steps) } else { None };
    let stopped = play_games(plan, &mut games, &mut shown, steps, interrupt)?;
    watch.finish()?;
    let rest = games.rest();
    shown.games(&games, &rest)?;
    end(plan, &games, shown, stopped.as_ref())?;
    match stopped {
        Some(Error::Interrupted) | None => Ok(exit_code(plan, &games.standings)),
        Some(error) => Err(error.into()),
    }
}

/// Tells what the match has come to.
fn end(
    plan: &Plan,
    games: &MatchGames<'_>,
    shown: Shown<'_>,
    stopped: Option<&Error>,
) -> anyhow::Result<()> {
    let standings = &games.standings;
    let start_failure = games.start_failure.as_deref().filter(|_| stopped.is_some());
    let finished = standings.counted + standings.void;
    match shown.into_how() {
        How::Json => {
            let is_stopped = stopped.is_some();
            tell(json_events::match_ended(plan, standings, is_stopped, start_failure))?;
        }
        How::Game => {
            if matches!(stopped, Some(Error::Interrupted)) && finished == 0 {
                out("\ninterrupted\n")?;
            }
        }
        How::Bar(bar) => {
            bar.finish_and_clear();
            if stopped.is_none() || finished > 0 {
                out(&summary::summary(plan, standings))?;
            }
            if matches!(stopped, Some(Error::Interrupted)) {
                let games = plan.schedule.games;
                out(&match start_failure {
                    Some(found) => format!(
                        "\nstopped after {finished} of {games} games: {found}\n--keep-going plays the \
                         others all the same\n"
                    ),
                    None => format!("interrupted: {finished} of {games} games were finished\n"),
                })?;
            }
        }
    }
    Ok(())
}

fn exit_code(plan: &Plan, standings: &Standings) -> ExitCode {
    let all_played = standings.counted == plan.schedule.games;
    if all_played && standings.never_started().next().is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    }
}
