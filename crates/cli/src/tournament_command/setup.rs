//! A tournament file with what it names: rules that can be played, programs that are there, a format
//! that fits. Everything that can be found wrong before a bot is started is found here, and told all
//! at once.

use super::arguments::Running;
use super::program_digest::text_digest;
use crate::bot_spec::{self, BuiltInPrograms};
use crate::conditions::{Clock, ConditionsArgs};
use crate::containment::{ContainmentArgs, Sandbox};
use crate::failure::Failure;
use crate::match_command::{
    FaultRule, Games, MOST_GAMES, MatchArgs, Plan, Replays, read_openings, tables,
};
use crate::start::{GivenSeed, StartArgs, secret_draws};
use anyhow::Context;
use botyard_engine::registry;
use botyard_league::schedule::{Draws, Format, FormatError, TournamentSchedule};
use botyard_league::tournament_file::{Gate, Problems, TournamentFile};
use botyard_protocol::TimeControl;
use botyard_referee::{BotCommand, SeatClock, Source, open_regular, read_text};
use std::path::{Path, PathBuf};

/// The largest tournament file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// A tournament that can be played, as far as that is known before its bots are started.
#[derive(Debug)]
pub struct Setup {
    /// What the file says.
    pub file: TournamentFile,
    /// The file itself.
    pub text: String,
    /// The directory that paths in the file are relative to.
    pub base: PathBuf,
    /// What all games are drawn from.
    pub draws: Draws,
    /// The bots of the file, with names that differ.
    pub bots: Vec<BotCommand>,
    /// The bots of the gate, with names that differ from those as well.
    pub gate_bots: Vec<BotCommand>,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// The openings, as JSON; none where they are drawn.
    pub openings: Vec<String>,
    /// SHA-256 of the rules that are changed and of the openings.
    pub digest: String,
}

impl Setup {
    /// Reads a file and looks at everything that it names.
    ///
    /// # Errors
    ///
    /// A file that cannot be read; all that is wrong with what it says.
    pub fn of_file(path: &Path) -> anyhow::Result<Setup> {
        let shown = path.display();
        let text = open_regular(path)
            .and_then(|opened| read_text(opened, LARGEST))
            .map_err(|error| Failure::usage(format!("{shown} cannot be read: {error}")))?;
        let absolute = std::path::absolute(path).context("cannot find the current directory")?;
        let base = absolute.parent().unwrap_or(Path::new("/")).to_path_buf();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Setup::new(&shown.to_string(), &stem, text, base, None)
    }

    /// The same for a file that was read before, with the draws of then.
    ///
    /// # Errors
    ///
    /// As in [`Setup::of_file`].
    pub fn new(
        name: &str,
        stem: &str,
        text: String,
        base: PathBuf,
        draws: Option<Draws>,
    ) -> anyhow::Result<Setup> {
        let mut file = TournamentFile::read(name, stem, &text).map_err(Failure::usage)?;
        let mut problems = Problems::new(name);
        resolve_rule_files(&mut file, &base);
        let draws = match (draws, file.seed) {
            (Some(draws), _) => draws,
            (None, Some(number)) => {
                Draws::numbered(number, &format!("{} {}", file.game.value, file.name))
            }
            (None, None) => secret_draws()?,
        };
        let setup = look_at(file, text, base, draws, &mut problems);
        match setup {
            Some(setup) if problems.is_empty() => Ok(setup),
            _ => Err(Failure::usage(problems)),
        }
    }

    /// The schedule of these of the file's bots; the format's challengers are theirs.
    ///
    /// # Errors
    ///
    /// A format that they cannot play.
    pub fn schedule(&self, entrants: &[usize]) -> Result<TournamentSchedule, FormatError> {
        let format = self.format(entrants);
        let size = (entrants.len(), self.seats.len());
        let game = &self.file.game.value;
        let schedule = TournamentSchedule::new(game, self.draws, size, &format, self.file.blocks)?;
        Ok(schedule.with_openings(self.openings.clone()))
    }

    /// The schedule of all of the file's bots.
    ///
    /// # Errors
    ///
    /// A format that they cannot play.
    pub fn full_schedule(&self) -> Result<TournamentSchedule, FormatError> {
        self.schedule(&(0..self.bots.len()).collect::<Vec<_>>())
    }

    /// The schedule of a gate that the first so many bots are to pass; those of the gate come after
    /// them.
    ///
    /// # Errors
    ///
    /// Bots too many to be listed.
    pub fn gate_schedule(
        &self,
        gate: &Gate,
        candidates: usize,
    ) -> Result<TournamentSchedule, FormatError> {
        let size = (candidates + self.gate_bots.len(), self.seats.len());
        let format = Format::Gauntlet { challengers: (0..candidates).collect() };
        // Other starts than the tournament's own.
        let (game, draws) = (&self.file.game.value, self.draws.part("gate"));
        let schedule = TournamentSchedule::new(game, draws, size, &format, gate.blocks)?;
        Ok(schedule.with_openings(self.openings.clone()))
    }

    /// The format among these of the file's bots.
    pub fn format(&self, entrants: &[usize]) -> Format {
        match &self.file.format.value {
            Format::Gauntlet { challengers } => {
                let place = |bot| entrants.iter().position(|entrant| entrant == bot);
                Format::Gauntlet { challengers: challengers.iter().filter_map(place).collect() }
            }
            format => format.clone(),
        }
    }

    /// How so many games between these bots are played.
    ///
    /// # Errors
    ///
    /// What the host cannot do.
    pub fn plan(
        &self,
        bots: Vec<BotCommand>,
        games: u64,
        replays: Replays,
        running: Running,
    ) -> anyhow::Result<Plan> {
        let args = match_args(self, games, running);
        let (tables, changes) =
            tables(&args.game, args.start.rules.as_deref(), &args.start.rule, None)?;
        let plan = Plan::with_bots(&args, tables, &changes, bots, Some(replays))?;
        Ok(Plan { bots_were_tried: true, ..plan })
    }
}

/// Rules whose values are files: the paths as they are from anywhere.
pub fn resolve_rule_files(file: &mut TournamentFile, base: &Path) {
    for (_, value) in &mut file.rule {
        if value.ends_with(".json") {
            *value = base.join(&*value).to_string_lossy().into_owned();
        }
    }
}

fn look_at(
    file: TournamentFile,
    text: String,
    base: PathBuf,
    draws: Draws,
    problems: &mut Problems,
) -> Option<Setup> {
    let game = &file.game.value;
    registry::info(game).map_err(|error| problems.add(file.game.line, error)).ok()?;
    let programs = BuiltInPrograms { botyard: std::env::current_exe().ok()? };
    let mut bots = Vec::new();
    for entry in &file.bots {
        let directory = entry.directory.as_ref().map_or(base.clone(), |name| base.join(name));
        if !directory.is_dir() {
            problems.add(entry.line, format!("there is no directory {}", directory.display()));
            continue;
        }
        match bot_spec::command(&entry.command, game, &programs, &directory) {
            Ok(command) => {
                let name = entry.name.clone().unwrap_or_else(|| command.name.clone());
                let mut command = BotCommand { name, ..command };
                if entry.directory.is_some() && command.source == Source::CommandLine {
                    command.source = Source::Directory;
                }
                command.options.extend(entry.options.iter().cloned());
                bots.push(command);
            }
            Err(error) => problems.add(entry.line, error),
        }
    }
    bot_spec::tell_apart(&mut bots);
    let preset = file.rules.as_ref().map(|rules| rules.value.as_str());
    let rules_line = match &file.rules {
        _ if !file.rule.is_empty() => file.rule_line,
        Some(rules) => rules.line,
        None => file.game.line,
    };
    let tables = tables(game, preset, &file.rule, None);
    let (tables, changes) = tables.map_err(|error| problems.add(rules_line, error)).ok()?;
    let mut table = tables();
    let seats = table.seats().to_vec();
    if let Err(error) = file.format.value.check(file.bots.len(), seats.len()) {
        problems.add(file.format.line, error);
    }
    if let Err(error) = SeatClock::new(&time_control(&file)) {
        problems.add(file.time.line, error);
    }
    let openings = match &file.openings {
        None => Vec::new(),
        Some(openings) => {
            let is_set = table.opening_sets().iter().any(|set| set.name == openings.value);
            let name: PathBuf =
                if is_set { openings.value.clone().into() } else { base.join(&openings.value) };
            let read = read_openings(&name, &mut *table);
            read.map_err(|error| problems.add(openings.line, error)).unwrap_or_default()
        }
    };
    let mut gate_bots = Vec::new();
    if let Some(gate) = &file.gate {
        // A game of many seats is filled up with the same ones again.
        let needed = gate.against.len().max(seats.len() - 1);
        for spec in gate.against.iter().cycle().take(needed) {
            match bot_spec::command(spec, game, &programs, &base) {
                Ok(command) => gate_bots.push(command),
                Err(error) => problems.add(gate.line, error),
            }
        }
        let mut all = [&bots[..], &gate_bots[..]].concat();
        bot_spec::tell_apart(&mut all);
        gate_bots = all.split_off(bots.len());
    }
    let digest = text_digest(&serde_json::json!([changes, openings]).to_string());
    let setup = Setup { file, text, base, draws, bots, gate_bots, seats, openings, digest };
    if problems.is_empty() {
        let mut check = |line, schedule: Result<TournamentSchedule, FormatError>| match schedule {
            Ok(schedule) if schedule.games() > u64::from(MOST_GAMES) => problems.add(
                line,
                format!("expected at most {MOST_GAMES} games, these are {}", schedule.games()),
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

/// The clock as the file says it.
fn time_control(file: &TournamentFile) -> TimeControl {
    let grace = file.time.grace_ms.unwrap_or(0);
    conditions(file).time_control(grace, on_fault(file).into())
}

/// Under which conditions bots play, as on the command line.
fn conditions(file: &TournamentFile) -> ConditionsArgs {
    let (time, run) = (&file.time, &file.run);
    ConditionsArgs {
        move_time: time.move_ms,
        bank: time.bank_ms,
        increment: time.increment_ms,
        clock: if time.clock.as_deref() == Some("cpu") { Clock::Cpu } else { Clock::Wall },
        freeze: time.freeze,
        ponder: time.ponder,
        concurrency: run.concurrency,
        oversubscribe: run.oversubscribe,
        pin: run.pin,
        restart: run.restart,
        no_legal: !run.legal,
    }
}

fn on_fault(file: &TournamentFile) -> FaultRule {
    match file.time.on_fault.as_deref() {
        Some("retry") => FaultRule::Retry,
        Some("substitute") => FaultRule::Substitute,
        _ => FaultRule::Forfeit,
    }
}

/// How bots are contained, as on the command line.
fn containment(file: &TournamentFile, base: &Path) -> ContainmentArgs {
    let (sandbox, default) = (&file.sandbox, ContainmentArgs::none());
    ContainmentArgs {
        sandbox: match sandbox.mode.as_deref() {
            Some("strict") => Sandbox::Strict,
            Some("none") => Sandbox::None,
            _ => Sandbox::Auto,
        },
        memory: sandbox.memory_mib.unwrap_or(default.memory),
        processes: sandbox.processes.unwrap_or(default.processes),
        files: sandbox.files.unwrap_or(default.files),
        scratch: sandbox.scratch_mib.unwrap_or(default.scratch),
        sandbox_command: sandbox.command.clone(),
        sandbox_end: sandbox.end.clone(),
        read: sandbox.read.iter().map(|path| base.join(path)).collect(),
    }
}

/// The file as the arguments of a match between the same bots: what both can say means the same in both.
fn match_args(setup: &Setup, games: u64, running: Running) -> MatchArgs {
    let file = &setup.file;
    let conditions = conditions(file);
    MatchArgs {
        game: file.game.value.clone(),
        bots: Vec::new(),
        games: Games::Number(u32::try_from(games).unwrap_or(MOST_GAMES).clamp(1, MOST_GAMES)),
        start: StartArgs {
            seed: Some(GivenSeed::Draws(setup.draws)),
            rules: file.rules.as_ref().map(|rules| rules.value.clone()),
            rule: file.rule.clone(),
            opening: None,
        },
        fixed_seats: false,
        option: Vec::new(),
        grace: file.time.grace_ms.unwrap_or(0),
        keep_going: true,
        on_fault: on_fault(file),
        conditions: ConditionsArgs {
            concurrency: running.concurrency.or(conditions.concurrency),
            ..conditions
        },
        containment: containment(file, &setup.base),
        out: None,
        json: true,
    }
}
