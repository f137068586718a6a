//! The files of which a bot consists: those that are copied when a tournament stores its bots, and
//! that its digest covers. Everything else that it needs, such as an interpreter, is only recorded
//! by name.

use crate::command::bot_command::{BotCommand, Source};
use crate::command::bot_files::{BotFiles, BotFilesError, Given};
use crate::command::submission;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The files of which a bot consists. All paths are absolute and without links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldFiles {
    /// The program. It need not be below `roots`, and may itself be a link.
    pub program: PathBuf,
    /// The directory in which it runs.
    pub directory: PathBuf,
    /// Directories, with all their contents, and single files. None lies within another.
    pub roots: Vec<PathBuf>,
}

impl HeldFiles {
    /// Returns the files of which a command's bot consists, if all bots may also read what is in
    /// `readable`. Paths in `without` are left out. The directories are checked as a whole.
    ///
    /// An installation is not part of a bot: the system, what is in `PATH`, a virtual environment
    /// outside the bot's directory, or a program in a directory `bin` outside it.
    ///
    /// # Errors
    ///
    /// As in [`BotFiles::of`], or a link that leads out of a directory of the bot.
    pub fn of(
        command: &BotCommand,
        readable: &[PathBuf],
        without: &[PathBuf],
    ) -> Result<HeldFiles, BotFilesError> {
        let files = BotFiles::of(command, readable)?;
        let directory = real(&files.directory);
        let program = match (files.program.parent(), files.program.file_name()) {
            (Some(around), Some(name)) => real(around).join(name),
            _ => files.program.clone(),
        };
        let is_installed = |path: &Path| {
            let parent = path.parent().unwrap_or(path);
            !path.starts_with(&directory)
                && (parent.join("pyvenv.cfg").exists() || is_in_bin(&program, parent))
        };
        let mut roots: Vec<PathBuf> = files.own.iter().map(|path| real(path)).collect();
        if command.source == Source::CommandLine {
            let is_given = |path: &PathBuf| readable.iter().any(|given| path.starts_with(given));
            roots.retain(|root| !is_installed(root) && !is_given(root));
        } else {
            roots.retain(|root| *root == directory);
        }
        roots.sort();
        roots.dedup_by(|inner, outer| inner.starts_with(outer));
        if command.source == Source::CommandLine {
            let mut given = Given::with_installations(readable);
            for root in roots.iter().filter(|root| root.is_dir()) {
                submission::check(root, without, &mut |path| given.give_installation(path))?;
            }
        }
        Ok(HeldFiles { program, directory, roots })
    }
}

/// Returns whether a program is in the directory `bin` of an installation with this prefix.
fn is_in_bin(program: &Path, prefix: &Path) -> bool {
    let around = program.parent().unwrap_or(program);
    let is_bin =
        matches!(around.file_name().and_then(OsStr::to_str), Some("bin" | "sbin" | "shims"));
    is_bin && around.parent() == Some(prefix)
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_a_bot_is_made_of_is_held_and_what_runs_it_is_not() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        for file in [
            "class/bot.py",
            "class/ada/bot.py",
            "class/ada/lib/brain.py",
            "class/venv/pyvenv.cfg",
            "class/venv/bin/tool",
            "class/venv/lib/module.py",
            "jdk/bin/java",
            "jdk/lib/modules",
            "bots/fast/bot",
            "models/large",
        ] {
            fs::create_dir_all(place.join(file).parent().unwrap()).unwrap();
            fs::write(place.join(file), "").unwrap();
        }
        let held = |source: Source, directory: &str, program: &str, args: &[&str]| {
            let directory = place.join(directory);
            let command = BotCommand {
                program: if program.contains('/') {
                    directory.join(program)
                } else {
                    program.into()
                },
                args: args.iter().map(Into::into).collect(),
                directory: Some(directory),
                source,
                ..BotCommand::default()
            };
            let held = HeldFiles::of(&command, &[place.join("models")], &[]).unwrap();
            let inner = |path: &PathBuf| path.strip_prefix(&place).unwrap().display().to_string();
            held.roots.iter().map(inner).collect::<Vec<String>>()
        };
        use Source::{CommandLine, Directory, Manifest};
        let model = place.join("models/large");
        for (source, directory, program, args, expected) in [
            (Manifest, "class/ada", "sh", &["bot.py"][..], &["class/ada"][..]),
            (Directory, "class/ada", "../venv/bin/tool", &["bot.py"], &["class/ada"]),
            (
                CommandLine,
                "class",
                "venv/bin/tool",
                &["ada/bot.py"],
                &["class/ada", "class/venv/bin", "class/venv/lib", "class/venv/pyvenv.cfg"],
            ),
            (CommandLine, "class/ada", "../venv/bin/tool", &["bot.py"], &["class/ada"]),
            (CommandLine, "class", "sh", &["bot.py"], &["class"]),
            (CommandLine, "class/ada", "sh", &["-c", "pass"], &[]),
            (CommandLine, "class/ada", "../../jdk/bin/java", &["bot.py"], &["class/ada"]),
            (CommandLine, "class", "../bots/fast/bot", &[], &["bots/fast"]),
            (CommandLine, "class", "sh", &["ada/bot.py", model.to_str().unwrap()], &["class/ada"]),
        ] {
            assert_eq!(held(source, directory, program, args), expected, "{source:?} {program}");
        }
    }

    #[test]
    fn a_link_out_of_a_directory_that_is_held_is_named() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        fs::create_dir_all(place.join("class/old")).unwrap();
        fs::write(place.join("class/bot.py"), "").unwrap();
        fs::write(place.join("key"), "").unwrap();
        symlink("../../key", place.join("class/old/link")).unwrap();
        let command = BotCommand {
            program: "sh".into(),
            args: vec!["bot.py".into()],
            directory: Some(place.join("class")),
            ..BotCommand::default()
        };
        let error = HeldFiles::of(&command, &[], &[]).unwrap_err().to_string();
        assert!(error.contains("class/old/link is a link that leads out"), "{error}");
        HeldFiles::of(&command, &[], &[place.join("class/old")]).unwrap();
        HeldFiles::of(&command, &[place.join("key")], &[]).unwrap();
    }
}
