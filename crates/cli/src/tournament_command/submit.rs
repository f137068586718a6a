//! `botyard tournament submit`: admits the bots of a tournament file on this host, and puts the tournament
//! into a store, from which workers play it.

use super::arguments::SubmitArgs;
use super::shown::show_gate;
use super::{admitted_in_words, announced_secret};
use crate::failure::{FAILED, Failure};
use crate::installed::programs;
use crate::text::{eprint_line, out, print_event};
use botyard_league::store::Store;
use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_runner::tournament::{Beginning, Begun, Tournament, TournamentEvent};
use botyard_runner::words::counted;
use botyard_worker::submission;
use serde_json::json;
use std::process::ExitCode;

/// Admits the bots, and submits the tournament.
pub fn submit(args: &SubmitArgs) -> anyhow::Result<ExitCode> {
    let queue = args.store.open()?;
    let place = private_directory()?;
    let path = place.path().join("tournament");
    let beginning = Beginning::new(&args.file, &path, programs()?)?;
    // The bots of others are in the store, and what the games are drawn from.
    let apart = args.store.address().map_or(Vec::new(), |address| address.files());
    let beginning = beginning.leaving_out(apart);
    let id = args.id.clone().unwrap_or_else(|| beginning.name().to_string());
    // Before the gate, which may take long.
    submission::check_id(&queue, &id)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    announced_secret(&beginning, args.json)?;
    let begun = show_gate(!args.json, |shown, warnings| {
        beginning.admit(args.concurrency, shown, warnings, &interrupt)
    });
    let tournament = match begun {
        Ok(Begun::Ready(tournament)) => *tournament,
        Ok(Begun::TooFew { error, definition }) => {
            eprint_line(&admitted_in_words(&error, &definition));
            return Ok(ExitCode::from(FAILED));
        }
        Err(Error::Interrupted) => {
            eprint_line("interrupted: nothing was submitted");
            return Ok(ExitCode::from(FAILED));
        }
        Err(error) => return Err(error.into()),
    };
    let submitted = submission::submit(
        &queue,
        &id,
        tournament.store.definition(),
        &tournament.directory.bundles(),
    );
    let shown = submitted.map_err(Into::into).and_then(|it| show(args, &id, &tournament, &it));
    // Read-only copies are no longer needed, whatever became of the submission.
    let _ = tournament.remove();
    shown
}

/// Prints what was submitted.
fn show(
    args: &SubmitArgs,
    id: &str,
    tournament: &Tournament,
    submitted: &submission::Submitted,
) -> anyhow::Result<ExitCode> {
    let definition = tournament.store.definition();
    if args.json {
        for rejected in &definition.rejected {
            print_event(TournamentEvent::bot_rejected(rejected))?;
        }
        print_event(json!({
            "type": "tournament_submitted",
            "tournament": id,
            "game": definition.game,
            "bots": definition.entrants.len(),
            "games": submitted.games,
            "secret_sha256": definition.commitment,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let drawn = match &definition.commitment {
        Some(commitment) => super::drawn_from_secret(commitment),
        None => format!("seed {}", definition.draws),
    };
    let least =
        if tournament.setup.file.format.value.name() == "knockout" { "at least " } else { "" };
    out(&format!(
        "submitted {id}: {least}{} of {} between {}, {drawn}\n{}to play it: botyard worker --store STORE\n",
        counted(submitted.games, "game"),
        definition.game,
        counted(definition.entrants.len() as u64, "bot"),
        botyard_runner::tournament::rejected_in_words(definition),
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Makes a temporary directory that bots of other users can enter: bots of a referee that is root run as
/// another user.
fn private_directory() -> anyhow::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("botyard-submit-");
    #[cfg(unix)]
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    #[cfg(unix)]
    builder.permissions(permissions);
    builder
        .tempdir()
        .map_err(|error| Failure::host(format!("a temporary directory cannot be made: {error}")))
}
