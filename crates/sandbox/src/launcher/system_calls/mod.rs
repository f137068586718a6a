//! Which system calls a program may make (seccomp): those of a table, which runtimes need, with
//! arguments that stay within the program. Files, network and namespaces are restricted by other
//! means too; here it is kept from what reaches beyond it although it shares a user with others, and
//! from what no other limit counts.
//!
//! A refused call fails with EPERM. One for which programs have another way (`clone3`,
//! `memfd_create`, `io_uring_setup`), or that the table does not know, fails with ENOSYS, as on an
//! older kernel. A call that may succeed without being made returns 0: locks of
//! files and advice about keeping them in memory, in games.

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

/// The bit that marks a system call of x86-64 as one of the x32 interface, whose numbers no rule
/// names.
const X32: u32 = 0x4000_0000;

/// Restricts the process to the calls of this launch, for good, and whatever it starts. Comes last.
pub(super) fn restrict(launch: &Launch) -> Result<(), Unfit> {
    const STEP: &str = "restricting system calls (seccomp)";
    for program in programs(launch).map_err(io::Error::other).step(STEP)? {
        apply_filter(&program).map_err(io::Error::other).step(STEP)?;
    }
    Ok(())
}

/// The filters, in the order in which they are installed: of two that do not let a call through, the
/// later one says what it returns. The last of them forbids further ones.
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
            // Whatever its arguments.
            refused.extend(calls.iter().map(|&call| (call, Vec::new())));
        }
    }
    // The library's programs begin with a check that kills what calls by another architecture's
    // numbers.
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

/// What a verdict comes to for this launch: allowed, refused or absent.
fn settled(verdict: Verdict, launch: &Launch) -> Verdict {
    match verdict {
        Verdict::Trees if launch.tier == Tier::A => Verdict::Refused,
        Verdict::Trees => Verdict::Allowed,
        verdict => verdict,
    }
}

/// A program that lets these calls through and fails all others with `ENOSYS`; it kills whatever
/// calls by a number of the x32 interface. By ranges, and not call by call as the library has it: the
/// kernel runs a new filter for each number that there is, which would take a millisecond.
fn only(known: &BTreeSet<u32>) -> BpfProgram {
    const LOAD_WORD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const JUMP_IF_ABOVE: u16 = 0x25; // BPF_JMP | BPF_JGT | BPF_K
    const JUMP_IF_AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let number = 0; // where `struct seccomp_data` has it
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let end_with = |action| instruction(RETURN, 0, 0, u32::from(action));
    let absent = || end_with(SeccompAction::Errno(libc::ENOSYS.unsigned_abs()));
    let mut program = vec![
        instruction(LOAD_WORD, 0, 0, number),
        instruction(JUMP_IF_AT_LEAST, 0, 1, X32),
        end_with(SeccompAction::KillProcess),
    ];
    for (first, last) in ranges(known) {
        // Each jump passes over the end that follows it.
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

/// The first and the last of each run of numbers, in order.
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

    /// How many calls Linux 6.19 has, holes included.
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
            // Numbers between these have never been given to anything.
            let all = (0..=336).chain(424..END);
            let missing: Vec<i64> = all.filter(|call| !decided.contains_key(call)).collect();
            assert!(missing.is_empty(), "calls that no group names: {missing:?}");
        }
    }
}
