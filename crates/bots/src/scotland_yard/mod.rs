//! What Botyard's bots know of Scotland Yard: where Mr. X probably is, evaluations, beliefs,
//! playout policies, move filters, how a game is opened. The rules are
//! the engine's; the search is [`botyard_search::mcts`].

mod agent;
pub mod alpha_beta;
mod assignment;
mod atlas;
mod averaging;
mod belief;
mod evasion;
pub mod joint_moves;
pub mod max_n;
mod move_filter;
mod opening;
mod percent;
mod playout_policy;
mod scene;
mod simulation;
mod station_bits;
mod with_atlas;

pub use agent::{MctsAgent, Play};
pub use assignment::Assignment;
pub use atlas::{Atlas, DetectiveDistances, UNREACHABLE};
pub use belief::{Belief, Determinization, LIKELIHOOD, category};
pub use evasion::evade;
pub use move_filter::keep_worthwhile;
pub use opening::opening_step;
pub use percent::Percent;
pub use playout_policy::PlayoutPolicy;
pub use scene::Scene;
pub use simulation::{Observation, Playout, PlayoutSettings, Reward, YardSimulation};
pub use station_bits::StationBits;
pub use with_atlas::{AtlasAgent, WithAtlas};
