//! The load of this host: what a referee must know before it rules that a program was late. The
//! kernel counts all of it for the host and for the referee's own thread; none of it comes from the
//! program being judged.

use std::fs;
use std::time::Duration;

/// The host's counters at some moment; `None` if the host does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostLoad {
    /// How many cores the calling thread may use.
    pub cores: u32,
    /// Whether these are all cores of the host.
    pub all_cores: bool,
    /// Total idle time of these cores.
    pub idle: Option<Duration>,
    /// Average time that these cores were stolen from this virtual machine.
    pub stolen: Option<Duration>,
    /// Time in which some program of the host had to wait for a core (pressure stall).
    pub pressure: Option<Duration>,
    /// Time in which the calling thread was runnable but had no core.
    pub own_wait: Option<Duration>,
}

impl HostLoad {
    /// Reads the current counters.
    pub fn now() -> HostLoad {
        let (idle, stolen, cores, all_cores) = times_of_cores();
        HostLoad { cores, all_cores, idle, stolen, pressure: pressure(), own_wait: own_wait() }
    }

    /// Returns the increase since an earlier moment; the core counts are the current ones.
    pub fn since(&self, earlier: &HostLoad) -> HostLoad {
        let difference = |now: Option<Duration>, then: Option<Duration>| {
            now.zip(then).map(|(now, then)| now.saturating_sub(then))
        };
        HostLoad {
            idle: difference(self.idle, earlier.idle),
            stolen: difference(self.stolen, earlier.stolen),
            pressure: difference(self.pressure, earlier.pressure),
            own_wait: difference(self.own_wait, earlier.own_wait),
            ..*self
        }
    }
}

/// Returns how many threads of the whole host want a core now, including the calling one.
pub fn runnable_threads() -> Option<u32> {
    // 0.20 0.18 0.12 1/80 11206: the fourth field is runnable threads / all of them.
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_whitespace().nth(3)?.split('/').next()?.parse().ok()
}

/// Returns how many cores the host has, whether or not the calling thread may use them.
pub fn cores_of_host() -> u32 {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    u32::try_from(lines_of_cores(&stat).count()).unwrap_or(u32::MAX).max(1)
}

/// Returns the lines of `/proc/stat` for single cores: the core's number and its times.
fn lines_of_cores(stat: &str) -> impl Iterator<Item = (usize, &str)> {
    stat.lines().filter_map(|line| {
        let (name, times) = line.split_once(' ')?;
        Some((name.strip_prefix("cpu")?.parse().ok()?, times))
    })
}

/// Returns the total idle time and the average stolen time of the cores that this thread may use,
/// their count, and whether they are all cores of the host.
fn times_of_cores() -> (Option<Duration>, Option<Duration>, u32, bool) {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let is_usable = usable_cores();
    let (mut idle, mut stolen, mut cores, mut others) = (0, 0, 0, 0);
    for (core, times) in lines_of_cores(&stat) {
        if !is_usable(core) {
            others += 1;
            continue;
        }
        // user nice system idle iowait irq softirq steal ..., in ticks
        let times: Vec<u64> = times.split_whitespace().map_while(|n| n.parse().ok()).collect();
        let tick = |field: usize| times.get(field).copied().unwrap_or(0);
        idle += tick(3) + tick(4);
        stolen += tick(7);
        cores += 1;
    }
    if cores == 0 {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        return (None, None, cores, true);
    }
    (Some(ticks(idle)), Some(ticks(stolen) / cores), cores, others == 0)
}

fn ticks(count: u64) -> Duration {
    Duration::from_micros(count * 1_000_000 / ticks_per_second())
}

#[cfg(target_os = "linux")]
fn usable_cores() -> impl Fn(usize) -> bool {
    let own = rustix::thread::sched_getaffinity(None).ok();
    move |core| {
        let is_in = |own: &rustix::thread::CpuSet| {
            core < rustix::thread::CpuSet::MAX_CPU && own.is_set(core)
        };
        own.as_ref().is_none_or(is_in)
    }
}

#[cfg(not(target_os = "linux"))]
fn usable_cores() -> impl Fn(usize) -> bool {
    |_| true
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

fn own_wait() -> Option<Duration> {
    // Three numbers: nanoseconds on a core, nanoseconds waiting for one, time slices.
    let counted = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    counted.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_known_if_both_ends_are_known() {
        let ms = Duration::from_millis;
        let earlier = HostLoad { idle: Some(ms(100)), stolen: Some(ms(30)), ..HostLoad::default() };
        let now = HostLoad {
            cores: 2,
            idle: Some(ms(140)),
            stolen: Some(ms(30)),
            own_wait: Some(ms(1)),
            ..HostLoad::default()
        };
        let expected =
            HostLoad { cores: 2, idle: Some(ms(40)), stolen: Some(ms(0)), ..HostLoad::default() };
        assert_eq!(now.since(&earlier), expected);
    }

    #[test]
    fn single_cores_are_distinguished_from_their_sum() {
        let stat = "cpu  7 0 1 9 1 0 0 2 0 0\ncpu0 3 0 1 5 1 0 0 2 0 0\ncpu1 4 0 0 4\nintr 12\n";
        let lines: Vec<_> = lines_of_cores(stat).collect();
        assert_eq!(lines, [(0, "3 0 1 5 1 0 0 2 0 0"), (1, "4 0 0 4")]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_provides_the_counters() {
        let load = HostLoad::now();
        assert!(load.cores > 0 && load.idle.is_some() && load.stolen.is_some(), "{load:?}");
        assert!(runnable_threads().is_some_and(|runnable| runnable > 0));
        assert!(cores_of_host() >= load.cores);
    }
}
