//! Bots that a command of the user's contains: `docker run`, `podman run`, `bwrap`, `runsc do`.
//! What that holds is the command's business; here it gets its words, and is ended like any other
//! program, with another command for what outlives it.

use crate::command::bot_command::BotCommand;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Stands for the bot's program and its arguments.
const COMMAND: &str = "{command}";
/// Stands for the directory in which the bot is to run.
const DIRECTORY: &str = "{directory}";
/// Stands for a name that nothing else has.
const NAME: &str = "{name}";

/// A command that runs a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapper {
    start: Vec<String>,
    end: Vec<String>,
}

/// Why words make no [`Wrapper`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrapperError {
    /// They do not say where the bot's own command goes.
    #[error("expected {COMMAND} as one of its words, where the bot's own command goes")]
    NoCommand,
    /// They begin with that.
    #[error("expected a program in front of {COMMAND}")]
    NoProgram,
}

impl Wrapper {
    /// The words of the command that starts a bot, and of the one that ends what the former leaves
    /// running; none where nothing is left. In both, `{directory}` stands for the bot's directory
    /// and `{name}` for a name that is different for every start; in the former one word is
    /// `{command}`.
    ///
    /// docker and podman, when they are told the `{name}` of a container, are told to kill it
    /// unless something else is given.
    ///
    /// # Errors
    ///
    /// Words that do not say where the bot's own command goes.
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

    /// The commands that start this bot and that end what is left of it.
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
                // A program without a slash is looked up where it runs, which may be elsewhere.
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
        // It has a program: that was checked when it was made.
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
        // What the bot's own words say stays as it is.
        let mounted = "-v /class/ada:/class/ada:ro";
        let expected =
            format!("docker run --rm -i --name {name} {mounted} img python3 {{name}} two words");
        assert_eq!(start, expected);
        assert_eq!(shown(&end.unwrap()), format!("docker kill {name}"));
        let (again, _) = wrapper.wrap(&bot);
        assert_ne!(shown(&again), start, "every start has a name of its own");
    }

    #[test]
    fn words_without_a_place_for_the_bot_are_refused() {
        let refused = |start: &str| Wrapper::new(words(start), Vec::new()).unwrap_err();
        assert_eq!(refused("docker run img"), WrapperError::NoCommand);
        assert_eq!(refused("{command}"), WrapperError::NoProgram);
        assert!(Wrapper::new(words("nice {command}"), Vec::new()).unwrap().end.is_empty());
    }
}
