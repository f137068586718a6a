//! A program of the command line, `botyard` or a companion: it parses its arguments as [`Verbs`] and runs
//! the verb. All of them start in the same way and map errors to the same exit codes.

use crate::arguments::Verb;
use crate::companions;
use crate::failure;
use crate::help;
use crate::text::eprint_line;
use crate::words_of_values::joined_words;
use crate::{files, signals};
use anyhow::Context;
use botyard_runner::LAUNCHER_ARGUMENT;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// The verbs of a program.
pub trait Verbs: Subcommand {
    /// Whether they are verbs of a companion.
    const OF_COMPANION: bool = true;

    /// Returns the companion that runs the verb; `None`: this program does.
    fn companion(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether the files that the verb writes are as readable as the umask says: bots and their
    /// weights, pages, tables, and what was played from published seeds. The files of every other verb
    /// may have secrets, bundles or personal data, and are for their owner alone.
    fn is_for_all(&self) -> bool;

    /// Runs the verb.
    ///
    /// # Errors
    ///
    /// Wrong arguments, files that cannot be used, a failure of the host, or an output that cannot be
    /// written.
    fn run(&self) -> anyhow::Result<ExitCode>;
}

/// Runs matches between bot programs, in any language, and can be trusted with the result.
#[derive(Debug, Parser)]
#[command(
    name = "botyard",
    bin_name = "botyard",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Example:
  botyard match scotland-yard greedy random

Exit codes: 0 success, 1 a game or check failed, 2 wrong usage, 3 host failure."
)]
pub struct CommandLine<V: Verbs = Verb> {
    /// The verb.
    #[command(subcommand)]
    pub verb: V,
}

impl<V: Verbs> CommandLine<V> {
    /// Returns the commands of the program. Its verbs have the descriptions that `botyard --help` prints.
    pub fn definition() -> Command {
        if !V::OF_COMPANION {
            return Self::command();
        }
        let list = Verb::augment_subcommands(Command::new("list"));
        Self::command().mut_subcommands(|own| {
            let listed = list.find_subcommand(own.get_name()).and_then(Command::get_about);
            match listed.cloned() {
                Some(about) => own.about(about),
                None => own,
            }
        })
    }

    /// Parses a command line; the first word is the name of the program.
    ///
    /// # Errors
    ///
    /// The words are no command, or ask for help or the version.
    pub fn parse_words(
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<CommandLine<V>, clap::Error> {
        let mut definition = help::arranged(Self::definition());
        let words = companions::asked_for_help(joined_words(words), &definition);
        let mut matches = definition.try_get_matches_from_mut(words)?;
        let parsed = Self::from_arg_matches_mut(&mut matches);
        parsed.map_err(|error| error.format(&mut definition))
    }
}

/// Runs `botyard` or a companion with the arguments of this process, and returns its exit code.
pub fn run<V: Verbs>() -> ExitCode {
    // Checked first, because the start of every contained bot takes this path.
    #[cfg(target_os = "linux")]
    if std::env::args_os().nth(1).is_some_and(|verb| verb == LAUNCHER_ARGUMENT) {
        return botyard_sandbox::serve_launcher();
    }
    if V::OF_COMPANION
        && let Err(error) = companions::check_version()
    {
        return fail(&error);
    }
    let parsed = CommandLine::<V>::parse_words(std::env::args_os());
    let verb = parsed.unwrap_or_else(|error| error.exit()).verb;
    // Before umask and limits are changed, which the companion does where it should.
    let done = match verb.companion() {
        Some(companion) => companions::execute(companion),
        None => prepare(verb.is_for_all()).and_then(|()| verb.run()),
    };
    done.unwrap_or_else(|error| fail(&error))
}

/// Prints an error to standard error, and returns its exit code.
fn fail(error: &anyhow::Error) -> ExitCode {
    if failure::is_broken_pipe(error) {
        // The reader closed the pipe: `botyard games | head`.
        return ExitCode::SUCCESS;
    }
    eprint_line(&format!("error: {}", failure::in_words(error)));
    failure::exit_code(error)
}

/// Prepares this process for a verb.
fn prepare(is_for_all: bool) -> anyhow::Result<()> {
    signals::outlive_full_files().context("a signal cannot be caught")?;
    #[cfg(target_os = "linux")]
    botyard_sandbox::raise_open_files_limit();
    if !is_for_all {
        files::keep_private();
    }
    Ok(())
}
