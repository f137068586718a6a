//! What `botyard tournament` takes. Only the form of each argument is checked here.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `botyard tournament`.
#[derive(Debug, Args)]
#[command(after_help = "\
A tournament is a file:

  game = \"draughts\"
  format = \"round-robin\"        # or gauntlet, swiss, knockout
  blocks = 20                   # each pair plays 20 starts, with both colours

  [[bot]]
  command = \"alpha-beta:depth=5\"
  [[bot]]
  name = \"mine\"
  command = \"python3 mine.py\"

Example:
  botyard tournament run class.toml
  botyard tournament resume class.tournament
  botyard tournament standings class.tournament --format html > standings.html

docs/hosting.md tells how to host a competition, and every key of the file.")]
pub struct TournamentArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: TournamentVerb,
}

/// What can be done with a tournament.
#[derive(Debug, Subcommand)]
pub enum TournamentVerb {
    /// Play the tournament that a file describes
    Run(RunArgs),
    /// Go on with a tournament that was broken off, however it was
    Resume(ResumeArgs),
    /// Judge games anew: play them again, see what that changes, then apply it or not
    Rejudge(RejudgeArgs),
    /// Print the standings, also while it is played
    Standings(StandingsArgs),
    /// Compare the results with the replays, game by game
    Check(CheckArgs),
    /// Rebuild the results from the replays
    Recover(RecoverArgs),
}

/// `botyard tournament run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The file that describes the tournament; paths in it are relative to it
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,

    /// Keep the results in this new or empty directory [default: FILE.tournament, where you are]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// How it is run.
    #[command(flatten)]
    pub running: Running,
}

/// `botyard tournament resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Go on even where a bot's program, the openings or the rules are others than at the beginning
    #[arg(long)]
    pub accept_changes: bool,

    /// How it is run.
    #[command(flatten)]
    pub running: Running,
}

/// `botyard tournament rejudge`.
#[derive(Debug, Args)]
#[command(after_help = "\
The games are played again under new ids. Until --apply nothing changes, and the old results are kept in
any case. What was broken off is gone on with by the same command without a choice of games.

Example:
  botyard tournament rejudge class.tournament --bot anna --reason \"her machine was on fire\"
  botyard tournament rejudge class.tournament --apply")]
pub struct RejudgeArgs {
    /// The directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// All games of this bot; may be repeated
    #[arg(long = "bot", value_name = "NAME", conflicts_with = "settle")]
    pub bots: Vec<String>,

    /// This game, by its id; may be repeated. All others of its block are judged with it
    #[arg(long = "game", value_name = "ID", conflicts_with = "settle")]
    pub games: Vec<String>,

    /// All games in which a bot failed
    #[arg(long, conflicts_with = "settle")]
    pub faults: bool,

    /// Why, for the record
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,

    /// Settle it.
    #[command(flatten)]
    pub settle: Settle,

    /// How it is run.
    #[command(flatten)]
    pub running: Running,
}

/// What becomes of games that were judged anew.
#[derive(Clone, Copy, Debug, Args)]
#[group(id = "settle", multiple = false)]
pub struct Settle {
    /// The new results take the place of the old ones, once all games have one
    #[arg(long)]
    pub apply: bool,

    /// The old results stay
    #[arg(long)]
    pub drop: bool,
}

/// What does not change the games.
#[derive(Clone, Copy, Debug, Args)]
pub struct Running {
    /// How many games are played at once, whatever the file says
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// Print events for a program to read, one JSON object a line, and nothing else
    #[arg(long)]
    pub json: bool,
}

/// `botyard tournament check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every row of the store is compared with its checksum and with its replay, and every replay is played through
the rules. The exit code is 1 if anything differs.

Example:
  botyard tournament check class.tournament")]
pub struct CheckArgs {
    /// The directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// `botyard tournament recover`.
#[derive(Debug, Args)]
#[command(after_help = "\
The new store has every game that has a sound replay or an intact row. The damaged one is kept beside it. The
exit code is 1 if something could not be recovered; `resume` plays games that have no result.

Example:
  botyard tournament recover class.tournament")]
pub struct RecoverArgs {
    /// The directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// `botyard tournament standings`.
#[derive(Debug, Args)]
pub struct StandingsArgs {
    /// The directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// In which form
    #[arg(long, value_enum, default_value_t = Form::Table)]
    pub format: Form,
}

/// The forms of standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For a terminal
    Table,
    /// For a program
    Json,
    /// For a spreadsheet
    Csv,
    /// For a page that is written by hand
    Md,
    /// A page by itself
    Html,
}
