//! What is drawn in a game: the rolls of a battle, and where new dice fall. Also how these are
//! listed for expectation: a battle has two outcomes, one for each winner; new dice have as many as
//! there are ways to lie, and where these are too many to list, some of them stand for all.

use super::area::Area;
use super::battle::{Faces, MAX_DICE, SIDES, roll, win_probability};
use super::map::Map;
use super::player::Player;
use super::position::{Placed, Position, Stage};
use crate::game::Illegal;
use crate::random::{Rng, Stream};
use arrayvec::ArrayVec;
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Chance {
    /// The dice of a battle: with strictly more pips the attacker wins.
    Battle {
        /// The attacker's dice, which are rolled first.
        attacker: Roll,
        /// The defender's dice.
        defender: Roll,
    },
    /// The new dice of the player whose turn ends.
    Reinforcement {
        /// The area on which each of them falls, in this order. Recorded games that do not know the
        /// order have the areas ascending.
        #[schemars(with = "Vec<Area>", length(max = 64))]
        placed: Placed,
    },
}

/// Dice that were rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Roll {
    /// The face of each die, 1 to 6, in the order in which they fell.
    Faces(#[schemars(with = "Vec<u8>", length(min = 1, max = 8))] Faces),
    /// The sum of all faces: what is known of a game that another program recorded.
    Sum(#[schemars(range(min = 1, max = 48))] u8),
}

impl Roll {
    /// The sum of all faces.
    pub fn pips(&self) -> u32 {
        match self {
            Roll::Faces(faces) => faces.iter().map(|&face| u32::from(face)).sum(),
            Roll::Sum(sum) => u32::from(*sum),
        }
    }

    fn all(dice: u8, face: u8) -> Roll {
        Roll::Faces((0..dice.min(MAX_DICE)).map(|_| face).collect())
    }

    /// Returns whether this number of dice can fall like this.
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

/// The most outcomes of new dice that are listed.
const MOST_LISTED: usize = 256;

/// How many outcomes stand for all where there are more.
const SAMPLE: usize = 64;

impl Position {
    /// Draws what people would see on the table. There is nothing to draw on a player's turn and
    /// when the game is over: then no die falls.
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

    /// Whether this could be drawn now.
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
            (Stage::Reinforcement, _) => Err(Illegal("expected where new dice fall".into())),
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

    /// Continues with the outcome drawn.
    pub(super) fn apply_chance(&mut self, map: &Map, chance: &Chance) {
        match (self.stage(), chance) {
            (Stage::Battle { from, to }, Chance::Battle { attacker, defender }) => {
                self.attack(from, to, attacker.pips() > defender.pips());
            }
            (_, Chance::Reinforcement { placed }) => self.reinforce(map, placed),
            // It is checked before that this does not come here.
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

    /// A roll that the attacker wins and one that it does not stand for all.
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
        // Always the same sample of a position: lists do not depend on what was drawn before.
        let mut stream = Stream::new(0, "reinforcements that stand for all");
        into.extend((0..SAMPLE).map(|_| {
            let placed = self.draw_reinforcement(map, stream.rng());
            (1.0 / SAMPLE as f64, Chance::Reinforcement { placed })
        }));
    }

    /// Every way in which the new dice can lie, with its probability; `None` where there are more
    /// than [`MOST_LISTED`].
    fn reinforcements(&self, map: &Map) -> Option<Vec<(f64, Chance)>> {
        let open: ArrayVec<Area, 64> =
            (self.areas_of(self.to_move()) - self.full()).iter().collect();
        let dice = self.dice_to_place(map);
        // How many more each of these areas has got. Where all fill up there is one way.
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
