//! A step on the way to a contained program: what was being done and why it failed; and the limits
//! of resources, the simplest of those steps.

use crate::channel::Report;
use crate::launch::Launch;
use crate::tier::Tier;
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::io;

/// Why a program could not be contained.
#[derive(Debug)]
pub(super) struct Unfit {
    step: String,
    error: io::Error,
    /// Whether what this program was to be given is to blame, and no other program is affected.
    is_its_own: bool,
}

impl Unfit {
    pub fn new(step: impl Into<String>, error: impl Into<io::Error>) -> Unfit {
        Unfit { step: step.into(), error: error.into(), is_its_own: false }
    }

    /// The same for a step that depends on what this program was to be given. Where the host has
    /// run out of something, the host is to blame all the same.
    pub fn own(step: impl Into<String>, error: impl Into<io::Error>) -> Unfit {
        let error = error.into();
        let is_shortage = matches!(
            Errno::from_io_error(&error),
            Some(Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::AGAIN)
        );
        Unfit { is_its_own: !is_shortage, ..Unfit::new(step, error) }
    }

    pub fn into_report(self) -> Report {
        if self.is_its_own {
            let message = format!("{}: {}", self.step, self.error);
            return Report::Files { message: message.chars().take(800).collect() };
        }
        Report::Setup {
            step: self.step.chars().take(400).collect(),
            errno: self.error.raw_os_error(),
            message: self.error.to_string().chars().take(400).collect(),
        }
    }
}

/// Says what was being done when something failed.
pub(super) trait Step<T> {
    fn step(self, what: &str) -> Result<T, Unfit>;

    /// The same for a step that depends on what this program was to be given.
    fn own_step(self, what: &str) -> Result<T, Unfit>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, what: &str) -> Result<T, Unfit> {
        self.map_err(|error| Unfit::new(what, error))
    }

    fn own_step(self, what: &str) -> Result<T, Unfit> {
        self.map_err(|error| Unfit::own(what, error))
    }
}

/// The stack of a first thread, in bytes; also what C libraries give each further thread.
const STACK: u64 = 8 * 1024 * 1024;

/// Sets the limits of the process, for good: no program can raise them again.
pub(super) fn limit_resources(launch: &Launch) -> Result<(), Unfit> {
    let limits = &launch.limits;
    // In tier A there is no place for files.
    let scratch = match launch.tier {
        Tier::A if launch.writable.is_empty() => 0,
        _ => limits.scratch,
    };
    let mut set = vec![
        (Resource::Data, limits.memory),
        (Resource::Nofile, u64::from(limits.files)),
        (Resource::Fsize, scratch),
        (Resource::Core, 0),
        (Resource::Msgqueue, 0),
        (Resource::Memlock, 64 * 1024),
        (Resource::Sigpending, 256),
        (Resource::Nice, 0),
        (Resource::Rtprio, 0),
    ];
    if let Some(seconds) = limits.cpu_seconds {
        set.push((Resource::Cpu, seconds));
    }
    if counts_only_its_own(launch.tier) {
        // The first process of the namespaces counts too.
        let own = u64::from(launch.tier.has_namespaces());
        set.push((Resource::Nproc, u64::from(limits.processes) + own));
    }
    for (resource, most) in set {
        limit(resource, most)?;
    }
    // A recursive program may have a deeper stack than usual, but not without end.
    let most = limits.memory.max(STACK);
    let stack = Rlimit { current: Some(STACK), maximum: Some(most) };
    setrlimit(Resource::Stack, stack).step("limiting its stack")
}

fn limit(resource: Resource, most: u64) -> Result<(), Unfit> {
    // What is limited already, lower than that, stays so.
    let before = rustix::process::getrlimit(resource);
    let most = before.maximum.map_or(most, |maximum| maximum.min(most));
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
        .step(&format!("limiting {resource:?}"))
}

/// Whether a limit of processes would count this program's alone: in a user namespace of its own
/// (since Linux 5.14), or under a uid that nobody else has.
fn counts_only_its_own(tier: Tier) -> bool {
    tier.has_namespaces() || super::identity::is_unused_user(rustix::process::getuid().as_raw())
}
