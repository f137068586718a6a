//! `botyard watch`: serves pages that follow running games. The crate `botyard-live` does the work;
//! this module has the arguments and messages.

use botyard_cli::failure::Failure;
use botyard_cli::installed::programs;
use botyard_cli::replay::show_address;
use botyard_cli::signals;
use botyard_cli::text::out;
use botyard_live::{Server, Sight};
use botyard_runner::game_programs;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// `botyard watch`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard watch class.tournament
  botyard watch results --port 8000 --open
  botyard watch replays --truth

Ctrl-C ends the server. Pages that are open continue when it is started again on
the same port.")]
pub struct WatchArgs {
    /// Directory of a tournament, or any other with replays
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Port on the loopback; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// What pages may show.
    #[command(flatten)]
    pub sight: SightArgs,
    /// Directory with the program that has the rules of the games [default: the bundle beside each replay,
    /// or in the directory of its tournament]
    #[arg(long, value_name = "DIR")]
    pub game: Option<PathBuf>,
    /// Open the list of games in a browser
    #[arg(long)]
    pub open: bool,
}

/// What pages may show of games with hidden information.
#[derive(Clone, Debug, Args)]
pub struct SightArgs {
    /// Let pages show everything, including what is hidden from seats, and the seed
    #[arg(long, conflicts_with = "seat")]
    pub truth: bool,
    /// Let pages show what this seat sees: its name, or its number from 1
    #[arg(long)]
    pub seat: Option<String>,
}

impl From<&SightArgs> for Sight {
    fn from(args: &SightArgs) -> Sight {
        match &args.seat {
            _ if args.truth => Sight::Truth,
            Some(seat) => Sight::Seat(seat.clone()),
            None => Sight::Spectator,
        }
    }
}

/// Serves the pages until a signal ends it.
pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<ExitCode> {
    if !args.directory.is_dir() {
        let directory = args.directory.display();
        return Err(Failure::usage(format!(
            "{directory} is not a directory: name the directory of a tournament, or that of \
             `botyard match --out`"
        )));
    }
    let mut signals = signals::that_end()?;
    let sight = (&args.sight).into();
    let server = start(args.directory.clone(), args.port, sight, args.game.clone())?;
    out(&format!("{}\n", server.address()))?;
    if args.open {
        show_address(&server.address());
    }
    signals.wait();
    drop(server);
    Ok(ExitCode::SUCCESS)
}

/// Starts a server. `game`: the directory with the rules of the games, if they are a program.
///
/// # Errors
///
/// The port cannot be used.
pub(crate) fn start(
    directory: PathBuf,
    port: u16,
    sight: Sight,
    game: Option<PathBuf>,
) -> anyhow::Result<Server> {
    let programs = programs()?;
    // Games that are followed at the same time load the same program once.
    let programs = Mutex::new(programs);
    let load = move |replay: &Path| {
        let programs = programs.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = game_programs::load_for_replay(replay, game.as_deref(), &programs);
        loaded.map(drop).map_err(|error| error.message().text(programs.name))
    };
    Server::start(directory, port, sight, Arc::new(load)).map_err(|error| {
        Failure::host(format!(
            "cannot serve pages on port {port} of 127.0.0.1: {error}; choose another port, or 0 for any"
        ))
    })
}
