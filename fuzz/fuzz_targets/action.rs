//! Actions, openings and rules as JSON, at every game: accepted actions are played on, and the position
//! stays one that can be shown. The first byte chooses the game; each line after it is an action.
#![no_main]

use botyard_engine::{GameEvent, Seat, Stream, Turn, registry};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let games = registry::names();
    let game = &games[usize::from(choice) % games.len()];
    let make = registry::tables(game, None, &[]).expect("the defaults are valid");
    let mut table = make();
    let mut stream = Stream::new(u64::from(choice), "fuzz");
    let opening = text.lines().next().unwrap_or_default();
    if table.open_with(opening).is_err() {
        table.open(&mut stream);
    }
    let mut game_event = GameEvent::default();
    let mut view = Vec::new();
    for line in text.lines() {
        while table.turn() == Turn::Chance {
            table.draw(&mut stream, &mut game_event);
        }
        let Turn::Seat(seat) = table.turn() else { break };
        view.clear();
        table.write_view(seat, &mut view);
        if table.play(line, &mut game_event).is_err() {
            // The text was not a legal action: play one that is.
            let legal = table.legal();
            table.play(&legal[0].to_string(), &mut game_event).expect("a legal action");
        }
    }
    assert!(!table.setup(Seat::new(0)).is_empty());
});
