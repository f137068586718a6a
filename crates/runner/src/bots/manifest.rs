//! The manifest of a bot's directory, `bot.toml`, with the commands that build the bot and the one
//! that runs it.
//!
//! The directory is untrusted. The file is read only if it is a regular file, and not a link to a
//! file of the user's, which an error message could show.

use botyard_protocol::printable;
use botyard_referee::{open_regular_itself, read_text};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The name of the file.
pub const FILE: &str = "bot.toml";

/// The largest manifest, in bytes.
const LARGEST: u64 = 64 * 1024;

/// The most commands of a build.
const MOST_COMMANDS: usize = 100;

/// The longest error message about its content, in characters.
const SHOWN: usize = 400;

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The bot's name. `None`: the name of the directory.
    pub name: Option<String>,
    /// The command lines that build the bot, run in order in the directory, without a shell.
    #[serde(default)]
    pub build: Vec<String>,
    /// The command line that runs the bot in the directory, without a shell.
    pub run: String,
}

/// A command line of a manifest: a program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program: a path if it has a slash, otherwise a name looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
}

/// Why a manifest cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The file does not exist.
    #[error("there is no file {file} in {}", directory.display())]
    Missing {
        /// Its name.
        file: &'static str,
        /// The directory.
        directory: PathBuf,
    },
    /// It cannot be read.
    #[error("{} cannot be read: {message}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reason.
        message: String,
    },
    /// Its content is invalid.
    #[error("{}: {message}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// The problem.
        message: String,
    },
}

impl Manifest {
    /// Returns whether this directory has a manifest.
    pub fn is_in(directory: &Path) -> bool {
        directory.join(FILE).symlink_metadata().is_ok_and(|metadata| metadata.is_file())
    }

    /// Reads the manifest of a directory.
    ///
    /// # Errors
    ///
    /// The file is missing, unreadable, too large, or does not say how to run the bot.
    pub fn read(directory: &Path) -> Result<Manifest, ManifestError> {
        read_manifest::<Manifest>(directory, FILE)?.checked(directory, FILE)
    }

    /// Checks the commands of a manifest in the file of this name.
    pub(crate) fn checked(self, directory: &Path, file: &str) -> Result<Manifest, ManifestError> {
        let manifest = self;
        let wrong = |message: &str| ManifestError::Wrong {
            file: directory.join(file),
            message: printable(message.trim_end(), SHOWN),
        };
        if manifest.build.len() > MOST_COMMANDS {
            return Err(wrong(&format!(
                "expected at most {MOST_COMMANDS} commands in `build`, got {}: call a script or a build tool",
                manifest.build.len()
            )));
        }
        for line in manifest.build.iter().chain([&manifest.run]) {
            command_line_of(line, directory).map_err(|message| wrong(&message))?;
        }
        Ok(manifest)
    }

    /// Returns the commands that build the bot.
    pub(crate) fn build_commands(&self, directory: &Path) -> Vec<CommandLine> {
        self.build.iter().filter_map(|line| command_line(line, directory)).collect()
    }

    /// Returns the command that runs the bot.
    pub(crate) fn run_command(&self, directory: &Path) -> Option<CommandLine> {
        command_line(&self.run, directory)
    }
}

/// Reads the manifest of this name in a directory.
///
/// # Errors
///
/// The file is missing, unreadable, too large, or does not have the form of the manifest.
pub(crate) fn read_manifest<T: DeserializeOwned>(
    directory: &Path,
    name: &'static str,
) -> Result<T, ManifestError> {
    let file = directory.join(name);
    let text = match open_regular_itself(&file).and_then(|file| read_text(file, LARGEST)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(ManifestError::Missing { file: name, directory: directory.to_path_buf() });
        }
        Err(error) => return Err(ManifestError::Unreadable { file, message: error.to_string() }),
    };
    toml::from_str(&text).map_err(|error| {
        let message = printable(error.message().trim_end(), SHOWN);
        ManifestError::Wrong {
            file,
            message: match error.span() {
                // What is missing is on no line.
                Some(span) if !message.starts_with("missing field") => {
                    let before = text.get(..span.start).unwrap_or_default();
                    format!("line {}: {message}", 1 + before.matches('\n').count())
                }
                _ => message,
            },
        }
    })
}

/// Returns the command line of a manifest.
///
/// # Errors
///
/// It is none, or leads out of the directory.
pub(crate) fn command_line_of(line: &str, directory: &Path) -> Result<CommandLine, String> {
    let (Some(words), Some(command)) = (shlex::split(line), command_line(line, directory)) else {
        return Err(format!("expected a command line, got {line:?}"));
    };
    match words.iter().find(|word| leads_up(word)) {
        Some(word) => Err(format!(
            "{line:?}: expected paths in the bot's directory, got {word:?}, which leads out of it"
        )),
        None => Ok(command),
    }
}

/// Splits a command line; a program with a slash is relative to the directory.
fn command_line(line: &str, directory: &Path) -> Option<CommandLine> {
    // No program can receive a zero byte as an argument.
    let mut words = shlex::split(line).filter(|_| !line.contains('\0'))?.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    let program = match program.contains('/') {
        true => directory.join(program),
        false => program.into(),
    };
    Some(CommandLine { program, args: words.collect() })
}

/// Returns whether a word, the value of `--key=value` or a part of a colon-separated list is a path
/// that leads out of its directory.
fn leads_up(word: &str) -> bool {
    word.split(['=', ':']).any(|path| {
        let mut depth = 0;
        !path.contains(char::is_whitespace)
            && Path::new(path).components().any(|component| {
                match component {
                    Component::ParentDir => depth -= 1,
                    Component::Normal(_) => depth += 1,
                    // An absolute path is not in the directory, and gives the bot no access.
                    Component::RootDir | Component::Prefix(_) => depth = i32::MAX / 2,
                    Component::CurDir => {}
                }
                depth < 0
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_manifest_says_how_a_bot_is_built_and_run() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path();
        assert!(!Manifest::is_in(directory));
        let text = "name = 'ada'\nbuild = ['cc -O2 -o \"the bot\" bot.c']\nrun = './bot --fast'\n";
        fs::write(directory.join(FILE), text).unwrap();
        let manifest = Manifest::read(directory).unwrap();
        assert!(Manifest::is_in(directory));
        assert_eq!(manifest.name.as_deref(), Some("ada"));
        let [build] = &manifest.build_commands(directory)[..] else { panic!("one command") };
        assert_eq!((build.program.as_path(), build.args.len()), (Path::new("cc"), 4));
        assert_eq!(build.args[2], "the bot");
        let run = manifest.run_command(directory).unwrap();
        assert_eq!((run.program, run.args), (directory.join("./bot"), vec!["--fast".to_string()]));
    }

    #[test]
    fn what_is_no_manifest_is_refused_and_links_are_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path();
        let file = directory.join(FILE);
        let refused = || Manifest::read(directory).unwrap_err().to_string();
        assert!(refused().contains("there is no file bot.toml"));
        for (text, expected) in [
            ("build = []", "missing field `run`"),
            ("run = 'a'\nrnu = 'b'", "unknown field `rnu`"),
            ("run = ''", "expected a command line, got \"\""),
            ("run = 'a \"b'", "expected a command line"),
            ("run = 'a'\nbuild = ['']", "expected a command line"),
            ("run = \"a \\u0000\"", "expected a command line"),
            ("run = '../ben/bot'", "got \"../ben/bot\", which leads out of it"),
            ("run = 'java -cp lib:a/../../ben Main'", "which leads out of it"),
            ("run = 'a --weights=../key'", "which leads out of it"),
            ("run = 'a'\nbuild = ['cp ../key .']", "which leads out of it"),
        ] {
            fs::write(&file, text).unwrap();
            let error = refused();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
        fs::write(&file, format!("run = 'a'\nbuild = [{}]", "'a',".repeat(101))).unwrap();
        assert!(refused().contains("at most 100 commands in `build`, got 101"));
        fs::write(&file, "x".repeat(100_000)).unwrap();
        assert!(refused().contains("more than 65536 bytes"));
        fs::remove_file(&file).unwrap();
        fs::write(directory.join("secret"), "the secret\n").unwrap();
        symlink("secret", &file).unwrap();
        let error = refused();
        assert!(error.contains("cannot be read") && !error.contains("the secret"), "{error}");
    }
}
