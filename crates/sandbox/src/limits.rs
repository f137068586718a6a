//! Resource limits of a contained program.

use serde::{Deserialize, Serialize};

/// One mebibyte, in bytes.
pub const MIB: u64 = 1024 * 1024;

/// Resource limits of a contained program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Memory in bytes: what all processes may allocate together (`RLIMIT_DATA`: heap, thread stacks,
    /// private mappings); each of them in a build. In tier C, what all processes may use together,
    /// including files in `/tmp`.
    pub memory: u64,
    /// Processes and threads at once, in total. Tier A always has one process; if the referee is
    /// not root, its threads cannot be counted, because the user's other programs would count too.
    pub processes: u32,
    /// Open files per process.
    pub files: u32,
    /// Bytes of files in `/tmp`, which is private to the program, and of any single file. In tier A
    /// there is no `/tmp` to write to.
    pub scratch: u64,
    /// Lifetime CPU time of each process, in seconds; `None` for a program that plays many games,
    /// set for a build.
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
