//! Errors of the setup steps: the step that failed and the reason. Also the resource limits, the
//! simplest of these steps.

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
    /// Whether the files or the command line of this launch are to blame, so that no other program
    /// is affected.
    is_its_own: bool,
}

impl Unfit {
    pub(super) fn new(step: impl Into<String>, error: impl Into<io::Error>) -> Unfit {
        Unfit { step: step.into(), error: error.into(), is_its_own: false }
    }

    /// Creates an error of a step that depends on the files or the command line of this launch. If
    /// the host has run out of a resource, the host is still to blame.
    pub(super) fn own(step: impl Into<String>, error: impl Into<io::Error>) -> Unfit {
        let error = error.into();
        let is_shortage = matches!(
            Errno::from_io_error(&error),
            Some(Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::AGAIN)
        );
        Unfit { is_its_own: !is_shortage, ..Unfit::new(step, error) }
    }

    pub(super) fn into_report(self) -> Report {
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

/// Names the step that failed.
pub(super) trait Step<T> {
    fn step(self, what: &str) -> Result<T, Unfit>;

    /// Names a failed step that depends on the files or the command line of this launch.
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

/// The stack size of the main thread, in bytes; also the C library's default for other threads.
const STACK: u64 = 8 * 1024 * 1024;

/// Sets the resource limits of the process. The program cannot raise them again.
pub(super) fn limit_resources(launch: &Launch) -> Result<(), Unfit> {
    let limits = &launch.limits;
    // In tier A the program has no place to write files.
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
        // The init process of the PID namespace counts too.
        let own = u64::from(launch.tier.has_namespaces());
        set.push((Resource::Nproc, u64::from(limits.processes) + own));
    }
    for (resource, most) in set {
        limit(resource, most)?;
    }
    // Recursive programs may need a deeper stack than usual, but each of many processes can have one.
    let most = if launch.children { limits.memory / 8 } else { limits.memory };
    let most = most.max(STACK);
    let stack = Rlimit { current: Some(STACK), maximum: Some(most) };
    setrlimit(Resource::Stack, stack).step("limiting its stack")
}

fn limit(resource: Resource, most: u64) -> Result<(), Unfit> {
    // A lower limit that is already set stays in force.
    let before = rustix::process::getrlimit(resource);
    let most = before.maximum.map_or(most, |maximum| maximum.min(most));
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
        .step(&format!("limiting {resource:?}"))
}

/// Returns whether a process limit would count only this program's processes: in its own user
/// namespace (since Linux 5.14), or under a UID that no other program has.
fn counts_only_its_own(tier: Tier) -> bool {
    tier.has_namespaces() || super::identity::is_unused_user(rustix::process::getuid().as_raw())
}
