//! Draughts for the search. Positions, moves and keys are the engine's; an evaluator gives the
//! value of a quiet position.

use botyard_engine::draughts::endgame::{Endgames, Value};
use botyard_engine::draughts::{Colour, Move, Movement, Position};
use botyard_engine::endgame_tables::EndgameResult;
use botyard_search::two_sided::{Evaluator, Exact, Tension, TwoSidedGame};
use std::sync::Arc;

/// Draughts under rules of movement, with an evaluator.
#[derive(Clone, Debug)]
pub struct DraughtsSearch<E> {
    movement: Movement,
    evaluator: E,
    endgames: Option<Arc<Endgames>>,
    /// Whether the root is among the positions of which only the result is known.
    has_known_root: bool,
}

/// The value of a position that is known to be won, in a search that looks for the way to win it:
/// more than that of a draw by any contempt, whatever the evaluation.
const KNOWN_WIN: i32 = 1_000;

/// The maximum absolute value of an evaluation that is added to [`KNOWN_WIN`].
const MOST_ADDED: i32 = 800;

impl<E: Evaluator<Position>> DraughtsSearch<E> {
    /// Makes the game.
    pub const fn new(movement: Movement, evaluator: E) -> DraughtsSearch<E> {
        DraughtsSearch { movement, evaluator, endgames: None, has_known_root: false }
    }

    /// Adds endgame tables, if they are valid for its movement.
    #[must_use]
    pub fn with_endgames(self, endgames: Option<Arc<Endgames>>) -> DraughtsSearch<E> {
        let endgames = endgames.filter(|_| self.movement == Movement::ENGLISH);
        DraughtsSearch { endgames, ..self }
    }

    /// Sets the root of the searches that follow. If the tables have only the result of the root, a
    /// search does not stop at other such positions that are won or lost, because all moves of best
    /// play lead to them: it looks for the way to win, and evaluates won positions as better than
    /// any other.
    pub fn set_root(&mut self, root: &Position) {
        self.has_known_root = self.known_result(root).is_some();
    }

    /// Returns the result of a position of which the tables have only the result.
    fn known_result(&self, position: &Position) -> Option<EndgameResult> {
        let endgames = self.endgames.as_deref()?;
        if endgames.probe(position).is_some() { None } else { endgames.probe_result(position) }
    }

    /// Evaluates a position in a search whose root has a known result. Not inlined, like
    /// [`DraughtsSearch::known_by_result`]: most searches never need it.
    #[cold]
    #[inline(never)]
    fn evaluate_by_result(&self, position: &Position) -> i32 {
        let value = self.evaluator.evaluate(position);
        let added = value.clamp(-MOST_ADDED, MOST_ADDED);
        match self.known_result(position) {
            Some(EndgameResult::Win) => KNOWN_WIN + added,
            Some(EndgameResult::Loss) => -KNOWN_WIN + added,
            Some(EndgameResult::Draw) | None => value,
        }
    }

    /// Returns what a search may use of the result of a position.
    #[inline(never)]
    fn known_by_result(&self, endgames: &Endgames, position: &Position) -> Option<Exact> {
        match endgames.probe_result(position)? {
            EndgameResult::Draw => Some(Exact::Draw),
            _ if self.has_known_root => None,
            EndgameResult::Win => Some(Exact::Won),
            EndgameResult::Loss => Some(Exact::Lost),
        }
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
        match self.has_known_root {
            true => self.evaluate_by_result(position),
            false => self.evaluator.evaluate(position),
        }
    }

    #[inline(always)]
    fn known(&self, position: &Position) -> Option<Exact> {
        let endgames = self.endgames.as_deref()?;
        if 32 - position.board().empty().len() > endgames.most_pieces() {
            return None;
        }
        if let Some(value) = endgames.probe(position) {
            return Some(match value {
                Value::Draw => Exact::Draw,
                Value::Win(plies) => Exact::Win(plies.into()),
                Value::Loss(plies) => Exact::Loss(plies.into()),
            });
        }
        self.known_by_result(endgames, position)
    }
}
