//! The two steps of training: games are played, and weights are fitted to them. Each game with a
//! learned evaluation implements [`Training`].

use botyard_bots::InvalidWeights;
use serde::de::DeserializeOwned;

/// The training of one game's evaluation.
pub trait Training {
    /// The name of the game.
    const GAME: &'static str;
    /// What the bytes of games consist of: `positions`, `turns`.
    const UNIT: &'static str;
    /// What a fit holds out to measure its error on: `positions`, `games`.
    const HELD_OUT: &'static str;
    /// The settings of games.
    type Play: DeserializeOwned;
    /// The settings of fits.
    type Fit: DeserializeOwned;
    /// An evaluation that games are played by.
    type Evaluator: Sync;

    /// Returns the evaluation set by hand.
    fn by_hand() -> Self::Evaluator;

    /// Returns the evaluation of this name, if there is one.
    fn named(name: &str) -> Option<Self::Evaluator>;

    /// Returns the learned evaluation with the weights of a file.
    ///
    /// # Errors
    ///
    /// If the file has other weights, or is damaged.
    fn with_weights(bytes: &[u8]) -> Result<Self::Evaluator, InvalidWeights>;

    /// Returns a function that plays the game of a seed and returns its bytes, which depend only on
    /// the seed, `how` and `evaluator`. Those of many games, one after another, are a file.
    ///
    /// # Errors
    ///
    /// If a value of `how` is invalid.
    fn player(
        how: &Self::Play,
        evaluator: Self::Evaluator,
    ) -> Result<impl Fn(u64) -> Vec<u8> + Sync, String>;

    /// Returns how many [units](Training::UNIT) these games have; 0 if the bytes are not games.
    fn units(games: &[u8]) -> usize;

    /// Begins a fit. `before` has the weights of the previous generation.
    ///
    /// # Errors
    ///
    /// If the weights cannot be read, or a value of `how` is invalid.
    fn learner(how: &Self::Fit, before: Option<&[u8]>) -> Result<impl Learner, String>;
}

/// A fit of weights to games.
pub trait Learner {
    /// Adds the games of a file.
    ///
    /// # Errors
    ///
    /// If the games cannot be read.
    fn add(&mut self, file: &[u8]) -> Result<(), String>;

    /// Returns the number of positions that were added.
    fn positions(&self) -> usize;

    /// Returns the number of passes over all positions.
    fn epochs(&self) -> u32;

    /// Returns a file of weights fitted to the games. After each epoch `report` gets its number and
    /// the mean error on what was held out.
    fn fit(&self, report: &mut dyn FnMut(u32, f64)) -> Vec<u8>;
}
