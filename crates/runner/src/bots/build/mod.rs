//! Builds of bots by the commands in `bot.toml`. A build is contained like a bot, but has a
//! writable directory and limits for builds: a build script can do whatever a bot can, and runs
//! before anyone has reviewed it.

mod command;
mod tree;
mod written;

use super::manifest::{CommandLine, Manifest};
use crate::config::Sandbox;
use crate::error::Error;
use crate::settings::{HOST, READ, SANDBOX};
use botyard_protocol::printable;
use botyard_referee::{Advice, BotCommand, BotFiles, Interrupt, Source};
use botyard_sandbox::{
    Host, Launch, Launcher, MIB, ResourceLimits, Tier, Walked, Writable, is_unused_user,
    unused_user,
};
use command::ContainedCommand;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tree::{Lent, Tree};
use written::Written;

/// How many files with removed permission bits are listed.
const NAMED: usize = 10;

/// The limits of a build.
#[derive(Clone, Debug)]
pub struct BuildConfig {
    /// The containment: none, or tier B or better.
    pub sandbox: Sandbox,
    /// The CPU time limit of a command, in seconds. The limit of wall-clock time is twice that.
    pub cpu_seconds: u64,
    /// The memory limit of each process and of all together, in MiB.
    pub memory_mib: u64,
    /// The limit of processes and threads.
    pub processes: u32,
    /// The size of `/tmp` and of any single file, in MiB.
    pub scratch_mib: u64,
    /// The limit of what all commands together may write to the directory, in MiB.
    pub output_mib: u64,
    /// Paths it may read besides those that its commands name.
    pub read: Vec<PathBuf>,
}

/// The outcome of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The manifest has no commands.
    NothingToDo,
    /// All commands succeeded, in this tier.
    Built(Tier),
    /// A command failed, for this reason.
    Failed(String),
}

/// The output for commands and what they print.
pub type Show<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

/// The outcome of a command.
enum Built {
    /// It succeeded.
    Done,
    /// It failed, for this reason.
    Failed(String),
}

/// A build of a directory.
#[derive(Clone, Copy)]
struct Build<'a> {
    /// The directory, opened once: replacing the directory at its path has no effect.
    tree: &'a Tree,
    config: &'a BuildConfig,
    launcher: &'a Launcher,
}

/// Builds the bot in a directory.
///
/// # Errors
///
/// The path is not a directory, the manifest is missing or invalid, or the host cannot contain the
/// build.
pub fn build(
    directory: &Path,
    config: &BuildConfig,
    launcher: &Launcher,
    show: Show<'_>,
) -> Result<Outcome, Error> {
    let wrong =
        |error: String| Error::usage(format!("the directory {}: {error}", directory.display()));
    let absolute = std::path::absolute(directory).map_err(|error| wrong(error.to_string()))?;
    // Refuses a path through a link, because the build would write to the link's target.
    let walked = Walked::along(&absolute).map_err(|error| wrong(error.to_string()))?;
    let directory = walked.path();
    let manifest = Manifest::read(directory).map_err(Error::usage)?;
    let commands = manifest.build_commands(directory);
    if commands.is_empty() {
        return Ok(Outcome::NothingToDo);
    }
    let tier = tier(config.sandbox, launcher)?;
    let built = match tier {
        Tier::None => {
            run_all(&manifest, &commands, show, |command, _| run_freely(directory, command))?
        }
        tier => {
            let tree = Tree::open(&walked).map_err(|error| wrong(error.to_string()))?;
            let build = Build { tree: &tree, config, launcher };
            build_contained(&build, tier, &manifest, &commands, show)?
        }
    };
    Ok(match built {
        Built::Done => Outcome::Built(tier),
        Built::Failed(why) => Outcome::Failed(why),
    })
}

/// Runs the commands in order, until one fails.
fn run_all(
    manifest: &Manifest,
    commands: &[CommandLine],
    show: Show<'_>,
    mut run: impl FnMut(&CommandLine, Show<'_>) -> Result<Built, Error>,
) -> Result<Built, Error> {
    for (line, command) in manifest.build.iter().zip(commands) {
        show(&format!("$ {}\n", printable(line, 200))).map_err(Error::Output)?;
        let built = run(command, show)?;
        if !matches!(built, Built::Done) {
            return Ok(built);
        }
    }
    Ok(Built::Done)
}

/// Runs the contained commands, and removes setuid and setgid bits from the results.
fn build_contained(
    build: &Build<'_>,
    tier: Tier,
    manifest: &Manifest,
    commands: &[CommandLine],
    show: Show<'_>,
) -> Result<Built, Error> {
    let Build { tree, config, launcher } = *build;
    // From here an interrupt ends the command and not this program, which has to clean up.
    let interrupt = Interrupt::on_signals().map_err(Error::host)?;
    let lent = lend(tree)?;
    let mut written = Written::since_now(tree, config.output_mib * MIB)?;
    let cpu_time = Duration::from_secs(config.cpu_seconds);
    let built = run_all(manifest, commands, show, |command, show| {
        let contained =
            ContainedCommand { launch: launch(config, tier, tree, command)?, launcher, cpu_time };
        contained.run(&mut written, &interrupt, show)
    });
    // First of all, after success and failure alike: files given back to root must not run as root.
    let stripped = tree.strip_set_id();
    let cleaned = stripped.and_then(|stripped| {
        lent.map_or(Ok(()), Lent::give_back)?;
        Ok(stripped)
    });
    match cleaned {
        Ok(stripped) => {
            report_stripped(tree.path(), &stripped, show)?;
            built
        }
        // The build is responsible for what it left there.
        Err(error) => Ok(Built::Failed(format!(
            "cannot clean up the files that the build wrote; remove them, and do not run them: {error}"
        ))),
    }
}

/// Gives the directory to an unused user for the time of the build, if it belongs to root and root
/// builds: nothing of a build runs as root.
fn lend(tree: &Tree) -> Result<Option<Lent<'_>>, Error> {
    let owner = tree.owner().map_err(Error::host)?;
    let is_roots = owner == 0 || is_unused_user(owner);
    if !rustix::process::geteuid().is_root() || !is_roots {
        return Ok(None);
    }
    let user = unused_user().ok_or_else(|| {
        Error::host(format!(
            "no user other than root exists here, and nothing is built as root: build where another \
             user exists, or add {SANDBOX} none for a bot that you trust"
        ))
    })?;
    tree.lend(user).map(Some).map_err(|error| {
        Error::usage(format!("cannot prepare {} for the build: {error}", tree.path().display()))
    })
}

fn report_stripped(directory: &Path, stripped: &[PathBuf], show: Show<'_>) -> Result<(), Error> {
    for path in stripped.iter().take(NAMED) {
        let path = path.strip_prefix(directory).unwrap_or(path).to_string_lossy();
        let path = printable(&path, 200);
        show(&format!("{path}: setuid and setgid bits removed\n")).map_err(Error::Output)?;
    }
    if stripped.len() > NAMED {
        show(&format!("and {} more files\n", stripped.len() - NAMED)).map_err(Error::Output)?;
    }
    Ok(())
}

/// Returns the tier for a build. Compilers start other programs, which tier A forbids.
fn tier(sandbox: Sandbox, launcher: &Launcher) -> Result<Tier, Error> {
    if sandbox == Sandbox::None {
        return Ok(Tier::None);
    }
    let host = Host::detect(launcher).map_err(Error::host)?;
    match host.obstacle(Tier::B) {
        None => Ok(host.best()),
        Some(obstacle) => Err(Error::host(format!(
            "a build needs tier B or better, which this host does not have: {}; {HOST} says what to \
             do, and {SANDBOX} none builds what you trust",
            obstacle.reason
        ))),
    }
}

fn launch(
    config: &BuildConfig,
    tier: Tier,
    tree: &Tree,
    command: &CommandLine,
) -> Result<Launch, Error> {
    let directory = tree.path();
    let bot = BotCommand {
        program: command.program.clone(),
        args: command.args.iter().map(Into::into).collect(),
        directory: Some(directory.to_path_buf()),
        source: Source::Manifest,
        ..BotCommand::default()
    };
    let mut readable = Vec::new();
    for path in &config.read {
        let path = path.canonicalize();
        readable.push(path.map_err(|error| Error::usage(format!("{READ}: {error}")))?);
    }
    let advice = Advice {
        read: format!("{READ} (`read` in a tournament file)"),
        host: HOST.into(),
        ..Advice::default()
    };
    let files = BotFiles::of(&bot, &readable);
    let files = files.map_err(|error| Error::usage(error.in_words(&advice)))?;
    // Files in the directory are mounted with it, writable.
    readable = files.readable;
    readable.retain(|path| !path.starts_with(directory));
    Ok(Launch {
        tier,
        program: files.program,
        args: bot.args,
        directory: directory.to_path_buf(),
        readable,
        own: Vec::new(),
        writable: vec![Writable {
            path: directory.to_path_buf(),
            id: tree.id().map_err(Error::host)?,
        }],
        hidden: Vec::new(),
        children: true,
        limits: ResourceLimits {
            memory: config.memory_mib * MIB,
            processes: config.processes,
            files: 1024,
            scratch: config.scratch_mib * MIB,
            cpu_seconds: Some(config.cpu_seconds),
        },
    })
}

/// Runs a command of a trusted bot without containment.
fn run_freely(directory: &Path, command: &CommandLine) -> Result<Built, Error> {
    let status = Command::new(&command.program)
        .args(&command.args)
        .current_dir(directory)
        .stdin(Stdio::null())
        .status()
        .map_err(|error| Error::usage(format!("{}: {error}", command.program.display())))?;
    Ok(if status.success() { Built::Done } else { Built::Failed(status.to_string()) })
}
