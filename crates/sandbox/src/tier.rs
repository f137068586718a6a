//! Containment tiers: how strongly a program is contained, as a letter that is printed with every
//! match and recorded in every replay.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How strongly a program is contained. Each tier includes the restrictions of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tier {
    /// Not contained: runs like any other program of the user.
    None,
    /// One process (threads are allowed) that reads only its granted files and writes only to its
    /// pipes: Landlock, a table of allowed system calls, resource limits. Needs no privilege.
    A,
    /// A process tree in its own namespaces: it sees no other process, network or file system, and
    /// all of it ends when its init process is killed.
    B,
    /// Tier B in a control group, which counts and limits the memory, the processes and the CPU
    /// time of the whole tree.
    C,
    /// Whatever a command of the user provides: docker, podman, bwrap, runsc.
    D,
}

impl Tier {
    /// Returns the tier as it is written in replays: `none`, `A`, `B`, `C`, `D`.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::None => "none",
            Tier::A => "A",
            Tier::B => "B",
            Tier::C => "C",
            Tier::D => "D",
        }
    }

    /// Describes what the program may do, on one line.
    pub fn about(self) -> &'static str {
        match self {
            Tier::None => "no sandbox",
            Tier::A => {
                "one process that can read its own files and write nothing (Landlock, seccomp, rlimits)"
            }
            Tier::B => "its own processes, network and file system (namespaces)",
            Tier::C => {
                "tier B, with limits on the memory and processes of the whole bot (cgroup v2)"
            }
            Tier::D => "your own sandbox command",
        }
    }

    /// Returns whether the program has its own namespaces.
    #[cfg(target_os = "linux")]
    pub(crate) fn has_namespaces(self) -> bool {
        matches!(self, Tier::B | Tier::C)
    }
}

/// A string that names no tier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a tier (none, A, B, C, D), got {0:?}")]
pub struct UnknownTier(String);

impl FromStr for Tier {
    type Err = UnknownTier;

    /// Parses the output of [`Tier::as_str`].
    fn from_str(text: &str) -> Result<Tier, UnknownTier> {
        let all = [Tier::None, Tier::A, Tier::B, Tier::C, Tier::D];
        all.into_iter().find(|tier| tier.as_str() == text).ok_or_else(|| UnknownTier(text.into()))
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
