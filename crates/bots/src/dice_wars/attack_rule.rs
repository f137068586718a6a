//! The rules by which the course's bots choose attacks: each attack worth considering gets a value,
//! and the one with the highest value is made.

use super::hold_probability::win_and_hold_probability;
use botyard_agent::AgentRng;
use botyard_engine::dice_wars::{Area, MAX_DICE, Map, Position};
use botyard_engine::random::below;

/// A rule for choosing attacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttackRule {
    /// Any attack (`dt.rand`).
    Random,
    /// The largest difference of dice, the attacker's minus the defender's, unless that is negative
    /// (`dt.sdc`).
    StrengthDifference,
    /// The highest probability to win and hold, if that is at least 0.2; an attack with eight dice
    /// is always considered (`dt.ste`, single turn expectiminimax).
    Expectiminimax,
    /// The same with a bound of 0.4 (of 0.2 in a game of two players), where attacks out of the
    /// largest region count double (threefold) (`dt.stei`).
    FromLargestRegion,
}

impl AttackRule {
    /// Returns the attack that the rule makes for the player to move; the first of equal ones.
    /// `None` if it makes none.
    #[inline]
    pub fn choose(
        self,
        map: &Map,
        position: &Position,
        rng: &mut AgentRng,
    ) -> Option<(Area, Area)> {
        if self == AttackRule::Random {
            return random_attack(map, position, rng);
        }
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        self.for_each_attack(map, position, |from, to, value| {
            if value > most {
                (best, most) = (Some((from, to)), value);
            }
        });
        best
    }

    /// Calls `found` with every attack that the rule considers, ascending, and its value.
    #[inline]
    pub fn for_each_attack(
        self,
        map: &Map,
        position: &Position,
        mut found: impl FnMut(Area, Area, f64),
    ) {
        let own = position.areas_of(position.to_move());
        match self {
            AttackRule::Random => position.for_each_attack(map, |from, to| found(from, to, 0.0)),
            AttackRule::StrengthDifference => position.for_each_attack(map, |from, to| {
                if position.dice(from) >= position.dice(to) {
                    found(from, to, f64::from(position.dice(from) - position.dice(to)));
                }
            }),
            AttackRule::Expectiminimax => position.for_each_attack(map, |from, to| {
                let value = win_and_hold_probability(map, position, from, to, own);
                if value >= 0.2 || position.dice(from) == MAX_DICE {
                    found(from, to, value);
                }
            }),
            AttackRule::FromLargestRegion => {
                // Eliminations do not matter: the original counts the players once, at the start.
                let (least, weight) = if position.players() == 2 { (0.2, 3.0) } else { (0.4, 2.0) };
                let region = position.largest_region_of(map, position.to_move());
                position.for_each_attack(map, |from, to| {
                    let value = win_and_hold_probability(map, position, from, to, own);
                    if value >= least || position.dice(from) == MAX_DICE {
                        let weight = if region.contains(from) { weight } else { 1.0 };
                        found(from, to, weight * value);
                    }
                });
            }
        }
    }
}

/// Draws one of all attacks, uniformly.
fn random_attack(map: &Map, position: &Position, rng: &mut AgentRng) -> Option<(Area, Area)> {
    let own = position.areas_of(position.to_move());
    let sources = own & position.ready();
    let targets = |from| map.neighbours(from) - own;
    let attacks: usize = sources.iter().map(|from| targets(from).len()).sum();
    if attacks == 0 {
        return None;
    }
    let mut left = below(rng, attacks as u32) as usize;
    for from in sources {
        let count = targets(from).len();
        match left.checked_sub(count) {
            Some(rest) => left = rest,
            None => return targets(from).iter().nth(left).map(|to| (from, to)),
        }
    }
    unreachable!("the drawn number is below the number of attacks")
}
