//! The command that starts a bot: program, arguments, directory and environment; and explanations
//! of why a program cannot be started. Nothing is started here.

use crate::command::bot_files::has_slash;
#[cfg(unix)]
use crate::command::ordinary_user::closed_to_others;
#[cfg(unix)]
use crate::command::regular_file::open_regular;
use botyard_protocol::BotTime;
#[cfg(unix)]
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::env::consts::EXE_SUFFIX;
use std::ffi::{OsStr, OsString};
#[cfg(unix)]
use std::fs;
use std::io;
#[cfg(unix)]
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variables that a bot inherits if the referee has them. It gets no others, except
/// those of its [containment](crate::Containment).
#[cfg(not(windows))]
pub const INHERITED_VARIABLES: &[&str] = &["HOME", "LANG", "PATH", "XDG_DATA_HOME"];

/// The environment variables that a bot inherits if the referee has them. Programs on Windows do not
/// start without some of them.
#[cfg(windows)]
pub const INHERITED_VARIABLES: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERPROFILE",
];

/// The command that starts a bot, and its name in the match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotCommand {
    /// The bot's name, which is unique in the match.
    pub name: String,
    /// The program. With a slash it is a path relative to the referee's directory; without, it is
    /// looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The directory in which it runs; the referee's if there is none.
    pub directory: Option<PathBuf>,
    /// Where the command and its directory come from, which determines the files that a contained
    /// bot may read.
    pub source: Source,
    /// Options that the match sets, as text. They are checked against the options in the bot's
    /// `hello`.
    pub options: BTreeMap<String, String>,
    /// Its times, if they are not those of its games.
    pub time: Option<BotTime>,
    /// Environment variables that it has besides [`INHERITED_VARIABLES`].
    pub variables: Vec<(OsString, OsString)>,
    /// Files of others that it may read if it is contained. Symbolic links in these paths are followed.
    pub readable: Vec<PathBuf>,
    /// The directory of a copy of its files that must not change: a file that is missing there
    /// later is a failure of the host.
    pub bundle: Option<PathBuf>,
    /// Whether a referee that is root may run it as root, if it is not contained and no other user
    /// could run it. The user has turned the sandbox off then.
    pub may_be_root: bool,
}

/// The source of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// The user typed it. A contained bot may read what the command names: the program, and the
    /// directory of the script.
    #[default]
    CommandLine,
    /// The user wrote it for a submitted directory. A contained bot may read that directory and the
    /// program, and nothing else that the command names.
    Directory,
    /// It was submitted with the directory. A contained bot may read that directory, and outside it
    /// only the programs of the system and of `PATH`.
    Manifest,
}

/// The reason why a program cannot be started, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// There is no such file.
    #[error("there is no file {}", .0.display())]
    NoFile(PathBuf),
    /// No directory of `PATH` has such a program.
    #[error("there is no program {} in PATH; to run a file, write its path with a slash", .0.display())]
    NotInPath(PathBuf),
    /// It is a directory.
    #[error("{} is a directory, not a program", .0.display())]
    Directory(PathBuf),
    /// It is a FIFO, a socket or a device.
    #[error("{} is not a regular file", .0.display())]
    Special(PathBuf),
    /// It is not executable.
    #[error("{} is not executable; try `chmod +x`", .0.display())]
    NotExecutable(PathBuf),
    /// It is neither a program for this machine nor a script.
    #[error(
        "{} cannot be executed (exec format error): expected a program for this machine, or a script \
         with a #! line",
        .0.display()
    )]
    ExecFormat(PathBuf),
    /// It is a script whose interpreter does not exist.
    #[error("the first line of {} asks for the interpreter {interpreter}, which does not exist", .script.display())]
    NoInterpreter {
        /// The script.
        script: PathBuf,
        /// The interpreter that its `#!` line names.
        interpreter: String,
    },
    /// It is a script whose first line ends in CRLF.
    #[error(
        "the first line of {} ends in CRLF, and the carriage return becomes a part of {word}: save the file with LF, \
         as with `sed -i 's/\\r$//'`; where git makes CRLF of LF, put `* text=auto eol=lf` in .gitattributes",
        .script.display()
    )]
    CarriageReturn {
        /// The script.
        script: PathBuf,
        /// The last word of the line, with its carriage return, as in a string.
        word: String,
    },
    /// It exists, but the user that runs contained bots may not execute it.
    #[error(
        "{} cannot be run in the sandbox: the user that bots run as may not read it or one of \
         its directories; try `chmod -R o+rX` on the bot's directory",
        .0.display()
    )]
    NotForOthers(PathBuf),
    /// It is executable, and a directory above it is closed to the user that it would run as.
    #[error(
        "{} cannot be run: {} is closed to the user that it would run as; try `chmod o+x` on that directory, or \
         move the program out of it",
        .program.display(),
        .closed.display()
    )]
    Closed {
        /// The program.
        program: PathBuf,
        /// The directory, or the program itself.
        closed: PathBuf,
    },
    /// The directory in which it should run does not exist.
    #[error("there is no directory {} to run it in", .0.display())]
    NoWorkingDirectory(PathBuf),
    /// Any other error of the operating system.
    #[error("{} cannot be started: {message}", .program.display())]
    Other {
        /// The program.
        program: PathBuf,
        /// The error of the operating system.
        message: String,
    },
}

/// The first argument of `botyard` when it bridges to an engine, which its other arguments name.
pub const BRIDGE: &str = "bridge";

/// The program beside `botyard` that is the bridge: a contained bot could not execute it by way of
/// `botyard`, as it is given the files of one program.
const BRIDGE_PROGRAM: &str = "botyard-bridge";

impl BotCommand {
    /// Returns the words of the command: the program and its arguments.
    pub fn words(&self) -> impl Iterator<Item = &OsStr> {
        std::iter::once(self.program.as_os_str()).chain(self.args.iter().map(AsRef::as_ref))
    }

    /// Returns whether the arguments are those of a bridge: they name the files of its engine.
    pub fn is_bridge(&self) -> bool {
        self.args.first().is_some_and(|first| first == BRIDGE)
    }

    /// Returns a command without a program that runs in a directory that is open to all users.
    #[cfg(unix)]
    fn in_root() -> BotCommand {
        BotCommand { directory: Some("/".into()), ..BotCommand::default() }
    }

    /// Returns the command for the operating system: an absolute path, the arguments, the
    /// directory, and no environment variables but [`INHERITED_VARIABLES`] and its own.
    ///
    /// The path is absolute because the meaning of a relative path under a changed directory
    /// differs between operating systems, and because the standard library starts a program with a
    /// clean environment fastest (`posix_spawn`) when no path lookup is needed.
    ///
    /// # Errors
    ///
    /// The program or the directory does not exist.
    pub fn command(&self) -> Result<Command, LaunchError> {
        let mut command = Command::new(self.program_to_start()?);
        command.args(&self.args).env_clear().envs(self.environment());
        if let Some(directory) = self.existing_directory()? {
            command.current_dir(directory);
        }
        Ok(command)
    }

    /// Returns the environment variables that a bot inherits, with their values, and its own.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (OsString, OsString)> {
        let is_own = |name: &&&str| self.variables.iter().any(|(own, _)| own == **name);
        let variable = |name: &&str| Some((OsString::from(name), std::env::var_os(name)?));
        let inherited =
            INHERITED_VARIABLES.iter().filter(move |name| !is_own(name)).filter_map(variable);
        inherited.chain(self.variables.iter().cloned())
    }

    /// Returns the directory in which the bot runs, which must exist.
    pub(crate) fn existing_directory(&self) -> Result<Option<&Path>, LaunchError> {
        match &self.directory {
            Some(directory) if !directory.is_dir() => {
                Err(LaunchError::NoWorkingDirectory(directory.clone()))
            }
            directory => Ok(directory.as_deref()),
        }
    }

    /// Returns the absolute path of the program. Of a bridge, that is the program beside `botyard`.
    ///
    /// # Errors
    ///
    /// The program is not in any directory of `PATH`.
    pub fn find_program(&self) -> Result<PathBuf, LaunchError> {
        let named = self.find_named_program()?;
        let bridge = Some(&named).filter(|_| self.is_bridge()).and_then(|named| {
            let botyard = named.canonicalize().ok()?;
            let is_botyard = botyard.file_stem().is_some_and(|name| name == "botyard");
            let bridge = botyard.with_file_name(format!("{BRIDGE_PROGRAM}{EXE_SUFFIX}"));
            Some(bridge).filter(|bridge| is_botyard && is_executable_file(bridge))
        });
        Ok(bridge.unwrap_or(named))
    }

    /// The same for a program that is about to be started.
    ///
    /// # Errors
    ///
    /// There is no such program, or it is a script whose first line no system understands.
    pub(crate) fn program_to_start(&self) -> Result<PathBuf, LaunchError> {
        let program = self.find_program()?;
        #[cfg(unix)]
        if let Some(line) = first_line_of(&program)
            && line.ends_with('\r')
            // `env -S` takes it for a space.
            && !line.contains("/env -S")
        {
            let word = line.rsplit([' ', '\t', '/']).next().unwrap_or_default();
            let word = format!("\"{}\"", botyard_protocol::excerpt(word.as_bytes(), 200));
            return Err(LaunchError::CarriageReturn { script: program, word });
        }
        Ok(program)
    }

    fn find_named_program(&self) -> Result<PathBuf, LaunchError> {
        let program = &self.program;
        if has_slash(program) {
            return std::path::absolute(program).map_err(|error| LaunchError::Other {
                program: program.clone(),
                message: error.to_string(),
            });
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path)
            .flat_map(|directory| file_names(program).map(move |name| directory.join(name)))
            .find(|candidate| is_executable_file(candidate))
            .and_then(|found| std::path::absolute(found).ok());
        found.ok_or_else(|| LaunchError::NotInPath(program.clone()))
    }
}

impl LaunchError {
    /// Explains an error of a program that could not be started; `None` if the host is to blame (no
    /// processes, memory or file descriptors left).
    pub(crate) fn diagnose(program: &OsStr, error: &io::Error) -> Option<LaunchError> {
        let path = PathBuf::from(program);
        #[cfg(unix)]
        match Errno::from_io_error(error) {
            Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE) => return None,
            _ if path.is_dir() => return Some(LaunchError::Directory(path)),
            _ if is_special(&path) => return Some(LaunchError::Special(path)),
            Some(Errno::NOEXEC) => return Some(LaunchError::ExecFormat(path)),
            // The file exists, so it is the interpreter of its first line that does not.
            Some(Errno::NOENT) if path.exists() => {
                if let Some(interpreter) = interpreter_of(&path) {
                    return Some(LaunchError::NoInterpreter { script: path, interpreter });
                }
            }
            Some(Errno::NOENT) => return Some(LaunchError::NoFile(path)),
            Some(Errno::ACCESS) if path.exists() => {
                if !is_executable_file(&path) {
                    return Some(LaunchError::NotExecutable(path));
                }
                let command = BotCommand { program: path.clone(), ..BotCommand::in_root() };
                // Only bots of root run as another user.
                if rustix::process::geteuid().is_root()
                    && let Some(closed) = closed_to_others(&command)
                {
                    return Some(LaunchError::Closed { program: path, closed });
                }
            }
            _ => {}
        }
        #[cfg(not(unix))]
        match error.kind() {
            io::ErrorKind::OutOfMemory => return None,
            _ if path.is_dir() => return Some(LaunchError::Directory(path)),
            io::ErrorKind::NotFound => return Some(LaunchError::NoFile(path)),
            _ if error.raw_os_error() == Some(BAD_EXE_FORMAT) => {
                return Some(LaunchError::ExecFormat(path));
            }
            _ => {}
        }
        Some(LaunchError::Other { program: path, message: error.to_string() })
    }
}

/// `ERROR_BAD_EXE_FORMAT` of Windows.
#[cfg(not(unix))]
const BAD_EXE_FORMAT: i32 = 193;

#[cfg(target_os = "linux")]
impl LaunchError {
    /// The same for a program in the sandbox, where another user may have been refused what the
    /// referee's user is allowed.
    pub(crate) fn diagnose_contained(program: &Path, error: &io::Error) -> Option<LaunchError> {
        let refused = matches!(Errno::from_io_error(error), Some(Errno::ACCESS | Errno::NOENT));
        let interpreter_is_there =
            interpreter_of(program).is_none_or(|interpreter| Path::new(&interpreter).exists());
        if refused && is_executable_file(program) && interpreter_is_there {
            return Some(LaunchError::NotForOthers(program.to_path_buf()));
        }
        LaunchError::diagnose(program.as_os_str(), error)
    }
}

#[cfg(unix)]
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

#[cfg(unix)]
fn is_executable_file(path: &Path) -> bool {
    let mode = |found: &fs::Metadata| std::os::unix::fs::PermissionsExt::mode(&found.permissions());
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && mode(&metadata) & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable_file(path: &Path) -> bool {
    path.is_file()
}

/// Returns the names that a program without a path may have in a directory of `PATH`.
#[cfg(unix)]
fn file_names(program: &Path) -> impl Iterator<Item = PathBuf> {
    std::iter::once(program.to_path_buf())
}

/// Returns the names that a program without a path may have in a directory of `PATH`.
#[cfg(not(unix))]
fn file_names(program: &Path) -> impl Iterator<Item = PathBuf> {
    let with = |extension: &str| {
        let mut name = program.as_os_str().to_os_string();
        name.push(extension);
        PathBuf::from(name)
    };
    ["", ".exe", ".cmd", ".bat"].map(with).into_iter()
}

/// Returns the programs that run a script: the interpreter of its first line, and if that is `env`,
/// the program that it finds. Empty for a program that is not a script.
#[cfg(target_os = "linux")]
pub(crate) fn interpreters_of(script: &Path) -> Vec<PathBuf> {
    let Some(line) = first_line_of(script) else { return Vec::new() };
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let interpreter = words.next().map(PathBuf::from);
    let is_env = interpreter.as_ref().is_some_and(|program| program.ends_with("env"));
    let found = words.find(|word| is_env && !word.starts_with('-')).and_then(|word| {
        let command = BotCommand { program: word.into(), ..BotCommand::default() };
        command.find_program().ok()
    });
    interpreter.into_iter().chain(found).collect()
}

/// Returns the interpreter that a script's first line names.
#[cfg(unix)]
fn interpreter_of(script: &Path) -> Option<String> {
    let line = first_line_of(script)?;
    // To the kernel, a carriage return is part of the name. `#!/usr/bin/python3\r` names a file
    // that does not exist, and the message must show why.
    let name = line.trim_start_matches([' ', '\t']).split([' ', '\t']).next()?;
    Some(botyard_protocol::printable(name, 200))
}

/// Returns what follows the `#!` of a script.
#[cfg(unix)]
fn first_line_of(script: &Path) -> Option<String> {
    let mut beginning = Vec::new();
    open_regular(script).ok()?.take(256).read_to_end(&mut beginning).ok()?;
    let line = beginning.split(|&byte| byte == b'\n').next()?.strip_prefix(b"#!")?;
    Some(String::from_utf8_lossy(line).into_owned())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_program_that_cannot_be_started_is_explained_by_its_cause() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        fs::write(path("script"), "#!/bin/sh\n").unwrap();
        let refused = io::Error::from(Errno::ACCESS);
        let said = || {
            let error = LaunchError::diagnose(path("script").as_os_str(), &refused).unwrap();
            error.to_string().replace(place.path().to_str().unwrap(), "HERE")
        };
        mode(&path("script"), 0o644);
        assert_eq!(said(), "HERE/script is not executable; try `chmod +x`");
        mode(&path("script"), 0o755);
        mode(place.path(), 0o700);
        assert!(
            said().starts_with("HERE/script cannot be run: HERE is closed to the user"),
            "{}",
            said()
        );
        mode(place.path(), 0o755);
        assert_eq!(said(), "HERE/script cannot be started: Permission denied (os error 13)");
    }

    #[test]
    fn a_carriage_return_in_the_first_line_is_found_before_the_start() {
        let place = tempfile::tempdir().unwrap();
        let script = place.path().join("bot.py");
        let command = BotCommand { program: script.clone(), ..BotCommand::default() };
        for (line, expected) in [
            ("#!/usr/bin/env python3\r\nimport sys\r\n", Some("a part of \"python3\\r\": save")),
            ("#!/bin/sh\r\n", Some("a part of \"sh\\r\"")),
            ("#!/bin/sh\nexit\r\n", None),
            ("import sys\r\n", None),
        ] {
            fs::write(&script, line).unwrap();
            let error = command.program_to_start().err().map(|error| error.to_string());
            let is_said = error.as_deref().map(|error| error.contains(expected.unwrap_or("?")));
            assert_eq!(is_said, expected.map(|_| true), "{line:?}: {error:?}");
        }
    }
}
