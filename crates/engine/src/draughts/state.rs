//! States: a position and the history that the draw rules need. The game owns the rules and passes
//! them to the state when a move is played.

use super::colour::Colour;
use super::moves::Move;
use super::position::Position;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A state.
#[derive(Debug, PartialEq)]
pub struct State {
    position: Position,
    /// The number of decisions made so far.
    ply: u16,
    /// The kings' plain moves since the last move of another kind, oldest first. They are
    /// reversible, so every earlier position that can recur follows from them.
    quiet_moves: Vec<Move>,
    /// The number of occurrences of this position, including this one; follows from the rest.
    repetitions: u16,
    /// The side that forfeited.
    forfeited: Option<Colour>,
}

impl Clone for State {
    fn clone(&self) -> State {
        State { quiet_moves: self.quiet_moves.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &State) {
        let mut quiet_moves = std::mem::take(&mut self.quiet_moves);
        quiet_moves.clone_from(&source.quiet_moves);
        *self = State { quiet_moves, ..*source };
    }
}

impl State {
    /// Returns the first state of a game that begins with this position.
    pub fn new(position: Position) -> State {
        State { position, ply: 0, quiet_moves: Vec::new(), repetitions: 1, forfeited: None }
    }

    /// Returns the state after this number of decisions, the last of which were these kings' moves.
    ///
    /// `None` if they cannot have led to the position.
    pub(super) fn with_history(
        position: Position,
        ply: u16,
        quiet_moves: Vec<Move>,
    ) -> Option<State> {
        let mut state = State { position, ply, quiet_moves, repetitions: 1, forfeited: None };
        let possible = state.earlier_positions().count() == state.quiet_moves.len();
        state.repetitions = state.count_repetitions();
        possible.then_some(state)
    }

    /// Returns the position.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the number of decisions made so far, 0 to 10,000.
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// Returns the number of plies since the last capture or man's move, or since the opening.
    pub fn quiet_plies(&self) -> u16 {
        self.quiet_moves.len() as u16
    }

    /// Returns the moves of those plies, all kings' moves, oldest first.
    pub fn quiet_moves(&self) -> &[Move] {
        &self.quiet_moves
    }

    /// Returns the number of times this position has occurred with the same side to move; 1 the
    /// first time.
    pub const fn repetitions(&self) -> u16 {
        self.repetitions
    }

    /// Returns the side that forfeited, if any.
    pub const fn forfeited(&self) -> Option<Colour> {
        self.forfeited
    }

    /// Returns the earlier positions that can recur, from the last one backwards. Together with the
    /// positions of a search, they are all that repetitions can consist of.
    pub fn earlier_positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut later = self.position;
        self.quiet_moves.iter().rev().map_while(move |&mv| {
            later = later.before_reversible(mv)?;
            Some(later)
        })
    }

    /// Plays a legal move.
    pub(super) fn apply(&mut self, mv: Move) {
        if self.position.is_reversible(mv) {
            self.quiet_moves.push(mv);
        } else {
            self.quiet_moves.clear();
        }
        self.position = self.position.make(mv);
        self.ply = self.ply.saturating_add(1);
        self.repetitions = self.count_repetitions();
    }

    pub(super) fn forfeit(&mut self, colour: Colour) {
        self.forfeited.get_or_insert(colour);
    }

    fn count_repetitions(&self) -> u16 {
        // The side to move alternates, so only every other position can be the same.
        let earlier = self.earlier_positions().skip(1).step_by(2);
        1 + earlier.filter(|earlier| *earlier == self.position).count() as u16
    }
}

/// A state in JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    fen: String,
    ply: u16,
    quiet_moves: Vec<Move>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forfeited: Option<Colour>,
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written {
            fen: self.position.to_string(),
            ply: self.ply,
            quiet_moves: self.quiet_moves.clone(),
            forfeited: self.forfeited,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let position = written.fen.parse().map_err(D::Error::custom)?;
        let state = State::with_history(position, written.ply, written.quiet_moves);
        let state = state.ok_or_else(|| {
            D::Error::custom(format!("quiet_moves cannot have led to {}", written.fen))
        })?;
        Ok(State { forfeited: written.forfeited, ..state })
    }
}
