//! Detection of programs that ended because they ran out of memory. A process that requests more
//! than its limit is refused and may then do anything; most end, each in its own way. Nothing
//! records the refusal, but there are two indications: the peak memory of the program, and the last
//! output of its runtime. A program whose processes together exceed the limit is killed: by the
//! kernel in tier C, which counts their memory, and by the sandbox in tiers A and B.
//!
//! The output is the bot's own and may be forged. The bot has lost in any case; this only
//! determines the kind of the fault and the evidence in its message.

use botyard_sandbox::MIB;

/// Messages of runtimes that cannot allocate memory.
const WORDS: [&str; 8] = [
    "MemoryError",
    "OutOfMemoryError",
    "heap out of memory",
    "insufficient memory for the Java Runtime",
    "std::bad_alloc",
    "memory allocation of ",
    "runtime: out of memory",
    "Cannot allocate memory",
];

/// How much of the end of standard error is searched, in bytes.
const LAST_WORDS: usize = 8 * 1024;

/// What is known of the memory use of a program that has ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MemoryUse {
    /// Peak resident memory, in bytes.
    pub peak: Option<u64>,
    /// Whether it was killed because all its processes together exceeded the limit.
    pub ran_out: bool,
    /// The most processes at once among which the limit was divided.
    pub processes: u32,
}

/// Returns why the program counts as having run out of memory; `None` if it does not. `limit` is in
/// bytes, with the name of its setting.
pub(crate) fn evidence(
    limit: Option<(u64, &str)>,
    used: MemoryUse,
    stderr: &str,
) -> Option<String> {
    let (limit, setting) = limit?;
    let had = match used.peak {
        Some(peak) => format!(", and its peak was {} MiB", peak / MIB),
        None => String::new(),
    };
    let divided = match used.processes {
        0 | 1 => String::new(),
        processes => format!(" for its {processes} processes together"),
    };
    let allowed = format!("its memory limit is {} MiB{divided} ({setting}){had}", limit / MIB);
    if used.ran_out {
        return Some(format!("{allowed}; it was killed for that"));
    }
    // Resident memory is a little less than what was requested, and a little more by what is shared
    // with other processes.
    if used.peak.is_some_and(|peak| peak >= limit / 8 * 7) {
        return Some(allowed);
    }
    let mut from = stderr.len().saturating_sub(LAST_WORDS);
    while !stderr.is_char_boundary(from) {
        from += 1;
    }
    let said = WORDS.iter().find(|words| stderr[from..].contains(**words))?;
    Some(format!("{allowed}; its standard error says {said:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_named_by_what_was_used_or_said() {
        let limit = Some((256 * MIB, "--memory"));
        let had = |mib: u64| MemoryUse { peak: Some(mib * MIB), ran_out: false, processes: 1 };
        let ended = MemoryUse { ran_out: true, ..had(40) };
        let shared = MemoryUse { processes: 9, ..had(40) };
        for (used, stderr, expected) in [
            (
                had(250),
                "",
                Some("its memory limit is 256 MiB (--memory), and its peak was 250 MiB"),
            ),
            (had(40), "Traceback ...\nMemoryError\n", Some("says \"MemoryError\"")),
            (
                MemoryUse::default(),
                "terminate called after throwing an instance of 'std::bad_alloc'",
                Some("bad_alloc"),
            ),
            (
                shared,
                "OSError: [Errno 12] Cannot allocate memory\n",
                Some("256 MiB for its 9 processes together (--memory), and its peak was 40 MiB"),
            ),
            (had(40), "Segmentation fault", None),
            (MemoryUse::default(), "", None),
            (ended, "", Some("its peak was 40 MiB; it was killed for that")),
        ] {
            let found = evidence(limit, used, stderr);
            match expected {
                Some(words) => {
                    assert!(found.as_ref().is_some_and(|found| found.contains(words)), "{found:?}")
                }
                None => assert_eq!(found, None),
            }
        }
        assert_eq!(evidence(None, had(1 << 20), "MemoryError"), None, "nothing was limited");
    }
}
