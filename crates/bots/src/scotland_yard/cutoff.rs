//! Playouts that are cut off after some rounds, where a network predicts the end of the game.

use super::network::Network;
use botyard_engine::scotland_yard::BoardName;

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

/// A cutoff for each kind of board, because the built-in networks differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Cutoffs {
    london: Cutoff,
    grids: Cutoff,
}

impl Cutoffs {
    /// Returns the cutoffs after this number of rounds, with the built-in networks.
    pub fn built_in(rounds: u16) -> Cutoffs {
        Cutoffs {
            london: Cutoff { rounds, network: Network::of_london() },
            grids: Cutoff { rounds, network: Network::of_grids() },
        }
    }

    /// Returns the cutoffs after this number of rounds, with one network for all boards.
    pub fn with_network(rounds: u16, network: Network) -> Cutoffs {
        let cutoff = Cutoff { rounds, network };
        Cutoffs { london: cutoff.clone(), grids: cutoff }
    }

    /// Returns the cutoff on a board.
    pub const fn on(&self, board: BoardName) -> &Cutoff {
        match board {
            BoardName::London | BoardName::LondonClassic => &self.london,
            BoardName::Grid(_) => &self.grids,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::Game;
    use botyard_engine::scotland_yard::ScotlandYard;

    #[test]
    fn london_and_grids_have_built_in_networks_of_their_own() {
        for (preset, network) in [
            ("ravensburger", Network::of_london()),
            ("ravensburger-1984", Network::of_london()),
            ("grid-15x15-4", Network::of_grids()),
        ] {
            let board = ScotlandYard::preset(preset).unwrap().board;
            let built_in = Cutoffs::built_in(1);
            assert_eq!(built_in.on(board), &Cutoff { rounds: 1, network }, "{preset}");
            let zero = Cutoffs::with_network(2, Network::zero());
            assert_eq!(zero.on(board), &Cutoff { rounds: 2, network: Network::zero() });
        }
        assert_ne!(Network::of_london(), Network::of_grids());
    }
}
