//! Arguments of `botyard tournament`. Only the form of each argument is checked here.

use botyard_runner::tournament;
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

Examples:
  botyard tournament run class.toml
  botyard tournament resume class.tournament
  botyard tournament standings class.tournament --format html > standings.html
  botyard tournament page class.tournament --open

docs/do/host-a-competition.md is a guide in ten steps;
docs/reference/tournament-file.md lists every key of the file.")]
pub struct TournamentArgs {
    /// The verb.
    #[command(subcommand)]
    pub verb: TournamentVerb,
}

/// The verbs of `botyard tournament`.
#[derive(Debug, Subcommand)]
pub enum TournamentVerb {
    /// Run the tournament that a file describes
    Run(RunArgs),
    /// Resume an interrupted tournament
    Resume(ResumeArgs),
    /// Enter a new version of a bot, and play its games
    Update(UpdateArgs),
    /// Add games, late bots or repaired bots, and play the new games
    Extend(ExtendArgs),
    /// Rejudge games: play them again, compare the results, then apply or drop them
    Rejudge(RejudgeArgs),
    /// Print the standings, also of a running tournament
    Standings(StandingsArgs),
    /// Make web pages of the standings, of each bot and of games
    Page(PageArgs),
    /// Compare the results with the replays, game by game
    Check(CheckArgs),
    /// Rebuild the results from the replays
    Recover(RecoverArgs),
}

/// `botyard tournament run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// File that describes the tournament; paths in it are relative to its directory
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,

    /// Save the results in this directory, which must be new or empty [default: FILE.tournament in
    /// the current directory]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Concurrency and output.
    #[command(flatten)]
    pub running: Running,
}

/// `botyard tournament resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// Directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Resume a tournament of version 0.1.0, which has no copies, even if a bot's program, the
    /// openings or the rules have changed since it started
    #[arg(long)]
    pub accept_changes: bool,

    /// Concurrency and output.
    #[command(flatten)]
    pub running: Running,
}

/// `botyard tournament update`.
#[derive(Debug, Args)]
#[command(after_help = "\
Copies the bot again from the place in the tournament file. The new version must
pass the gate, if there is one, and plays all its games under a new name
(`anna v2`). Games of the old version stay in the store and are listed below the
standings, but no longer count.

Example:
  botyard tournament update class.tournament anna")]
pub struct UpdateArgs {
    /// Directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Name of the bot in the tournament file
    #[arg(value_name = "BOT")]
    pub bot: String,

    /// Path of the tournament file, if it has moved
    #[arg(long, value_name = "FILE.toml")]
    pub file: Option<PathBuf>,

    /// Concurrency and output.
    #[command(flatten)]
    pub running: Running,
}

/// `botyard tournament extend`.
#[derive(Debug, Args)]
#[command(after_help = "\
Edit the tournament file first: write a larger number of blocks (or of rounds in
a Swiss tournament), add [[bot]] entries, or repair a bot that the gate
rejected. New bots must pass the gate, if there is one, and play as many games
as the others. Every other change in the file is refused, line by line.

Example:
  botyard tournament extend class.tournament")]
pub struct ExtendArgs {
    /// Directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Path of the tournament file, if it has moved
    #[arg(long, value_name = "FILE.toml")]
    pub file: Option<PathBuf>,

    /// Concurrency and output.
    #[command(flatten)]
    pub running: Running,
}

/// `botyard tournament rejudge`.
#[derive(Debug, Args)]
#[command(after_help = "\
The games are played again under new IDs. Nothing changes until --apply, and the
old results are always kept. To resume an interrupted rejudge, run the same
command without selecting games.

Examples:
  botyard tournament rejudge class.tournament --bot anna --reason \"disk full\"
  botyard tournament rejudge class.tournament --apply")]
pub struct RejudgeArgs {
    /// Directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Select all games of this bot; may be repeated
    #[arg(long = "bot", value_name = "NAME", conflicts_with = "settle")]
    pub bots: Vec<String>,

    /// Select a game by its ID, with all other games of its block; may be repeated
    #[arg(long = "game", value_name = "ID", conflicts_with = "settle")]
    pub games: Vec<String>,

    /// Select all games with a fault
    #[arg(long, conflicts_with = "settle")]
    pub faults: bool,

    /// Reason, for the record
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,

    /// Apply or drop.
    #[command(flatten)]
    pub settle: Settle,

    /// Concurrency and output.
    #[command(flatten)]
    pub running: Running,
}

/// What to do with the results of rejudged games.
#[derive(Clone, Copy, Debug, Args)]
#[group(id = "settle", multiple = false)]
pub struct Settle {
    /// Replace the old results with the new ones; every selected game must have a result
    #[arg(long)]
    pub apply: bool,

    /// Keep the old results and drop the new ones
    #[arg(long)]
    pub drop: bool,
}

/// Options that do not affect the games.
#[derive(Clone, Copy, Debug, Args)]
pub struct Running {
    /// Number of games to play at once; overrides the file
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// Print events as JSON, one object per line, and nothing else
    #[arg(long)]
    pub json: bool,
}

/// `botyard tournament check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Compares every row of the store with its checksum and its replay, and the copy
of every bot with its digest. Checks every replay against the rules.

Example:
  botyard tournament check class.tournament

Exit code: 0 if nothing differs, 1 otherwise.")]
pub struct CheckArgs {
    /// Directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// `botyard tournament recover`.
#[derive(Debug, Args)]
#[command(after_help = "\
The new store has every game with a sound replay or an intact row. The damaged
store is kept beside it. `resume` then plays the games without a result.

Example:
  botyard tournament recover class.tournament

Exit code: 0 if everything was recovered, 1 otherwise.")]
pub struct RecoverArgs {
    /// Directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// `botyard tournament standings`.
#[derive(Debug, Args)]
pub struct StandingsArgs {
    /// Directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Output format
    #[arg(long, value_enum, default_value_t = Form::Table)]
    pub format: Form,
}

/// `botyard tournament page`.
#[derive(Debug, Args)]
#[command(after_help = "\
The pages are files that need no server and load nothing: index.html with the
standings, a page for each bot, and pages of games. Run the command again to
update them, also while the tournament is running.

The pages have no ID of a student and no standard error of a bot in a game. A
page of a game shows the whole game: publish it when the tournament is over.

Examples:
  botyard tournament page class.tournament --open
  botyard tournament page class.tournament -o site --games all")]
pub struct PageArgs {
    /// Directory of the tournament
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Write the pages to this directory, which must be new, empty, or made by this command
    /// [default: NAME.pages in the current directory]
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,

    /// Games that get a page
    #[arg(long, value_enum, default_value_t = PageGames::Faults)]
    pub games: PageGames,

    /// Write into a directory with other files; files of the same names are replaced
    #[arg(long)]
    pub force: bool,

    /// Open the standings in a browser
    #[arg(long)]
    pub open: bool,
}

/// The games that get a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PageGames {
    /// No game
    None,
    /// Games with a fault, at most 10 for each bot and 300 in all
    Faults,
    /// Every game with a replay
    All,
}

impl From<PageGames> for botyard_pages::Games {
    fn from(games: PageGames) -> botyard_pages::Games {
        match games {
            PageGames::None => botyard_pages::Games::None,
            PageGames::Faults => botyard_pages::Games::Faults,
            PageGames::All => botyard_pages::Games::All,
        }
    }
}

/// The output formats of standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Text table
    Table,
    /// JSON
    Json,
    /// CSV
    Csv,
    /// Markdown
    Md,
    /// Self-contained HTML page
    Html,
}

impl From<Form> for tournament::Form {
    fn from(form: Form) -> tournament::Form {
        match form {
            Form::Table => tournament::Form::Table,
            Form::Json => tournament::Form::Json,
            Form::Csv => tournament::Form::Csv,
            Form::Md => tournament::Form::Md,
            Form::Html => tournament::Form::Html,
        }
    }
}
