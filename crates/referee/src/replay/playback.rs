//! A recorded game played through the rules again, one line at a time. Each line is held against
//! what the rules, the seed and the lines before it say must stand there; nothing in a replay is
//! believed because it is written. Checking, showing and debugging a replay all follow one of
//! these.

use super::event::{
    ChanceEvent, EndEvent, Event, FaultEvent, Header, LogEvent, MoveEvent, OpeningSource, PlayedBy,
    SeatHolder, StateEvent,
};
use super::imported;
use super::reader::{Line, ReadError};
use super::writer::{ReplayWriter, append_seen};
use crate::verdict::{forfeit_reason, is_forgivable};
use botyard_engine::registry::SetupError;
use botyard_engine::{Happening, MAX_SEATS, Seat, Stream, Table, Turn, random};
use botyard_protocol::{EndOutcome, Fault, FaultKind, OnFault, OutcomeKind, excerpt};
use serde_json::Value;
use serde_json::value::RawValue;

/// How much of what was expected and found an error shows, in characters.
const SHOWN: usize = 200;

/// Sets up the table for a game's name and its resolved rules, as a header has them.
pub type MakeTable<'a> = &'a dyn Fn(&str, &Value) -> Result<Box<dyn Table>, SetupError>;

/// A [`MakeTable`] that knows the games of the registry.
///
/// # Errors
///
/// Unknown games, and rules that cannot be played.
pub fn registered_table(game: &str, rules: &Value) -> Result<Box<dyn Table>, SetupError> {
    Ok(botyard_engine::registry::tables_with_rules(game, rules)?())
}

/// Why a replay was refused.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It cannot be read, is cut off, or was changed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its game cannot be set up.
    #[error("line 1: the game cannot be set up: {0}")]
    Setup(#[from] SetupError),
    /// The rules do not allow what was played or drawn.
    #[error("line {line}, turn {turn}: {what} {found} is refused by the rules: {reason}")]
    Refused {
        /// The number of the line, from 1.
        line: u64,
        /// The number of the decision that the line belongs to.
        turn: u32,
        /// `the action`, `the opening`, `the chance outcome`.
        what: &'static str,
        /// What stands there.
        found: String,
        /// Why it cannot be.
        reason: String,
    },
    /// Something else should stand there.
    #[error("line {line}, turn {turn}: {what} should be {expected}, but {found} stands there")]
    Differs {
        /// The number of the line, from 1.
        line: u64,
        /// The number of the decision that the line belongs to.
        turn: u32,
        /// What is compared.
        what: &'static str,
        /// What the rules, the seed and the lines before say.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A line that cannot come here.
    #[error("line {line}, turn {turn}: {message}")]
    OutOfPlace {
        /// The number of the line, from 1.
        line: u64,
        /// The number of the decision that the line belongs to.
        turn: u32,
        /// What was expected and what came.
        message: String,
    },
    /// The copy for a seat does not hold what is needed.
    #[error(
        "this is the copy of a replay for the seat {seat}, without what was hidden from it: the \
         full replay is needed for this"
    )]
    Copy {
        /// The seat.
        seat: String,
    },
}

/// Where in a replay something was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub line: u64,
    pub turn: u32,
}

impl Place {
    pub fn differs(
        self,
        what: &'static str,
        expected: impl ToString,
        found: impl ToString,
    ) -> VerifyError {
        let Place { line, turn } = self;
        let (expected, found) = show_difference(&expected.to_string(), &found.to_string());
        VerifyError::Differs { line, turn, what, expected, found }
    }

    /// Compares two texts.
    pub fn expect(
        self,
        what: &'static str,
        expected: impl ToString,
        found: impl ToString,
    ) -> Result<(), VerifyError> {
        let (expected, found) = (expected.to_string(), found.to_string());
        if expected == found { Ok(()) } else { Err(self.differs(what, expected, found)) }
    }

    pub fn out_of_place(self, message: impl Into<String>) -> VerifyError {
        let Place { line, turn } = self;
        VerifyError::OutOfPlace { line, turn, message: message.into() }
    }

    fn refused(self, what: &'static str, found: &RawValue, reason: impl ToString) -> VerifyError {
        let Place { line, turn } = self;
        let (found, reason) = (shown(found.get()), reason.to_string());
        VerifyError::Refused { line, turn, what, found, reason }
    }
}

/// Both texts fit to be shown. Where they are long, they begin shortly before they part.
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

/// A replay being played through its rules.
pub struct Playback {
    header: Header,
    table: Box<dyn Table>,
    /// What is drawn comes from these; `None` where the replay has no seed.
    chance: Option<Stream>,
    substitutes: Option<Stream>,
    opened: bool,
    turn: u32,
    forfeited: [bool; MAX_SEATS],
    faults: Vec<Fault>,
    /// The fault after which the game was over.
    decided_by: Option<FaultKind>,
    /// A fault of this seat was forgiven: the referee plays for it.
    substitute: Option<Seat>,
    /// A bot has decided: the record of an earlier game is at its end.
    has_asked: bool,
    /// A state's hash was recorded since the state last changed.
    hashed: bool,
    /// A state's hash must be recorded before the next decision.
    hash_due: bool,
    happening: Happening,
    pub(super) counts: Counts,
}

/// What a playback has come across.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub drawn: u32,
    pub hashes: u32,
}

impl Playback {
    /// Sets up the game of a full replay.
    ///
    /// # Errors
    ///
    /// Games and rules that cannot be played, a header that contradicts itself, and the copy for
    /// a seat, which cannot be played through.
    pub fn new(header: &Header, make_table: MakeTable) -> Result<Playback, VerifyError> {
        if let Some(seat) = &header.view_of {
            return Err(VerifyError::Copy { seat: seat.clone() });
        }
        let table = make_table(&header.game, &header.rules)?;
        check_header(header, &*table)?;
        imported::check_header(header)?;
        let stream = |purpose| header.seed.map(|seed| seed.stream(purpose));
        if header.seed.is_none() && header.opening == OpeningSource::Drawn {
            return Err(Place { line: 1, turn: 0 }.out_of_place(
                "the opening was drawn, so a \"seed\" was expected, but there is none",
            ));
        }
        Ok(Playback {
            chance: stream("chance"),
            substitutes: stream("substitute"),
            header: header.clone(),
            table,
            opened: false,
            turn: 0,
            forfeited: [false; MAX_SEATS],
            faults: Vec::new(),
            decided_by: None,
            substitute: None,
            has_asked: false,
            hashed: false,
            hash_due: false,
            happening: Happening::default(),
            counts: Counts::default(),
        })
    }

    /// The replay's first line.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The game as it stands.
    ///
    /// Before the line with the opening was followed, only what needs no game in progress may be
    /// asked of it.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// The same, for what needs its memory.
    pub(super) fn table_mut(&mut self) -> &mut dyn Table {
        &mut *self.table
    }

    /// Whether the opening has been followed.
    pub fn is_open(&self) -> bool {
        self.opened
    }

    /// The number of the last decision; 0 before the first.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Every fault so far.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The seat whose turn it is; `None` while it is nobody's.
    pub(super) fn seat_to_move(&self) -> Option<Seat> {
        match self.opened.then(|| self.table.turn()) {
            Some(Turn::Seat(seat)) => Some(seat),
            _ => None,
        }
    }

    /// The seat of this name.
    pub(super) fn seat(&self, name: &str) -> Option<Seat> {
        let index = self.table.seats().iter().position(|seat| seat == name)?;
        Some(Seat::new(index))
    }

    /// Checks a line and goes on by it.
    ///
    /// # Errors
    ///
    /// Whatever cannot stand there: see [`VerifyError`]. The playback is of no use afterwards.
    pub fn follow(&mut self, line: &Line) -> Result<(), VerifyError> {
        let place = Place { line: line.number, turn: self.turn };
        if !self.opened && !matches!(line.event, Event::Chance(_) | Event::Header(_)) {
            return Err(place.out_of_place("expected the \"chance\" line with the opening"));
        }
        match &line.event {
            Event::Header(_) => Err(place.out_of_place("a second header")),
            Event::Chance(event) if !self.opened => self.follow_opening(place, event),
            Event::Chance(event) => self.follow_chance(place, event),
            Event::Move(event, _) => self.follow_move(Place { turn: event.turn, ..place }, event),
            Event::State(event) => self.follow_state(place, event),
            Event::Log(event) => self.follow_log(place, event),
            Event::Fault(event, _) => {
                self.follow_fault(Place { turn: event.fault.turn, ..place }, event)
            }
            Event::End(event, _) => self.follow_end(place, event),
        }
    }

    fn follow_opening(&mut self, place: Place, event: &ChanceEvent) -> Result<(), VerifyError> {
        place.expect("the turn of the opening", 0, event.turn)?;
        let (what, opening) = match (self.header.opening, self.header.seed) {
            (OpeningSource::Drawn, Some(seed)) => {
                let drawn = self.table.open(&mut seed.stream("opening"));
                ("the opening drawn from the seed", drawn)
            }
            _ => {
                let given = self.table.open_with(event.outcome.get());
                let refused = |error| place.refused("the opening", &event.outcome, error);
                ("the opening in the game's own JSON", given.map_err(refused)?)
            }
        };
        self.happening = opening;
        self.opened = true;
        place.expect(what, &self.happening.full, event.outcome.get())?;
        self.expect_seen(place, event.seen.as_deref())
    }

    fn follow_chance(&mut self, place: Place, event: &ChanceEvent) -> Result<(), VerifyError> {
        match self.table.turn() {
            Turn::Chance => {}
            Turn::Over => return Err(place.out_of_place("a draw after the game was over")),
            Turn::Seat(seat) => {
                let seat = &self.table.seats()[seat.index()];
                return Err(place.out_of_place(format!("expected a move of {seat}, not a draw")));
            }
        }
        place.expect("the number of the last decision", self.turn, event.turn)?;
        let what = match &mut self.chance {
            Some(stream) => {
                self.table.draw(stream, &mut self.happening);
                "what the seed draws"
            }
            None => {
                self.table
                    .play_chance(event.outcome.get(), &mut self.happening)
                    .map_err(|error| place.refused("the chance outcome", &event.outcome, error))?;
                "the chance outcome in the game's own JSON"
            }
        };
        place.expect(what, &self.happening.full, event.outcome.get())?;
        self.expect_seen(place, event.seen.as_deref())?;
        self.hashed = false;
        self.counts.drawn += 1;
        Ok(())
    }

    fn follow_move(&mut self, place: Place, event: &MoveEvent) -> Result<(), VerifyError> {
        let seat = match self.table.turn() {
            Turn::Seat(seat) => seat,
            Turn::Chance => return Err(place.out_of_place("expected a draw, not a move")),
            Turn::Over => return Err(place.out_of_place("a move after the game was over")),
        };
        if self.hash_due {
            return Err(place.out_of_place("expected the \"state\" line that is due before it"));
        }
        place.expect("the number of the decision", self.turn + 1, event.turn)?;
        place.expect("the seat to move", &self.table.seats()[seat.index()], &event.seat)?;
        self.expect_player(place, seat, event)?;
        self.table
            .play(event.action.get(), &mut self.happening)
            .map_err(|error| place.refused("the action", &event.action, error))?;
        let what = "the action in the game's own JSON";
        place.expect(what, &self.happening.full, event.action.get())?;
        self.expect_seen(place, event.seen.as_deref())?;
        self.turn += 1;
        self.hashed = false;
        self.hash_due = ReplayWriter::<Vec<u8>>::state_is_due(self.turn);
        Ok(())
    }

    /// Who must have chosen the action, and where that is the referee: which.
    fn expect_player(
        &mut self,
        place: Place,
        seat: Seat,
        event: &MoveEvent,
    ) -> Result<(), VerifyError> {
        let chosen = if self.forfeited[seat.index()] {
            Some(("the pass of a forfeited seat", self.table.pass()))
        } else if self.substitute.take() == Some(seat) {
            let legal = self.table.legal();
            let drawn = self
                .substitutes
                .as_mut()
                .and_then(|stream| random::choose(stream.rng(), &legal).map(ToString::to_string));
            let unknown = || event.action.get().to_string();
            Some(("the substitute drawn from the seed", drawn.unwrap_or_else(unknown)))
        } else {
            None
        };
        match (chosen, event.by) {
            (None, None) => {
                self.has_asked = true;
                Ok(())
            }
            (None, Some(PlayedBy::Record)) if !self.has_asked => Ok(()),
            (_, Some(PlayedBy::Record)) => Err(place.out_of_place(
                "a move from the record of an earlier game, but such moves stand at the beginning",
            )),
            (None, Some(PlayedBy::Referee)) => Err(place.out_of_place(format!(
                "expected a move of {}'s bot, but the referee played it",
                event.seat
            ))),
            (Some((what, _)), None) => {
                Err(place.out_of_place(format!("expected {what}, played by the referee")))
            }
            (Some((what, chosen)), Some(PlayedBy::Referee)) => {
                // The order of an object's keys is nothing to choose by.
                let value = |json: &str| serde_json::from_str::<Value>(json).ok();
                if value(&chosen) == value(event.action.get()) {
                    return Ok(());
                }
                Err(place.differs(what, chosen, event.action.get()))
            }
        }
    }

    fn follow_state(&mut self, place: Place, event: &StateEvent) -> Result<(), VerifyError> {
        place.expect("the number of the last decision", self.turn, event.turn)?;
        place.expect("the hash of the state", self.table.state_hash(), &event.hash)?;
        self.hashed = true;
        self.hash_due = false;
        self.counts.hashes += 1;
        Ok(())
    }

    fn follow_log(&mut self, place: Place, event: &LogEvent) -> Result<(), VerifyError> {
        place.expect("the number of the last decision", self.turn, event.turn)?;
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
        if self.forfeited[seat.index()] {
            return Err(place.out_of_place(format!("{} had forfeited before", fault.seat)));
        }
        if fault.turn == 0 {
            place.expect("the number of the decision in progress", self.turn, fault.turn)?;
        } else {
            place.expect("the number of the decision in progress", self.turn + 1, fault.turn)?;
            if self.seat_to_move() != Some(seat) {
                return Err(place.out_of_place(format!("it was not {}'s turn", fault.seat)));
            }
        }
        let forgivable = fault.turn > 0
            && self.header.time_control.on_fault != OnFault::Forfeit
            && is_forgivable(fault.kind);
        if !event.fatal && !forgivable {
            return Err(place.out_of_place("this fault forfeits, but \"fatal\" is false"));
        }
        self.faults.push(fault.clone());
        if event.fatal {
            self.forfeit(seat, fault.kind);
        } else if self.header.time_control.on_fault == OnFault::Substitute {
            self.substitute = Some(seat);
        }
        Ok(())
    }

    /// The bot of this seat is out of the game: the seat in which it failed first, then its others.
    fn forfeit(&mut self, seat: Seat, kind: FaultKind) {
        let player = &self.header.seats[seat.index()].player;
        let held = |other: &Seat| self.header.seats[other.index()].player == *player;
        let others = Seat::all(self.header.seats.len()).filter(held).filter(|&other| other != seat);
        let lost: Vec<Seat> = [seat].into_iter().chain(others).collect();
        for seat in lost {
            self.forfeited[seat.index()] = true;
            if self.table.turn() != Turn::Over {
                self.table.forfeit(seat);
            }
        }
        self.hashed = false;
        if self.table.turn() == Turn::Over {
            self.decided_by.get_or_insert(kind);
        }
    }

    fn follow_end(&mut self, place: Place, event: &EndEvent) -> Result<(), VerifyError> {
        place.expect("the number of decisions", self.turn, event.turns)?;
        let outcome = &event.outcome;
        let imported = self.header.imported.is_some();
        if imported && self.table.outcome().is_none() {
            imported::check_end(place, outcome, self.header.seats.len())?;
        } else if outcome.kind == OutcomeKind::Void && !imported {
            let empty = outcome.scores.is_empty() && outcome.ranks.is_empty();
            let error = || place.out_of_place("a void game has neither scores nor ranks");
            empty.then_some(()).ok_or_else(error)?;
        } else {
            let Some(expected) = self.outcome() else {
                let message = "the game is not over by its rules, and nobody has forfeited it";
                return Err(place.out_of_place(message));
            };
            if expected != *outcome {
                return Err(place.differs("the outcome", json(&expected), json(outcome)));
            }
        }
        if !self.hashed {
            return Err(place.out_of_place("expected a \"state\" line with the final hash before"));
        }
        Ok(())
    }

    /// How the game has ended by the rules and the faults; `None` while it goes on.
    fn outcome(&self) -> Option<EndOutcome> {
        let outcome = self.table.outcome()?;
        let (kind, reason) = match self.decided_by {
            Some(fault) => (OutcomeKind::BotFault, forfeit_reason(fault)),
            None => (OutcomeKind::Completed, outcome.reason.to_string()),
        };
        let seats = self.header.seats.len();
        if self.forfeited[..seats].iter().all(|&forfeited| forfeited) {
            return Some(EndOutcome {
                kind,
                scores: vec![0.0; seats],
                ranks: vec![1; seats],
                reason,
            });
        }
        let (scores, ranks) = (outcome.scores.to_vec(), outcome.ranks.to_vec());
        Some(EndOutcome { kind, scores, ranks, reason })
    }

    /// What was recorded that each seat saw is what it must have seen.
    fn expect_seen(&self, place: Place, found: Option<&RawValue>) -> Result<(), VerifyError> {
        let mut expected = Vec::new();
        if !self.happening.seen.is_empty() {
            append_seen(&mut expected, &self.happening.seen, self.table.seats());
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

/// Whether the seats and players of a header are those of the game, and agree with each other.
pub(super) fn check_header(header: &Header, table: &dyn Table) -> Result<(), VerifyError> {
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
            .out_of_place(format!("{seat} is held by {player:?}, who is not among the players"))),
    }
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data with string keys")
}
