//! The fit of the network to the ends of games: gradient descent on the cross-entropy of both
//! chances.

use super::descent::{descend, draw_first};
use super::examples::{EndExample, Examples};
use botyard_bots::scotland_yard::network::{Network, UNITS};
use botyard_bots::scotland_yard::weights::Weights;
use botyard_bots::scotland_yard::{Chance, FEATURES};
use botyard_engine::Stream;
use serde::Deserialize;

/// The settings of a fit: the options of `botyard train scotland-yard fit`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Fit {
    /// The number of passes over all positions.
    pub epochs: u32,
    /// The size of the first steps.
    pub rate: f32,
    /// The seed of the first weights and of the order of the positions.
    pub seed: u64,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { epochs: 20, rate: 0.003, seed: 1 }
    }
}

/// Fits weights to examples, reports the mean [`error`] on held-out games after each epoch, and
/// returns the network.
pub fn fit(examples: &Examples, how: &Fit, mut report: impl FnMut(u32, f64)) -> Network {
    descend(random_network(how.seed), &examples.learned, how, add_gradient, |epoch, network| {
        report(epoch, error(examples, network));
    })
}

/// Returns the mean error of a network on held-out games: the cross-entropy, in nats, of the chance
/// that Mr. X is caught.
pub fn error(examples: &Examples, network: &Network) -> f64 {
    let errors = examples.held_out.iter().map(|example| {
        let predicted = f64::from(network.chance(&example.features).caught);
        let is = f64::from(example.chance.caught);
        let log = |chance: f64| libm::log(chance.max(1e-6));
        -is * log(predicted) - (1.0 - is) * log(1.0 - predicted)
    });
    errors.sum::<f64>() / examples.held_out.len().max(1) as f64
}

fn random_network(seed: u64) -> Network {
    let mut stream = Stream::new(seed, "first weights");
    let mut network = Network::zero();
    network.inputs.iter_mut().for_each(|row| draw_first(&mut stream, row, FEATURES));
    network.outputs.iter_mut().for_each(|row| draw_first(&mut stream, row, UNITS));
    network
}

/// Adds an example's contribution to the gradient of both cross-entropies.
fn add_gradient(network: &Network, example: &EndExample, gradient: &mut Network) {
    let EndExample { features, chance: Chance { caught, early } } = example;
    let units = network.units(features);
    let errors = network.outputs(&units).into_iter().zip([caught, early]);
    let mut unit_slopes = [0.0_f32; UNITS];
    for (output, (predicted, is)) in errors.enumerate() {
        let slope = predicted - is;
        gradient.output_offsets[output] += slope;
        for unit in 0..UNITS {
            gradient.outputs[output][unit] += slope * units[unit];
            if units[unit] > 0.0 {
                unit_slopes[unit] += slope * network.outputs[output][unit];
            }
        }
    }
    for (sum, slope) in gradient.offsets.iter_mut().zip(unit_slopes) {
        *sum += slope;
    }
    for (feature, row) in features.iter().zip(&mut gradient.inputs) {
        for (sum, slope) in row.iter_mut().zip(unit_slopes) {
            *sum += feature * slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::descent::tests::check_slopes;
    use super::super::self_play::play_game;
    use super::super::steps::Play;
    use super::*;

    fn examples() -> Examples {
        let presets = vec!["grid-5x5-2".to_string()];
        let play = Play { presets, iterations: 10, ..Play::default() };
        let how = play.settings().unwrap();
        let mut examples = Examples::default();
        (0..60).for_each(|seed| examples.add(&play_game(seed, &how, None)).unwrap());
        examples
    }

    #[test]
    fn fitting_predicts_better_and_is_repeatable() {
        let examples = examples();
        let how = Fit { epochs: 4, ..Fit::default() };
        let mut errors = vec![error(&examples, &random_network(1))];
        let network = fit(&examples, &how, |_, error| errors.push(error));
        assert!(errors[4] < errors[0], "{errors:?}");
        assert_eq!(network, fit(&examples, &how, |_, _| {}));
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let features = std::array::from_fn(|index| ((index * 7) % 11) as f32 / 11.0);
        let example = EndExample { features, chance: Chance { caught: 1.0, early: 0.4 } };
        let network = random_network(3);
        let mut gradient = Network::zero();
        add_gradient(&network, &example, &mut gradient);
        let error = |network: &Network| {
            let Chance { caught, early } = network.chance(&features);
            let of = |is: f32, predicted: f32| {
                let (is, predicted) = (f64::from(is), f64::from(predicted));
                -is * predicted.ln() - (1.0 - is) * (1.0 - predicted).ln()
            };
            of(1.0, caught) + of(0.4, early)
        };
        let all = network.each().count();
        assert!(check_slopes(&network, &gradient, error) > all / 2);
    }
}
