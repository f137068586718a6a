//! Liar's Dice, one round: the players roll dice under cups and raise bids on all dice together
//! until a player doubts a bid; then the player who was wrong loses. An example of a whole game in
//! one file with chance (the rolls) and hidden information (the other cups).
//!
//! Rules: as `liars_dice` in OpenSpiel (Lanctot et al. 2019), without wild faces.

use crate::dice;
use crate::random::Rng;
use crate::{Game, Illegal, Information, JsonOnly, NoCopy, NoFields, Outcome};
use crate::{Preset, RulesError, Scores, Seat, Seen, Turn};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

const FACES: usize = 6;

/// The parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The number of players, 2 to 6.
    pub players: u8,
    /// The number of dice per player, 1 to 5.
    pub dice: u8,
}

/// The dice under a cup: the number that show each face, from 1 to 6.
pub type Cup = [u8; FACES];

/// A roll of a player's dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The number of dice that show each face, from 1 to 6.
    pub cup: Cup,
}

/// A roll as the others see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeenRoll {
    /// The dice are hidden.
    pub cup: (),
}

/// An action: bids, or doubts the last bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Calls the last bid a lie: the cups are lifted.
    Liar,
    /// Bids that at least `count` of all dice show this face.
    Bid {
        /// The number of dice, 1 to all of them.
        count: u8,
        /// The face, 1 to 6.
        face: u8,
    },
}

/// A position. `C` is [`Cup`] in a state and `Option<Cup>` in a view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Table<C> {
    /// The cups of the players who have rolled, in seat order.
    pub cups: Vec<C>,
    /// The last bid: the number of dice, and the face.
    pub bid: Option<(u8, u8)>,
    /// The number of bids made. The players bid in turn, starting with the first seat.
    pub bids: u32,
    /// The seat that lost, from 0, and why, once the game is over.
    pub lost: Option<(u8, Loss)>,
}

/// Why a player lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Its bid was a lie.
    Lied,
    /// It doubted a bid that was true.
    Doubted,
    /// Its program failed.
    Forfeit,
}

/// Liar's Dice under one set of rules.
#[derive(Clone, Debug)]
pub struct LiarsDice {
    rules: Rules,
    seats: Vec<String>,
}

impl LiarsDice {
    fn to_move(&self, bids: u32) -> u8 {
        (bids % u32::from(self.rules.players)) as u8
    }
}

impl Game for LiarsDice {
    type Rules = Rules;
    type Opening = NoFields;
    type State = Table<Cup>;
    type Action = Action;
    type Chance = Roll;
    type View = Table<Option<Cup>>;
    type Setup = NoFields;
    type Information = Self;
    type Notation = JsonOnly;

    const NAME: &'static str = "liars-dice";
    const ABOUT: &'static str =
        "Liar's Dice: bid on all players' hidden dice, or call the last bid a lie.";
    const SEATS: RangeInclusive<usize> = 2..=6;
    const SEATS_RULE: Option<&'static str> = Some("players");
    const SCORING: &'static str = "all but the one who lied, doubted a true bid or forfeited share a \
                                   point and the first place.";
    const RULES_SCHEMA: &'static str = include_str!("../schemas/liars-dice.json");
    const PRESETS: &'static [Preset] = &[
        Preset { name: "five-dice", about: "two players with five dice each" },
        Preset { name: "one-die", about: "two players with a die each, as in OpenSpiel" },
    ];

    fn preset(name: &str) -> Option<Rules> {
        match name {
            "five-dice" => Some(Rules { players: 2, dice: 5 }),
            "one-die" => Some(Rules { players: 2, dice: 1 }),
            _ => None,
        }
    }

    fn new(rules: Rules) -> Result<LiarsDice, RulesError> {
        RulesError::check_range("players", rules.players, 2..=6)?;
        RulesError::check_range("dice", rules.dice, 1..=5)?;
        let seats = (1..=rules.players).map(|number| format!("player-{number}")).collect();
        Ok(LiarsDice { rules, seats })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn scores(&self) -> Scores {
        Scores { most: 1.0 / f64::from(self.rules.players - 1), ..Scores::ONE_POINT }
    }

    fn start(&self, NoFields {}: &NoFields) -> Result<Table<Cup>, Illegal> {
        Ok(Table { cups: Vec::new(), bid: None, bids: 0, lost: None })
    }

    fn turn(&self, table: &Table<Cup>) -> Turn {
        if table.lost.is_some() {
            Turn::Over
        } else if table.cups.len() < self.seats.len() {
            Turn::Chance
        } else {
            Turn::Seat(Seat::new(self.to_move(table.bids).into()))
        }
    }

    fn actions(&self, table: &Table<Cup>, into: &mut Vec<Action>) {
        into.clear();
        if !matches!(self.turn(table), Turn::Seat(_)) {
            return;
        }
        into.extend(table.bid.map(|_| Action::Liar));
        for count in 1..=self.rules.players * self.rules.dice {
            let higher = (1..=FACES as u8).filter(|&face| Some((count, face)) > table.bid);
            into.extend(higher.map(|face| Action::Bid { count, face }));
        }
    }

    fn apply(&self, table: &mut Table<Cup>, action: Action) {
        if let Action::Bid { count, face } = action {
            table.bid = Some((count, face));
            table.bids += 1;
        } else if let Some((count, face)) = table.bid {
            let dice: u8 = table.cups.iter().map(|cup| cup[usize::from(face) - 1]).sum();
            table.lost = Some(match dice >= count {
                true => (self.to_move(table.bids), Loss::Doubted),
                false => (self.to_move(table.bids - 1), Loss::Lied),
            });
        }
    }

    fn chances(&self, _: &Table<Cup>, into: &mut Vec<(f64, Roll)>) {
        let rolls = dice::rolls(self.rules.dice);
        into.clear();
        into.extend(rolls.into_iter().map(|(probability, cup)| (probability, Roll { cup })));
    }

    fn check_chance(&self, table: &Table<Cup>, roll: &Roll) -> Result<(), Illegal> {
        if self.turn(table) != Turn::Chance {
            return Err(Illegal("nothing is drawn now".into()));
        }
        let rolled = roll.cup.iter().map(|&dice| u32::from(dice)).sum::<u32>();
        match u32::from(self.rules.dice) {
            dice if dice == rolled => Ok(()),
            dice => Err(Illegal(format!("a roll has {dice} dice, not {rolled}"))),
        }
    }

    fn draw<R: Rng>(&self, _: &Table<Cup>, rng: &mut R) -> Roll {
        Roll { cup: dice::roll(self.rules.dice, rng) }
    }

    fn apply_chance(&self, table: &mut Table<Cup>, roll: &Roll) {
        table.cups.push(roll.cup);
    }

    fn outcome(&self, table: &Table<Cup>) -> Option<Outcome> {
        let (loser, loss) = table.lost?;
        let reason = match loss {
            Loss::Lied => "lied",
            Loss::Doubted => "doubted",
            Loss::Forfeit => "forfeit",
        };
        let won = |seat: Seat| seat.index() != usize::from(loser);
        Some(Outcome::sharers(self.seats.len(), reason, won))
    }

    fn forfeit(&self, table: &mut Table<Cup>, seat: Seat) {
        table.lost = Some((seat.index() as u8, Loss::Forfeit));
    }

    fn view(&self, table: &Table<Cup>, seat: Seat) -> Table<Option<Cup>> {
        let sees = |owner: usize| owner == seat.index() || table.lost.is_some();
        let cups = table.cups.iter().enumerate().map(|(owner, &cup)| sees(owner).then_some(cup));
        Table { cups: cups.collect(), bid: table.bid, bids: table.bids, lost: table.lost }
    }

    fn determinize<R: Rng>(
        &self,
        view: &Table<Option<Cup>>,
        seat: Seat,
        rng: &mut R,
    ) -> Result<Table<Cup>, Illegal> {
        let mut roll = || dice::roll(self.rules.dice, rng);
        let cups = view.cups.iter().map(|cup| cup.unwrap_or_else(&mut roll)).collect();
        let table = Table { cups, bid: view.bid, bids: view.bids, lost: view.lost };
        let dice = |cup: &Cup| cup.iter().map(|&n| u32::from(n)).sum::<u32>();
        let fits = table.cups.len() <= self.seats.len()
            && table.cups.iter().all(|cup| dice(cup) == u32::from(self.rules.dice))
            && table.bid.is_some() == (table.bids > 0)
            && table.bid.is_none_or(|(_, face)| (1..=FACES as u8).contains(&face))
            && self.view(&table, seat) == *view;
        let why = || Illegal(format!("no position under {:?} has the view {view:?}", self.rules));
        fits.then_some(table).ok_or_else(why)
    }

    fn text(&self, table: &Table<Cup>) -> String {
        format!("dice by face: {:?}; bid (count, face): {:?}\n", table.cups, table.bid)
    }
}

impl Information<LiarsDice> for LiarsDice {
    const HIDDEN: bool = true;

    type Opening = NoCopy;
    type Action = NoCopy;
    type Chance = SeenRoll;

    fn seen_opening(_: &LiarsDice, _: &NoFields, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }

    fn seen_action(_: &LiarsDice, _: &Table<Cup>, _: Action, _: Seat) -> Seen<NoCopy> {
        Seen::Whole
    }

    fn seen_chance(_: &LiarsDice, before: &Table<Cup>, _: &Roll, seat: Seat) -> Seen<SeenRoll> {
        match before.cups.len() == seat.index() {
            true => Seen::Whole,
            false => Seen::Redacted(SeenRoll { cup: () }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the positions in which a player decides, and the ends.
    fn count(game: &LiarsDice, table: &Table<Cup>) -> (u32, u32) {
        let mut actions = Vec::new();
        game.actions(table, &mut actions);
        let ends = u32::from(actions.is_empty());
        actions.iter().fold((1 - ends, ends), |(decisions, ends), &action| {
            let mut next = table.clone();
            game.apply(&mut next, action);
            let below = count(game, &next);
            (decisions + below.0, ends + below.1)
        })
    }

    #[test]
    fn rolls_that_are_listed_can_be_drawn_and_others_cannot() {
        let game = LiarsDice::new(LiarsDice::preset("five-dice").unwrap()).unwrap();
        let mut table = game.start(&NoFields {}).unwrap();
        let mut rolls = Vec::new();
        game.chances(&table, &mut rolls);
        for (_, roll) in &rolls {
            assert_eq!(game.check_chance(&table, roll), Ok(()));
        }
        for (cup, rolled) in [([5, 0, 0, 0, 0, 1], 6), ([0; FACES], 0), ([255; FACES], 1530)] {
            let why = game.check_chance(&table, &Roll { cup }).unwrap_err().0;
            assert_eq!(why, format!("a roll has 5 dice, not {rolled}"));
        }
        table.cups = vec![rolls[0].1.cup; 2];
        let why = game.check_chance(&table, &rolls[0].1).unwrap_err().0;
        assert_eq!(why, "nothing is drawn now");
    }

    /// OpenSpiel and the papers on regret minimisation: 24,576 information sets, 147,420 ends.
    #[test]
    fn the_tree_with_a_die_each_is_that_of_the_literature() {
        let game = LiarsDice::new(LiarsDice::preset("one-die").unwrap()).unwrap();
        let mut table = game.start(&NoFields {}).unwrap();
        let mut rolls = Vec::new();
        game.chances(&table, &mut rolls);
        table.cups = vec![rolls[0].1.cup, rolls[5].1.cup];
        let (decisions, ends) = count(&game, &table);
        assert_eq!((rolls.len() as u32 * decisions, 36 * ends), (24_576, 147_420));
    }
}
