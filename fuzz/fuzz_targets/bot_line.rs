//! A line of a bot: accepted, or refused with an error of one line.
#![no_main]

use botyard_protocol::{Limits, parse_bot_line};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    if let Err(error) = parse_bot_line(line, &Limits::default()) {
        let text = error.to_string();
        assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
    }
});
