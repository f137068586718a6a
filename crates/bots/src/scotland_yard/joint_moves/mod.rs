//! Scotland Yard as a game of two: Mr. X, and the detectives as one player who moves them all
//! together. This is the model of Sova 2021; its tree search ([`JointMctsAgent`]) needs
//! moves that are not single steps ([`JointMove`]).

mod agent;
mod joint_move;
mod round_tree;
mod shaping;
mod simulation;

pub use agent::{JointMctsAgent, JointPlay};
pub use joint_move::JointMove;
pub use round_tree::{RoundSearch, RoundSettings};
pub use shaping::Shaping;
pub use simulation::{JointSimulation, JointState};
