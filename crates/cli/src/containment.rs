//! How the bots of a match are contained: what the command line asks for, what this host offers,
//! and what each bot gets.

use crate::failure::Failure;
use crate::sandbox_command::launcher;
use crate::text::note;
use botyard_referee::{BotCommand, BotFiles, Containment, Wrapper, closed_to_others};
use botyard_sandbox::{Host, MIB, ResourceLimits, Tier};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

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

impl ContainmentArgs {
    /// No containment, for verbs that start built-in bots only.
    pub fn none() -> ContainmentArgs {
        let limits = default();
        ContainmentArgs {
            sandbox: Sandbox::None,
            memory: limits.memory / MIB,
            processes: limits.processes,
            files: limits.files,
            scratch: limits.scratch / MIB,
            sandbox_command: None,
            sandbox_end: None,
            read: Vec::new(),
        }
    }

    /// The tier in which this host is to run these bots. Where it can contain none, that is said on
    /// standard error.
    ///
    /// # Errors
    ///
    /// Less than was asked for.
    pub fn tier(&self, bots: &[BotCommand]) -> anyhow::Result<Tier> {
        if self.sandbox_command.is_some() {
            return Ok(Tier::D);
        }
        if self.sandbox == Sandbox::None {
            warn_of_root(bots);
            return Ok(Tier::None);
        }
        let host = Host::detect(&launcher()).map_err(Failure::host)?;
        let best = host.best();
        let reason = |tier| host.obstacle(tier).map_or("", |obstacle| obstacle.reason.as_str());
        if self.sandbox == Sandbox::Strict && best < Tier::B {
            return Err(Failure::host(format!(
                "--sandbox strict: this host cannot run bots in tier B: {}; `botyard sandbox` says \
                 what to do",
                reason(Tier::B)
            )));
        }
        if self.sandbox == Sandbox::Strict
            && let Some(obstacle) = host.memory_obstacle(best)
        {
            return Err(Failure::host(format!(
                "--sandbox strict: this host cannot hold bots to --memory in tier {best}: {}; \
                 `botyard sandbox` says what to do",
                obstacle.reason
            )));
        }
        if best == Tier::None {
            note(&format!(
                "warning: bots are not contained: {}; `botyard sandbox` says what to do",
                reason(Tier::A)
            ));
            warn_of_root(bots);
        }
        if best == Tier::A && host.is_root && bots.iter().any(|bot| closed_to_others(bot).is_some())
        {
            note("warning: bots are not contained: tier A runs them as a user that nobody is");
            warn_of_root(bots);
            return Ok(Tier::None);
        }
        Ok(best)
    }

    /// The command that runs each bot, where there is one.
    ///
    /// # Errors
    ///
    /// Words that make none.
    pub fn wrapper(&self) -> anyhow::Result<Option<Wrapper>> {
        let Some(command) = &self.sandbox_command else { return Ok(None) };
        let words = |text: &str| {
            shlex::split(text).ok_or_else(|| {
                Failure::usage(format!("{text:?}: expected a command line, got an open quote"))
            })
        };
        let end = self.sandbox_end.as_deref().map_or(Ok(Vec::new()), words)?;
        Wrapper::new(words(command)?, end)
            .map(Some)
            .map_err(|error| Failure::usage(format!("--sandbox-command {command:?}: {error}")))
    }

    /// How each of the bots is contained in this tier; `None` where it is not, or by a wrapper. None of them may
    /// read the directory `out`, which is to hold replays, nor what is another's alone. A bot that
    /// cannot be given its files is not started, and its containment says why.
    ///
    /// # Errors
    ///
    /// A path to be read that does not exist.
    pub fn of_bots(
        &self,
        tier: Tier,
        bots: &[BotCommand],
        out: Option<&Path>,
    ) -> anyhow::Result<Vec<Option<Containment>>> {
        if matches!(tier, Tier::None | Tier::D) {
            return Ok(vec![None; bots.len()]);
        }
        let readable: Vec<PathBuf> =
            self.read.iter().map(|path| existing(path)).collect::<Result<_, _>>()?;
        let files: Vec<_> = bots.iter().map(|bot| BotFiles::of(bot, &readable)).collect();
        let own = |files: &Result<BotFiles, _>| match files {
            Ok(files) => files.own.clone(),
            Err(_) => Vec::new(),
        };
        let directories: Vec<Vec<PathBuf>> = files.iter().map(own).collect();
        let out: Vec<PathBuf> = out.map_or(Vec::new(), names_of);
        let contained = files.into_iter().enumerate().map(|(bot, files)| {
            let mut hidden = out.clone();
            hidden.extend(of_others(&directories, bot));
            Some(Containment { tier, launcher: launcher(), limits: self.limits(), files, hidden })
        });
        Ok(contained.collect())
    }

    fn limits(&self) -> ResourceLimits {
        ResourceLimits {
            memory: self.memory * MIB,
            processes: self.processes,
            files: self.files,
            scratch: self.scratch * MIB,
            cpu_seconds: None,
        }
    }
}

/// The paths of a directory that need not exist yet: as it is written, and without links.
fn names_of(directory: &Path) -> Vec<PathBuf> {
    let Ok(written) = std::path::absolute(directory) else { return Vec::new() };
    let real = written.ancestors().find_map(|ancestor| {
        let rest = written.strip_prefix(ancestor).ok()?;
        Some(ancestor.canonicalize().ok()?.join(rest))
    });
    let real = real.filter(|real| *real != written);
    [written].into_iter().chain(real).collect()
}

/// Directories of other bots that lie within those of this one, and hold nothing of its own.
fn of_others(directories: &[Vec<PathBuf>], bot: usize) -> Vec<PathBuf> {
    let own = &directories[bot];
    let others = directories.iter().enumerate().filter(|(other, _)| *other != bot);
    let is_theirs = |path: &&PathBuf| {
        own.iter().any(|own| path.starts_with(own) && *path != own)
            && !own.iter().any(|own| own.starts_with(path))
    };
    others.flat_map(|(_, theirs)| theirs).filter(is_theirs).cloned().collect()
}

/// Says that bots run as root, where they do: where nobody else could run them.
fn warn_of_root(bots: &[BotCommand]) {
    if let Some(closed) = bots.iter().find_map(closed_to_others)
        && rustix::process::geteuid().is_root()
    {
        note(&format!(
            "warning: bots run as root: {} is closed to all others; try `chmod o+rx` on it, or run \
             botyard as another user than root",
            closed.display()
        ));
    }
}

fn existing(path: &Path) -> anyhow::Result<PathBuf> {
    path.canonicalize()
        .map_err(|error| Failure::usage(format!("--read {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_does_not_see_the_bots_that_lie_in_its_directory() {
        let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
        let directories =
            [paths(&["/class", "/opt/py"]), paths(&["/class/anna", "/opt/py"]), paths(&["/class"])];
        assert_eq!(of_others(&directories, 0), paths(&["/class/anna"]));
        assert_eq!(of_others(&directories, 1), paths(&[]));
        assert_eq!(of_others(&directories, 2), paths(&["/class/anna"]));
    }
}
