//! The bots' knowledge of Scotland Yard: beliefs about Mr. X's station, evaluations, playout
//! policies, move filters and openings. The rules are the engine's; the search is
//! [`botyard_search::mcts`].

mod agent;
pub mod alpha_beta;
mod assignment;
mod averaging;
mod belief;
mod board_tables;
mod cutoff;
mod evasion;
mod features;
mod habits;
pub mod joint_moves;
pub mod max_n;
mod move_filter;
pub mod mr_x_steps;
pub mod network;
mod opening;
mod percent;
mod playout_policy;
mod simulation;
mod simulation_state;
mod station_bits;
mod step_chances;
mod suspicion;
pub mod weights;
mod with_board_tables;

pub use agent::{MctsAgent, Play};
pub use assignment::Assignment;
pub use belief::{Belief, Chasers, Determinization, LIKELIHOOD, category};
pub use board_tables::{BoardTables, DetectiveDistances, UNREACHABLE};
pub use cutoff::{Cutoff, Cutoffs};
pub use evasion::Evasion;
pub use features::{FEATURES, FeatureReader, Features};
pub use habits::Habits;
pub use move_filter::keep_worthwhile;
pub use network::{Chance, Network};
pub use opening::{Opening, opening_step};
pub use percent::Percent;
pub use playout_policy::PlayoutPolicy;
pub use simulation::{Observation, Playout, PlayoutSettings, Reward, YardSimulation};
pub use simulation_state::{SearchState, SimulationState};
pub use station_bits::StationBits;
pub use suspicion::Suspicion;
pub use with_board_tables::{BoardTablesAgent, WithBoardTables};
