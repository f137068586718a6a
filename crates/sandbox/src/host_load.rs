//! How busy a host is, as far as that keeps a program from running: what a referee must know
//! before it says that a program was late.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// What a host had counted at some moment.
#[derive(Clone, Debug, Default)]
pub struct HostLoad {
    /// By thread of the program: how long it has waited for a core.
    waited: BTreeMap<u32, Duration>,
    stolen: Option<Duration>,
    pressure: Option<Duration>,
}

/// What a host has counted between two moments; `None` where it does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadSince {
    /// How long that thread of the program which waited longest for a core had to wait.
    pub waited: Option<Duration>,
    /// How long a virtual machine had to wait for its host, on average of its cores.
    pub stolen: Option<Duration>,
    /// How long some program of the machine had to wait for a core.
    pub pressure: Option<Duration>,
}

impl HostLoad {
    /// What is counted by now, for the program whose process has this number.
    pub fn now(process: i32) -> HostLoad {
        HostLoad { waited: waited(process), stolen: stolen(), pressure: pressure() }
    }

    /// What was counted since an earlier moment.
    pub fn since(&self, earlier: &HostLoad) -> LoadSince {
        // A thread that is new has waited since it began.
        let waited = self.waited.iter().map(|(thread, waited)| {
            waited.saturating_sub(earlier.waited.get(thread).copied().unwrap_or_default())
        });
        let difference = |now: Option<Duration>, then: Option<Duration>| {
            now.zip(then).map(|(now, then)| now.saturating_sub(then))
        };
        LoadSince {
            waited: waited.max(),
            stolen: difference(self.stolen, earlier.stolen),
            pressure: difference(self.pressure, earlier.pressure),
        }
    }
}

fn waited(process: i32) -> BTreeMap<u32, Duration> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let waited = threads.filter_map(|thread| {
        let number = thread.file_name().to_str()?.parse().ok()?;
        // Three numbers: nanoseconds on a core, nanoseconds waiting for one, how often.
        let counted = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        let waited = counted.split_whitespace().nth(1)?.parse().ok()?;
        Some((number, Duration::from_nanos(waited)))
    });
    waited.collect()
}

fn stolen() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    // cpu user nice system idle iowait irq softirq steal ..., in ticks of all cores together.
    let ticks: u64 = stat.lines().next()?.split_whitespace().nth(8)?.parse().ok()?;
    let cores = stat.lines().filter(|line| line.starts_with("cpu")).count().saturating_sub(1);
    let per_second = ticks_per_second();
    Some(Duration::from_micros(ticks * 1_000_000 / per_second / cores.max(1) as u64))
}

#[cfg(target_os = "linux")]
fn ticks_per_second() -> u64 {
    rustix::param::clock_ticks_per_second()
}

#[cfg(not(target_os = "linux"))]
fn ticks_per_second() -> u64 {
    100
}

fn pressure() -> Option<Duration> {
    let pressure = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let total = pressure.lines().next()?.rsplit("total=").next()?.parse().ok()?;
    Some(Duration::from_micros(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_of_any_thread_counts() {
        let ms = Duration::from_millis;
        let earlier = HostLoad {
            waited: BTreeMap::from([(7, ms(100)), (8, ms(5))]),
            stolen: Some(ms(30)),
            pressure: None,
        };
        let now = HostLoad {
            waited: BTreeMap::from([(7, ms(110)), (9, ms(40))]),
            stolen: Some(ms(30)),
            pressure: Some(ms(1)),
        };
        let expected = LoadSince { waited: Some(ms(40)), stolen: Some(ms(0)), pressure: None };
        assert_eq!(now.since(&earlier), expected);
    }
}
