//! `botyard tournament`: runs and resumes the tournament that a file describes, and prints its
//! standings. The crate `botyard-league` has the schedule, the store and the statistics; the
//! referee plays the games.

mod arguments;
mod extend;
mod page;
mod queued;
mod rejudge;
mod repair;
mod shown;
mod submit;

pub(crate) use arguments::{TournamentArgs, TournamentVerb};

use crate::store_arguments;
use arguments::{ResumeArgs, RunArgs, Running, StandingsArgs};
use botyard_cli::failure::{FAILED, Failure, failed, unless_closed};
use botyard_cli::installed::{for_tournaments, programs};
use botyard_cli::text::{done, out, print_event, warn, warn_during_games};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_runner::words::counted;
use botyard_tournament::{
    NewTournament, Results, StartOutcome, Tournament, TournamentEvent, drawn_from_secret,
    rejected_in_words, store_file,
};
use botyard_worker::export;
use shown::{play_tournament, show_gate, unless_failed};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs a verb of `botyard tournament`.
///
/// Returns [`FAILED`] if a scheduled game has no result.
pub(crate) fn run(args: &TournamentArgs) -> anyhow::Result<ExitCode> {
    unless_closed(match &args.verb {
        TournamentVerb::Run(args) => begin(args),
        TournamentVerb::Resume(args) => resume(args),
        TournamentVerb::Update(args) => extend::update(args),
        TournamentVerb::Extend(args) => extend::extend(args),
        TournamentVerb::Rejudge(args) => rejudge::rejudge(args),
        TournamentVerb::Standings(args) => standings(args),
        TournamentVerb::Page(args) => page::page(args),
        TournamentVerb::Check(args) => repair::check(args),
        TournamentVerb::Recover(args) => repair::recover(args),
        TournamentVerb::Submit(args) => submit::submit(args),
        TournamentVerb::List(args) => queued::list(args),
        TournamentVerb::Status(args) => queued::status(args),
        TournamentVerb::Hold(args) => queued::hold(args),
        TournamentVerb::Export(args) => queued::export(args),
    })
}

fn begin(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let path = args.out.clone().unwrap_or_else(|| directory_for(&args.file));
    let new = NewTournament::new(&args.file, &path, for_tournaments(args.quiet.programs()?))?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let before = "interrupted before the first game";
    match admitted(new, args.running, before, &interrupt)? {
        Ok(tournament) => play(*tournament, args.running, &interrupt),
        Err(reason) => failed(&reason),
    }
}

/// Copies the bots of a tournament and plays its gate. Otherwise returns why it does not begin: too
/// few bots have passed, or `interrupted`.
fn admitted(
    new: NewTournament,
    running: Running,
    interrupted: &str,
    interrupt: &Interrupt,
) -> anyhow::Result<Result<Box<Tournament>, String>> {
    if let Some(commitment) = new.commitment_of_gate() {
        match running.json {
            true => print_event(TournamentEvent::SecretDrawn { secret_sha256: &commitment })?,
            false => out(&format!("the games are {}\n", drawn_from_secret(&commitment)))?,
        }
    }
    let begun = show_gate(!running.json, |shown, warnings| {
        new.admit(running.concurrency, shown, warnings, interrupt)
    });
    match begun {
        Ok(StartOutcome::Ready(tournament)) => Ok(Ok(tournament)),
        Ok(StartOutcome::TooFew { error, definition }) => {
            let rejected = rejected_in_words(&definition);
            let rejected = rejected.trim_end();
            Ok(Err(format!("error: too few bots passed the gate: {error}\n{rejected}")))
        }
        Err(Error::Interrupted) => Ok(Err(interrupted.to_string())),
        Err(error) => Err(error.into()),
    }
}

fn resume(args: &ResumeArgs) -> anyhow::Result<ExitCode> {
    let (tournament, warnings) =
        Tournament::resume(&args.directory, args.accept_changes, for_tournaments(programs()?))?;
    warn(&warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    play(tournament, args.running, &interrupt)
}

fn standings(args: &StandingsArgs) -> anyhow::Result<ExitCode> {
    // A directory that exists is meant, unless a store is named here.
    let is_directory = args.store.store.is_none() && store_file(&args.directory).is_file();
    let results = match args.store.address()?.filter(|_| !is_directory) {
        Some(address) => {
            let queue = store_arguments::open(&address)?;
            export::results(&queue, &args.directory.to_string_lossy())?
        }
        None => Results::read(&args.directory)?,
    };
    done(&results.to_text(args.format))
}

/// Plays the remaining games and prints the results.
fn play(
    mut tournament: Tournament,
    running: Running,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    let mut plan = tournament.plan(tournament.schedule.games(), running.concurrency)?;
    plan.announce_overload(warn_during_games);
    warn(&plan.warnings);
    let ended = play_tournament(&mut tournament, &plan, running, interrupt)?;
    let path = tournament.directory.path().display();
    if !running.json {
        let files = match tournament.setup.file.run.replays {
            true => "standings.html, .csv, .md, .json, and all replays",
            false => "standings.html, .csv, .md and .json; no replays, as the tournament file says",
        };
        out(&format!("\nsaved in {path}: {files}\n"))?;
    }
    let missing = counted(ended.missing, "game");
    let then = match ended.stopped {
        Some(stop) => {
            unless_failed(stop)?;
            format!("interrupted: {missing} without a result; to resume")
        }
        None if ended.missing > 0 => format!(
            "{missing} without a result, because the host failed at every attempt; to retry"
        ),
        None => return Ok(ExitCode::SUCCESS),
    };
    if !running.json {
        out(&format!("{then}: botyard tournament resume {path}\n"))?;
    }
    Ok(ExitCode::from(FAILED))
}

/// The default directory for the results of a tournament file.
fn directory_for(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{stem}.tournament"))
}
