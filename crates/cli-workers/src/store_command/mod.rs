//! `botyard store`: copies stores of tournaments, and simulates how many workers one carries.

mod simulate;

use botyard_cli::text::out;
use botyard_cli_tournament::store_arguments::{address, open};
use botyard_queue::Address;
use botyard_runner::words::counted;
use botyard_tournament::store_file;
use botyard_worker::submission;
use clap::{Args, Subcommand};
use simulate::SimulateArgs;
use std::path::Path;
use std::process::ExitCode;

/// `botyard store`.
#[derive(Debug, Args)]
pub struct StoreArgs {
    /// The verb.
    #[command(subcommand)]
    verb: StoreVerb,
}

#[derive(Debug, Subcommand)]
enum StoreVerb {
    /// Copy a store to an empty one of any engine, or the tournament of a directory to a store
    Copy(CopyArgs),
    /// Simulate how many workers a store carries before claims wait
    Simulate(SimulateArgs),
}

/// `botyard store copy`.
#[derive(Debug, Args)]
#[command(after_help = "\
A store is postgres://USER@HOST/DATABASE, a file, or @FILE with the address in a
file, which keeps a password out of the list of processes. If FROM is the
directory of a tournament that `tournament run` began, workers play the rest of
it from the store; the directory is not changed.

Examples:
  botyard store copy lab.db postgres://botyard@lab/botyard
  botyard store copy class.tournament postgres://botyard@lab/botyard")]
struct CopyArgs {
    /// Store to copy, or directory of a tournament
    #[arg(value_name = "FROM")]
    from: String,

    /// Store to copy to
    #[arg(value_name = "TO")]
    to: String,

    /// ID of a directory's tournament in the store [default: its name]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

/// Runs a verb of `botyard store`.
pub(crate) fn run(args: &StoreArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        StoreVerb::Copy(args) => copy(args),
        StoreVerb::Simulate(args) => simulate::simulate(args),
    }
}

fn copy(args: &CopyArgs) -> anyhow::Result<ExitCode> {
    let directory = Path::new(&args.from);
    if store_file(directory).is_file() {
        let to_address = address(&args.to)?;
        let to = open(&to_address)?;
        let submitted = submission::import(&to, args.id.as_deref(), directory)?;
        out(&format!("copied {} to {}\n", submitted.id, to_address))?;
        return Ok(ExitCode::SUCCESS);
    }
    let from = address(&args.from)?;
    if let Address::File(path) = &from
        && !path.is_file()
    {
        return Err(botyard_cli::failure::Failure::usage(format!(
            "{} is neither a store nor the directory of a tournament",
            path.display()
        )));
    }
    let to = address(&args.to)?;
    let copied = open(&from)?.copy_to(&*open(&to)?).map_err(botyard_runner::Error::from)?;
    out(&format!(
        "copied {} with {} and {} to {to}\n",
        counted(copied.tournaments, "tournament"),
        counted(copied.games, "game"),
        counted(copied.files, "file"),
    ))?;
    Ok(ExitCode::SUCCESS)
}
