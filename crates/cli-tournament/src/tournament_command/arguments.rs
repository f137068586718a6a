//! Arguments of `botyard tournament`. Only the form of each argument is checked here.

use crate::store_arguments::{StoreArgs, share};
use botyard_cli::named_values::{Named, one_of};
use botyard_cli::quiet_arguments::QuietArgs;
use botyard_pages::Games;
use botyard_tournament::Form;
use clap::{Args, Subcommand};
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
    /// Submit a tournament to a store, from which workers play it
    Submit(SubmitArgs),
    /// List the tournaments of a store
    List(ListArgs),
    /// Show how far tournaments of a store are, and how their workers do
    Status(StatusArgs),
    /// Stop the games of a tournament of a store from being given to workers
    Hold(HoldArgs),
    /// Write a tournament of a store as a directory
    Export(ExportArgs),
}

/// `botyard tournament submit`.
#[derive(Debug, Args)]
#[command(after_help = "\
The bots are copied and started, and play the gate, on this host, as `run` does.
Then the tournament is in the store, with the copies, and workers play it.

Example:
  botyard tournament submit class.toml --store postgres://botyard@lab/botyard
  botyard worker --store postgres://botyard@lab/botyard")]
pub struct SubmitArgs {
    /// File that describes the tournament; paths in it are relative to its directory
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,

    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// ID of the tournament in the store [default: its name]
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,

    /// Share of blocks, from 0 to 1, that another worker plays again; `status` compares the results
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub recheck: f64,

    /// Number of games of the gate to play at once; overrides the file
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// The wait for a quiet host before the gate.
    #[command(flatten)]
    pub quiet: QuietArgs,

    /// Print events as JSON, one object per line, and nothing else
    #[arg(long)]
    pub json: bool,
}

/// `botyard tournament list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
}

/// `botyard tournament status`.
#[derive(Debug, Args)]
#[command(after_help = "\
Void games, losses by time and crashes of each worker are compared with those of
all others. Workers that differ by more than chance are named, with the p-value.
The residual of a worker is the largest deviation of a bot's points from those
of the same pairings on all workers, in standard deviations.

Examples:
  botyard tournament status class --store postgres://botyard@lab/botyard
  botyard tournament status --prometheus > /var/lib/node_exporter/botyard.prom")]
pub struct StatusArgs {
    /// ID of the tournament [default: all tournaments]
    #[arg(value_name = "ID")]
    pub tournament: Option<String>,

    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,

    /// Print metrics in the text format of Prometheus
    #[arg(long, conflicts_with = "json")]
    pub prometheus: bool,
}

/// `botyard tournament hold`.
#[derive(Debug, Args)]
pub struct HoldArgs {
    /// ID of the tournament
    #[arg(value_name = "ID")]
    pub tournament: String,

    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Give its games to workers again
    #[arg(long)]
    pub resume: bool,
}

/// `botyard tournament export`.
#[derive(Debug, Args)]
#[command(after_help = "\
The directory is like one of `tournament run`: with the results, the replays,
the copies of the bots, and the standings. `page`, `check`, `rejudge` and
`resume` work on it. conditions.csv has the worker of each game, with the speed
and the jitter of its host. The store is not changed.

Example:
  botyard tournament export class --store postgres://botyard@lab/botyard
  botyard tournament page class.tournament --open")]
pub struct ExportArgs {
    /// ID of the tournament
    #[arg(value_name = "ID")]
    pub tournament: String,

    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Write to this directory, which must be new or empty [default: ID.tournament in the current
    /// directory]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
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

    /// The wait for a quiet host before the gate.
    #[command(flatten)]
    pub quiet: QuietArgs,

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

    /// The wait for a quiet host before the gate.
    #[command(flatten)]
    pub quiet: QuietArgs,

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

    /// The wait for a quiet host before the gate.
    #[command(flatten)]
    pub quiet: QuietArgs,

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
    /// Directory of the tournament, or its ID in the store
    #[arg(value_name = "DIR|ID")]
    pub directory: PathBuf,

    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Output format
    #[arg(long, value_parser = one_of(FORMS), default_value = "table")]
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
    #[arg(long, value_parser = one_of(PAGE_GAMES), default_value = "faults")]
    pub games: Games,

    /// Write into a directory with other files; files of the same names are replaced
    #[arg(long)]
    pub force: bool,

    /// Open the standings in a browser
    #[arg(long)]
    pub open: bool,
}

/// The values of `--games`.
const PAGE_GAMES: &Named<Games> = &[
    (Games::None, "none", "No game"),
    (Games::Faults, "faults", "Games with a fault, at most 10 for each bot and 300 in all"),
    (Games::All, "all", "Every game with a replay"),
];

/// The values of `--format`.
const FORMS: &Named<Form> = &[
    (Form::Table, "table", "Text table"),
    (Form::Json, "json", "JSON"),
    (Form::Csv, "csv", "CSV"),
    (Form::Md, "md", "Markdown"),
    (Form::Html, "html", "Self-contained HTML page"),
];
