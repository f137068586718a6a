//! The sandbox options (`--sandbox`, `--memory`, ...) of every verb that starts bots.

use botyard_runner::ContainmentConfig;
use botyard_sandbox::{MIB, ResourceLimits};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The options of a verb that starts bots.
#[derive(Clone, Debug, Args)]
pub struct ContainmentArgs {
    /// How to run bots; `portable` needs no Linux, and has no sandbox, no CPU clock and no --freeze
    #[arg(long, value_enum, default_value_t = Backend::default(), help_heading = "Sandbox")]
    pub backend: Backend,

    /// How to contain bots; `botyard sandbox` shows what this host supports
    #[arg(long, value_enum, default_value_t = Sandbox::Auto, help_heading = "Sandbox")]
    pub sandbox: Sandbox,

    /// Memory limit of a contained bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = default().memory / MIB, value_parser = clap::value_parser!(u64).range(8..=1 << 20), help_heading = "Sandbox")]
    pub memory: u64,

    /// Maximum number of processes and threads of a contained bot (tier A: one process)
    #[arg(long, value_name = "N", default_value_t = default().processes, value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Sandbox")]
    pub processes: u32,

    /// Maximum number of open files of each process of a contained bot
    #[arg(long, value_name = "N", default_value_t = default().files, value_parser = clap::value_parser!(u32).range(8..=100_000), help_heading = "Sandbox")]
    pub files: u32,

    /// Size limit of a contained bot's private /tmp, in MiB (tier A: nothing can be written)
    #[arg(long, value_name = "MIB", default_value_t = default().scratch / MIB, value_parser = clap::value_parser!(u64).range(1..=1 << 20), help_heading = "Sandbox")]
    pub scratch: u64,

    /// Run each bot with your own sandbox command (tier D)
    ///
    /// COMMAND must contain {command}, which is replaced by the bot's command line. It may contain
    /// {directory} and {name}.
    #[arg(long, value_name = "COMMAND", help_heading = "Sandbox")]
    pub sandbox_command: Option<String>,

    /// Command that ends what --sandbox-command left running [default for docker and podman: kill
    /// {name}]
    #[arg(long, value_name = "COMMAND", requires = "sandbox_command", help_heading = "Sandbox")]
    pub sandbox_end: Option<String>,

    /// File or directory that contained bots may read, besides those in their commands; may be
    /// repeated
    #[arg(long, value_name = "PATH", help_heading = "Sandbox")]
    pub read: Vec<PathBuf>,
}

/// The means by which bots are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// The means of Linux, with the sandbox
    Native,
    /// The means of every system: bots are not contained
    Portable,
}

impl Default for Backend {
    fn default() -> Backend {
        match botyard_runner::Backend::default() {
            botyard_runner::Backend::Native => Backend::Native,
            botyard_runner::Backend::Portable => Backend::Portable,
        }
    }
}

impl From<Backend> for botyard_runner::Backend {
    fn from(backend: Backend) -> botyard_runner::Backend {
        match backend {
            Backend::Native => botyard_runner::Backend::Native,
            Backend::Portable => botyard_runner::Backend::Portable,
        }
    }
}

/// How to contain bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sandbox {
    /// The strongest tier that this host supports
    Auto,
    /// Tier B or better; fail if this host does not support it
    Strict,
    /// No sandbox: for programs that you trust
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
            backend: args.backend.into(),
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
