//! One analysis, from its configuration to its file.

use crate::read_replay::SoundReplay;
use crate::recorded_table::{Answer, Answers, RecordedTable};
use botyard_engine::{Seat, registry};
use botyard_league::atomic_file;
use botyard_protocol::{ClockKind, Fault, OnFault, OutcomeKind, TimeControl};
use botyard_referee::{
    Bot, BotCommand, GameSpec, Interrupt, Progress, RefereeError, StartError, ThisHost, play,
    start_all,
};
use botyard_replay::{
    ANALYSIS_FORMAT, Analysis, AnalyzedDecision, Playback, ReplayWriter, registered_table,
};
use botyard_runner::bots::bundle::{Bundle, Surroundings};
use botyard_runner::bots::{check_built, spec};
use botyard_runner::words::failure_in_words;
use botyard_runner::{
    Config, ContainmentConfig, Error, GivenSeed, Message, Plan, Programs, REPEATS_OF_VOID,
    RunConfig, StartConfig,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Duration;

/// The first pause before an analysis continues that the host has stopped. Each one is twice as long
/// as the one before.
const PAUSE: Duration = Duration::from_millis(250);

/// The number of decisions after which what was made so far is stored.
const STORED_AFTER: usize = 20;

/// The replay to analyze, the bot, and the conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisConfig {
    /// The replay.
    pub replay: PathBuf,
    /// The bot, as a user writes it.
    pub bot: String,
    /// The seats whose decisions are analyzed, by name or by number from 1. Empty: all.
    pub seats: Vec<String>,
    /// The time per decision, in milliseconds.
    pub move_ms: u64,
    /// The depth to search, in plies: the bot's option `depth`. `None`: as the bot does by itself.
    pub depth: Option<u32>,
    /// Whether a stored analysis is made again.
    pub again: bool,
    /// The sandbox.
    pub containment: ContainmentConfig,
}

/// The time per decision that a bot with a limit of its own gets, in milliseconds.
const LIMITED_MS: u64 = 60_000;

impl AnalysisConfig {
    /// Returns the configuration of an analysis by a bot that has a limit of its own, of nodes for
    /// example: all decisions, with more time than the bot needs.
    pub fn by_nodes(replay: &Path, bot: String) -> AnalysisConfig {
        AnalysisConfig {
            replay: replay.to_path_buf(),
            bot,
            seats: Vec::new(),
            move_ms: LIMITED_MS,
            depth: None,
            again: false,
            containment: ContainmentConfig::default(),
        }
    }
}

/// A front end that shows an analysis while it is made.
pub trait Observer {
    /// Shows warnings about the host or the configuration. Sentences without a full stop.
    fn warn(&mut self, warnings: &[Message]);

    /// Shows how many decisions there are, and how many of them are stored already.
    fn started(&mut self, decisions: usize, stored: usize);

    /// Shows that a decision was analyzed.
    fn decided(&mut self, decision: &AnalyzedDecision);
}

/// Makes an analysis, stores it beside the replay, and returns it with its file. An analysis that is
/// stored already is returned; an incomplete one is completed.
///
/// # Errors
///
/// The replay is not sound, the bot does not play its game or fails, an interrupt, a failure of the
/// host. What was made until then is stored.
pub fn run(
    config: &AnalysisConfig,
    programs: &Programs,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Result<(Analysis, PathBuf), Error> {
    let record = SoundReplay::read(&config.replay)?;
    let game = record.header.game.clone();
    let mut command =
        spec::command(&config.bot, &game, programs, Path::new("")).map_err(Error::usage)?;
    check_built(slice::from_ref(&command))?;
    if let Some(depth) = config.depth {
        command.options.insert("depth".to_string(), depth.to_string());
    }
    let readable = config.containment.readable()?;
    let surroundings = Surroundings { readable: &readable, ..Surroundings::default() };
    let bundle = Bundle::of(&command, surroundings, programs, Some(interrupt));
    let bundle = bundle.map_err(|error| match error.of_author() {
        Ok(error) => Error::usage(error.in_words(&programs.advice())),
        Err(error) => error,
    })?;
    let seats = record.seats(&config.seats)?;
    let fresh = Analysis {
        format: ANALYSIS_FORMAT,
        game,
        game_id: record.header.game_id.clone(),
        chain: record.chain.clone(),
        bot: command.name.clone(),
        version: None,
        digest: bundle.digest,
        options: BTreeMap::new(),
        move_ms: config.move_ms,
        names: record.header.seats.iter().map(|holder| holder.seat.clone()).collect(),
        seats: seats.iter().map(|seat| seat.index()).collect(),
        is_two_sided: record.is_two_sided && seats.len() == record.header.seats.len(),
        result: record.result.clone(),
        is_complete: false,
        decisions: Vec::new(),
    };
    let path = Analysis::path(&config.replay, &command.name);
    let stored = Analysis::read(&path).filter(|stored| !config.again && is_same(stored, &fresh));
    let mut run = AnalysisRun {
        config,
        programs,
        interrupt,
        observer,
        record: &record,
        command,
        path,
        analysis: stored.unwrap_or(fresh),
    };
    run.make(&seats)?;
    Ok((run.analysis, run.path))
}

/// Returns whether a stored analysis is one of the same record by the same bot under the same
/// conditions.
fn is_same(stored: &Analysis, fresh: &Analysis) -> bool {
    let conditions = |analysis: &Analysis| Analysis {
        version: None,
        options: BTreeMap::new(),
        is_complete: false,
        decisions: Vec::new(),
        ..analysis.clone()
    };
    conditions(stored) == conditions(fresh)
}

struct AnalysisRun<'a> {
    config: &'a AnalysisConfig,
    programs: &'a Programs,
    interrupt: &'a Interrupt,
    observer: &'a mut dyn Observer,
    record: &'a SoundReplay,
    command: BotCommand,
    path: PathBuf,
    analysis: Analysis,
}

impl AnalysisRun<'_> {
    fn make(&mut self, seats: &BTreeSet<Seat>) -> Result<(), Error> {
        let decisions = self.record.decisions.iter().filter(|(_, seat)| seats.contains(seat));
        let all: Vec<u32> = decisions.map(|(turn, _)| *turn).collect();
        self.observer.started(all.len(), self.analysis.decisions.len());
        if self.analysis.is_complete {
            return Ok(());
        }
        // What cannot be stored is not asked.
        atomic_file::check(&self.path).map_err(|error| self.not_stored(&error))?;
        let plan = self.plan()?;
        self.observer.warn(&plan.warnings);
        let mut pause = PAUSE;
        for attempt in 0..=REPEATS_OF_VOID {
            let asked = self.missing(&all);
            let before = self.analysis.decisions.len();
            let asked_all = self.ask(&plan, asked);
            if self.analysis.decisions.len() > before {
                self.store()?;
            }
            match asked_all? {
                None => {
                    self.analysis.is_complete = self.missing(&all).is_empty();
                    return self.store();
                }
                Some(reason) if attempt == REPEATS_OF_VOID => return Err(Error::host(reason)),
                Some(_) if self.interrupt.is_raised_within(pause) => {
                    return Err(Error::Interrupted);
                }
                Some(_) => pause *= 2,
            }
        }
        Ok(())
    }

    /// Returns those of these decisions that were not analyzed yet.
    fn missing(&self, all: &[u32]) -> Vec<u32> {
        let made: BTreeSet<u32> =
            self.analysis.decisions.iter().map(|decision| decision.turn).collect();
        all.iter().copied().filter(|turn| !made.contains(turn)).collect()
    }

    /// Returns the plan of a game in which the bot has every seat, with a process for each.
    fn plan(&self) -> Result<Plan, Error> {
        let header = &self.record.header;
        let tables =
            registry::tables_with_rules(&header.game, &header.rules).map_err(Error::usage)?;
        let mut bots = vec![self.command.clone(); header.seats.len()];
        spec::tell_apart(&mut bots);
        let config = Config {
            start: StartConfig { seed: Some(GivenSeed::Number(1)), ..StartConfig::default() },
            containment: self.config.containment.clone(),
            running: RunConfig { concurrency: Some(1), ..RunConfig::default() },
            ..Config::new(&header.game, Vec::new())
        };
        let plan = Plan::with_bots(&config, self.programs, tables, &[], bots)?;
        plan.check_files()?;
        Ok(plan)
    }

    /// Asks the bot about these decisions. Returns the reason if the host stopped that.
    fn ask(&mut self, plan: &Plan, asked: Vec<u32>) -> Result<Option<String>, Error> {
        let mut bots: Vec<Bot> = (0..plan.seats.len()).map(|index| plan.bot(index)).collect();
        match start_all(&mut bots, &plan.limits, self.interrupt) {
            Ok(()) => {}
            Err(StartError::Interrupted) => return Err(Error::Interrupted),
            Err(error @ StartError::Option { .. }) => return Err(Error::usage(error)),
            Err(error) => return Ok(Some(error.to_string())),
        }
        if let [first, ..] = &bots[..] {
            self.analysis.version = first.hello().and_then(|hello| hello.version.clone());
            self.analysis.options = first.options().clone();
        }
        let header = &self.record.header;
        let playback = Playback::new(header, &registered_table).map_err(Error::usage)?;
        let answers = Answers::default();
        let lines = self.record.lines.clone();
        let mut table = RecordedTable::new(playback, lines, asked, answers.clone());
        let seats: Vec<usize> = (0..plan.seats.len()).collect();
        let game_id = format!("analysis-{}", header.game_id);
        let spec = GameSpec {
            game_id: &game_id,
            seed: 1.into(),
            time: TimeControl {
                kind: ClockKind::Wall,
                move_ms: Some(self.config.move_ms),
                bank_ms: None,
                increment_ms: 0,
                // A late answer is as good as another.
                grace_ms: self.config.move_ms.saturating_mul(10).max(10_000),
                on_fault: OnFault::Forfeit,
            },
            limits: plan.limits,
            send_legal: header.legal,
            opening: None,
            seats: &seats,
            gauge: &ThisHost,
            void_at: None,
            adjudicator: None,
        };
        let replay = None::<&mut ReplayWriter<Vec<u8>>>;
        let mut failure = Ok(());
        let played = play(&mut table, &mut bots, &spec, self.interrupt, replay, &mut |progress| {
            let Progress::Moved { info, wall_us, .. } = progress else { return };
            // What the referee plays for a seat takes no time, and is no answer of its bot.
            if let (Some(answer), Some(wall_us)) = (answers.take(), *wall_us) {
                failure = self.decided(answer, *info, wall_us);
            }
            if failure.is_err() {
                answers.end();
            }
        });
        let report = match played {
            Ok(report) => report,
            Err(RefereeError::Interrupted) => return Err(Error::Interrupted),
            Err(error @ RefereeError::Rules(_)) => return Err(Error::rules(error)),
            Err(error) => return Err(Error::host(error)),
        };
        let stopped = Bot::quit_all(&mut bots, &plan.limits).map_err(Error::host);
        failure.and(stopped)?;
        if report.outcome.kind == OutcomeKind::Void {
            let busy = || format!("the host was too busy ({})", report.outcome.reason);
            return Ok(Some(report.host_failure.clone().unwrap_or_else(busy)));
        }
        if let Some(fault) = report.faults.first() {
            return Err(self.failed(fault));
        }
        if let Some(error) = table.broken() {
            return Err(Error::usage(format!("{}: {error}", self.config.replay.display())));
        }
        Ok(None)
    }

    fn failed(&self, fault: &Fault) -> Error {
        let stored = match self.analysis.decisions.len() {
            0 => "before its first answer, and nothing is stored".to_string(),
            1 => "after 1 analyzed decision, which is stored".to_string(),
            number => format!("after {number} analyzed decisions, which are stored"),
        };
        let failure = failure_in_words(fault, &[]);
        Error::usage(format!("the bot failed {stored}: {failure}"))
    }

    fn decided(&mut self, answer: Answer, info: Option<&str>, wall_us: u64) -> Result<(), Error> {
        let info: Value = info.and_then(|info| serde_json::from_str(info).ok()).unwrap_or_default();
        let decision = AnalyzedDecision {
            turn: answer.turn,
            seat: answer.seat.index(),
            played: answer.played,
            played_text: answer.played_text,
            best: answer.best,
            best_text: answer.best_text,
            score: info.get("score").and_then(Value::as_f64),
            depth: info.get("depth").and_then(Value::as_u64),
            pv: info.get("pv").and_then(Value::as_array).cloned().unwrap_or_default(),
            wall_us,
        };
        self.observer.decided(&decision);
        let decisions = &mut self.analysis.decisions;
        let at = decisions.partition_point(|other| other.turn < decision.turn);
        decisions.insert(at, decision);
        if decisions.len().is_multiple_of(STORED_AFTER) { self.store() } else { Ok(()) }
    }

    /// Writes what was made so far.
    fn store(&self) -> Result<(), Error> {
        let text = serde_json::to_vec(&self.analysis).map_err(Error::host)?;
        atomic_file::replace(&self.path, &text).map_err(|error| self.not_stored(&error))
    }

    fn not_stored(&self, error: &io::Error) -> Error {
        let path = self.path.display();
        Error::host(format!("the analysis cannot be written to {path}: {error}"))
    }
}
