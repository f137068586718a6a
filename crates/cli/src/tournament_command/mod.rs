//! `botyard tournament`: runs and resumes the tournament that a file describes, and prints its standings. The
//! crate `botyard-league` has the schedule, the store and the statistics; the referee plays the games.

mod arguments;
mod extend;
mod rejudge;
mod repair;
mod shown;

pub use arguments::TournamentArgs;

use crate::failure::{FAILED, Failure, is_broken_pipe};
use crate::installed::programs;
use crate::text::{note, out, tell, warn};
use arguments::{ResumeArgs, RunArgs, Running, StandingsArgs, TournamentVerb};
use botyard_league::schedule::{BLOCKS_TOGETHER, TournamentSchedule};
use botyard_league::store::{Definition, SqliteStore, Store};
use botyard_referee::{BotCommand, Interrupt};
use botyard_runner::tournament::{
    Admission, Directory, Form, KeptBots, Results, Session, Setup, Supply, TournamentEvent,
    admission, begun_tournament, changes, check_programs, check_starts, rejected_in_words,
    reveal_secret, store_file,
};
use botyard_runner::words::counted;
use botyard_runner::{Error, Plan, Programs, Replays};
use shown::{GateShown, Shown, resumable, unless_failed};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs a verb of `botyard tournament`.
///
/// Returns [`FAILED`] if a scheduled game has no result.
///
/// # Errors
///
/// Files and arguments that make no tournament, and failures of the host.
pub fn run(args: &TournamentArgs) -> anyhow::Result<ExitCode> {
    let done = match &args.verb {
        TournamentVerb::Run(args) => begin(args),
        TournamentVerb::Resume(args) => resume(args),
        TournamentVerb::Update(args) => extend::update(args),
        TournamentVerb::Extend(args) => extend::extend(args),
        TournamentVerb::Rejudge(args) => rejudge::rejudge(args),
        TournamentVerb::Standings(args) => standings(args),
        TournamentVerb::Check(args) => repair::check(args),
        TournamentVerb::Recover(args) => repair::recover(args),
    };
    match done {
        // The reader closed the pipe.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(FAILED)),
        done => done,
    }
}

fn begin(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let programs = programs()?;
    let mut setup = Setup::of_file(&args.file, &programs)?;
    let path = args.out.clone().unwrap_or_else(|| directory_for(&args.file));
    let directory = Directory::create(&path)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    // The games of the gate are drawn from it as well.
    if let (Some(commitment), Some(_)) = (setup.draws.commitment(), &setup.file.gate) {
        match args.running.json {
            true => tell(TournamentEvent::SecretDrawn { secret_sha256: &commitment })?,
            false => out(&format!("the games are {}\n", drawn_from_secret(&commitment)))?,
        }
    }
    let kept = match KeptBots::copy(&mut setup, &directory, &programs) {
        Ok(kept) => kept,
        Err(error) => {
            directory.discard();
            return Err(error.into());
        }
    };
    let mut shown = GateShown::new(args.running.json);
    let mut warnings = Vec::new();
    let concurrency = args.running.concurrency;
    let admitted = admission(
        &setup,
        &args.file,
        &kept,
        concurrency,
        &programs,
        &mut shown,
        &mut warnings,
        &interrupt,
    );
    shown.clear();
    warn(&warnings);
    let admission = match admitted {
        Ok(admission) => admission,
        Err(error) => {
            kept.discard();
            directory.discard();
            if let Error::Interrupted = error {
                note("interrupted before the first game");
                return Ok(ExitCode::from(FAILED));
            }
            return Err(error.into());
        }
    };
    let Admission { admitted, rejected } = admission;
    let (indices, entrants): (Vec<usize>, Vec<_>) = admitted.into_iter().unzip();
    let definition = Definition {
        name: setup.file.name.clone(),
        game: setup.file.game.value.clone(),
        draws: setup.draws,
        commitment: setup.draws.commitment(),
        file: setup.text.clone(),
        directory: setup.base.to_string_lossy().into_owned(),
        digest: setup.digest.clone(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        entrants,
        rejected,
        kept: Some(kept.kept(&setup, &indices)),
    };
    let schedule = match setup.schedule(&indices) {
        Ok(schedule) => schedule,
        Err(error) if !definition.rejected.is_empty() => {
            let rejected = rejected_in_words(&definition);
            kept.discard();
            directory.discard();
            note(&format!("error: too few bots passed the gate: {error}\n{}", rejected.trim_end()));
            return Ok(ExitCode::from(FAILED));
        }
        Err(error) => {
            kept.discard();
            directory.discard();
            return Err(Failure::usage(error));
        }
    };
    let mut store =
        SqliteStore::create(&store_file(directory.path()), definition).map_err(Error::from)?;
    directory.save("tournament.toml", &setup.text)?;
    store.note("began", &format!("botyard {}", env!("CARGO_PKG_VERSION"))).map_err(Error::from)?;
    let bots = indices.iter().map(|&index| setup.bots[index].clone()).collect();
    let tournament = Tournament { setup, schedule, directory, programs };
    play(&tournament, &mut store, bots, args.running, &interrupt)
}

/// A tournament whose directory this program holds.
struct Tournament {
    setup: Setup,
    schedule: TournamentSchedule,
    directory: Directory,
    programs: Programs,
}

fn resume(args: &ResumeArgs) -> anyhow::Result<ExitCode> {
    let directory = Directory::open(&args.directory)?;
    let mut store = directory.store()?;
    let programs = programs()?;
    let (setup, indices, schedule) = begun_tournament(&store, &directory, &programs)?;
    if !args.accept_changes {
        check_starts(&setup, store.definition())?;
        let mut warnings = Vec::new();
        check_programs(&setup, &indices, store.definition(), &programs, &mut warnings)?;
        warn(&warnings);
    }
    if let Some(kept) = &store.definition().kept {
        warn(&changes(&directory, store.definition(), kept, &programs));
    }
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let changes = if args.accept_changes { ", changed programs accepted" } else { "" };
    store
        .note("resumed", &format!("botyard {}{changes}", env!("CARGO_PKG_VERSION")))
        .map_err(Error::from)?;
    let bots = indices.iter().map(|&index| setup.bots[index].clone()).collect();
    let tournament = Tournament { setup, schedule, directory, programs };
    play(&tournament, &mut store, bots, args.running, &interrupt)
}

fn standings(args: &StandingsArgs) -> anyhow::Result<ExitCode> {
    let file = store_file(&args.directory);
    let store = SqliteStore::open_to_read(&file).map_err(Error::from)?;
    let results = Results::of(&store)?.linked_to(&args.directory);
    out(&results.to_text(args.format.into()))?;
    Ok(ExitCode::SUCCESS)
}

/// Plays the remaining games and prints the results.
fn play(
    tournament: &Tournament,
    store: &mut dyn Store,
    bots: Vec<BotCommand>,
    running: Running,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    let Tournament { setup, schedule, directory, programs } = tournament;
    let replays = match setup.file.run.replays {
        true => Replays::Tournament(directory.path().to_path_buf()),
        false => Replays::None,
    };
    let plan = setup.plan(bots, schedule.games(), replays, running.concurrency, programs)?;
    warn(&plan.warnings);
    let definition = store.definition().clone();
    directory.keep_definition(&definition)?;
    let depends = setup.file.format.value.depends_on_results();
    let together = if plan.has_secrets { BLOCKS_TOGETHER } else { 1 };
    let supply = Supply::new(schedule, depends, 0).scaled(plan.scale).together(together);
    let session = Session::new(&plan, schedule, &mut *store, supply, 0)?;
    let before = session.scored();
    if running.json {
        let format = setup.file.format.value.name();
        let counts = (schedule.games(), before);
        let path = directory.path();
        tell(TournamentEvent::tournament_started(&plan, &definition, format, counts, path))?;
        for rejected in &definition.rejected {
            tell(TournamentEvent::bot_rejected(rejected))?;
        }
    } else {
        out(&announcement(tournament, &plan, &definition, before, running))?;
    }
    let mut shown = Shown::new(&session, running.json);
    let ended = session.play(&mut shown, interrupt).map_err(resumable);
    shown.clear();
    let ended = ended?;
    if ended.missing == 0 && definition.commitment.is_some() {
        reveal_secret(store)?;
    }
    let results = Results::of(store)?.linked_to(directory.path());
    results.save(directory)?;
    if running.json {
        tell(TournamentEvent::tournament_ended(&ended, &results))?;
    } else {
        let shown = directory.path().display();
        out(&results.to_text(Form::Table))?;
        out(&format!("\nsaved in {shown}: standings.html, .csv, .md, .json, and all replays\n"))?;
    }
    if let Some(stop) = ended.stopped {
        unless_failed(stop)?;
        if !running.json {
            out(&format!(
                "interrupted: {} without a result; to resume: botyard tournament resume {}\n",
                counted(ended.missing, "game"),
                directory.path().display()
            ))?;
        }
        return Ok(ExitCode::from(FAILED));
    }
    if ended.missing > 0 {
        if !running.json {
            out(&format!(
                "{} without a result, because the host failed at every attempt; to retry: botyard \
                 tournament resume {}\n",
                counted(ended.missing, "game"),
                directory.path().display()
            ))?;
        }
        return Ok(ExitCode::from(FAILED));
    }
    Ok(ExitCode::SUCCESS)
}

/// The announcement of the games in a few lines.
fn announcement(
    tournament: &Tournament,
    plan: &Plan,
    definition: &Definition,
    before: u64,
    running: Running,
) -> String {
    let Tournament { setup, schedule, .. } = tournament;
    let least = if setup.file.format.value.name() == "knockout" { "at least " } else { "" };
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
    let before = match before {
        0 => String::new(),
        before => format!("{} played before\n", counted(before, "game")),
    };
    format!(
        "{}: {least}{} of {} between {}, {}, rules {}, {drawn}\n{at_once}{default}; {}\n{before}{}\n",
        definition.name,
        counted(schedule.games(), "game"),
        definition.game,
        counted(definition.entrants.len() as u64, "bot"),
        setup.file.format.value.name(),
        plan.rules,
        plan.conditions(),
        rejected_in_words(definition),
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
