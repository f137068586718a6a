//! What `botyard play` takes. Only the form of each argument is checked here.

use crate::containment_arguments::ContainmentArgs;
use crate::start::StartArgs;
use clap::Args;
use std::path::PathBuf;

/// `botyard play`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
You play the seats of --as; bots of --against hold the others. You have no clock, the bots keep
theirs. At the prompt, `?` shows what you may play and what a strong bot would, `undo` takes your
last decision back, and `help` says how moves are written.

Examples:
  botyard play draughts --as black --against alpha-beta
  botyard play scotland-yard --as detectives --against mcts --move-time 2000
  botyard play scotland-yard --as mr-x --rules grid-5x5-2
  botyard play dice-wars --as player-1 --against random
  botyard play scotland-yard --rule seats=pawns --as detective-1 --as detective-2 --against greedy")]
pub struct PlayArgs {
    /// The game; `botyard games` lists them
    pub game: String,

    /// A seat of yours; may be repeated
    #[arg(long = "as", value_name = "SEAT")]
    pub seats: Vec<String>,

    /// A bot for the other seats: one for all of them, or one for each, in seat order [default: a
    /// strong built-in bot]
    #[arg(long, value_name = "BOT")]
    pub against: Vec<String>,

    /// How the game begins.
    #[command(flatten)]
    pub start: StartArgs,

    /// The most time of a bot for one move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pub move_time: u64,

    /// No hints, and nothing is taken back
    #[arg(long, alias = "no-undo")]
    pub rated: bool,

    /// Your name in the game and its replay
    #[arg(long, value_name = "NAME", default_value = "person")]
    pub name: String,

    /// How bots are contained.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// Save the replay in this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `botyard relay`.
#[derive(Clone, Debug, Args)]
pub struct RelayArgs {
    /// The socket of the `botyard play` that has started this
    pub socket: PathBuf,
}
