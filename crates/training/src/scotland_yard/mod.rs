//! Training of the [network](botyard_bots::scotland_yard::Network) that predicts the end of a game of Scotland Yard:
//! games of `mcts` against itself are played and kept ([`play_game`]), and the weights are fitted to
//! their ends ([`fit`]), or [habits](botyard_bots::scotland_yard::Habits) to the steps of Mr. X ([`fit_habits`]). `botyard
//! train scotland-yard` runs all.
//!
//! Whole games are kept instead of the network's inputs, so that they stay useful when the inputs
//! change.

mod arena;
mod descent;
mod example_set;
mod examples;
mod fit;
mod fit_habits;
mod habit_examples;
mod habits_training;
mod mcts_options;
mod recorded_game;
mod self_play;
mod steps;

pub use arena::Arena;
pub use example_set::{Example, ExampleSet};
pub use examples::{EndExample, Examples};
pub use fit::{Fit, error, fit};
pub use fit_habits::fit_habits;
pub use habit_examples::{HabitExample, HabitExamples};
pub use habits_training::HabitsTraining;
pub use mcts_options::MctsOptions;
pub use recorded_game::{InvalidGames, RecordedGame, read_games, write_game};
pub use self_play::{SelfPlay, play_game};
pub use steps::{AnyEvaluator, Play, ScotlandYardTraining};
