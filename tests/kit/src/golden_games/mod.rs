//! Golden games: random games under several sets of rules, as recorded when the rules were last verified.
//! The same seed must always give the same game.
//!
//! `UPDATE_GOLDEN=1 cargo test -p botyard-engine --test engine golden_games` rewrites them; the change
//! then shows in the diff.

mod dice_wars;
mod draughts;
mod scotland_yard;

pub use dice_wars::dice_wars;
pub use draughts::draughts;
pub use scotland_yard::scotland_yard;

use crate::golden;
use botyard_engine::Table;
use std::path::Path;

/// Single rules that are changed.
pub type Changes = &'static [(&'static str, &'static str)];

/// Makes a table of a game under a preset with changes.
pub type Tables<'a> = &'a dyn Fn(&str, &str, Changes) -> Box<dyn Table>;

fn compare(game: &str, name: &str, now: &str) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/engine/tests/data"));
    golden::compare(&folder.join(game).join("golden").join(format!("{name}.txt")), now);
}
