//! How long the bots that search by playouts think: so many iterations, so long a time, or what
//! their clock allows, on a machine that may be busy.

use botyard_agent::{Bot, Options, Punctuality, TimeBudget};
use botyard_protocol::OptionSpec;
use botyard_search::Limits;
use botyard_search::{Deadline, Stall};
use std::time::Duration;

/// How many iterations are done where nothing else limits them.
const UNLIMITED: u64 = 10_000;

/// What a bot's options say of its limits, and what it has learned of how long it may search.
#[derive(Clone, Copy, Debug, Default)]
pub struct MctsLimits {
    /// How many iterations a decision has; `None` for as many as there is time for.
    pub iterations: Option<u64>,
    /// How long a decision takes at most, whatever the clock allows.
    pub time: Option<Duration>,
    punctuality: Punctuality,
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
                "playouts a decision; 0 for as many as the time allows",
            ),
        )
        .with_option("time", number(86_400_000, 0, "milliseconds a decision; 0: as the clock says"))
    }

    /// What the options say.
    pub fn read(options: &Options) -> MctsLimits {
        let positive = |name| u64::try_from(options.int(name)).ok().filter(|&number| number > 0);
        MctsLimits {
            iterations: positive("iterations"),
            time: positive("time").map(Duration::from_millis),
            punctuality: Punctuality::default(),
        }
    }

    /// The limits of one decision, of which so many are to be expected.
    pub fn of(&self, budget: &TimeBudget, decisions: u32) -> Limits {
        let own = self.time.and_then(|time| budget.until(time));
        let clock = self.punctuality.deadline(budget, decisions);
        let deadline = clock.into_iter().chain(own).reduce(Deadline::or);
        let iterations = match (self.iterations, deadline) {
            (Some(iterations), _) => iterations,
            (None, Some(_)) => u64::MAX,
            (None, None) => UNLIMITED,
        };
        Limits { deadline, ..Limits::iterations(iterations) }
    }

    /// A search has ended in which this was the longest time between two looks at the clock.
    pub fn searched(&mut self, stall: Stall) {
        self.punctuality.searched(stall);
    }
}
