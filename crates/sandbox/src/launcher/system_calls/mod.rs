//! Which system calls a program may make (seccomp): those of a table, which runtimes need, with
//! arguments that stay within the program. Files, network and namespaces are restricted by other
//! means too; here it is kept from what reaches beyond it although it shares a user with others, and
//! from what no other limit counts.
//!
//! A refused call fails with EPERM. One for which programs have another way (`clone3`,
//! `memfd_create`, `io_uring_setup`), or that the table does not know, fails with ENOSYS, as on an
//! older kernel.

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

/// The filters, in the order in which they are installed: of two that refuse a call, the later one
/// says how it fails. The last of them forbids further ones.
fn programs(launch: &Launch) -> Result<[BpfProgram; 3], BackendError> {
    let mut refused = Refusals::new();
    arguments::refuse(&mut refused, launch)?;
    let mut known = Refusals::new();
    for (verdict, calls) in groups() {
        let verdict = settled(*verdict, launch);
        if verdict != Verdict::Absent {
            known.extend(calls.iter().map(|&call| (call, Vec::new())));
        }
        if verdict == Verdict::Refused {
            // Whatever its arguments.
            refused.extend(calls.iter().map(|&call| (call, Vec::new())));
        }
    }
    let errno = |errno: i32| SeccompAction::Errno(errno.unsigned_abs());
    let known = filter(known, errno(libc::ENOSYS), SeccompAction::Allow)?;
    Ok([no_x32(), known, filter(refused, SeccompAction::Allow, errno(libc::EPERM))?])
}

/// What a verdict comes to for this launch: allowed, refused or absent.
fn settled(verdict: Verdict, launch: &Launch) -> Verdict {
    match verdict {
        Verdict::Trees if launch.tier == Tier::A => Verdict::Refused,
        Verdict::Trees => Verdict::Allowed,
        verdict => verdict,
    }
}

/// A program that does the one with the calls of these rules, and the other with all others.
fn filter(
    rules: Refusals,
    others: SeccompAction,
    these: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    // The library's programs begin with a check that kills what calls by another architecture's
    // numbers.
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, others, these, target)?.try_into()
}

/// A program that kills whatever calls by a number of the x32 interface.
fn no_x32() -> BpfProgram {
    const LOAD_WORD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const JUMP_IF_AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let number = 0; // where `struct seccomp_data` has it
    let instruction = |code, jt, k| sock_filter { code, jt, jf: 0, k };
    vec![
        instruction(LOAD_WORD, 0, number),
        instruction(JUMP_IF_AT_LEAST, 1, X32),
        instruction(RETURN, 0, u32::from(SeccompAction::Allow)),
        instruction(RETURN, 0, u32::from(SeccompAction::KillProcess)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// How many calls Linux 6.19 has, holes included.
    const END: i64 = 471;

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
