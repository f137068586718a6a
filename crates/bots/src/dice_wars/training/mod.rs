//! How [`super::Learned`] got its weights: games are played and kept ([`play_game`]), and the weights
//! are fitted to who won them ([`fit`]). `botyard train dice-wars` runs both.
//!
//! Games are kept rather than what the network sees of them, so that they serve when that changes.

mod fit;
mod measure;
mod play;
mod recorded_game;

pub use fit::{Examples, Fit, error, fit};
pub use measure::{Won, play_measured};
pub use play::{Among, Explorer, FIELD, play_game, play_seed};
pub use recorded_game::{RecordedGame, WrongGames, read_games};
