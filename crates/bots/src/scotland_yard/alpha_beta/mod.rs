//! Scotland Yard by alpha-beta: the game with Mr. X's station known, or with all his candidates, as
//! games that [`botyard_search::turns`] searches, and the bots' agents that decide by them. The
//! values of positions come from an [`Evaluation`].

mod agent;
pub(super) mod evaluation;
mod hidden_game;
pub(super) mod open_game;
mod sova_agent;
mod sova_evaluation;

pub use agent::{AlphaBetaAgent, AlphaBetaSettings, Hidden};
pub use evaluation::Closeness;
pub use hidden_game::{Aggregate, HiddenGame, HiddenScene};
pub use open_game::{Evaluation, OpenGame};
pub use sova_agent::{SovaAgent, SovaLimits};
pub use sova_evaluation::{SovaEvaluation, SovaReadings};
