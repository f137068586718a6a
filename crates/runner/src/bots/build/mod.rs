//! Builds of bots by the commands in `bot.toml`, and of games by those in `game.toml`. A build is contained like a bot, but has a
//! writable directory and limits for builds: a build script can do whatever a bot can, and runs
//! before anyone has reviewed it.

#[cfg(target_os = "linux")]
mod command;
#[cfg(target_os = "linux")]
mod contained;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod written;

use super::manifest::{CommandLine, Manifest};
use crate::config::Sandbox;
use crate::error::Error;
use crate::game_manifest::{GAME_FILE, GameManifest};
use crate::message;
use crate::message::{Message, Piece};
use crate::settings::{HOST, Named, SANDBOX};
use botyard_protocol::printable;
use botyard_referee::Interrupt;
use botyard_sandbox::{Host, Launcher, Tier, Walked};
#[cfg(unix)]
use rustix::process::{Pid, Signal};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time between two looks at whether an uncontained command has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The limits of a build.
#[derive(Clone, Debug)]
pub struct BuildConfig {
    /// The containment: none, or tier B or better.
    pub sandbox: Sandbox,
    /// The CPU time limit of a command, in seconds. The limit of wall-clock time is twice that.
    pub cpu_seconds: u64,
    /// The wall-clock limit of all commands together, in seconds.
    pub seconds: Option<u64>,
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
    /// The front end's names of settings.
    pub name: fn(&Named) -> String,
}

impl BuildConfig {
    /// Returns the limits that `botyard build` has by default, in the best sandbox of the host.
    pub fn new(name: fn(&Named) -> String) -> BuildConfig {
        BuildConfig {
            sandbox: Sandbox::Auto,
            cpu_seconds: 60,
            seconds: None,
            memory_mib: 1024,
            processes: 256,
            scratch_mib: 256,
            output_mib: 1024,
            read: Vec::new(),
            name,
        }
    }
}

/// The outcome of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The manifest has no commands.
    NothingToDo,
    /// All commands succeeded, in this tier.
    Built(Tier),
    /// A command failed, for this reason.
    Failed(Message),
}

/// The output for commands and what they print.
pub type Show<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

/// The outcome of a command.
enum Built {
    /// It succeeded.
    Done,
    /// It failed, for this reason.
    Failed(Message),
}

impl Built {
    fn failed(why: impl Piece) -> Built {
        Built::Failed(message![why])
    }
}

/// The end of the time of all commands together, if it is limited.
#[derive(Clone, Copy, Debug)]
struct Deadline(Option<(Instant, u64)>);

impl Deadline {
    fn in_seconds(seconds: Option<u64>) -> Deadline {
        Deadline(seconds.map(|seconds| (Instant::now() + Duration::from_secs(seconds), seconds)))
    }

    /// Returns the failure of a build that takes longer.
    fn exceeded(self) -> Option<Built> {
        let (_, seconds) = self.0.filter(|(end, _)| *end <= Instant::now())?;
        Some(Built::failed(format!(
            "the build was still running after {seconds} s, which is the limit for all its commands together"
        )))
    }
}

/// Builds the bot or the game in a directory.
///
/// # Errors
///
/// The path is not a directory, the manifest is missing or invalid, the host cannot contain the
/// build, or the build was interrupted.
pub fn build(
    directory: &Path,
    config: &BuildConfig,
    launcher: &Launcher,
    interrupt: &Interrupt,
    show: Show<'_>,
) -> Result<Outcome, Error> {
    let wrong =
        |error: String| Error::usage(format!("the directory {}: {error}", directory.display()));
    let absolute = std::path::absolute(directory).map_err(|error| wrong(error.to_string()))?;
    // Refuses a path through a link, because the build would write to the link's target.
    let walked = Walked::along(&absolute).map_err(|error| wrong(error.to_string()))?;
    let directory = walked.path();
    let manifest = match !Manifest::is_in(directory) && directory.join(GAME_FILE).is_file() {
        true => GameManifest::as_of_bot(directory),
        false => Manifest::read(directory),
    };
    let manifest = manifest.map_err(Error::usage)?;
    let commands = manifest.build_commands(directory);
    if commands.is_empty() {
        return Ok(Outcome::NothingToDo);
    }
    let tier = tier(config.sandbox, launcher)?;
    let deadline = Deadline::in_seconds(config.seconds);
    let built = match tier {
        Tier::None => run_all(&manifest, &commands, show, |command, _| {
            run_freely(directory, command, deadline, interrupt)
        })?,
        #[cfg(target_os = "linux")]
        tier => {
            let tree = tree::Tree::open(&walked).map_err(|error| wrong(error.to_string()))?;
            let build = contained::Build { tree: &tree, config, launcher, deadline, interrupt };
            contained::build_contained(&build, tier, &manifest, &commands, show)?
        }
        // The host offers no tier: see `tier`.
        #[cfg(not(target_os = "linux"))]
        tier => return Err(Error::host(format!("a build in tier {tier} needs Linux"))),
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

/// Returns the tier for a build. Compilers start other programs, which tier A forbids.
fn tier(sandbox: Sandbox, launcher: &Launcher) -> Result<Tier, Error> {
    if sandbox == Sandbox::None {
        return Ok(Tier::None);
    }
    let host = Host::detect(launcher).map_err(Error::host)?;
    match host.obstacle(Tier::B) {
        None => Ok(host.best()),
        Some(obstacle) => Err(Error::host(message![
            "a build needs tier B or better, which this host does not have: ",
            obstacle.reason,
            "; ",
            HOST,
            " says what to do, and ",
            SANDBOX.with("none"),
            " builds what you trust"
        ])),
    }
}

/// Runs a command of a trusted bot without containment, in a process group of its own: Ctrl-C raises
/// the interrupt first, so that a command that it ended has not failed.
fn run_freely(
    directory: &Path,
    command: &CommandLine,
    deadline: Deadline,
    interrupt: &Interrupt,
) -> Result<Built, Error> {
    let failed = |error: io::Error| Error::usage(format!("{}: {error}", command.program.display()));
    let mut started = Command::new(&command.program);
    started.args(&command.args).current_dir(directory).stdin(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut started, 0);
    let mut child = started.spawn().map_err(failed)?;
    let status = loop {
        let is_raised = interrupt.is_raised_within(LOOK);
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        let late = deadline.exceeded();
        if is_raised || late.is_some() {
            kill(&mut child);
            child.wait().map_err(failed)?;
            return late.filter(|_| !is_raised).ok_or(Error::Interrupted);
        }
    };
    Ok(if status.success() { Built::Done } else { Built::failed(status) })
}

/// Kills a command and the processes that it started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.kill();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The limits of a build without containment.
    fn trusted() -> BuildConfig {
        BuildConfig {
            sandbox: Sandbox::None,
            cpu_seconds: 60,
            memory_mib: 1024,
            processes: 256,
            scratch_mib: 256,
            output_mib: 256,
            seconds: None,
            read: Vec::new(),
            name: Named::field,
        }
    }

    /// Builds a bot with these commands, and shows what is printed.
    fn built(
        commands: &str,
        config: &BuildConfig,
        interrupt: &Interrupt,
        show: Show<'_>,
    ) -> Result<Outcome, Error> {
        let place = tempfile::tempdir().unwrap();
        let manifest = format!("run = 'true'\nbuild = [{commands}]\n");
        fs::write(place.path().join("bot.toml"), manifest).unwrap();
        let launcher = Launcher { program: "false".into(), args: Vec::new() };
        let directory = place.path().canonicalize().unwrap();
        build(&directory, config, &launcher, interrupt, show)
    }

    #[test]
    fn an_interrupted_build_has_not_failed() {
        let interrupt = Interrupt::new().unwrap();
        let mut begun = String::new();
        let mut show = |text: &str| {
            begun.push_str(text);
            interrupt.raise();
            Ok(())
        };
        let built = built("'sleep 1000'", &trusted(), &interrupt, &mut show);
        assert!(matches!(built, Err(Error::Interrupted)), "{built:?}");
        assert_eq!(begun, "$ sleep 1000\n");
    }

    #[test]
    fn all_commands_together_have_one_deadline() {
        let interrupt = Interrupt::new().unwrap();
        // Each command has the time of a command, and there are too many of them.
        let many = "'sleep 0.2', ".repeat(100);
        for commands in ["'sleep 1000'", &many] {
            let config = BuildConfig { seconds: Some(1), ..trusted() };
            let built = built(commands, &config, &interrupt, &mut |_| Ok(()));
            let Ok(Outcome::Failed(why)) = built else { panic!("{commands}: {built:?}") };
            assert!(why.plain().contains("after 1 s, which is the limit for all"), "{why:?}");
        }
    }
}
