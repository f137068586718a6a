//! `botyard match`: plays games between bots and prints them, a summary, or JSON events. The
//! referee plays the games.

mod arguments;
mod changes;
mod repeat;
mod shown;

pub use arguments::MatchArgs;

use crate::failure::{Failure, after_games, unless_closed};
use crate::installed::programs;
use crate::text::{warn, warn_during_games};
use botyard_referee::{Interrupt, Progress};
use botyard_runner::{GameText, JsonLines, MatchGames, Plan};
use shown::{ManyGames, OneGame};
use std::io::{self, BufWriter};
use std::process::ExitCode;

/// Plays the match that the arguments ask for.
///
/// Returns [`FAILED`](crate::failure::FAILED) if a bot could never be started or the match was
/// interrupted. A bot's fault in a game is a result like any other.
///
/// # Errors
///
/// Those of [`plan`] and [`play`].
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    if args.repeat_on_change {
        return unless_closed(repeat::run(args));
    }
    let (plan, interrupt) = plan(args)?;
    let played = play(&plan, args, &interrupt);
    plan.remove_unused_directory();
    played
}

/// Plans the match and prints the warnings about it. From then on signals interrupt the match.
///
/// # Errors
///
/// The arguments make no match, or the host cannot play it.
pub fn plan(args: &MatchArgs) -> anyhow::Result<(Plan, Interrupt)> {
    let plan = planned(args)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    Ok((plan, interrupt))
}

fn planned(args: &MatchArgs) -> anyhow::Result<Plan> {
    let mut plan = Plan::new(&args.into(), &programs()?)?;
    plan.wiretap = args.wire.wiretap();
    plan.announce_overload(warn_during_games);
    warn(&plan.warnings);
    Ok(plan)
}

/// Plays a planned match.
///
/// # Errors
///
/// A failure of the host, or an output that cannot be written.
pub fn play(plan: &Plan, args: &MatchArgs, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    unless_closed(play_games(plan, args, interrupt))
}

fn play_games(plan: &Plan, args: &MatchArgs, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let mut games = MatchGames::new(plan, args.keep_going, interrupt);
    let stopped = if args.json {
        games.play(&mut JsonLines::new(io::stdout()), None)?
    } else if plan.schedule.games == 1 {
        let mut text = GameText::new(plan, BufWriter::new(io::stdout()));
        let mut steps = |progress: &Progress<'_>| {
            text.step(progress);
            if text.has_failed() {
                interrupt.raise();
            }
        };
        let played = games.play(&mut OneGame, Some(&mut steps));
        text.finish()?;
        played?
    } else {
        games.play(&mut ManyGames::new(args.wire.prints()), None)?
    };
    after_games(stopped, games.tally.is_whole(plan))
}
