//! Self-play: games of `mcts` against itself. A game is a function of its seed, the settings and the
//! evaluation, so that a set of games can be reproduced.

use super::arena::Arena;
use super::recorded_game::RecordedGame;
use botyard_agent::AgentRng;
use botyard_bots::scotland_yard::{Cutoff, Cutoffs, Habits, Observation, Play, SimulationState};
use botyard_engine::random::{below, choose};
use botyard_engine::scotland_yard::{Action, ScotlandYard, Side, State};
use botyard_engine::{Game, Seat, Stream, Turn};
use botyard_search::Limits;
use botyard_search::mcts::TreeSearcher;
use rand_xoshiro::rand_core::SeedableRng;

/// The settings of games.
#[derive(Debug)]
pub struct SelfPlay {
    /// The rules that a game's are drawn from; at least one.
    pub arenas: Vec<Arena>,
    /// The number of iterations per decision, at least 1.
    pub iterations: u64,
    /// One action in this many is random, so that positions occur that good play avoids; 0 for
    /// none.
    pub random_in: u32,
    /// The bot as Mr. X and as the detectives.
    pub plays: [Play; 2],
    /// What the detectives expect of Mr. X; `None` for the built-in habits.
    pub habits: Option<Habits>,
}

/// The sides, in the order of everything that each side has one of.
pub(super) const SIDES: [Side; 2] = [Side::MrX, Side::Detectives];

/// Plays the game with this seed, with playouts to the end of the game or cut off.
///
/// # Panics
///
/// If there are no rules, or no iterations.
pub fn play_game(seed: u64, how: &SelfPlay, cutoffs: Option<&[Cutoffs; 2]>) -> RecordedGame {
    let mut stream = Stream::new(seed, "self-play of Scotland Yard");
    let arena = choose(stream.rng(), &how.arenas).expect("there are rules to play by");
    let Arena { preset, game, .. } = arena;
    let board = game.rules().board;
    let cutoffs = cutoffs.map(|cutoffs| cutoffs.each_ref().map(|cutoffs| cutoffs.on(board)));
    let opening = game.draw_opening(stream.rng());
    let mut state = game.start(&opening).expect("a drawn opening is valid");
    let mut rng = AgentRng::seed_from_u64(stream.next_seed());
    let mut searches = how.plays.map(|play| TreeSearcher::new(play.settings));
    let mut actions = Vec::new();
    while let Turn::Seat(seat) = game.turn(&state) {
        let is_random = how.random_in > 0 && below(&mut rng, how.random_in) == 0;
        let action = if is_random {
            state.position().random_action(game.arena(), &mut rng)
        } else {
            let side = side_index(ScotlandYard::side(seat));
            let (search, cutoff) = (&mut searches[side], cutoffs.map(|cutoffs| cutoffs[side]));
            search_action(arena, &state, seat, how, cutoff, search, &mut rng)
        };
        let action = action.expect("a seat to move has a legal action");
        game.apply(&mut state, action);
        actions.push(action);
    }
    RecordedGame { preset: preset.clone(), opening, actions }
}

const fn side_index(side: Side) -> usize {
    match side {
        Side::MrX => 0,
        Side::Detectives => 1,
    }
}

/// Returns the best action of a seat by a search from its view, like that of
/// [`MctsAgent`](botyard_bots::scotland_yard::MctsAgent).
fn search_action(
    arena: &Arena,
    state: &State,
    seat: Seat,
    how: &SelfPlay,
    cutoff: Option<&Cutoff>,
    search: &mut TreeSearcher<Observation>,
    rng: &mut AgentRng,
) -> Option<Action> {
    let Arena { game, tables, .. } = arena;
    let (view, side) = (game.view(state, seat), ScotlandYard::side(seat));
    // Mr. X's station is redrawn from the detectives' belief in every iteration of their search.
    let simulated = SimulationState::seen(game, &view, *state.position());
    let play = &how.plays[side_index(side)];
    let habits = how.habits.as_ref().unwrap_or(Habits::on(game.rules().board));
    let simulation = play.simulation(game, tables, &view, simulated, side, habits);
    let simulation = simulation.with_cutoff(cutoff);
    search.search(&simulation, &Limits::iterations(how.iterations), rng).best
}

#[cfg(test)]
mod tests {
    use super::super::steps;
    use super::*;

    /// Also with playouts cut off, every action is legal, and a game is a function of its seed.
    #[test]
    fn a_game_is_a_function_of_its_seed_and_legal() {
        let presets = ["grid-5x5-2", "ravensburger"].map(String::from).to_vec();
        let play = steps::Play { presets, iterations: 12, ..steps::Play::default() };
        let how = play.settings().unwrap();
        let cutoff = SIDES.map(|side| Cutoffs::built_in(0, side));
        for (seed, cutoff) in [(1, None), (2, None), (3, Some(&cutoff)), (4, Some(&cutoff))] {
            let played = play_game(seed, &how, cutoff);
            assert_eq!(play_game(seed, &how, cutoff), played);
            let arena = Arena::new(&played.preset).unwrap();
            let mut state = arena.game.start(&played.opening).unwrap();
            for &action in &played.actions {
                arena.game.check(&state, action).unwrap();
                arena.game.apply(&mut state, action);
            }
            assert!(arena.game.outcome(&state).is_some());
        }
    }
}
