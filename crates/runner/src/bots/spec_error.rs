//! Errors in the notation of a bot.

use super::spec::NAME_CHARACTERS;
use std::path::{Component, Path, PathBuf};

/// Why a text does not describe a bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotSpecError {
    /// The text is empty.
    #[error(
        "expected a bot, got {spec:?}: write a built-in bot ({known}), a path or a command line"
    )]
    Empty {
        /// The text as written.
        spec: String,
        /// The built-in bots.
        known: String,
    },
    /// A quote is not closed.
    #[error("bot {0:?}: expected a command line as in a shell, got an unclosed quote")]
    Quotes(String),
    /// A word that is not a built-in bot.
    #[error(
        "no bot {word:?}{suggestion}; built-in bots are {known}; to run your own program, write a path \
         with a slash (./{word})"
    )]
    Unknown {
        /// The text as written.
        word: String,
        /// A similar name, in parentheses; empty if there is none.
        suggestion: String,
        /// The built-in bots.
        known: String,
    },
    /// A built-in bot with arguments instead of options.
    #[error(
        "bot {0:?}: a built-in bot takes options, not arguments; write them as {name}:seed=7",
        name = .0.split_whitespace().next().unwrap_or_default()
    )]
    Arguments(String),
    /// An option that is not `KEY=VALUE`.
    #[error("bot {spec:?}: expected options as KEY=VALUE,KEY=VALUE after the colon, got {got:?}")]
    OptionForm {
        /// The text as written.
        spec: String,
        /// The invalid part.
        got: String,
    },
    /// The bot does not have the option, or the value is invalid.
    #[error("bot {spec:?}: {reason}")]
    Option {
        /// The text as written.
        spec: String,
        /// The option and its valid values.
        reason: String,
    },
    /// A built-in bot that does not play the game.
    #[error(
        "bot {spec:?} does not play {game}; it plays {plays}; the bots for {game} are {others}"
    )]
    Game {
        /// The text as written.
        spec: String,
        /// The game of the match.
        game: String,
        /// The games that the bot plays.
        plays: String,
        /// The built-in bots that play the game.
        others: String,
    },
    /// A built-in bot that needs the program of the game as a model, which is not possible yet.
    #[error("bot {spec:?} needs the program of {game} as a model, and {game} lacks {lacks}")]
    NoModel {
        /// The text as written.
        spec: String,
        /// The game of the match.
        game: String,
        /// What its author has to add.
        lacks: String,
    },
    /// A path to a file that does not exist.
    #[error("bot {spec:?}: there is no file {}{}", path.display(), relative_to(.path))]
    NoFile {
        /// The text as written.
        spec: String,
        /// The path.
        path: PathBuf,
    },
    /// A path to a directory without a manifest.
    #[error("bot {spec:?}: {} is a directory without a bot.toml; add one, or write the path of a program", path.display())]
    Directory {
        /// The text as written.
        spec: String,
        /// The path.
        path: PathBuf,
    },
    /// A directory with an invalid manifest.
    #[error("bot {spec:?}: {reason}")]
    Manifest {
        /// The text as written.
        spec: String,
        /// The problem.
        reason: String,
    },
    /// A path to a file that is not executable.
    #[error(
        "bot {spec:?}: {path} is not executable; try `chmod +x {path}`, or run it with its interpreter: \"{by} {path}\"",
        path = .path.display(),
        by = interpreter_for(.path)
    )]
    NotExecutable {
        /// The text as written.
        spec: String,
        /// The path.
        path: PathBuf,
    },
    /// A program that is not in `PATH`.
    #[error("bot {spec:?}: there is no program {program:?} in PATH; is it installed?")]
    NotInPath {
        /// The text as written.
        spec: String,
        /// The program.
        program: String,
    },
    /// A script that does not exist, for an interpreter.
    #[error(
        "bot {spec:?}: there is no file {script} for {program} to run{}",
        relative_to(Path::new(script))
    )]
    NoScript {
        /// The text as written.
        spec: String,
        /// The interpreter.
        program: String,
        /// The script.
        script: String,
    },
    /// A word that only a shell understands.
    #[error(
        "bot {spec:?}: commands run without a shell, so {word} would be an argument; if you need one, \
         write: sh -c '{command}' FILES (a contained bot may read the FILES that it names)"
    )]
    Shell {
        /// The text as written.
        spec: String,
        /// The word.
        word: String,
        /// The command, quoted for a shell.
        command: String,
    },
    /// A file whose path has spaces that are not quoted.
    #[error(
        "bot {spec:?}: the path {path:?} has spaces and no quotes, so {found}; quote it: {command}"
    )]
    Spaces {
        /// The text as written.
        spec: String,
        /// The path of the file.
        path: String,
        /// What the words mean without quotes.
        found: String,
        /// The command line with quotes.
        command: String,
    },
    /// A word that a shell would replace by the user's directory or the value of a variable.
    #[error(
        "bot {spec:?}: commands run without a shell, which would replace {part} in {word}: {remedy}"
    )]
    Expansion {
        /// The text as written.
        spec: String,
        /// The word.
        word: String,
        /// What a shell replaces.
        part: String,
        /// What to write.
        remedy: String,
    },
    /// Environment variables in front of the command.
    #[error(
        "bot {spec:?}: commands run without a shell, and the word before the = names the bot; to set \
         variables, write: {command}"
    )]
    Variable {
        /// The text as written.
        spec: String,
        /// The command line that sets them.
        command: String,
    },
    /// An invalid name.
    #[error(
        "bot {spec:?}: the name before the = must be 1 to {NAME_CHARACTERS} printable characters, got {got:?}"
    )]
    Name {
        /// The text as written.
        spec: String,
        /// The name.
        got: String,
    },
}

impl BotSpecError {
    /// Returns whether the files of the bot are at fault, and not the words that name it: its
    /// directory has no valid manifest, or `own`, if it is the bot's own directory, lacks a file
    /// that they name in it.
    pub fn is_of_files(&self, own: Option<&Path>) -> bool {
        let is_inside = |path: &Path| {
            let leads_up = path.components().any(|part| part == Component::ParentDir);
            own.is_some_and(|own| own.join(path).starts_with(own) && !leads_up)
        };
        match self {
            BotSpecError::Manifest { .. } | BotSpecError::Directory { .. } => true,
            BotSpecError::NoFile { path, .. } | BotSpecError::NotExecutable { path, .. } => {
                is_inside(path)
            }
            BotSpecError::NoScript { script, .. } => is_inside(Path::new(script)),
            _ => false,
        }
    }
}

/// Returns the usual interpreter of a file by its extension.
fn interpreter_for(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("js" | "mjs") => "node",
        Some("jar") => "java -jar",
        Some("rb") => "ruby",
        Some("sh") => "sh",
        _ => "python3",
    }
}

/// Returns what a relative path is relative to.
fn relative_to(path: &Path) -> &'static str {
    if path.is_absolute() { "" } else { "; the path is relative to the current directory" }
}
