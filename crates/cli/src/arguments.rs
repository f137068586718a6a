//! The command line of `botyard`: its verbs and the top-level help.

use crate::adjudication_arguments::join_rules;
use crate::analyze::AnalyzeArgs;
use crate::bots_command::BotsArgs;
use crate::bridge_command::BridgeArgs;
use crate::build_command::BuildArgs;
use crate::check::CheckArgs;
use crate::coordinator_command::CoordinatorArgs;
use crate::egdb::EgdbArgs;
use crate::experiment::ExperimentArgs;
use crate::games_command::GamesArgs;
use crate::generate::GenerateArgs;
use crate::import::ImportArgs;
use crate::match_command::MatchArgs;
use crate::new::NewArgs;
use crate::perft::PerftArgs;
use crate::play::{PlayArgs, RelayArgs};
use crate::replay::ReplayArgs;
use crate::sandbox_command::SandboxArgs;
use crate::schema_command::SchemaArgs;
use crate::serve::ServeArgs;
use crate::site_command::SiteArgs;
use crate::store_command::StoreArgs;
use crate::submit::SubmitArgs;
use crate::test_command::TestArgs;
use crate::tournament_command::{TournamentArgs, TournamentVerb};
use crate::train::TrainArgs;
use crate::watch::WatchArgs;
use crate::worker_command::WorkerArgs;
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;

/// Hosts bots: a referee plays games between separate bot programs, in any language.
#[derive(Debug, Parser)]
#[command(
    name = "botyard",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Example:
  botyard match scotland-yard greedy random

Exit codes: 0 success, 1 a game or check failed, 2 wrong usage, 3 host failure."
)]
pub struct CommandLine {
    /// The verb.
    #[command(subcommand)]
    pub verb: Verb,
}

impl CommandLine {
    /// Parses a command line; the first word is the name of the program.
    ///
    /// # Errors
    ///
    /// The words are no command, or ask for help or the version.
    pub fn parse_words(
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<CommandLine, clap::Error> {
        CommandLine::try_parse_from(join_rules(words))
    }
}

/// The verbs of `botyard`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Play games between bots and print the score with its 95% interval
    Match(Box<MatchArgs>),
    /// Run, resume, rejudge or check a tournament, or print its standings
    Tournament(TournamentArgs),
    /// Play the tournaments of a store, with any number of other workers
    Worker(Box<WorkerArgs>),
    /// Serve a store to workers that have tokens and no database credentials
    Coordinator(Box<CoordinatorArgs>),
    /// Copy stores of tournaments, or simulate how many workers one carries
    Store(StoreArgs),
    /// Test whether a new version of a bot is better (sequential probability ratio test)
    Test(Box<TestArgs>),
    /// Play against bots in the terminal
    Play(Box<PlayArgs>),
    /// List the games, or show the presets and rules of one game
    Games(GamesArgs),
    /// List the built-in bots, the games they play and their options
    Bots(BotsArgs),
    /// Create the project of a new bot
    New(NewArgs),
    /// Build a bot from its source files, in the sandbox
    Build(BuildArgs),
    /// Check a bot: the protocol, its clock, its files
    Check(Box<CheckArgs>),
    /// Analyze a recorded game with a bot: its estimates and the mistakes
    Analyze(Box<AnalyzeArgs>),
    /// Run an engine that speaks Hub, DXP or a UCI for draughts as a bot
    Bridge(BridgeArgs),
    /// Show which sandbox tiers this host supports
    Sandbox(SandboxArgs),
    /// List the JSON Schemas, or print one
    Schema(SchemaArgs),
    /// Serve pages that follow running games, on this host only
    Watch(WatchArgs),
    /// Serve the site of a class: submissions, a ladder, a final and grades
    Serve(ServeArgs),
    /// Submit a bot to the site of a class, and print its log until the verdict
    Submit(SubmitArgs),
    /// Back up, restore or archive the site of a class, or delete its personal data
    Site(SiteArgs),
    /// Print, verify or export a recorded game
    Replay(ReplayArgs),
    /// Check game records of other programs against the rules, or convert them to replays
    Import(ImportArgs),
    /// Count the move sequences from a position, to test and time a move generator
    Perft(PerftArgs),
    /// Train the weights of a learned evaluation
    Train(TrainArgs),
    /// Build, check and probe endgame tables of draughts
    Egdb(EgdbArgs),
    /// Repeat published experiments and compare the results
    Experiment(ExperimentArgs),
    /// Generate shell completions, man pages or reference pages
    Generate(GenerateArgs),
    /// Run a built-in bot on standard input and output
    #[command(hide = true)]
    Bot(BotArgs),
    /// Connect the person of a `botyard play` to its referee
    #[command(hide = true)]
    Relay(RelayArgs),
}

impl Verb {
    /// Returns whether the files that the verb writes are as readable as the umask says: bots and their
    /// weights, pages, tables, and what was played from published seeds. The files of every other verb
    /// may have secrets, bundles or personal data, and are for their owner alone.
    pub fn is_for_all(&self) -> bool {
        match self {
            Verb::New(_) | Verb::Build(_) | Verb::Train(_) | Verb::Egdb(_) => true,
            Verb::Schema(_) | Verb::Generate(_) => true,
            Verb::Import(_) | Verb::Experiment(_) | Verb::Replay(_) => true,
            Verb::Tournament(args) => matches!(args.verb, TournamentVerb::Page(_)),
            // They are bots, or belong to one.
            Verb::Bot(_) | Verb::Bridge(_) | Verb::Relay(_) => true,
            _ => false,
        }
    }
}

/// `botyard bot`.
#[derive(Debug, Args)]
pub struct BotArgs {
    /// Name of the bot
    pub name: String,
}
