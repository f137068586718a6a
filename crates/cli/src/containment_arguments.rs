//! The sandbox options (`--sandbox`, `--memory`, ...) of every verb that starts bots.

use crate::named_values::{Named, one_of};
use crate::time_arguments::milliseconds;
use botyard_runner::{Backend, ContainmentConfig, GameLimits, Sandbox};
use botyard_sandbox::{MIB, ResourceLimits};
use clap::Args;
use std::path::PathBuf;

/// The options of a verb that starts bots.
#[derive(Clone, Debug, Args)]
pub struct ContainmentArgs {
    /// How to contain bots; `botyard sandbox` shows what this host supports
    #[arg(long, value_parser = one_of(SANDBOXES), default_value = "auto", help_heading = "Sandbox")]
    pub sandbox: Sandbox,

    /// How to run bots; `portable` needs no Linux, and has no sandbox, no CPU clock and no --freeze
    #[arg(long, value_parser = one_of(BACKENDS), default_value = Backend::default().as_str(), help_heading = "Sandbox")]
    pub backend: Backend,

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

    /// Memory limit of the game's program, in MiB [default: that of its game.toml, or 512]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(8..=1 << 20), help_heading = "Sandbox")]
    pub game_memory: Option<u64>,

    /// Maximum number of processes of the game's program [default: that of its game.toml, or 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), help_heading = "Sandbox")]
    pub game_processes: Option<u32>,

    /// Time for an answer of the game's program, in ms [default: that of its game.toml, or 10000]
    #[arg(long, value_name = "MS", alias = "answer-time", value_parser = milliseconds(1..=3_600_000), help_heading = "Sandbox")]
    pub game_answer_time: Option<u64>,

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

/// The values of `--backend`.
const BACKENDS: &Named<Backend> = &[
    (Backend::Native, "native", "The means of Linux, with the sandbox"),
    (Backend::Portable, "portable", "The means of every system: bots are not contained"),
];

/// The values of `--sandbox`.
pub(crate) const SANDBOXES: &Named<Sandbox> = &[
    (Sandbox::Auto, "auto", "The strongest tier that this host supports"),
    (Sandbox::Strict, "strict", "Tier B or better; fail if this host does not support it"),
    (Sandbox::None, "none", "No sandbox: for programs that you trust"),
];

fn default() -> ResourceLimits {
    ResourceLimits::default()
}

impl From<&ContainmentArgs> for ContainmentConfig {
    fn from(args: &ContainmentArgs) -> ContainmentConfig {
        ContainmentConfig {
            backend: args.backend,
            sandbox: args.sandbox,
            memory_mib: args.memory,
            processes: args.processes,
            files: args.files,
            scratch_mib: args.scratch,
            command: args.sandbox_command.clone(),
            end: args.sandbox_end.clone(),
            read: args.read.clone(),
            game: GameLimits {
                memory_mib: args.game_memory,
                processes: args.game_processes,
                answer_ms: args.game_answer_time,
            },
            for_others: false,
        }
    }
}
