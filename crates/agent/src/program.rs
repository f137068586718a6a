//! A bot as a program: its command line, standard input and output, and exit code. `0` after
//! `quit`, `1` if the bot could not continue, `2` for an invalid command line.

use crate::bot::Bot;
use crate::replay::{Rerun, RerunError};
use crate::serve::serve;
use crate::streams::Streams;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// The `main` function of a bot's executable. Without arguments it speaks the protocol on
/// standard input and output; `--replay` runs it on a recorded game ([`Rerun`]), `--help` and
/// `--version` print and exit.
pub fn main(bot: &Bot) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    with_arguments(bot, &arguments)
}

/// [`main`] with explicit arguments, for an executable that contains several bots.
pub fn with_arguments(bot: &Bot, arguments: &[OsString]) -> ExitCode {
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    match words[..] {
        [] => run(bot),
        ["--help" | "-h"] => print(&help(bot)),
        ["--version" | "-V"] => print(&format!("{} {}\n", bot.name(), bot.version())),
        ref words if words.iter().any(|word| is_replay(word)) => rerun(bot, arguments),
        _ => {
            say(&format!(
                "{name}: expected no arguments, --replay FILE, --help or --version, got {}\n\
                 Options of a bot are set in the match: botyard match GAME {name}:seed=7 ...",
                words.join(" "),
                name = bot.name()
            ));
            ExitCode::from(2)
        }
    }
}

/// Returns whether an argument is `--replay` or `--replay=FILE`.
fn is_replay(argument: &str) -> bool {
    argument.strip_prefix("--replay").is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

/// Serves a referee on standard input and output; prints errors on standard error. From here on, what
/// the bot prints goes to standard error, so that it cannot break the protocol, and its standard input
/// is empty. That needs unix.
pub fn run(bot: &Bot) -> ExitCode {
    if io::stdin().is_terminal() {
        say(&format!(
            "{name} is a bot and waits for messages of a referee, one JSON object per line.\n\
             To see it play: botyard match {game} {name} {name}\n\
             To exit: Ctrl-D",
            name = bot.name(),
            game = bot.games().next().unwrap_or("GAME")
        ));
    }
    let Streams { input, output } = Streams::take();
    match serve(bot, input, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("{}: {error}", bot.name()));
            ExitCode::FAILURE
        }
    }
}

/// Runs the bot on a recorded game.
fn rerun(bot: &Bot, arguments: &[OsString]) -> ExitCode {
    let done =
        Rerun::from_arguments(arguments).and_then(|rerun| rerun.run(bot, &mut io::stdout().lock()));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // `| head`
        Err(RerunError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            say(&format!("{}: {error}", bot.name()));
            ExitCode::from(if matches!(error, RerunError::Usage(_)) { 2 } else { 1 })
        }
    }
}

/// Prints a line to standard error. A closed standard error is not a reason to exit.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints to standard output. A closed pipe (`| head`) is not an error.
pub fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

fn help(bot: &Bot) -> String {
    let name = bot.name();
    let games: Vec<&str> = bot.games().collect();
    let options: String = bot
        .options()
        .iter()
        .map(|(name, spec)| {
            let (expected, default) = (spec.expected(), spec.default_value());
            format!("  {name}: {expected}, default {default}: {}\n", spec.about())
        })
        .collect();
    format!(
        "{name} {version}: {about}\n\
         \n\
         A bot for Botyard: started without arguments it speaks the bot protocol with a referee\n\
         on standard input and output. To see it play:\n\
         \n\
         \x20 botyard match {game} {name} {name}:seed=7\n\
         \n\
         Games: {games}\n\
         \n\
         To run it on a recorded game, also under a debugger:\n\
         \n\
         \x20 {name} --replay FILE --seat SEAT [--turn N] [--option KEY=VALUE] [--botyard PATH]\n\
         \n\
         Options, set in the match as above:\n\
         {options}",
        version = bot.version(),
        about = bot.about(),
        game = games.first().unwrap_or(&"GAME"),
        games = games.join(", "),
    )
}
