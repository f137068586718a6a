//! Examples from recorded games, of which some games are held out.

use super::arena::{Arena, Arenas};
use super::fit::Fit;
use super::recorded_game::{RecordedGame, read_games};
use crate::Learner;

/// One game in this many is held out.
const CHECK_IN: usize = 20;

/// What weights are fitted to.
pub trait Example: Sized {
    /// Returns the examples in a game, in order.
    ///
    /// # Errors
    ///
    /// If an action is not legal, or the game does not end.
    fn of_game(arena: &Arena, game: &RecordedGame) -> Result<Vec<Self>, String>;

    /// Returns a file of weights fitted to the examples. After each epoch `report` gets its number
    /// and the mean error on held-out games.
    fn fit(examples: &ExampleSet<Self>, how: &Fit, report: &mut dyn FnMut(u32, f64)) -> Vec<u8>;
}

/// The examples of many games.
#[derive(Debug)]
pub struct ExampleSet<E> {
    pub(super) learned: Vec<E>,
    /// The examples of held-out games.
    pub(super) held_out: Vec<E>,
    games: usize,
    /// The rules of the games so far.
    arenas: Arenas,
}

impl<E> Default for ExampleSet<E> {
    fn default() -> ExampleSet<E> {
        let [learned, held_out] = [(); 2].map(|()| Vec::new());
        ExampleSet { learned, held_out, games: 0, arenas: Arenas::default() }
    }
}

impl<E: Example> ExampleSet<E> {
    /// Adds the examples of all games in a file.
    ///
    /// # Errors
    ///
    /// If the bytes are not games, or those of [`ExampleSet::add`], with the number of the game.
    pub(crate) fn add_file(&mut self, bytes: &[u8]) -> Result<(), String> {
        let games = read_games(bytes).map_err(|error| error.to_string())?;
        games.iter().enumerate().try_for_each(|(index, game)| {
            self.add(game).map_err(|error| format!("game {}: {error}", index + 1))
        })
    }

    /// Adds the examples of a game.
    ///
    /// # Errors
    ///
    /// If the game has rules that are no preset, an action is not legal, or it does not end.
    pub fn add(&mut self, game: &RecordedGame) -> Result<(), String> {
        let examples = E::of_game(self.arenas.of(&game.preset)?, game)?;
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

/// Fits weights to the examples of files of games.
pub(super) struct ExampleLearner<E> {
    how: Fit,
    examples: ExampleSet<E>,
}

impl<E> ExampleLearner<E> {
    pub(super) fn new(how: Fit) -> ExampleLearner<E> {
        ExampleLearner { how, examples: ExampleSet::default() }
    }
}

impl<E: Example> Learner for ExampleLearner<E> {
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
        E::fit(&self.examples, &self.how, report)
    }
}
