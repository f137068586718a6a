//! The command line of `botyard`: parses arguments, calls the library crates and prints; rules,
//! processes, clocks and replays belong to those crates. The program is [`run`]; tests also use the
//! parser, [`CommandLine::parse_words`].
//!
//! A verb is a function of its module. It returns its exit code or an error: wrong arguments, files
//! that cannot be used, a failure of the host, or an output that cannot be written. `failure` maps
//! errors to exit codes.

// A closed pipe (`| head`) is an error to be handled, not a panic: see `text`.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod adjudication_arguments;
mod analyze;
mod arguments;
mod bars;
mod bot_option_arguments;
mod bots_command;
mod bridge_command;
mod build_command;
mod check;
mod conditions;
mod containment_arguments;
mod coordinator_command;
mod egdb;
mod experiment;
mod failure;
mod files;
mod games_command;
mod generate;
mod import;
mod installed;
mod match_command;
mod named_values;
mod new;
mod perft;
mod picture;
mod play;
mod quiet_arguments;
mod replay;
mod sandbox_command;
mod schema_command;
mod serve;
mod settings;
mod signals;
mod site_command;
mod start;
mod store_arguments;
mod store_command;
mod submit;
mod test_command;
mod text;
mod tournament_command;
mod train;
mod watch;
mod wire_arguments;
mod worker_command;

pub use arguments::{CommandLine, Verb};

use std::process::ExitCode;

/// Runs the program with the arguments of this process, and returns its exit code.
pub fn run() -> ExitCode {
    // Checked first, because the start of every contained bot takes this path.
    #[cfg(target_os = "linux")]
    if std::env::args_os().nth(1).is_some_and(|verb| verb == sandbox_command::LAUNCHER_ARGUMENT) {
        return botyard_sandbox::serve_launcher();
    }
    if let Err(error) = signals::outlive_full_files() {
        text::eprint_line(&format!("error: a signal cannot be caught: {error}"));
        return ExitCode::from(failure::HOST);
    }
    #[cfg(target_os = "linux")]
    botyard_sandbox::raise_open_files_limit();
    let parsed = CommandLine::parse_words(std::env::args_os());
    let verb = parsed.unwrap_or_else(|error| error.exit()).verb;
    if !verb.is_for_all() {
        files::keep_private();
    }
    let done = match verb {
        Verb::Match(args) => match_command::run(&args),
        Verb::Tournament(args) => tournament_command::run(&args),
        Verb::Worker(args) => worker_command::run(&args),
        Verb::Coordinator(args) => coordinator_command::run(&args),
        Verb::Store(args) => store_command::run(&args),
        Verb::Test(args) => test_command::run(&args),
        Verb::Play(args) => play::run(&args),
        Verb::Games(args) => games_command::run(&args),
        Verb::Bots(args) => bots_command::run(&args),
        Verb::New(args) => new::run(&args),
        Verb::Build(args) => build_command::run(&args),
        Verb::Analyze(args) => analyze::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Bridge(args) => Ok(bridge_command::run(&args)),
        Verb::Sandbox(args) => sandbox_command::run(&args),
        Verb::Schema(args) => schema_command::run(&args),
        Verb::Serve(args) => serve::run(&args),
        Verb::Site(args) => site_command::run(&args),
        Verb::Submit(args) => submit::run(&args),
        Verb::Watch(args) => watch::run(&args),
        Verb::Replay(args) => replay::run(&args),
        Verb::Import(args) => import::run(&args),
        Verb::Perft(args) => perft::run(&args),
        Verb::Train(args) => train::run(&args),
        Verb::Egdb(args) => egdb::run(&args),
        Verb::Experiment(args) => experiment::run(&args),
        Verb::Relay(args) => play::run_relay(&args),
        Verb::Generate(args) => generate::run(&args),
        Verb::Bot(args) => Ok(botyard_bots::catalogue::run(&args.name)),
    };
    done.unwrap_or_else(|error| {
        if failure::is_broken_pipe(&error) {
            // The reader closed the pipe: `botyard games | head`.
            return ExitCode::SUCCESS;
        }
        text::eprint_line(&format!("error: {}", failure::in_words(&error)));
        failure::exit_code(&error)
    })
}
