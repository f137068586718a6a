//! `botyard play`: a person plays against bots in the terminal. The crate `botyard-play` has the
//! game itself.

use crate::conditions::LimitsArgs;
use crate::containment_arguments::ContainmentArgs;
use crate::failure::FAILED;
use crate::installed::programs;
use crate::start::StartArgs;
use crate::text::{out, warn};
use botyard_play::{Played, play_at_terminal, strongest};
use botyard_runner::play::{PlayConfig, PlayPlan, relay};
use botyard_runner::words::quoted;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard play`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
You play the seats of --as; the bots of --against play the others. Only bots
have a clock. At the prompt, `?` lists the legal moves and what a strong bot
would play, `undo` takes back your last decision, and `help` explains how to
type moves.

Examples:
  botyard play draughts --as black --against alpha-beta
  botyard play scotland-yard --as detectives --against mcts --move-time 2000
  botyard play scotland-yard --as mr-x --rules grid-5x5-2
  botyard play dice-wars --as player-1 --against random
  botyard play scotland-yard --rule seats=pawns --as detective-1 --against mcts")]
pub struct PlayArgs {
    /// Game to play; `botyard games` lists the games
    pub game: String,

    /// Seat that you play; may be repeated
    #[arg(long = "as", value_name = "SEAT")]
    pub seats: Vec<String>,

    /// Bot for the other seats: one for all of them, or one for each, in seat order [default: a
    /// strong built-in bot]
    #[arg(long, value_name = "BOT")]
    pub against: Vec<String>,

    /// The start of the game.
    #[command(flatten)]
    pub start: StartArgs,

    /// Time limit of a bot per move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pub move_time: u64,

    /// Limits of start-up and set-up.
    #[command(flatten)]
    pub limits: LimitsArgs,

    /// Disable hints and undo
    #[arg(long, alias = "no-undo")]
    pub rated: bool,

    /// Your name in the game and its replay
    #[arg(long, value_name = "NAME", default_value = "person")]
    pub name: String,

    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// Save the replay in this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `botyard relay`.
#[derive(Clone, Debug, Args)]
pub struct RelayArgs {
    /// Socket of the `botyard play` that started this process
    pub socket: PathBuf,
}

impl From<&PlayArgs> for PlayConfig {
    fn from(args: &PlayArgs) -> PlayConfig {
        PlayConfig {
            game: args.game.clone(),
            seats: args.seats.clone(),
            against: args.against.clone(),
            default_bot: strongest(&args.game).map(String::from),
            start: (&args.start).into(),
            number: 1,
            move_ms: args.move_time,
            limits: args.limits.into(),
            name: args.name.clone(),
            containment: (&args.containment).into(),
            out: args.out.clone(),
        }
    }
}

/// Plays a game with the person at the terminal.
///
/// Returns [`FAILED`] if a signal interrupted the game. Leaving by `quit` or the end of the input
/// is a success.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let plan = PlayPlan::new(&args.into(), &programs()?)?;
    warn(&plan.warnings);
    let played = play_at_terminal(&plan, args.rated)?;
    let is_told = !played.is_deaf && out(&farewell(&played)).is_ok();
    let is_done = is_told && !played.is_interrupted;
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Returns the text at the end of a game.
fn farewell(played: &Played) -> String {
    let mut text = String::new();
    if !played.is_over {
        text.push_str("\nthe game is left unfinished\n");
    }
    if let Some(replay) = &played.replay {
        let path = quoted(&replay.to_string_lossy());
        text.push_str(&format!("replay: {path}\n  botyard replay show {path}\n"));
    }
    text
}

/// Passes lines between the referee and the `botyard play` that started this process.
pub fn run_relay(args: &RelayArgs) -> anyhow::Result<ExitCode> {
    relay(&args.socket)?;
    Ok(ExitCode::SUCCESS)
}
