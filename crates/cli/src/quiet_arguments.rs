//! The argument for the wait for a quiet host.

use crate::installed::programs;
use botyard_runner::{Error, Programs};
use clap::Args;
use std::time::Duration;

/// The environment variable with the default.
const VARIABLE: &str = "BOTYARD_QUIET_WITHIN";

/// The default, in seconds.
const DEFAULT: u16 = 30;

/// The wait for a quiet host before time is judged.
#[derive(Clone, Copy, Debug, Args)]
pub struct QuietArgs {
    /// Longest wait for a quiet host before time is judged, in seconds; 0: none [default: the
    /// environment variable BOTYARD_QUIET_WITHIN, or 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u16).range(0..=3600))]
    pub quiet_within: Option<u16>,
}

impl QuietArgs {
    /// Returns the installed programs, which wait so long.
    ///
    /// # Errors
    ///
    /// The path of this executable is unknown, or the variable has no number of seconds.
    pub fn programs(self) -> Result<Programs, Error> {
        let seconds = match (self.quiet_within, std::env::var(VARIABLE)) {
            (Some(seconds), _) => seconds,
            (None, Ok(text)) => text.parse().map_err(|_| {
                Error::usage(format!("{VARIABLE}: expected a number of seconds, got {text:?}"))
            })?,
            (None, Err(_)) => DEFAULT,
        };
        let quiet_within = Duration::from_secs(u64::from(seconds));
        Ok(Programs { quiet_within, ..programs()? })
    }
}
