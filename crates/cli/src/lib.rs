//! The command line of `botyard`: parses arguments, calls the library crates and prints; rules,
//! processes, clocks and replays belong to those crates. The program is [`run`] of [`Verb`]. Its
//! [companions] have crates of their own with their verbs, and share the public modules with
//! it: arguments, text, files and exit codes.
//!
//! A verb is a function of its module. It returns its exit code or an error: wrong arguments, files
//! that cannot be used, a failure of the host, or an output that cannot be written. `failure` maps
//! errors to exit codes.

#![warn(unreachable_pub)]
// A closed pipe (`| head`) is an error to be handled, not a panic: see `text`.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod adjudication_arguments;
mod analyze;
mod arguments;
pub mod bars;
mod bot_option_arguments;
mod bots_command;
mod build_command;
mod check;
mod check_game;
pub mod companions;
mod conditions;
mod containment_arguments;
pub mod failure;
pub mod files;
mod game_facets;
mod games_command;
pub mod help;
mod import;
pub mod installed;
pub mod match_command;
pub mod named_values;
mod new;
mod new_game;
mod picture;
pub mod play;
mod program;
pub mod quiet_arguments;
pub mod replay;
pub mod review;
mod sandbox_command;
pub mod signals;
pub mod start;
mod test_command;
pub mod text;
pub mod time_arguments;
mod wire_arguments;
mod words_of_values;

pub use arguments::Verb;
pub use program::{CommandLine, Verbs, run};
