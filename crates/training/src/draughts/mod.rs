//! Training of [`Learned`](botyard_bots::draughts::Learned): the bot plays itself ([`play_game`]), and the weights are fitted
//! to the games ([`fit()`]). `botyard train draughts` runs both.

mod fit;
mod sample;
mod self_play;
mod steps;

pub use fit::{Fit, fit};
pub use sample::{InvalidSamples, Sample, read_samples, write_samples};
pub use self_play::{SelfPlay, play_game};
pub use steps::{AnyEvaluator, DraughtsTraining, Play};
