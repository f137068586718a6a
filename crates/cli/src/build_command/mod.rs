//! `botyard build`: builds a bot by the commands of its `bot.toml`, contained like the bot itself,
//! but with a directory to write in and limits of its own. A build script can do whatever a bot
//! can, and is run before anybody has looked at it.

mod contained_build;
mod tree;
mod written;

use crate::bot_manifest::{CommandLine, Manifest};
use crate::containment_arguments::Sandbox;
use crate::failure::{FAILED, Failure};
use crate::match_command::quoted;
use crate::sandbox_command::launcher;
use crate::text::out;
use botyard_referee::{BotCommand, BotFiles, Interrupt, Source};
use botyard_sandbox::{
    Host, Launch, MIB, ResourceLimits, Tier, Walked, is_unused_user, unused_user,
};
use clap::Args;
use contained_build::{Built, run_contained};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;
use tree::{Lent, Tree};
use written::Written;

/// How many of the files that had bits taken away are named.
const NAMED: usize = 10;

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
    let wrong = |error: String| {
        Failure::usage(format!("the directory {}: {error}", args.directory.display()))
    };
    let directory =
        std::path::absolute(&args.directory).map_err(|error| wrong(error.to_string()))?;
    // Not where a link leads elsewhere: what is built there would be written there.
    let walked = Walked::along(&directory).map_err(|error| wrong(error.to_string()))?;
    let directory = walked.path().to_path_buf();
    let manifest = Manifest::read(&directory).map_err(Failure::usage)?;
    let commands = manifest.build_commands(&directory);
    if commands.is_empty() {
        out("there is nothing to build\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    let tier = tier(args.sandbox)?;
    let built = match tier {
        Tier::None => run_all(&manifest, &commands, |command| run_freely(&directory, command))?,
        tier => build_contained(args, tier, &directory, &manifest, &commands)?,
    };
    if let Built::Failed(why) = built {
        out(&format!("the build has failed: {why}\n"))?;
        return Ok(ExitCode::from(FAILED));
    }
    let tier = match tier {
        Tier::None => "no sandbox".to_string(),
        tier => format!("sandbox tier {tier}"),
    };
    let shown = quoted(&args.directory.to_string_lossy());
    out(&format!("built, in {tier}; as a bot it is written {shown}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the commands one after another, until one fails.
fn run_all(
    manifest: &Manifest,
    commands: &[CommandLine],
    mut run: impl FnMut(&CommandLine) -> anyhow::Result<Built>,
) -> anyhow::Result<Built> {
    for (line, command) in manifest.build.iter().zip(commands) {
        out(&format!("$ {}\n", botyard_protocol::printable(line, 200)))?;
        let built = run(command)?;
        if !matches!(built, Built::Done) {
            return Ok(built);
        }
    }
    Ok(Built::Done)
}

/// Runs the commands contained, and leaves nothing in the directory that runs as its owner.
fn build_contained(
    args: &BuildArgs,
    tier: Tier,
    directory: &Path,
    manifest: &Manifest,
    commands: &[CommandLine],
) -> anyhow::Result<Built> {
    let open = || {
        Tree::open(directory)
            .map_err(|error| Failure::host(format!("{}: {error}", directory.display())))
    };
    // From here on an interrupt ends the command and not this program, which has to clean up.
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let lent = lend(directory, open()?)?;
    let mut written = Written::since_now(open()?, args.output * MIB)?;
    let built = run_all(manifest, commands, |command| {
        let launch = launch(args, tier, directory, command)?;
        run_contained(&launch, Duration::from_secs(args.cpu_time), &mut written, &interrupt)
    });
    // First of all, and whatever became of it: files that belong to root again must not run as root.
    let stripped = open()?.strip_set_id();
    let cleaned = stripped.and_then(|stripped| {
        lent.map_or(Ok(()), Lent::give_back)?;
        Ok(stripped)
    });
    match cleaned {
        Ok(stripped) => {
            report_stripped(directory, &stripped)?;
            built
        }
        // What it has left there is its own doing.
        Err(error) => Ok(Built::Failed(format!(
            "what it has left cannot be cleaned up, remove it before anybody runs it: {error}"
        ))),
    }
}

/// Where root builds in a directory of root's, that belongs to somebody else for as long as it takes:
/// nothing of a build runs as root.
fn lend(directory: &Path, tree: Tree) -> anyhow::Result<Option<Lent>> {
    let owner = directory.metadata().map_err(Failure::host)?.uid();
    let is_roots = owner == 0 || is_unused_user(owner);
    if !rustix::process::geteuid().is_root() || !is_roots {
        return Ok(None);
    }
    let user = unused_user().ok_or_else(|| {
        Failure::host(
            "root is the only user here, and nothing is built as root: build as another user, or with \
             --sandbox none what you trust",
        )
    })?;
    tree.lend(user).map(Some).map_err(|error| {
        Failure::usage(format!("preparing {} for the build: {error}", directory.display()))
    })
}

fn report_stripped(directory: &Path, stripped: &[PathBuf]) -> anyhow::Result<()> {
    for path in stripped.iter().take(NAMED) {
        let path = path.strip_prefix(directory).unwrap_or(path).to_string_lossy();
        let path = botyard_protocol::printable(&path, 200);
        out(&format!("{path} would have run as its owner or group (setuid); not any more\n"))?;
    }
    if stripped.len() > NAMED {
        out(&format!("and {} files more\n", stripped.len() - NAMED))?;
    }
    Ok(())
}

/// The tier for a build. Compilers start other programs, which tier A does not let them.
fn tier(sandbox: Sandbox) -> anyhow::Result<Tier> {
    if sandbox == Sandbox::None {
        return Ok(Tier::None);
    }
    let host = Host::detect(&launcher()).map_err(Failure::host)?;
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
        directory: Some(directory.to_path_buf()),
        source: Source::Manifest,
        ..BotCommand::default()
    };
    let mut readable = Vec::new();
    for path in &args.read {
        let path = path.canonicalize();
        readable.push(path.map_err(|error| Failure::usage(format!("--read: {error}")))?);
    }
    let files = BotFiles::of(&bot, &readable).map_err(Failure::usage)?;
    // What lies in the directory comes with it, and is to be written.
    readable = files.readable;
    readable.retain(|path| !path.starts_with(directory));
    Ok(Launch {
        tier,
        program: files.program,
        args: bot.args,
        directory: directory.to_path_buf(),
        readable,
        own: Vec::new(),
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
