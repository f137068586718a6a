//! The fit of the network to samples: gradient descent by Adam (Kingma and Ba 2015) on the
//! cross-entropy of the predicted points of the side to move.

use super::sample::Sample;
use botyard_bots::draughts::features::{INPUTS, for_each_input};
use botyard_bots::draughts::learned::{
    FIRST, FRACTION, ONE, PHASES, SECOND, SECOND_ONE, phase, to_bytes,
};
use botyard_engine::Stream;
use botyard_engine::draughts::Position;
use botyard_engine::random::{Rng, below, shuffle};
use serde::Deserialize;

/// The settings of a fit.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Fit {
    /// The number of passes over all samples.
    pub epochs: u32,
    /// The size of the first steps.
    pub rate: f32,
    /// The weight of the game's result against the search value in the target, 0 to 1.
    pub result_share: f32,
    /// The value, of searches and of the network, with which 73% of the points (e / (1 + e)) are
    /// expected.
    pub scale: f32,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { epochs: 8, rate: 0.003, result_share: 0.5, scale: 120.0 }
    }
}

/// Of this many samples, the last one is held out, in blocks of [`CHECK_BLOCK`]: neighbours are of
/// the same game.
const CHECK_IN: usize = 20;
const CHECK_BLOCK: usize = 1000;

/// The number of samples in a step.
const BATCH: usize = 512;
/// The largest weight of an input: with it, 25 inputs and an offset stay in the range of the
/// network's integers.
const MOST_WEIGHT: f32 = 4.0;

/// The layers after the first in one phase.
#[derive(Clone)]
struct Phase {
    /// By unit of the first layer.
    second: [[f32; SECOND]; FIRST],
    second_offsets: [f32; SECOND],
    last: [f32; SECOND],
    last_offset: f32,
}

/// The network in floating point; also its gradients and their moments.
#[derive(Clone)]
struct Weights {
    inputs: Vec<[f32; FIRST]>,
    first_offsets: [f32; FIRST],
    phases: Vec<Phase>,
}

/// The sums of the units of both hidden layers.
struct Sums {
    first: [f32; FIRST],
    second: [f32; SECOND],
}

/// The inputs of a position that are on.
#[derive(Default)]
struct Inputs {
    phase: usize,
    /// The first [`Inputs::count`] ones.
    inputs: [u16; MOST_ON],
    count: usize,
}

/// The maximum number of inputs that are on: 24 pieces, and who has the move.
const MOST_ON: usize = 25;

impl Inputs {
    /// Sets the inputs to those of a position. They are not kept for all samples, because they are
    /// several times as large and soon found.
    #[inline(always)]
    fn set(&mut self, position: &Position) {
        self.phase = phase(position);
        self.count = 0;
        for_each_input(position, |input| {
            self.inputs[self.count] = input as u16;
            self.count += 1;
        });
    }

    fn on(&self) -> &[u16] {
        &self.inputs[..self.count]
    }
}

impl Weights {
    fn zero() -> Weights {
        let phase = Phase {
            second: [[0.0; SECOND]; FIRST],
            second_offsets: [0.0; SECOND],
            last: [0.0; SECOND],
            last_offset: 0.0,
        };
        Weights {
            inputs: vec![[0.0; FIRST]; INPUTS],
            first_offsets: [0.0; FIRST],
            phases: vec![phase; PHASES],
        }
    }

    /// Returns small random weights, equal in all phases.
    fn random<R: Rng + ?Sized>(rng: &mut R) -> Weights {
        /// Random numbers have this many values.
        const STEPS: u32 = 1 << 20;
        let mut within = |most: f32| most * (2.0 * below(rng, STEPS) as f32 / STEPS as f32 - 1.0);
        let mut weights = Weights::zero();
        weights.inputs.iter_mut().flatten().for_each(|weight| *weight = within(0.2));
        weights.first_offsets = [0.3; FIRST];
        let mut phase = weights.phases[0].clone();
        phase.second.iter_mut().flatten().for_each(|weight| *weight = within(0.2));
        phase.second_offsets = [0.3; SECOND];
        phase.last.iter_mut().for_each(|weight| *weight = within(1.5));
        weights.phases = vec![phase; PHASES];
        weights
    }

    fn each(&mut self) -> impl Iterator<Item = &mut f32> {
        let inputs = self.inputs.iter_mut().flatten().chain(&mut self.first_offsets);
        inputs.chain(self.phases.iter_mut().flat_map(|phase| {
            let second = phase.second.iter_mut().flatten().chain(&mut phase.second_offsets);
            second.chain(&mut phase.last).chain([&mut phase.last_offset])
        }))
    }

    /// Returns the expected points, from 0 to 1, before the logistic function.
    #[inline(always)]
    fn predict(&self, inputs: &Inputs, sums: &mut Sums) -> f32 {
        let phase = &self.phases[inputs.phase];
        sums.first = self.first_offsets;
        for &input in inputs.on() {
            let row = &self.inputs[usize::from(input)];
            sums.first.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        sums.second = phase.second_offsets;
        for (sum, row) in sums.first.iter().zip(&phase.second) {
            let unit = active(*sum);
            sums.second.iter_mut().zip(row).for_each(|(sum, weight)| *sum += unit * weight);
        }
        let last = sums.second.iter().zip(&phase.last);
        last.fold(phase.last_offset, |value, (sum, weight)| value + active(*sum) * weight)
    }

    /// Adds the gradients of a sample, whose prediction is too high by `slope`.
    #[inline(always)]
    fn add_gradients(&mut self, of: &Weights, inputs: &Inputs, sums: &Sums, slope: f32) {
        let (gradients, phase) = (&mut self.phases[inputs.phase], &of.phases[inputs.phase]);
        gradients.last_offset += slope;
        let mut second = [0.0; SECOND];
        for (unit, at_unit) in second.iter_mut().enumerate() {
            gradients.last[unit] += slope * active(sums.second[unit]);
            if is_open(sums.second[unit]) {
                *at_unit = slope * phase.last[unit];
            }
            gradients.second_offsets[unit] += *at_unit;
        }
        let mut first = [0.0; FIRST];
        for (unit, at_unit) in first.iter_mut().enumerate() {
            let before = active(sums.first[unit]);
            let mut sum = 0.0;
            for (after, slope) in second.iter().enumerate() {
                gradients.second[unit][after] += before * slope;
                sum += slope * phase.second[unit][after];
            }
            if is_open(sums.first[unit]) {
                *at_unit = sum;
            }
        }
        self.first_offsets.iter_mut().zip(first).for_each(|(sum, slope)| *sum += slope);
        for &input in inputs.on() {
            let row = &mut self.inputs[usize::from(input)];
            row.iter_mut().zip(first).for_each(|(sum, slope)| *sum += slope);
        }
    }

    /// Returns a file of the weights in integers.
    fn to_bytes(&self, scale: f32) -> Vec<u8> {
        let mut file: Vec<i16> = Vec::new();
        let mut put = |weight: f32, unit: f32| file.push((weight * unit).round() as i16);
        let (one, second_one) = (ONE as f32, SECOND_ONE as f32);
        self.inputs.iter().flatten().for_each(|weight| put(*weight, one));
        self.first_offsets.iter().for_each(|weight| put(*weight, one));
        for phase in &self.phases {
            for unit in 0..SECOND {
                phase.second.iter().for_each(|row| put(row[unit], second_one));
            }
            phase.second_offsets.iter().for_each(|weight| put(*weight, one));
            let points = scale * FRACTION as f32;
            phase.last.iter().for_each(|weight| put(*weight, points));
            put(phase.last_offset, points);
        }
        to_bytes(&file)
    }
}

/// Returns the activation of a unit with this sum.
#[inline(always)]
fn active(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

/// Returns whether the activation depends on the sum.
#[inline(always)]
fn is_open(sum: f32) -> bool {
    sum > 0.0 && sum < 1.0
}

/// Fits weights, reports the mean error (cross-entropy, in nats) on held-out samples after each
/// epoch, and returns a file of the weights.
pub fn fit(samples: &[Sample], how: &Fit, mut report: impl FnMut(u32, f64)) -> Vec<u8> {
    let target = |sample: &Sample| {
        let searched = sigmoid(f32::from(sample.value) / how.scale);
        let result = f32::from(sample.result) / 2.0;
        how.result_share * result + (1.0 - how.result_share) * searched
    };
    let mut inputs = Inputs::default();
    let mut stream = Stream::new(1, "fit");
    let mut weights = Weights::random(stream.rng());
    let [mut gradients, mut means, mut squares] = [(); 3].map(|()| Weights::zero());
    let mut sums = Sums { first: [0.0; FIRST], second: [0.0; SECOND] };
    let mut order: Vec<u32> = (0..samples.len() as u32).filter(|n| !is_check(*n)).collect();
    let steps = order.len().div_ceil(BATCH).max(1) as f32 * how.epochs as f32;
    let mut step = 0.0;
    // How much of the moments is known: they begin with 0.
    let (mut known_mean, mut known_square) = (0.0, 0.0);
    for epoch in 0..how.epochs {
        shuffle(stream.rng(), &mut order);
        for batch in order.chunks(BATCH) {
            gradients.each().for_each(|gradient| *gradient = 0.0);
            for &number in batch {
                let sample = &samples[number as usize];
                inputs.set(&sample.position);
                let predicted = sigmoid(weights.predict(&inputs, &mut sums));
                let slope = predicted - target(sample);
                gradients.add_gradients(&weights, &inputs, &sums, slope);
            }
            // The step size decreases to 0.
            let rate = how.rate * 0.5 * (1.0 + libm::cosf(std::f32::consts::PI * step / steps));
            step += 1.0;
            known_mean += 0.1 * (1.0 - known_mean);
            known_square += 0.001 * (1.0 - known_square);
            let moments = means.each().zip(squares.each());
            for ((weight, gradient), (mean, square)) in
                weights.each().zip(gradients.each()).zip(moments)
            {
                let gradient = *gradient / batch.len() as f32;
                *mean += 0.1 * (gradient - *mean);
                *square += 0.001 * (gradient * gradient - *square);
                *weight -= rate * (*mean / known_mean) / ((*square / known_square).sqrt() + 1e-8);
            }
            let rows = weights.inputs.iter_mut().flatten();
            rows.for_each(|weight| *weight = weight.clamp(-MOST_WEIGHT, MOST_WEIGHT));
        }
        let (mut error, mut count) = (0.0, 0);
        for number in (0..samples.len() as u32).filter(|n| is_check(*n)) {
            let sample = &samples[number as usize];
            inputs.set(&sample.position);
            let value = weights.predict(&inputs, &mut sums);
            let (p, target) = (f64::from(sigmoid(value)), f64::from(target(sample)));
            error -= target * p.max(1e-9).ln() + (1.0 - target) * (1.0 - p).max(1e-9).ln();
            count += 1;
        }
        report(epoch + 1, error / f64::from(count.max(1)));
    }
    weights.to_bytes(how.scale)
}

fn is_check(number: u32) -> bool {
    (number as usize / CHECK_BLOCK) % CHECK_IN == CHECK_IN - 1
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}
