//! Beliefs: the probability of Mr. X at each of his candidates, from which determinizations are
//! drawn.

use super::board_tables::BoardTables;
use super::habits::Habits;
use super::mr_x_steps::{Moment, Phase};
use super::station_bits::StationBits;
use super::step_chances::StepChances;
use botyard_engine::Game;
use botyard_engine::random::{Rng, unit};
use botyard_engine::scotland_yard::{
    Kinds, LogView, Pawns, Position, ScotlandYard, StartSet, Station, Step, Ticket, View,
};

/// The way in which a determinization draws Mr. X's station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Determinization {
    /// Every possible station is equally likely.
    Uniform,
    /// By the distance to the nearest detective ([`LIKELIHOOD`]).
    Categories,
    /// By a filter along the log, for a Mr. X who mostly flees from the detectives.
    Fleeing,
    /// By a filter along the log, for a Mr. X who steps as `mcts` does ([`Habits`]).
    Learned,
}

impl Determinization {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, Determinization); 4] = [
        ("uniform", Determinization::Uniform),
        ("categories", Determinization::Categories),
        ("fleeing", Determinization::Fleeing),
        ("learned", Determinization::Learned),
    ];
}

/// The relative likelihood of Mr. X at a station by the number of moves of the nearest detective:
/// 1, 2, 3, 4, and 5 or more.
///
/// From 1,000 games (Nijssen & Winands 2011, "Monte-Carlo Tree Search for the Game of Scotland Yard",
/// by table 3.1 of Belej 2015): the number of times he was in a category over the number of times he could have
/// been.
pub const LIKELIHOOD: [f64; 5] =
    [2454.0 / 12523.0, 9735.0 / 14502.0, 4047.0 / 7491.0, 1109.0 / 2890.0, 344.0 / 1756.0];

/// The probabilities of Mr. X's candidates.
#[derive(Clone, Debug)]
pub struct Belief {
    /// The possible stations and the probability of each, in ascending order.
    stations: Vec<(Station, f64)>,
}

impl Belief {
    /// Computes the belief of detectives with this view and these candidates. `position` is the
    /// present one; Mr. X's station in it is ignored.
    ///
    /// Never empty unless `possible` is.
    pub fn new(
        game: &ScotlandYard,
        tables: &BoardTables,
        view: &View,
        position: &Position,
        possible: StationBits,
        by: Determinization,
    ) -> Belief {
        let weights: Vec<f64> = match by {
            Determinization::Uniform => vec![1.0; tables.stations()],
            Determinization::Categories => {
                // The distances when he made that step, by the tickets held now.
                let then = view.log.last().map_or(*position.pawns(), |last| last.detectives);
                let distances = Chasers::new(position).detective_distances(tables, &then);
                let weight = |station| LIKELIHOOD[category(nearest(&distances, station))];
                game.board().stations().map(weight).collect()
            }
            Determinization::Fleeing => filtered(game, tables, view, position, None),
            Determinization::Learned => {
                let habits = Habits::on(game.rules().board);
                return Belief::by_habits(game, tables, view, position, possible, habits);
            }
        };
        Belief::with_weights(possible, &weights)
    }

    /// As [`Belief::new`], for a Mr. X with these habits.
    pub(crate) fn by_habits(
        game: &ScotlandYard,
        tables: &BoardTables,
        view: &View,
        position: &Position,
        possible: StationBits,
        habits: &Habits,
    ) -> Belief {
        let weights = filtered(game, tables, view, position, Some(habits));
        Belief::with_weights(possible, &weights)
    }

    fn with_weights(possible: StationBits, weights: &[f64]) -> Belief {
        let mut stations: Vec<(Station, f64)> =
            possible.iter().map(|station| (station, weights[station.index()])).collect();
        let sum: f64 = stations.iter().map(|(_, weight)| weight).sum();
        let count = stations.len() as f64;
        for (_, weight) in &mut stations {
            *weight = if sum > 0.0 { *weight / sum } else { 1.0 / count };
        }
        Belief { stations }
    }

    /// Returns the possible stations and the probability of each, in ascending order.
    pub fn stations(&self) -> &[(Station, f64)] {
        &self.stations
    }

    /// Draws a station; `None` if there are no candidates.
    #[inline]
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Station> {
        let (last, others) = self.stations.split_last()?;
        if others.is_empty() {
            return Some(last.0);
        }
        let mut rest = unit(rng);
        for &(station, probability) in others {
            rest -= probability;
            if rest < 0.0 {
                return Some(station);
            }
        }
        Some(last.0)
    }
}

/// Returns the category of a distance, from 0.
pub fn category(moves: u16) -> usize {
    usize::from(moves).clamp(1, LIKELIHOOD.len()) - 1
}

/// The kinds of tickets that each detective holds now.
pub struct Chasers([Kinds; 5]);

impl Chasers {
    /// Returns the kinds that the detectives hold in a position.
    pub fn new(position: &Position) -> Chasers {
        let mut kinds = [Kinds::NONE; 5];
        for detective in position.all_detectives() {
            kinds[detective.index()] = position.tickets_of(detective).kinds();
        }
        Chasers(kinds)
    }

    /// Returns the rows of distances from the detectives' stations.
    pub fn detective_distances<'a>(&self, tables: &'a BoardTables, pawns: &Pawns) -> Vec<&'a [u8]> {
        let placed = pawns.iter().zip(self.0);
        placed.filter_map(|(at, kinds)| Some(tables.row(kinds, at?))).collect()
    }
}

fn nearest(distances: &[&[u8]], station: Station) -> u16 {
    distances.iter().map(|row| u16::from(row[station.index()])).min().unwrap_or(u16::MAX)
}

/// As [`super::board_tables::DetectiveDistances::key`].
fn key(distances: &[&[u8]], station: Station) -> u64 {
    let mut far: Vec<u8> = distances.iter().map(|row| row[station.index()]).collect();
    far.sort_unstable();
    far.iter().fold(0, |key, &moves| key << 8 | u64::from(moves))
}

/// The assumed share of random steps of a fleeing Mr. X.
const AIMLESS: f64 = 0.25;

/// Computes the probability of every station by a filter along the log: Mr. X chose each step by
/// these habits, or fled to where the detectives are farthest.
fn filtered(
    game: &ScotlandYard,
    tables: &BoardTables,
    view: &View,
    position: &Position,
    habits: Option<&Habits>,
) -> Vec<f64> {
    let chasers = Chasers::new(position);
    let mut belief = vec![0.0; tables.stations()];
    // Steps before he was last seen do not matter.
    let seen = view.log.iter().enumerate().rev();
    let seen = seen.filter(|(_, entry)| entry.reveal);
    let seen = seen.filter_map(|(number, entry)| Some((number, entry.station?))).next();
    match seen {
        Some((_, station)) => belief[station.index()] = 1.0,
        None => starts(game, view).iter().for_each(|station| belief[station.index()] = 1.0),
    }
    let first = seen.map_or(0, |(number, _)| number + 1);
    let log = &view.log[first..];
    let mut black =
        usize::from(position.purse().black) + log.iter().filter(|entry| is_black(entry)).count();
    for (number, entry) in view.log.iter().enumerate().skip(first) {
        for station in entry.detectives.stations() {
            belief[station.index()] = 0.0;
        }
        let next = view.log.get(number + 1);
        let is_first_half = match next {
            Some(next) => next.detectives == entry.detectives,
            None => view.second_leg,
        };
        let distances = chasers.detective_distances(tables, &entry.detectives);
        belief = match habits {
            Some(habits) => {
                let phase = Phase::of(game.arena(), number as u16 + 1, is_first_half);
                let possible = belief.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
                let possible = possible.map(|(index, _)| Station::from_index(index)).collect();
                let detectives = &entry.detectives;
                let moment = Moment::new(tables, &distances, detectives, phase, possible);
                let board = game.board();
                let chances = StepChances::new(board, habits, moment, detectives, black > 0);
                after_step(chances, &belief, entry.ticket)
            }
            // The first half of a double move is not a separate flight.
            None => {
                let aimless = if is_first_half { 1.0 } else { AIMLESS };
                after_flight(game, &belief, entry, &distances, aimless)
            }
        };
        black -= usize::from(is_black(entry));
        let sum: f64 = belief.iter().sum();
        if sum > 0.0 {
            belief.iter_mut().for_each(|weight| *weight /= sum);
        }
    }
    belief
}

fn is_black(entry: &LogView) -> bool {
    entry.ticket == Ticket::Black
}

/// Returns the probability of every station after a step with this ticket.
fn after_step(mut chances: StepChances<'_>, before: &[f64], ticket: Ticket) -> Vec<f64> {
    let mut after = vec![0.0; before.len()];
    for (from, &weight) in before.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        chances.each_from(Station::from_index(from), |step, chance| {
            if step.fare.ticket() == ticket {
                after[step.to.index()] += weight * chance;
            }
        });
    }
    after
}

/// Returns the probability of every station after a flight, with this share of random steps.
fn after_flight(
    game: &ScotlandYard,
    before: &[f64],
    entry: &LogView,
    distances: &[&[u8]],
    aimless: f64,
) -> Vec<f64> {
    let mut after = vec![0.0; before.len()];
    let kinds = if is_black(entry) { Kinds::ALL } else { Kinds::FARES };
    let mut options: Vec<&Step> = Vec::new();
    let mut keys: Vec<u64> = Vec::new();
    for (from, &weight) in game.board().stations().zip(before) {
        if weight == 0.0 {
            continue;
        }
        options.clear();
        let steps = game.board().steps(from).iter();
        options
            .extend(steps.filter(|step| kinds.has(step.by) && !entry.detectives.occupy(step.to)));
        keys.clear();
        keys.extend(options.iter().map(|step| key(distances, step.to)));
        let most = keys.iter().max();
        let best = keys.iter().filter(|key| Some(*key) == most).count() as f64;
        let each = weight * aimless / options.len() as f64;
        for (step, key) in options.iter().zip(&keys) {
            if is_black(entry) || step.by.ticket() == entry.ticket {
                let likes = f64::from(u8::from(Some(key) == most));
                after[step.to.index()] += each + weight * (1.0 - aimless) * likes / best;
            }
        }
    }
    after
}

/// Returns the stations at which Mr. X can have started.
fn starts(game: &ScotlandYard, view: &View) -> Vec<Station> {
    match &view.mr_x_starts {
        StartSet::Cards => game.mr_x_cards().to_vec(),
        StartSet::Anywhere => game.board().stations().collect(),
        StartSet::Among(stations) => stations.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::evasion::Evasion;
    use super::*;
    use botyard_engine::{Seat, Stream, Turn};

    /// In games of a fleeing Mr. X against detectives who move at random, every belief is a
    /// distribution over the candidates, and the belief that models his flight gives his true
    /// station a higher probability than the uniform one. (The categories were measured against
    /// detectives who pursue him, and do not fit these games.)
    #[test]
    fn beliefs_are_distributions_and_flight_tells_where_he_is() {
        let game = ScotlandYard::new(ScotlandYard::preset("nijssen").unwrap()).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        let mut stream = Stream::new(1, "test");
        // The sum of the logarithms of the probabilities that each belief gives to his station.
        let mut logs = [0.0; 4];
        for _ in 0..20 {
            let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
            while let Turn::Seat(seat) = game.turn(&state) {
                if seat == Seat::new(1) {
                    let view = game.view(&state, seat);
                    let possible: StationBits = game.candidates_in(&view).set().iter().collect();
                    let position = state.position();
                    for ((_, by), log) in Determinization::ALL.into_iter().zip(&mut logs) {
                        let belief = Belief::new(&game, &tables, &view, position, possible, by);
                        let stations = belief.stations();
                        assert!(stations.iter().map(|(station, _)| *station).eq(possible.iter()));
                        let sum: f64 = stations.iter().map(|(_, probability)| probability).sum();
                        assert!((sum - 1.0).abs() < 1e-9, "{by:?}: {sum}");
                        let there = stations.iter().find(|(s, _)| *s == position.mr_x());
                        *log += there.unwrap().1.max(1e-9).ln();
                        let drawn = belief.draw(stream.rng()).unwrap();
                        assert!(possible.contains(drawn));
                    }
                }
                let position = state.position();
                let action =
                    Evasion::FARTHEST.step(&tables, game.arena(), position, stream.rng()).unwrap();
                game.apply(&mut state, action);
            }
        }
        let [uniform, _, fleeing, _] = logs;
        assert!(uniform < fleeing, "{logs:?}");
    }
}
