//! `botyard build`: builds a bot by the commands of its `bot.toml`, contained like the bot itself,
//! but with a directory to write in and limits of its own. A build script can do whatever a bot
//! can, and is run before anybody has looked at it.

mod contained_build;

use crate::bot_manifest::{CommandLine, Manifest};
use crate::containment::Sandbox;
use crate::failure::{FAILED, Failure};
use crate::match_command::quoted;
use crate::sandbox_command::launcher;
use crate::text::out;
use botyard_referee::{BotCommand, needed_by};
use botyard_sandbox::{Host, Launch, MIB, ResourceLimits, Tier};
use clap::Args;
use contained_build::{Built, run_contained};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

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

    /// The most memory of each of its processes, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(8..=1 << 20))]
    pub memory: u64,

    /// The most processes and threads
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub processes: u32,

    /// The most it may write in /tmp, and in any single file, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub scratch: u64,

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
    let directory = args.directory.canonicalize().map_err(|error| {
        Failure::usage(format!("the directory {}: {error}", args.directory.display()))
    })?;
    let manifest = Manifest::read(&directory).map_err(Failure::usage)?;
    let commands = manifest.build_commands(&directory);
    if commands.is_empty() {
        out("there is nothing to build\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    let tier = tier(args.sandbox)?;
    for (line, command) in manifest.build.iter().zip(&commands) {
        out(&format!("$ {}\n", botyard_protocol::printable(line, 200)))?;
        let built = match tier {
            Tier::None => run_freely(&directory, command)?,
            tier => {
                let launch = launch(args, tier, &directory, command)?;
                run_contained(&launch, Duration::from_secs(args.cpu_time))?
            }
        };
        if let Built::Failed(why) = built {
            out(&format!("the build has failed: {why}\n"))?;
            return Ok(ExitCode::from(FAILED));
        }
    }
    let tier = match tier {
        Tier::None => "no sandbox".to_string(),
        tier => format!("sandbox tier {tier}"),
    };
    let shown = quoted(&args.directory.to_string_lossy());
    out(&format!("built, in {tier}; as a bot it is written {shown}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// The tier for a build. Compilers start other programs, which tier A does not let them.
fn tier(sandbox: Sandbox) -> anyhow::Result<Tier> {
    if sandbox == Sandbox::None {
        return Ok(Tier::None);
    }
    let host = Host::detect(&launcher());
    match host.obstacle(Tier::B) {
        None => Ok(host.best()),
        Some(obstacle) => Err(Failure::host(format!(
            "a build needs tier B or better, which this host does not have: {}; `botyard sandbox` says what to \
             do, and --sandbox none builds what you trust",
            obstacle.reason
        ))),
    }
}

fn launch(
    args: &BuildArgs,
    tier: Tier,
    directory: &Path,
    command: &CommandLine,
) -> anyhow::Result<Launch> {
    let bot = BotCommand {
        program: command.program.clone(),
        args: command.args.iter().map(Into::into).collect(),
        is_handed_in: true,
        ..BotCommand::default()
    };
    let program = bot.find_program().map_err(Failure::usage)?;
    let mut readable = needed_by(&bot, &program);
    for path in &args.read {
        let path = path.canonicalize();
        readable.push(path.map_err(|error| Failure::usage(format!("--read: {error}")))?);
    }
    // What lies in the directory comes with it, and is to be written.
    readable.retain(|path| !path.starts_with(directory));
    Ok(Launch {
        tier,
        program,
        args: bot.args,
        directory: directory.to_path_buf(),
        readable,
        writable: vec![directory.to_path_buf()],
        hidden: Vec::new(),
        children: true,
        limits: ResourceLimits {
            memory: args.memory * MIB,
            processes: args.processes,
            files: 1024,
            scratch: args.scratch * MIB,
            cpu_seconds: Some(args.cpu_time),
        },
    })
}

/// Runs a command of a bot that is trusted, like any other of the user's.
fn run_freely(directory: &Path, command: &CommandLine) -> anyhow::Result<Built> {
    let status = Command::new(&command.program)
        .args(&command.args)
        .current_dir(directory)
        .stdin(Stdio::null())
        .status()
        .map_err(|error| Failure::usage(format!("{}: {error}", command.program.display())))?;
    Ok(if status.success() { Built::Done } else { Built::Failed(status.to_string()) })
}
