//! The verb of `botyard` that makes engines bots: `bridge`.

#![warn(unreachable_pub)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod bridge_command;

use botyard_cli::Verbs;
use bridge_command::BridgeArgs;
use clap::Subcommand;
use std::process::ExitCode;

/// The verbs of `botyard-bridge`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// `botyard bridge`.
    Bridge(BridgeArgs),
}

impl Verbs for Verb {
    fn is_for_all(&self) -> bool {
        true
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        let Verb::Bridge(args) = self;
        Ok(bridge_command::run(args))
    }
}
