//! The network of Doležel et al. (2021, chapter 5): from a board as a vector of numbers
//! ([`board_vector`]) to the probability of each of four players to win. It is trained by
//! `sdk/python/examples/train_board_network.py`.
//!
//! The report says that its layers were chosen by experiments, and not what they are. Here two
//! hidden layers of rectified linear units are followed by a softmax over the players on the map.

use super::evaluation::{Evaluator, Shares, softmax};
use super::network::{multiply_add, section};
use crate::weights_file::{InvalidWeights, Kind};
use arrayvec::ArrayVec;
use botyard_engine::dice_wars::board_vector::{self, LENGTH, PLAYERS};
use botyard_engine::dice_wars::{Map, Position};
use botyard_engine::{MAX_SEATS, Seat};

/// The units of the first hidden layer.
const FIRST: usize = 64;
/// The units of the second hidden layer.
const SECOND: usize = 32;

// The offsets of the parts. The weights of one input of a layer are contiguous.
const FIRST_BIAS: usize = LENGTH * FIRST;
const SECOND_LAYER: usize = FIRST_BIAS + FIRST;
const SECOND_BIAS: usize = SECOND_LAYER + FIRST * SECOND;
const OUT: usize = SECOND_BIAS + SECOND;
const OUT_BIAS: usize = OUT + SECOND * PLAYERS;
const WEIGHTS: usize = OUT_BIAS + PLAYERS;

pub(super) const FILE: Kind = Kind {
    magic: b"bydwnet",
    game: "dice-wars",
    writer: "sdk/python/examples/train_board_network.py",
    weights: WEIGHTS,
    bytes_each: 4,
};

static BUILT_IN: &[u8] = include_bytes!("board-network.bin");

/// Evaluates the boards of games of four players on 34 areas.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardNetwork {
    weights: Box<[f32]>,
}

impl BoardNetwork {
    /// Returns the network with the built-in weights.
    ///
    /// # Panics
    ///
    /// Never: a test holds the weights to the network.
    pub fn built_in() -> BoardNetwork {
        BoardNetwork::from_bytes(BUILT_IN)
            .expect("the weights in the source are of this network, as a test checks")
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    ///
    /// If the bytes are of another kind or another network, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<BoardNetwork, InvalidWeights> {
        let words = FILE.read(bytes)?.as_chunks::<4>().0;
        Ok(BoardNetwork { weights: words.iter().map(|&word| f32::from_le_bytes(word)).collect() })
    }

    /// Computes the strength of each player before the softmax. Most inputs are 0, and not visited.
    fn logits(&self, map: &Map, position: &Position) -> [f32; PLAYERS] {
        let mut first: [f32; FIRST] = section(&self.weights, FIRST_BIAS);
        let (rows, _) = self.weights[..FIRST_BIAS].as_chunks::<FIRST>();
        let neighbours = map.all().iter().map(|area| map.neighbours(area));
        board_vector::for_each_adjacency(neighbours, |place| add(&rows[place], 1, &mut first));
        for area in map.all() {
            let owner = position.owner(area).index() as u8 + 1;
            add(&rows[board_vector::owner(area)], owner, &mut first);
            add(&rows[board_vector::dice(area)], position.dice(area), &mut first);
        }
        let mut second: [f32; SECOND] = section(&self.weights, SECOND_BIAS);
        let first = first.map(|unit| unit.max(0.0));
        multiply_add(&first, &self.weights[SECOND_LAYER..SECOND_BIAS], &mut second);
        let mut logits: [f32; PLAYERS] = section(&self.weights, OUT_BIAS);
        let (rows, _) = self.weights[OUT..OUT_BIAS].as_chunks::<PLAYERS>();
        for (unit, row) in second.iter().zip(rows) {
            for (logit, weight) in logits.iter_mut().zip(row) {
                *logit += unit.max(0.0) * weight;
            }
        }
        logits
    }
}

/// Adds the weighted input to each unit.
#[inline(always)]
fn add(row: &[f32; FIRST], input: u8, units: &mut [f32; FIRST]) {
    let input = f32::from(input);
    for (unit, weight) in units.iter_mut().zip(row) {
        *unit += input * weight;
    }
}

impl Evaluator for BoardNetwork {
    fn check(&self, map: &Map, position: &Position) -> Result<(), String> {
        board_vector::check(position.players(), map.areas())
            .map_err(|error| format!("option eval: {error}"))
    }

    /// Players off the map have no share, whatever the network says.
    fn shares(&self, map: &Map, position: &Position) -> Shares {
        let all = self.logits(map, position);
        let on_map: ArrayVec<Seat, PLAYERS> =
            Seat::all(PLAYERS).filter(|&seat| position.is_on_map(seat)).collect();
        let mut logits = [0.0; MAX_SEATS];
        for (logit, seat) in logits.iter_mut().zip(&on_map) {
            *logit = all[seat.index()];
        }
        softmax(&on_map, &logits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::Stream;
    use botyard_engine::dice_wars::{Deal, Rules, generate_map};

    fn start() -> (Map, Position) {
        let rules = Rules::preset("sui-2021").unwrap();
        let mut stream = Stream::new(1, "test");
        let map = generate_map(34, stream.rng());
        let deal = Deal::draw(&map, &rules, stream.rng());
        let position = Position::start(&rules, &deal, Seat::new(0));
        (map, position)
    }

    /// Weights by their index, small enough that all digits count.
    fn network() -> BoardNetwork {
        let weight = |index: usize| ((index * 7919) % 1009) as f32 / 20_000.0 - 0.025;
        BoardNetwork { weights: (0..WEIGHTS).map(weight).collect() }
    }

    #[test]
    fn zeros_need_no_visit() {
        let (map, position) = start();
        let mut inputs = [0.0; LENGTH];
        let neighbours = map.all().iter().map(|area| map.neighbours(area));
        board_vector::for_each_adjacency(neighbours, |place| inputs[place] = 1.0);
        for area in map.all() {
            inputs[board_vector::owner(area)] = (position.owner(area).index() + 1) as f32;
            inputs[board_vector::dice(area)] = f32::from(position.dice(area));
        }
        let weights = network().weights;
        let layer = |inputs: &[f32], begin: usize, units: usize| -> Vec<f32> {
            let bias = begin + inputs.len() * units;
            let sum = |unit: usize| -> f32 {
                let at = |input: usize| inputs[input] * weights[begin + input * units + unit];
                (0..inputs.len()).map(at).sum::<f32>() + weights[bias + unit]
            };
            (0..units).map(sum).collect()
        };
        let rectified =
            |units: Vec<f32>| -> Vec<f32> { units.into_iter().map(|unit| unit.max(0.0)).collect() };
        let first = rectified(layer(&inputs, 0, FIRST));
        let second = rectified(layer(&first, SECOND_LAYER, SECOND));
        let expected = layer(&second, OUT, PLAYERS);
        for (logit, expected) in network().logits(&map, &position).iter().zip(&expected) {
            assert!((logit - expected).abs() < 1e-4, "{logit}, not {expected}");
        }
    }

    #[test]
    fn the_built_in_weights_give_shares_of_games_of_its_size() {
        let (map, position) = start();
        let network = BoardNetwork::built_in();
        assert_eq!(network.check(&map, &position), Ok(()));
        let shares = network.shares(&map, &position);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
        assert_eq!(shares[4..], [0.0; 4]);
        let small = generate_map(20, Stream::new(1, "test").rng());
        let error = network.check(&small, &position).unwrap_err();
        assert!(error.contains("got 4 players on 20 areas"), "{error}");
    }
}
