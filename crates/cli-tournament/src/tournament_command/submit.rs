//! `botyard tournament submit`: admits the bots of a tournament file on this host, and puts the tournament
//! into a store, from which workers play it.

use super::admitted;
use super::arguments::{Running, SubmitArgs};
use botyard_cli::failure::{Failure, failed};
use botyard_cli::files::directory_open_to_bots;
use botyard_cli::installed::for_tournaments;
use botyard_cli::text::{done, print_event};
use botyard_league::store::Store;
use botyard_referee::Interrupt;
use botyard_tournament::{NewTournament, Tournament, TournamentEvent};
use botyard_worker::submission::{self, Submitted};
use std::process::ExitCode;

/// Admits the bots, and submits the tournament.
pub(super) fn submit(args: &SubmitArgs) -> anyhow::Result<ExitCode> {
    let queue = args.store.open()?;
    let place = directory_open_to_bots("botyard-submit-")?;
    let path = place.path().join("tournament");
    let new = NewTournament::new(&args.file, &path, for_tournaments(args.quiet.programs()?))?;
    // The bots of others are in the store, and what the games are drawn from.
    let apart = args.store.address()?.map_or(Vec::new(), |address| address.files());
    let new = new.leaving_out(apart);
    let id = args.id.clone().unwrap_or_else(|| new.name().to_string());
    // Before the gate, which may take long.
    submission::check_id(&queue, &id)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let running = Running { concurrency: args.concurrency, json: args.json };
    let interrupted = "interrupted: nothing was submitted";
    let tournament = match admitted(new, running, interrupted, &interrupt)? {
        Ok(tournament) => *tournament,
        Err(reason) => return failed(&reason),
    };
    let submitted = submission::submit(
        &queue,
        &id,
        tournament.store.definition(),
        &tournament.directory.bundles(),
        args.recheck,
    );
    let shown = submitted.map_err(Into::into).and_then(|it| show(args.json, &tournament, &it));
    // Read-only copies are no longer needed, whatever became of the submission.
    let _ = tournament.remove();
    shown
}

/// Prints what was submitted.
fn show(json: bool, tournament: &Tournament, submitted: &Submitted) -> anyhow::Result<ExitCode> {
    let definition = tournament.store.definition();
    if json {
        for rejected in &definition.rejected {
            print_event(TournamentEvent::bot_rejected(rejected))?;
        }
        print_event(submitted.as_json(definition))?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = submitted.in_words(definition, tournament.setup.file.format.value.name());
    done(&format!("{text}to play it: botyard worker --store STORE\n"))
}
