//! Logistic regression by Adam (Kingma and Ba 2015): finds the weights that best predict the result
//! of the side to move.

use super::sample::Sample;
use crate::draughts::features::{FEATURES, Features, KINGS_FEATURE, MEN_FEATURE};
use crate::draughts::learned::{FRACTION, PHASES, Weight, phase, to_bytes};
use botyard_engine::Stream;
use botyard_engine::random::shuffle;
use serde::Deserialize;

/// The settings of a fit.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Fit {
    /// The number of passes over all samples.
    pub epochs: u32,
    /// The size of a step.
    pub rate: f32,
    /// The weight of the game's result against the search value in the target, 0 to 1.
    pub result_share: f32,
    /// The search value with which 73% of the points (e / (1 + e)) are expected.
    pub scale: f32,
    /// The weight decay.
    pub decay: f32,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { epochs: 10, rate: 0.001, result_share: 0.5, scale: 90.0, decay: 1e-5 }
    }
}

/// One sample in this many is held out for validation.
const CHECK_IN: usize = 20;

/// A sample as a training example.
struct Example {
    /// The phase of the game: 0 for an empty board, 1 for a full one.
    phase: f32,
    target: f32,
    /// The range of its features.
    features: std::ops::Range<usize>,
}

/// Fits weights, reports the mean error (cross-entropy, in nats) on held-out samples after each
/// epoch, and returns a file of the weights.
pub fn fit(samples: &[Sample], how: &Fit, mut report: impl FnMut(u32, f64)) -> Vec<u8> {
    let extractor = Features::new();
    let mut features: Vec<(u32, i16)> = Vec::new();
    let mut examples: Vec<Example> = Vec::with_capacity(samples.len());
    for sample in samples {
        let begin = features.len();
        extractor.for_each(&sample.position, |feature, value| {
            if value != 0 {
                features.push((feature as u32, value as i16));
            }
        });
        let searched = sigmoid(f32::from(sample.value) / how.scale);
        let result = f32::from(sample.result) / 2.0;
        examples.push(Example {
            phase: phase(&sample.position) as f32 / PHASES as f32,
            target: how.result_share * result + (1.0 - how.result_share) * searched,
            features: begin..features.len(),
        });
    }
    let mut weights = vec![[0.0_f32; 2]; FEATURES];
    weights[MEN_FEATURE] = [1.0; 2];
    weights[KINGS_FEATURE] = [1.4; 2];
    let mut moments = vec![[[0.0_f32; 2]; 2]; FEATURES];
    let mut order: Vec<u32> = (0..examples.len() as u32).filter(|n| !is_check(*n)).collect();
    let mut stream = Stream::new(1, "fit");
    for epoch in 0..how.epochs {
        shuffle(stream.rng(), &mut order);
        // The step size decreases to 0.
        let done = std::f32::consts::PI * epoch as f32 / how.epochs as f32;
        let rate = how.rate * 0.5 * (1.0 + libm::cosf(done));
        for &number in &order {
            let example = &examples[number as usize];
            let features = &features[example.features.clone()];
            let slope = predict(example, features, &weights) - example.target;
            let parts = [example.phase, 1.0 - example.phase];
            for &(feature, value) in features {
                let (weight, moments) =
                    (&mut weights[feature as usize], &mut moments[feature as usize]);
                for part in 0..2 {
                    let gradient =
                        slope * f32::from(value) * parts[part] + how.decay * weight[part];
                    let [first, second] = &mut moments[part];
                    *first += 0.1 * (gradient - *first);
                    *second += 0.001 * (gradient * gradient - *second);
                    weight[part] -= rate * *first / (second.sqrt() + 1e-4);
                }
            }
        }
        let (mut error, mut count) = (0.0, 0);
        for number in (0..examples.len() as u32).filter(|n| is_check(*n)) {
            let example = &examples[number as usize];
            let p = f64::from(predict(example, &features[example.features.clone()], &weights));
            let target = f64::from(example.target);
            error -= target * p.max(1e-9).ln() + (1.0 - target) * (1.0 - p).max(1e-9).ln();
            count += 1;
        }
        report(epoch + 1, error / f64::from(count.max(1)));
    }
    let man = (weights[MEN_FEATURE][0] + weights[MEN_FEATURE][1]) / 2.0;
    let points = 100.0 * FRACTION as f32 / man;
    let rounded: Vec<Weight> =
        weights.iter().map(|parts| parts.map(|weight| (weight * points).round() as i16)).collect();
    to_bytes(&rounded)
}

fn is_check(number: u32) -> bool {
    (number as usize).is_multiple_of(CHECK_IN)
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

fn predict(example: &Example, features: &[(u32, i16)], weights: &[[f32; 2]]) -> f32 {
    let (mut full, mut empty) = (0.0, 0.0);
    for &(feature, value) in features {
        let [on_full, on_empty] = weights[feature as usize];
        full += on_full * f32::from(value);
        empty += on_empty * f32::from(value);
    }
    sigmoid(full * example.phase + empty * (1.0 - example.phase))
}
