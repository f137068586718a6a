//! What a contained program may use up.

use serde::{Deserialize, Serialize};

/// One mebibyte, in bytes.
pub const MIB: u64 = 1024 * 1024;

/// What a contained program may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Bytes of memory of its own: what each process may ask for (`RLIMIT_DATA`: heap, stacks of
    /// threads, private mappings), and in tier C what all of them may use together, files in `/tmp`
    /// included.
    pub memory: u64,
    /// Processes and threads at once, all together. Tier A always has one process; and where the
    /// referee is not root it cannot count its threads, because the user's own programs count too.
    pub processes: u32,
    /// Open files of each process.
    pub files: u32,
    /// Bytes of files in `/tmp`, which nobody else sees, and of any single file. In tier A there is
    /// no place to write to.
    pub scratch: u64,
    /// Seconds of processor time of each process in its whole life; a program that plays many
    /// games has no such limit, one that builds another has.
    pub cpu_seconds: Option<u64>,
}

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        ResourceLimits {
            memory: 1024 * MIB,
            processes: 64,
            files: 256,
            scratch: 16 * MIB,
            cpu_seconds: None,
        }
    }
}
