//! The seccomp filter: a program may make the system calls of a table, which runtimes need, with
//! arguments that affect only the program itself. Other mechanisms restrict files, network and
//! namespaces as well. The filter also blocks what reaches other processes of the same user, and
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
    BackendError, BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch, apply_filter,
    sock_filter,
};
use std::collections::BTreeMap;
use std::io;
use table::{Verdict, groups};

/// The bit that marks a call of the x32 interface on x86-64. No rule names x32 numbers.
const X32: u32 = 0x4000_0000;

/// The filters of launches that a launcher has had. Each new process has a copy, so that none compiles
/// the filter again.
#[derive(Debug, Default)]
pub(super) struct Filters(Vec<(Kind, BpfProgram)>);

/// What a filter depends on, apart from a PID in tier A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    tier: Tier,
    children: bool,
    is_writing: bool,
}

impl Kind {
    fn of(launch: &Launch) -> Kind {
        let is_writing = !launch.writable.is_empty();
        Kind { tier: launch.tier, children: launch.children, is_writing }
    }
}

impl Filters {
    /// Compiles the filter of this launch ahead. If that fails, [`Filters::restrict`] says why.
    pub(super) fn compile(&mut self, launch: &Launch) {
        let kind = Kind::of(launch);
        if kind.tier != Tier::A
            && self.of(kind).is_none()
            && let Ok(filter) = filter(launch)
        {
            self.0.push((kind, filter));
        }
    }

    /// Irrevocably restricts the process and its children to the calls of this launch. The last step.
    pub(super) fn restrict(&self, launch: &Launch) -> Result<(), Unfit> {
        const STEP: &str = "restricting system calls (seccomp)";
        let restrict = |filter: &BpfProgram| apply_filter(filter).map_err(io::Error::other);
        match self.of(Kind::of(launch)) {
            Some(filter) => restrict(filter).step(STEP),
            None => restrict(&filter(launch).map_err(io::Error::other).step(STEP)?).step(STEP),
        }
    }

    fn of(&self, kind: Kind) -> Option<&BpfProgram> {
        self.0.iter().find_map(|(of, filter)| (*of == kind).then_some(filter))
    }
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Treatment {
    /// The call is made.
    Made,
    /// It returns 0 and is not made.
    Ineffective,
    /// It fails with this error.
    Fails(i32),
    /// Its arguments decide.
    Depends(c_long),
    /// It kills the process.
    Kills,
}

impl Treatment {
    fn action(self) -> Option<SeccompAction> {
        Some(match self {
            Treatment::Made => SeccompAction::Allow,
            Treatment::Ineffective => SeccompAction::Errno(0),
            Treatment::Fails(errno) => SeccompAction::Errno(errno.unsigned_abs()),
            Treatment::Kills => SeccompAction::KillProcess,
            Treatment::Depends(_) => return None,
        })
    }
}

const REFUSED: Treatment = Treatment::Fails(libc::EPERM);

/// Returns the filter of a launch, which forbids installing more.
///
/// The kernel evaluates it once for every call number when it is installed, so it searches quickly.
fn filter(launch: &Launch) -> Result<BpfProgram, BackendError> {
    let mut treated = BTreeMap::new();
    for (verdict, calls) in groups() {
        let treatment = match settled(*verdict, launch) {
            Verdict::Absent => continue,
            Verdict::Refused => REFUSED,
            Verdict::Allowed | Verdict::Trees => Treatment::Made,
        };
        treated.extend(calls.iter().map(|&call| (call, treatment)));
    }
    let mut checks = Checks::new();
    let (mut refused, mut ineffective) = (Refusals::new(), Refusals::new());
    arguments::refuse(&mut refused, launch)?;
    arguments::ineffective(&mut ineffective, launch)?;
    for (rules, treatment) in [(refused, REFUSED), (ineffective, Treatment::Ineffective)] {
        for (call, rules) in rules {
            let before = treated.get(&call).copied();
            if rules.is_empty() {
                if before != Some(REFUSED) {
                    treated.insert(call, treatment);
                }
            } else if matches!(before, Some(Treatment::Made | Treatment::Depends(_))) {
                treated.insert(call, Treatment::Depends(call));
                let rules = rules.into_iter().map(|rule| (rule, treatment));
                checks.entry(call).or_default().extend(rules);
            }
        }
    }
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    // The library's filters begin with a check that kills a process that uses another
    // architecture's call numbers. One without rules ends after that.
    let always = SeccompFilter::new(
        BTreeMap::new(),
        SeccompAction::Allow,
        SeccompAction::KillProcess,
        target,
    )?;
    let mut program = BpfProgram::try_from(always)?;
    program.pop();
    program.extend(by_number(&treated, &checks));
    Ok(program)
}

/// The rules of calls whose arguments decide, with the treatment if one matches; the first that does
/// counts, and without one the call is made.
type Checks = BTreeMap<c_long, Vec<(SeccompRule, Treatment)>>;

/// Resolves a verdict for this launch: allowed, refused or absent.
fn settled(verdict: Verdict, launch: &Launch) -> Verdict {
    match verdict {
        Verdict::Trees if launch.tier == Tier::A => Verdict::Refused,
        Verdict::Trees => Verdict::Allowed,
        verdict => verdict,
    }
}

/// Returns instructions that treat these calls as given and fail all others with `ENOSYS`; they kill a
/// process that uses an x32 number.
fn by_number(treated: &BTreeMap<c_long, Treatment>, checks: &Checks) -> BpfProgram {
    const LOAD_WORD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    let number = 0; // offset of `nr` in `struct seccomp_data`
    let mut program = vec![sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: number }];
    program.extend(search(&ranges(treated), checks));
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
fn search(ranges: &[(u32, Treatment)], checks: &Checks) -> Vec<sock_filter> {
    const JUMP: u16 = 0x05; // BPF_JMP | BPF_JA
    const JUMP_IF_AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let (lower, upper) = ranges.split_at(ranges.len() / 2);
    let [(first, treatment), ..] = upper else { return Vec::new() };
    if lower.is_empty() {
        return treat(*treatment, checks);
    }
    let (lower, upper) = (search(lower, checks), search(upper, checks));
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

/// Returns instructions that return the action of a call, after checks of its arguments if there are any.
fn treat(treatment: Treatment, checks: &Checks) -> Vec<sock_filter> {
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let act = |treatment: Treatment| {
        let action = treatment.action().unwrap_or(SeccompAction::KillProcess);
        sock_filter { code: RETURN, jt: 0, jf: 0, k: u32::from(action) }
    };
    let Treatment::Depends(call) = treatment else { return vec![act(treatment)] };
    let mut program = Vec::new();
    for (rule, treatment) in checks.get(&call).into_iter().flatten() {
        // A rule that does not match skips the instruction after it.
        program.extend(BpfProgram::from(rule.clone()));
        program.push(act(*treatment));
    }
    program.push(act(Treatment::Made));
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One more than the highest call number of Linux 6.19.
    const END: i64 = 471;

    /// Returns the result of a program for a call, as the kernel computes it.
    fn run(program: &[sock_filter], number: u32, args: [u64; 6]) -> u32 {
        let (mut at, mut loaded) = (0, 0);
        loop {
            let sock_filter { code, jt, jf, k } = program[at];
            at += 1;
            let skipped = |holds| usize::from(if holds { jt } else { jf });
            match code {
                0x20 if k == 0 => loaded = number,
                0x20 => {
                    let (argument, half) = ((k as usize - 16) / 8, k % 8);
                    loaded = (args[argument] >> (half * 8)) as u32;
                }
                0x54 => loaded &= k,
                0x05 => at += k as usize,
                0x15 => at += skipped(loaded == k),
                0x25 => at += skipped(loaded > k),
                0x35 => at += skipped(loaded >= k),
                0x06 => return k,
                code => panic!("{code:#x}"),
            }
        }
    }

    #[test]
    fn every_number_is_treated_as_given() {
        let few = BTreeMap::from([
            (0, Treatment::Made),
            (1, Treatment::Made),
            (2, Treatment::Ineffective),
            (5, REFUSED),
            (424, Treatment::Made),
        ]);
        let many = (0..400).map(|call| (call * 2, Treatment::Made)).collect();
        for treated in [BTreeMap::new(), few, many] {
            let program = by_number(&treated, &Checks::new());
            let others = [X32 - 1, X32, X32 + 1, u32::MAX];
            for number in (0..1000).chain(others) {
                let expected = match treated.get(&i64::from(number)) {
                    _ if number >= X32 => Treatment::Kills,
                    Some(&treatment) => treatment,
                    None => Treatment::Fails(libc::ENOSYS),
                };
                let expected = u32::from(expected.action().unwrap());
                assert_eq!(run(&program, number, [0; 6]), expected, "{number}");
            }
        }
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn arguments_decide_where_a_call_has_rules_and_no_other_call_is_checked() {
        let is = |value: u64| {
            let length = seccompiler::SeccompCmpArgLen::Qword;
            let equal = seccompiler::SeccompCmpOp::Eq;
            let condition = seccompiler::SeccompCondition::new(1, length, equal, value).unwrap();
            SeccompRule::new(vec![condition]).unwrap()
        };
        const LARGE: u64 = 7 << 32;
        let depends = [10, 11, 300];
        let treated: BTreeMap<_, _> = (0..400)
            .map(|call| (call, Treatment::Made))
            .chain(depends.map(|call| (call, Treatment::Depends(call))))
            .collect();
        let rules = vec![(is(7), REFUSED), (is(LARGE), REFUSED), (is(8), Treatment::Ineffective)];
        let checks = depends.map(|call| (call, rules.clone())).into_iter().collect();
        let program = by_number(&treated, &checks);
        for call in 0..400 {
            for argument in [0, 7, 8, LARGE, LARGE + 7] {
                let expected = match argument {
                    7 | LARGE if depends.contains(&i64::from(call)) => REFUSED,
                    8 if depends.contains(&i64::from(call)) => Treatment::Ineffective,
                    _ => Treatment::Made,
                };
                let expected = u32::from(expected.action().unwrap());
                let result = run(&program, call, [9, argument, 7, 7, 7, 7]);
                assert_eq!(result, expected, "{call} {argument}");
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
