//! The games of a check: one game of the registry, in which the bot plays short games against
//! `random` or against itself.

use crate::check::{Check, Finding};
use crate::config::CheckConfig;
use crate::remedy;
use crate::short_table::ShortTable;
use botyard_engine::{Seat, Table};
use botyard_protocol::{
    ClockKind, Fault, FaultKind, Limits, Mark, Marks, OnFault, OutcomeKind, TimeControl, printable,
};
use botyard_referee::{
    Bot, BotCommand, Disturbance, GameSpec, Interrupt, Progress, RefereeError, SeatReport,
    StartError, ThisHost, play, start_all,
};
use botyard_replay::ReplayWriter;
use botyard_runner::bots::spec;
use botyard_runner::settings::Named;
use botyard_runner::words::{failure_in_words, milliseconds, stderr_in_words};
use botyard_runner::{
    Config, Error, GivenSeed, Plan, Programs, RunConfig, StartConfig, tables_within,
};
use botyard_viewer::Places;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The bot that holds the other seats.
const OPPONENT: &str = "random";

/// The longest message about a finding, in characters.
pub(crate) const MESSAGE_CHARACTERS: usize = 1500;

/// The most different marks of a game that are compared with the places of its board.
const MOST_MARKS: usize = 1000;

/// How often a check is repeated that the host made void.
const REPEATS: u32 = botyard_runner::REPEATS_OF_VOID;

/// The first pause before a repetition. Each one is twice as long as the one before.
const PAUSE: Duration = Duration::from_millis(250);

/// The bot in one of its games.
pub(crate) struct Arena {
    /// The name of the game.
    pub game: String,
    /// The bot, and its opponent.
    pub plan: Plan,
    config: CheckConfig,
    /// The opponent of the last game, which plays the next one too: a start takes longer than a short game.
    opponent: RefCell<Option<Bot>>,
    /// What is wrong with the marks that the bot draws, since it was taken.
    wrong_marks: RefCell<Option<Finding>>,
    /// The marks of the game that is played, each once, with the decision and the seat.
    marks: RefCell<BTreeMap<String, (u32, Seat, Mark)>>,
    /// The front end's names of settings.
    name: fn(&Named) -> String,
}

/// A game to play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene {
    /// The seat of the bot; `None`: the bot holds all seats.
    pub seat: Option<Seat>,
    /// The number of decisions of the bot after which the game ends.
    pub decisions: u32,
    /// The seed of the game. Equal seeds give equal starts.
    pub seed: u64,
    /// Whether turns list the legal actions.
    pub legal: bool,
    /// Whether the bot has only the time of the check `deadline`.
    pub is_strict: bool,
    /// The limits of the protocol.
    pub limits: Limits,
}

/// The result of a game, or of a check in one game.
#[derive(Debug)]
pub(crate) enum Played {
    /// The bot had no fault.
    Clean,
    /// The bot had a fault, which in an ordinary game belongs to this check.
    Faulty(Check, Finding),
    /// The game is void because of the host, for this reason.
    Void(String),
}

impl Arena {
    /// Makes the arena of a bot in a game.
    ///
    /// # Errors
    ///
    /// The game cannot be played under this configuration.
    pub(crate) fn new(
        config: &CheckConfig,
        game: &str,
        command: BotCommand,
        programs: &Programs,
    ) -> Result<Arena, Error> {
        let opponent =
            spec::command(OPPONENT, game, programs, Path::new("")).map_err(Error::usage)?;
        let (within, preset) = ((game, &config.containment), config.rules.as_deref());
        let (tables, changes) = tables_within(within, preset, &config.changes, None)?;
        let whole = Config {
            start: StartConfig { seed: Some(GivenSeed::Number(1)), ..StartConfig::default() },
            containment: config.containment.clone(),
            running: RunConfig { concurrency: Some(1), ..RunConfig::default() },
            ..Config::new(game, Vec::new())
        };
        let mut bots = vec![command, opponent];
        spec::tell_apart(&mut bots);
        let plan = Plan::with_bots(&whole, programs, tables, &changes, bots)?;
        Ok(Arena {
            game: game.to_string(),
            plan,
            config: config.clone(),
            opponent: RefCell::default(),
            wrong_marks: RefCell::default(),
            marks: RefCell::default(),
            name: programs.name,
        })
    }

    /// Returns the seats of the game.
    pub(crate) fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> {
        Seat::all(self.plan.seats.len())
    }

    /// Returns the name of a seat.
    pub(crate) fn seat_name(&self, seat: Seat) -> &str {
        self.plan.seats.get(seat.index()).map_or("", String::as_str)
    }

    /// Returns a game in which the bot holds this seat, with ample time.
    pub(crate) fn scene(&self, seat: Option<Seat>, decisions: u32) -> Scene {
        Scene {
            seat,
            decisions,
            seed: 1,
            legal: self.config.legal,
            is_strict: false,
            limits: self.plan.limits,
        }
    }

    /// Returns the bot, not running yet.
    pub(crate) fn bot(&self, disturbance: Disturbance) -> Bot {
        self.plan.bot(0).disturbed(disturbance)
    }

    /// Plays a game with a new process of the bot, and ends it.
    ///
    /// # Errors
    ///
    /// An interrupt, a failure of the host, or a wrong option of the bot.
    pub(crate) fn play_once(
        &self,
        disturbance: Disturbance,
        scene: &Scene,
        interrupt: &Interrupt,
    ) -> Result<Played, Error> {
        let mut bots = vec![self.bot(disturbance)];
        let played = self.play(&mut bots, scene, interrupt)?;
        if matches!(played, Played::Clean) {
            self.opponent.replace(bots.split_off(1).pop());
        }
        Bot::quit_all(&mut bots, &scene.limits).map_err(Error::host)?;
        Ok(played)
    }

    /// Plays a game. The first of the bots is the one that is checked; the opponent is added when it
    /// is needed. Both keep running.
    ///
    /// # Errors
    ///
    /// An interrupt, a failure of the host, or a wrong option of the bot.
    pub(crate) fn play(
        &self,
        bots: &mut Vec<Bot>,
        scene: &Scene,
        interrupt: &Interrupt,
    ) -> Result<Played, Error> {
        let mut others = bots.split_off(1);
        match scene.seat {
            Some(_) if others.is_empty() => {
                let opponent = self.opponent.take();
                bots.push(opponent.unwrap_or_else(|| self.plan.bot(1)));
            }
            Some(_) => bots.append(&mut others),
            None => Bot::quit_all(&mut others, &scene.limits).map_err(Error::host)?,
        }
        match start_all(bots, &scene.limits, interrupt) {
            Ok(()) => {}
            Err(StartError::Interrupted) => return Err(Error::Interrupted),
            Err(error @ StartError::Option { .. }) => return Err(Error::usage(error)),
            Err(error) => return Ok(Played::Void(error.to_string())),
        }
        let seats: Vec<usize> = (self.seats())
            .map(|seat| usize::from(scene.seat.is_some_and(|own| own != seat)))
            .collect();
        let game_id = format!("check-{}-{}", self.game, scene.seed);
        let spec = GameSpec {
            game_id: &game_id,
            seed: scene.seed.into(),
            time: self.time(scene.is_strict),
            limits: scene.limits,
            send_legal: scene.legal,
            opening: None,
            seats: &seats,
            gauge: &ThisHost,
            void_at: None,
            adjudicator: None,
        };
        self.marks.take();
        let mut table = ShortTable::new((self.plan.tables)(), scene.seat, scene.decisions);
        let replay = None::<&mut ReplayWriter<Vec<u8>>>;
        let mut watch = |progress: &Progress| {
            if let Progress::Moved { turn, seat, info: Some(info), .. } = *progress
                && seats.get(seat.index()) == Some(&0)
            {
                self.note_marks(turn, seat, info);
            }
        };
        let report = match play(&mut table, bots, &spec, interrupt, replay, &mut watch) {
            Ok(report) => report,
            Err(RefereeError::Interrupted) => return Err(Error::Interrupted),
            Err(error @ RefereeError::Rules(_)) => return Err(Error::rules(error)),
            Err(error) => return Err(Error::host(error)),
        };
        self.note_missing_places(&table);
        if report.outcome.kind == OutcomeKind::Void {
            let reason = report.host_failure.clone();
            let busy = || format!("the host was too busy ({})", report.outcome.reason);
            return Ok(Played::Void(reason.unwrap_or_else(busy)));
        }
        let own = || self.seats().filter(|seat| seats.get(seat.index()) == Some(&0));
        let is_own = |fault: &&Fault| own().any(|seat| self.seat_name(seat) == fault.seat);
        let tallies = || own().filter_map(|seat| report.seats.get(seat.index()));
        let Some(fault) = report.faults.iter().find(is_own) else {
            let mut against_clock = tallies().filter(|_| scene.is_strict);
            let excused = against_clock.find_map(|tally| not_judged(self.config.move_ms, tally));
            return Ok(match report.faults.first() {
                // Its opponent comes with Botyard, and has no faults where the host lets it run.
                Some(fault) => Played::Void(format!("{OPPONENT} failed: {}", fault.message)),
                None => excused.map_or(Played::Clean, Played::Void),
            });
        };
        let stderr = report
            .bots
            .first()
            .map_or(String::new(), |bot| stderr_in_words(bot.stderr_before_ruling(), None));
        let against: &[&str] = if scene.seat.is_some() { &[OPPONENT] } else { &[] };
        let has_answered = tallies().any(|tally| tally.decisions > 0);
        let remedy = remedy::of_fault(fault, has_answered, self.name);
        Ok(Played::Faulty(
            Check::of_fault(fault.kind, fault.turn),
            self.finding(fault, against, remedy, stderr),
        ))
    }

    /// Keeps the marks of an answer, and the first sentence about those that a viewer would leave out.
    fn note_marks(&self, turn: u32, seat: Seat, info: &str) {
        if self.wrong_marks.borrow().is_some() || !info.contains("\"draw\"") {
            return;
        }
        let info: Value = serde_json::from_str(info).unwrap_or_default();
        let Some(draw) = info.get("draw") else { return };
        let Marks { shown, notes } = Marks::read(draw);
        if let Some(note) = notes.first() {
            self.note_wrong_marks(turn, seat, note);
        }
        let mut marks = self.marks.borrow_mut();
        for mark in shown {
            if marks.len() < MOST_MARKS {
                let place = json!(mark.shape).to_string();
                marks.entry(place).or_insert((turn, seat, mark));
            }
        }
    }

    /// Keeps that one of the marks of a game is on a place that its board does not have.
    fn note_missing_places(&self, table: &dyn Table) {
        let marks = self.marks.take();
        if self.wrong_marks.borrow().is_some() || marks.is_empty() {
            return;
        }
        let Some(places) = Places::of(table) else { return };
        let missing = marks
            .values()
            .filter_map(|(turn, seat, mark)| Some((*turn, *seat, json!(places.missing(mark)?))));
        if let Some((turn, seat, place)) = missing.min_by_key(|(turn, ..)| *turn) {
            let place = printable(&place.to_string(), MESSAGE_CHARACTERS);
            let note = format!("expected places of the board, got {place}");
            self.note_wrong_marks(turn, seat, &note);
        }
    }

    fn note_wrong_marks(&self, turn: u32, seat: Seat, note: &str) {
        *self.wrong_marks.borrow_mut() = Some(Finding {
            game: Some(self.game.clone()),
            seat: Some(self.seat_name(seat).to_string()),
            message: format!("the answer to `turn` {turn} draws what is not shown: {note}"),
            remedy: "draw as \"Drawings\" in docs/protocol.md says; the move itself is played"
                .into(),
            stderr: String::new(),
        });
    }

    /// Returns what is wrong with the marks that the bot drew since the last call.
    pub(crate) fn take_wrong_marks(&self) -> Option<Finding> {
        self.wrong_marks.take()
    }

    /// Returns the finding of a fault.
    fn finding(&self, fault: &Fault, against: &[&str], remedy: String, stderr: String) -> Finding {
        let sent = match (fault.kind, fault.turn) {
            (FaultKind::StartFailed, _) => "`hello`".to_string(),
            (_, 0) => "`start`".to_string(),
            (_, turn) => format!("`turn` {turn}"),
        };
        let words = one_line(&failure_in_words(fault, against));
        Finding {
            game: Some(self.game.clone()),
            seat: Some(fault.seat.clone()),
            message: printable(&format!("{sent} was sent; {words}"), MESSAGE_CHARACTERS),
            remedy,
            stderr,
        }
    }

    fn time(&self, is_strict: bool) -> TimeControl {
        let move_ms = self.config.move_ms;
        TimeControl {
            kind: ClockKind::Wall,
            move_ms: Some(if is_strict { move_ms } else { move_ms.div_ceil(10) }),
            bank_ms: None,
            increment_ms: 0,
            grace_ms: if is_strict { 0 } else { move_ms.saturating_mul(10) },
            on_fault: OnFault::Forfeit,
        }
    }
}

/// Returns why a game against the clock says nothing about the bot: a decision was in time only because
/// the host took a part of it.
fn not_judged(move_ms: u64, tally: &SeatReport) -> Option<String> {
    let is_over = tally.longest_us > move_ms.saturating_mul(1000);
    (is_over && tally.excused_us > 0).then(|| {
        let [took, excused] =
            [tally.longest_us, tally.longest_excused_us].map(|us| milliseconds(us as f64));
        format!("not judged: a move took {took}, and up to {excused} of a move is excused")
    })
}

/// Puts a text on one line.
pub(crate) fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}

/// Makes an attempt at a check, and repeats it while the host makes it void.
///
/// # Errors
///
/// Those of an attempt, or an interrupt.
pub(crate) fn repeated(
    interrupt: &Interrupt,
    mut attempt: impl FnMut() -> Result<Played, Error>,
) -> Result<Played, Error> {
    let mut pause = PAUSE;
    for _ in 0..REPEATS {
        match attempt()? {
            Played::Void(_) if interrupt.is_raised_within(pause) => return Err(Error::Interrupted),
            Played::Void(_) => pause *= 2,
            played => return Ok(played),
        }
    }
    attempt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_was_in_time_only_by_excused_time_is_not_judged() {
        for (longest_ms, excused_ms, is_judged) in
            [(900, 0, true), (900, 300, true), (1100, 0, true), (1100, 300, false)]
        {
            let tally = SeatReport {
                longest_us: longest_ms * 1000,
                excused_us: excused_ms * 1000,
                longest_excused_us: excused_ms * 1000,
                ..SeatReport::default()
            };
            let reason = not_judged(1000, &tally);
            assert_eq!(reason.is_none(), is_judged, "{longest_ms} ms, {excused_ms} ms: {reason:?}");
        }
        let tally = SeatReport {
            longest_us: 1_100_000,
            excused_us: 400_000,
            longest_excused_us: 300_000,
            ..SeatReport::default()
        };
        let words = "not judged: a move took 1100 ms, and up to 300 ms of a move is excused";
        assert_eq!(not_judged(1000, &tally).as_deref(), Some(words));
    }
}
