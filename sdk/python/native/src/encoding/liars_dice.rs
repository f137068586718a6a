//! Liar's Dice: the seat's own cup, the last bid, whose turn it is and, at the end, all cups. Index
//! 0 is to call the last bid a lie; a bid has the index `6 * count + face - 6`.

use super::{Indexing, Spec, ViewEncoding, Writer, fraction};
use botyard_engine::liars_dice::{Action, Cup, LiarsDice, Table};
use botyard_engine::{Game, Seat};

const FACES: usize = 6;

pub struct Encoding {
    spec: Spec,
    dice: u8,
    players: usize,
}

impl Encoding {
    pub fn new(game: &LiarsDice) -> Encoding {
        let rules = game.rules();
        let players = usize::from(rules.players);
        let bids = players * usize::from(rules.dice) * FACES;
        let parts =
            vec![("cups", vec![players, FACES]), ("bid", vec![bids]), ("to_move", vec![players])];
        Encoding { spec: Spec::new(1 + bids, parts), dice: rules.dice, players }
    }
}

fn place(count: u8, face: u8) -> usize {
    (usize::from(count) - 1) * FACES + usize::from(face) - 1
}

impl Indexing<LiarsDice> for Encoding {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn indices(&self, _seat: Seat, legal: &[Action], into: &mut Vec<u32>) {
        into.clear();
        into.extend(legal.iter().map(|&action| match action {
            Action::Liar => 0,
            Action::Bid { count, face } => 1 + place(count, face) as u32,
        }));
    }
}

impl ViewEncoding<LiarsDice> for Encoding {
    fn observe(
        &self,
        _game: &LiarsDice,
        view: &Table<Option<Cup>>,
        seat: Seat,
        into: &mut Writer<'_>,
    ) {
        let players = self.players;
        for distance in 0..players {
            let part = into.next(FACES);
            let cup = view.cups.get((seat.index() + distance) % players);
            if let Some(cup) = cup.copied().flatten() {
                for (number, dice) in part.iter_mut().zip(cup) {
                    *number = fraction(dice, self.dice);
                }
            }
        }
        let bids = self.spec.actions - 1;
        into.one_hot(bids, view.bid.map(|(count, face)| place(count, face)));
        let mover = view.bids as usize % players;
        let distance = (mover + players - seat.index()) % players;
        into.one_hot(players, view.lost.is_none().then_some(distance));
    }
}
