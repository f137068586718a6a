//! The rules of Botyard's games. The crate knows no clocks, files, processes or protocol.
//!
//! A game implements [`Game`]: typed, fast, explicit about chance and about what each seat may
//! know. A [`Table`] is the same game behind JSON, for a referee that knows no game by name. The
//! [`registry`] is the only list of the games.

#![deny(clippy::unwrap_used)]

pub mod connect_four;
pub mod dice;
pub mod dice_wars;
pub mod draughts;
pub mod endgame_tables;
pub mod game;
pub mod information;
pub mod json_words;
pub mod liars_dice;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod random;
pub mod record;
pub mod registry;
mod rule_description;
pub mod rules;
pub mod scotland_yard;
pub mod seat;
pub mod table;

pub use endgame_tables::{EndgameResult, EndgameTables};
pub use game::{Game, Illegal, NoChance, NoFields, OpeningError, Preset, Turn};
pub use information::{Information, NoCopy, PerfectInformation, Seen};
pub use notation::{JsonOnly, Notation};
pub use outcome::{Outcome, Scores};
pub use random::{Seed, Stream};
pub use rule_description::RuleDescription;
pub use rules::RulesError;
pub use seat::{MAX_SEATS, Seat};
pub use table::{ActionError, GameEvent, Table, TypedTable};
