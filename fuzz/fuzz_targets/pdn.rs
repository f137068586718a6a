//! An archive of draughts in PDN: every game is read or refused with a reason.
#![no_main]

use botyard_engine::draughts::read_pdn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for error in read_pdn(text).into_iter().filter_map(Result::err) {
        assert!(!error.to_string().is_empty());
    }
});
