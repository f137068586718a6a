//! Draughts for the search. Positions, moves and keys are the engine's; an evaluator gives the
//! value of a quiet position.

use botyard_engine::draughts::endgame::{Endgames, Value};
use botyard_engine::draughts::{Colour, Move, Movement, Position};
use botyard_search::two_sided::{Evaluator, Exact, Tension, TwoSidedGame};
use std::sync::Arc;

/// Draughts under rules of movement, with an evaluator.
#[derive(Clone, Debug)]
pub struct DraughtsSearch<E> {
    movement: Movement,
    evaluator: E,
    endgames: Option<Arc<Endgames>>,
}

impl<E: Evaluator<Position>> DraughtsSearch<E> {
    /// Makes the game.
    pub const fn new(movement: Movement, evaluator: E) -> DraughtsSearch<E> {
        DraughtsSearch { movement, evaluator, endgames: None }
    }

    /// Adds endgame tables, if they are valid for its movement.
    #[must_use]
    pub fn with_endgames(self, endgames: Option<Arc<Endgames>>) -> DraughtsSearch<E> {
        let endgames = endgames.filter(|_| self.movement == Movement::ENGLISH);
        DraughtsSearch { endgames, ..self }
    }
}

/// A plain move's number is below this: a square and a direction.
const PLAIN_MOVES: usize = 1 << 11;

impl<E: Evaluator<Position>> TwoSidedGame for DraughtsSearch<E> {
    type Position = Position;
    type Move = Move;

    const HISTORY_SLOTS: usize = 2 * PLAIN_MOVES;

    #[inline(always)]
    fn for_each_move(&self, position: &Position, f: impl FnMut(Move)) {
        position.for_each_move(self.movement, f);
    }

    #[inline(always)]
    fn make(&self, position: &Position, mv: Move) -> Position {
        position.make(mv)
    }

    #[inline(always)]
    fn can_move(&self, position: &Position) -> bool {
        position.can_move()
    }

    #[inline(always)]
    fn tension(&self, position: &Position) -> Tension {
        match position.can_capture() {
            false => Tension::Quiet,
            true if self.movement.compulsory_capture => Tension::Forced,
            true => Tension::Noisy,
        }
    }

    #[inline(always)]
    fn is_threatened(&self, position: &Position) -> bool {
        position.is_threatened()
    }

    #[inline(always)]
    fn noise(&self, mv: Move) -> u32 {
        mv.jumps() as u32
    }

    #[inline(always)]
    fn is_reversible(&self, position: &Position, mv: Move) -> bool {
        position.is_reversible(mv)
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    #[inline(always)]
    fn move_id(&self, mv: Move) -> u32 {
        mv.bits()
    }

    #[inline(always)]
    fn history_slot(&self, position: &Position, mv: Move) -> usize {
        let side = if position.turn() == Colour::White { PLAIN_MOVES } else { 0 };
        side + mv.bits() as usize % PLAIN_MOVES
    }

    #[inline(always)]
    fn evaluate(&self, position: &Position) -> i32 {
        self.evaluator.evaluate(position)
    }

    #[inline(always)]
    fn known(&self, position: &Position) -> Option<Exact> {
        let value = self.endgames.as_deref()?.probe(position)?;
        Some(match value {
            Value::Draw => Exact::Draw,
            Value::Win(plies) => Exact::Win(plies.into()),
            Value::Loss(plies) => Exact::Loss(plies.into()),
        })
    }
}
