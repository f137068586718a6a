//! The command line of `botyard`: its verbs, and what each of them takes. Parsing and the words of
//! the help, nothing else.

use crate::bots_command::BotsArgs;
use crate::build_command::BuildArgs;
use crate::egdb::EgdbArgs;
use crate::experiment::ExperimentArgs;
use crate::games_command::GamesArgs;
use crate::import::ImportArgs;
use crate::match_command::MatchArgs;
use crate::perft::PerftArgs;
use crate::play::{PlayArgs, RelayArgs};
use crate::replay::ReplayArgs;
use crate::sandbox_command::SandboxArgs;
use crate::schema_command::SchemaArgs;
use crate::test_command::TestArgs;
use crate::tournament_command::TournamentArgs;
use crate::train::TrainArgs;
use clap::{Args, Parser, Subcommand};

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

Exit codes: 0 done, 1 a game or check failed, 2 wrong usage, 3 the host could not do it."
)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What `botyard` can do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Play games between bots; print the score with its interval
    Match(Box<MatchArgs>),
    /// Play a tournament that a file describes; go on with it, show its standings
    Tournament(TournamentArgs),
    /// Is a new version of a bot better? Play pairs of games until that is known
    Test(Box<TestArgs>),
    /// Play against bots yourself, at the terminal
    Play(Box<PlayArgs>),
    /// List the games, or one game's rules and presets
    Games(GamesArgs),
    /// List the built-in bots, the games they play and their options
    Bots(BotsArgs),
    /// Build a bot from its sources, in the sandbox
    Build(BuildArgs),
    /// How strongly can bots be contained here?
    Sandbox(SandboxArgs),
    /// List the JSON Schemas, or print one
    Schema(SchemaArgs),
    /// Show a recorded game, check it, or make a copy of it
    Replay(ReplayArgs),
    /// Play other programs' game records through the rules
    Import(ImportArgs),
    /// Count the sequences of moves from a position: is a move generator right, and how fast?
    Perft(PerftArgs),
    /// Make the weights of a learned evaluation
    Train(TrainArgs),
    /// Build, check and probe endgame tables of draughts
    Egdb(EgdbArgs),
    /// Play the sources' experiments again: our figures beside the published ones
    Experiment(ExperimentArgs),
    /// Be a built-in bot, on standard input and output
    #[command(hide = true)]
    Bot(BotArgs),
    /// Be the person of a `botyard play` to its referee
    #[command(hide = true)]
    Relay(RelayArgs),
}

/// `botyard bot`.
#[derive(Debug, Args)]
pub struct BotArgs {
    /// The bot's name
    pub name: String,
}
