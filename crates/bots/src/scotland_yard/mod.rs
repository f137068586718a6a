//! What Botyard's bots know of Scotland Yard: where Mr. X probably is, how he flees and how
//! detectives hunt in playouts, which tickets are worth using, how a game is opened. The rules are
//! the engine's; the search is [`botyard_search::mcts`].

mod agent;
pub mod alpha_beta;
mod atlas;
mod averaging;
mod belief;
mod chase;
mod evasion;
mod hunt;
pub mod joint_moves;
pub mod max_n;
mod opening;
mod percent;
mod scene;
mod station_bits;
mod thrift;
mod with_atlas;

pub use agent::{MctsAgent, Play};
pub use atlas::{Atlas, Pursuit, UNREACHABLE};
pub use belief::{Belief, Determinization, LIKELIHOOD, category};
pub use chase::{Chase, Conduct, Playout, Reward, Seen};
pub use evasion::evade;
pub use hunt::{Agreement, Hunt};
pub use opening::opening_step;
pub use percent::Percent;
pub use scene::Scene;
pub use station_bits::StationBits;
pub use thrift::keep_worthwhile;
pub use with_atlas::{AtlasAgent, WithAtlas};
