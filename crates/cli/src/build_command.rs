//! `botyard build`: builds a bot by the commands of its `bot.toml`, and shows what they print.

use crate::containment_arguments::Sandbox;
use crate::failure::FAILED;
use crate::sandbox_command::launcher;
use crate::text::out;
use botyard_runner::bots::build::{BuildConfig, Outcome, build};
use botyard_runner::words::quoted;
use botyard_sandbox::Tier;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard build`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: class/ada/bot.toml
  name  = \"ada\"
  build = [\"javac -d classes Ada.java\"]
  run   = \"java -cp classes Ada\"

  botyard build class/ada
  botyard match draughts class/ada mtdf-2007

Commands run in the directory, without a shell. Exit code: 0 built, 1 a command failed.")]
pub struct BuildArgs {
    /// The bot's directory, with a `bot.toml`
    pub directory: PathBuf,

    /// How the build is contained: `none` for a bot that you trust
    #[arg(long, value_enum, default_value_t = Sandbox::Auto)]
    pub sandbox: Sandbox,

    /// The most processor time of a command, in seconds; on the wall it may take twice as long
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub cpu_time: u64,

    /// The most memory of each of its processes and of all together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(8..=1 << 20))]
    pub memory: u64,

    /// The most processes and threads
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub processes: u32,

    /// The most it may write in /tmp, and in any single file, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub scratch: u64,

    /// The most that all its commands may write in its directory, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub output: u64,

    /// What it may read besides what its commands name; may be repeated
    #[arg(long, value_name = "PATH")]
    pub read: Vec<PathBuf>,
}

/// Builds the bot.
///
/// # Errors
///
/// A directory that is none, a manifest that is none, and a host that cannot contain the build.
pub fn run(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    let config = BuildConfig {
        sandbox: args.sandbox.into(),
        cpu_seconds: args.cpu_time,
        memory_mib: args.memory,
        processes: args.processes,
        scratch_mib: args.scratch,
        output_mib: args.output,
        read: args.read.clone(),
    };
    let tier = match build(&args.directory, &config, &launcher(), &mut out)? {
        Outcome::NothingToDo => {
            out("there is nothing to build\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        Outcome::Failed(why) => {
            out(&format!("the build has failed: {why}\n"))?;
            return Ok(ExitCode::from(FAILED));
        }
        Outcome::Built(Tier::None) => "no sandbox".to_string(),
        Outcome::Built(tier) => format!("sandbox tier {tier}"),
    };
    let shown = quoted(&args.directory.to_string_lossy());
    out(&format!("built, in {tier}; as a bot it is written {shown}\n"))?;
    Ok(ExitCode::SUCCESS)
}
