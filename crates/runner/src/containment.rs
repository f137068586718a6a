//! The containment of bots: the tier, by the requested sandbox and the abilities of this host, and
//! the limits and files of each bot.

use crate::config::{BetweenTurns, ContainmentConfig, Sandbox};
use crate::error::Error;
use crate::programs::Programs;
use crate::settings::{BACKEND, CLOCK, HOST, MEMORY, READ, SANDBOX, STOP, WRAPPER};
use botyard_league::private_files::Use;
use botyard_protocol::ClockKind;
use botyard_referee::{Backend, BotCommand, BotFiles, Containment, Wrapper, closed_to_others};
use botyard_sandbox::{Host, Launcher, MIB, ResourceLimits, Tier};
use std::path::{Path, PathBuf};

impl ContainmentConfig {
    /// Returns the tier in which this host runs these bots. If the host cannot contain bots, this
    /// adds a warning. Bots may run as root only if the sandbox is off.
    ///
    /// # Errors
    ///
    /// The host offers less than was requested, or bots would run without a sandbox where this process
    /// is root and the bots are those of others, or no other user could run them.
    pub fn tier(
        &self,
        bots: &mut [BotCommand],
        launcher: &Launcher,
        warnings: &mut Vec<String>,
    ) -> Result<Tier, Error> {
        bots.iter_mut().for_each(|bot| bot.may_be_root = self.sandbox == Sandbox::None);
        if self.backend == Backend::Portable {
            self.check_portable()?;
            warnings.push(format!(
                "BOTS ARE NOT CONTAINED: {BACKEND} portable has no sandbox, so a bot can read, change \
                 and send whatever your user can; play only programs that you trust"
            ));
            match self.sandbox {
                Sandbox::None => warnings.extend(warning_of_root(bots)),
                _ if is_root() => warnings.push(as_another_user(bots, "it has no sandbox")?),
                _ => {}
            }
            return Ok(Tier::None);
        }
        self.check_native()?;
        if self.command.is_some() {
            return Ok(Tier::D);
        }
        if self.sandbox == Sandbox::None {
            warnings.extend(warning_of_root(bots));
            return Ok(Tier::None);
        }
        let host = Host::detect(launcher).map_err(Error::host)?;
        let best = host.best();
        let reason = |tier| host.obstacle(tier).map_or("", |obstacle| obstacle.reason.as_str());
        if self.sandbox == Sandbox::Strict && best < Tier::B {
            return Err(Error::host(format!(
                "{SANDBOX} strict: this host cannot run bots in tier B: {}; {HOST} says \
                 what to do",
                reason(Tier::B)
            )));
        }
        if self.sandbox == Sandbox::Strict
            && let Some(obstacle) = host.memory_obstacle(best)
        {
            return Err(Error::host(format!(
                "{SANDBOX} strict: this host cannot enforce {MEMORY} in tier {best}: {}; {HOST} says what to do",
                obstacle.reason
            )));
        }
        if best == Tier::None {
            let reason = reason(Tier::A);
            if host.is_root && self.for_others {
                return Err(Error::host(format!(
                    "this host cannot contain bots: {reason}; {HOST} says what to do. Without a sandbox \
                     no bot of others is played where botyard is root: run it as another user, or write \
                     {SANDBOX} none (mode = \"none\" in [sandbox]) for programs that you trust"
                )));
            }
            warnings.push(format!("bots are not contained: {reason}; {HOST} says what to do"));
            if host.is_root {
                warnings.push(as_another_user(bots, reason)?);
            }
        }
        if best == Tier::A && host.is_root {
            as_another_user(bots, reason(Tier::B))?;
        }
        Ok(best)
    }

    /// Checks that this program has the native back end, if that is what runs the bots.
    ///
    /// # Errors
    ///
    /// It does not.
    fn check_native(&self) -> Result<(), Error> {
        match self.backend.is_here() {
            true => Ok(()),
            false => Err(Error::usage(format!(
                "{BACKEND} native needs Linux, and this is {}; use {BACKEND} portable, which has no sandbox \
                 and measures wall-clock time only",
                std::env::consts::OS
            ))),
        }
    }

    /// Checks that nothing is required that the portable back end cannot do.
    fn check_portable(&self) -> Result<(), Error> {
        let usual = ContainmentConfig::default();
        let limits =
            |it: &ContainmentConfig| (it.memory_mib, it.processes, it.files, it.scratch_mib);
        let refused = if self.sandbox == Sandbox::Strict {
            format!("{SANDBOX} strict")
        } else if self.command.is_some() {
            WRAPPER.to_string()
        } else if limits(self) != limits(&usual) {
            format!("a limit of memory, processes, files or scratch space, such as {MEMORY},")
        } else {
            return Ok(());
        };
        Err(needs_native(&refused))
    }

    /// Checks that the back end can measure this clock, and can do this with bots between their
    /// turns.
    ///
    /// # Errors
    ///
    /// It cannot.
    pub(crate) fn check_conditions(
        &self,
        clock: ClockKind,
        between_turns: BetweenTurns,
    ) -> Result<(), Error> {
        match (self.backend, clock, between_turns) {
            (Backend::Portable, ClockKind::Cpu, _) => Err(needs_native(&format!("{CLOCK} cpu"))),
            (Backend::Portable, _, BetweenTurns::Stop) => Err(needs_native(STOP)),
            _ => Ok(()),
        }
    }

    /// Returns the command that runs each bot, if one is configured.
    ///
    /// # Errors
    ///
    /// The words do not make a command.
    pub fn wrapper(&self) -> Result<Option<Wrapper>, Error> {
        let Some(command) = &self.command else { return Ok(None) };
        let words = |text: &str| {
            shlex::split(text).ok_or_else(|| {
                Error::usage(format!("{text:?}: expected a command line, got an unclosed quote"))
            })
        };
        let end = self.end.as_deref().map_or(Ok(Vec::new()), words)?;
        Wrapper::new(words(command)?, end)
            .map(Some)
            .map_err(|error| Error::usage(format!("{WRAPPER} {command:?}: {error}")))
    }

    /// Returns the containment of each bot in this tier; `None` for a bot that is not contained, or
    /// by a wrapper. No bot may read the directory `out`, where replays go, or the files of other
    /// bots. A bot whose files cannot be provided is not started, and its containment says why.
    ///
    /// # Errors
    ///
    /// A path in `read` does not exist.
    pub fn of_bots(
        &self,
        tier: Tier,
        bots: &[BotCommand],
        programs: &Programs,
        out: Option<&Path>,
    ) -> Result<Vec<Option<Containment>>, Error> {
        if matches!(tier, Tier::None | Tier::D) {
            return Ok(vec![None; bots.len()]);
        }
        let readable = self.readable()?;
        let files: Vec<_> = bots.iter().map(|bot| BotFiles::of(bot, &readable)).collect();
        let own = |files: &Result<BotFiles, _>| match files {
            Ok(files) => files.own.clone(),
            Err(_) => Vec::new(),
        };
        let directories: Vec<Vec<PathBuf>> = files.iter().map(own).collect();
        let out: Vec<PathBuf> = out.map_or(Vec::new(), names_of);
        let contained = files.into_iter().enumerate().map(|(bot, files)| {
            let own = &directories[bot];
            let mut hidden: Vec<PathBuf> = out.iter().flat_map(|out| all_but(out, own)).collect();
            hidden.extend(of_others(&directories, bot));
            Some(Containment {
                tier,
                launcher: programs.launcher.clone(),
                limits: self.limits(),
                files,
                hidden,
                advice: programs.advice.clone(),
            })
        });
        Ok(contained.collect())
    }

    /// Returns the paths that all bots may read, without links.
    ///
    /// # Errors
    ///
    /// A path does not exist.
    pub fn readable(&self) -> Result<Vec<PathBuf>, Error> {
        self.read.iter().map(|path| existing(path)).collect()
    }

    fn limits(&self) -> ResourceLimits {
        ResourceLimits {
            memory: self.memory_mib * MIB,
            processes: self.processes,
            files: self.files,
            scratch: self.scratch_mib * MIB,
            cpu_seconds: None,
        }
    }
}

/// Returns the error of a setting that the portable back end cannot follow.
fn needs_native(setting: &str) -> Error {
    Error::usage(format!(
        "{setting} needs {BACKEND} native, which runs on Linux: {BACKEND} portable cannot contain, limit or \
         stop a bot, and measures wall-clock time only"
    ))
}

/// Returns both paths of a directory that need not exist yet: the absolute path as written, and
/// without links.
fn names_of(directory: &Path) -> Vec<PathBuf> {
    let Ok(written) = std::path::absolute(directory) else { return Vec::new() };
    let real = written.ancestors().find_map(|ancestor| {
        let rest = written.strip_prefix(ancestor).ok()?;
        Some(ancestor.canonicalize().ok()?.join(rest))
    });
    let real = real.filter(|real| *real != written);
    [written].into_iter().chain(real).collect()
}

/// Returns what to hide of a directory: all of it, or everything but the bot's own files in it.
fn all_but(directory: &Path, own: &[PathBuf]) -> Vec<PathBuf> {
    if own.iter().any(|own| own == directory) {
        return Vec::new();
    }
    if !own.iter().any(|own| own.starts_with(directory)) {
        return vec![directory.to_path_buf()];
    }
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.flat_map(|entry| all_but(&entry.path(), own)).collect()
}

/// Returns directories of other bots that lie within those of this bot and contain none of its
/// files.
fn of_others(directories: &[Vec<PathBuf>], bot: usize) -> Vec<PathBuf> {
    let own = &directories[bot];
    let others = directories.iter().enumerate().filter(|(other, _)| *other != bot);
    let is_theirs = |path: &&PathBuf| {
        own.iter().any(|own| path.starts_with(own) && *path != own)
            && !own.iter().any(|own| own.starts_with(path))
    };
    others.flat_map(|(_, theirs)| theirs).filter(is_theirs).cloned().collect()
}

/// Checks that another user than root can run these bots. Returns a text that says so.
///
/// # Errors
///
/// A file or directory is closed to other users, or there are none.
fn as_another_user(bots: &[BotCommand], reason: &str) -> Result<String, Error> {
    if let Some(closed) = bots.iter().find_map(closed_to_others) {
        return Err(Error::host(format!(
            "no bot runs as root, and no other user can run this one: {} is closed to all others \
             ({reason}); try `chmod o+rx` on it, run botyard as another user than root, or write {SANDBOX} \
             none for programs that you trust",
            closed.display()
        )));
    }
    match has_unused_user() {
        true => Ok("bots run under unused UIDs and not as root".into()),
        false => Err(Error::host(format!(
            "no bot runs as root, and there is no other user here ({reason}): run botyard as another \
             user, or write {SANDBOX} none for programs that you trust"
        ))),
    }
}

/// Returns how directories on the way to the copies of bots are used: if this process is root, bots run under other
/// UIDs and pass through them.
pub fn passed_by_bots() -> Use {
    #[cfg(target_os = "linux")]
    if is_root()
        && let Some(group) = botyard_sandbox::bots_group()
    {
        return Use::Passage(group);
    }
    Use::OwnerAlone
}

/// Returns whether there are UIDs for bots where this process is root.
fn has_unused_user() -> bool {
    #[cfg(target_os = "linux")]
    return botyard_sandbox::unused_user().is_some();
    #[cfg(not(target_os = "linux"))]
    return false;
}

/// Returns a warning if bots run as root because no other user could run them.
fn warning_of_root(bots: &[BotCommand]) -> Option<String> {
    if !is_root() {
        return None;
    }
    let closed = bots.iter().find_map(closed_to_others);
    let why = match &closed {
        Some(closed) => {
            format!("{} is closed to all others; try `chmod o+rx` on it", closed.display())
        }
        None if has_unused_user() => return None,
        None => "there is no other user".into(),
    };
    Some(format!("bots run as root: {why}, or run botyard as another user than root"))
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

fn existing(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(|error| Error::usage(format!("{READ} {}: {error}", path.display())))
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
