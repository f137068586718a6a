//! Playouts that are cut off after some rounds, where a network predicts the end of the game.

use super::network::Network;
use super::simulation::Reward;
use botyard_engine::scotland_yard::{BoardName, Side};

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
    /// The value of a playout; `None` for that of the search's settings.
    pub reward: Option<Reward>,
}

/// A cutoff for each kind of board, because the built-in networks differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Cutoffs {
    london: Cutoff,
    grids: Cutoff,
}

impl Cutoffs {
    /// Returns the cutoffs of a side's playouts after this number of rounds, with the built-in
    /// networks.
    pub fn built_in(rounds: u16, side: Side) -> Cutoffs {
        let network = match side {
            Side::MrX => Network::of_mr_x_on_london(),
            Side::Detectives => Network::of_london(),
        };
        Cutoffs {
            london: Cutoff { rounds, network, reward: None },
            grids: Cutoff { rounds, network: Network::of_grids(), reward: None },
        }
    }

    /// Returns the cutoffs after this number of rounds, with one network for all boards.
    pub fn with_network(rounds: u16, network: Network) -> Cutoffs {
        let cutoff = Cutoff { rounds, network, reward: None };
        Cutoffs { london: cutoff.clone(), grids: cutoff }
    }

    /// Sets the values of a playout on the boards of London and on grids.
    #[must_use]
    pub(crate) fn with_rewards(self, london: Option<Reward>, grids: Option<Reward>) -> Cutoffs {
        Cutoffs {
            london: Cutoff { reward: london, ..self.london },
            grids: Cutoff { reward: grids, ..self.grids },
        }
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
    use super::super::weights::Weights;
    use super::*;
    use botyard_engine::Game;
    use botyard_engine::scotland_yard::ScotlandYard;

    #[test]
    fn london_and_grids_have_built_in_networks_of_their_own() {
        for (preset, side, network) in [
            ("ravensburger", Side::Detectives, Network::of_london()),
            ("ravensburger-1984", Side::Detectives, Network::of_london()),
            ("ravensburger", Side::MrX, Network::of_mr_x_on_london()),
            ("grid-15x15-4", Side::Detectives, Network::of_grids()),
            ("grid-15x15-4", Side::MrX, Network::of_grids()),
        ] {
            let board = ScotlandYard::preset(preset).unwrap().board;
            let built_in = Cutoffs::built_in(1, side);
            let cutoff = Cutoff { rounds: 1, network, reward: None };
            assert_eq!(built_in.on(board), &cutoff, "{preset}, {side:?}");
            let zero = Cutoffs::with_network(2, Network::zero());
            let cutoff = Cutoff { rounds: 2, network: Network::zero(), reward: None };
            assert_eq!(zero.on(board), &cutoff);
        }
        assert_ne!(Network::of_london(), Network::of_grids());
        assert_ne!(Network::of_london(), Network::of_mr_x_on_london());
    }

    #[test]
    fn a_reward_on_london_is_not_that_of_grids() {
        let cutoffs = Cutoffs::built_in(0, Side::Detectives).with_rewards(Some(Reward::Win), None);
        let on = |preset| cutoffs.on(ScotlandYard::preset(preset).unwrap().board).reward;
        assert_eq!([on("nijssen"), on("grid-5x5-2")], [Some(Reward::Win), None]);
    }
}
