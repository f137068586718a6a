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
    /// For Black and for White, the place in a part of the square at each bit of a bitboard.
    places: [[u8; Square::COUNT]; 2],
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
        let mut places = [[0; Square::COUNT]; 2];
        for square in Square::all() {
            let bit = Bitboard::of(square).bits().trailing_zeros() as usize;
            places[0][bit] = turned(square, Colour::Black) as u8;
            places[1][bit] = turned(square, Colour::White) as u8;
        }
        Encoding { spec: Spec::new(Square::COUNT * DIRECTIONS * BRANCHES, parts), colours, places }
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
fn beginning(mv: Move, colour: Colour) -> u32 {
    let (from, to) = (mv.from(), if mv.is_capture() { mv.path()[1] } else { mv.to() });
    let down = (to.row() > from.row()) == (colour == Colour::Black);
    let right = (to.column() > from.column()) == (colour == Colour::Black);
    (turned(from, colour) * DIRECTIONS + 2 * usize::from(down) + usize::from(right)) as u32
}

impl Indexing<Draughts> for Encoding {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn indices(&self, seat: Seat, legal: &[Move], into: &mut Vec<u32>) {
        into.clear();
        let colour = self.colours[seat.index()];
        // The number of moves that begin alike, by their beginning.
        let mut branches = [0u8; Square::COUNT * DIRECTIONS];
        for &mv in legal {
            let first = beginning(mv, colour);
            let branch = &mut branches[first as usize];
            let index = first * BRANCHES as u32 + u32::from(*branch);
            into.push(if usize::from(*branch) < BRANCHES { index } else { NO_INDEX });
            *branch = branch.saturating_add(1);
        }
    }
}

impl StateEncoding<Draughts> for Encoding {
    fn observe(&self, game: &Draughts, state: &State, seat: Seat, into: &mut Writer<'_>) {
        let colour = self.colours[seat.index()];
        let board = state.position().board();
        let places = &self.places[usize::from(colour == Colour::White)];
        let mut pieces = |pieces: Bitboard| {
            let part = into.next(Square::COUNT);
            let mut left = pieces.bits();
            while left != 0 {
                part[usize::from(places[left.trailing_zeros() as usize])] = 1.0;
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
