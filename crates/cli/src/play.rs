//! `botyard play`: a person plays against bots in the terminal. The crate `botyard-play` has the game
//! itself. In a browser it is played by a companion.

use crate::conditions::LimitsArgs;
use crate::containment_arguments::ContainmentArgs;
use crate::failure::FAILED;
use crate::installed::programs;
use crate::review::{ReviewWhen, after_game};
use crate::start::StartArgs;
use crate::text::{out, warn};
use crate::time_arguments::milliseconds;
use botyard_play::{LEVELS, Played, at_level, play_at_terminal, resume_at_terminal, strongest};
use botyard_runner::game_programs;
use botyard_runner::play::{PlayConfig, PlayPlan, SavedGame, relay};
use botyard_runner::words::quoted;
use clap::Args;
use clap::builder::RangedI64ValueParser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `botyard play`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
You play the seats of --as; the bots of --against play the others. Only bots
have a clock. At the prompt, `?` lists the legal moves and what a strong bot
would play, `undo` takes back your last decision, and `help` explains how to
type moves.

A game with --out, or saved by `save FILE` at the prompt, is continued by
--resume: with the same seats, rules, seed and bots. The file contains what is
hidden from you.

With --browser you play on a page by mouse, touch or keyboard. Without --as you
choose a seat there. Ctrl-C ends the games and the page.

Examples:
  botyard play draughts --as black --against alpha-beta
  botyard play scotland-yard --as detectives --against mcts --move-time 2000
  botyard play draughts --as black --level 3
  botyard play scotland-yard --as mr-x --rules grid-5x5-2
  botyard play draughts --browser --open
  botyard play dice-wars --as player-1 --against random
  botyard play scotland-yard --rule seats=pawns --as detective-1 --against mcts
  botyard play draughts --as black --out games
  botyard play --resume games/GAME.ndjson")]
pub struct PlayArgs {
    /// Game to play; `botyard games` lists the games. A path is the directory of a game whose rules are a
    /// program: ./nim
    #[arg(required_unless_present = "resume")]
    pub game: Option<String>,

    /// Resume the saved game in this file; no other argument is allowed
    #[arg(long, value_name = "FILE", exclusive = true)]
    pub resume: Option<PathBuf>,

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

    /// Level of the bots, from 1, a beginner's, to 10, the strongest: as strong on every machine, unless
    /// the time limit is too short for it
    #[arg(long, value_name = "LEVEL", conflicts_with = "against", value_parser = levels())]
    pub level: Option<u8>,

    /// Time limit of a bot per move, in milliseconds; a level has a minute at least
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = milliseconds(0..=u64::MAX))]
    pub move_time: u64,

    /// Limits of start-up and set-up.
    #[command(flatten)]
    pub limits: LimitsArgs,

    /// Disable hints and undo
    #[arg(long, alias = "no-undo")]
    pub rated: bool,

    /// Play on a page in a browser, served on this host only; its address is printed
    #[arg(long)]
    pub browser: bool,

    /// Port of the page on the loopback; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 0, requires = "browser")]
    pub port: u16,

    /// Open the page in a browser
    #[arg(long, requires = "browser")]
    pub open: bool,

    /// Your name in the game and its replay
    #[arg(long, value_name = "NAME", default_value = "person")]
    pub name: String,

    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,

    /// When to show, at the end of the game, how many mistakes you made; a page has a button for that
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, conflicts_with = "browser")]
    pub review: ReviewWhen,

    /// Save the replay in this directory; an unfinished game can be resumed
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `botyard relay`.
#[derive(Clone, Debug, Args)]
pub struct RelayArgs {
    /// Socket of the `botyard play` that started this process
    pub socket: PathBuf,
}

/// Returns the parser of a level.
fn levels() -> RangedI64ValueParser<u8> {
    RangedI64ValueParser::new().range(i64::from(*LEVELS.start())..=i64::from(*LEVELS.end()))
}

impl PlayArgs {
    /// Returns the configuration, without the level.
    pub fn configuration(&self) -> PlayConfig {
        let game = self.game.as_deref().unwrap_or_default();
        PlayConfig {
            game: game.to_string(),
            seats: self.seats.clone(),
            against: self.against.clone(),
            default_bot: strongest(game).map(String::from),
            start: (&self.start).into(),
            number: 1,
            move_ms: self.move_time,
            limits: self.limits.into(),
            name: self.name.clone(),
            containment: (&self.containment).into(),
            out: self.out.clone(),
            rated: self.rated,
        }
    }
}

/// Plays a game with the person at the terminal.
///
/// Returns [`FAILED`] if a signal interrupted the game. Leaving by `quit` or the end of the input
/// is a success.
///
/// # Errors
///
/// The arguments make no game, the host cannot play it, or a saved game cannot be read.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let programs = programs()?;
    let mut containment = (&args.containment).into();
    let played = match &args.resume {
        Some(file) => {
            game_programs::load_for_replay(file, None, &programs)?;
            let saved = SavedGame::read(file)?;
            containment = saved.containment().clone();
            let plan = PlayPlan::resume(&saved, &programs)?;
            warn(&plan.warnings);
            resume_at_terminal(&plan, &saved)?
        }
        None => {
            let mut config = args.configuration();
            if let Some(level) = args.level {
                config = at_level(&config, level);
            }
            let plan = PlayPlan::new(&config, &programs)?;
            warn(&plan.warnings);
            play_at_terminal(&plan, args.rated)?
        }
    };
    let is_told = !played.is_deaf && out(&farewell(&played)).is_ok();
    let is_done = is_told && !played.is_interrupted;
    if let Some(record) = played.record.as_ref().filter(|_| is_done) {
        let kept = played.replay.as_deref().or(played.saved.as_deref());
        // An output that was closed is no failure of the game.
        let _ = after_game(args.review, record, kept, &programs, containment);
    }
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Returns where a replay is, and how to show it.
pub fn place_of(replay: &Path) -> String {
    let path = quoted(&replay.to_string_lossy());
    format!("replay: {path}\n  botyard replay show {path}\n")
}

/// Returns the text at the end of a game.
fn farewell(played: &Played) -> String {
    let mut text = String::new();
    if !played.is_over {
        text.push_str("\nthe game is left unfinished\n");
    }
    let is_same = played.saved == played.replay;
    let files = [played.replay.as_ref(), played.saved.as_ref().filter(|_| !is_same)];
    for file in files.into_iter().flatten() {
        text.push_str(&place_of(file));
        if !played.is_over {
            let path = quoted(&file.to_string_lossy());
            text.push_str(&format!("  botyard play --resume {path}\n"));
        }
    }
    text
}

/// Passes lines between the referee and the `botyard play` that started this process.
pub(crate) fn run_relay(args: &RelayArgs) -> anyhow::Result<ExitCode> {
    relay(&args.socket)?;
    Ok(ExitCode::SUCCESS)
}
