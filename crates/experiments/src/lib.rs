//! Experiments, which repeat the published tables of other authors. An experiment is a file with
//! the bots, the rules and the published figures ([`Experiment`]). Its rows are matches of
//! `botyard-runner` ([`RowPlan`], [`RowGames`]), whose figures are compared with the published ones
//! ([`RowFigures`]).

#![deny(clippy::unwrap_used)]

mod campaign;
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

pub use campaign::{Campaign, CampaignObserver};
pub use definition::{DefinitionError, Experiment, Published, Row, Statistic};
pub use estimate::{Estimate, Verdict};
pub use events::ExperimentEvent;
pub use figures::{Figure, RowFigures, Starts};
pub use game_result::GameResult;
pub use report::{Report, row_json, source};
pub use results_file::{Conditions, ResultsFile, RowConditions};
pub use row_games::{Results, RowGames};
pub use row_plan::{Asked, RowMatch, RowPlan};
