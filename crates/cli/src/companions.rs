//! Companion programs: verbs that few people need, or that need much to be compiled, are programs
//! beside `botyard`, which becomes one of them when such a verb is called. `botyard --help` lists the
//! verbs of all.

use crate::failure::Failure;
use botyard_runner::Error;
use clap::{Args, Command};
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Engines as bots.
pub const BRIDGE: &str = "botyard-bridge";
/// Pages that a browser on this host shows while games are played.
pub(crate) const LIVE: &str = "botyard-live";
/// Schemas, completions and pages of reference.
pub const REFERENCE: &str = "botyard-reference";
/// The site of a class.
pub(crate) const SITE: &str = "botyard-site";
/// Tournaments.
pub const TOURNAMENT: &str = "botyard-tournament";
/// What our own bots are made and measured with.
pub(crate) const TRAINING: &str = "botyard-training";
/// Tournaments that many workers play.
pub const WORKERS: &str = "botyard-workers";

/// All of them.
const COMPANIONS: [&str; 7] = [BRIDGE, LIVE, REFERENCE, SITE, TOURNAMENT, TRAINING, WORKERS];

/// How all programs are built.
const BUILD: &str = "`cargo build --release --workspace`";

/// The environment variable by which `botyard` states its version to a companion.
const VARIABLE: &str = "BOTYARD_VERSION";

/// The version of these programs.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The arguments of a verb that a companion has, and parses.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct OfCompanion {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Turns `help VERB`, if a companion has the verb, into `VERB --help`: the companion has the help.
pub(crate) fn asked_for_help(mut words: Vec<OsString>, definition: &Command) -> Vec<OsString> {
    if let [_, help, verb, ..] = &words[..]
        && help == "help"
        && definition.find_subcommand(verb).is_some_and(is_of_companion)
    {
        words.remove(1);
        words.push("--help".into());
    }
    words
}

/// Returns whether a command stands for one that a companion has.
pub fn is_of_companion(command: &Command) -> bool {
    command.is_disable_help_flag_set()
}

/// Executes a companion in place of this program, with the same arguments.
///
/// # Errors
///
/// There is none beside this program, or it cannot be executed.
pub(crate) fn execute(companion: &str) -> anyhow::Result<ExitCode> {
    let program = beside(&this_program()?, companion);
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let mut command = std::process::Command::new(&program);
    command.args(arguments).env(VARIABLE, VERSION);
    become_it(&mut command, name).map_err(|error| {
        let verb = env::args().nth(1).unwrap_or_default();
        let program = program.display();
        Failure::host(match error.kind() {
            io::ErrorKind::NotFound => format!(
                "`botyard {verb}` needs the program {program}, which does not exist: {BUILD} builds all \
                 programs of Botyard, which belong in one directory"
            ),
            _ => format!("{program} cannot be executed: {error}"),
        })
    })
}

/// Replaces this process by the program, which keeps its PID, its terminal and what it is called by.
#[cfg(unix)]
fn become_it(command: &mut std::process::Command, name: OsString) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.arg0(name).exec())
}

/// Runs the program, and returns its exit code: this system has no means to become it.
#[cfg(not(unix))]
fn become_it(command: &mut std::process::Command, _: OsString) -> io::Result<ExitCode> {
    let code = command.status()?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Checks that the `botyard` that started this companion, if one did, has its version.
///
/// # Errors
///
/// It has another one.
pub(crate) fn check_version() -> anyhow::Result<()> {
    match env::var_os(VARIABLE) {
        Some(version) if version != VERSION => Err(Failure::host(format!(
            "this is the companion of botyard {VERSION}, and botyard {} started it: {BUILD} builds both",
            version.display()
        ))),
        _ => Ok(()),
    }
}

/// Returns the path of `botyard`, which is this program or beside it.
///
/// # Errors
///
/// The path of this program is unknown.
pub(crate) fn botyard() -> Result<PathBuf, Error> {
    let own = this_program()?;
    let name = own.file_name().unwrap_or_default().to_string_lossy();
    // The name of a file that was replaced has an ending.
    let is_companion = COMPANIONS.iter().any(|companion| name.starts_with(companion));
    Ok(if is_companion { beside(&own, "botyard") } else { own.clone() })
}

fn this_program() -> Result<PathBuf, Error> {
    env::current_exe()
        .map_err(|error| Error::host(format!("cannot find the executable of botyard: {error}")))
}

fn beside(own: &Path, name: &str) -> PathBuf {
    own.with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX))
}
