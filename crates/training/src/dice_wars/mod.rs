//! Training of [`Learned`](botyard_bots::dice_wars::Learned): games are played and kept ([`play_game`]), and the weights are
//! fitted to their winners ([`fit`]). `botyard train dice-wars` runs both.
//!
//! Whole games are kept instead of the network's inputs, so that they stay useful when the inputs
//! change.
//!
//! No framework for neural networks is used. The network has some 2,400 weights and is evaluated a
//! million times per second inside a search. Its results must be the same on every machine, because
//! a game must be; neither `burn` nor `candle` promises the same floating-point results everywhere.
//! And the fit, the gradients of two layers and Adam, is one file, whose test compares every
//! gradient with a finite difference.

mod fit;
mod measure;
mod play;
mod recorded_game;
mod steps;

pub use fit::{Examples, Fit, error, fit};
pub use measure::{Won, measure_planner, play_measured};
pub use play::{Among, Explorer, FIELD, play_game, play_seed};
pub use recorded_game::{InvalidGames, RecordedGame, read_games};
pub use steps::{AnyEvaluator, DiceWarsTraining, FitStep, Play};
