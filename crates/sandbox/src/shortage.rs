//! What a host may be short of for a while. That is no missing feature: what fails for lack of it may
//! work a moment later, or with fewer games at once.

use std::io;

/// What a host is short of, what failed for it, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this host is short of {what}: {step}: {reason}; {remedy}")]
pub struct Shortage {
    what: &'static str,
    step: String,
    reason: String,
    remedy: &'static str,
}

impl Shortage {
    /// The shortage that this error speaks of, which came from doing `step`; `None` where it speaks of
    /// something else.
    #[cfg(target_os = "linux")]
    pub fn in_error(step: &str, error: &io::Error) -> Option<Shortage> {
        use rustix::io::Errno;
        let (what, remedy) = match Errno::from_io_error(error) {
            Some(Errno::MFILE) => {
                (DESCRIPTORS, "raise the limit (`ulimit -n`) or play fewer games at once")
            }
            Some(Errno::NFILE) => (
                "open files in the whole system",
                "raise the limit (`sysctl fs.file-max`) or play fewer games at once",
            ),
            Some(Errno::AGAIN) => (
                "processes",
                "raise the limit (`ulimit -u`, or the limit of tasks of its control group) or play \
                 fewer games at once",
            ),
            Some(Errno::NOMEM) => ("memory", "end other programs or play fewer games at once"),
            Some(Errno::NOSPC | Errno::DQUOT) => (
                "namespaces, or space on a disk",
                "see `sysctl user` for the limits of namespaces and `df` for the space, or play fewer \
                 games at once",
            ),
            Some(Errno::TIMEDOUT) => {
                ("processor time", "end other programs or play fewer games at once")
            }
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

/// What the limit of open files is about.
#[cfg(target_os = "linux")]
const DESCRIPTORS: &str = "file descriptors";

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn what_passes_is_told_from_what_is_missing() {
        let found = |errno: Errno| Shortage::in_error("starting", &errno.into());
        for (errno, words) in [
            (Errno::MFILE, "short of file descriptors: starting: "),
            (Errno::NFILE, "fs.file-max"),
            (Errno::AGAIN, "short of processes"),
            (Errno::NOMEM, "short of memory"),
            (Errno::NOSPC, "namespaces"),
            (Errno::TIMEDOUT, "processor time"),
        ] {
            let shortage = found(errno).unwrap().to_string();
            assert!(shortage.contains(words), "{shortage}");
        }
        for errno in [Errno::PERM, Errno::NOSYS, Errno::INVAL, Errno::ACCESS, Errno::NOENT] {
            assert_eq!(found(errno), None);
        }
    }
}
