//! A runner for many games: it turns a [`Config`] into a [`Plan`], plays its games on worker
//! threads and reports them to an [`Observer`]. It parses no command line and prints nothing.
//!
//! A front end makes a configuration from what its user wrote, lists the [`Programs`] that come
//! with it, and passes a source of games ([`GameSource`]) and an observer to [`run`]. The referee
//! plays every game. A game that the host made void is repeated, by the same rule in every command.
//!
//! ```no_run
//! use botyard_runner::{
//!     Config, Error, Games, Interrupt, MatchGames, MatchRecord, Observer, Plan, Programs, run,
//! };
//!
//! struct Lines;
//!
//! impl<'a> Observer<MatchGames<'a>> for Lines {
//!     fn ended(&mut self, _: &MatchGames<'a>, record: MatchRecord) -> Result<(), Error> {
//!         if let MatchRecord::Next(games) = record {
//!             games.iter().for_each(|game| println!("{}: {:?}", game.game.id, game.report.outcome));
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let programs = Programs::of_botyard("target/release/botyard")?;
//! let bots = vec!["greedy".to_string(), "./hounds".to_string()];
//! let config = Config { games: Games::Number(100), ..Config::new("scotland-yard", bots) };
//! let plan = Plan::new(&config, &programs)?;
//! let interrupt = Interrupt::on_signals().map_err(Error::host)?;
//! let mut games = MatchGames::new(&plan, false, &interrupt);
//! let stopped = run(&plan, &mut games, &mut Lines, None, &interrupt)?;
//! println!("{:?} after {} games", stopped, games.tally.counted);
//! # Ok::<(), Error>(())
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod adjudication;
mod announcement;
pub mod bots;
#[cfg_attr(not(target_os = "linux"), path = "capacity_elsewhere.rs")]
mod capacity;
mod compression;
mod concurrency;
mod concurrency_limit;
mod config;
mod containment;
mod error;
mod error_report;
pub mod events;
mod first_start;
mod free_space;
mod game_limits;
mod game_list;
pub mod game_manifest;
mod game_models;
mod game_player;
pub mod game_programs;
mod game_text;
mod host_text;
mod import;
pub mod installed_games;
mod json_lines;
mod match_games;
mod message;
mod opening_file;
mod pending_games;
mod plan;
mod planned_bot;
pub mod play;
mod played_game;
mod pool;
mod process_lock;
mod programs;
mod quiet_host;
mod rule_files;
mod run_observer;
mod searches;
mod sequential;
pub mod settings;
mod spectator;
mod stderr_excerpt;
mod tally;
mod tally_text;
mod void_games;
pub mod words;

pub use adjudication::{adjudicated_in_words, adjudicator};
pub use botyard_league::schedule::{Draws, ScheduledGame};
pub use botyard_protocol::{
    ClockKind, DrawRule, EndOutcome, Fault, Limits, OnFault, OptionSpec, OutcomeKind, ResignRule,
};
pub use botyard_referee::{Backend, GameReport, HostGauge, Interrupt, Progress};
pub use botyard_sandbox::{Launcher, Tier};
pub use compression::{NotCompressed, compress_replay};
pub use concurrency_limit::{ConcurrencyChange, ConcurrencyLimit};
pub use config::{
    AdjudicationConfig, BetweenTurns, BotOption, Config, ContainmentConfig, DEFAULT_MOVE_MS,
    EgdbSource, Games, GivenSeed, MOST_GAMES, OwnTime, OwnTimeKind, Replays, RunConfig, Sandbox,
    StartConfig, TimeConfig, secret_draws,
};
pub use containment::passed_by_bots;
pub use error::Error;
pub use events::MatchEvent;
pub use first_start::{FirstStart, first_start};
pub use free_space::free_space;
pub use game_limits::GameLimits;
pub use game_list::{game_as_json, game_in_words, list_of_games, list_of_installed};
pub use game_player::PlayedGame;
pub use game_text::GameText;
pub use host_text::host_in_words;
pub use import::{Agreed, Import, Imported, NotImported};
pub use json_lines::JsonLines;
pub use match_games::{MatchGames, MatchRecord, NumberedGames, start_failure};
pub use message::{Message, Piece};
pub use pending_games::PendingGames;
pub use plan::{Plan, read_openings, rules_in_words, tables, tables_within};
pub use planned_bot::PlannedBot;
pub use played_game::played_game;
pub use pool::{GameSource, Observer, Steps, run, run_on};
pub use process_lock::locked_within;
pub use programs::{
    BuiltIn, Candidate, CheckCandidate, LAUNCHER_ARGUMENT, LoadEndgames, Programs, advice,
    no_checks, no_endgames, no_notice,
};
pub use quiet_host::{QuietHost, await_quiet_host};
pub use run_observer::RunObserver;
pub use searches::Searches;
pub use sequential::{TestEvent, TestGames, TestState};
pub use spectator::{Sight, Spectator};
pub use tally::{BotTally, FirstFault, Tally};
pub use void_games::REPEATS_OF_VOID;
