//! The result tables of the sources, played again: an experiment is a file that says who plays whom under
//! which rules and what was published ([`Experiment`]); its rows are matches of `botyard-runner`
//! ([`RowPlan`], [`RowGames`]); what they come to is compared with what was published ([`RowFigures`]).

#![deny(clippy::unwrap_used)]

mod definition;
mod description;
mod estimate;
mod events;
mod figures;
mod game_result;
mod report;
mod results_file;
mod row_games;
mod row_plan;
pub mod shipped;
mod start_class;

pub use definition::{DefinitionError, Experiment, Published, Row, Statistic};
pub use estimate::{Estimate, Verdict};
pub use events::ExperimentEvent;
pub use figures::{Figure, RowFigures, Starts};
pub use game_result::GameResult;
pub use report::{Report, conditions_in_words, row_json, source};
pub use results_file::{Conditions, ResultsFile, RowConditions};
pub use row_games::{Results, RowGames};
pub use row_plan::{Asked, RowMatch, RowPlan, open_results, row_conditions};
