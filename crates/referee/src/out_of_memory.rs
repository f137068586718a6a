//! Whether a program that ended had run out of memory. The system refuses memory beyond the limit
//! and leaves it to the program what to do then; most end, each in its own way. Nothing records
//! that it was so, but two things tell: how much the program had at most, and what its runtime
//! said last.
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

/// Why it counts as having run out of memory; `None` where it does not. `limit` and `peak` are in
/// bytes.
pub(crate) fn evidence(limit: Option<u64>, peak: Option<u64>, stderr: &str) -> Option<String> {
    let limit = limit?;
    let peak_mib = peak.map(|peak| peak / MIB);
    let had = match peak_mib {
        Some(mib) => format!(" and had {mib} MiB at most"),
        None => String::new(),
    };
    let allowed = format!("it may use {} MiB of memory{had}", limit / MIB);
    // What is resident is a little less than what was asked for, and a little more with what it
    // shares with others.
    if peak.is_some_and(|peak| peak >= limit / 8 * 7) {
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
        for (peak, stderr, expected) in [
            (Some(250 * MIB), "", Some("256 MiB of memory and had 250 MiB at most")),
            (Some(40 * MIB), "Traceback ...\nMemoryError\n", Some("says \"MemoryError\"")),
            (
                None,
                "terminate called after throwing an instance of 'std::bad_alloc'",
                Some("bad_alloc"),
            ),
            (Some(40 * MIB), "Segmentation fault", None),
            (None, "", None),
        ] {
            let found = evidence(limit, peak, stderr);
            match expected {
                Some(words) => {
                    assert!(found.as_ref().is_some_and(|found| found.contains(words)), "{found:?}")
                }
                None => assert_eq!(found, None),
            }
        }
        assert_eq!(evidence(None, Some(u64::MAX), "MemoryError"), None, "nothing was limited");
    }
}
