//! Games as programs: the messages of the rules protocol, a [`Table`](botyard_engine::Table) over a
//! program that speaks it, and the reverse, any [`Game`](botyard_engine::Game) as such a program.
//!
//! [`ProgramGame`] is the game of a program: it asks for the description, resolves rules, and makes
//! tables. A [`Transport`] carries the lines; how the program is started and contained is not known
//! here. [`serve`] is the other end. `docs/rules-protocol.md` describes the protocol.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod dialogue;
mod messages;
mod playout;
pub mod position;
mod program_game;
mod program_table;
mod serve;
mod served;
mod transport;

pub use dialogue::Dialogue;
pub use messages::{
    Answer, CHANCE, COMPLETED, GivenOutcome, GivenPreset, GivenSeats, Hello, LONGEST_PLAYOUT,
    MOST_LEGAL, MOST_PLAYOUTS, OVER, RULES_PROTOCOL, RefereeName, Request, RulesLimits, STANDARD,
    ability,
};
pub use program_game::{
    GameError, ProgramGame, StartProgram, check_hello, read_rules, with_changes,
};
pub use program_table::ProgramTable;
pub use serve::{serve, serve_with_picture};
pub use served::{Picture, Served};
pub use transport::Transport;
