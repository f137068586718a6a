//! Playouts that are cut off after some rounds, where a network predicts the end of the game.

use super::network::Network;

/// Where playouts end early, and what judges the position there.
///
/// The network judges positions with Mr. X to move, so a playout always finishes the round that it
/// begins in.
#[derive(Clone, Debug, PartialEq)]
pub struct Cutoff {
    /// The number of rounds played after the one in which the playout begins. 0 if the network
    /// judges the first position with Mr. X to move.
    pub rounds: u16,
    /// The network.
    pub network: Network,
}
