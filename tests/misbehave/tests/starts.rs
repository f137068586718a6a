//! Starts that fail while the sandbox of the next bot is prepared: whatever becomes of the first bot,
//! nothing of the second one is left behind, and nothing of it has run.

use crate::arena::Arena;
use crate::ran_alone;
use botyard_referee::StartError;
use botyard_sandbox::Tier;

/// Returns how many processes exist when the first bot runs and the second one is prepared. In tiers
/// B and C a program has an init process; a launcher that has ended is reaped with its start.
fn processes(tier: Tier) -> usize {
    let prepares = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
    match (tier, prepares) {
        (Tier::None, _) | (Tier::A, false) => 1,
        (Tier::A, true) | (_, false) => 2,
        (_, true) => 5,
    }
}

#[test]
fn an_interrupted_start_leaves_nothing_of_the_bot_that_was_prepared() {
    if ran_alone("starts::an_interrupted_start_leaves_nothing_of_the_bot_that_was_prepared") {
        return;
    }
    for arena in [Tier::None, Tier::A, Tier::B, Tier::C].into_iter().filter_map(Arena::new) {
        let tier = arena.tier();
        // The first start in a process also starts what lasts as long as the process.
        let _ = arena.interrupt_start(1);
        for _ in 0..3 {
            let (started, left) = arena.interrupt_start(processes(tier));
            assert!(matches!(started, Err(StartError::Interrupted)), "tier {tier}: {started:?}");
            assert!(left.is_empty(), "tier {tier}: {left:?}");
        }
    }
}
