//! Bots that cheat the clock, not contained and in each tier. What is asserted holds on a busy host as
//! well: a time is never too short, and nothing depends on who runs first.
#![cfg(target_os = "linux")]

mod arena;
mod traces;

use arena::Arena;
use botyard_sandbox::Tier;

const TIERS: [Tier; 4] = [Tier::None, Tier::A, Tier::B, Tier::C];

/// Half of the time for which the bot leaves its standard input full.
const SOME_OF_IT_US: u64 = 200_000;

/// The clock starts when the referee first tries to ask, not when the bot has made room for the
/// question. A busy referee may ask only when there is room again; then the game tells nothing.
#[test]
fn a_bot_that_fills_its_own_input_is_charged_for_the_wait() {
    for arena in TIERS.into_iter().filter_map(Arena::new) {
        let is_charged = (0..10).any(|_| {
            let played = arena.play("fills_its_stdin", 1, None);
            assert_eq!(played.report.faults, [], "{played:?}");
            played.report.seats[0].longest_us >= SOME_OF_IT_US
        });
        assert!(is_charged, "the wait for room is free");
    }
}
