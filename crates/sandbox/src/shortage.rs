//! Temporary shortages of a host. A shortage is not a missing feature: the failed step may work a
//! moment later, or with fewer simultaneous games.

#[cfg(target_os = "linux")]
use std::io;

/// What a host is short of, the step that failed, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this host is short of {what}: {step}: {reason}; {remedy}")]
pub struct Shortage {
    what: &'static str,
    step: String,
    reason: String,
    remedy: &'static str,
}

impl Shortage {
    /// Returns the shortage that an error of `step` shows; `None` if the error has another cause.
    #[cfg(target_os = "linux")]
    pub fn in_error(step: &str, error: &io::Error) -> Option<Shortage> {
        use rustix::io::Errno;
        let (what, remedy) = match Errno::from_io_error(error) {
            Some(Errno::MFILE) => {
                (DESCRIPTORS, "raise the limit (`ulimit -n`) or play fewer games at once")
            }
            Some(Errno::NFILE) => (
                "open files on the whole host",
                "raise the limit (`sysctl fs.file-max`) or play fewer games at once",
            ),
            Some(Errno::AGAIN) => (
                "processes",
                "raise the limit (`ulimit -u`, or the limit of tasks of its control group) or play \
                 fewer games at once",
            ),
            Some(Errno::NOMEM) => ("memory", "end other programs or play fewer games at once"),
            Some(Errno::NOSPC | Errno::DQUOT) => (
                "namespaces, or disk space",
                "see `sysctl user` for the limits of namespaces and `df` for disk space, or play \
                 fewer games at once",
            ),
            Some(Errno::TIMEDOUT) => ("CPU time", "end other programs or play fewer games at once"),
            _ if error.kind() == io::ErrorKind::UnexpectedEof => (
                "what a program needs to start, such as file descriptors or memory",
                "raise the limits (`ulimit -a` lists them)",
            ),
            _ => return None,
        };
        let reason = error.to_string();
        Some(Shortage { what, step: step.to_string(), reason, remedy })
    }
}

/// The resource that the open file limit bounds.
#[cfg(target_os = "linux")]
const DESCRIPTORS: &str = "file descriptors";

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn shortages_are_distinguished_from_missing_features() {
        let found = |errno: Errno| Shortage::in_error("starting", &errno.into());
        for (errno, words) in [
            (Errno::MFILE, "short of file descriptors: starting: "),
            (Errno::NFILE, "fs.file-max"),
            (Errno::AGAIN, "short of processes"),
            (Errno::NOMEM, "short of memory"),
            (Errno::NOSPC, "namespaces"),
            (Errno::TIMEDOUT, "CPU time"),
        ] {
            let shortage = found(errno).unwrap().to_string();
            assert!(shortage.contains(words), "{shortage}");
        }
        for errno in [Errno::PERM, Errno::NOSYS, Errno::INVAL, Errno::ACCESS, Errno::NOENT] {
            assert_eq!(found(errno), None);
        }
    }
}
