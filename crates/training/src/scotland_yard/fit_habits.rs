//! The fit of [`Habits`] to Mr. X's steps: gradient descent on the mean negative logarithm of the
//! probability of what he did.

use super::descent::{descend, draw_first};
use super::fit::Fit;
use super::habit_examples::{HabitExample, HabitExamples};
use botyard_bots::scotland_yard::Habits;
use botyard_bots::scotland_yard::mr_x_steps::STEP_INPUTS;
use botyard_bots::scotland_yard::weights::Weights;
use botyard_engine::Stream;

/// Fits habits to examples, reports the mean surprise of held-out games after each epoch, and
/// returns the habits.
pub fn fit_habits(examples: &HabitExamples, how: &Fit, mut report: impl FnMut(u32, f64)) -> Habits {
    descend(random_habits(how.seed), &examples.learned, how, add_gradient, |epoch, habits| {
        report(epoch, surprise(examples, habits));
    })
}

/// Returns the mean negative logarithm of the probability of Mr. X's steps in held-out games, in
/// nats.
pub(super) fn surprise(examples: &HabitExamples, habits: &Habits) -> f64 {
    let of = |example: &HabitExample| {
        let likely = probabilities(habits, example)[example.chosen];
        -libm::log(f64::from(likely).max(1e-9))
    };
    examples.held_out.iter().map(of).sum::<f64>() / examples.held_out.len().max(1) as f64
}

/// Draws small random weights.
fn random_habits(seed: u64) -> Habits {
    let mut stream = Stream::new(seed, "first weights");
    let mut habits = Habits::zero();
    habits.rows.iter_mut().for_each(|row| draw_first(&mut stream, row, STEP_INPUTS));
    let units = habits.output.len();
    draw_first(&mut stream, &mut habits.output, units);
    habits
}

/// Returns the probability of every step.
fn probabilities(habits: &Habits, example: &HabitExample) -> Vec<f32> {
    let nothing = habits.sums(&[]);
    let exponents = example.options.iter();
    let exponents = exponents.map(|inputs| habits.exponent(&habits.sums(inputs), &nothing));
    let exponents: Vec<f32> = exponents.collect();
    let most = exponents.iter().copied().fold(f32::MIN, f32::max);
    let likings = exponents.iter().map(|exponent| libm::expf(exponent - most));
    let sum: f32 = likings.clone().sum();
    likings.map(|liking| liking / sum).collect()
}

/// Adds an example's contribution to the gradient of the negative logarithm of the probability.
fn add_gradient(habits: &Habits, example: &HabitExample, gradient: &mut Habits) {
    for (index, probability) in probabilities(habits, example).into_iter().enumerate() {
        let slope = probability - f32::from(u8::from(index == example.chosen));
        let inputs = &example.options[index];
        let mut slopes = habits.output;
        let sums = habits.sums(inputs);
        for ((unit, output), sum) in slopes.iter_mut().zip(&mut gradient.output).zip(sums) {
            *output += slope * sum.max(0.0);
            *unit *= if sum > 0.0 { slope } else { 0.0 };
        }
        for &input in inputs {
            for (sum, slope) in gradient.rows[input].iter_mut().zip(slopes) {
                *sum += slope;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::descent::tests::check_slopes;
    use super::super::self_play::play_game;
    use super::super::steps::Play;
    use super::*;

    fn examples() -> HabitExamples {
        let presets = vec!["ravensburger".to_string()];
        let play = Play { presets, iterations: 10, ..Play::default() };
        let how = play.settings().unwrap();
        let mut examples = HabitExamples::default();
        (0..40).for_each(|seed| examples.add(&play_game(seed, &how, None)).unwrap());
        examples
    }

    #[test]
    fn fitting_predicts_better_and_is_repeatable() {
        let examples = examples();
        let how = Fit { epochs: 4, ..Fit::default() };
        let mut surprises = vec![surprise(&examples, &Habits::zero())];
        let habits = fit_habits(&examples, &how, |_, error| surprises.push(error));
        assert!(surprises[4] < surprises[0], "{surprises:?}");
        assert_eq!(habits, fit_habits(&examples, &how, |_, _| {}));
    }

    #[test]
    fn without_weights_every_step_is_equally_likely() {
        let example = &examples().learned[0];
        let equal = 1.0 / example.options.len() as f32;
        assert_eq!(probabilities(&Habits::zero(), example), vec![equal; example.options.len()]);
    }

    #[test]
    fn slopes_are_those_of_the_surprise() {
        let example = examples().learned.swap_remove(5);
        let habits = random_habits(3);
        let mut gradient = Habits::zero();
        add_gradient(&habits, &example, &mut gradient);
        let of = |habits: &Habits| -f64::from(probabilities(habits, &example)[example.chosen]).ln();
        let checked = check_slopes(&habits, &gradient, of);
        assert!(checked > 100, "{checked}");
    }
}
