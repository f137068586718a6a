//! What simulated detectives think of where Mr. X is: a weight for each station. It moves along with
//! the tickets that he shows, by the chances of his steps at the root of the search.

use super::belief::{Belief, Chasers};
use super::board_tables::BoardTables;
use super::habits::Habits;
use super::mr_x_steps::{Moment, Phase};
use super::simulation_state::SimulationState;
use super::station_bits::StationBits;
use super::step_chances::StepChances;
use botyard_engine::random::{Rng, unit};
use botyard_engine::scotland_yard::{Action, Arena, ScotlandYard, Station, Ticket};

/// A weight for each station. They add up to at most 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspicion([f32; StationBits::MOST]);

impl Suspicion {
    /// Makes the suspicion of a belief.
    pub(super) fn of(belief: &Belief) -> Suspicion {
        let mut weights = [0.0; StationBits::MOST];
        for &(station, probability) in belief.stations() {
            weights[station.index()] = probability as f32;
        }
        Suspicion(weights)
    }

    /// Returns the weight of a station.
    #[inline]
    pub fn at(&self, station: Station) -> f32 {
        self.0[station.index()]
    }

    /// Returns the sum of the weights of these stations.
    #[inline]
    pub fn sum(&self, among: StationBits) -> f32 {
        among.iter().map(|station| self.at(station)).sum()
    }

    /// Draws one of these stations by its weight; `None` if there are none.
    #[inline]
    pub fn draw<R: Rng + ?Sized>(&self, among: StationBits, rng: &mut R) -> Option<Station> {
        let mut rest = unit(rng) as f32 * self.sum(among);
        let mut last = None;
        for station in among.iter() {
            last = Some(station);
            rest -= self.at(station);
            if rest < 0.0 {
                break;
            }
        }
        last
    }
}

/// The steps of Mr. X from every station, with their chances.
#[derive(Debug)]
pub(super) struct Transitions {
    /// By station: where its steps begin.
    first: Vec<usize>,
    steps: Vec<(Station, Ticket, f32)>,
}

impl Transitions {
    /// Computes the chances with the detectives where they are in this state.
    pub(super) fn new(
        game: &ScotlandYard,
        tables: &BoardTables,
        state: &SimulationState,
        habits: &Habits,
    ) -> Transitions {
        let SimulationState { position, candidates, .. } = state;
        let distances = Chasers::new(position).detective_distances(tables, position.pawns());
        let phase = Phase::of(game.arena(), position.x_moves() + 1, false);
        let moment = Moment::new(tables, &distances, position.pawns(), phase, *candidates);
        let (board, has_black) = (game.board(), position.purse().black > 0);
        let mut chances = StepChances::new(board, habits, moment, position.pawns(), has_black);
        let (mut first, mut steps) = (vec![0], Vec::new());
        for from in board.stations() {
            chances.each_from(from, |step, chance| {
                steps.push((step.to, step.fare.ticket(), chance as f32));
            });
            first.push(steps.len());
        }
        Transitions { first, steps }
    }

    /// Updates the suspicion of detectives before an action, which is legal in this state.
    #[inline]
    pub(super) fn advance(
        &self,
        suspicion: &mut Suspicion,
        state: &SimulationState,
        arena: &Arena,
        action: Action,
    ) {
        let (ticket, to) = match action {
            Action::Detective { to, .. } => {
                suspicion.0[to.index()] = 0.0;
                return;
            }
            Action::MrX { ticket, to, .. } => (ticket, to),
        };
        let mut after = [0.0; StationBits::MOST];
        if arena.reveals(state.position.x_moves() + 1) {
            after[to.index()] = 1.0;
        } else {
            for from in state.candidates.iter() {
                let weight = suspicion.at(from);
                for (to, by, chance) in
                    &self.steps[self.first[from.index()]..self.first[from.index() + 1]]
                {
                    if *by == ticket {
                        after[to.index()] += weight * chance;
                    }
                }
            }
            for station in state.position.pawns().stations() {
                after[station.index()] = 0.0;
            }
        }
        suspicion.0 = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::scotland_yard::Stage;
    use botyard_engine::{Game, Seat, Stream, Turn};

    /// In random games, what simulated detectives think after a hidden step is what the detectives
    /// compute from their view of it.
    #[test]
    fn simulated_detectives_think_what_the_detectives_will_think() {
        let game = ScotlandYard::new(ScotlandYard::preset("ravensburger").unwrap()).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        let habits = Habits::on(game.rules().board);
        let mut stream = Stream::new(1, "test");
        let mut compared = 0;
        for _ in 0..10 {
            let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
            while let Turn::Seat(seat) = game.turn(&state) {
                let position = *state.position();
                let action = position.random_action(game.arena(), stream.rng()).unwrap();
                let number = position.x_moves() + 1;
                let is_compared = matches!(action, Action::MrX { double: false, .. })
                    && position.stage() == Stage::MrX
                    && !game.arena().reveals(number);
                if !is_compared {
                    game.apply(&mut state, action);
                    continue;
                }
                let believed = |state: &_, seat| {
                    let view = game.view(state, seat);
                    let seen = SimulationState::seen(&game, &view, *state.position());
                    let SimulationState { position, candidates, .. } = seen;
                    (seen, Belief::by_habits(&game, &tables, &view, &position, candidates, habits))
                };
                let (seen, before) = believed(&state, seat);
                let mut suspicion = Suspicion::of(&before);
                let transitions = Transitions::new(&game, &tables, &seen, habits);
                transitions.advance(&mut suspicion, &seen, game.arena(), action);
                game.apply(&mut state, action);
                let (seen, after) = believed(&state, Seat::new(1));
                let sum = suspicion.sum(seen.candidates);
                for &(station, probability) in after.stations() {
                    let ours = f64::from(suspicion.at(station) / sum);
                    assert!((ours - probability).abs() < 1e-4, "{number}: {ours}, {probability}");
                }
                compared += 1;
            }
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn stations_are_drawn_by_their_weights() {
        let mut suspicion = Suspicion([0.0; StationBits::MOST]);
        let stations = [3, 70, 200].map(Station::from_index);
        for (station, weight) in stations.into_iter().zip([0.2, 0.6, 0.2]) {
            suspicion.0[station.index()] = weight;
        }
        let mut stream = Stream::new(1, "test");
        let all = stations.into_iter().collect();
        assert_eq!((suspicion.sum(all) * 10.0).round(), 10.0);
        let drawn: Vec<Station> =
            (0..1000).map(|_| suspicion.draw(all, stream.rng()).unwrap()).collect();
        let count = |station| drawn.iter().filter(|&&one| one == station).count();
        assert!((550..650).contains(&count(stations[1])), "{}", count(stations[1]));
        assert!((160..240).contains(&count(stations[0])), "{}", count(stations[0]));
        let unlikely: StationBits = [Station::from_index(5)].into_iter().collect();
        assert_eq!(suspicion.draw(unlikely, stream.rng()), Some(Station::from_index(5)));
        assert_eq!(suspicion.draw(StationBits::default(), stream.rng()), None);
    }
}
