//! Dice Wars, from the point of view of a seat: players are counted from it in the order of turns.
//! The index of an attack is `from * areas + to`, with areas from 0; transfers follow, if the rules
//! have them; the last index is to end the turn.

use super::{Indexing, NO_INDEX, Spec, StateEncoding, Writer, fraction};
use botyard_engine::dice_wars::{
    Action, Area, DiceWars, MAX_DICE, MOST_NEW_DICE, MapChoice, Stage, State,
};
use botyard_engine::{Game, Seat};

pub struct Encoding {
    spec: Spec,
    areas: usize,
    players: usize,
    transfers: u8,
}

impl Encoding {
    pub fn new(game: &DiceWars) -> Encoding {
        let rules = game.rules();
        let players = usize::from(rules.players);
        let areas = match &rules.map {
            MapChoice::Given(map) => map.areas(),
            MapChoice::Generated => usize::from(rules.areas.most),
        };
        let parts = vec![
            ("owners", vec![players, areas]),
            ("dice", vec![areas]),
            ("adjacent", vec![areas, areas]),
            ("reserves", vec![players]),
            ("regions", vec![players]),
            ("in_play", vec![players]),
            ("to_move", vec![players]),
            ("transfers_left", vec![1]),
            ("turns", vec![1]),
            ("quiet_turns", vec![1]),
        ];
        let kinds = if rules.transfers > 0 { 2 } else { 1 };
        let spec = Spec::new(kinds * areas * areas + 1, parts);
        Encoding { spec, areas, players, transfers: rules.transfers }
    }

    /// Returns the index of a pair of areas; `None` on a map with more areas than the rules have.
    fn pair(&self, from: Area, to: Area) -> Option<usize> {
        let known = from.index() < self.areas && to.index() < self.areas;
        known.then(|| from.index() * self.areas + to.index())
    }
}

impl Indexing<DiceWars> for Encoding {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn indices(&self, _seat: Seat, legal: &[Action], into: &mut Vec<u32>) {
        into.clear();
        into.extend(legal.iter().map(|&action| {
            let index = match action {
                Action::Attack(from, to) => self.pair(from, to),
                Action::Transfer(from, to) => {
                    self.pair(from, to).map(|pair| self.areas * self.areas + pair)
                }
                Action::EndTurn => Some(self.spec.actions - 1),
            };
            index.map_or(NO_INDEX, |index| index as u32)
        }));
    }
}

impl StateEncoding<DiceWars> for Encoding {
    fn observe(&self, game: &DiceWars, state: &State, seat: Seat, into: &mut Writer<'_>) {
        let (map, position, rules) = (state.map(), state.position(), game.rules());
        let others = || (0..self.players).map(|n| Seat::new((seat.index() + n) % self.players));
        let all = || map.all().iter().take_while(|area| area.index() < self.areas);
        for owner in others() {
            let part = into.next(self.areas);
            let owned = position.areas_of(owner);
            all().filter(|&area| owned.contains(area)).for_each(|area| part[area.index()] = 1.0);
        }
        let dice = into.next(self.areas);
        all().for_each(|area| dice[area.index()] = fraction(position.dice(area), MAX_DICE));
        let adjacent = into.next(self.areas * self.areas);
        for area in all() {
            for pair in map.neighbours(area).iter().filter_map(|other| self.pair(area, other)) {
                adjacent[pair] = 1.0;
            }
        }
        others().for_each(|seat| into.number(fraction(position.reserve(seat), MOST_NEW_DICE)));
        let areas = self.areas as u32;
        others().for_each(|seat| into.number(fraction(position.largest_region(map, seat), areas)));
        others().for_each(|seat| into.number(f32::from(position.place(seat).is_none())));
        let moving = !matches!(position.stage(), Stage::Over(_));
        let distance = (position.to_move().index() + self.players - seat.index()) % self.players;
        into.one_hot(self.players, moving.then_some(distance));
        into.number(fraction(position.transfers_left(), self.transfers));
        into.number(fraction(position.turns(), rules.max_turns));
        let quiet = u32::from(rules.quiet_rounds) * self.players as u32;
        into.number(fraction(position.quiet_turns(), quiet));
    }
}
