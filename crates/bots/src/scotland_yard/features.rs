//! The features of a position of Scotland Yard with Mr. X to move: what the network of
//! [`super::Network`] sees. Mr. X's station is known, as in every simulated state; what the
//! detectives know of it is in the candidates.
//!
//! Everything is looked up in the tables of the board, so that a position can be evaluated in the
//! middle of a playout. The distances use the kinds of tickets that the detectives hold, but not
//! their numbers.

use super::board_tables::{BoardTables, DetectiveDistances};
use super::simulation_state::SimulationState;
use super::station_bits::StationBits;
use super::suspicion::Suspicion;
use botyard_engine::Game;
use botyard_engine::scotland_yard::{
    Allowance, Arena, Kinds, LimitUnit, MAX_DETECTIVES, Position, ScotlandYard, Ticket, Transport,
};

/// The number of features.
pub const FEATURES: usize = 28;

/// The largest distance of a detective; larger ones count the same.
const FAR: u8 = 8;
/// The largest number of Mr. X's moves until a reveal; larger ones count the same.
const LATE: u16 = 8;
/// The length of a flight: Mr. X's steps for which the stations out of reach are counted.
const FLIGHT: u8 = 3;

/// The features of a position, each from 0 to 1.
pub type Features = [f32; FEATURES];

/// Computes the features of the positions of one game.
#[derive(Clone, Copy, Debug)]
pub struct FeatureReader<'a> {
    tables: &'a BoardTables,
    arena: &'a Arena,
    limit: u16,
    limit_unit: LimitUnit,
}

impl<'a> FeatureReader<'a> {
    /// Makes the reader of a game, whose board has these tables.
    pub fn new(game: &'a ScotlandYard, tables: &'a BoardTables) -> FeatureReader<'a> {
        let rules = game.rules();
        FeatureReader {
            tables,
            arena: game.arena(),
            limit: rules.limit,
            limit_unit: rules.limit_unit,
        }
    }

    /// Returns the features of a state with Mr. X to move and with tracked candidates; with the
    /// detectives' suspicion, if it is simulated:
    ///
    /// | feature | meaning |
    /// | --- | --- |
    /// | 0 to 4 | the moves that the detectives need to Mr. X, nearest first, of 8; 1 for a detective that is not there |
    /// | 5, 6, 7 | whether the nearest needs 1 move, the nearest 2, the second nearest at most 2 |
    /// | 8 | the detectives that need at most 3 moves, of 5 |
    /// | 9 | the free stations that he can go to, of 8 |
    /// | 10, 11, 12 | the stations where he can be after 1, 2 and 3 moves while all detectives go there, of 8, 16 and 32 |
    /// | 13 | whether there is none after 1 move |
    /// | 14 | the rounds left, of 24 |
    /// | 15, 16 | his moves until the next reveal, of 8; whether it is the next one |
    /// | 17, 18 | his candidates, of 64; one over their number; with suspicion, as many equal ones (one over the sum of the squares), and its share at his station |
    /// | 19 | the share of the candidates, or of the suspicion, that a detective can step onto |
    /// | 20, 21, 22 | the detectives' mean taxi, bus and underground tickets, of 10, 8 and 4 |
    /// | 23, 24 | his black and double tickets, of 5 and 2 |
    /// | 25 | the detectives, of 5 |
    /// | 26, 27 | whether he is at a bus stop, at an underground station |
    ///
    /// Larger numbers count as the largest.
    #[inline]
    pub fn read(&self, state: &SimulationState, suspicion: Option<&Suspicion>) -> Features {
        let position = &state.position;
        let at = position.mr_x();
        let distances = self.tables.detective_distances(position);
        let mut features = [0.0; FEATURES];
        let key = distances.key(at).to_be_bytes();
        let near: [u8; MAX_DETECTIVES] = [key[3], key[4], key[5], key[6], key[7]];
        // The distance of a detective that is not there is the largest number.
        for (feature, moves) in features.iter_mut().zip(near) {
            *feature = f32::from(moves.min(FAR)) / f32::from(FAR);
        }
        features[5] = yes(near[0] == 1);
        features[6] = yes(near[0] == 2);
        features[7] = yes(near[1] <= 2);
        features[8] = near.iter().filter(|&&moves| moves <= 3).count() as f32 / 5.0;
        let flight = self.flight(position, &distances);
        features[9] = part(flight.exits, 8.0);
        for (feature, (count, most)) in
            features[10..].iter_mut().zip(flight.safe.into_iter().zip([8.0, 16.0, 32.0]))
        {
            *feature = part(count, most);
        }
        features[13] = yes(flight.safe[0] == 0);
        let left = match self.limit_unit {
            LimitUnit::Rounds => (self.limit + 1).saturating_sub(position.round()),
            LimitUnit::XMoves => self.limit.saturating_sub(position.x_moves()),
        };
        features[14] = part(left.into(), 24.0);
        let reveal =
            (1..LATE).find(|&moves| self.arena.reveals(position.x_moves() + moves)).unwrap_or(LATE);
        features[15] = part(reveal.into(), LATE.into());
        features[16] = yes(reveal == 1);
        let candidates = state.candidates.len().max(1);
        features[17] = part(candidates, 64.0);
        features[18] = 1.0 / candidates as f32;
        let beside = self.read_detectives(state, &mut features);
        features[19] = beside.and(state.candidates).len() as f32 / candidates as f32;
        if let Some(suspicion) = suspicion {
            let squares = |station| suspicion.at(station) * suspicion.at(station);
            let sum = suspicion.sum(state.candidates);
            let squares: f32 = state.candidates.iter().map(squares).sum();
            // Without any, all candidates are as likely.
            if squares > 0.0 {
                features[17] = (sum * sum / squares / 64.0).min(1.0);
                features[18] = suspicion.at(at) / sum;
                features[19] = suspicion.sum(beside.and(state.candidates)) / sum;
            }
        }
        let purse = position.purse();
        features[23] = part(purse.black.into(), 5.0);
        features[24] = part(purse.double.into(), 2.0);
        let stop = |kind| !self.tables.neighbours(Kinds::only(kind), at).is_empty();
        features[26] = yes(stop(Transport::Bus));
        features[27] = yes(stop(Transport::Underground));
        features
    }

    /// Fills in the features of all detectives together, and returns the stations that they can step
    /// onto.
    #[inline]
    fn read_detectives(
        &self,
        state: &SimulationState,
        features: &mut [f32; FEATURES],
    ) -> StationBits {
        let position = &state.position;
        let mut beside = StationBits::default();
        let (mut count, mut tickets) = (0.0, [0.0; 3]);
        for detective in position.all_detectives() {
            let Some(at) = position.pawns().get(detective) else { continue };
            let held = position.tickets_of(detective);
            beside = beside.or(self.tables.neighbours(held.kinds(), at));
            count += 1.0;
            for ((sum, kind), most) in tickets
                .iter_mut()
                .zip([Ticket::Taxi, Ticket::Bus, Ticket::Underground])
                .zip([10.0, 8.0, 4.0])
            {
                *sum += match held {
                    Allowance::Unlimited => 1.0,
                    Allowance::Limited(tickets) => part(tickets.count(kind).into(), most),
                };
            }
        }
        if count > 0.0 {
            for (feature, sum) in features[20..].iter_mut().zip(tickets) {
                *feature = sum / count;
            }
        }
        features[25] = count / MAX_DETECTIVES as f32;
        beside
    }

    #[inline]
    fn flight(&self, position: &Position, distances: &DetectiveDistances<'_>) -> Flight {
        let purse = position.purse();
        let kinds = if purse.black > 0 { Kinds::ALL } else { purse.tickets.kinds() };
        let mut here = StationBits::default();
        here.insert(position.mr_x());
        let mut flight = Flight { exits: 0, safe: [0; FLIGHT as usize] };
        for (steps, safe) in (1..=FLIGHT).zip(&mut flight.safe) {
            let reached = self.tables.spread(kinds, here);
            here = StationBits::default();
            for station in reached.iter() {
                let moves = distances.nearest(station);
                flight.exits += u32::from(steps == 1 && moves > 0);
                if moves > steps {
                    here.insert(station);
                    *safe += 1;
                }
            }
        }
        flight
    }
}

/// The stations that Mr. X can flee to.
struct Flight {
    /// The number of free stations one step away.
    exits: u32,
    /// After each step, the number of stations that no detective can have reached by then.
    safe: [u32; FLIGHT as usize],
}

fn yes(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Returns a number as a share of the largest one; larger ones count the same.
fn part(number: u32, most: f32) -> f32 {
    (number as f32 / most).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::belief::{Belief, Determinization};
    use super::*;
    use botyard_engine::scotland_yard::Stage;
    use botyard_engine::{Seat, Stream};

    fn game(preset: &str) -> (ScotlandYard, BoardTables) {
        let game = ScotlandYard::new(ScotlandYard::preset(preset).unwrap()).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        (game, tables)
    }

    fn read(preset: &str, opening: &str) -> Features {
        let (game, tables) = game(preset);
        let state = game.start(&serde_json::from_str(opening).unwrap()).unwrap();
        let candidates = game.candidates(&state).set().iter().collect();
        let position = *state.position();
        let state = SimulationState { position, candidates, tracked: true };
        FeatureReader::new(&game, &tables).read(&state, None)
    }

    /// Mr. X in the middle of a 5x5 grid, detectives two moves north and two moves west. To the east
    /// and south he can flee: to 14 and 18, then to 15, 19 and 23, then to 20 and 24.
    #[test]
    fn flight_on_a_grid() {
        let features = read("grid-5x5-2", r#"{"mr_x":13,"detectives":[3,11]}"#);
        assert_eq!(features[..5], [0.25, 0.25, 1.0, 1.0, 1.0]);
        assert_eq!(features[5..9], [0.0, 1.0, 1.0, 0.4]);
        assert_eq!(features[9..14], [4.0 / 8.0, 2.0 / 8.0, 3.0 / 16.0, 2.0 / 32.0, 0.0]);
        // There are no tickets but taxi tickets, which are unlimited, and no black or double ones.
        assert_eq!((features[20], features[23], features[24]), (1.0, 0.0, 0.0));
        assert_eq!(features[25..], [0.4, 0.0, 0.0]);
    }

    /// In a corner between two detectives every step ends beside one of them.
    #[test]
    fn a_corner_without_a_safe_step() {
        let features = read("grid-5x5-2", r#"{"mr_x":1,"detectives":[3,11]}"#);
        assert_eq!(features[9..14], [2.0 / 8.0, 0.0, 0.0, 0.0, 1.0]);
    }

    /// The first move of the London game: nothing is revealed before his third move, he is at one of
    /// the start cards, and station 132 has taxis only.
    #[test]
    fn the_beginning_on_london() {
        let opening = r#"{"mr_x":132,"detectives":[26,53,94,141,174]}"#;
        let features = read("ravensburger", opening);
        let (game, _) = game("ravensburger");
        let rules = game.rules();
        assert_eq!(features[14], part(rules.limit.into(), 24.0));
        assert_eq!(features[15..17], [3.0 / 8.0, 0.0]);
        let cards = game.mr_x_cards().len() as f32;
        assert_eq!(features[18], 1.0 / cards);
        assert_eq!(features[20..25], [1.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(features[25..], [1.0, 0.0, 0.0]);
    }

    /// A suspicion that is equal for all candidates is none; one that is not changes what it should.
    #[test]
    fn suspicion_stands_for_the_candidates() {
        let (game, tables) = game("nijssen");
        let reader = FeatureReader::new(&game, &tables);
        let mut stream = Stream::new(2, "test");
        let state = game.start(&game.draw_opening(stream.rng())).unwrap();
        let view = game.view(&state, Seat::new(0));
        let seen = SimulationState::seen(&game, &view, *state.position());
        let suspected = |by| {
            let SimulationState { position, candidates, .. } = &seen;
            Suspicion::of(&Belief::new(&game, &tables, &view, position, *candidates, by))
        };
        let none = reader.read(&seen, None);
        let equal = reader.read(&seen, Some(&suspected(Determinization::Uniform)));
        for (feature, (none, equal)) in none.into_iter().zip(equal).enumerate() {
            assert!((none - equal).abs() < 1e-4, "{feature}: {none}, {equal}");
        }
        let near = suspected(Determinization::Categories);
        let features = reader.read(&seen, Some(&near));
        let at = near.at(seen.position.mr_x());
        assert!((features[18] - at).abs() < 1e-4, "{} instead of {at}", features[18]);
        assert!(features[17] < none[17], "{} instead of less than {}", features[17], none[17]);
        assert_eq!((&features[..17], &features[20..]), (&none[..17], &none[20..]));
    }

    /// In random games on every preset's board all features are from 0 to 1, and the order of the
    /// detectives does not matter.
    #[test]
    fn features_are_shares_and_detectives_are_interchangeable() {
        for preset in ScotlandYard::PRESETS {
            let (game, tables) = game(preset.name);
            let reader = FeatureReader::new(&game, &tables);
            let mut stream = Stream::new(5, "test");
            for _ in 0..4 {
                let opening = game.draw_opening(stream.rng());
                let state = game.start(&opening).unwrap();
                let candidates = game.candidates(&state).set().iter().collect();
                let position = *state.position();
                let mut state = SimulationState { position, candidates, tracked: true };
                let first = reader.read(&state, None);
                let mut exchanged = opening.clone();
                exchanged.detectives.reverse();
                if opening.detective_tickets.is_none() {
                    let position = *game.start(&exchanged).unwrap().position();
                    let other = SimulationState { position, ..state };
                    assert_eq!(reader.read(&other, None), first, "{}", preset.name);
                }
                while let Some(action) = state.position.random_action(game.arena(), stream.rng()) {
                    state.apply(&tables, game.arena(), action);
                    if state.position.stage() == Stage::MrX {
                        let features = reader.read(&state, None);
                        let is_share = |feature: &f32| (0.0..=1.0).contains(feature);
                        assert!(features.iter().all(is_share), "{}: {features:?}", preset.name);
                    }
                }
            }
        }
    }
}
