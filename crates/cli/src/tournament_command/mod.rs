//! `botyard tournament`: runs and resumes the tournament that a file describes, and prints its
//! standings. The crate `botyard-league` has the schedule, the store and the statistics; the
//! referee plays the games.

mod arguments;
mod extend;
mod page;
mod rejudge;
mod repair;
mod shown;

pub use arguments::TournamentArgs;

use crate::failure::{FAILED, Failure, unless_closed};
use crate::installed::programs;
use crate::text::{eprint_line, out, print_event, warn};
use arguments::{ResumeArgs, RunArgs, Running, StandingsArgs, TournamentVerb};
use botyard_league::store::Store;
use botyard_referee::Interrupt;
use botyard_runner::tournament::{
    Beginning, Begun, Form, Results, Tournament, TournamentEvent, rejected_in_words,
};
use botyard_runner::words::counted;
use botyard_runner::{Error, Plan, adjudicated_in_words};
use shown::{Shown, resumable, show_gate, unless_failed};
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
    })
}

fn begin(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let path = args.out.clone().unwrap_or_else(|| directory_for(&args.file));
    let beginning = Beginning::new(&args.file, &path, programs()?)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    if let Some(commitment) = beginning.commitment_of_gate() {
        match args.running.json {
            true => print_event(TournamentEvent::SecretDrawn { secret_sha256: &commitment })?,
            false => out(&format!("the games are {}\n", drawn_from_secret(&commitment)))?,
        }
    }
    let begun = show_gate(!args.running.json, |shown, warnings| {
        beginning.admit(args.running.concurrency, shown, warnings, &interrupt)
    });
    match begun {
        Ok(Begun::Ready(tournament)) => play(*tournament, args.running, &interrupt),
        Ok(Begun::TooFew { error, definition }) => {
            let rejected = rejected_in_words(&definition);
            eprint_line(&format!(
                "error: too few bots passed the gate: {error}\n{}",
                rejected.trim_end()
            ));
            Ok(ExitCode::from(FAILED))
        }
        Err(Error::Interrupted) => {
            eprint_line("interrupted before the first game");
            Ok(ExitCode::from(FAILED))
        }
        Err(error) => Err(error.into()),
    }
}

fn resume(args: &ResumeArgs) -> anyhow::Result<ExitCode> {
    let (tournament, warnings) =
        Tournament::resume(&args.directory, args.accept_changes, programs()?)?;
    warn(&warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    play(tournament, args.running, &interrupt)
}

fn standings(args: &StandingsArgs) -> anyhow::Result<ExitCode> {
    out(&Results::read(&args.directory)?.to_text(args.format.into()))?;
    Ok(ExitCode::SUCCESS)
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
    let announcement = announcement(&tournament, &plan, running);
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
    let mut shown = Shown::new(&session, running.json);
    let ended = session.play(&mut shown, interrupt).map_err(resumable);
    shown.clear();
    let ended = ended?;
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
        out(&format!("\nsaved in {path}: standings.html, .csv, .md, .json, and all replays\n"))?;
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

/// The announcement of the games in two lines.
fn announcement(tournament: &Tournament, plan: &Plan, running: Running) -> String {
    let Tournament { setup, schedule, store, .. } = tournament;
    let (definition, format) = (store.definition(), setup.file.format.value.name());
    let least = if format == "knockout" { "at least " } else { "" };
    let at_once = match plan.concurrency {
        1 => "one game at a time".to_string(),
        number => format!("{number} games at a time"),
    };
    let default = match running.concurrency.or(setup.file.run.concurrency) {
        None => " (default: number of cores minus one)",
        Some(_) => "",
    };
    let drawn = match &definition.commitment {
        Some(commitment) => drawn_from_secret(commitment),
        None => format!("seed {}", definition.draws),
    };
    format!(
        "{}: {least}{} of {} between {}, {format}, rules {}, {drawn}\n{at_once}{default}; {}\n",
        definition.name,
        counted(schedule.games(), "game"),
        definition.game,
        counted(definition.entrants.len() as u64, "bot"),
        plan.rules,
        plan.conditions(),
    )
}

/// What is published of a secret before the last game.
fn drawn_from_secret(commitment: &str) -> String {
    format!("drawn from a secret whose SHA-256 is\n{commitment}")
}

/// The default directory for the results of a tournament file.
fn directory_for(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{stem}.tournament"))
}
