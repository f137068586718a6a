//! The training of Mr. X's habits, for manifests and `botyard train`.

use super::example_set::ExampleLearner;
use super::fit::Fit;
use super::habit_examples::HabitExample;
use super::self_play::SelfPlay;
use super::steps::{AnyEvaluator, Play, ScotlandYardTraining, player};
use crate::{Learner, Training};
use botyard_bots::InvalidWeights;
use botyard_bots::scotland_yard::Habits;

/// Training of the [habits](Habits) of Mr. X. The built-in networks judge playouts in the games of all
/// generations. From the second one on, the detectives expect the habits of the previous generation,
/// and so does Mr. X of what they expect.
#[derive(Clone, Copy, Debug)]
pub struct HabitsTraining;

impl Training for HabitsTraining {
    const GAME: &'static str = "scotland-yard-habits";
    const UNIT: &'static str = ScotlandYardTraining::UNIT;
    const HELD_OUT: &'static str = ScotlandYardTraining::HELD_OUT;
    type Play = Play;
    type Fit = Fit;
    type Evaluator = Option<Habits>;

    fn by_hand() -> Option<Habits> {
        None
    }

    fn named(_name: &str) -> Option<Option<Habits>> {
        None
    }

    fn with_weights(bytes: &[u8]) -> Result<Option<Habits>, InvalidWeights> {
        Habits::from_bytes(bytes).map(Some)
    }

    fn player(
        how: &Play,
        habits: Option<Habits>,
    ) -> Result<impl Fn(u64) -> Vec<u8> + Sync, String> {
        let settings = how.settings()?;
        if habits.is_none() && settings.plays.iter().any(|play| play.uses_habits()) {
            return Err(concat!(
                "there are no habits before the first generation: expected mr-x without ",
                "playout = \"believing\" or \"mixed\", and detectives without determinization = \"learned\""
            )
            .into());
        }
        let settings = SelfPlay { habits, ..settings };
        Ok(player(settings, how.cutoff, AnyEvaluator::Learned))
    }

    fn units(games: &[u8]) -> usize {
        ScotlandYardTraining::units(games)
    }

    fn learner(how: &Fit, _before: Option<&[u8]>) -> Result<impl Learner, String> {
        Ok(ExampleLearner::<HabitExample>::new(*how))
    }
}
