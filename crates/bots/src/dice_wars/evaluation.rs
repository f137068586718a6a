//! Evaluations of positions for all players together.

use super::features::{Feature, Features};
use super::network::Network;
use botyard_engine::dice_wars::{Map, Position};
use botyard_engine::{MAX_SEATS, Seat};

/// The probability of each player to win, by seat: numbers from 0 to 1 with the sum 1, or less from
/// evaluations that are no probabilities. Eliminated players have 0.
pub type Shares = [f32; MAX_SEATS];

/// Evaluates positions as if the turn of the player to move were over and its new dice were to
/// come.
pub trait Evaluator {
    /// Checks that it evaluates positions of this game; the default evaluates all.
    ///
    /// # Errors
    ///
    /// If it does not: which games it evaluates, in a sentence.
    fn check(&self, _map: &Map, _position: &Position) -> Result<(), String> {
        Ok(())
    }

    /// Returns the probability of each player to win.
    fn shares(&self, map: &Map, position: &Position) -> Shares;
}

/// Returns the shares of a position with only one player left on the map.
fn only(seat: Seat) -> Shares {
    let mut shares = Shares::default();
    shares[seat.index()] = 1.0;
    shares
}

/// Evaluates by a network with weights learned from games: some under rules with transfers, others
/// under rules without.
#[derive(Clone, Debug)]
pub struct Learned {
    with_transfers: Network,
    without_transfers: Network,
}

impl Learned {
    /// Uses the built-in weights.
    pub fn new() -> Learned {
        Learned {
            with_transfers: Network::with_transfers(),
            without_transfers: Network::without_transfers(),
        }
    }

    /// Uses other weights, under all rules.
    pub fn with(network: Network) -> Learned {
        Learned { with_transfers: network.clone(), without_transfers: network }
    }
}

impl Default for Learned {
    fn default() -> Learned {
        Learned::new()
    }
}

impl Evaluator for Learned {
    fn shares(&self, map: &Map, position: &Position) -> Shares {
        let features = Features::of(map, position);
        if let [seat] = features.on_map[..] {
            return only(seat);
        }
        let mut logits = [0.0; MAX_SEATS];
        let players = features.on_map.len();
        let network = match position.transfers_per_turn() {
            0 => &self.without_transfers,
            _ => &self.with_transfers,
        };
        network.logits(&features.rows[..players], &mut logits[..players]);
        softmax(&features.on_map, &logits)
    }
}

/// Evaluates by the most obvious features, with weights set by hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hand;

/// The weight of each feature in a player's strength.
const HAND_WEIGHTS: &[(Feature, f32)] = &[
    (Feature::Region, 6.0),
    (Feature::Areas, 2.0),
    (Feature::Dice, 4.0),
    (Feature::Income, 2.0),
    (Feature::Reserve, 0.3),
    (Feature::BorderDensity, 1.5),
    (Feature::RegionThreat, -3.0),
    (Feature::SplitThreat, -3.0),
    (Feature::Hinterland, -1.5),
    (Feature::SecondLine, -0.75),
    (Feature::Join, 1.0),
];

impl Evaluator for Hand {
    fn shares(&self, map: &Map, position: &Position) -> Shares {
        let features = Features::of(map, position);
        if let [seat] = features.on_map[..] {
            return only(seat);
        }
        let mut logits = [0.0; MAX_SEATS];
        for (logit, row) in logits.iter_mut().zip(&features.rows).take(features.on_map.len()) {
            *logit =
                HAND_WEIGHTS.iter().map(|&(feature, weight)| weight * row[feature as usize]).sum();
        }
        softmax(&features.on_map, &logits)
    }
}

/// Converts strengths to shares, proportional to their exponentials.
pub(super) fn softmax(on_map: &[Seat], logits: &[f32; MAX_SEATS]) -> Shares {
    let mut shares = Shares::default();
    let most = logits[..on_map.len()].iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (&seat, logit) in on_map.iter().zip(logits) {
        let power = exponential(logit - most);
        shares[seat.index()] = power;
        sum += power;
    }
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

/// Approximates e to the power of a non-positive number, to within about a hundredth. It uses only
/// multiplications, which are the same on every machine; the bot must be so as well.
pub(super) fn exponential(x: f32) -> f32 {
    let mut power = (1.0 + x.max(-40.0) / 1024.0).max(0.0);
    for _ in 0..10 {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::dice_wars::{Deal, Rules, generate_map};
    use botyard_engine::random::Stream;

    #[test]
    fn shares_sum_to_one() {
        let rules = Rules::preset("fair-4").unwrap();
        let (hand, learned) = (Hand, Learned::new());
        let evaluators: [&dyn Evaluator; 2] = [&hand, &learned];
        let mut stream = Stream::new(1, "test");
        for _ in 0..20 {
            let map = generate_map(34, stream.rng());
            let deal = Deal::draw(&map, &rules, stream.rng());
            let position = Position::start(&rules, &deal, Seat::new(0));
            for evaluator in evaluators {
                let shares = evaluator.shares(&map, &position);
                assert!(shares[..4].iter().all(|&share| share > 0.0), "{shares:?}");
                assert_eq!(shares[4..], [0.0; 4]);
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
            }
        }
    }

    #[test]
    fn exponentials() {
        for x in [0.0_f32, -0.1, -1.0, -3.0, -5.0] {
            let (ours, exact) = (exponential(x), x.exp());
            assert!((ours / exact - 1.0).abs() < 0.02, "{x}: {ours}, not {exact}");
        }
        assert!(exponential(-1000.0) >= 0.0);
    }
}
