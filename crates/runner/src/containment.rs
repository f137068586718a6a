//! The containment of bots: the tier, by the requested sandbox and the abilities of this host, and
//! the limits and files of each bot.

use crate::config::{BetweenTurns, ContainmentConfig, Sandbox};
use crate::error::Error;
use crate::game_programs;
use crate::message;
use crate::message::{Message, Piece};
use crate::planned_bot::PlannedBot;
use crate::programs::Programs;
use crate::settings::{
    BACKEND, CLOCK, FILES, GAME_MEMORY, GAME_PROCESSES, HOST, MEMORY, Named, PROCESSES, READ,
    SANDBOX, SCRATCH, STOP, Setting, WRAPPER, WRAPPER_END,
};
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
        warnings: &mut Vec<Message>,
    ) -> Result<Tier, Error> {
        bots.iter_mut().for_each(|bot| bot.may_be_root = self.sandbox == Sandbox::None);
        if self.backend == Backend::Portable {
            self.check_portable()?;
            warnings.push(message![
                "BOTS ARE NOT CONTAINED: ",
                BACKEND.with("portable"),
                " has no sandbox, so a bot can read, change and send whatever your user can; play only \
                 programs that you trust"
            ]);
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
            return Err(Error::host(message![
                SANDBOX.with("strict"),
                ": this host cannot run bots in tier B: ",
                reason(Tier::B),
                "; ",
                HOST,
                " says what to do"
            ]));
        }
        if self.sandbox == Sandbox::Strict
            && let Some(obstacle) = host.memory_obstacle(best)
        {
            return Err(Error::host(message![
                SANDBOX.with("strict"),
                ": this host cannot enforce ",
                MEMORY,
                format!(" in tier {best}: {}; ", obstacle.reason),
                HOST,
                " says what to do"
            ]));
        }
        if best == Tier::None {
            let reason = reason(Tier::A);
            if host.is_root && self.for_others {
                return Err(Error::host(message![
                    format!("this host cannot contain bots: {reason}; "),
                    HOST,
                    " says what to do. Without a sandbox no bot of others is played where botyard is \
                     root: run it as another user, or write ",
                    SANDBOX.with("none"),
                    " for programs that you trust"
                ]));
            }
            warnings.push(message![
                format!("bots are not contained: {reason}; "),
                HOST,
                " says what to do"
            ]);
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
            false => Err(Error::usage(message![
                BACKEND.with("native"),
                format!(" needs Linux, and this is {}; use ", std::env::consts::OS),
                BACKEND.with("portable"),
                ", which has no sandbox and measures wall-clock time only"
            ])),
        }
    }

    /// Checks that nothing is required that the portable back end cannot do.
    fn check_portable(&self) -> Result<(), Error> {
        let usual = ContainmentConfig::default();
        if self.sandbox == Sandbox::Strict {
            return Err(needs_native(SANDBOX.with("strict")));
        }
        let set = [
            (WRAPPER, self.command.is_some()),
            (MEMORY, self.memory_mib != usual.memory_mib),
            (PROCESSES, self.processes != usual.processes),
            (FILES, self.files != usual.files),
            (SCRATCH, self.scratch_mib != usual.scratch_mib),
            (GAME_MEMORY, self.game.memory_mib.is_some()),
            (GAME_PROCESSES, self.game.processes.is_some()),
        ];
        match set.into_iter().find(|(_, is_set)| *is_set) {
            Some((setting, _)) => Err(needs_native(setting)),
            None => Ok(()),
        }
    }

    /// Checks what is wrong on any host: that the back end, or the wrapper if there is one, can measure this
    /// clock and can do this with bots between their turns.
    ///
    /// # Errors
    ///
    /// It cannot, or the wrapper is no command.
    pub fn check(&self, clock: ClockKind, between_turns: BetweenTurns) -> Result<(), Error> {
        let refused: Option<Named> = match (clock, between_turns) {
            (ClockKind::Cpu, _) => Some(CLOCK.with("cpu")),
            (_, BetweenTurns::Stop) => Some(STOP.into()),
            _ => None,
        };
        match (self.backend, refused, self.wrapper()?) {
            (Backend::Portable, Some(refused), _) => Err(needs_native(refused)),
            (Backend::Portable, None, _) => self.check_portable(),
            (Backend::Native, Some(refused), Some(_)) => Err(Error::usage(message![
                refused,
                " does not work with ",
                WRAPPER,
                ": the referee can neither measure nor stop processes that the command runs elsewhere"
            ])),
            _ => self.check_native(),
        }
    }

    /// Returns the command that runs each bot, if one is configured.
    ///
    /// # Errors
    ///
    /// The words do not make a command.
    pub fn wrapper(&self) -> Result<Option<Wrapper>, Error> {
        let Some(command) = &self.command else { return Ok(None) };
        let words = |setting: Setting, text: &str| {
            shlex::split(text).ok_or_else(|| {
                let got = format!(" {text:?}: expected a command line, got an unclosed quote");
                Error::usage(message![setting, got])
            })
        };
        let end = self.end.as_deref().map_or(Ok(Vec::new()), |end| words(WRAPPER_END, end))?;
        Wrapper::new(words(WRAPPER, command)?, end)
            .map(Some)
            .map_err(|error| Error::usage(message![WRAPPER, format!(" {command:?}: {error}")]))
    }

    /// Returns the bots with their containment in this tier. No bot may read the directory `out`, where replays go, or the files of other
    /// bots. A bot whose files cannot be provided is not started, and its containment says why.
    ///
    /// # Errors
    ///
    /// A path in `read` does not exist.
    pub fn of_bots(
        &self,
        tier: Tier,
        bots: Vec<BotCommand>,
        programs: &Programs,
        out: Option<&Path>,
    ) -> Result<Vec<PlannedBot>, Error> {
        if matches!(tier, Tier::None | Tier::D) {
            return Ok(bots.into_iter().map(|bot| PlannedBot::new(bot, None)).collect());
        }
        let readable = self.readable()?;
        let files: Vec<_> = bots.iter().map(|bot| BotFiles::of(bot, &readable)).collect();
        let own = |files: &Result<BotFiles, _>| match files {
            Ok(files) => files.own.clone(),
            Err(_) => Vec::new(),
        };
        let directories: Vec<Vec<PathBuf>> = files.iter().map(own).collect();
        let out: Vec<PathBuf> = out.map_or(Vec::new(), names_of);
        let contained = bots.into_iter().zip(files).enumerate().map(|(bot, (command, files))| {
            let own = &directories[bot];
            let mut hidden: Vec<PathBuf> = out.iter().flat_map(|out| all_but(out, own)).collect();
            hidden.extend(of_others(&directories, bot));
            hidden
                .extend(game_programs::hidden_directories().iter().flat_map(|it| all_but(it, own)));
            let containment = Containment {
                tier,
                launcher: programs.launcher.clone(),
                limits: self.limits(),
                files,
                hidden,
                advice: programs.advice(),
            };
            PlannedBot::new(command, Some(containment))
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
fn needs_native(setting: impl Piece) -> Error {
    Error::usage(message![
        setting,
        " needs ",
        BACKEND.with("native"),
        ", which runs on Linux: ",
        BACKEND.with("portable"),
        " cannot contain, limit or stop a bot, and measures wall-clock time only"
    ])
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
fn as_another_user(bots: &[BotCommand], reason: &str) -> Result<Message, Error> {
    if let Some(closed) = bots.iter().find_map(closed_to_others) {
        return Err(Error::host(message![
            "no bot runs as root, and no other user can run this one: ",
            closed.display(),
            format!(" is closed to all others ({reason}); try `chmod o+rx` on it, run botyard as "),
            "another user than root, or write ",
            SANDBOX.with("none"),
            " for programs that you trust"
        ]));
    }
    match has_unused_user() {
        true => Ok("bots run under unused UIDs and not as root".into()),
        false => Err(Error::host(message![
            format!(
                "no bot runs as root, and there is no other user here ({reason}): run botyard as "
            ),
            "another user, or write ",
            SANDBOX.with("none"),
            " for programs that you trust"
        ])),
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
fn warning_of_root(bots: &[BotCommand]) -> Option<Message> {
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
    Some(format!("bots run as root: {why}, or run botyard as another user than root").into())
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
    path.canonicalize()
        .map_err(|error| Error::usage(message![READ, format!(" {}: {error}", path.display())]))
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
