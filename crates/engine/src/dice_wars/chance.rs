//! Chance outcomes: the rolls of a battle, and the placement of new dice. Also their lists for
//! expectations: a battle has two outcomes, one per winner; new dice have one outcome per
//! placement, represented by a sample if there are too many to list.

use super::area::Area;
use super::battle::{Faces, MAX_DICE, SIDES, roll, win_probability};
use super::map::Map;
use super::player::Player;
use super::position::{Placed, Position, Stage};
use crate::game::Illegal;
use crate::random::{Rng, Stream};
use arrayvec::ArrayVec;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An outcome of a chance turn.
///
/// ```
/// use botyard_engine::dice_wars::Chance;
/// for json in [
///     r#"{"battle":{"attacker":[6,2],"defender":[4]}}"#,
///     r#"{"battle":{"attacker":17,"defender":9}}"#,
///     r#"{"reinforcement":{"placed":[3,12,3]}}"#,
/// ] {
///     let chance: Chance = serde_json::from_str(json).unwrap();
///     assert_eq!(serde_json::to_string(&chance).unwrap(), json);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Chance {
    /// The dice of a battle. The attacker wins with strictly more pips.
    Battle {
        /// The attacker's dice, which are rolled first.
        attacker: Roll,
        /// The defender's dice.
        defender: Roll,
    },
    /// The new dice of the player whose turn ends.
    Reinforcement {
        /// The area of each new die, in the order in which they are placed. In recorded games
        /// without this order, the areas are ascending.
        #[cfg_attr(feature = "schema", schemars(with = "Vec<Area>", length(max = 64)))]
        placed: Placed,
    },
}

/// Rolled dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum Roll {
    /// The face of each die, 1 to 6, in the order rolled.
    Faces(
        #[cfg_attr(feature = "schema", schemars(with = "Vec<u8>", length(min = 1, max = 8)))] Faces,
    ),
    /// The sum of all faces, for games recorded by another program that keeps only the sum.
    Sum(#[cfg_attr(feature = "schema", schemars(range(min = 1, max = 48)))] u8),
}

impl Roll {
    /// Returns the sum of all faces.
    pub fn pips(&self) -> u32 {
        match self {
            Roll::Faces(faces) => faces.iter().map(|&face| u32::from(face)).sum(),
            Roll::Sum(sum) => u32::from(*sum),
        }
    }

    fn all(dice: u8, face: u8) -> Roll {
        Roll::Faces((0..dice.min(MAX_DICE)).map(|_| face).collect())
    }

    /// Checks that this number of dice can be rolled with this result.
    fn check(&self, who: &str, dice: u8) -> Result<(), Illegal> {
        match self {
            Roll::Faces(faces) if faces.len() != usize::from(dice) => {
                Err(Illegal(format!("{who}: expected {dice} faces, got {}", faces.len())))
            }
            Roll::Faces(faces) => match faces.iter().find(|face| !(1..=SIDES).contains(face)) {
                Some(face) => Err(Illegal(format!("{who}: a die has no face {face}"))),
                None => Ok(()),
            },
            Roll::Sum(sum) if (dice..=SIDES * dice).contains(sum) => Ok(()),
            Roll::Sum(sum) => Err(Illegal(format!(
                "{who}: {dice} dice have {dice} to {} pips, not {sum}",
                SIDES * dice
            ))),
        }
    }
}

/// The largest number of outcomes of new dice that are listed.
const MOST_LISTED: usize = 256;

/// The size of the sample if there are more.
const SAMPLE: usize = 64;

impl Position {
    /// Draws an outcome as people would see it on the table. On a player's turn and when the game
    /// is over there is nothing to draw: the result has no dice.
    pub(super) fn draw_chance<R: Rng>(&self, map: &Map, rng: &mut R) -> Chance {
        match self.stage() {
            Stage::Battle { from, to } => Chance::Battle {
                attacker: Roll::Faces(roll(self.dice(from), rng)),
                defender: Roll::Faces(roll(self.dice(to), rng)),
            },
            Stage::Reinforcement => {
                Chance::Reinforcement { placed: self.draw_reinforcement(map, rng) }
            }
            Stage::Action | Stage::Over(_) => Chance::Reinforcement { placed: Placed::new() },
        }
    }

    /// Checks that this outcome can be drawn now.
    pub(super) fn check_chance(&self, map: &Map, chance: &Chance) -> Result<(), Illegal> {
        match (self.stage(), chance) {
            (Stage::Battle { from, to }, Chance::Battle { attacker, defender }) => {
                attacker.check("attacker", self.dice(from))?;
                defender.check("defender", self.dice(to))
            }
            (Stage::Reinforcement, Chance::Reinforcement { placed }) => {
                self.check_placed(map, placed)
            }
            (Stage::Battle { .. }, _) => Err(Illegal("expected the rolls of a battle".into())),
            (Stage::Reinforcement, _) => Err(Illegal("expected the areas of new dice".into())),
            (Stage::Action | Stage::Over(_), _) => Err(Illegal("nothing is drawn now".into())),
        }
    }

    fn check_placed(&self, map: &Map, placed: &Placed) -> Result<(), Illegal> {
        let expected = self.dice_to_place(map);
        if placed.len() != usize::from(expected) {
            let message = format!("placed: expected {expected} dice, got {}", placed.len());
            return Err(Illegal(message));
        }
        let own = self.areas_of(self.to_move());
        if let Some(area) = placed.iter().find(|&&area| !own.contains(area)) {
            let player = Player(self.to_move());
            return Err(Illegal(format!("placed: area {area} is not player {player}'s")));
        }
        for area in own {
            let more = placed.iter().filter(|&&placed| placed == area).count();
            if usize::from(self.dice(area)) + more > usize::from(MAX_DICE) {
                let dice = self.dice(area);
                let message =
                    format!("placed: area {area} has {dice} dice, and {more} more do not fit");
                return Err(Illegal(message));
            }
        }
        Ok(())
    }

    /// Applies a chance outcome.
    pub(super) fn apply_chance(&mut self, map: &Map, chance: &Chance) {
        match (self.stage(), chance) {
            (Stage::Battle { from, to }, Chance::Battle { attacker, defender }) => {
                self.attack(from, to, attacker.pips() > defender.pips());
            }
            (_, Chance::Reinforcement { placed }) => self.reinforce(map, placed),
            // Unreachable: `check_chance` was called before.
            (_, Chance::Battle { .. }) => {}
        }
    }

    /// The outcomes of the chance turn with their probabilities.
    pub(super) fn list_chances(&self, map: &Map, into: &mut Vec<(f64, Chance)>) {
        into.clear();
        match self.stage() {
            Stage::Battle { from, to } => self.list_battle(from, to, into),
            Stage::Reinforcement => self.list_reinforcements(map, into),
            Stage::Action | Stage::Over(_) => {}
        }
    }

    /// Lists one roll that the attacker wins and one that it loses, to represent all.
    fn list_battle(&self, from: Area, to: Area, into: &mut Vec<(f64, Chance)>) {
        let (attacker, defender) = (self.dice(from), self.dice(to));
        let won = win_probability(attacker, defender);
        let rolls = |attackers, defenders| Chance::Battle {
            attacker: Roll::all(attacker, attackers),
            defender: Roll::all(defender, defenders),
        };
        into.push((won, rolls(SIDES, 1)));
        // Seven dice cannot lose against one.
        if won < 1.0 {
            into.push((1.0 - won, rolls(1, SIDES)));
        }
    }

    fn list_reinforcements(&self, map: &Map, into: &mut Vec<(f64, Chance)>) {
        if let Some(ways) = self.reinforcements(map) {
            into.extend(ways);
            return;
        }
        // A position always has the same sample: lists do not depend on earlier draws.
        let mut stream = Stream::new(0, "reinforcements that stand for all");
        into.extend((0..SAMPLE).map(|_| {
            let placed = self.draw_reinforcement(map, stream.rng());
            (1.0 / SAMPLE as f64, Chance::Reinforcement { placed })
        }));
    }

    /// Lists the placements of the new dice with their probabilities; `None` if there are more than
    /// [`MOST_LISTED`].
    fn reinforcements(&self, map: &Map) -> Option<Vec<(f64, Chance)>> {
        let open: ArrayVec<Area, 64> =
            (self.areas_of(self.to_move()) - self.full()).iter().collect();
        let dice = self.dice_to_place(map);
        // The number of new dice on each of these areas. If all fill up, there is one placement.
        let none: ArrayVec<u8, 64> = open.iter().map(|_| 0).collect();
        let room = |ways: &[u8], index: usize| self.dice(open[index]) + ways[index] < MAX_DICE;
        let mut ways = BTreeMap::from([(none, 1.0)]);
        if u32::from(dice) == self.room() {
            let all = open.iter().map(|&area| MAX_DICE - self.dice(area)).collect();
            ways = BTreeMap::from([(all, 1.0)]);
        } else {
            for _ in 0..dice {
                let mut next = BTreeMap::new();
                for (way, probability) in &ways {
                    let takers: ArrayVec<usize, 64> =
                        (0..open.len()).filter(|&index| room(way, index)).collect();
                    for &index in &takers {
                        let mut way = way.clone();
                        way[index] += 1;
                        *next.entry(way).or_insert(0.0) += probability / takers.len() as f64;
                    }
                }
                if next.len() > MOST_LISTED {
                    return None;
                }
                ways = next;
            }
        }
        let chance = |way: &[u8]| {
            let placed =
                open.iter().zip(way).flat_map(|(&area, &dice)| (0..dice).map(move |_| area));
            Chance::Reinforcement { placed: placed.collect() }
        };
        Some(ways.iter().map(|(way, &probability)| (probability, chance(way))).collect())
    }
}
