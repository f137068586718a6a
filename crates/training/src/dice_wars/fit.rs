//! Fits the network to the winners of games: minimizes the cross-entropy between its shares and the
//! winner, by Adam (Kingma and Ba 2015) in small batches.

use super::recorded_game::{RecordedGame, read_games};
use botyard_bots::dice_wars::features::{FEATURES, Features};
use botyard_bots::dice_wars::network::{
    FIRST, FIRST_BIAS, Network, OUT, OWN, SECOND, SECOND_BIAS, TABLE, WEIGHTS, multiply_add,
    section,
};
use botyard_engine::dice_wars::Position;
use botyard_engine::random::{shuffle, unit};
use botyard_engine::{MAX_SEATS, Stream};

/// The settings of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// The number of passes over all examples.
    pub epochs: u32,
    /// The size of the first steps.
    pub rate: f32,
    /// The weight decay.
    pub decay: f32,
    /// The number of examples per step.
    pub batch: usize,
    /// The seed of the first weights and of the order of the examples.
    pub seed: u64,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { epochs: 8, rate: 0.002, decay: 1e-5, batch: 64, seed: 1 }
    }
}

/// One game in this many is held out for validation.
const CHECK_IN: usize = 20;

/// Positions of games, as training examples.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    rows: Vec<[f32; FEATURES]>,
    /// The target of each of these players.
    targets: Vec<f32>,
    /// The index of each example's first player, and the number of its players.
    spans: Vec<(u32, u8)>,
    /// The examples of held-out games.
    checks: Vec<(u32, u8)>,
    games: usize,
}

impl Examples {
    /// Adds the positions of all games in a file: see [`Examples::add`].
    ///
    /// # Errors
    ///
    /// The bytes are not games, or an action of a game is not legal.
    pub(crate) fn add_file(
        &mut self,
        bytes: &[u8],
        one_in: u32,
        guide: Option<(&Network, f32)>,
    ) -> Result<(), String> {
        let games = read_games(bytes).map_err(|error| error.to_string())?;
        games.iter().enumerate().try_for_each(|(index, game)| {
            let added = self.add(game, one_in, guide);
            added.map_err(|error| format!("game {}: {error}", index + 1))
        })
    }

    /// Adds the positions of a game at the ends of recorded turns, one in `one_in`. The target is
    /// the winner; with `guide`, its evaluations of the later positions count as well,
    /// weighted by powers of its factor (Sutton 1988, "Learning to predict by the methods of temporal
    /// differences").
    ///
    /// # Errors
    ///
    /// If an action of the game is not legal.
    pub fn add(
        &mut self,
        game: &RecordedGame,
        one_in: u32,
        guide: Option<(&Network, f32)>,
    ) -> Result<(), String> {
        let mut seen: Vec<Features> = Vec::new();
        let last = game.replay(|position| {
            if game.learns_from(position.to_move()) {
                let features = Features::of(&game.map, position);
                if features.on_map.len() > 1 {
                    seen.push(features);
                }
            }
        })?;
        let is_check = self.games.is_multiple_of(CHECK_IN);
        let mut target = winners(&last);
        for (number, features) in seen.iter().enumerate().rev() {
            let players = features.on_map.len();
            let rows = &features.rows[..players];
            if (number + self.games).is_multiple_of(one_in.max(1) as usize) {
                let span = (self.rows.len() as u32, players as u8);
                self.rows.extend(rows);
                let its = features.on_map.iter().map(|seat| target[seat.index()]);
                if is_check {
                    let won = winners(&last);
                    self.targets.extend(features.on_map.iter().map(|seat| won[seat.index()]));
                    self.checks.push(span);
                } else {
                    self.targets.extend(its);
                    self.spans.push(span);
                }
            }
            if let Some((network, lambda)) = guide {
                let mut logits = [0.0; MAX_SEATS];
                network.logits(rows, &mut logits[..players]);
                let shares = softmax(&logits[..players]);
                target.iter_mut().for_each(|target| *target *= lambda);
                for (seat, share) in features.on_map.iter().zip(shares) {
                    target[seat.index()] += (1.0 - lambda) * share;
                }
            }
        }
        self.games += 1;
        Ok(())
    }

    /// Returns the number of examples.
    pub fn len(&self) -> usize {
        self.spans.len() + self.checks.len()
    }

    /// Returns whether there are no examples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Returns the target of each player: 1 for the winner; the remaining players share it.
fn winners(last: &Position) -> [f32; MAX_SEATS] {
    let mut got = [0.0; MAX_SEATS];
    let left = last.contenders().count() as f32;
    for seat in last.contenders() {
        got[seat.index()] = 1.0 / left;
    }
    got
}

/// Fits weights, reports the mean error (cross-entropy, in nats) on held-out games after each
/// epoch, and returns the network. Starts from `before`, or from random weights if that is `None`.
pub fn fit(
    examples: &Examples,
    how: &Fit,
    before: Option<&Network>,
    mut report: impl FnMut(u32, f64),
) -> Network {
    let mut network = before.cloned().unwrap_or_else(|| random_network(how.seed));
    let mut adam = Adam::new();
    let mut gradient = vec![0.0_f32; WEIGHTS];
    let mut order = examples.spans.clone();
    let mut stream = Stream::new(how.seed, "order of examples");
    for epoch in 0..how.epochs {
        shuffle(stream.rng(), &mut order);
        // The step size decreases to 0.
        let done = epoch as f32 / how.epochs as f32;
        let rate = how.rate * 0.5 * (1.0 + libm::cosf(std::f32::consts::PI * done));
        for batch in order.chunks(how.batch.max(1)) {
            gradient.fill(0.0);
            for &span in batch {
                let (rows, targets) = example(examples, span);
                learn(&network, rows, targets, &mut gradient);
            }
            let share = 1.0 / batch.len() as f32;
            gradient.iter_mut().for_each(|slope| *slope *= share);
            adam.step(&mut network.weights, &gradient, rate, how.decay);
        }
        report(epoch + 1, error(examples, &network));
    }
    network
}

/// Returns the mean error (cross-entropy, in nats) of a network on held-out games.
pub fn error(examples: &Examples, network: &Network) -> f64 {
    let mut sum = 0.0;
    for &span in &examples.checks {
        let (rows, targets) = example(examples, span);
        let mut logits = [0.0; MAX_SEATS];
        network.logits(rows, &mut logits[..rows.len()]);
        let shares = softmax(&logits[..rows.len()]);
        for (share, target) in shares.iter().zip(targets) {
            sum -= f64::from(*target) * f64::from(share.max(1e-6)).ln();
        }
    }
    sum / examples.checks.len().max(1) as f64
}

fn example(examples: &Examples, (begin, count): (u32, u8)) -> (&[[f32; FEATURES]], &[f32]) {
    let range = begin as usize..begin as usize + usize::from(count);
    (&examples.rows[range.clone()], &examples.targets[range])
}

fn softmax(logits: &[f32]) -> [f32; MAX_SEATS] {
    let mut shares = [0.0; MAX_SEATS];
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (share, logit) in shares.iter_mut().zip(logits) {
        *share = libm::expf(logit - most);
        sum += *share;
    }
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// Draws small random weights (He et al. 2015).
fn random_network(seed: u64) -> Network {
    let mut stream = Stream::new(seed, "first weights");
    let mut weights = vec![0.0; WEIGHTS].into_boxed_slice();
    for (begin, end, inputs) in
        [(0, FIRST_BIAS, FEATURES / 2), (OWN, SECOND_BIAS, 2 * FIRST), (OUT, WEIGHTS, SECOND)]
    {
        let most = (6.0 / inputs as f64).sqrt();
        for weight in &mut weights[begin..end] {
            *weight = (most * (2.0 * unit(stream.rng()) - 1.0)) as f32;
        }
    }
    Network { weights }
}

/// Adds this example's contribution to the gradient.
fn learn(network: &Network, rows: &[[f32; FEATURES]], targets: &[f32], gradient: &mut [f32]) {
    let weights = &network.weights;
    let share = 1.0 / rows.len() as f32;
    let mut first = [[0.0_f32; FIRST]; MAX_SEATS];
    let mut table = [0.0_f32; FIRST];
    for (units, row) in first.iter_mut().zip(rows) {
        *units = network.first_layer(row);
        for (mean, unit) in table.iter_mut().zip(units) {
            *mean += share * *unit;
        }
    }
    let mut known: [f32; SECOND] = section(weights, SECOND_BIAS);
    multiply_add(&table, &weights[TABLE..SECOND_BIAS], &mut known);
    let out: [f32; SECOND] = section(weights, OUT);
    let mut second = [[0.0_f32; SECOND]; MAX_SEATS];
    let mut logits = [0.0_f32; MAX_SEATS];
    for player in 0..rows.len() {
        second[player] = known;
        multiply_add(&first[player], &weights[OWN..TABLE], &mut second[player]);
        second[player] = second[player].map(|unit| unit.max(0.0));
        logits[player] = second[player].iter().zip(out).map(|(unit, weight)| unit * weight).sum();
    }
    let shares = softmax(&logits[..rows.len()]);
    let all: f32 = targets.iter().sum();
    let mut first_slopes = [[0.0_f32; FIRST]; MAX_SEATS];
    let mut table_slopes = [0.0_f32; FIRST];
    for player in 0..rows.len() {
        let slope = all * shares[player] - targets[player];
        let mut slopes = [0.0_f32; SECOND];
        for unit in 0..SECOND {
            gradient[OUT + unit] += slope * second[player][unit];
            if second[player][unit] > 0.0 {
                slopes[unit] = slope * out[unit];
                gradient[SECOND_BIAS + unit] += slopes[unit];
            }
        }
        back(&first[player], &slopes, weights, gradient, OWN, &mut first_slopes[player]);
        back(&table, &slopes, weights, gradient, TABLE, &mut table_slopes);
    }
    for player in 0..rows.len() {
        let mut slopes = first_slopes[player];
        for unit in 0..FIRST {
            slopes[unit] += share * table_slopes[unit];
            if first[player][unit] <= 0.0 {
                slopes[unit] = 0.0;
            }
        }
        let bias = &mut gradient[FIRST_BIAS..OWN];
        bias.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        let (parts, _) = gradient[..FIRST_BIAS].as_chunks_mut::<FIRST>();
        for (part, input) in parts.iter_mut().zip(&rows[player]) {
            part.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope * input);
        }
    }
}

/// Backpropagates through one layer: the gradients of its weights, from `begin` on, and of its
/// inputs.
fn back<const IN: usize, const UNITS: usize>(
    inputs: &[f32; IN],
    slopes: &[f32; UNITS],
    weights: &[f32],
    gradient: &mut [f32],
    begin: usize,
    input_slopes: &mut [f32; IN],
) {
    let range = begin..begin + IN * UNITS;
    let (rows, _) = weights[range.clone()].as_chunks::<UNITS>();
    let (sums, _) = gradient[range].as_chunks_mut::<UNITS>();
    for (((input, input_slope), row), sums) in inputs.iter().zip(input_slopes).zip(rows).zip(sums) {
        for ((slope, weight), sum) in slopes.iter().zip(row).zip(sums) {
            *sum += slope * input;
            *input_slope += slope * weight;
        }
    }
}

struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    /// The share of the initial 0 in the moments: 0.9 and 0.999 to the power of the steps.
    beginning: [f32; 2],
}

impl Adam {
    fn new() -> Adam {
        Adam { first: vec![0.0; WEIGHTS], second: vec![0.0; WEIGHTS], beginning: [1.0; 2] }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        let [first, second] = &mut self.beginning;
        *first *= 0.9;
        *second *= 0.999;
        let rate = rate * (1.0 - *second).sqrt() / (1.0 - *first);
        for (((weight, slope), first), second) in
            weights.iter_mut().zip(gradient).zip(&mut self.first).zip(&mut self.second)
        {
            let slope = slope + decay * *weight;
            *first += 0.1 * (slope - *first);
            *second += 0.001 * (slope * slope - *second);
            *weight -= rate * *first / (second.sqrt() + 1e-7);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::play::play_seed;
    use super::super::steps::Play;
    use super::*;
    use botyard_bots::dice_wars::Hand;

    fn examples(guide: Option<(&Network, f32)>) -> Examples {
        let how = Play { planners: 0, ..Play::default() }.settings().unwrap();
        let mut examples = Examples::default();
        for seed in 0..60 {
            examples.add(&play_seed(seed, &how, &Hand), 4, guide).unwrap();
        }
        examples
    }

    #[test]
    fn fitting_foretells_better_and_is_repeatable() {
        let examples = examples(None);
        assert!(!examples.is_empty());
        let how = Fit { epochs: 2, ..Fit::default() };
        let mut errors = vec![error(&examples, &random_network(1))];
        let network = fit(&examples, &how, None, |_, error| errors.push(error));
        assert!(errors[2] < errors[0], "{errors:?}");
        assert_eq!(network, fit(&examples, &how, None, |_, _| {}));
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let examples = examples(Some((&Network::with_transfers(), 0.5)));
        let span = examples.spans[7];
        let (rows, targets) = example(&examples, span);
        assert!((targets.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{targets:?}");
        let network = random_network(3);
        let mut gradient = vec![0.0; WEIGHTS];
        learn(&network, rows, targets, &mut gradient);
        let error = |network: &Network| {
            let mut logits = [0.0; MAX_SEATS];
            network.logits(rows, &mut logits[..rows.len()]);
            let shares = softmax(&logits[..rows.len()]);
            let parts = shares.iter().zip(targets).map(|(share, target)| -target * share.ln());
            f64::from(parts.sum::<f32>())
        };
        for weight in (0..WEIGHTS).step_by(97) {
            let moved = |by: f32| {
                let mut network = network.clone();
                network.weights[weight] += by;
                error(&network)
            };
            let slope = (moved(0.01) - moved(-0.01)) / 0.02;
            let ours = f64::from(gradient[weight]);
            assert!((slope - ours).abs() < 2e-3 + 0.05 * slope.abs(), "{weight}: {slope}, {ours}");
        }
    }
}
