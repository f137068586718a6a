//! `botyard match`: plays games between bots and prints them, a summary, or JSON events. The
//! referee plays the games.

mod arguments;
mod shown;

pub use arguments::MatchArgs;

use crate::failure::{Failure, after_games, unless_closed};
use crate::installed::programs;
use crate::text::{eprint_line, warn, warn_during_games};
use crate::watch::start;
use botyard_live::Sight;
use botyard_referee::{Interrupt, Progress};
use botyard_runner::{GameText, JsonLines, MatchGames, Plan, Replays};
use shown::{ManyGames, OneGame};
use std::io::{self, BufWriter};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// How long open pages may take to receive the end of a match.
const PATIENCE: Duration = Duration::from_secs(3);

/// Plays the match that the arguments ask for.
///
/// Returns [`FAILED`](crate::failure::FAILED) if a bot could never be started or the match was
/// interrupted. A bot's fault in a game is a result like any other.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let mut plan = Plan::new(&args.into(), &programs()?)?;
    plan.wiretap = args.wire.wiretap();
    plan.announce_overload(warn_during_games);
    warn(&plan.warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let Some(port) = args.watch else {
        let played = unless_closed(play(&plan, args, &interrupt));
        plan.remove_unused_directory();
        return played;
    };
    // Pages follow replays; without `--out`, they are removed after the match.
    let place = match plan.replays {
        Replays::None | Replays::Faulty(_) => Some(tempfile::tempdir().map_err(Failure::host)?),
        _ => None,
    };
    if let Some(place) = &place {
        plan.remove_unused_directory();
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
