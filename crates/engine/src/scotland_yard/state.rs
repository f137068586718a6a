//! A whole state: the position and the travel log. `view` decides what each seat may know of it.

use super::action::Action;
use super::arena::Arena;
use super::detective::Pawns;
use super::opening::StartSet;
use super::position::{Parts, Position};
use super::station::Station;
use super::ticket::Ticket;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A step of Mr. X, with his station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogEntry {
    /// The ticket he showed.
    pub ticket: Ticket,
    /// The station he went to.
    pub station: Station,
    /// The detectives' stations at that time.
    pub detectives: Pawns,
}

/// A state of the game.
#[derive(Debug, PartialEq)]
pub struct State {
    position: Position,
    log: Vec<LogEntry>,
    starts: StartSet,
}

impl Clone for State {
    fn clone(&self) -> State {
        State { position: self.position, log: self.log.clone(), starts: self.starts.clone() }
    }

    fn clone_from(&mut self, source: &State) {
        self.position = source.position;
        self.log.clone_from(&source.log);
        self.starts.clone_from(&source.starts);
    }
}

impl State {
    /// Makes a state from its parts. The log has one entry per step of Mr. X.
    pub(super) fn new(position: Position, log: Vec<LogEntry>, starts: StartSet) -> State {
        State { position, log, starts }
    }

    /// Returns the position: stations, tickets and the seat to move.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns Mr. X's steps so far, oldest first.
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// Returns the stations at which the detectives had to expect Mr. X before his first move.
    pub const fn starts(&self) -> &StartSet {
        &self.starts
    }

    pub(super) fn forfeit(&mut self, by_mr_x: bool) {
        self.position.forfeit(by_mr_x);
    }

    /// Plays a legal action.
    pub(super) fn apply(&mut self, arena: &Arena, action: Action) {
        if let Action::MrX { ticket, to, .. } = action {
            let detectives = *self.position.pawns();
            self.log.push(LogEntry { ticket, station: to, detectives });
        }
        self.position.apply(arena, action);
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateForm {
    position: Parts,
    log: Vec<LogEntry>,
    mr_x_starts: StartSet,
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = StateForm {
            position: self.position.into(),
            log: self.log.clone(),
            mr_x_starts: self.starts.clone(),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        let form = StateForm::deserialize(deserializer)?;
        let position = Position::try_from(form.position).map_err(D::Error::custom)?;
        Ok(State { position, log: form.log, starts: form.mr_x_starts })
    }
}
