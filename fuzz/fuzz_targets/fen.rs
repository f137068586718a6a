//! A FEN of draughts: a position that is read is written as text that gives the same position.
#![no_main]

use botyard_engine::draughts::{Movement, Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position));
        for mv in position.moves(Movement::ENGLISH) {
            let after = position.make(mv);
            assert_eq!(after.to_string().parse(), Ok(after));
        }
    }
});
