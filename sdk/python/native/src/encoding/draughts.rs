//! Draughts, from the point of view of a seat: White's board is turned by 180 degrees, so that both
//! colours move in the same direction. The index of a move is its start, the direction of its first
//! step or jump, and its place among the legal moves that begin alike.

use super::{Indexing, NO_INDEX, Spec, StateEncoding, Writer, fraction};
use botyard_engine::draughts::{Bitboard, Colour, Draughts, Move, Square, State};
use botyard_engine::{Game, Seat, Turn};

/// The most moves with the same start and first direction that get an index. They differ in the later
/// jumps of captures.
const BRANCHES: usize = 8;
const DIRECTIONS: usize = 4;

pub struct Encoding {
    spec: Spec,
    colours: [Colour; 2],
}

impl Encoding {
    pub fn new(game: &Draughts) -> Encoding {
        let board = || vec![Square::COUNT];
        let parts = vec![
            ("own_men", board()),
            ("own_kings", board()),
            ("opponent_men", board()),
            ("opponent_kings", board()),
            ("to_move", vec![1]),
            ("repetitions", vec![1]),
            ("quiet_plies", vec![1]),
            ("plies", vec![1]),
        ];
        let colours = [game.colour(Seat::new(0)), game.colour(Seat::new(1))];
        Encoding { spec: Spec::new(Square::COUNT * DIRECTIONS * BRANCHES, parts), colours }
    }
}

/// Returns the index of a square for a colour.
#[inline]
fn turned(square: Square, colour: Colour) -> usize {
    match colour {
        Colour::Black => square.index(),
        Colour::White => Square::COUNT - 1 - square.index(),
    }
}

/// Returns start and first direction as a number.
#[inline]
fn beginning(mv: Move, colour: Colour) -> usize {
    let path = mv.path();
    let (from, to) = (path[0], path[1]);
    let down = (to.row() > from.row()) == (colour == Colour::Black);
    let right = (to.column() > from.column()) == (colour == Colour::Black);
    turned(from, colour) * DIRECTIONS + 2 * usize::from(down) + usize::from(right)
}

impl Indexing<Draughts> for Encoding {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn indices(&self, seat: Seat, legal: &[Move], into: &mut Vec<u32>) {
        into.clear();
        let colour = self.colours[seat.index()];
        for &mv in legal {
            let first = (beginning(mv, colour) * BRANCHES) as u32;
            let alike =
                into.iter().filter(|&&other| other / BRANCHES as u32 == first / BRANCHES as u32);
            let branch = alike.count();
            into.push(if branch < BRANCHES { first + branch as u32 } else { NO_INDEX });
        }
    }
}

impl StateEncoding<Draughts> for Encoding {
    fn observe(&self, game: &Draughts, state: &State, seat: Seat, into: &mut Writer<'_>) {
        let colour = self.colours[seat.index()];
        let board = state.position().board();
        let mut pieces = |pieces: Bitboard| {
            let part = into.next(Square::COUNT);
            let mut left = pieces.numbered();
            while left != 0 {
                let square = Square::from_index(left.trailing_zeros() as usize);
                part[turned(square, colour)] = 1.0;
                left &= left - 1;
            }
        };
        pieces(board.men(colour));
        pieces(board.kings(colour));
        pieces(board.men(colour.other()));
        pieces(board.kings(colour.other()));
        let rules = game.rules();
        into.number(f32::from(game.turn(state) == Turn::Seat(seat)));
        into.number(fraction(state.repetitions(), rules.draw_repetitions));
        into.number(fraction(state.quiet_plies(), rules.draw_quiet_plies));
        into.number(fraction(state.ply(), rules.max_plies));
    }
}
