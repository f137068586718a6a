//! Experiments, which repeat the published tables of other authors. An experiment is a file with
//! the bots, the rules and the published figures ([`Experiment`]). Its rows are matches of
//! `botyard-runner` ([`RowPlan`], [`RowGames`]), whose figures are compared with the published ones
//! ([`RowFigures`]).
//!
//! ```
//! use botyard_experiments::Experiment;
//!
//! let text = r#"
//!     name = "small"
//!     title = "A searching bot against a random one"
//!     source = "unpublished"
//!     about = "How often the search wins."
//!     unclear = "Nothing."
//!     game = "scotland-yard"
//!     preset = "grid-5x5-2"
//!     games = 100
//!     label = "Mr. X / agents"
//!
//!     [[row]]
//!     label = "random/search"
//!     bots = { mr-x = "random", detectives = "mcts:iterations=50" }
//!     seconds_a_game = 0.1
//!     figures = [{ statistic = "win-percent", seat = "detectives", value = 80, games = 1000 }]
//! "#;
//! let experiment = Experiment::read("small.toml", text)?;
//! assert_eq!(experiment.games_of(experiment.row("random/search")?), 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod asked_again;
mod campaign;
mod definition;
mod description;
mod description_text;
mod distribution;
mod drawing;
mod estimate;
mod events;
mod figures;
mod game_result;
mod recorded;
mod report;
mod results_file;
mod results_links;
mod results_page;
mod results_run;
mod results_table;
mod row_games;
mod row_plan;
pub mod shipped;
mod start_class;

pub use campaign::{Campaign, CampaignObserver};
pub use definition::{DefinitionError, Experiment, Published, Row, Statistic};
pub use description_text::list_of_experiments;
pub use distribution::Distribution;
pub use estimate::{Estimate, Verdict};
pub use events::ExperimentEvent;
pub use figures::{Figure, RowFigures, Starts};
pub use game_result::GameResult;
pub use recorded::Recorded;
pub use report::{Report, row_json, source};
pub use results_file::{Conditions, ResultsFile, RowConditions};
pub use results_page::{Played, results_page};
pub use row_games::{Results, RowGames};
pub use row_plan::{Asked, RowMatch, RowPlan};
