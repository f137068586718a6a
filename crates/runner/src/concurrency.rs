//! The number of games played at once, and the check that this host can time them.

use crate::error::Error;
use crate::message;
use crate::message::Message;
use crate::settings::{CLOCK, CONCURRENCY, OVERSUBSCRIBE, PIN};
use crate::words::counted;
use botyard_protocol::ClockKind;
#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity};

/// The largest number of games per core with the wall clock. The referee waits for an answer at
/// most a hundred times as long as a bot may take, so a host that gives each bot less than a hundredth
/// of a core cannot time any. This limit leaves most of that for the referee, for starts and for other
/// programs.
const MOST_A_CORE_WALL: usize = 8;

/// The largest number of games per core with the CPU clock. Its wall-clock backstop is five times
/// as long again. Starts and setup are timed by the wall clock only.
const MOST_A_CORE_CPU: usize = 32;

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the number of games played at once. A game keeps one core busy, however many bots it
/// has, because only one of them thinks at a time.
pub(crate) fn concurrency(wanted: Option<u16>, games: u32) -> usize {
    let wanted = wanted.map_or(cores().saturating_sub(1).max(1), usize::from);
    wanted.min(games as usize)
}

/// Checks that this host can time `games` games at once. Returns a warning if it can do so only by
/// excusing time.
///
/// # Errors
///
/// More games than the host can time, unless the user `insists`.
pub(crate) fn check_concurrency(
    games: usize,
    clock: ClockKind,
    insists: bool,
) -> Result<Option<Message>, Error> {
    let cores = cores();
    if let Some(refusal) = refusal(games, clock, cores)
        && !insists
    {
        return Err(Error::usage(refusal));
    }
    Ok((games > cores && clock == ClockKind::Wall).then(|| {
        message![
            format!("{games} games at once on {} with a ", counted(cores as u64, "core")),
            "wall-clock time limit: each bot gets less than one core; for fair timing write ",
            CLOCK.with("cpu"),
            " or ",
            CONCURRENCY.with(cores)
        ]
    }))
}

/// Returns why `cores` cores cannot time `games` games at once, if they cannot.
fn refusal(games: usize, clock: ClockKind, cores: usize) -> Option<Message> {
    let (most, or) = match clock {
        ClockKind::Wall => (cores * MOST_A_CORE_WALL, message![" or ", CLOCK.with("cpu")]),
        ClockKind::Cpu => (cores * MOST_A_CORE_CPU, Message::default()),
    };
    (games > most).then(|| {
        message![
            format!("expected at most {most} games at once, got {games}: "),
            counted(cores as u64, "core"),
            " cannot time more; write ",
            CONCURRENCY.with(cores),
            or,
            ", or ",
            OVERSUBSCRIBE,
            " for bots that hardly compute"
        ]
    })
}

/// Returns a core for each of `games` concurrent games, among those that this program may use.
/// Empty if games are not pinned.
///
/// If `wanted` is `None`, games are pinned if there is one for every core and bots are stopped
/// outside their turns (`stops_bots`). Only one thread of each game runs at a time then, and all
/// cores are in use: time that a bot's other threads gained on another core would be lost to that
/// core's game. A bot and the referee wake each other at every turn, which is two to three times as
/// fast on one core as across two.
///
/// # Errors
///
/// Pinning is wanted and there are fewer cores than games, or the system does not list its cores.
pub(crate) fn cores_for(
    games: usize,
    wanted: Option<bool>,
    stops_bots: bool,
) -> Result<Vec<usize>, Error> {
    if wanted == Some(false) || (wanted.is_none() && !stops_bots) {
        return Ok(Vec::new());
    }
    let mut cores = own_cores()?;
    if wanted.is_none() && cores.len() != games {
        return Ok(Vec::new());
    }
    if cores.len() < games {
        return Err(Error::usage(message![
            PIN,
            " needs a core for each game, but there are ",
            format!("{} for {games} games at once; write ", cores.len()),
            CONCURRENCY.with(cores.len())
        ]));
    }
    cores.truncate(games);
    Ok(cores)
}

/// Returns the cores that this program may use.
#[cfg(target_os = "linux")]
fn own_cores() -> Result<Vec<usize>, Error> {
    let own = sched_getaffinity(None)
        .map_err(|error| Error::host(format!("cannot get the list of cores: {error}")))?;
    Ok((0..CpuSet::MAX_CPU).filter(|&core| own.is_set(core)).collect())
}

/// Returns the error of a system on which games are not pinned.
#[cfg(not(target_os = "linux"))]
fn own_cores() -> Result<Vec<usize>, Error> {
    Err(Error::usage(message![PIN, " needs Linux, and this is ", std::env::consts::OS]))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn games_are_pinned_by_themselves_only_where_they_take_all_cores_and_bots_are_stopped() {
        let own = sched_getaffinity(None).unwrap();
        let own: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| own.is_set(core)).collect();
        let all = own.len();
        for (games, wanted, stops_bots, pinned) in [
            (all, None, true, all),
            (all, None, false, 0),
            (all, Some(false), true, 0),
            (all, Some(true), false, all),
            (1, Some(true), false, 1),
            (all + 1, None, true, 0),
        ] {
            let cores = cores_for(games, wanted, stops_bots).unwrap();
            assert_eq!(cores, own[..pinned], "{games} {wanted:?} {stops_bots}");
        }
        assert!(cores_for(all + 1, Some(true), true).is_err());
    }

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
            assert!(most.is_none_or(|most| refusal.unwrap().plain().contains(most)));
        }
    }
}
