//! The files that a contained bot may read: those of its command or of its directory, and the
//! programs that it finds by `PATH`. The system's programs and libraries are not listed here: every
//! contained program may read them.
//!
//! The bot's own files are found by a walk that cannot be redirected by links in them ([`Walked`]),
//! and are granted the same way. A directory that holds more than a bot is never granted: not a
//! user's home directory, although a bot may lie in it.

use crate::command::advice::Advice;
use crate::command::bot_command::{BotCommand, LaunchError, Source};
use crate::command::installation::{INSTALLATIONS, is_of_python, parts_of_installation};
use crate::command::submission::{self, SubmissionError};
use crate::command::wide_directory::WideDirectories;
#[cfg(target_os = "linux")]
use botyard_sandbox::system_files;
use botyard_sandbox::{WalkError, Walked};
use std::env;
use std::ffi::OsStr;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Directories that every contained program may read anyway.
pub(crate) const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store"];

/// Harmless devices that every contained program may read too.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/// The files that a contained bot may read, and the directory in which it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotFiles {
    /// The program, in a directory without symbolic links.
    pub program: PathBuf,
    /// The directory in which it runs.
    pub directory: PathBuf,
    /// Files that do not belong to the bot: installations, and what the user allows every bot to
    /// read. Symbolic links in these paths are followed.
    pub readable: Vec<PathBuf>,
    /// Files that belong to the bot. No symbolic link in these paths may lead out of the directory
    /// that holds it.
    pub own: Vec<PathBuf>,
}

/// The reason why a bot is not given its files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotFilesError {
    /// The program or the directory does not exist.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The bot's directory is not accepted.
    #[error(transparent)]
    Submission(#[from] SubmissionError),
    /// A directory that holds more than a bot.
    #[error("{} holds more than a bot, so no bot may read it: move the bot into its own directory", .0.display())]
    TooWide(PathBuf),
    /// A path that the command names contains a link that leads out of its directory.
    #[error("{} is a link that leads out of its directory, to {}", link.display(), target.display())]
    LeadsOut {
        /// The link.
        link: PathBuf,
        /// The target of the link.
        target: PathBuf,
    },
    /// A word of the command names a path outside the bot's directory.
    #[error("its command names {}, which is outside its directory {}", named.display(), directory.display())]
    Outside {
        /// The path.
        named: PathBuf,
        /// The bot's directory.
        directory: PathBuf,
    },
    /// An error of the operating system.
    #[error("its files cannot be found: {0}")]
    Unreadable(String),
}

impl BotFilesError {
    /// Returns the error with the remedy for it.
    pub fn in_words(&self, advice: &Advice) -> String {
        let read = &advice.read;
        match self {
            BotFilesError::Submission(error) => error.in_words(advice),
            BotFilesError::LeadsOut { .. } => format!(
                "{self}: name the target itself, or, to let all bots read it, pass it to {read}"
            ),
            BotFilesError::Outside { .. } => {
                format!("{self}: to let all bots read it, pass it to {read}")
            }
            error => error.to_string(),
        }
    }
}

impl From<WalkError> for BotFilesError {
    fn from(error: WalkError) -> BotFilesError {
        match error {
            WalkError::LeadsOut { link, target } => {
                let target = link.canonicalize().unwrap_or(target);
                BotFilesError::LeadsOut { link, target }
            }
            WalkError::Io { path, error } => {
                BotFilesError::Unreadable(format!("{}: {error}", path.display()))
            }
        }
    }
}

impl BotFiles {
    /// Returns the files for a command, if all bots may also read what is in `readable`. A
    /// submitted directory is checked as a whole.
    ///
    /// # Errors
    ///
    /// The program does not exist, or a path leads out of the bot's files.
    pub fn of(command: &BotCommand, readable: &[PathBuf]) -> Result<BotFiles, BotFilesError> {
        let mut given = Given::with_installations(readable);
        let program = command.program_to_start()?;
        let directory = match command.source {
            Source::CommandLine => given.what_it_names(command)?,
            Source::Directory | Source::Manifest => given.directory_of(command)?,
        };
        let program = match has_slash(&command.program) || given.is_own(&program) {
            true => given.program_by_path(command, program)?,
            false => {
                given.installed_program(&program);
                program
            }
        };
        if command.source == Source::Directory {
            given.check_names(command, &directory)?;
        }
        let Given { mut readable, own, .. } = given;
        readable.extend(data_directory());
        readable.extend(command.readable.iter().cloned());
        Ok(BotFiles { program, directory, readable, own })
    }
}

/// Returns the existing files and directories that a command's arguments name, walked without
/// following links out of their directories. For the built-in bots of `botyard`, only their options
/// are searched; for a bridge, all of its arguments.
pub(crate) fn files_named_by(
    command: &BotCommand,
) -> impl Iterator<Item = Result<(PathBuf, Walked), BotFilesError>> {
    let is_own_bot = is_beside_this_program(&command.program) && !command.is_bridge();
    let args = command.args.iter().filter(move |_| !is_own_bot).map(|arg| arg.as_os_str());
    let words = args.chain(command.options.values().map(OsStr::new));
    let paths = words.flat_map(named_by).filter_map(|path| absolute_path(command, path));
    paths.filter_map(|path| match Walked::along(&path) {
        Ok(walked) => Some(Ok((path, walked))),
        // A word is a path only if something exists there.
        Err(WalkError::Io { .. }) => None,
        Err(error) => Some(Err(error.into())),
    })
}

fn absolute_path(command: &BotCommand, path: &OsStr) -> Option<PathBuf> {
    if path.is_empty() {
        return None;
    }
    let path = match &command.directory {
        Some(directory) => directory.join(path),
        None => PathBuf::from(path),
    };
    std::path::absolute(path).ok()
}

/// Returns what every program may read on this system; nothing is contained here.
#[cfg(not(target_os = "linux"))]
fn system_files() -> Vec<PathBuf> {
    SYSTEM.iter().map(PathBuf::from).collect()
}

/// Returns whether a program is named by a path, and not looked up in `PATH`.
pub(crate) fn has_slash(path: &Path) -> bool {
    let is_separator = |byte: &u8| std::path::is_separator((*byte).into());
    path.as_os_str().as_encoded_bytes().iter().any(is_separator)
}

/// Returns the directory for the data of the built-in bots, such as endgame tables.
pub fn data_directory() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let default = || Some(set("HOME")?.join(".local/share"));
    Some(set("XDG_DATA_HOME").or_else(default)?.join("botyard"))
}

/// Returns the possible paths in an argument: the whole argument, the value of `--key=value`, and
/// the parts of a list with colons such as a class path, in which `lib/*` means all files of a
/// directory.
#[cfg(unix)]
fn named_by(argument: &OsStr) -> impl Iterator<Item = &OsStr> {
    let bytes = argument.as_bytes();
    let value = bytes.splitn(2, |&byte| byte == b'=').nth(1);
    let parts = value.unwrap_or(bytes).split(|&byte| byte == b':');
    let parts = parts.map(|part| part.strip_suffix(b"/*").unwrap_or(part));
    [bytes].into_iter().chain(value).chain(parts).map(OsStr::from_bytes)
}

/// The same where lists are separated by semicolons, and paths are not bytes.
#[cfg(not(unix))]
fn named_by(argument: &OsStr) -> impl Iterator<Item = &OsStr> {
    let text = argument.to_str().unwrap_or_default();
    let value = text.split_once('=').map(|(_, value)| value);
    let parts = value.unwrap_or(text).split(';');
    let parts = parts.map(|part| part.strip_suffix("/*").unwrap_or(part)).map(OsStr::new);
    [argument].into_iter().chain(value.map(OsStr::new)).chain(parts)
}

/// The files that are granted, while they are collected.
pub(super) struct Given {
    home: Option<PathBuf>,
    wide: WideDirectories,
    readable: Vec<PathBuf>,
    own: Vec<PathBuf>,
    /// What every contained program may read, without links.
    system: Vec<PathBuf>,
}

impl Given {
    /// Returns what every bot is granted: what is in `readable`, and the installations in `PATH`.
    pub(super) fn with_installations(readable: &[PathBuf]) -> Given {
        let home = env::var_os("HOME").map(PathBuf::from);
        let wide = WideDirectories::of_host(home.clone());
        let mut given = Given::new(home, wide, readable);
        let path = env::var_os("PATH").unwrap_or_default();
        // The meaning of a relative path depends on the current directory, which may be a bot's.
        for directory in env::split_paths(&path).filter(|directory| directory.is_absolute()) {
            given.installation_of(&directory);
        }
        given
    }

    fn new(home: Option<PathBuf>, wide: WideDirectories, readable: &[PathBuf]) -> Given {
        let system =
            system_files().into_iter().flat_map(|path| [path.canonicalize().ok(), Some(path)]);
        let devices = DEVICES.iter().map(PathBuf::from);
        Given {
            home,
            wide,
            readable: readable.to_vec(),
            own: Vec::new(),
            system: system.flatten().chain(devices).collect(),
        }
    }

    /// Grants the bot's own directory, after the check that no link leads out of it.
    fn directory_of(&mut self, command: &BotCommand) -> Result<PathBuf, BotFilesError> {
        let Some(directory) = command.existing_directory()? else {
            return Err(BotFilesError::Unreadable("it has no directory".into()));
        };
        let directory = std::path::absolute(directory)
            .map_err(|error| BotFilesError::Unreadable(error.to_string()))?;
        let walked = Walked::along(&directory)?;
        let directory = walked.path().to_path_buf();
        if self.is_too_wide(&directory) {
            return Err(BotFilesError::TooWide(directory));
        }
        submission::check(&directory, &[], &mut |path| self.give_installation(path))?;
        self.push_own(directory.clone());
        Ok(directory)
    }

    /// Grants what a command line names. Returns the directory in which it runs.
    fn what_it_names(&mut self, command: &BotCommand) -> Result<PathBuf, BotFilesError> {
        for named in files_named_by(command) {
            match named {
                Ok((path, walked)) => self.named(path, &walked),
                Err(BotFilesError::LeadsOut { target, .. }) if self.give_installation(&target) => {}
                Err(error) => return Err(error),
            }
        }
        let directory = match command.existing_directory()? {
            Some(directory) => directory.canonicalize(),
            None => env::current_dir(),
        };
        Ok(directory.unwrap_or_else(|_| "/".into()))
    }

    /// Grants what a command names: a directory, or a file with its directory. Both the given path
    /// and the path without links are granted.
    fn named(&mut self, path: PathBuf, walked: &Walked) {
        if walked.is_directory() {
            self.own_directory(&path, walked.path());
        } else if walked.is_file()
            && let (Some(around), Some(real)) = (path.parent(), walked.path().parent())
        {
            self.own_directory(around, real);
            self.push_own(path);
            self.push_own(walked.path().to_path_buf());
        }
    }

    /// Grants a program that is named by a path, or that was found in `PATH` but lies in the bot's
    /// directory. Returns its path, whose directory is without links. The program itself may be a
    /// link, as in a virtual environment, if that leads to the bot's own files or to an
    /// installation.
    fn program_by_path(
        &mut self,
        command: &BotCommand,
        program: PathBuf,
    ) -> Result<PathBuf, BotFilesError> {
        let (Some(around), Some(name)) = (program.parent(), program.file_name()) else {
            return Ok(program);
        };
        let around = match Walked::along(around) {
            Ok(around) => around.path().to_path_buf(),
            Err(WalkError::LeadsOut { .. }) if self.is_given(&program) && !leads_up(&program) => {
                return Ok(program);
            }
            // The directory does not exist; the error of the start will say so.
            Err(WalkError::Io { .. }) => return Ok(program),
            Err(error) => return Err(error.into()),
        };
        let real = around.join(name);
        if !self.is_own(&real) {
            if is_beside_this_program(&program) || self.is_given(&real) {
                self.installed_program(&program);
                return Ok(program);
            }
            if command.source == Source::Manifest {
                let directory = command.directory.clone().unwrap_or_default();
                return Err(BotFilesError::Outside { named: real, directory });
            }
            self.walked_parts_of(&around);
            self.push_own(real.clone());
        }
        let is_link = real.symlink_metadata().is_ok_and(|found| found.is_symlink());
        if is_link
            && let Ok(target) = real.canonicalize()
            && !self.is_own(&target)
            && !self.give_installation(&target)
        {
            return Err(BotFilesError::LeadsOut { link: real, target });
        }
        Ok(real)
    }

    /// Checks that the paths in a user's command are in the bot's directory.
    fn check_names(&mut self, command: &BotCommand, directory: &Path) -> Result<(), BotFilesError> {
        for named in files_named_by(command) {
            let (path, real) = match named {
                Ok((path, walked)) if walked.is_file() || walked.is_directory() => {
                    (path, walked.path().to_path_buf())
                }
                Ok(_) => continue,
                Err(BotFilesError::LeadsOut { link, target }) => (link, target),
                Err(error) => return Err(error),
            };
            if !self.is_own(&real) && !self.is_too_wide(&real) && !self.give_installation(&real) {
                let directory = directory.to_path_buf();
                return Err(BotFilesError::Outside { named: path, directory });
            }
        }
        Ok(())
    }

    /// Grants a directory of programs that no bot's author can change, with the installation that
    /// it belongs to.
    fn installation_of(&mut self, directory: &Path) {
        for part in parts_of_installation(directory, &self.wide) {
            let real = part.canonicalize().unwrap_or_else(|_| part.clone());
            if !self.is_too_wide(&part) && !self.is_too_wide(&real) {
                self.push(part);
            }
        }
    }

    /// Grants a program that no bot's author can change: also the target if it is a link, and the
    /// installation or directory of both.
    fn installed_program(&mut self, program: &Path) {
        for path in [Some(program.to_path_buf()), program.canonicalize().ok()].into_iter().flatten()
        {
            // What lies beside the referee's own program belongs to it, not to the bot.
            if !is_beside_this_program(&path)
                && let Some(directory) = path.parent()
            {
                self.installation_of(directory);
            }
            self.push(path);
        }
    }

    /// Returns whether every bot may read this path, which must be without links. If it is in an
    /// installation of a version manager, or is a program of a Python installation, that
    /// installation is granted first: it contains nothing else, and virtual environments link to
    /// it.
    pub(super) fn give_installation(&mut self, path: &Path) -> bool {
        if self.is_given(path) {
            return true;
        }
        let home = self.home.iter().flat_map(|home| INSTALLATIONS.map(|root| home.join(root)));
        let mut roots = home.filter_map(|root| root.canonicalize().ok());
        if let Some(root) = roots.find(|root| path.starts_with(root) && path != root) {
            let depth = root.components().count() + 1;
            self.push(path.components().take(depth).collect());
            return true;
        }
        match path.parent() {
            Some(directory) if is_of_python(directory) => self.walked_parts_of(directory),
            _ => return false,
        }
        true
    }

    /// Grants the parts of an installation that may be forged so that links in it are followed:
    /// only those parts that exist and do not lead out of it. The launcher walks them again.
    fn walked_parts_of(&mut self, directory: &Path) {
        for part in parts_of_installation(directory, &self.wide) {
            if let Ok(walked) = Walked::along(&part) {
                self.own_directory(&part, walked.path());
            }
        }
    }

    /// Returns whether every bot may read this path, which must be without links.
    fn is_given(&self, path: &Path) -> bool {
        let is_within = |given: &PathBuf| {
            path.starts_with(given) || given.canonicalize().is_ok_and(|real| path.starts_with(real))
        };
        self.system.iter().any(|given| path.starts_with(given))
            || self.readable.iter().any(is_within)
    }

    fn is_own(&self, path: &Path) -> bool {
        self.own.iter().any(|own| path.starts_with(own))
    }

    /// Grants a directory of the bot with all its contents, unless it holds more than a bot. `real`
    /// is its path without links.
    fn own_directory(&mut self, directory: &Path, real: &Path) {
        if !self.is_too_wide(directory) && !self.is_too_wide(real) {
            self.push_own(directory.to_path_buf());
            self.push_own(real.to_path_buf());
        }
    }

    fn is_too_wide(&self, path: &Path) -> bool {
        self.wide.contains(path)
    }

    fn push(&mut self, path: PathBuf) {
        let Ok(path) = std::path::absolute(path) else { return };
        if path.exists()
            && !is_system(&path)
            && !self.readable.iter().any(|given| path.starts_with(given))
        {
            self.readable.push(path);
        }
    }

    fn push_own(&mut self, path: PathBuf) {
        if !is_system(&path) && !self.is_own(&path) {
            self.own.push(path);
        }
    }
}

fn leads_up(path: &Path) -> bool {
    path.components().any(|component| component == Component::ParentDir)
}

fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|given| path.starts_with(given))
}

fn is_beside_this_program(path: &Path) -> bool {
    let own = env::current_exe().ok();
    own.is_some_and(|own| own.parent() == path.parent())
}

#[cfg(test)]
mod tests;
