//! Self-play: games of the bot against itself, as samples. A game is a function of its seed and the
//! evaluation, so that a set of samples can be reproduced.

use super::sample::Sample;
use crate::draughts::DraughtsSearch;
use botyard_engine::Stream;
use botyard_engine::draughts::endgame::{Endgames, Value};
use botyard_engine::draughts::{Colour, Movement, Position, ballots};
use botyard_engine::random::{Rng, below, choose};
use botyard_search::Limits;
use botyard_search::two_sided::{
    Algorithm, DrawRules, Evaluator, Root, Settings, TwoSidedSearcher,
};
use botyard_search::value::MOST_EVALUATION;
use std::sync::Arc;

/// The settings of games.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// The number of nodes per move.
    pub nodes: u64,
    /// The largest number of random plies after the ballot.
    pub random_plies: u32,
}

impl Default for SelfPlay {
    fn default() -> SelfPlay {
        SelfPlay { nodes: 3000, random_plies: 6 }
    }
}

/// A game longer than this is a draw.
const MOST_PLIES: usize = 220;
/// This many plies without a capture or a man's move are a draw.
const QUIET_PLIES: usize = 80;
/// One move in this many is random, so that the games differ.
const RANDOM_MOVE_IN: u32 = 60;

/// Plays the game with this seed and returns its quiet positions. The game ends with the result of
/// the first position that is in the endgame tables.
pub fn play_game<E: Evaluator<Position> + Clone>(
    seed: u64,
    how: &SelfPlay,
    evaluator: &E,
    endgames: Option<&Arc<Endgames>>,
) -> Vec<Sample> {
    let mut stream = Stream::new(seed, "self-play");
    let rng = stream.rng();
    let mut position = opening(rng, how.random_plies);
    let draws = DrawRules { repetition: true, quiet_plies: QUIET_PLIES as u16 };
    // The games of earlier versions' seeds stay what they are.
    let unfinished = false;
    let settings =
        Settings { draws, table_mebibytes: 1, unfinished, ..Settings::new(Algorithm::Mtdf) };
    let game =
        DraughtsSearch::new(Movement::ENGLISH, evaluator.clone()).with_endgames(endgames.cloned());
    let mut searcher = TwoSidedSearcher::new(settings);
    let mut found: Vec<(Position, i16)> = Vec::new();
    // The keys of the positions that can recur, and the number of times each side saw itself
    // winning.
    let mut earlier: Vec<u64> = Vec::new();
    let mut winner = None;
    for _ in 0..MOST_PLIES {
        let moves = position.moves(Movement::ENGLISH);
        if moves.is_empty() {
            winner = Some(position.turn().other());
            break;
        }
        let repeats = earlier.iter().filter(|&&key| key == position.key()).count();
        if repeats >= 2 || earlier.len() >= QUIET_PLIES {
            break;
        }
        if let Some(value) = endgames.and_then(|endgames| endgames.probe(&position)) {
            winner = match value {
                Value::Win(_) => Some(position.turn()),
                Value::Loss(_) => Some(position.turn().other()),
                Value::Draw => None,
            };
            break;
        }
        let root = Root { position, earlier: &earlier };
        let report = searcher.search(&game, &root, &Limits::nodes(how.nodes));
        if report.value.abs() > MOST_EVALUATION {
            winner = Some(if report.value > 0 { position.turn() } else { position.turn().other() });
            break;
        }
        if report.depth > 0 && moves.len() > 1 && !position.can_capture() {
            found.push((position, report.value as i16));
        }
        let is_random = below(rng, RANDOM_MOVE_IN) == 0;
        let best = if is_random { choose(rng, &moves).copied() } else { report.best };
        let Some(mv) = best else { break };
        if position.is_reversible(mv) {
            earlier.push(position.key());
        } else {
            earlier.clear();
        }
        position = position.make(mv);
    }
    let points = |turn: Colour| match winner {
        None => 1,
        Some(winner) if winner == turn => 2,
        Some(_) => 0,
    };
    found
        .into_iter()
        .map(|(position, value)| Sample { position, value, result: points(position.turn()) })
        .collect()
}

fn opening<R: Rng + ?Sized>(rng: &mut R, random_plies: u32) -> Position {
    let ballot = choose(rng, ballots()).expect("there are ballots");
    let mut position = ballot.position;
    for _ in 0..below(rng, random_plies + 1) {
        match choose(rng, &position.moves(Movement::ENGLISH)) {
            Some(&mv) => position = position.make(mv),
            None => break,
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Positional;

    #[test]
    fn a_game_is_a_function_of_its_seed() {
        let how = SelfPlay { nodes: 200, random_plies: 4 };
        let evaluator = Positional::default();
        let game = |seed| play_game(seed, &how, &evaluator, None);
        assert_eq!(game(1), game(1));
        assert_ne!(game(1), game(2));
        for sample in game(1) {
            assert!(!sample.position.can_capture() && sample.result <= 2);
        }
    }
}
