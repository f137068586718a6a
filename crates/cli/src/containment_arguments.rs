//! How the bots of a match are contained, as arguments. What is said here once, every verb that starts
//! bots takes.

use botyard_runner::ContainmentConfig;
use botyard_sandbox::{MIB, ResourceLimits};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The options of a verb that starts bots.
#[derive(Clone, Debug, Args)]
pub struct ContainmentArgs {
    /// How bots are contained; `botyard sandbox` says what this host offers
    #[arg(long, value_enum, default_value_t = Sandbox::Auto, help_heading = "Sandbox")]
    pub sandbox: Sandbox,

    /// The most memory of a contained bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = default().memory / MIB, value_parser = clap::value_parser!(u64).range(8..=1 << 20), help_heading = "Sandbox")]
    pub memory: u64,

    /// The most processes and threads of a contained bot; in tier A one process
    #[arg(long, value_name = "N", default_value_t = default().processes, value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Sandbox")]
    pub processes: u32,

    /// The most open files of each process of a contained bot
    #[arg(long, value_name = "N", default_value_t = default().files, value_parser = clap::value_parser!(u32).range(8..=100_000), help_heading = "Sandbox")]
    pub files: u32,

    /// The most a contained bot may write in its own /tmp, in MiB; in tier A it writes nothing
    #[arg(long, value_name = "MIB", default_value_t = default().scratch / MIB, value_parser = clap::value_parser!(u64).range(1..=1 << 20), help_heading = "Sandbox")]
    pub scratch: u64,

    /// Run each bot by a command of your own, which has {command} where the bot's goes, and may have
    /// {directory} and {name}: tier D
    #[arg(long, value_name = "COMMAND", help_heading = "Sandbox")]
    pub sandbox_command: Option<String>,

    /// What ends that which the former leaves running [default for docker and podman: kill {name}]
    #[arg(long, value_name = "COMMAND", requires = "sandbox_command", help_heading = "Sandbox")]
    pub sandbox_end: Option<String>,

    /// What contained bots may read besides what their commands name; may be repeated
    #[arg(long, value_name = "PATH", help_heading = "Sandbox")]
    pub read: Vec<PathBuf>,
}

/// How bots are contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sandbox {
    /// As well as this host can
    Auto,
    /// In tier B or better, or not at all: then nothing is played
    Strict,
    /// Not at all: for programs that you trust
    None,
}

fn default() -> ResourceLimits {
    ResourceLimits::default()
}

impl From<Sandbox> for botyard_runner::Sandbox {
    fn from(sandbox: Sandbox) -> botyard_runner::Sandbox {
        match sandbox {
            Sandbox::Auto => botyard_runner::Sandbox::Auto,
            Sandbox::Strict => botyard_runner::Sandbox::Strict,
            Sandbox::None => botyard_runner::Sandbox::None,
        }
    }
}

impl From<&ContainmentArgs> for ContainmentConfig {
    fn from(args: &ContainmentArgs) -> ContainmentConfig {
        ContainmentConfig {
            sandbox: args.sandbox.into(),
            memory_mib: args.memory,
            processes: args.processes,
            files: args.files,
            scratch_mib: args.scratch,
            command: args.sandbox_command.clone(),
            end: args.sandbox_end.clone(),
            read: args.read.clone(),
        }
    }
}
