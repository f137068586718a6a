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

pub use arguments::TournamentArgs;

use crate::failure::{FAILED, Failure, failed, unless_closed};
use crate::installed::programs;
use crate::text::{done, out, print_event, warn};
use arguments::{ResumeArgs, RunArgs, Running, StandingsArgs, TournamentVerb};
use botyard_league::schedule::FormatError;
use botyard_league::store::{Definition, Store};
use botyard_referee::Interrupt;
use botyard_runner::tournament::{
    Beginning, Begun, Form, Results, Tournament, TournamentEvent, drawn_from_secret,
    rejected_in_words, store_file,
};
use botyard_runner::words::counted;
use botyard_runner::{Error, adjudicated_in_words};
use botyard_worker::export;
use shown::{play_session, show_gate, unless_failed};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs a verb of `botyard tournament`.
///
/// Returns [`FAILED`] if a scheduled game has no result.
pub fn run(args: &TournamentArgs) -> anyhow::Result<ExitCode> {
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
    let beginning = Beginning::new(&args.file, &path, programs()?)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    announced_secret(&beginning, args.running.json)?;
    let begun = show_gate(!args.running.json, |shown, warnings| {
        beginning.admit(args.running.concurrency, shown, warnings, &interrupt)
    });
    match begun {
        Ok(Begun::Ready(tournament)) => play(*tournament, args.running, &interrupt),
        Ok(Begun::TooFew { error, definition }) => failed(&admitted_in_words(&error, &definition)),
        Err(Error::Interrupted) => failed("interrupted before the first game"),
        Err(error) => Err(error.into()),
    }
}

/// Prints what the games of a gate are drawn from, if there is a gate and they are drawn from a secret.
fn announced_secret(beginning: &Beginning, is_json: bool) -> anyhow::Result<()> {
    if let Some(commitment) = beginning.commitment_of_gate() {
        match is_json {
            true => print_event(TournamentEvent::SecretDrawn { secret_sha256: &commitment })?,
            false => out(&format!("the games are {}\n", drawn_from_secret(&commitment)))?,
        }
    }
    Ok(())
}

/// Describes a gate that too few bots have passed.
fn admitted_in_words(error: &FormatError, definition: &Definition) -> String {
    let rejected = rejected_in_words(definition);
    format!("error: too few bots passed the gate: {error}\n{}", rejected.trim_end())
}

fn resume(args: &ResumeArgs) -> anyhow::Result<ExitCode> {
    let (tournament, warnings) =
        Tournament::resume(&args.directory, args.accept_changes, programs()?)?;
    warn(&warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    play(tournament, args.running, &interrupt)
}

fn standings(args: &StandingsArgs) -> anyhow::Result<ExitCode> {
    // A directory that exists is meant, unless a store is named here.
    let is_directory = args.store.store.is_none() && store_file(&args.directory).is_file();
    let results = match args.store.address().filter(|_| !is_directory) {
        Some(address) => {
            let queue = crate::store_arguments::open(&address)?;
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
    let games = tournament.schedule.games();
    let plan = tournament.plan(games, running.concurrency)?;
    warn(&plan.warnings);
    let definition = tournament.store.definition().clone();
    let path = tournament.directory.path().to_path_buf();
    let format = tournament.setup.file.format.value.name();
    let announcement = tournament.announcement(&plan, running.concurrency);
    let session = tournament.session(&plan)?;
    let before = session.scored();
    if running.json {
        let counts = (games, before);
        print_event(TournamentEvent::tournament_started(
            &plan,
            &definition,
            format,
            counts,
            &path,
        ))?;
        for rejected in &definition.rejected {
            print_event(TournamentEvent::bot_rejected(rejected))?;
        }
    } else {
        let before = match before {
            0 => String::new(),
            before => format!("{} played before\n", counted(before, "game")),
        };
        out(&format!("{announcement}{before}{}\n", rejected_in_words(&definition)))?;
    }
    let ended = play_session(session, running.json, interrupt)?;
    let results = tournament.finish(&ended)?;
    let path = path.display();
    if running.json {
        print_event(TournamentEvent::tournament_ended(&ended, &results))?;
    } else {
        out(&results.to_text(Form::Table))?;
        let adjudicated = adjudicated_in_words(&ended.reasons);
        if !adjudicated.is_empty() {
            out(&format!("\nadjudicated by: {adjudicated}\n"))?;
        }
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
