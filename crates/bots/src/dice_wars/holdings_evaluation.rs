//! The simplest evaluation: what a player holds. It is fast, so a search that evaluates many
//! positions reaches far with it.

use super::evaluation::{Evaluator, Shares};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Map, Position};

/// Evaluates by the largest region, the areas, the dice and the reserve of each player, all
/// measured in dice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Holdings;

/// An area of the largest region brings a die with every turn.
const REGION: f32 = 2.0;
const AREA: f32 = 1.0;
const DIE: f32 = 1.0;
const RESERVE: f32 = 0.5;

impl Evaluator for Holdings {
    #[inline]
    fn shares(&self, map: &Map, position: &Position) -> Shares {
        let mut shares = Shares::default();
        let mut sum = 0.0;
        for seat in Seat::all(position.players()).filter(|&seat| position.is_on_map(seat)) {
            let strength = REGION * position.largest_region(map, seat) as f32
                + AREA * position.areas_of(seat).len() as f32
                + DIE * position.dice_of(seat) as f32
                + RESERVE * f32::from(position.reserve(seat));
            // The leader wins more than in proportion.
            let share = strength * strength;
            shares[seat.index()] = share;
            sum += share;
        }
        shares.map(|share| share / sum)
    }
}
