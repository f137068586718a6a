//! Game records of other programs: a record that is read becomes a replay that verifies.
//! The first byte chooses the game.
#![no_main]

use botyard_engine::registry;
use botyard_replay::{ReplayReader, imported_replay, registered_table, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let games = registry::names();
    let game = &games[usize::from(choice) % games.len()];
    let Ok(Some(Ok(records))) = registry::import(game, text) else { return };
    for record in records.into_iter().flatten() {
        let Ok(replay) = imported_replay(game, &record, "fuzz") else { continue };
        let reader = ReplayReader::new(replay.as_slice()).expect("a header that was just written");
        verify(reader, &registered_table).expect("a replay that was just written");
    }
});
