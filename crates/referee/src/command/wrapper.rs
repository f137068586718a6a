//! Bots in a wrapper: a command of the user that contains them, such as `docker run`, `podman run`,
//! `bwrap` or `runsc do`. What it contains is up to that command. This module fills in its
//! placeholders. The wrapper is ended like any other program, and a second command ends what it
//! leaves running.

use crate::command::bot_command::BotCommand;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The placeholder for the bot's program and its arguments.
const COMMAND: &str = "{command}";
/// The placeholder for the directory in which the bot runs.
const DIRECTORY: &str = "{directory}";
/// The placeholder for a unique name.
const NAME: &str = "{name}";

/// A command that runs a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapper {
    start: Vec<String>,
    end: Vec<String>,
}

/// The reason why words are not a [`Wrapper`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrapperError {
    /// They do not contain the placeholder for the bot's command.
    #[error("expected {COMMAND} as one of its arguments, where the bot's own command goes")]
    NoCommand,
    /// They begin with that placeholder.
    #[error("expected a program before {COMMAND}")]
    NoProgram,
}

impl Wrapper {
    /// Returns the wrapper with the words of two commands: `start` starts a bot, and `end`, which
    /// may be empty, ends what `start` leaves running. In both, `{directory}` is replaced by the
    /// bot's directory and `{name}` by a name that is different for every start. One word of
    /// `start` is `{command}`.
    ///
    /// For docker and podman, if `start` contains `{name}` and `end` is empty, `end` kills the
    /// container of that name.
    ///
    /// # Errors
    ///
    /// `start` does not contain `{command}`, or begins with it.
    pub fn new(start: Vec<String>, end: Vec<String>) -> Result<Wrapper, WrapperError> {
        match start.iter().position(|word| word == COMMAND) {
            None => return Err(WrapperError::NoCommand),
            Some(0) => return Err(WrapperError::NoProgram),
            Some(_) => {}
        }
        let program = Path::new(&start[0]).file_name().and_then(OsStr::to_str);
        let is_named = start.iter().any(|word| word.contains(NAME));
        let end = match program {
            Some("docker" | "podman") if end.is_empty() && is_named => {
                vec![start[0].clone(), "kill".into(), NAME.into()]
            }
            _ => end,
        };
        Ok(Wrapper { start, end })
    }

    /// Returns the commands that start this bot and end what is left of it.
    pub(crate) fn wrap(&self, bot: &BotCommand) -> (Command, Option<Command>) {
        static STARTS: AtomicU32 = AtomicU32::new(0);
        let number = STARTS.fetch_add(1, Ordering::Relaxed);
        let name = format!("botyard-{}-{number}", std::process::id());
        let here = || std::env::current_dir().unwrap_or_else(|_| "/".into());
        let directory = bot.directory.clone().unwrap_or_else(here);
        let place = |word: &str| -> OsString {
            let word = word.replace(NAME, &name);
            let mut pieces = word.split(DIRECTORY);
            let mut placed = OsString::from(pieces.next().unwrap_or_default());
            for piece in pieces {
                placed.push(&directory);
                placed.push(piece);
            }
            placed
        };
        let words = |words: &[String]| -> Vec<OsString> {
            let own = || {
                // A program without a slash is looked up where it runs, which may be inside a
                // container.
                let program = match bot.program.components().count() {
                    1 => bot.program.clone(),
                    _ => std::path::absolute(&bot.program).unwrap_or(bot.program.clone()),
                };
                [program.into_os_string()].into_iter().chain(bot.args.iter().cloned())
            };
            let placed = words.iter().flat_map(|word| match word == COMMAND {
                true => own().collect::<Vec<_>>(),
                false => vec![place(word)],
            });
            placed.collect()
        };
        let command = |words: Vec<OsString>| {
            let mut words = words.into_iter();
            let mut command = Command::new(words.next()?);
            command.args(words);
            Some(command)
        };
        // There is a program: `new` has checked it.
        let mut start = command(words(&self.start)).unwrap_or_else(|| Command::new(&bot.program));
        start.current_dir(directory.as_path());
        (start, command(words(&self.end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    fn shown(command: &Command) -> String {
        let words = [command.get_program()].into_iter().chain(command.get_args());
        words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_bots_command_goes_where_the_words_say() {
        let docker = "docker run --rm -i --name {name} -v {directory}:{directory}:ro img {command}";
        let wrapper = Wrapper::new(words(docker), Vec::new()).unwrap();
        let bot = BotCommand {
            program: "python3".into(),
            args: vec!["{name}".into(), "two words".into()],
            directory: Some("/class/ada".into()),
            ..BotCommand::default()
        };
        let (start, end) = wrapper.wrap(&bot);
        let start = shown(&start);
        let name = start.split_whitespace().nth(5).unwrap();
        assert!(name.starts_with("botyard-"), "{start}");
        // The bot's own words are not changed.
        let mounted = "-v /class/ada:/class/ada:ro";
        let expected =
            format!("docker run --rm -i --name {name} {mounted} img python3 {{name}} two words");
        assert_eq!(start, expected);
        assert_eq!(shown(&end.unwrap()), format!("docker kill {name}"));
        let (again, _) = wrapper.wrap(&bot);
        assert_ne!(shown(&again), start, "every start has its own name");
    }

    #[test]
    fn words_without_a_place_for_the_bot_are_refused() {
        let refused = |start: &str| Wrapper::new(words(start), Vec::new()).unwrap_err();
        assert_eq!(refused("docker run img"), WrapperError::NoCommand);
        assert_eq!(refused("{command}"), WrapperError::NoProgram);
        assert!(Wrapper::new(words("nice {command}"), Vec::new()).unwrap().end.is_empty());
    }
}
