//! Mr. X's steps in recorded games, as examples of his habits.

use super::arena::{Arena, Arenas};
use super::examples::CHECK_IN;
use super::recorded_game::{RecordedGame, for_each_game};
use crate::scotland_yard::belief::Chasers;
use crate::scotland_yard::mr_x_steps::{Moment, Phase, StepInputs, StepOption};
use botyard_engine::scotland_yard::{Action, State};

/// The steps that Mr. X could make, and which of them he made.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HabitExample {
    pub(super) options: Vec<StepInputs>,
    pub(super) chosen: usize,
}

/// Steps of Mr. X, as examples of his habits.
#[derive(Debug, Default)]
pub struct HabitExamples {
    pub(super) learned: Vec<HabitExample>,
    /// The examples of held-out games.
    pub(super) held_out: Vec<HabitExample>,
    games: usize,
    /// The rules of the games so far.
    arenas: Arenas,
}

impl HabitExamples {
    /// Adds the steps of all games in a file: see [`HabitExamples::add`].
    ///
    /// # Errors
    ///
    /// If the bytes are not games, or a game cannot be replayed.
    pub fn add_file(&mut self, bytes: &[u8]) -> Result<(), String> {
        for_each_game(bytes, |game| self.add(game))
    }

    /// Adds the steps of a game where Mr. X had a choice.
    ///
    /// # Errors
    ///
    /// If the game has rules that are no preset, an action is not legal, or it does not end.
    pub fn add(&mut self, game: &RecordedGame) -> Result<(), String> {
        let arena = self.arenas.of(&game.preset)?;
        let mut examples = Vec::new();
        arena.replay(game, |state, action| examples.extend(example(arena, state, action)))?;
        let is_held_out = self.games.is_multiple_of(CHECK_IN);
        let into = if is_held_out { &mut self.held_out } else { &mut self.learned };
        into.extend(examples);
        self.games += 1;
        Ok(())
    }

    /// Returns the number of examples.
    pub fn len(&self) -> usize {
        self.learned.len() + self.held_out.len()
    }

    /// Returns whether there are no examples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
