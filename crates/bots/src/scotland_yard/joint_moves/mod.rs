//! Scotland Yard as a game of two: Mr. X, and the detectives as one player who moves them all
//! together. This is the model of the first source; its tree search ([`JointMctsAgent`]) needs
//! moves that are not single steps ([`JointMove`]).

mod agent;
mod joint_move;
mod shaping;
mod simulation;

pub use agent::{JointMctsAgent, JointPlay};
pub use joint_move::JointMove;
pub use shaping::Shaping;
pub use simulation::{JointSimulation, JointState};
