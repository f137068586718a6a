//! The load of this host: what a referee must know before it rules that a program was late. The
//! kernel counts all of it for the host; none of it comes from the program being judged.

use std::fs;
use std::time::Duration;

/// The host's counters at some moment; `None` if the host does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostLoad {
    /// Total idle time of the cores that the calling thread may use.
    pub idle: Option<Duration>,
    /// Average time that these cores were stolen from this virtual machine.
    pub stolen: Option<Duration>,
    /// Time in which some program of the host had to wait for a core (pressure stall).
    pub pressure: Option<Duration>,
}

impl HostLoad {
    /// Reads the current counters.
    pub fn now() -> HostLoad {
        let (idle, stolen) = times_of_cores().unzip();
        HostLoad { idle, stolen, pressure: pressure() }
    }

    /// Returns the increase since an earlier moment.
    pub fn since(&self, earlier: &HostLoad) -> HostLoad {
        let difference = |now: Option<Duration>, then: Option<Duration>| {
            now.zip(then).map(|(now, then)| now.saturating_sub(then))
        };
        HostLoad {
            idle: difference(self.idle, earlier.idle),
            stolen: difference(self.stolen, earlier.stolen),
            pressure: difference(self.pressure, earlier.pressure),
        }
    }
}

/// Returns for how long the calling thread was runnable without a core; `None` where the kernel does
/// not count that.
pub fn own_core_wait() -> Option<Duration> {
    // Three numbers: nanoseconds on a core, nanoseconds waiting for one, time slices. Where nothing is
    // counted, all are 0.
    let counted = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut numbers = counted.split_whitespace().map_while(|number| number.parse::<u64>().ok());
    let (waited, slices) = (numbers.nth(1)?, numbers.next()?);
    (slices > 0).then_some(Duration::from_nanos(waited))
}

/// Returns the lines of `/proc/stat` for single cores: the core's number and its times.
fn lines_of_cores(stat: &str) -> impl Iterator<Item = (usize, &str)> {
    stat.lines().filter_map(|line| {
        let (name, times) = line.split_once(' ')?;
        Some((name.strip_prefix("cpu")?.parse().ok()?, times))
    })
}

/// Returns the total idle time and the average stolen time of the cores that this thread may use.
fn times_of_cores() -> Option<(Duration, Duration)> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let is_usable = usable_cores();
    let (mut idle, mut stolen, mut cores) = (0, 0, 0);
    for (_, times) in lines_of_cores(&stat).filter(|&(core, _)| is_usable(core)) {
        // user nice system idle iowait irq softirq steal ..., in ticks
        let times: Vec<u64> = times.split_whitespace().map_while(|n| n.parse().ok()).collect();
        let tick = |field: usize| times.get(field).copied().unwrap_or(0);
        idle += tick(3) + tick(4);
        stolen += tick(7);
        cores += 1;
    }
    (cores > 0).then(|| (ticks(idle), ticks(stolen) / cores))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_known_if_both_ends_are_known() {
        let ms = Duration::from_millis;
        let earlier = HostLoad { idle: Some(ms(100)), stolen: Some(ms(30)), ..HostLoad::default() };
        let now = HostLoad { idle: Some(ms(140)), stolen: Some(ms(30)), pressure: Some(ms(1)) };
        let expected = HostLoad { idle: Some(ms(40)), stolen: Some(ms(0)), ..HostLoad::default() };
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
        assert!(load.idle.is_some() && load.stolen.is_some(), "{load:?}");
    }
}
