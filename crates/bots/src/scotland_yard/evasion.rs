//! Mr. X's evasion without looking ahead: to the station whose nearest detective is farthest away;
//! if several are equal the second nearest decides, and so on to the fifth. Distances of 5 and more
//! are equal (Belej 2015, 3.3.3). Used in playouts, and by the bot `evasive`.
//!
//! Belej's rule does not cover black and double tickets. Here a black ticket is used if no
//! fare leads farther, a double ticket if the best single step ends beside a detective.

use super::board_tables::{BoardTables, DetectiveDistances};
use super::percent::Percent;
use botyard_engine::random::{Rng, below};
use botyard_engine::scotland_yard::{Action, Arena, Position, Stage, Ticket};

/// A detective that is at most this far away can catch Mr. X in the next round.
const BESIDE: u8 = 1;

/// How Mr. X evades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evasion {
    /// The probability of a random step.
    pub random: Percent,
    /// The number of moves from which on all distances are equal to him; 5 in Belej (2015).
    pub horizon: u8,
}

impl Evasion {
    /// Belej's rule: one step in ten is random.
    pub const BELEJ: Evasion = Evasion { random: Percent::new(10), horizon: 5 };

    /// The same with all distances compared.
    pub const FARTHEST: Evasion = Evasion { horizon: u8::MAX, ..Evasion::BELEJ };

    /// Returns Mr. X's step; for detectives always a random step; `None` when the game is over.
    #[inline]
    pub fn step<R: Rng + ?Sized>(
        self,
        tables: &BoardTables,
        arena: &Arena,
        position: &Position,
        rng: &mut R,
    ) -> Option<Action> {
        if !matches!(position.stage(), Stage::MrX | Stage::SecondLeg) || self.random.happens(rng) {
            return position.random_action(arena, rng);
        }
        let (single, key) = self.farthest(tables, arena, position, rng);
        if DetectiveDistances::nearest_of(key) <= BESIDE
            && position.stage() == Stage::MrX
            && position.purse().double > 0
            && let Some(double) = double(tables, arena, position, key)
        {
            return Some(double);
        }
        single.or_else(|| position.random_action(arena, rng))
    }

    /// Returns the step to where the detectives are farthest, and its key; draws among equal ones.
    /// `None` if all steps end on a detective.
    #[inline]
    fn farthest<R: Rng + ?Sized>(
        self,
        tables: &BoardTables,
        arena: &Arena,
        position: &Position,
        rng: &mut R,
    ) -> (Option<Action>, u64) {
        let distances = tables.detective_distances(position);
        let kinds = position.purse().tickets.kinds();
        let (mut best, mut most, mut equal) = (None, 0, 0);
        let mut consider = |ticket, to, fare: bool| {
            if position.pawns().occupy(to) {
                return;
            }
            // Among steps that lead equally far, a fare comes before a black ticket.
            let key = distances.key_within(to, self.horizon) << 1 | u64::from(fare);
            if key > most {
                (best, most, equal) = (Some(Action::MrX { ticket, to, double: false }), key, 1);
            } else if key == most {
                equal += 1;
                if below(rng, equal) == 0 {
                    best = Some(Action::MrX { ticket, to, double: false });
                }
            }
        };
        for step in arena.board().steps(position.mr_x()) {
            if kinds.has(step.by) {
                consider(step.by.ticket(), step.to, true);
            }
        }
        if position.purse().black > 0 {
            for &to in arena.board().neighbours(position.mr_x()) {
                consider(Ticket::Black, to, false);
            }
        }
        (best, most >> 1)
    }
}

/// Returns the first half of the double move by fares that leads farthest, if it leads farther than
/// `key`.
#[cold]
fn double(tables: &BoardTables, arena: &Arena, position: &Position, key: u64) -> Option<Action> {
    let distances = tables.detective_distances(position);
    let (mut best, mut most) = (None, key);
    position.for_each_action(arena, |action| {
        let Action::MrX { ticket, to, double: true } = action else { return };
        if ticket == Ticket::Black {
            return;
        }
        let second = arena.board().neighbours(to).iter();
        let farthest = second
            .filter(|&&station| !position.pawns().occupy(station))
            .map(|&station| distances.key(station))
            .max();
        if farthest.is_some_and(|farthest| farthest > most) {
            (best, most) = (Some(action), farthest.unwrap_or(most));
        }
    });
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::scotland_yard::ScotlandYard;
    use botyard_engine::{Game, Stream};

    /// The stations he may go to from the middle of a 5x5 grid, as in the tests of `greedy`.
    #[test]
    fn goes_where_the_nearest_detective_is_farthest_and_then_the_next() {
        for (detectives, expected) in
            [("[1,5]", vec![18]), ("[3,11]", vec![14, 18]), ("[12,25]", vec![8])]
        {
            let game = ScotlandYard::new(ScotlandYard::preset("grid-5x5-2").unwrap()).unwrap();
            let tables = BoardTables::new(&game).unwrap();
            let opening = format!(r#"{{"mr_x":13,"detectives":{detectives}}}"#);
            let state = game.start(&serde_json::from_str(&opening).unwrap()).unwrap();
            let mut stream = Stream::new(1, "test");
            let mut reached: Vec<u16> = (0..40)
                .map(|_| {
                    let never = Evasion { random: Percent::new(0), ..Evasion::FARTHEST };
                    match never.step(&tables, game.arena(), state.position(), stream.rng()) {
                        Some(Action::MrX { to, double: false, .. }) => to.number(),
                        other => panic!("{other:?}"),
                    }
                })
                .collect();
            reached.sort_unstable();
            reached.dedup();
            assert_eq!(reached, expected, "{detectives}");
        }
    }

    /// In the middle of a grid, detectives in three of its corners: from all cells around him they need more than 5
    /// moves.
    #[test]
    fn beyond_the_horizon_all_stations_are_equal() {
        let rules = ScotlandYard::preset("grid-15x15-3-stay").unwrap();
        let game = ScotlandYard::new(rules).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        let opening = r#"{"mr_x":113,"detectives":[1,15,211]}"#;
        let state = game.start(&serde_json::from_str(opening).unwrap()).unwrap();
        let mut stream = Stream::new(1, "test");
        let mut reached = |horizon| {
            let evasion = Evasion { random: Percent::new(0), horizon };
            let mut reached: Vec<_> = (0..200)
                .map(|_| evasion.step(&tables, game.arena(), state.position(), stream.rng()))
                .map(|action| match action {
                    Some(Action::MrX { to, .. }) => to.number(),
                    other => panic!("{other:?}"),
                })
                .collect();
            reached.sort_unstable();
            reached.dedup();
            reached
        };
        assert_eq!(reached(u8::MAX), [129]);
        assert_eq!(reached(5), [97, 98, 99, 112, 113, 114, 127, 128, 129]);
    }

    #[test]
    fn always_legal() {
        for preset in ScotlandYard::PRESETS {
            let game = ScotlandYard::new(ScotlandYard::preset(preset.name).unwrap()).unwrap();
            let tables = BoardTables::new(&game).unwrap();
            let mut stream = Stream::new(2, "test");
            let (mut doubles, mut blacks) = (0, 0);
            for _ in 0..30 {
                let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
                while game.outcome(&state).is_none() {
                    let action = Evasion::BELEJ
                        .step(&tables, game.arena(), state.position(), stream.rng())
                        .unwrap();
                    game.check(&state, action).unwrap_or_else(|e| panic!("{}: {e}", preset.name));
                    if let Action::MrX { ticket, double, .. } = action {
                        doubles += u32::from(double);
                        blacks += u32::from(ticket == Ticket::Black);
                    }
                    game.apply(&mut state, action);
                }
            }
            assert_eq!(doubles > 0, game.rules().double > 0, "{}", preset.name);
            assert_eq!(blacks > 0, game.rules().black_tickets() > 0, "{}", preset.name);
        }
    }
}
