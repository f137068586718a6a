//! The training of Mr. X's habits, for manifests and `botyard train`.

use super::fit::Fit;
use super::fit_habits::fit_habits;
use super::habit_examples::HabitExamples;
use super::steps::{AnyEvaluator, Play, ScotlandYardTraining};
use crate::scotland_yard::Habits;
use crate::training::{Learner, Training};
use crate::weights_file::InvalidWeights;

/// Training of the [habits](Habits) of Mr. X. Games of all generations are played with the built-in
/// networks: habits are what the detectives expect of Mr. X, and do not play.
#[derive(Clone, Copy, Debug)]
pub struct HabitsTraining;

impl Training for HabitsTraining {
    const GAME: &'static str = "scotland-yard-habits";
    const UNIT: &'static str = ScotlandYardTraining::UNIT;
    const HELD_OUT: &'static str = ScotlandYardTraining::HELD_OUT;
    type Play = Play;
    type Fit = Fit;
    type Evaluator = AnyEvaluator;

    fn by_hand() -> AnyEvaluator {
        AnyEvaluator::Learned
    }

    fn named(name: &str) -> Option<AnyEvaluator> {
        ScotlandYardTraining::named(name)
    }

    fn with_weights(bytes: &[u8]) -> Result<AnyEvaluator, InvalidWeights> {
        Habits::from_bytes(bytes)?;
        Ok(AnyEvaluator::Learned)
    }

    fn player(
        how: &Play,
        evaluator: AnyEvaluator,
    ) -> Result<impl Fn(u64) -> Vec<u8> + Sync, String> {
        ScotlandYardTraining::player(how, evaluator)
    }

    fn units(games: &[u8]) -> usize {
        ScotlandYardTraining::units(games)
    }

    fn learner(how: &Fit, _before: Option<&[u8]>) -> Result<impl Learner, String> {
        Ok(HabitsLearner { how: *how, examples: HabitExamples::default() })
    }
}

struct HabitsLearner {
    how: Fit,
    examples: HabitExamples,
}

impl Learner for HabitsLearner {
    fn add(&mut self, file: &[u8]) -> Result<(), String> {
        self.examples.add_file(file)
    }

    fn positions(&self) -> usize {
        self.examples.len()
    }

    fn epochs(&self) -> u32 {
        self.how.epochs
    }

    fn fit(&self, report: &mut dyn FnMut(u32, f64)) -> Vec<u8> {
        fit_habits(&self.examples, &self.how, report).to_bytes()
    }
}
