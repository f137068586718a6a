//! Mr. X's steps in recorded games, as examples of his habits.

use super::arena::Arena;
use super::example_set::{Example, ExampleSet};
use super::fit::Fit;
use super::fit_habits::fit_habits;
use super::recorded_game::RecordedGame;
use botyard_bots::scotland_yard::Chasers;
use botyard_bots::scotland_yard::mr_x_steps::{Moment, Phase, StepInputs, StepOption};
use botyard_engine::scotland_yard::{Action, State};

/// The steps that Mr. X could make, and which of them he made.
#[derive(Clone, Debug, PartialEq)]
pub struct HabitExample {
    pub(super) options: Vec<StepInputs>,
    pub(super) chosen: usize,
}

/// Steps of Mr. X where he had a choice, as examples of his habits.
pub type HabitExamples = ExampleSet<HabitExample>;

impl Example for HabitExample {
    fn of_game(arena: &Arena, game: &RecordedGame) -> Result<Vec<HabitExample>, String> {
        let mut examples = Vec::new();
        arena.replay(game, |state, action| examples.extend(example(arena, state, action)))?;
        Ok(examples)
    }

    fn fit(examples: &HabitExamples, how: &Fit, report: &mut dyn FnMut(u32, f64)) -> Vec<u8> {
        fit_habits(examples, how, report).to_bytes()
    }
}

/// Returns the example of an action; `None` if it is not Mr. X's, or the only one.
fn example(arena: &Arena, state: &State, action: Action) -> Option<HabitExample> {
    let Action::MrX { ticket, to, double } = action else { return None };
    let Arena { game, tables, .. } = arena;
    let position = state.position();
    let distances = Chasers::new(position).detective_distances(tables, position.pawns());
    let phase = Phase::of(game.arena(), position.x_moves() + 1, double);
    let candidates = game.candidates(state).set().iter().collect();
    let moment = Moment::new(tables, &distances, position.pawns(), phase, candidates);
    let has_black = position.purse().black > 0;
    let steps: Vec<StepOption> =
        StepOption::all(game.board(), position.mr_x(), position.pawns(), has_black).collect();
    let chosen = steps.iter().position(|step| step.to == to && step.fare.ticket() == ticket)?;
    let inputs = |&step: &StepOption| moment.step(position.mr_x(), step);
    (steps.len() > 1).then(|| HabitExample { options: steps.iter().map(inputs).collect(), chosen })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the middle of a 5x5 grid Mr. X can go to four stations; he went east.
    #[test]
    fn steps_with_a_choice_are_examples() {
        let line = concat!(
            r#"{"preset":"grid-5x5-2","opening":{"mr_x":13,"detectives":[3,11]},"actions":["#,
            r#"{"ticket":"taxi","to":14},{"detective":1,"ticket":"taxi","to":4},"#,
            r#"{"detective":2,"ticket":"taxi","to":12},"#,
            r#"{"ticket":"taxi","to":13},{"detective":1,"ticket":"taxi","to":3},"#,
            r#"{"detective":2,"ticket":"taxi","to":13}]}"#,
            "\n"
        );
        let mut examples = HabitExamples::default();
        examples.add_file(line.as_bytes()).unwrap();
        let made: Vec<(usize, usize)> =
            examples.held_out.iter().map(|one| (one.options.len(), one.chosen)).collect();
        assert_eq!((made, examples.len()), (vec![(4, 2), (4, 1)], 2));
    }
}
