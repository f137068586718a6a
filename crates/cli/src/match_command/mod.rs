//! `botyard match`: plays games between bots and prints them, a summary, or JSON events. The
//! referee plays the games.

mod arguments;
mod progress;
mod shown;
mod summary;
mod watch;

pub use arguments::MatchArgs;
pub use progress::bar;
pub use summary::empty_table;

use crate::failure::{FAILED, Failure, unless_closed};
use crate::installed::programs;
use crate::text::{eprint_line, out, print_event, warn};
use crate::watch::start;
use botyard_live::Sight;
use botyard_referee::{Interrupt, Progress};
use botyard_runner::{Error, MatchEvent, MatchGames, Plan, Replays, Steps};
use indicatif::ProgressBar;
use shown::{How, Shown};
use std::io::{self, BufWriter};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use watch::Watch;

/// How long open pages may take to receive the end of a match.
const PATIENCE: Duration = Duration::from_secs(3);

/// Plays the match that the arguments ask for.
///
/// Returns [`FAILED`] if a bot could never be started or the match was interrupted. A bot's fault
/// in a game is a result like any other.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let mut plan = Plan::new(&args.into(), &programs()?)?;
    plan.wiretap = args.wire.wiretap();
    warn(&plan.warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let Some(port) = args.watch else { return unless_closed(play(&plan, args, &interrupt)) };
    // Pages follow replays; without `--out`, they are removed after the match.
    let place = match plan.replays {
        Replays::None => Some(tempfile::tempdir().map_err(Failure::host)?),
        _ => None,
    };
    if let Some(place) = &place {
        plan.replays = Replays::Temporary(place.path().to_path_buf());
    }
    let directory = plan.replays.directory().map(Path::to_path_buf).unwrap_or_default();
    let sight = if args.truth { Sight::Truth } else { Sight::Spectator };
    let server = start(directory, port, sight)?;
    eprint_line(&format!("watch the games at {}", server.address()));
    let played = unless_closed(play(&plan, args, &interrupt));
    server.finish(PATIENCE);
    played
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
            print_event(MatchEvent::match_started(plan))?;
            How::Json
        }
        (false, true) => {
            out(&watch::header(plan, &plan.schedule.game(1)))?;
            How::Game
        }
        (false, false) => {
            out(&progress::announcement(plan))?;
            // A bar would be drawn between the lines.
            let is_quiet = args.wire.prints();
            How::Bar(if is_quiet { ProgressBar::hidden() } else { bar(plan.schedule.games) })
        }
    };
    let mut games = MatchGames::new(plan, args.keep_going, interrupt);
    let mut shown = Shown::new(plan, how);
    let steps: Option<&mut Steps<'_>> = if is_watched { Some(&mut steps) } else { None };
    let stopped = botyard_runner::run(plan, &mut games, &mut shown, steps, interrupt)?;
    watch.finish()?;
    let rest = games.rest();
    shown.games(&games, &rest)?;
    end(plan, &games, shown, stopped.as_ref())?;
    match stopped {
        Some(Error::Interrupted) | None if games.tally.is_whole(plan) => Ok(ExitCode::SUCCESS),
        Some(Error::Interrupted) | None => Ok(ExitCode::from(FAILED)),
        Some(error) => Err(error.into()),
    }
}

/// Prints the result of the match.
fn end(
    plan: &Plan,
    games: &MatchGames<'_>,
    shown: Shown<'_>,
    stopped: Option<&Error>,
) -> anyhow::Result<()> {
    let tally = &games.tally;
    let start_failure = games.start_failure.as_deref().filter(|_| stopped.is_some());
    let finished = tally.counted + tally.void;
    match shown.into_how() {
        How::Json => {
            let is_stopped = stopped.is_some();
            print_event(MatchEvent::match_ended(plan, tally, is_stopped, start_failure))?;
        }
        How::Game => {
            if matches!(stopped, Some(Error::Interrupted)) && finished == 0 {
                out("\ninterrupted\n")?;
            }
        }
        How::Bar(bar) => {
            bar.finish_and_clear();
            if stopped.is_none() || finished > 0 {
                out(&summary::summary(plan, tally))?;
            }
            if matches!(stopped, Some(Error::Interrupted)) {
                let games = plan.schedule.games;
                out(&match start_failure {
                    Some(found) => format!(
                        "\nstopped after {finished} of {games} games: {found}\nto play the other games \
                         too, add --keep-going\n"
                    ),
                    None => format!("interrupted: {finished} of {games} games finished\n"),
                })?;
            }
        }
    }
    Ok(())
}
