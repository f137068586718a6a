//! How a thread competes for cores: its priority and its number of cores.

/// The scheduling of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheduling {
    /// The nice value: the higher, the lower is the priority.
    pub(crate) nice: i32,
    /// The policy, as in `sched.h`: 0 is the usual one.
    pub(crate) policy: u32,
    /// How many cores it may use; 0 if that is not known.
    pub(crate) cores: u32,
}

impl Scheduling {
    /// Returns the scheduling of the calling thread, which programs that it starts inherit.
    #[cfg(target_os = "linux")]
    pub fn of_this_thread() -> Scheduling {
        let stat = std::fs::read("/proc/thread-self/stat").unwrap_or_default();
        let (nice, policy) = nice_and_policy(&stat).unwrap_or_default();
        Scheduling { nice, policy, cores: cores(None) }
    }

    /// Returns the scheduling of the calling thread, which programs that it starts inherit.
    #[cfg(not(target_os = "linux"))]
    pub fn of_this_thread() -> Scheduling {
        Scheduling::default()
    }

    /// Returns that of a thread, from its ID and its `stat` file.
    #[cfg(target_os = "linux")]
    pub(crate) fn of(thread: i32, stat: &[u8]) -> Option<Scheduling> {
        let (nice, policy) = nice_and_policy(stat)?;
        let pid = rustix::process::Pid::from_raw(thread)?;
        Some(Scheduling { nice, policy, cores: cores(Some(pid)) })
    }

    /// Returns whether a thread gets less than one with the `given` scheduling.
    pub(crate) fn is_lower_than(self, given: Scheduling) -> bool {
        let has_fewer_cores = self.cores > 0 && self.cores < given.cores;
        self.nice > given.nice || self.policy != given.policy || has_fewer_cores
    }
}

#[cfg(target_os = "linux")]
fn cores(thread: Option<rustix::process::Pid>) -> u32 {
    rustix::thread::sched_getaffinity(thread).map_or(0, |cores| cores.count())
}

/// Parses the nice value and the policy in a `stat` file.
#[cfg(target_os = "linux")]
fn nice_and_policy(stat: &[u8]) -> Option<(i32, u32)> {
    // The fields after the name, which is in parentheses and may contain any byte. `nice` is field
    // 19 of all, the 17th of these, and `policy` field 41.
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let mut fields = std::str::from_utf8(&stat[end + 1..]).ok()?.split_ascii_whitespace();
    let nice = fields.nth(16)?.parse().ok()?;
    Some((nice, fields.nth(21)?.parse().ok()?))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_lower_priority_is_seen() {
        let given = Scheduling::of_this_thread();
        assert!(given.cores > 0 && !given.is_lower_than(given), "{given:?}");
        assert!(Scheduling { nice: given.nice + 1, ..given }.is_lower_than(given));
        assert!(Scheduling { policy: 5, ..given }.is_lower_than(given));
        assert!(given.is_lower_than(Scheduling { cores: given.cores + 1, ..given }));
        let numbers: Vec<String> = (4..=52).map(|field: u32| field.to_string()).collect();
        let stat = format!("7 (a) b) S {}", numbers.join(" "));
        assert_eq!(nice_and_policy(stat.as_bytes()), Some((19, 41)));
    }
}
