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
use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter, sock_filter,
};
use std::collections::BTreeMap;
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

/// What happens to a call, whatever its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Treatment {
    /// The call is made.
    Made,
    /// It returns 0 and is not made.
    Ineffective,
    /// It fails with this error.
    Fails(i32),
    /// It kills the process.
    Kills,
}

impl Treatment {
    fn action(self) -> SeccompAction {
        match self {
            Treatment::Made => SeccompAction::Allow,
            Treatment::Ineffective => SeccompAction::Errno(0),
            Treatment::Fails(errno) => SeccompAction::Errno(errno.unsigned_abs()),
            Treatment::Kills => SeccompAction::KillProcess,
        }
    }
}

/// Returns the filters in the order of installation. If two filters block a call, the later one
/// determines the return value. The last filter forbids installing more.
///
/// The kernel evaluates each new filter once for every call number, so what does not depend on
/// arguments is in one filter, the last, which searches quickly.
fn programs(launch: &Launch) -> Result<[BpfProgram; 3], BackendError> {
    let mut treated = BTreeMap::new();
    let mut refused = Refusals::new();
    arguments::refuse(&mut refused, launch)?;
    let mut ineffective = Refusals::new();
    arguments::ineffective(&mut ineffective, launch)?;
    for (verdict, calls) in groups() {
        let treatment = match settled(*verdict, launch) {
            Verdict::Absent => continue,
            Verdict::Refused => Treatment::Fails(libc::EPERM),
            Verdict::Allowed | Verdict::Trees => Treatment::Made,
        };
        treated.extend(calls.iter().map(|&call| (call, treatment)));
    }
    let is_refused = |treated: &BTreeMap<c_long, Treatment>, call: &c_long| {
        treated.get(call) == Some(&Treatment::Fails(libc::EPERM))
    };
    let whatever = |calls: &Refusals| -> Vec<c_long> {
        calls.iter().filter(|(_, rules)| rules.is_empty()).map(|(&call, _)| call).collect()
    };
    for call in whatever(&ineffective) {
        if !is_refused(&treated, &call) {
            treated.insert(call, Treatment::Ineffective);
        }
    }
    ineffective.retain(|_, rules| !rules.is_empty());
    treated
        .extend(whatever(&refused).into_iter().map(|call| (call, Treatment::Fails(libc::EPERM))));
    refused.retain(|call, _| !is_refused(&treated, call));
    // The library's filters begin with a check that kills a process that uses another
    // architecture's call numbers.
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    let refusal = Treatment::Fails(libc::EPERM).action();
    let refused = SeccompFilter::new(refused, SeccompAction::Allow, refusal, target)?;
    let success = Treatment::Ineffective.action();
    let ineffective = SeccompFilter::new(ineffective, SeccompAction::Allow, success, target)?;
    Ok([ineffective.try_into()?, refused.try_into()?, by_number(&treated)])
}

/// Resolves a verdict for this launch: allowed, refused or absent.
fn settled(verdict: Verdict, launch: &Launch) -> Verdict {
    match verdict {
        Verdict::Trees if launch.tier == Tier::A => Verdict::Refused,
        Verdict::Trees => Verdict::Allowed,
        verdict => verdict,
    }
}

/// Returns a filter that treats these calls as given and fails all others with `ENOSYS`; it kills a
/// process that uses an x32 number.
fn by_number(treated: &BTreeMap<c_long, Treatment>) -> BpfProgram {
    const LOAD_WORD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    let number = 0; // offset of `nr` in `struct seccomp_data`
    let mut program = vec![sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: number }];
    program.extend(search(&ranges(treated)));
    program
}

/// Returns the first number of each contiguous run with the same treatment, in order, from 0.
fn ranges(treated: &BTreeMap<c_long, Treatment>) -> Vec<(u32, Treatment)> {
    const ABSENT: Treatment = Treatment::Fails(libc::ENOSYS);
    let mut ranges = vec![(0, ABSENT)];
    let mut begin = |first: u32, treatment| match ranges.last_mut() {
        Some((_, last)) if *last == treatment => {}
        Some((same, last)) if *same == first => *last = treatment,
        _ => ranges.push((first, treatment)),
    };
    let mut next = 0;
    for (&call, &treatment) in treated {
        let Ok(call) = u32::try_from(call) else { continue };
        if call > next {
            begin(next, ABSENT);
        }
        begin(call, treatment);
        next = call + 1;
    }
    begin(next, ABSENT);
    begin(X32, Treatment::Kills);
    ranges
}

/// Returns instructions that find the range of the loaded number, by halves, and return its action.
fn search(ranges: &[(u32, Treatment)]) -> Vec<sock_filter> {
    const JUMP: u16 = 0x05; // BPF_JMP | BPF_JA
    const JUMP_IF_AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let (lower, upper) = ranges.split_at(ranges.len() / 2);
    let [(first, treatment), ..] = upper else { return Vec::new() };
    if lower.is_empty() {
        return vec![instruction(RETURN, 0, 0, u32::from(treatment.action()))];
    }
    let (lower, upper) = (search(lower), search(upper));
    // A conditional jump skips 255 instructions at most.
    let mut program = match u8::try_from(lower.len()) {
        Ok(skipped) => vec![instruction(JUMP_IF_AT_LEAST, skipped, 0, *first)],
        Err(_) => vec![
            instruction(JUMP_IF_AT_LEAST, 0, 1, *first),
            instruction(JUMP, 0, 0, lower.len() as u32),
        ],
    };
    program.extend(lower.into_iter().chain(upper));
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One more than the highest call number of Linux 6.19.
    const END: i64 = 471;

    /// Returns the result of a program of loads, jumps and returns for a call number.
    fn run(program: &[sock_filter], number: u32) -> u32 {
        let mut at = 1;
        loop {
            let sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            match code {
                0x05 => at += k as usize,
                0x06 => return k,
                _ => at += usize::from(if number >= k { jt } else { jf }),
            }
        }
    }

    #[test]
    fn every_number_is_treated_as_given() {
        let few = BTreeMap::from([
            (0, Treatment::Made),
            (1, Treatment::Made),
            (2, Treatment::Ineffective),
            (5, Treatment::Fails(libc::EPERM)),
            (424, Treatment::Made),
        ]);
        let many = (0..400).map(|call| (call * 2, Treatment::Made)).collect();
        for treated in [BTreeMap::new(), few, many] {
            let program = by_number(&treated);
            let others = [X32 - 1, X32, X32 + 1, u32::MAX];
            for number in (0..1000).chain(others) {
                let expected = match treated.get(&i64::from(number)) {
                    _ if number >= X32 => Treatment::Kills,
                    Some(&treatment) => treatment,
                    None => Treatment::Fails(libc::ENOSYS),
                };
                let expected = u32::from(expected.action());
                assert_eq!(run(&program, number), expected, "{number}");
            }
        }
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
