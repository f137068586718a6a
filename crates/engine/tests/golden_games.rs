//! Golden games of the rules that are compiled in.

use botyard_engine::{Table, registry};
use botyard_testkit::golden_games::{self, Changes};

fn built_in(game: &str, preset: &str, changes: Changes) -> Box<dyn Table> {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    registry::tables(game, Some(preset), &changes).unwrap()()
}

#[test]
fn draughts_is_what_it_was() {
    golden_games::draughts(&built_in);
}

#[test]
fn dice_wars_is_what_it_was() {
    golden_games::dice_wars(&built_in);
}

#[test]
fn scotland_yard_is_what_it_was() {
    golden_games::scotland_yard(&built_in);
}
