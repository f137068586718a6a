//! The whole system as its users meet it: the command `botyard` with real bot processes, in Rust,
//! Python and JavaScript. Each test runs in a directory of its own.

mod command;
mod failing_bots;
mod interruption;
mod languages;
mod listings;
mod matches;
mod replays;
mod usage;
