//! Gradient descent by Adam (Kingma and Ba 2015), with weight decay.

use super::fit::Fit;
use botyard_bots::scotland_yard::weights::Weights;
use botyard_engine::Stream;
use botyard_engine::random::{shuffle, unit};

/// The number of examples in a step.
const BATCH: usize = 128;
/// The weight decay.
const DECAY: f32 = 1e-5;

/// Descends from these weights: in each epoch over all examples in a drawn order. `add_slopes` adds
/// an example's contribution to the slopes of the error. After each epoch `report` gets its number
/// and the weights.
pub(super) fn descend<W: Weights, E>(
    mut weights: W,
    examples: &[E],
    how: &Fit,
    add_slopes: impl Fn(&W, &E, &mut W),
    mut report: impl FnMut(u32, &W),
) -> W {
    let mut slopes = W::zero();
    let mut adam = Adam::new(weights.each().count());
    let mut order: Vec<&E> = examples.iter().collect();
    let mut stream = Stream::new(how.seed, "order of examples");
    for epoch in 0..how.epochs {
        shuffle(stream.rng(), &mut order);
        // The step size decreases to 0.
        let done = epoch as f32 / how.epochs as f32;
        let rate = how.rate * 0.5 * (1.0 + libm::cosf(std::f32::consts::PI * done));
        for batch in order.chunks(BATCH) {
            slopes.each_mut().for_each(|slope| *slope = 0.0);
            for example in batch {
                add_slopes(&weights, example, &mut slopes);
            }
            let share = 1.0 / batch.len() as f32;
            let each = weights.each_mut().zip(slopes.each());
            adam.step(each.map(|(weight, slope)| (weight, slope * share)), rate);
        }
        report(epoch + 1, &weights);
    }
    weights
}

/// Draws small random weights of units with this many inputs (He et al. 2015).
pub(super) fn draw_first(stream: &mut Stream, weights: &mut [f32], inputs: usize) {
    let most = (6.0 / inputs as f64).sqrt();
    for weight in weights {
        *weight = (most * (2.0 * unit(stream.rng()) - 1.0)) as f32;
    }
}

/// The moments of the slopes of weights.
struct Adam {
    /// For each weight, the mean of its slopes and that of their squares.
    moments: Vec<[f32; 2]>,
    /// The share of the initial 0 in the moments.
    initial: [f32; 2],
}

impl Adam {
    fn new(weights: usize) -> Adam {
        Adam { moments: vec![[0.0; 2]; weights], initial: [1.0; 2] }
    }

    /// Makes a step of this size. Each weight comes with its slope, in the same order every time.
    fn step<'a>(&mut self, weights: impl Iterator<Item = (&'a mut f32, f32)>, rate: f32) {
        let [in_mean, in_square] = &mut self.initial;
        *in_mean *= 0.9;
        *in_square *= 0.999;
        for ((weight, slope), [mean, square]) in weights.zip(&mut self.moments) {
            let slope = slope + DECAY * *weight;
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            let (mean, square) = (*mean / (1.0 - *in_mean), *square / (1.0 - *in_square));
            *weight -= rate * mean / (square.sqrt() + 1e-7);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Checks every weight that `gradient` has a slope for, and returns how many there are.
    ///
    /// # Panics
    ///
    /// If a slope differs from that of `error` in a small step.
    pub(in super::super) fn check_slopes<W: Weights + Clone>(
        weights: &W,
        gradient: &W,
        error: impl Fn(&W) -> f64,
    ) -> usize {
        let slopes: Vec<f64> = gradient.each().copied().map(f64::from).collect();
        let mut checked = 0;
        for (index, ours) in slopes.into_iter().enumerate().filter(|(_, slope)| *slope != 0.0) {
            let moved = |by: f32| {
                let mut weights = weights.clone();
                *weights.each_mut().nth(index).unwrap() += by;
                error(&weights)
            };
            // A small step, within which no unit begins or ends.
            let slope = (moved(0.001) - moved(-0.001)) / 0.002;
            assert!((slope - ours).abs() < 2e-3 + 0.05 * slope.abs(), "{index}: {slope}, {ours}");
            checked += 1;
        }
        checked
    }
}
