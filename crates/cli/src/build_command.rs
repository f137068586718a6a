//! `botyard build`: runs the build commands of a bot's `bot.toml` or a game's `game.toml` and prints
//! their output.

use crate::containment_arguments::SANDBOXES;
use crate::failure::{FAILED, Failure};
use crate::named_values::one_of;
use crate::sandbox_command::launcher;
use crate::text::{done, out};
use botyard_referee::Interrupt;
use botyard_runner::Sandbox;
use botyard_runner::bots::build::{BuildConfig, Outcome, build};
use botyard_runner::bots::manifest::Manifest;
use botyard_runner::bots::spec::bot_in;
use botyard_runner::settings::Named;
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

Commands run in the bot's directory, without a shell. The same commands build a
game, in its `game.toml`.

Exit code: 0 if everything was built, 1 if a command failed.")]
pub struct BuildArgs {
    /// Directory of the bot, with a `bot.toml`, or of the game, with a `game.toml`
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// How to contain the build
    #[arg(long, value_parser = one_of(SANDBOXES), default_value = "auto")]
    pub sandbox: Sandbox,

    /// CPU time limit of each command, in seconds; the wall-clock limit is twice as long
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub cpu_time: u64,

    /// Memory limit of each process, and of all processes together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(8..=1 << 20))]
    pub memory: u64,

    /// Maximum number of processes and threads
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub processes: u32,

    /// Size limit of the build's private /tmp, and of any single file, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub scratch: u64,

    /// Limit on what all commands together may write in the bot's directory, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub output: u64,

    /// File or directory that the build may read, besides those in its commands; may be repeated
    #[arg(long, value_name = "PATH")]
    pub read: Vec<PathBuf>,
}

/// Builds the bot or the game.
pub(crate) fn run(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    let config = BuildConfig {
        sandbox: args.sandbox,
        cpu_seconds: args.cpu_time,
        seconds: None,
        memory_mib: args.memory,
        processes: args.processes,
        scratch_mib: args.scratch,
        output_mib: args.output,
        read: args.read.clone(),
        name: Named::option,
    };
    // From here an interrupt ends the command and not this program, which has to clean up.
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let tier = match build(&args.directory, &config, &launcher(), &interrupt, &mut out)? {
        Outcome::NothingToDo => return done("nothing to build\n"),
        Outcome::Failed(why) => {
            out(&format!("build failed: {}\n", why.text(Named::option)))?;
            return Ok(ExitCode::from(FAILED));
        }
        Outcome::Built(Tier::None) => "without a sandbox".to_string(),
        Outcome::Built(tier) => format!("in sandbox tier {tier}"),
    };
    let what = match Manifest::is_in(&args.directory) {
        true => "use the bot",
        false => "play the game",
    };
    done(&format!("built {tier}; to {what}, write {}\n", bot_in(&args.directory)))
}
