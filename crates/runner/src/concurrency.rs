//! How many games are played at once: as many as asked for, as long as this host can time them.

use crate::error::Error;
use crate::words::counted;
use botyard_protocol::ClockKind;
use rustix::thread::{CpuSet, sched_getaffinity};

/// The most games a core with the wall clock. A referee waits for an answer at most twenty times
/// as long as a bot may take, so a host that gives each bot less than a twentieth of a core times none;
/// this leaves more than half of that for the referee, for starts and for other programs.
const MOST_A_CORE_WALL: usize = 8;

/// The most games a core with CPU time as the clock: its wall-clock backstop is five times as long
/// again, and bots that start or set up have a wall clock only.
const MOST_A_CORE_CPU: usize = 32;

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns how many games are played at once: a game keeps one core busy, whatever the number of its
/// bots, because only one of them thinks at a time.
pub fn concurrency(wanted: Option<u16>, games: u32) -> usize {
    let wanted = wanted.map_or(cores().saturating_sub(1).max(1), usize::from);
    wanted.min(games as usize)
}

/// Checks that this host can time `games` games at once. Returns a warning if it can do so only by excusing
/// time.
///
/// # Errors
///
/// More games than it can time, unless the user `insists`.
pub fn check_concurrency(
    games: usize,
    clock: ClockKind,
    insists: bool,
) -> Result<Option<String>, Error> {
    let cores = cores();
    if let Some(refusal) = refusal(games, clock, cores)
        && !insists
    {
        return Err(Error::usage(refusal));
    }
    Ok((games > cores && clock == ClockKind::Wall).then(|| {
        format!(
            "{games} games at once on {} with a wall-clock time limit: each bot gets less than one core; \
             --clock cpu or --concurrency {cores} is fairer",
            counted(cores as u64, "core")
        )
    }))
}

/// Why `cores` cores cannot time `games` games at once.
fn refusal(games: usize, clock: ClockKind, cores: usize) -> Option<String> {
    let (most, or) = match clock {
        ClockKind::Wall => (cores * MOST_A_CORE_WALL, " or --clock cpu"),
        ClockKind::Cpu => (cores * MOST_A_CORE_CPU, ""),
    };
    (games > most).then(|| {
        format!(
            "expected at most {most} games at once, got {games}: {} cannot time more; write \
             --concurrency {cores}{or}, or --oversubscribe for bots that hardly compute",
            counted(cores as u64, "core")
        )
    })
}

/// Returns a core for each of `games` games at once, of those that this program may use.
///
/// # Errors
///
/// Fewer cores than games.
pub fn cores_for(games: usize) -> Result<Vec<usize>, Error> {
    let own = sched_getaffinity(None)
        .map_err(|error| Error::host(format!("cannot get the list of cores: {error}")))?;
    let mut cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| own.is_set(core)).collect();
    if cores.len() < games {
        return Err(Error::usage(format!(
            "--pin needs a core for each game, but there are {} for {games} games at once; write \
             --concurrency {}",
            cores.len(),
            cores.len()
        )));
    }
    cores.truncate(games);
    Ok(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_games_than_can_be_timed_are_refused() {
        for (games, clock, cores, most) in [
            (16, ClockKind::Wall, 2, None),
            (17, ClockKind::Wall, 2, Some("at most 16 games at once, got 17")),
            (64, ClockKind::Cpu, 2, None),
            (1024, ClockKind::Cpu, 2, Some("at most 64 games at once, got 1024")),
        ] {
            let refusal = refusal(games, clock, cores);
            assert_eq!(refusal.is_some(), most.is_some(), "{refusal:?}");
            assert!(most.is_none_or(|most| refusal.unwrap().contains(most)));
        }
    }
}
