//! Self-play: games of the bot against itself, as samples. A game is a function of its seed and the
//! evaluation, so that a set of samples can be reproduced.

use super::sample::Sample;
use botyard_bots::draughts::DraughtsSearch;
use botyard_engine::Stream;
use botyard_engine::draughts::endgame::{Endgames, Value};
use botyard_engine::draughts::{Bitboard, Colour, Movement, Placement, Position, ballots};
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
    /// The percentage of the games that begin from a random position with few pieces and kings
    /// instead of a ballot, 0 to 100.
    pub scattered: u32,
    /// One move in this many is random, so that the games differ; 0 for none. A random move often
    /// decides a game, so the results of the positions before it say less.
    pub random_in: u32,
}

impl Default for SelfPlay {
    fn default() -> SelfPlay {
        SelfPlay { nodes: 3000, random_plies: 6, scattered: 0, random_in: 60 }
    }
}

/// A game longer than this is a draw.
const MOST_PLIES: usize = 220;
/// This many plies without a capture or a man's move are a draw.
const QUIET_PLIES: usize = 80;

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
    // Without such games nothing is drawn: the games of earlier manifests stay what they are.
    let is_scattered = how.scattered > 0 && below(rng, 100) < how.scattered;
    let mut position = if is_scattered { scattered(rng) } else { opening(rng, how.random_plies) };
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
        let is_random = how.random_in > 0 && below(rng, how.random_in) == 0;
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

/// Draws a quiet position of 5 to 14 pieces on random squares, as many on both sides or one more on
/// one of them, each a king with a probability of one third: endings that games from ballots come to
/// with other men and fewer kings.
fn scattered<R: Rng + ?Sized>(rng: &mut R) -> Position {
    loop {
        let pieces = 5 + below(rng, 10);
        let first = below(rng, 2);
        let (mut men, mut kings, mut taken) = ([0_u32; 2], [0_u32; 2], 0_u32);
        for piece in 0..pieces {
            let side = ((first + piece) % 2) as usize;
            // Men are not on the last row, where they would be kings.
            let last_row: u32 = [0xf000_0000, 0x0000_000f][side];
            let is_king = below(rng, 3) == 0;
            let square = loop {
                let square = 1 << below(rng, 32);
                if square & taken == 0 && (is_king || square & last_row == 0) {
                    break square;
                }
            };
            taken |= square;
            if is_king { kings[side] |= square } else { men[side] |= square }
        }
        let turn = Colour::ALL[below(rng, 2) as usize];
        let [men, kings] = [men, kings].map(|sides| sides.map(Bitboard::from_numbered));
        if let Ok(position) = Position::try_from(Placement { turn, men, kings })
            && position.can_move()
            && !position.can_capture()
            && !position.is_threatened()
        {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_bots::draughts::Positional;

    #[test]
    fn a_game_is_a_function_of_its_seed() {
        let how = SelfPlay { nodes: 200, random_plies: 4, ..SelfPlay::default() };
        let evaluator = Positional::default();
        let game = |seed| play_game(seed, &how, &evaluator, None);
        assert_eq!(game(1), game(1));
        assert_ne!(game(1), game(2));
        for sample in game(1) {
            assert!(!sample.position.can_capture() && sample.result <= 2);
        }
    }
    #[test]
    fn scattered_positions_are_quiet_and_have_kings() {
        let mut stream = Stream::new(1, "scattered");
        let mut kings = 0;
        for _ in 0..200 {
            let position = scattered(stream.rng());
            let board = position.board();
            let [black, white] = Colour::ALL.map(|side| board.of(side).len());
            assert!((5..=14).contains(&(black + white)) && black.abs_diff(white) <= 1);
            assert!(!position.can_capture() && !position.is_threatened() && position.can_move());
            let crowned = board.kings(Colour::Black) | board.kings(Colour::White);
            kings += usize::from(!crowned.is_empty());
        }
        assert!(kings > 150, "{kings} of 200");
    }

    #[test]
    fn a_share_of_the_games_begins_from_scattered_positions() {
        let how = SelfPlay { nodes: 200, random_plies: 4, scattered: 50, ..SelfPlay::default() };
        let evaluator = Positional::default();
        let games = (0..20).map(|seed| play_game(seed, &how, &evaluator, None));
        let pieces =
            |game: Vec<Sample>| game.first().map(|first| 32 - first.position.board().empty().len());
        let from_ballots = games.filter_map(pieces).filter(|&pieces| pieces > 14).count();
        assert!((3..18).contains(&from_ballots), "{from_ballots} of 20");
    }
}
