//! Where measurements of the host come from. A test puts its own in the place of this host's, so that
//! no verdict in it depends on how busy the machine is.

use super::canary;
use botyard_sandbox::HostLoad;
use std::fmt::Debug;
use std::time::Duration;

/// What the canary has counted; it only grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanaryReading {
    /// By how much it was woken too late, all together.
    pub late: Duration,
    /// How long a thread that always wants a core would have waited for one, by the number of
    /// runnable threads; `None` where the host does not tell.
    pub denied: Option<Duration>,
    /// The same if all runnable threads had wanted one and the same core: the most that a thread
    /// waited which may use some of the cores only.
    pub denied_on_one: Option<Duration>,
}

/// Measures a host.
pub trait HostGauge: Debug + Sync {
    /// Returns what the canary has counted. Takes no system call.
    fn canary(&self) -> CanaryReading;

    /// Has the canary look at the host now rather than when it is due. Returns at once.
    fn look(&self) {}

    /// Returns what the kernel has counted.
    fn load(&self) -> HostLoad;

    /// Lets time pass in which no bot of the game runs.
    fn pass(&self, time: Duration) {
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

    fn look(&self) {
        canary::look();
    }

    fn load(&self) -> HostLoad {
        HostLoad::now()
    }
}
