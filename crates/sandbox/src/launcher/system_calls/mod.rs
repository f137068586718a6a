//! The seccomp filters: a program may make the system calls of a table, which runtimes need, with
//! arguments that affect only the program itself. Other mechanisms restrict files, network and
//! namespaces as well. The filters also block what reaches other processes of the same user, and
//! what no other limit counts.
//!
//! A refused call fails with EPERM. A call that programs have a fallback for (`clone3`,
//! `memfd_create`, `io_uring_setup`), or that the table does not know, fails with ENOSYS, as on an
//! older kernel. A few calls return 0 without being made: in games, file locks and page cache
//! advice.

mod arguments;
mod numbers;
mod table;

use super::setup::{Step, Unfit};
use crate::launch::Launch;
use crate::tier::Tier;
use arguments::Refusals;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter, sock_filter,
};
use std::collections::BTreeSet;
use std::io;
use table::{Verdict, groups};

/// The bit that marks a call of the x32 interface on x86-64. No rule names x32 numbers.
const X32: u32 = 0x4000_0000;

/// Irrevocably restricts the process and its children to the calls of this launch. The last step.
pub(super) fn restrict(launch: &Launch) -> Result<(), Unfit> {
    const STEP: &str = "restricting system calls (seccomp)";
    for program in programs(launch).map_err(io::Error::other).step(STEP)? {
        apply_filter(&program).map_err(io::Error::other).step(STEP)?;
    }
    Ok(())
}

/// Returns the filters in the order of installation. If two filters block a call, the later one
/// determines the return value. The last filter forbids installing more.
fn programs(launch: &Launch) -> Result<[BpfProgram; 3], BackendError> {
    let mut refused = Refusals::new();
    arguments::refuse(&mut refused, launch)?;
    let mut known = BTreeSet::new();
    for (verdict, calls) in groups() {
        let verdict = settled(*verdict, launch);
        if verdict != Verdict::Absent {
            known.extend(calls.iter().filter_map(|&call| u32::try_from(call).ok()));
        }
        if verdict == Verdict::Refused {
            // Whatever the arguments.
            refused.extend(calls.iter().map(|&call| (call, Vec::new())));
        }
    }
    // The library's filters begin with a check that kills a process that uses another
    // architecture's call numbers.
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let refused = SeccompFilter::new(refused, SeccompAction::Allow, refusal, target)?;
    let mut ineffective = Refusals::new();
    arguments::ineffective(&mut ineffective, launch)?;
    // The call returns 0 and is not made.
    let success = SeccompAction::Errno(0);
    let ineffective = SeccompFilter::new(ineffective, SeccompAction::Allow, success, target)?;
    Ok([only(&known), ineffective.try_into()?, refused.try_into()?])
}

/// Resolves a verdict for this launch: allowed, refused or absent.
fn settled(verdict: Verdict, launch: &Launch) -> Verdict {
    match verdict {
        Verdict::Trees if launch.tier == Tier::A => Verdict::Refused,
        Verdict::Trees => Verdict::Allowed,
        verdict => verdict,
    }
}

/// Returns a filter that passes these calls and fails all others with `ENOSYS`; it kills a process
/// that uses an x32 number. It compares ranges, not single calls as the library's filters do: the
/// kernel evaluates a new filter once for every call number, which would take a millisecond.
fn only(known: &BTreeSet<u32>) -> BpfProgram {
    const LOAD_WORD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const JUMP_IF_ABOVE: u16 = 0x25; // BPF_JMP | BPF_JGT | BPF_K
    const JUMP_IF_AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let number = 0; // offset of `nr` in `struct seccomp_data`
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let end_with = |action| instruction(RETURN, 0, 0, u32::from(action));
    let absent = || end_with(SeccompAction::Errno(libc::ENOSYS.unsigned_abs()));
    let mut program = vec![
        instruction(LOAD_WORD, 0, 0, number),
        instruction(JUMP_IF_AT_LEAST, 0, 1, X32),
        end_with(SeccompAction::KillProcess),
    ];
    for (first, last) in ranges(known) {
        // Each jump skips the return that follows it.
        program.extend([
            instruction(JUMP_IF_AT_LEAST, 1, 0, first),
            absent(),
            instruction(JUMP_IF_ABOVE, 1, 0, last),
            end_with(SeccompAction::Allow),
        ]);
    }
    program.push(absent());
    program
}

/// Returns the first and the last number of each contiguous run, in order.
fn ranges(numbers: &BTreeSet<u32>) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// One more than the highest call number of Linux 6.19.
    const END: i64 = 471;

    #[test]
    fn ranges_hold_their_numbers_and_no_others() {
        assert_eq!(ranges(&BTreeSet::new()), []);
        let numbers = BTreeSet::from([0, 1, 2, 5, 7, 8, 424]);
        assert_eq!(ranges(&numbers), [(0, 2), (5, 5), (7, 8), (424, 424)]);
    }

    #[test]
    fn the_table_decides_every_call_once() {
        let mut decided = BTreeMap::new();
        for (verdict, calls) in groups() {
            for call in *calls {
                let before = decided.insert(*call, verdict);
                assert_eq!(before, None, "call {call}, again as {verdict:?}");
            }
        }
        if cfg!(target_arch = "x86_64") {
            // Linux never assigned the numbers between these ranges.
            let all = (0..=336).chain(424..END);
            let missing: Vec<i64> = all.filter(|call| !decided.contains_key(call)).collect();
            assert!(missing.is_empty(), "calls that no group names: {missing:?}");
        }
    }
}
