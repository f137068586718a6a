//! `botyard sandbox`: the sandbox tiers that this host supports, and how to enable the others. Also
//! how `botyard` starts itself as the launcher of contained bots.

use crate::failure::Failure;
use crate::text::out;
use botyard_runner::settings::Named;
use botyard_runner::{LAUNCHER_ARGUMENT, host_in_words};
use botyard_sandbox::{Host, Launcher, Tier};
use clap::Args;
use std::process::ExitCode;

/// `botyard sandbox`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard sandbox
  botyard match scotland-yard greedy ./my-bot --sandbox strict

Exit code: 0 if tier B or better works, 1 otherwise.")]
pub struct SandboxArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The launcher of contained bots: this program.
pub(crate) fn launcher() -> Launcher {
    Launcher::this_program(&[LAUNCHER_ARGUMENT])
}

/// Prints what this host supports.
pub(crate) fn run(args: &SandboxArgs) -> anyhow::Result<ExitCode> {
    let host = Host::detect(&launcher()).map_err(Failure::host)?;
    out(&if args.json {
        format!("{:#}\n", serde_json::to_value(&host)?)
    } else {
        host_in_words(&host, Named::option)
    })?;
    Ok(if host.best() >= Tier::B { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
