//! The back end of the referee: the means by which it runs programs.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The means by which the referee runs programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// Those of Linux: the sandbox, CPU time, stopping a bot, and a poll over all pipes.
    Native,
    /// Those of Rust's standard library, on every system: child processes, and threads for their
    /// pipes. Bots are not contained, and only wall-clock time is measured.
    Portable,
}

impl Backend {
    /// The back ends that this program has, the default first.
    pub const ALL: &[Backend] = match cfg!(target_os = "linux") {
        true => &[Backend::Native, Backend::Portable],
        false => &[Backend::Portable],
    };

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Backend::Native => "native",
            Backend::Portable => "portable",
        }
    }

    /// Returns whether this program has it.
    pub fn is_here(self) -> bool {
        Backend::ALL.contains(&self)
    }

    /// Returns whether it is the default on this system.
    pub fn is_default(&self) -> bool {
        *self == Backend::default()
    }
}

impl Default for Backend {
    fn default() -> Backend {
        Backend::ALL[0]
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
