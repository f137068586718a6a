//! The whole system as its users meet it: the command `botyard` with real bot processes, in Rust,
//! Python and JavaScript. Each test runs in a directory of its own.

mod bot_clocks;
mod build;
mod bundles;
mod closed_pipes;
mod command;
mod dice_wars;
mod egdb;
mod experiments;
mod failing_bots;
mod hosting;
mod interruption;
mod kits;
mod languages;
mod learn;
mod listings;
mod matches;
mod openings;
mod perft;
mod play;
mod processes;
mod reference;
mod replays;
mod sandbox;
mod secrets;
mod sequential_test;
mod stalls;
mod start_failures;
mod submissions;
mod tournament_store;
mod tournaments;
mod training;
mod usage;
mod void_games;
