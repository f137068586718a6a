//! How strongly a program is contained, as a letter that is printed with every match and recorded
//! in every replay.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How strongly a program is contained. Each tier holds what those before it hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tier {
    /// Not at all: a program like any other of the user's.
    None,
    /// One process (threads are allowed) that reads what it was given and writes nothing but its
    /// pipes: Landlock, a table of allowed system calls, limits of resources. Needs no privilege.
    A,
    /// A process tree in namespaces of its own: no other process, network or file system is to be
    /// seen, and it goes as a whole when its first process is killed.
    B,
    /// The same in a control group, which counts and limits the memory, the processes and the
    /// processor time of the whole tree.
    C,
    /// Whatever a command of the user's makes of it: docker, podman, bwrap, runsc.
    D,
}

impl Tier {
    /// The tier as it is written in replays: `none`, `A`, `B`, `C`, `D`.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::None => "none",
            Tier::A => "A",
            Tier::B => "B",
            Tier::C => "C",
            Tier::D => "D",
        }
    }

    /// Whether the program has namespaces of its own.
    #[cfg(target_os = "linux")]
    pub(crate) fn has_namespaces(self) -> bool {
        matches!(self, Tier::B | Tier::C)
    }
}

/// A text that names no tier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a tier (none, A, B, C, D), got {0:?}")]
pub struct UnknownTier(String);

impl FromStr for Tier {
    type Err = UnknownTier;

    /// Reads what [`Tier::as_str`] writes.
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
