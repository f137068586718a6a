//! A game between a person and bots, without a terminal. To the referee the person is a bot: a
//! process that relays lines ([`relay`]). [`play`] runs the game on its own thread. A front end
//! shows the [`News`] that it receives and answers for the person's seats.

mod attempt;
mod game_thread;
mod play_plan;
mod recording;
mod relay;
mod saved;

pub use attempt::Attempt;
pub use game_thread::{Decision, Left, News, listen, play, play_with_recording};
pub use play_plan::{PlayConfig, PlayPlan};
pub use recording::{Recording, RecordingReader};
pub use relay::{Line, Switchboard, relay};
pub use saved::SavedGame;
