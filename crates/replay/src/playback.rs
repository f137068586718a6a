//! A recorded game played through the rules again, one line at a time. Each line is compared with
//! what the rules, the seed and the lines before it require; no value is trusted because it is in
//! the replay. Verifying, showing and debugging a replay are all based on a playback.

use crate::adjudicator::Adjudicator;
use crate::course::{Course, CourseError, Due, HOST_FAILED, Phase};
use crate::event::{
    ChanceEvent, EndEvent, Event, FaultEvent, Header, LogEvent, MoveEvent, OpeningSource, PlayedBy,
    SeatHolder, StateEvent,
};
use crate::imported;
use crate::reader::{Line, ReadError};
use crate::writer::{ReplayWriter, append_seen, quoted};
use botyard_engine::registry::SetupError;
use botyard_engine::{
    ActionError, EndgameResult, EndgameTables, GameEvent, Seat, Table, TableFault,
};
use botyard_protocol::{Adjudicated, Fault, OutcomeKind, excerpt};
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;

/// The maximum length of expected and found values in an error, in characters.
const SHOWN: usize = 200;

/// Sets up the table of a game from its name and its resolved rules, as they are in a header.
pub type MakeTable<'a> = &'a dyn Fn(&str, &Value) -> Result<Box<dyn Table>, SetupError>;

/// Sets up the table of a game of the registry, as a [`MakeTable`].
///
/// # Errors
///
/// The game is unknown, or its rules cannot be played.
pub fn registered_table(game: &str, rules: &Value) -> Result<Box<dyn Table>, SetupError> {
    Ok(botyard_engine::registry::tables_with_rules(game, rules)?())
}

/// The reason why a replay is not sound.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It cannot be read, is truncated, or was changed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its game cannot be set up.
    #[error("line 1: the game cannot be set up: {0}")]
    Setup(#[from] SetupError),
    /// The rules do not allow an action, an opening or a chance outcome.
    #[error("line {line}, turn {turn}: {what} {found} is refused by the rules: {reason}")]
    Refused {
        /// The number of the line, from 1.
        line: u64,
        /// The number of the decision that the line belongs to.
        turn: u32,
        /// `the action`, `the opening`, `the chance outcome`.
        what: &'static str,
        /// The recorded value.
        found: String,
        /// The reason of the rules.
        reason: String,
    },
    /// A recorded value differs from the required one.
    #[error("line {line}, turn {turn}: {what} should be {expected}, but is {found}")]
    Mismatch {
        /// The number of the line, from 1.
        line: u64,
        /// The number of the decision that the line belongs to.
        turn: u32,
        /// What was compared.
        what: &'static str,
        /// The value required by the rules, the seed and the lines before.
        expected: String,
        /// The recorded value.
        found: String,
    },
    /// A line that is not allowed at this point.
    #[error("line {line}, turn {turn}: {message}")]
    OutOfPlace {
        /// The number of the line, from 1.
        line: u64,
        /// The number of the decision that the line belongs to.
        turn: u32,
        /// What was expected and what came.
        message: String,
    },
    /// The program that has the game's rules failed.
    #[error(transparent)]
    Rules(TableFault),
    /// The game was adjudicated by endgame tables, and there are none to check it with.
    #[error(
        "this game was adjudicated by endgame tables of up to {pieces} pieces, which are needed to verify \
         it: expected tables of at least as many pieces, got none"
    )]
    NoTables {
        /// The number of pieces up to which positions were looked up.
        pieces: u32,
    },
    /// The game was adjudicated by endgame tables, which cannot be loaded.
    #[error("this game was adjudicated by endgame tables, which are needed to verify it: {0}")]
    Tables(String),
    /// The replay is a copy for a seat, which lacks what was hidden.
    #[error(
        "this is a copy of a replay for the seat {seat}, without what was hidden from it: use the full \
         replay"
    )]
    Copy {
        /// The seat.
        seat: String,
    },
}

/// A position in a replay, for errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub line: u64,
    pub turn: u32,
}

impl Place {
    pub(crate) fn differs(
        self,
        what: &'static str,
        expected: impl ToString,
        found: impl ToString,
    ) -> VerifyError {
        let Place { line, turn } = self;
        let (expected, found) = show_difference(&expected.to_string(), &found.to_string());
        VerifyError::Mismatch { line, turn, what, expected, found }
    }

    /// Compares the text forms of two values.
    pub(crate) fn expect(
        self,
        what: &'static str,
        expected: impl ToString,
        found: impl ToString,
    ) -> Result<(), VerifyError> {
        let (expected, found) = (expected.to_string(), found.to_string());
        if expected == found { Ok(()) } else { Err(self.differs(what, expected, found)) }
    }

    pub(crate) fn out_of_place(self, message: impl Into<String>) -> VerifyError {
        let Place { line, turn } = self;
        VerifyError::OutOfPlace { line, turn, message: message.into() }
    }

    /// Returns the error of a step that the course refused.
    fn not_played(self, what: &'static str, found: &RawValue, error: CourseError) -> VerifyError {
        let CourseError::Refused(error) = error else {
            return self.out_of_place(error.to_string());
        };
        let Place { line, turn } = self;
        let (found, reason) = (shown(found.get()), error.to_string());
        VerifyError::Refused { line, turn, what, found, reason }
    }
}

/// Shortens both texts to be shown. Long texts begin shortly before their first difference.
fn show_difference(expected: &str, found: &str) -> (String, String) {
    let same = expected.chars().zip(found.chars()).take_while(|(a, b)| a == b).count();
    if expected.len().max(found.len()) <= SHOWN || same < SHOWN / 2 {
        return (shown(expected), shown(found));
    }
    let from_there = |text: &str| {
        let rest: String = text.chars().skip(same - SHOWN / 4).collect();
        format!("...{}", shown(&rest))
    };
    (from_there(expected), from_there(found))
}

fn shown(text: &str) -> String {
    excerpt(text.as_bytes(), SHOWN)
}

/// A replay that is played through its rules: the [`Course`] of its game, driven by the record.
pub struct Playback {
    header: Header,
    course: Course<Box<dyn Table>>,
    faults: Vec<Fault>,
    /// Whether the hash of the state was recorded since the state last changed.
    hashed: bool,
    /// Whether the hash of the state must be recorded before the next decision.
    hash_due: bool,
    game_event: GameEvent,
    pub(crate) counts: Counts,
}

/// The number of chance outcomes and hashes that were followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub drawn: u32,
    pub hashes: u32,
}

impl Playback {
    /// Sets up the game of a full replay.
    ///
    /// # Errors
    ///
    /// The game or its rules cannot be played, the header contradicts itself, or this is a copy for
    /// a seat, which cannot be played through.
    pub fn new(header: &Header, make_table: MakeTable) -> Result<Playback, VerifyError> {
        Playback::with_tables(header, make_table, None)
    }

    /// The same, with the endgame tables that adjudicate the game if its header says so. Without
    /// them, an end by tables is taken as it is recorded.
    ///
    /// # Errors
    ///
    /// As in [`Playback::new`], or the tables are not those that the header requires.
    pub fn with_tables(
        header: &Header,
        make_table: MakeTable,
        endgames: Option<Arc<dyn EndgameTables>>,
    ) -> Result<Playback, VerifyError> {
        if let Some(seat) = &header.view_of {
            return Err(VerifyError::Copy { seat: seat.clone() });
        }
        let table = make_table(&header.game, &header.rules)?;
        check_header(header, &*table)?;
        imported::check_header(header)?;
        if header.seed.is_none() && header.opening == OpeningSource::Drawn {
            return Err(Place { line: 1, turn: 0 }.out_of_place(
                "the opening was drawn, so a \"seed\" was expected, but there is none",
            ));
        }
        let adjudicator = Adjudicator::new(header.adjudication.clone(), endgames, &*table)
            .map_err(|error| Place { line: 1, turn: 0 }.out_of_place(error.to_string()))?;
        let holders: Vec<&String> = header.seats.iter().map(|holder| &holder.player).collect();
        Ok(Playback {
            course: Course::new(table, header.time_control.on_fault, &holders, header.seed)
                .adjudicated_by(adjudicator),
            header: header.clone(),
            faults: Vec::new(),
            hashed: false,
            hash_due: false,
            game_event: GameEvent::default(),
            counts: Counts::default(),
        })
    }

    /// Returns the header of the replay.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the table in its current state.
    ///
    /// Before the opening was followed, only methods that need no game in progress may be called.
    pub fn table(&self) -> &dyn Table {
        self.course.table()
    }

    /// Appends the legal actions of the seat whose turn it is, as a JSON array.
    pub fn write_legal(&mut self, into: &mut Vec<u8>) {
        self.course.write_legal(into);
    }

    /// Returns the legal actions of the seat whose turn it is.
    pub fn legal(&mut self) -> Vec<Value> {
        self.course.legal()
    }

    /// Returns an action of the seat whose turn it is in the game's own JSON, without playing it.
    ///
    /// # Errors
    ///
    /// JSON that is not an action, and actions that are not legal now.
    pub fn canonical_action(&mut self, action: &str) -> Result<String, ActionError> {
        self.course.canonical_action(action)
    }

    /// Returns the course of the game in its current state.
    pub(crate) fn course_mut(&mut self) -> &mut Course<Box<dyn Table>> {
        &mut self.course
    }

    /// Returns whether the opening was followed.
    pub fn is_open(&self) -> bool {
        self.course.due() != Due::Opening
    }

    /// Returns the number of the last decision; 0 before the first.
    pub fn turn(&self) -> u32 {
        self.course.turn()
    }

    /// Returns all faults so far.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Returns the seat whose bot must decide; `None` if no decision is due.
    pub(crate) fn seat_to_decide(&self) -> Option<Seat> {
        match self.course.due() {
            Due::Decision(seat) => Some(seat),
            _ => None,
        }
    }

    /// Returns the seat with this name.
    pub(crate) fn seat(&self, name: &str) -> Option<Seat> {
        let index = self.table().seats().iter().position(|seat| seat == name)?;
        Some(Seat::new(index))
    }

    /// Checks a line and advances the game by it.
    ///
    /// # Errors
    ///
    /// The line is not allowed at this point: see [`VerifyError`]. The playback must not be used
    /// afterwards.
    pub fn follow(&mut self, line: &Line) -> Result<(), VerifyError> {
        let place = Place { line: line.number, turn: self.turn() };
        let opened = self.is_open();
        if !opened && !matches!(line.event, Event::Chance(_) | Event::Header(_)) {
            return Err(place.out_of_place("expected the \"chance\" line with the opening"));
        }
        let followed = match &line.event {
            Event::Header(_) => Err(place.out_of_place("a second header")),
            Event::Chance(event) if !opened => self.follow_opening(place, event),
            Event::Chance(event) => self.follow_chance(place, event),
            Event::Move(event, _) => self.follow_move(Place { turn: event.turn, ..place }, event),
            Event::State(event) => self.follow_state(place, event),
            Event::Log(event) => self.follow_log(place, event),
            Event::Fault(event, _) => {
                self.follow_fault(Place { turn: event.fault.turn, ..place }, event)
            }
            Event::End(event, _) => self.follow_end(place, event),
        };
        // After a failure of the rules, a difference means nothing.
        match self.table().fault() {
            Some(fault) => Err(VerifyError::Rules(fault)),
            None => followed,
        }
    }

    fn follow_opening(&mut self, place: Place, event: &ChanceEvent) -> Result<(), VerifyError> {
        place.expect("the turn of the opening", 0, event.turn)?;
        let (what, given) = match self.header.opening {
            OpeningSource::Drawn => ("the opening drawn from the seed", None),
            OpeningSource::Given => {
                ("the opening in the game's own JSON", Some(event.outcome.get()))
            }
        };
        let opened = self.course.open(given);
        let refused = |error| place.not_played("the opening", &event.outcome, error);
        self.game_event = opened.map_err(refused)?;
        place.expect(what, &self.game_event.full, event.outcome.get())?;
        self.expect_seen(place, event.seen.as_deref())
    }

    fn follow_chance(&mut self, place: Place, event: &ChanceEvent) -> Result<(), VerifyError> {
        match self.course.due() {
            Due::Draw => {}
            Due::Opening | Due::Nothing => {
                return Err(place.out_of_place("a draw after the game was over"));
            }
            Due::Decision(seat) | Due::Substitute(seat) | Due::Pass(seat) => {
                let seat = self.name(seat);
                return Err(place.out_of_place(format!("expected a move of {seat}, not a draw")));
            }
        }
        place.expect("the number of the last decision", self.turn(), event.turn)?;
        let (what, drawn) = if self.course.has_seed() {
            ("what the seed draws", self.course.draw(&mut self.game_event))
        } else {
            let drawn = self.course.draw_recorded(event.outcome.get(), &mut self.game_event);
            ("the chance outcome in the game's own JSON", drawn)
        };
        drawn.map_err(|error| place.not_played("the chance outcome", &event.outcome, error))?;
        place.expect(what, &self.game_event.full, event.outcome.get())?;
        self.expect_seen(place, event.seen.as_deref())?;
        self.hashed = false;
        self.counts.drawn += 1;
        Ok(())
    }

    fn follow_move(&mut self, place: Place, event: &MoveEvent) -> Result<(), VerifyError> {
        let due = self.course.due();
        let seat = match due {
            Due::Decision(seat) | Due::Substitute(seat) | Due::Pass(seat) => seat,
            Due::Draw => return Err(place.out_of_place("expected a draw, not a move")),
            Due::Opening | Due::Nothing => {
                return Err(place.out_of_place("a move after the game was over"));
            }
        };
        if self.hash_due {
            return Err(place.out_of_place("expected the \"state\" line that is due before it"));
        }
        place.expect("the number of the decision", self.turn() + 1, event.turn)?;
        place.expect("the seat to move", self.name(seat), &event.seat)?;
        let action = event.action.get();
        let (what, played) = match (due, event.by) {
            (Due::Decision(_), None) => {
                let info = event.info.as_deref().map(RawValue::get);
                ("the action", self.course.play_with_info(action, info, &mut self.game_event))
            }
            (Due::Decision(_), Some(PlayedBy::Referee)) => {
                let seat = &event.seat;
                let message = format!("expected a move of {seat}'s bot, but the referee played it");
                return Err(place.out_of_place(message));
            }
            (_, Some(PlayedBy::Record)) => {
                match self.course.play_recorded(action, &mut self.game_event) {
                    Err(CourseError::NotDue { .. }) => {
                        return Err(place.out_of_place(
                            "a move from the record of an earlier game, but such moves are only \
                             allowed at the beginning",
                        ));
                    }
                    played => ("the action", played),
                }
            }
            (due, by) => {
                let what = match due {
                    Due::Pass(_) => "the pass of a forfeited seat",
                    _ => "the substitute drawn from the seed",
                };
                if by.is_none() {
                    let message = format!("expected {what}, played by the referee");
                    return Err(place.out_of_place(message));
                }
                let played = self.course.play_for(&mut self.game_event);
                if played.is_ok() && self.game_event.full != action {
                    return Err(place.differs(what, &self.game_event.full, action));
                }
                (what, played)
            }
        };
        played.map_err(|error| place.not_played(what, &event.action, error))?;
        place.expect("the action in the game's own JSON", &self.game_event.full, action)?;
        self.expect_seen(place, event.seen.as_deref())?;
        self.hashed = false;
        self.hash_due = ReplayWriter::<Vec<u8>>::state_is_due(self.turn());
        Ok(())
    }

    fn follow_state(&mut self, place: Place, event: &StateEvent) -> Result<(), VerifyError> {
        place.expect("the number of the last decision", self.turn(), event.turn)?;
        place.expect("the hash of the state", self.table().state_hash(), &event.hash)?;
        self.hashed = true;
        self.hash_due = false;
        self.counts.hashes += 1;
        Ok(())
    }

    fn follow_log(&mut self, place: Place, event: &LogEvent) -> Result<(), VerifyError> {
        place.expect("the number of the last decision", self.turn(), event.turn)?;
        if self.header.players.iter().any(|player| player.name == event.player) {
            return Ok(());
        }
        Err(place.out_of_place(format!("no player is called {:?}", event.player)))
    }

    fn follow_fault(&mut self, place: Place, event: &FaultEvent) -> Result<(), VerifyError> {
        let fault = &event.fault;
        if self.header.imported.is_some() {
            return Err(place.out_of_place("no bot can have failed in an imported game"));
        }
        let Some(seat) = self.seat(&fault.seat) else {
            return Err(place.out_of_place(format!("there is no seat {:?}", fault.seat)));
        };
        if self.course.has_forfeited(seat) {
            return Err(place.out_of_place(format!("{} had forfeited before", fault.seat)));
        }
        let in_progress = if fault.turn == 0 { self.turn() } else { self.turn() + 1 };
        place.expect("the number of the decision in progress", in_progress, fault.turn)?;
        if fault.turn > 0 && self.seat_to_decide() != Some(seat) {
            return Err(place.out_of_place(format!("it was not {}'s turn", fault.seat)));
        }
        let phase = self.phase_of(seat, event).map_err(|message| place.out_of_place(message))?;
        self.course
            .fault(seat, fault.kind, phase)
            .map_err(|error| place.out_of_place(error.to_string()))?;
        if event.fatal {
            self.hashed = false;
        }
        self.faults.push(fault.clone());
        Ok(())
    }

    /// Returns the phase at which the seat's bot can have failed with the recorded ruling, or the
    /// reason why there is none. A replay does not record whether a bot had received its question,
    /// nor, at a timeout, whether an earlier attempt at the game was void.
    fn phase_of(&self, seat: Seat, event: &FaultEvent) -> Result<Phase, String> {
        let kind = event.fault.kind;
        let phases: &[Phase] = match event.fault.turn {
            0 => &[Phase::Setup],
            _ => &[Phase::Answering, Phase::Asking, Phase::Ended],
        };
        let mut first = None;
        for &phase in phases {
            let ruling = self.course.ruling(seat, kind, phase);
            if ruling.as_ref().is_ok_and(|ruling| ruling.is_fatal() == event.fatal) {
                return Ok(phase);
            }
            first.get_or_insert(ruling);
        }
        Err(match first {
            Some(Err(error)) => error.to_string(),
            _ if event.fatal => "this fault is forgiven, but \"fatal\" is true".to_string(),
            _ => "this fault forfeits, but \"fatal\" is false".to_string(),
        })
    }

    fn follow_end(&mut self, place: Place, event: &EndEvent) -> Result<(), VerifyError> {
        place.expect("the number of decisions", self.turn(), event.turns)?;
        let outcome = &event.outcome;
        if self.header.imported.is_some() && self.table().outcome().is_none() {
            imported::check_end(place, outcome, self.header.seats.len(), self.table().scores())?;
        } else {
            if outcome.kind == OutcomeKind::Void && self.header.imported.is_none() {
                // If the host cannot have stalled here, the course is unchanged and the check below
                // fails.
                let _ = match outcome.reason == HOST_FAILED {
                    true => self.course.host_failed(),
                    false => self.course.stall(),
                };
            }
            if event.adjudicated == Some(Adjudicated::Egdb) {
                // Without tables the recorded result is taken. With them this is refused, and they
                // have ended the game.
                let own = self.seat_to_decide().and_then(|seat| outcome.scores.get(seat.index()));
                let result = match own {
                    Some(1.0) => EndgameResult::Win,
                    Some(0.0) => EndgameResult::Loss,
                    _ => EndgameResult::Draw,
                };
                let _ = self.course.end_by_recorded_tables(result);
            }
            let Some(expected) = self.course.outcome() else {
                let message = "the game is not over by its rules, and no seat has forfeited";
                return Err(place.out_of_place(message));
            };
            if expected != *outcome {
                return Err(place.differs("the outcome", json(&expected), json(outcome)));
            }
        }
        place.expect("\"adjudicated\"", by(self.course.adjudicated()), by(event.adjudicated))?;
        if !self.hashed {
            return Err(place.out_of_place("expected a \"state\" line with the final hash before"));
        }
        Ok(())
    }

    fn name(&self, seat: Seat) -> &str {
        &self.table().seats()[seat.index()]
    }

    /// Compares the recorded observations of the seats with the required ones.
    fn expect_seen(&self, place: Place, found: Option<&RawValue>) -> Result<(), VerifyError> {
        let mut expected = Vec::new();
        if !self.game_event.seen.is_empty() {
            let seats: Vec<String> = self.table().seats().iter().map(|seat| quoted(seat)).collect();
            append_seen(&mut expected, &self.game_event.seen, &seats);
        }
        let found = found.map_or("", RawValue::get);
        if expected == found.as_bytes() {
            return Ok(());
        }
        let or_nothing =
            |text: &str| if text.is_empty() { "absent".into() } else { text.to_string() };
        let expected = or_nothing(&String::from_utf8_lossy(&expected));
        Err(place.differs("\"seen\"", expected, or_nothing(found)))
    }
}

/// Checks that the seats and players of a header match the game and each other.
pub(crate) fn check_header(header: &Header, table: &dyn Table) -> Result<(), VerifyError> {
    let place = Place { line: 1, turn: 0 };
    let rules = table.rules();
    if rules != header.rules {
        return Err(place.differs("\"rules\", resolved,", rules, &header.rules));
    }
    let seats: Vec<&String> = header.seats.iter().map(|holder| &holder.seat).collect();
    place.expect("the list of seats", json(&table.seats()), json(&seats))?;
    for (index, player) in header.players.iter().enumerate() {
        if header.players[..index].iter().any(|other| other.name == player.name) {
            return Err(place.out_of_place(format!("two players are called {:?}", player.name)));
        }
        let held = header.seats.iter().filter(|holder| holder.player == player.name);
        let held: Vec<&String> = held.map(|holder| &holder.seat).collect();
        place.expect("a player's list of seats", json(&held), json(&player.seats))?;
    }
    let is_player = |name: &String| header.players.iter().any(|player| player.name == *name);
    match header.seats.iter().find(|holder| !is_player(&holder.player)) {
        None => Ok(()),
        Some(SeatHolder { seat, player }) => Err(place
            .out_of_place(format!("{seat} is held by {player:?}, which is not among the players"))),
    }
}

/// Names the rule that adjudicated a game.
fn by(adjudicated: Option<Adjudicated>) -> &'static str {
    adjudicated.map_or("absent", Adjudicated::as_str)
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data with string keys")
}
