//! Who a bot runs as. Never as root: a referee that is root starts each bot under a uid that
//! nothing else on the machine has, so that not even two bots share one.

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

/// The step at which a root finds that there is nobody else to be.
pub(crate) const CHOOSING_A_USER: &str = "choosing a user for it";

/// The first of the uids that no distribution gives to anybody: those below 0x7000_0000 are given
/// to users, services and containers, those above 0x7fff_ffff are no positive `int`.
const UNUSED: u32 = 0x7000_0000;

/// How many of them are taken.
const COUNT: u32 = 32 * PROCESSES;

/// No process has a number as great as this.
const PROCESSES: u32 = 1 << 22;

/// Whether this is one of the uids under which bots of a referee run that is root.
pub fn is_unused_user(uid: u32) -> bool {
    let (first, count) = unused_uids();
    (first..first + count).contains(&uid)
}

/// The first of the uids for bots, and how many there are. In a container with few uids the upper
/// half of them has to do.
fn unused_uids() -> (u32, u32) {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let ranges = map.lines().filter_map(|line| {
        let mut fields = line.split_whitespace().map(str::parse::<u32>);
        let first = fields.next()?.ok()?;
        let length = fields.nth(1)?.ok()?;
        Some((first, length))
    });
    let ranges: Vec<(u32, u32)> = ranges.collect();
    let holds = |&(first, length): &(u32, u32)| {
        first <= UNUSED && UNUSED + COUNT <= first.saturating_add(length)
    };
    if ranges.iter().any(holds) {
        return (UNUSED, COUNT);
    }
    let largest = ranges.iter().max_by_key(|(_, length)| *length).copied().unwrap_or((0, 0));
    (largest.0 + largest.1 / 2, (largest.1 / 2).min(COUNT))
}

/// The uid for this process, which nobody else has while it lives: it goes by its number.
fn own_unused_uid() -> io::Result<Uid> {
    // As the processes of the whole machine are numbered, not those of a new namespace.
    let number: u32 = fs::read_link("/proc/self")?
        .to_str()
        .and_then(|name| name.parse().ok())
        .ok_or_else(|| io::Error::other("/proc/self is no number"))?;
    let (first, count) = unused_uids();
    if count == 0 {
        return Err(io::Error::other(
            "root is the only user here, and a bot never runs as root: run the referee as another \
             user",
        ));
    }
    Ok(Uid::from_raw(first + number % count))
}

/// A uid for a program that this process starts without a launcher, another one each time, which no
/// contained program has; `None` where root is the only user there is.
pub fn unused_user() -> Option<u32> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (first, count) = unused_uids();
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    // The uids of contained programs go by their own numbers, which are below PROCESSES.
    let own = (next % 31 + 1).wrapping_mul(PROCESSES).wrapping_add(std::process::id());
    (count > 0).then(|| first + own % count)
}

/// The user that a process which is root is to become; `None` where it is another one already. A
/// program that may write in a directory becomes the owner of that, all others somebody that nobody
/// is.
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

/// The owner of a directory, who must not be root.
fn owner(directory: &Writable) -> Result<Uid, Unfit> {
    match walk_writable(directory)?.stat().step(CHOOSING_A_USER)?.st_uid {
        0 => Err(Unfit::new(
            CHOOSING_A_USER,
            io::Error::other(format!(
                "{0} belongs to root, and nothing runs as root here; give it to somebody else: chown -R \
                 nobody {0}",
                directory.path.display()
            )),
        )),
        uid => Ok(Uid::from_raw(uid)),
    }
}

/// Becomes that user; in any case it has no capabilities and cannot get any from now on.
pub(super) fn drop_root(user: Option<Uid>) -> Result<(), Unfit> {
    if let Some(uid) = user {
        let gid = Gid::from_raw(uid.as_raw());
        set_thread_groups(&[]).step("leaving root's groups")?;
        set_thread_res_gid(gid, gid, gid).step("leaving root's group")?;
        set_thread_res_uid(uid, uid, uid).step("becoming another user than root")?;
    }
    drop_capabilities()
}

/// Gives up every capability, and any way to gain one by running a program.
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
