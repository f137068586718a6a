//! A contained build: its commands, its limits, and what is done with the files that it leaves.

use super::command::ContainedCommand;
use super::tree::{Lent, Tree};
use super::written::Written;
use super::{BuildConfig, Built, Deadline, Show, run_all};
use crate::bots::manifest::{CommandLine, Manifest};
use crate::error::Error;
use crate::message;
use crate::programs::advice;
use crate::settings::{READ, SANDBOX};
use botyard_protocol::printable;
use botyard_referee::{BotCommand, BotFiles, Interrupt, Source};
use botyard_sandbox::{
    Launch, Launcher, MIB, ResourceLimits, Tier, Writable, is_unused_user, unused_user,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many files with removed permission bits are listed.
const NAMED: usize = 10;

/// A build of a directory.
#[derive(Clone, Copy)]
pub(super) struct Build<'a> {
    /// The directory, opened once: replacing the directory at its path has no effect.
    pub tree: &'a Tree,
    pub config: &'a BuildConfig,
    pub launcher: &'a Launcher,
    /// The end of its time.
    pub deadline: Deadline,
    /// Ends the build.
    pub interrupt: &'a Interrupt,
}

/// Runs the contained commands, and removes setuid and setgid bits from the results.
pub(super) fn build_contained(
    build: &Build<'_>,
    tier: Tier,
    manifest: &Manifest,
    commands: &[CommandLine],
    show: Show<'_>,
) -> Result<Built, Error> {
    let Build { tree, config, launcher, deadline, interrupt } = *build;
    let lent = lend(tree)?;
    let mut written = Written::since_now(tree, config.output_mib * MIB)?;
    let cpu_time = Duration::from_secs(config.cpu_seconds);
    let built = run_all(manifest, commands, show, |command, show| {
        let launch = launch(config, tier, tree, command)?;
        let contained = ContainedCommand { launch, launcher, cpu_time, deadline };
        contained.run(&mut written, interrupt, show)
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
        Err(error) => Ok(Built::failed(format!(
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
        Error::host(message![
            "no user other than root exists here, and nothing is built as root: build where another \
             user exists, or add ",
            SANDBOX.with("none"),
            " for a bot that you trust"
        ])
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
        let real = path.canonicalize();
        readable.push(real.map_err(|error| {
            Error::usage(message![READ, format!(" {}: {error}", path.display())])
        })?);
    }
    let files = BotFiles::of(&bot, &readable);
    let files = files.map_err(|error| Error::usage(error.in_words(&advice(config.name))))?;
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
