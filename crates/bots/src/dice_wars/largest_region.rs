//! The evaluation of Doležel et al. (2021, 3.3): the largest region alone.

use super::evaluation::{Evaluator, Shares};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Map, Position};

/// Evaluates by the number of areas in each player's largest region, as a share of all areas.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargestRegion;

impl Evaluator for LargestRegion {
    fn shares(&self, map: &Map, position: &Position) -> Shares {
        let mut shares = Shares::default();
        for seat in Seat::all(position.players()) {
            let region = position.largest_region(map, seat);
            shares[seat.index()] = region as f32 / map.areas() as f32;
        }
        shares
    }
}
