//! Why something that a user wrote is no bot, and what to write instead.

use super::spec::NAME_CHARACTERS;
use std::path::{Path, PathBuf};

/// Why something is no bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotSpecError {
    /// Nothing was written.
    #[error(
        "expected a bot, got {spec:?}: write a built-in bot ({known}), a path or a command line"
    )]
    Empty {
        /// What was written.
        spec: String,
        /// The built-in bots.
        known: String,
    },
    /// A quote that does not end.
    #[error("bot {0:?}: expected a command line as in a shell, got an unclosed quote")]
    Quotes(String),
    /// A word that is no built-in bot.
    #[error(
        "no bot {word:?}{suggestion}; built-in bots are {known}; to run your own program, write a path \
         with a slash (./{word})"
    )]
    Unknown {
        /// What was written.
        word: String,
        /// What may have been meant, in parentheses; empty where nothing is like it.
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
        /// What was written.
        spec: String,
        /// The part that is no option.
        got: String,
    },
    /// An option that the bot does not have, or a value that it cannot have.
    #[error("bot {spec:?}: {reason}")]
    Option {
        /// What was written.
        spec: String,
        /// Which option, and what it may be.
        reason: String,
    },
    /// A built-in bot that does not play the game.
    #[error(
        "bot {spec:?} does not play {game}; it plays {plays}; the bots for {game} are {others}"
    )]
    Game {
        /// What was written.
        spec: String,
        /// The game of the match.
        game: String,
        /// What the bot plays.
        plays: String,
        /// The built-in bots that play the game.
        others: String,
    },
    /// A path where nothing is.
    #[error("bot {spec:?}: there is no file {}{}", path.display(), relative_to(.path))]
    NoFile {
        /// What was written.
        spec: String,
        /// The path.
        path: PathBuf,
    },
    /// A path to a directory.
    #[error("bot {spec:?}: {} is a directory without a bot.toml; add one, or write the path of a program", path.display())]
    Directory {
        /// What was written.
        spec: String,
        /// The path.
        path: PathBuf,
    },
    /// A directory whose manifest does not say what it should.
    #[error("bot {spec:?}: {reason}")]
    Manifest {
        /// What was written.
        spec: String,
        /// What is wrong.
        reason: String,
    },
    /// A path to a file that cannot be run.
    #[error(
        "bot {spec:?}: {path} is not executable; try `chmod +x {path}`, or run it with its interpreter: \"{by} {path}\"",
        path = .path.display(),
        by = interpreter_for(.path)
    )]
    NotExecutable {
        /// What was written.
        spec: String,
        /// The path.
        path: PathBuf,
    },
    /// A program that is not in `PATH`.
    #[error("bot {spec:?}: there is no program {program:?} in PATH; is it installed?")]
    NotInPath {
        /// What was written.
        spec: String,
        /// The program.
        program: String,
    },
    /// A name that cannot be used.
    #[error(
        "bot {spec:?}: the name before the = must be 1 to {NAME_CHARACTERS} printable characters, got {got:?}"
    )]
    Name {
        /// What was written.
        spec: String,
        /// The name.
        got: String,
    },
}

/// The usual way to run a file that is not executable itself, by its extension.
fn interpreter_for(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("js" | "mjs") => "node",
        Some("jar") => "java -jar",
        Some("rb") => "ruby",
        Some("sh") => "sh",
        _ => "python3",
    }
}

/// What a path begins from.
fn relative_to(path: &Path) -> &'static str {
    if path.is_absolute() { "" } else { "; the path is relative to the current directory" }
}
