//! What a referee and a bot say to each other: the messages of version 1, their framing and their
//! limits. It knows no game, no process and no clock. `docs/protocol.md` is the page for authors
//! of bots.

pub mod messages;

pub use messages::*;
