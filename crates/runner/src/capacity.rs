//! The capacity of this host for concurrent games: file descriptors and processes, checked before
//! the first game.

use crate::error::Error;
use crate::message;
use crate::settings::CONCURRENCY;
use botyard_sandbox::{Contained, Tier};
use rustix::process::{Resource, geteuid, getrlimit};
use std::fs;
use std::os::unix::fs::MetadataExt;

/// Descriptors reserved for other uses: a store, a standings file, reading `/proc`.
const SPARE_DESCRIPTORS: u64 = 24;

/// Checks that the host has room for `games` concurrent games, each between `bots` bots in this
/// tier.
///
/// # Errors
///
/// The host has room for fewer games. The message says how many, and what to do.
pub(crate) fn check(games: usize, bots: usize, tier: Tier) -> Result<(), Error> {
    let games = games as u64;
    for room in [descriptors(bots as u64, tier), processes(bots as u64, tier)] {
        let fit = room.games();
        if fit >= games {
            continue;
        }
        let Room { what, limit, used, of_a_game, remedy } = room;
        let refused = format!(
            "{games} games at once need {} {what}, but only {} of {limit} are left ({used} in use)",
            games * of_a_game,
            limit.saturating_sub(used),
        );
        return Err(Error::host(match fit {
            0 => message![format!("{refused}: not even one game fits; {remedy}")],
            fit => {
                let write = CONCURRENCY.with(fit);
                message![format!("{refused}: {fit} fit; write "), write, ", or ", remedy]
            }
        }));
    }
    Ok(())
}

/// The limit and use of a resource.
struct Room {
    what: &'static str,
    limit: u64,
    used: u64,
    of_a_game: u64,
    remedy: &'static str,
}

impl Room {
    fn games(&self) -> u64 {
        self.limit.saturating_sub(self.used) / self.of_a_game
    }
}

fn descriptors(bots: u64, tier: Tier) -> Room {
    // One descriptor more is the replay's.
    let of_a_game = bots * Contained::descriptors(tier) + Contained::DESCRIPTORS_TO_START + 1;
    let open = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count) as u64;
    Room {
        what: "file descriptors",
        limit: getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX),
        used: open + SPARE_DESCRIPTORS,
        of_a_game,
        remedy: "raise the limit (`ulimit -Hn`)",
    }
}

fn processes(bots: u64, tier: Tier) -> Room {
    // In tiers B and C each bot has one more process. Each game adds a launcher and a thread of
    // this program.
    let of_a_bot = if matches!(tier, Tier::B | Tier::C) { 2 } else { 1 };
    // The limit of processes does not apply to root.
    let limit = match getrlimit(Resource::Nproc).current {
        Some(limit) if !geteuid().is_root() => limit,
        _ => u64::MAX,
    };
    Room {
        what: "processes",
        limit,
        used: if limit == u64::MAX { 0 } else { tasks_of_this_user() },
        of_a_game: bots * of_a_bot + 2,
        remedy: "raise the limit (`ulimit -u`)",
    }
}

/// Counts processes and threads of the current user.
fn tasks_of_this_user() -> u64 {
    let own = geteuid().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let threads = processes.filter_map(|process| {
        let is_own = process.metadata().is_ok_and(|metadata| metadata.uid() == own);
        let status = fs::read_to_string(process.path().join("status")).ok().filter(|_| is_own)?;
        let line = status.lines().find_map(|line| line.strip_prefix("Threads:"))?;
        line.trim().parse::<u64>().ok()
    });
    threads.sum()
}
