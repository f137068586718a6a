//! The source of measurements of the host. A test replaces it, so that no verdict in the test
//! depends on the load of the machine.

use super::canary;
use botyard_sandbox::{CoreWait, CoreWaits, HostLoad, own_core_wait};
use std::fmt::Debug;
use std::time::Duration;

/// The counters of the canary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanaryReading {
    /// The sum of the canary's wake-up delays. Never decreases.
    pub late: Duration,
    /// The part of it for which the canary did not wait for a core; `None` where the kernel does not
    /// count such waits. Never decreases.
    pub stood_still: Option<Duration>,
    /// A delay that lasts, and is not counted yet.
    pub lasting: Duration,
}

/// Measures a host.
pub trait HostGauge: Debug + Sync {
    /// Returns the counters of the canary. Takes no system call.
    fn canary(&self) -> CanaryReading;

    /// Returns the counters of the kernel.
    fn load(&self) -> HostLoad;

    /// Returns for how long a thread of the program with this PID has waited for a core since the
    /// first call with these readings. By default, that is unknown.
    fn longest_core_wait(&self, _waits: &mut CoreWaits, _id: i32) -> Option<CoreWait> {
        None
    }

    /// Returns for how long the calling thread has waited for a core. By default, that is unknown.
    fn own_core_wait(&self) -> Option<Duration> {
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

    fn load(&self) -> HostLoad {
        HostLoad::now()
    }

    fn longest_core_wait(&self, waits: &mut CoreWaits, id: i32) -> Option<CoreWait> {
        waits.longest(id)
    }

    fn own_core_wait(&self) -> Option<Duration> {
        own_core_wait()
    }
}
