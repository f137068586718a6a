//! The habits of `mcts` as Mr. X: how much more often it steps to one station than to another.
//!
//! A softmax over the steps that are possible, fitted by maximum likelihood to the 114,548 single
//! steps of the last generation of games in `MANIFEST-mr-x.toml`. Per step of them, its
//! log-likelihood is -1.18; that of equally likely steps is -1.55, and that of a flight to where the
//! detectives are farthest, with a quarter of random steps, -1.82.

use super::board_tables::BoardTables;
use botyard_engine::scotland_yard::{Kinds, Station, Transport};

/// The exponent for the moves that the nearest detective needs: 1, 2, 3, 4, and 5 or more.
const NEAREST: [f64; 5] = [-3.59, -0.13, 0.29, 1.46, 1.96];
/// The same for the second nearest.
const SECOND: [f64; 5] = [-2.01, -0.11, 0.22, 0.78, 1.12];
/// The exponent for a station that can be reached in one step, by any kind of transport.
const NEIGHBOUR: f64 = 2.81 / 8.0;
/// The exponent for a bus, relative to a taxi.
const BUS: f64 = -0.2;
/// The exponent for the underground.
const UNDERGROUND: f64 = 0.62;
/// The exponent for a ferry.
const FERRY: f64 = 0.39;

/// Returns how much Mr. X likes a station, with the detectives at these distances.
pub(super) fn of_station(tables: &BoardTables, distances: &[&[u8]], station: Station) -> f64 {
    let (mut nearest, mut second) = (u8::MAX, u8::MAX);
    for row in distances {
        let moves = row[station.index()];
        second = second.min(moves.max(nearest));
        nearest = nearest.min(moves);
    }
    let category = |moves: u8| usize::from(moves.clamp(1, 5)) - 1;
    let neighbours = tables.neighbours(Kinds::ALL, station).len();
    libm::exp(
        NEAREST[category(nearest)] + SECOND[category(second)] + NEIGHBOUR * f64::from(neighbours),
    )
}

/// Returns how much he likes a kind of transport.
pub(super) fn of_transport(by: Transport) -> f64 {
    libm::exp(match by {
        Transport::Taxi => 0.0,
        Transport::Bus => BUS,
        Transport::Underground => UNDERGROUND,
        Transport::Ferry => FERRY,
    })
}
