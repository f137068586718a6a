//! Bundles: a bot's own files, its command and its options, with one digest over all of them. Other
//! files, such as an interpreter, are only named. A tournament stores a copy of every bundle and
//! plays from the copy.

mod archive;
mod copies;
mod tree;
mod words;

pub use copies::Copies;
pub use tree::{BESIDE_SOURCES, MOST_BYTES, MOST_ENTRIES};
pub use words::{Part, Word};

use super::digest::text_digest;
use crate::error::Error;
use crate::programs::Programs;
use botyard_referee::{Advice, BotCommand, BotFilesError, HeldFiles, Interrupt, Source};
use botyard_sandbox::MIB;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use tree::{Left, OnlyDigest, Root};
use words::Places;

/// The directory of a bundle in which the bot runs, or that contains that directory.
const RUN: &str = "run";

/// A bot as it is stored: everything that its digest covers. Paths are relative to the copy of its
/// files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// SHA-256 of all the other fields, as hexadecimal digits.
    pub digest: String,
    /// The digest of its files, which is the name of their copy. `None`: the bot has no files.
    pub files: Option<String>,
    /// Its program.
    pub program: Program,
    /// Its arguments.
    pub args: Vec<Word>,
    /// The options that it is started with.
    pub options: BTreeMap<String, Word>,
    /// The directory in which it runs. `None`: the bot has no files.
    pub runs_in: Option<PathBuf>,
    /// The author of the command.
    pub source: Origin,
}

/// The program of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Program {
    /// The name of a built-in bot.
    BuiltIn(String),
    /// A name to look up in `PATH`.
    InPath(String),
    /// A file of the bundle.
    Inside(PathBuf),
    /// A file outside the bundle, by its absolute path.
    Outside(PathBuf),
}

/// The author of a bot's command: see [`Source`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The user.
    CommandLine,
    /// The user, for a submitted directory.
    Directory,
    /// The author of the directory.
    Manifest,
}

/// Why a bot makes no bundle, or the copy of a bundle cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The program does not exist, or a path leads out of the bot's directory.
    #[error(transparent)]
    Files(#[from] BotFilesError),
    /// The files are too large, too many or nested too deep.
    #[error(
        "{} is too large to be copied for a tournament, with more than {} MiB or {MOST_ENTRIES} files, or \
         directories more than {} deep: move other files out of the bot's directory, and list large files in \
         `read` of [sandbox], which are used in place",
        .0.display(), MOST_BYTES / MIB, tree::DEEPEST
    )]
    TooLarge(PathBuf),
    /// A file that cannot be read.
    #[error("{} cannot be read: {message}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's message.
        message: String,
    },
    /// A copy that cannot be written.
    #[error("the copy {} cannot be written: {error}", path.display())]
    Copy {
        /// The copy.
        path: PathBuf,
        /// The system's message.
        #[source]
        error: io::Error,
    },
    /// A copy whose files do not match its name.
    #[error("the copy {} is damaged: its files have the digest {found}", path.display())]
    Damaged {
        /// The copy.
        path: PathBuf,
        /// The digest of the files found.
        found: String,
    },
    /// An interrupt stopped the reading of the files.
    #[error("interrupted")]
    Interrupted,
}

impl BundleError {
    /// Returns the error with the remedy for it.
    pub fn in_words(&self, advice: &Advice) -> String {
        match self {
            BundleError::Files(error) => error.in_words(advice),
            error => error.to_string(),
        }
    }

    /// Returns the error if the bot's author is at fault.
    ///
    /// # Errors
    ///
    /// A failure of the host, or an interrupt.
    pub fn of_author(self) -> Result<BundleError, Error> {
        match self {
            BundleError::Copy { .. } | BundleError::Damaged { .. } => Err(Error::host(self)),
            BundleError::Interrupted => Err(Error::Interrupted),
            error => Ok(error),
        }
    }
}

/// The surroundings of a bot's files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// Paths that all bots may read, which are only named. Absolute, without links.
    pub readable: &'a [PathBuf],
    /// Paths that are not the bot's own even if they are in its directory. Absolute, without links.
    pub without: &'a [PathBuf],
    /// Whether [`BESIDE_SOURCES`] is no part of the bundle, so that a program that ran is the same as before.
    pub sources_alone: bool,
}

/// An unfinished bundle: the bot's own files and their places.
struct Draft {
    roots: Vec<Root>,
    left: Vec<PathBuf>,
    leaves_tournaments: bool,
    sources_alone: bool,
    bundle: Bundle,
}

impl Bundle {
    /// Returns the bundle of a command, without copying it.
    ///
    /// # Errors
    ///
    /// The files make no bundle, or an interrupt.
    pub fn of(
        command: &BotCommand,
        surroundings: Surroundings<'_>,
        programs: &Programs,
        interrupt: Option<&Interrupt>,
    ) -> Result<Bundle, BundleError> {
        let draft = Draft::of(command, surroundings, programs)?;
        let files = draft.digest(interrupt)?;
        Ok(draft.finished(files))
    }

    /// Returns the command that runs the bot from its copy in this directory of copies.
    pub fn command(&self, name: &str, copies: &Path, programs: &Programs) -> BotCommand {
        let own = self.files.as_ref().map(|files| copies.join(files));
        let inside = |path: &Path| own.as_deref().unwrap_or(Path::new("")).join(path);
        let (program, own_args) = match &self.program {
            Program::BuiltIn(bot) => programs.command(bot),
            Program::InPath(program) => (program.into(), Vec::new()),
            Program::Inside(path) => (inside(path), Vec::new()),
            Program::Outside(path) => (path.clone(), Vec::new()),
        };
        let word = |word: &Word| word.text(&inside);
        BotCommand {
            name: name.to_string(),
            program,
            args: own_args
                .into_iter()
                .chain(self.args.iter().map(|arg| word(arg).into()))
                .collect(),
            directory: self.runs_in.as_deref().map(inside),
            source: match self.source {
                Origin::CommandLine => Source::CommandLine,
                Origin::Directory => Source::Directory,
                Origin::Manifest => Source::Manifest,
            },
            options: self.options.iter().map(|(key, value)| (key.clone(), word(value))).collect(),
            bundle: own,
            ..BotCommand::default()
        }
    }
}

impl Draft {
    fn of(
        command: &BotCommand,
        surroundings: Surroundings<'_>,
        programs: &Programs,
    ) -> Result<Draft, BundleError> {
        let source = match command.source {
            Source::CommandLine => Origin::CommandLine,
            Source::Directory => Origin::Directory,
            Source::Manifest => Origin::Manifest,
        };
        let mut bundle = Bundle {
            digest: String::new(),
            files: None,
            program: Program::InPath(command.program.to_string_lossy().into_owned()),
            args: Vec::new(),
            options: BTreeMap::new(),
            runs_in: None,
            source,
        };
        let plain = |text: &str| Word(vec![Part::Text(text.to_string())]);
        if let Some(name) = programs.built_in_of(command) {
            bundle.program = Program::BuiltIn(name);
            let options = command.options.iter();
            bundle.options = options.map(|(key, value)| (key.clone(), plain(value))).collect();
            return Ok(Draft {
                roots: Vec::new(),
                left: Vec::new(),
                leaves_tournaments: false,
                sources_alone: false,
                bundle,
            });
        }
        let Surroundings { readable, without, sources_alone } = surroundings;
        let held = HeldFiles::of(command, readable, without)?;
        let places = Places::of(&held);
        let mut roots: Vec<Root> = (held.roots.iter())
            .filter_map(|root| {
                Some(Root { place: places.of_path(root)?, source: Some(root.clone()) })
            })
            .collect();
        let runs_in = places.of_directory(&held.directory);
        if !roots.iter().any(|root| root.place.starts_with(RUN)) {
            roots.push(Root { place: RUN.into(), source: None });
        }
        bundle.program = match places.of_path(&held.program) {
            Some(place) => Program::Inside(place),
            None if command.program.components().count() > 1 => {
                Program::Outside(held.program.clone())
            }
            None => bundle.program,
        };
        bundle.args = command.args.iter().map(|arg| places.word(&arg.to_string_lossy())).collect();
        let options = command.options.iter();
        bundle.options = options.map(|(key, value)| (key.clone(), places.word(value))).collect();
        bundle.runs_in = Some(runs_in);
        let is_typed = source == Origin::CommandLine;
        Ok(Draft {
            roots,
            left: if is_typed { without.to_vec() } else { Vec::new() },
            leaves_tournaments: is_typed,
            sources_alone,
            bundle,
        })
    }

    fn left(&self) -> Left<'_> {
        Left {
            paths: &self.left,
            tournaments: self.leaves_tournaments,
            beside_sources: self.sources_alone,
        }
    }

    /// Returns the digest of its current files.
    fn digest(&self, interrupt: Option<&Interrupt>) -> Result<Option<String>, BundleError> {
        match self.roots.is_empty() {
            true => Ok(None),
            false => tree::visit(&self.roots, self.left(), &mut OnlyDigest, interrupt).map(Some),
        }
    }

    /// Returns the bundle, with this digest of its files.
    fn finished(self, files: Option<String>) -> Bundle {
        let bundle = Bundle { files, ..self.bundle };
        let text = serde_json::to_string(&bundle).expect("a bundle is JSON: see its fields");
        Bundle { digest: text_digest(&text), ..bundle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::spec;
    use crate::programs::testing::programs;
    use std::fs;

    /// Returns the bundle of a bot written in a tournament file with this `directory`.
    fn bundle(directory: &Path, spec: &str, source: Source) -> Result<Bundle, BundleError> {
        let programs = programs();
        let command = spec::command(spec, "scotland-yard", &programs, directory).unwrap();
        let source = if command.source == Source::Manifest { Source::Manifest } else { source };
        Bundle::of(&BotCommand { source, ..command }, Surroundings::default(), &programs, None)
    }

    fn class() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().canonicalize().unwrap();
        for file in ["class/ada/bot.py", "class/ada/brain.py", "class/ben/bot.py", "lone/bot.py"] {
            fs::create_dir_all(path.join(file).parent().unwrap()).unwrap();
            fs::write(path.join(file), file).unwrap();
        }
        (place, path)
    }

    #[test]
    fn a_bundle_does_not_depend_on_where_the_bot_lies_and_everything_else_changes_it() {
        let (_place, place) = class();
        let ada = place.join("class/ada");
        let of = |spec: &str| bundle(&ada, spec, Source::Directory).unwrap();
        let before = of("python3 -u bot.py");
        assert_eq!(before.program, Program::InPath("python3".into()));
        assert_eq!(before.runs_in.as_deref(), Some(Path::new("run")));
        let others =
            [of("python3 bot.py"), bundle(&ada, "python3 -u bot.py", Source::CommandLine).unwrap()];
        assert!(
            others.iter().all(|other| other.files == before.files && other.digest != before.digest)
        );
        fs::write(ada.join("brain.py"), "better").unwrap();
        let changed = of("python3 -u bot.py");
        assert!(changed.files != before.files && changed.digest != before.digest);
        fs::write(ada.join("brain.py"), "class/ada/brain.py").unwrap();
        fs::rename(&ada, place.join("elsewhere")).unwrap();
        let moved = bundle(&place.join("elsewhere"), "python3 -u bot.py", Source::Directory);
        assert_eq!(moved.unwrap(), before);
    }

    #[test]
    fn words_that_name_files_elsewhere_lead_to_the_copy() {
        let (_place, place) = class();
        let outside = place.join("lone/bot.py");
        let spec = format!("sh {} --with=../ben/bot.py ada/bot.py", outside.display());
        let found = bundle(&place.join("class"), &spec, Source::CommandLine).unwrap();
        let command = found.command("it", Path::new("/copies"), &programs());
        let own = format!("/copies/{}", found.files.unwrap());
        assert_eq!(command.directory.unwrap(), Path::new(&own).join("run"));
        let args: Vec<_> = command.args.iter().map(|arg| arg.to_string_lossy()).collect();
        // A path that does not exist is left as it is.
        assert_eq!(args, [&format!("{own}/also-1/bot.py"), "--with=../ben/bot.py", "ada/bot.py"]);
    }

    #[test]
    fn a_built_in_bot_has_no_files_and_is_its_name_and_options() {
        let of = |spec: &str| bundle(Path::new("/"), spec, Source::CommandLine).unwrap();
        let (one, other) = (of("random:seed=1"), of("random:seed=2"));
        assert_eq!((&one.program, &one.files), (&Program::BuiltIn("random".into()), &None));
        assert_ne!(one.digest, other.digest);
        assert_eq!(one, of("x=random:seed=1"));
        let command = one.command("it", Path::new("/copies"), &programs());
        assert_eq!((command.directory, command.bundle), (None, None));
    }

    #[test]
    fn tournaments_and_what_belongs_to_others_are_no_part_of_a_directory_that_was_typed() {
        let (_place, place) = class();
        let class = place.join("class");
        let of = |without: &[PathBuf]| {
            let programs = programs();
            let command =
                spec::command("sh ada/../bot.py", "scotland-yard", &programs, &class).unwrap();
            Bundle::of(
                &command,
                Surroundings { without, ..Surroundings::default() },
                &programs,
                None,
            )
            .unwrap()
            .files
        };
        fs::write(class.join("bot.py"), "").unwrap();
        let before = of(&[class.join("ben")]);
        fs::create_dir(class.join("cup.tournament")).unwrap();
        fs::write(class.join("cup.tournament/tournament.db"), "").unwrap();
        fs::write(class.join("ben/bot.py"), "changed").unwrap();
        assert_eq!(of(&[class.join("ben")]), before);
        assert_ne!(of(&[]), before);
    }
}
