//! Whether a program that ended had run out of memory. A process that asks for more than the limit
//! is refused it, and does then what it likes; most end, each in its own way. Nothing records that
//! it was so, but two things tell: how much the program had at most, and what its runtime said
//! last. Where all processes of a program have too much together, they are ended: by the
//! kernel in tier C, which keeps count, by the sandbox in tiers A and B.
//!
//! The words are the bot's own and could be anything. It has lost either way; this only finds
//! the fault's name, and says by what.

use botyard_sandbox::MIB;

/// What runtimes say when they get no memory.
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

/// How much of a program's last words is looked at, in bytes.
const LAST_WORDS: usize = 8 * 1024;

/// What is known of the memory of a program that has ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MemoryUse {
    /// The most that it had resident, in bytes.
    pub peak: Option<u64>,
    /// Whether it was ended because all its processes together had too much.
    pub ran_out: bool,
}

/// Why it counts as having run out of memory; `None` where it does not. `limit` is in bytes.
pub(crate) fn evidence(limit: Option<u64>, used: MemoryUse, stderr: &str) -> Option<String> {
    let limit = limit?;
    let had = match used.peak {
        Some(peak) => format!(", and its peak was {} MiB", peak / MIB),
        None => String::new(),
    };
    let allowed = format!("its memory limit is {} MiB{had}", limit / MIB);
    if used.ran_out {
        return Some(format!("{allowed}; it was killed for that"));
    }
    // What is resident is a little less than what was asked for, and a little more with what it
    // shares with others.
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
        let limit = Some(256 * MIB);
        let had = |mib: u64| MemoryUse { peak: Some(mib * MIB), ran_out: false };
        let ended = MemoryUse { ran_out: true, ..had(40) };
        for (used, stderr, expected) in [
            (had(250), "", Some("its memory limit is 256 MiB, and its peak was 250 MiB")),
            (had(40), "Traceback ...\nMemoryError\n", Some("says \"MemoryError\"")),
            (
                MemoryUse::default(),
                "terminate called after throwing an instance of 'std::bad_alloc'",
                Some("bad_alloc"),
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
