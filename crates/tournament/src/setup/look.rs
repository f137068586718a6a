//! A look at everything that a tournament file names: the game and its rules, the bots and their
//! files, openings, endgame tables and the gate. It finds all errors that can be found before a bot is
//! started.

use super::{Setup, line_in};
use crate::conditions::{adjudication, containment, running, time, times_of_bots};
use botyard_engine::registry;
use botyard_league::schedule::{Draws, FormatError, TournamentSchedule};
use botyard_league::tournament_file::{Gate, Problems, TournamentFile};
use botyard_referee::{BotCommand, SeatClock, Source};
use botyard_runner::bots::digest::text_digest;
use botyard_runner::bots::spec;
use botyard_runner::settings::Named;
use botyard_runner::{
    Error, MOST_GAMES, Message, Programs, adjudicator, game_programs, read_openings, tables,
};
use std::path::{Path, PathBuf};

/// Looks at everything that a tournament file names, and adds what is wrong to `problems`. `None` if the
/// game or its rules are wrong, so that nothing else can be looked at.
pub(super) fn look_at(
    mut file: TournamentFile,
    text: String,
    base: PathBuf,
    draws: Draws,
    programs: &Programs,
    problems: &mut Problems<Message>,
) -> Option<Setup> {
    let named = game_programs::named(&file.game.value, &base, &containment(&file, &base), programs);
    file.game.value = named.map_err(|error| problems.add(file.game.line, error.message())).ok()?;
    let game = &file.game.value;
    registry::info(game).map_err(|error| problems.add(file.game.line, error)).ok()?;
    let (bots, unusable) = bots_of(&file, &base, programs, problems);
    let preset = file.rules.as_ref().map(|rules| rules.value.as_str());
    let rules_line = match &file.rules {
        _ if !file.rule.is_empty() => file.rule_line,
        Some(rules) => rules.line,
        None => file.game.line,
    };
    let tables = tables(game, preset, &file.rule, None);
    let (tables, changes) =
        tables.map_err(|error| add_error(problems, &text, rules_line, error)).ok()?;
    let mut table = tables();
    let seats = table.seats().to_vec();
    if let Err(error) = file.format.value.check(file.bots.len(), seats.len()) {
        problems.add(file.format.line, error);
    }
    let (control, own_times) = (time(&file).control(), times_of_bots(&file));
    if let Err(error) = SeatClock::new(&control) {
        problems.add(file.time.line, error);
    }
    for entry in &file.bots {
        let own = own_times.get(entry.called()).copied();
        if let Err(error) =
            own.map_or(Ok(()), |own| SeatClock::new(&control.of_bot(Some(own))).map(drop))
        {
            problems.add(entry.line, error);
        }
    }
    let adjudicator = adjudicator(&adjudication(&file), programs, &*table)
        .map_err(|error| add_error(problems, &text, file.adjudication.line, error));
    let containment = containment(&file, &base);
    for checked in [
        containment.check(time(&file).clock, running(&file).between_turns),
        containment.readable().map(drop),
    ] {
        let _ = checked.map_err(|error| add_error(problems, &text, file.sandbox.line, error));
    }
    let egdb = adjudicator.ok().flatten().and_then(|adjudicator| adjudicator.rules().egdb);
    let openings = match &file.openings {
        None => Vec::new(),
        Some(openings) => {
            let is_set = table.opening_sets().iter().any(|set| set.name == openings.value);
            let name: PathBuf =
                if is_set { openings.value.clone().into() } else { base.join(&openings.value) };
            let read = read_openings(&name, &mut *table);
            read.map_err(|error| problems.add(openings.line, error.message())).unwrap_or_default()
        }
    };
    let gate_bots = file.gate.as_ref().map_or_else(Vec::new, |gate| {
        gate_bots_of(gate, (game, seats.len()), &base, &bots, programs, problems)
    });
    let digest = text_digest(&serde_json::json!([changes, openings]).to_string());
    let setup = Setup {
        name: String::new(),
        file,
        text,
        path: PathBuf::new(),
        base,
        draws,
        bots,
        unusable,
        gate_bots,
        seats,
        scores: table.scores(),
        rules: changes,
        openings,
        stages: Vec::new(),
        digest,
        endgame_pieces: egdb.map(|rule| rule.pieces),
    };
    if problems.is_empty() {
        let mut check = |line, schedule: Result<TournamentSchedule, FormatError>| match schedule {
            Ok(schedule) if schedule.games() > u64::from(MOST_GAMES) => problems.add(
                line,
                format!("expected at most {MOST_GAMES} games, got {}", schedule.games()),
            ),
            Ok(_) => {}
            Err(error) => problems.add(line, error),
        };
        check(setup.file.format.line, setup.full_schedule());
        if let Some(gate) = &setup.file.gate {
            check(gate.line, setup.gate_schedule(gate, setup.bots.len()));
        }
    }
    Some(setup)
}

/// Adds an error to the problems of a file with this text, in the line of its first setting, or
/// else in `line`.
fn add_error(problems: &mut Problems<Message>, text: &str, line: usize, error: Error) {
    let message = error.message();
    let line = line_in(text, &message, Named::key).unwrap_or(line);
    problems.add(line, message.naming(Named::key));
}

/// Returns the bots of a file, and for each why its files make no bot, if a gate is to reject it for
/// that.
fn bots_of(
    file: &TournamentFile,
    base: &Path,
    programs: &Programs,
    problems: &mut Problems<Message>,
) -> (Vec<BotCommand>, Vec<Option<String>>) {
    let (game, times) = (&file.game.value, times_of_bots(file));
    let mut bots = Vec::new();
    let mut unusable = Vec::new();
    for entry in &file.bots {
        let directory = entry.directory.as_ref().map_or(base.to_path_buf(), |name| base.join(name));
        if !directory.is_dir() {
            problems.add(entry.line, format!("there is no directory {}", directory.display()));
            continue;
        }
        match spec::command(&entry.command, game, programs, &directory) {
            Ok(command) => {
                let name = entry.name.clone().unwrap_or_else(|| command.name.clone());
                let time = times.get(entry.called()).copied();
                let mut command = BotCommand { name, time, ..command };
                if entry.directory.is_some() && command.source == Source::CommandLine {
                    command.source = Source::Directory;
                }
                command.options.extend(entry.options.iter().cloned());
                bots.push(command);
                unusable.push(None);
            }
            // The gate rejects a bot whose files are wrong, and the others play.
            Err(error)
                if file.gate.is_some()
                    && error.is_of_files(entry.directory.as_ref().map(|_| &*directory)) =>
            {
                let command = spec::unusable(&entry.command, &directory);
                let name = entry.name.clone().unwrap_or(command.name);
                bots.push(BotCommand { name, ..command });
                unusable.push(Some(error.to_string()));
            }
            Err(error) => problems.add(entry.line, error),
        }
    }
    spec::tell_apart(&mut bots);
    (bots, unusable)
}

/// Returns the bots that a gate plays against, beside the bots of the file, for a game with this name
/// and number of seats.
fn gate_bots_of(
    gate: &Gate,
    (game, seats): (&str, usize),
    base: &Path,
    bots: &[BotCommand],
    programs: &Programs,
    problems: &mut Problems<Message>,
) -> Vec<BotCommand> {
    let mut gate_bots = Vec::new();
    // A game of many seats is filled up by repeating the same bots.
    let needed = gate.against.len().max(seats - 1);
    for spec in gate.against.iter().cycle().take(needed) {
        match spec::command(spec, game, programs, base) {
            Ok(command) => gate_bots.push(command),
            Err(error) => problems.add(gate.line, error),
        }
    }
    let mut all = [bots, &gate_bots[..]].concat();
    spec::tell_apart(&mut all);
    all.split_off(bots.len())
}
