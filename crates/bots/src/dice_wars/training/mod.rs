//! How [`super::Learned`] got its weights: games are played and kept ([`play_game`]), and the weights
//! are fitted to who won them ([`fit`]). `botyard train dice-wars` runs both.
//!
//! Games are kept rather than what the network sees of them, so that they serve when that changes.
//!
//! No framework for neural networks is used. The network has some 2,400 weights and is called a
//! million times a second inside a search; its results must be the same on every machine, because a game must
//! be; and what fitting it takes, the slopes of two layers and Adam, is one file whose test compares every slope
//! with a difference. Neither `burn` nor `candle` promises the same floating-point results everywhere.

mod fit;
mod measure;
mod play;
mod recorded_game;
mod steps;

pub use fit::{Examples, Fit, error, fit};
pub use measure::{Won, play_measured};
pub use play::{Among, Explorer, FIELD, play_game, play_seed};
pub use recorded_game::{RecordedGame, WrongGames, read_games};
pub use steps::{AnyEvaluator, DiceWarsTraining, FitStep, Play};
