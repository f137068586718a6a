//! What a bot can compute while it is not its turn: at most a fifth of a millisecond per move of its
//! opponents. The assertions are about CPU time, which does not depend on the load of the host.

use crate::arena::{Arena, Circumstances};
use crate::ran_alone;
use botyard_referee::{CanaryReading, HostGauge};
use botyard_sandbox::{HostLoad, Tier, cpu_time_of_program_tree};
use std::cell::RefCell;
use std::fs;
use std::sync::Mutex;
use std::time::Duration;

const TIERS: [Tier; 4] = [Tier::None, Tier::A, Tier::B, Tier::C];

/// The question from which on the bot computes outside its turn. By then a contained bot is left
/// running for a moment after its answers.
const BEGINS: u32 = 10;

/// The most CPU time per move of an opponent.
const MOST: Duration = Duration::from_micros(200);

/// In how many moves the bot may use more: the first in which it computes, and some in which the
/// kernel charges it for an interrupt.
const EXCEPTIONS: usize = 3;

/// Records the CPU time of the bot when an opponent's clock starts.
#[derive(Debug, Default)]
struct AtQuestion {
    /// The PID of the bot, once it is known.
    bot: Mutex<Option<i32>>,
    used: Mutex<Option<Duration>>,
}

impl HostGauge for AtQuestion {
    fn canary(&self) -> CanaryReading {
        if let Some(bot) = *self.bot.lock().unwrap() {
            let mut used = self.used.lock().unwrap();
            if used.is_none() {
                // A thread is reported as stopped some microseconds before it leaves its core, and
                // only then the kernel counts what it has used since the last tick.
                std::thread::sleep(MOST);
                *used = cpu_time_of_program_tree(bot);
            }
        }
        CanaryReading::default()
    }

    fn load(&self) -> HostLoad {
        HostLoad::default()
    }
}

/// Returns the PID of the bot in this mode with this token.
fn find(mode: &str, token: &str) -> Option<i32> {
    let mode = format!("\0{mode}\0");
    fs::read_dir("/proc").unwrap().flatten().find_map(|process| {
        let words = fs::read_to_string(process.path().join("cmdline")).ok()?;
        let is_it = words.contains(&mode) && words.contains(token);
        is_it.then(|| process.file_name().to_str()?.parse().ok())?
    })
}

#[test]
fn a_bot_gains_next_to_nothing_outside_its_turns() {
    if ran_alone("outside_turns::a_bot_gains_next_to_nothing_outside_its_turns") {
        return;
    }
    for arena in TIERS.into_iter().filter_map(Arena::new) {
        for mode in
            ["thinks_outside", "threads_outside", "child_outside", "timer_outside", "sips_outside"]
        {
            let host = AtQuestion::default();
            let used_outside = RefCell::new(Vec::new());
            let moved = |seat: usize, token: &str| {
                let mut bot = host.bot.lock().unwrap();
                let then = host.used.lock().unwrap().take();
                if seat != 0
                    && let Some((now, then)) = bot.and_then(cpu_time_of_program_tree).zip(then)
                {
                    used_outside.borrow_mut().push(now.saturating_sub(then));
                }
                *bot = bot.or_else(|| find(mode, token));
            };
            let circumstances = Circumstances {
                gauge: &host,
                frozen: true,
                moved: &moved,
                ..Circumstances::default()
            };
            let played = arena.play_under(mode, BEGINS, None, circumstances);
            let what = format!("{mode}, tier {}", arena.tier());
            assert_eq!(played.report.faults, [], "{what}: {played:?}");
            assert_eq!(played.left, [""; 0], "{what}: left behind");
            let mut used = used_outside.into_inner();
            used.sort_unstable();
            assert!(used.len() > 30, "{what}: {} moves", used.len());
            assert!(used[used.len() - 1 - EXCEPTIONS] <= MOST, "{what}: {used:?}");
        }
    }
}
