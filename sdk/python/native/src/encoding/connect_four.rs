//! Connect Four: the discs of the seat and of its opponent. The index of an action is its column
//! minus 1.

use super::{Indexing, Spec, StateEncoding, Writer};
use botyard_engine::connect_four::{Cell, ConnectFour, Drop, State};
use botyard_engine::{Game, Seat, Turn};

const COLUMNS: usize = 7;
const ROWS: usize = 6;

pub struct Encoding {
    spec: Spec,
}

impl Encoding {
    pub fn new() -> Encoding {
        let discs = || vec![COLUMNS, ROWS];
        let parts = vec![("own", discs()), ("opponent", discs()), ("to_move", vec![1])];
        Encoding { spec: Spec::new(COLUMNS, parts) }
    }
}

impl Indexing<ConnectFour> for Encoding {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn indices(&self, _seat: Seat, legal: &[Drop], into: &mut Vec<u32>) {
        into.clear();
        into.extend(legal.iter().map(|drop| u32::from(drop.column) - 1));
    }
}

impl StateEncoding<ConnectFour> for Encoding {
    fn observe(&self, game: &ConnectFour, state: &State, seat: Seat, into: &mut Writer<'_>) {
        let own = [Cell::Yellow, Cell::Red][seat.index()];
        let other = [Cell::Red, Cell::Yellow][seat.index()];
        for colour in [own, other] {
            let part = into.next(COLUMNS * ROWS);
            for (number, &cell) in part.iter_mut().zip(state.columns.iter().flatten()) {
                *number = f32::from(cell == colour);
            }
        }
        into.number(f32::from(game.turn(state) == Turn::Seat(seat)));
    }
}
