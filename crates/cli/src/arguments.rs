//! The verbs of `botyard`, with those of its companions.

use crate::analyze::{self, AnalyzeArgs};
use crate::bots_command::{self, BotsArgs};
use crate::build_command::{self, BuildArgs};
use crate::check::{self, CheckArgs};
use crate::check_game::{self, CheckGameArgs};
use crate::companions::{self, OfCompanion};
use crate::games_command::{self, GamesArgs};
use crate::import::{self, ImportArgs};
use crate::match_command::{self, MatchArgs};
use crate::new::{self, NewArgs};
use crate::new_game::{self, NewGameArgs};
use crate::play::{self, PlayArgs, RelayArgs};
use crate::program::Verbs;
use crate::replay::{self, ReplayArgs};
use crate::sandbox_command::{self, SandboxArgs};
use crate::test_command::{self, TestArgs};
use botyard_bots::catalogue;
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// The verbs of `botyard`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Play games between bots and print the score with its 95% interval
    Match(Box<MatchArgs>),
    /// Run, resume, rejudge or check a tournament, or print its standings
    Tournament(OfCompanion),
    /// Play the tournaments of a store, with any number of other workers
    Worker(OfCompanion),
    /// Serve a store to workers that have tokens and no database credentials
    Coordinator(OfCompanion),
    /// Copy stores of tournaments, or simulate how many workers one carries
    Store(OfCompanion),
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
    /// Create the project of a new game, whose rules are a program
    NewGame(NewGameArgs),
    /// Build a bot from its source files, in the sandbox
    Build(BuildArgs),
    /// Check a bot: the protocol, its clock, its files
    Check(Box<CheckArgs>),
    /// Check a game whose rules are a program: its answers, its secrets, its draws
    CheckGame(Box<CheckGameArgs>),
    /// Analyze a recorded game with a bot: its estimates and the mistakes
    Analyze(Box<AnalyzeArgs>),
    /// Run an engine that speaks Hub, DXP or a UCI for draughts as a bot
    Bridge(OfCompanion),
    /// Show which sandbox tiers this host supports
    Sandbox(SandboxArgs),
    /// List the JSON Schemas, or print one
    Schema(OfCompanion),
    /// Serve pages that follow running games, on this host only
    Watch(OfCompanion),
    /// Serve the site of a class: submissions, a ladder, a final and grades
    Serve(OfCompanion),
    /// Submit a bot to the site of a class, and print its log until the verdict
    Submit(OfCompanion),
    /// Back up, restore or archive the site of a class, or delete its personal data
    Site(OfCompanion),
    /// Print, verify or export a recorded game
    Replay(ReplayArgs),
    /// Check game records of other programs against the rules, or convert them to replays
    Import(ImportArgs),
    /// Count the move sequences from a position, to test and time a move generator
    Perft(OfCompanion),
    /// Train the weights of a learned evaluation
    Train(OfCompanion),
    /// Build, check and probe endgame tables of draughts
    Egdb(OfCompanion),
    /// Repeat published experiments and compare the results
    Experiment(OfCompanion),
    /// Generate shell completions, man pages or reference pages
    Generate(OfCompanion),
    /// Run a built-in bot on standard input and output
    #[command(hide = true)]
    Bot(BotArgs),
    /// Connect the person of a `botyard play` to its referee
    #[command(hide = true)]
    Relay(RelayArgs),
}

impl Verbs for Verb {
    const OF_COMPANION: bool = false;

    fn companion(&self) -> Option<&'static str> {
        match self {
            Verb::Bridge(_) => Some(companions::BRIDGE),
            Verb::Watch(_) => Some(companions::LIVE),
            Verb::Match(args) if args.watch.is_some() => Some(companions::LIVE),
            Verb::Play(args) if args.browser => Some(companions::LIVE),
            Verb::Schema(_) | Verb::Generate(_) => Some(companions::REFERENCE),
            Verb::Serve(_) | Verb::Submit(_) | Verb::Site(_) => Some(companions::SITE),
            Verb::Perft(_) | Verb::Train(_) | Verb::Egdb(_) | Verb::Experiment(_) => {
                Some(companions::TRAINING)
            }
            Verb::Tournament(_) => Some(companions::TOURNAMENT),
            Verb::Worker(_) | Verb::Coordinator(_) | Verb::Store(_) => Some(companions::WORKERS),
            _ => None,
        }
    }

    fn is_for_all(&self) -> bool {
        match self {
            Verb::New(_)
            | Verb::NewGame(_)
            | Verb::Build(_)
            | Verb::Import(_)
            | Verb::Replay(_) => true,
            // They are bots, or belong to one.
            Verb::Bot(_) | Verb::Relay(_) => true,
            _ => false,
        }
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Verb::Match(args) => match_command::run(args),
            Verb::Test(args) => test_command::run(args),
            Verb::Play(args) => play::run(args),
            Verb::Games(args) => games_command::run(args),
            Verb::Bots(args) => bots_command::run(args),
            Verb::New(args) => new::run(args),
            Verb::NewGame(args) => new_game::run(args),
            Verb::Build(args) => build_command::run(args),
            Verb::Check(args) => check::run(args),
            Verb::CheckGame(args) => check_game::run(args),
            Verb::Analyze(args) => analyze::run(args),
            Verb::Sandbox(args) => sandbox_command::run(args),
            Verb::Replay(args) => replay::run(args),
            Verb::Import(args) => import::run(args),
            Verb::Relay(args) => play::run_relay(args),
            Verb::Bot(args) => Ok(catalogue::run(&args.name)),
            Verb::Tournament(_)
            | Verb::Worker(_)
            | Verb::Coordinator(_)
            | Verb::Store(_)
            | Verb::Bridge(_)
            | Verb::Schema(_)
            | Verb::Watch(_)
            | Verb::Serve(_)
            | Verb::Submit(_)
            | Verb::Site(_)
            | Verb::Perft(_)
            | Verb::Train(_)
            | Verb::Egdb(_)
            | Verb::Experiment(_)
            | Verb::Generate(_) => unreachable!("a companion has run it"),
        }
    }
}

/// `botyard bot`.
#[derive(Debug, Args)]
pub struct BotArgs {
    /// Name of the bot
    pub name: String,
}
