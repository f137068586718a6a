//! The user that a bot runs as. Never root: a referee that is root starts each bot under a UID that
//! nothing else on the machine uses, so not even two bots share one.

use super::files::walk_writable;
use super::setup::{Step, Unfit};
use crate::launch::{Launch, Writable};
use rustix::process::{Gid, Uid, geteuid, getuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, set_capabilities,
    set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};
use std::fs;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

/// The step that fails if root is the only available user.
pub(crate) const CHOOSING_A_USER: &str = "choosing a user for it";

/// The first of the UIDs that no distribution assigns. UIDs below 0x7000_0000 are assigned to
/// users, services and containers; those above 0x7fff_ffff do not fit in a positive `int`.
const UNUSED: u32 = 0x7000_0000;

/// How many of these UIDs are used.
const COUNT: u32 = 32 * PROCESSES;

/// The kernel's upper bound of PIDs (`PID_MAX_LIMIT`); no PID reaches it.
const PROCESSES: u32 = 1 << 22;

/// Returns whether this is one of the UIDs that a referee running as root gives to bots.
pub fn is_unused_user(uid: u32) -> bool {
    let (first, count) = unused_uids();
    (first..first + count).contains(&uid)
}

/// Returns the first of the UIDs for bots, and their count. In a container with few UIDs, uses the
/// upper half of them.
fn unused_uids() -> (u32, u32) {
    unused_ids("/proc/self/uid_map")
}

/// Returns the group that all bots of a referee running as root are in: they pass through directories that no
/// other user enters. It is the GID after those that bots have of their own. Returns `None` if there are too few.
pub fn bots_group() -> Option<u32> {
    let (first, count) = unused_ids("/proc/self/gid_map");
    (count > 0).then_some(first + count)
}

/// Returns the first of the IDs in a map that nothing else uses, and their count. One more is free.
fn unused_ids(map: &str) -> (u32, u32) {
    let map = fs::read_to_string(map).unwrap_or_default();
    let ranges = map.lines().filter_map(|line| {
        let mut fields = line.split_whitespace().map(str::parse::<u32>);
        let first = fields.next()?.ok()?;
        let length = fields.nth(1)?.ok()?;
        Some((first, length))
    });
    let ranges: Vec<(u32, u32)> = ranges.collect();
    let holds = |&(first, length): &(u32, u32)| {
        first <= UNUSED && UNUSED + COUNT < first.saturating_add(length)
    };
    if ranges.iter().any(holds) {
        return (UNUSED, COUNT);
    }
    let largest = ranges.iter().max_by_key(|(_, length)| *length).copied().unwrap_or((0, 0));
    (largest.0 + largest.1 / 2, (largest.1 / 2).min(COUNT).saturating_sub(1))
}

/// Returns a UID for this process that no other process has while this one lives: it is derived
/// from the PID.
fn own_unused_uid() -> io::Result<Uid> {
    // This must be the PID on the machine, not one in a new PID namespace.
    let number: u32 = fs::read_link("/proc/self")?
        .to_str()
        .and_then(|name| name.parse().ok())
        .ok_or_else(|| io::Error::other("/proc/self does not lead to a PID"))?;
    let (first, count) = unused_uids();
    if count == 0 {
        return Err(io::Error::other(
            "root is the only user here, and a bot never runs as root: run the referee as another \
             user",
        ));
    }
    Ok(Uid::from_raw(first + number % count))
}

/// Returns a UID for a program that this process starts without a launcher. Each call returns
/// another one, and no contained program has it. Returns `None` if root is the only user.
pub fn unused_user() -> Option<u32> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (first, count) = unused_uids();
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    // UIDs of contained programs are derived from their PIDs, which are below PROCESSES.
    let own = (next % 31 + 1).wrapping_mul(PROCESSES).wrapping_add(std::process::id());
    (count > 0).then(|| first + own % count)
}

/// Returns the UID to change to if this process is root; `None` if it is not. The program runs as
/// the directory's owner if it may write in one, otherwise as an unused UID.
pub(super) fn user(launch: &Launch) -> Result<Option<Uid>, Unfit> {
    if !getuid().is_root() && !geteuid().is_root() {
        return Ok(None);
    }
    let user = match launch.writable.first() {
        Some(directory) => owner(directory)?,
        None => own_unused_uid().step(CHOOSING_A_USER)?,
    };
    Ok(Some(user))
}

/// Returns the owner of a directory, which must not be root.
fn owner(directory: &Writable) -> Result<Uid, Unfit> {
    match walk_writable(directory)?.stat().step(CHOOSING_A_USER)?.st_uid {
        0 => Err(Unfit::new(
            CHOOSING_A_USER,
            io::Error::other(format!(
                "{0} belongs to root, and nothing runs as root here; change its owner: chown -R \
                 nobody {0}",
                directory.path.display()
            )),
        )),
        uid => Ok(Uid::from_raw(uid)),
    }
}

/// Changes to this user, if any, in no group of root's but [`bots_group`], and permanently gives up all
/// capabilities.
pub(super) fn drop_root(user: Option<Uid>) -> Result<(), Unfit> {
    if let Some(uid) = user {
        let gid = Gid::from_raw(uid.as_raw());
        let groups: Vec<Gid> = bots_group().map(Gid::from_raw).into_iter().collect();
        set_thread_groups(&groups).step("leaving root's groups")?;
        set_thread_res_gid(gid, gid, gid).step("leaving root's group")?;
        set_thread_res_uid(uid, uid, uid).step("becoming another user than root")?;
    }
    drop_capabilities()
}

/// Drops every capability, and the ability to gain one by executing a program.
pub(super) fn drop_capabilities() -> Result<(), Unfit> {
    rustix::thread::set_no_new_privs(true).step("giving up new privileges")?;
    clear_ambient_capability_set().step("giving up ambient capabilities")?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none).step("giving up capabilities")
}
