//! The limits of the bots that search by playouts: a number of iterations, a time, or what their
//! clock allows on a machine that may be busy.

use botyard_agent::{Bot, Options, Punctuality, TimeBudget};
use botyard_protocol::OptionSpec;
use botyard_search::Limits;
use botyard_search::Stall;
use std::time::Duration;

/// The number of iterations if there is no other limit.
const UNLIMITED: u64 = 10_000;

/// The limits that a bot's options set, and the experience of how long it may search.
#[derive(Clone, Copy, Debug, Default)]
pub struct MctsLimits {
    /// The number of iterations per decision; `None` for as many as the time allows.
    pub iterations: Option<u64>,
    punctuality: Punctuality,
}

/// Returns the option `time` of a bot.
pub(crate) fn time_option() -> OptionSpec {
    let about = "milliseconds per decision; 0: set by the clock".into();
    OptionSpec::Int { min: 0, max: 86_400_000, default: 0, about }
}

/// Returns the time per decision that the option `time` sets; `None` for what the clock allows.
pub(crate) fn own_time(options: &Options) -> Option<Duration> {
    let ms = u64::try_from(options.int("time")).ok().filter(|&ms| ms > 0);
    ms.map(Duration::from_millis)
}

impl MctsLimits {
    /// Declares the options `iterations`, with this default, and `time`.
    #[must_use]
    pub fn declare(bot: Bot, iterations: i64) -> Bot {
        let number = |max, default, about: &str| OptionSpec::Int {
            min: 0,
            max,
            default,
            about: about.into(),
        };
        bot.with_option(
            "iterations",
            number(
                1_000_000_000,
                iterations,
                "playouts per decision; 0 for as many as the time allows",
            ),
        )
        .with_option("time", time_option())
    }

    /// Reads the options.
    pub fn read(options: &Options) -> MctsLimits {
        let positive = |name| u64::try_from(options.int(name)).ok().filter(|&number| number > 0);
        MctsLimits {
            iterations: positive("iterations"),
            punctuality: Punctuality::within(own_time(options)),
        }
    }

    /// Returns the limits of one decision. `decisions` is the number expected in the rest of the
    /// game.
    pub fn of(&self, budget: &TimeBudget, decisions: u32) -> Limits {
        let deadline = self.punctuality.deadline(budget, decisions);
        let iterations = match (self.iterations, deadline) {
            (Some(iterations), _) => iterations,
            (None, Some(_)) => u64::MAX,
            (None, None) => UNLIMITED,
        };
        Limits { deadline, ..Limits::iterations(iterations) }
    }

    /// Records the longest time between two checks of the clock in a finished search.
    pub fn searched(&mut self, stall: Stall) {
        self.punctuality.searched(stall);
    }
}
