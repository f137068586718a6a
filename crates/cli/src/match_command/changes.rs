//! The files of a match's bots, and whether they have changed since they were looked at last: by their
//! times and sizes, which are looked at a few times a second.

use botyard_referee::{BotCommand, Source};
use botyard_runner::bots::spec;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Directories that tools make, and that have no sources.
const MADE: [&str; 5] = ["__pycache__", "node_modules", "replays", "target", "venv"];

/// How deep directories are looked at.
const DEEPEST: usize = 8;

/// The most files that are looked at.
const MOST: usize = 10_000;

/// Which files of a bot are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Those that its command names.
    Command,
    /// These, and all of the bot's directory: that of its manifest or its script. Hidden files, and
    /// directories that tools make, are left out.
    Directory,
}

/// The files of a bot, each with its time and its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Files(BTreeMap<PathBuf, (SystemTime, u64)>);

impl Files {
    /// Looks at the files of a bot.
    pub(super) fn of(bot: &BotCommand, of: Of) -> Files {
        let mut files = Files::default();
        let place = bot.directory.as_deref().unwrap_or(Path::new(""));
        let program =
            Some(bot.program.as_path()).filter(|program| program.components().count() > 1);
        let words = bot.args.iter().map(|word| place.join(word));
        let words: Vec<PathBuf> = words.filter(|path| path.is_file()).collect();
        let named = program.into_iter().chain(words.iter().map(PathBuf::as_path));
        named.for_each(|file| files.add(file));
        if of == Of::Directory {
            let script = place.join(spec::script_of(bot));
            let directory = match bot.source {
                Source::Manifest => Some(place),
                Source::CommandLine | Source::Directory => {
                    let is_found_by_path = script == bot.program && program.is_none();
                    (!is_found_by_path).then_some(&*script).and_then(Path::parent)
                }
            };
            if let Some(directory) = directory {
                let here = Path::new(".");
                files.add_all(if directory.as_os_str().is_empty() { here } else { directory }, 0);
            }
        }
        files
    }

    fn add(&mut self, file: &Path) {
        if let Ok(metadata) = file.metadata() {
            let changed = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            // As it is named twice otherwise: by the command, and in its directory.
            let file = file.strip_prefix(".").unwrap_or(file);
            self.0.insert(file.to_path_buf(), (changed, metadata.len()));
        }
    }

    fn add_all(&mut self, directory: &Path, depth: usize) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let name = name.to_string_lossy();
            if name.starts_with('.') || MADE.contains(&&*name) || self.0.len() >= MOST {
                continue;
            }
            // A link may lead anywhere.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < DEEPEST => self.add_all(&path, depth + 1),
                Ok(kind) if kind.is_file() => self.add(&path),
                _ => {}
            }
        }
    }

    /// Returns the first file that is new, gone or different here, compared with `before`.
    pub(super) fn changed_since(&self, before: &Files) -> Option<PathBuf> {
        self.changes(before).next().cloned()
    }

    fn changes<'a>(&'a self, before: &'a Files) -> impl Iterator<Item = &'a PathBuf> {
        let new = self.0.iter().filter(move |(file, state)| before.0.get(*file) != Some(state));
        let gone = before.0.iter().filter(move |(file, _)| !self.0.contains_key(*file));
        new.chain(gone).map(|(file, _)| file)
    }
}

/// The files that the builds or the matches of a bot write.
///
/// A file that changes during a run (a build or a match) was written by the run or edited by the
/// author, and the edit must be noticed: the run may have read the file before. The rule is: the run
/// wrote it if it is new, or if `enough` runs in a row changed it. Until then the change counts as
/// an edit: one run too many does no harm. So an edit is missed only if the author edits the same
/// file during as many runs in a row. Between runs every change is an edit.
#[derive(Debug)]
pub(super) struct Written {
    /// How many runs in a row change a file that they write.
    enough: u32,
    /// How many of the last runs in a row changed these files.
    runs: BTreeMap<PathBuf, u32>,
}

impl Written {
    /// Nothing is known to be written until `enough` runs in a row have changed it.
    pub(super) fn after(enough: u32) -> Written {
        Written { enough, runs: BTreeMap::new() }
    }

    /// Returns what later looks are compared with: the files `before` a run, but those that the run
    /// wrote as they are `after` it. A run that failed may have ended before it wrote all its files.
    pub(super) fn adopted(&mut self, before: &Files, after: &Files, has_failed: bool) -> Files {
        let changed: BTreeSet<PathBuf> = after.changes(before).cloned().collect();
        if !has_failed {
            self.runs.retain(|file, _| changed.contains(file));
        }
        let mut adopted = before.clone();
        for file in changed {
            let is_new = !before.0.contains_key(&file);
            let runs = self.runs.entry(file.clone()).or_default();
            *runs = if is_new { self.enough } else { runs.saturating_add(1) };
            if *runs < self.enough {
                continue;
            }
            match after.0.get(&file) {
                Some(state) => adopted.0.insert(file, *state),
                None => adopted.0.remove(&file),
            };
        }
        adopted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(place: &Path, file: &str, text: &str) {
        let file = place.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Each case: the file that changes, and whether that is noticed by the names of the command and by the
    /// directory.
    #[test]
    fn the_files_of_a_bot_are_its_sources() {
        for (file, of_command, of_directory) in [
            ("mine.py", true, true),
            ("lib/helper.py", false, true),
            ("new.py", false, true),
            ("__pycache__/mine.pyc", false, false),
            ("replays/game.ndjson", false, false),
            (".git/index", false, false),
        ] {
            let place = tempfile::tempdir().unwrap();
            write(place.path(), "mine.py", "1");
            write(place.path(), "lib/helper.py", "1");
            let script = place.path().join("mine.py");
            let bot = BotCommand {
                program: "python3".into(),
                args: vec![script.into()],
                ..BotCommand::default()
            };
            for (of, expected) in [(Of::Command, of_command), (Of::Directory, of_directory)] {
                let before = Files::of(&bot, of);
                assert_eq!(Files::of(&bot, of).changed_since(&before), None, "{file}");
                write(place.path(), file, "more than before");
                let changed = Files::of(&bot, of);
                let changed = changed.changed_since(&before);
                assert_eq!(changed.is_some_and(|path| path.ends_with(file)), expected, "{file}");
                fs::remove_file(place.path().join(file)).unwrap();
                write(place.path(), "mine.py", "1");
                write(place.path(), "lib/helper.py", "1");
            }
        }
    }

    /// A look at files of these sizes.
    fn look(files: &[(&str, u64)]) -> Files {
        let state = |size| (SystemTime::UNIX_EPOCH, size);
        Files(files.iter().map(|&(file, size)| (file.into(), state(size))).collect())
    }

    #[test]
    fn an_edit_during_a_run_is_noticed_and_what_runs_write_is_not() {
        let mut written = Written::after(2);
        // What a run makes is its own, at once and later.
        let before = look(&[("source", 1)]);
        let after = look(&[("source", 1), ("made", 1)]);
        assert_eq!(written.adopted(&before, &after, false), after);
        let again = look(&[("source", 1), ("made", 2)]);
        assert_eq!(written.adopted(&after, &again, false), again);
        // An edit is noticed, also if it is not the first one.
        for size in [2, 4] {
            let edited = look(&[("source", size), ("made", size + 1)]);
            let adopted = written.adopted(&again, &edited, false);
            assert_eq!(edited.changed_since(&adopted), Some("source".into()));
            // The next run reads it.
            let next = look(&[("source", size), ("made", size + 2)]);
            assert_eq!(written.adopted(&edited, &next, false), next);
        }
    }

    #[test]
    fn an_old_file_that_runs_in_a_row_change_is_written_by_them() {
        let mut written = Written::after(3);
        let mut before = look(&[("log", 1), ("gone", 1)]);
        for (size, has_failed, is_noticed) in [
            (2, false, true),
            (3, false, true),
            (4, false, false),
            (4, true, false),
            (5, false, false),
        ] {
            let after = look(&[("log", size)]);
            let adopted = written.adopted(&before, &after, has_failed);
            assert_eq!(after.changed_since(&adopted).is_some(), is_noticed, "{size}");
            before = after;
        }
    }

    #[test]
    fn a_file_that_a_script_is_given_is_looked_at_without_its_directory() {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), "bots/mine.py", "1");
        write(place.path(), "dict/words", "1");
        let words = ["bots/mine.py", "--book", "dict/words"].map(|word| place.path().join(word));
        let args = words.map(PathBuf::into_os_string).to_vec();
        let bot = BotCommand { program: "python3".into(), args, ..BotCommand::default() };
        for (file, is_noticed) in
            [("bots/helper.py", true), ("dict/words", true), ("dict/other", false)]
        {
            let before = Files::of(&bot, Of::Directory);
            write(place.path(), file, "more than before");
            let changed = Files::of(&bot, Of::Directory).changed_since(&before);
            assert_eq!(changed.is_some(), is_noticed, "{file}");
        }
    }

    #[test]
    fn a_file_that_is_gone_has_changed() {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), "mine.py", "1");
        let file = place.path().join("mine.py");
        let bot = BotCommand { program: file.clone(), ..BotCommand::default() };
        let before = Files::of(&bot, Of::Command);
        fs::remove_file(&file).unwrap();
        assert_eq!(Files::of(&bot, Of::Command).changed_since(&before), Some(file));
    }
}
