//! A game between a person and bots, without a terminal. To the referee the person is a bot: a process
//! that passes lines on ([`relay`]). The game is played on a thread of its own ([`play`]); a front end
//! shows what it hears as [`News`] and answers for the person's seats.

mod game_thread;
mod party;
mod relay;

pub use game_thread::{Decision, Left, News, listen, play};
pub use party::{Party, PlayConfig};
pub use relay::{Switchboard, relay};
