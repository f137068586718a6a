//! The source of measurements of the host. A test replaces it, so that no verdict in the test
//! depends on the load of the machine.

use super::canary;
use botyard_sandbox::{CoreWaits, HostLoad};
use std::fmt::Debug;
use std::time::Duration;

/// The counters of the canary, which never decrease.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanaryReading {
    /// The sum of the canary's wake-up delays.
    pub late: Duration,
    /// How long a thread that always wants a core would have waited for one, computed from the
    /// number of runnable threads; `None` where the host does not report that number.
    pub denied: Option<Duration>,
    /// The same, computed as if all runnable threads had wanted the same core: the upper bound for
    /// a thread that may use only some of the cores.
    pub denied_on_one: Option<Duration>,
}

/// Measures a host.
pub trait HostGauge: Debug + Sync {
    /// Returns the counters of the canary. Takes no system call.
    fn canary(&self) -> CanaryReading;

    /// Makes the canary sample the host now instead of at its next period. Returns immediately.
    fn sample_now(&self) {}

    /// Returns the counters of the kernel.
    fn load(&self) -> HostLoad;

    /// Returns for how long a thread of the program with this PID has waited for a core since the
    /// first call with these readings. By default, that is unknown.
    fn longest_core_wait(&self, _waits: &mut CoreWaits, _id: i32) -> Option<Duration> {
        None
    }

    /// Waits for `time`, during which no bot of the game runs.
    fn wait(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// The host on which this program runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThisHost;

impl HostGauge for ThisHost {
    fn canary(&self) -> CanaryReading {
        canary::reading()
    }

    fn sample_now(&self) {
        canary::sample_now();
    }

    fn load(&self) -> HostLoad {
        HostLoad::now()
    }

    fn longest_core_wait(&self, waits: &mut CoreWaits, id: i32) -> Option<Duration> {
        waits.longest(id)
    }
}
