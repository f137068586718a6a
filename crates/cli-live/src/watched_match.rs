//! `botyard match --watch`: a match, and pages that follow its games.

use crate::watch::start;
use botyard_cli::failure::Failure;
use botyard_cli::match_command::{MatchArgs, plan, play};
use botyard_cli::text::eprint_line;
use botyard_live::Sight;
use botyard_runner::Replays;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// How long open pages may take to receive the end of a match.
const PATIENCE: Duration = Duration::from_secs(3);

/// Plays the match, with pages on this port.
pub(crate) fn run(args: &MatchArgs, port: u16) -> anyhow::Result<ExitCode> {
    let (mut plan, interrupt) = plan(args)?;
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
    let server = start(directory, port, sight, None)?;
    eprint_line(&format!("watch the games at {}", server.address()));
    let played = play(&plan, args, &interrupt);
    server.finish(PATIENCE);
    played
}
