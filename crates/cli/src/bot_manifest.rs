//! What a directory says of the bot in it: `bot.toml`, with the commands that build it and the one
//! that runs it.
//!
//! The directory is somebody else's. So the file is read only if it is one, and not a link to
//! something of ours that an error would then show.

use botyard_protocol::printable;
use rustix::fs::{Mode, OFlags};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The file's name.
pub const FILE: &str = "bot.toml";

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 * 1024;

/// How much of what is wrong in it is shown, in characters.
const SHOWN: usize = 400;

/// What is in the file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What the bot is called; the directory's name where it is not said.
    pub name: Option<String>,
    /// Command lines that build it, one after another, in the directory and without a shell.
    #[serde(default)]
    pub build: Vec<String>,
    /// The command line that runs it, in the directory and without a shell.
    pub run: String,
}

/// A command line of a manifest: a program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// A path if it has a slash; looked up in `PATH` otherwise.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
}

/// Why a manifest is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// There is none.
    #[error("there is no file {FILE} in {}", .0.display())]
    Missing(PathBuf),
    /// It cannot be read.
    #[error("{} cannot be read: {message}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why not.
        message: String,
    },
    /// It does not say what it should.
    #[error("{}: {message}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl Manifest {
    /// Whether there is one in this directory.
    pub fn is_in(directory: &Path) -> bool {
        directory.join(FILE).symlink_metadata().is_ok_and(|metadata| metadata.is_file())
    }

    /// The manifest of a directory.
    ///
    /// # Errors
    ///
    /// A file that is missing, unreadable, too large, or does not say how to run the bot.
    pub fn read(directory: &Path) -> Result<Manifest, ManifestError> {
        let file = directory.join(FILE);
        let text = match read_file(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ManifestError::Missing(directory.to_path_buf()));
            }
            Err(error) => {
                return Err(ManifestError::Unreadable { file, message: error.to_string() });
            }
        };
        let wrong = |message: &str| ManifestError::Wrong {
            file: file.clone(),
            message: printable(message.trim_end(), SHOWN),
        };
        let manifest: Manifest = toml::from_str(&text).map_err(|error| wrong(error.message()))?;
        for line in manifest.build.iter().chain([&manifest.run]) {
            if command_line(line, directory).is_none() {
                return Err(wrong(&format!("expected a command line, got {line:?}")));
            }
        }
        Ok(manifest)
    }

    /// The commands that build the bot.
    pub fn build_commands(&self, directory: &Path) -> Vec<CommandLine> {
        self.build.iter().filter_map(|line| command_line(line, directory)).collect()
    }

    /// The command that runs it.
    pub fn run_command(&self, directory: &Path) -> Option<CommandLine> {
        command_line(&self.run, directory)
    }
}

fn read_file(file: &Path) -> io::Result<String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(file, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut text = String::new();
    file.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("it has more than {LARGEST} bytes")));
    }
    Ok(text)
}

/// The words of a line; a program with a slash is one of the directory's.
fn command_line(line: &str, directory: &Path) -> Option<CommandLine> {
    let mut words = shlex::split(line)?.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    let program = match program.contains('/') {
        true => directory.join(program),
        false => program.into(),
    };
    Some(CommandLine { program, args: words.collect() })
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
        ] {
            fs::write(&file, text).unwrap();
            let error = refused();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
        fs::write(&file, "x".repeat(100_000)).unwrap();
        assert!(refused().contains("more than 65536 bytes"));
        fs::remove_file(&file).unwrap();
        fs::write(directory.join("secret"), "the secret\n").unwrap();
        symlink("secret", &file).unwrap();
        let error = refused();
        assert!(error.contains("cannot be read") && !error.contains("the secret"), "{error}");
    }
}
