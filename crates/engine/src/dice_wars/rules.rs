//! The parameters of the rules, as written in presets, replays and `start` messages, and how they
//! are resolved and judged. What they mean in play is `position`'s and `deal`'s business.

use super::area::MAX_AREAS;
use super::battle::MAX_DICE;
use super::map::Map;
use super::presets;
use crate::rules::RulesError;
use crate::seat::MAX_SEATS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// The parameters of Dice Wars. `docs/games/dice-wars.md` has them in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How many players there are, 2 to 8.
    #[schemars(range(min = 2, max = 8))]
    pub players: u8,
    /// What is played on.
    pub map: MapChoice,
    /// How many areas a generated map has, 2 to 64: a number, or the least and the most of which
    /// each is as likely, such as `29-31`. That of a given map follows from the map.
    pub areas: AreaCount,
    /// How the areas are dealt.
    pub ownership: Ownership,
    /// How the first dice are dealt.
    pub start_dice: StartDice,
    /// How many dice there are to an area at the start, 1 to 8; `start_dice` says how exactly.
    #[schemars(range(min = 1, max = 8))]
    pub dice_per_area: u8,
    /// When an attack is lost, the defender loses one die per N dice of the attacker, N from 1
    /// to 8, though never its last; 0 for none.
    #[schemars(range(min = 0, max = 8))]
    pub wear: u8,
    /// How many transfers a player may make in a turn, 0 to 100.
    #[schemars(range(min = 0, max = 100))]
    pub transfers: u8,
    /// The most dice that a player may keep in reserve, 0 to 64.
    #[schemars(range(min = 0, max = 64))]
    pub reserve: u8,
    /// Whether the reserve may have one die less for every area that the player owns.
    pub reserve_less_areas: bool,
    /// After how many rounds without an attack the game is over, 0 for never, otherwise 1 to
    /// 1,000.
    #[schemars(range(min = 0, max = 1000))]
    pub quiet_rounds: u16,
    /// Whether a round with a transfer is not quiet either.
    pub transfers_break_quiet: bool,
    /// After how many attacks the game is over, 0 for never, otherwise 1 to 60,000.
    #[schemars(range(min = 0, max = 60_000))]
    pub max_battles: u16,
    /// After how many turns of all players together the game is over, 1 to 60,000.
    #[schemars(range(min = 1, max = 60_000))]
    pub max_turns: u16,
    /// What becomes of a game that is over while several players are on the map.
    pub undecided: Undecided,
}

/// The most dice that a player gets after a turn, those of the reserve included, and so the most
/// that the reserve can have.
pub const MOST_NEW_DICE: u8 = 64;

/// The most turns, and the most battles, that any limit counts to.
pub const MOST_TURNS: u16 = 60_000;

/// What is played on.
///
/// In JSON `"generated"`, or the map itself.
#[derive(Clone, Debug, PartialEq)]
pub enum MapChoice {
    /// A map that is drawn for each game.
    Generated,
    /// This map in every game.
    Given(Arc<Map>),
}

impl Serialize for MapChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            MapChoice::Generated => serializer.serialize_str("generated"),
            MapChoice::Given(map) => map.as_ref().serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for MapChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MapChoice, D::Error> {
        let mut value = Value::deserialize(deserializer)?;
        if value == "generated" {
            return Ok(MapChoice::Generated);
        }
        // A map as text is one all the same.
        if let Some(Ok(map @ Value::Object(_))) = value.as_str().map(serde_json::from_str) {
            value = map;
        }
        if !value.is_object() {
            return Err(D::Error::custom(format!(
                "{value} is no map; expected generated, or a map as {{\"areas\": [{{\"id\": 1, \
                 \"adjacent\": [2], \"cells\": [[0, 0]]}}, ...]}}"
            )));
        }
        let map = Map::deserialize(value).map_err(D::Error::custom)?;
        Ok(MapChoice::Given(Arc::new(map)))
    }
}

impl JsonSchema for MapChoice {
    fn schema_name() -> Cow<'static, str> {
        "MapChoice".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What is played on: a map that is drawn for each game, or this map.",
            "oneOf": [{ "const": "generated" }, generator.subschema_for::<Map>()]
        })
    }
}

/// How many areas a generated map has.
///
/// In JSON a number, or `"29-31"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AreaCount {
    /// The fewest.
    pub least: u8,
    /// The most.
    pub most: u8,
}

impl AreaCount {
    /// Exactly this number.
    pub const fn exactly(areas: u8) -> AreaCount {
        AreaCount { least: areas, most: areas }
    }
}

impl Serialize for AreaCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.least == self.most {
            serializer.serialize_u8(self.least)
        } else {
            serializer.collect_str(&format_args!("{}-{}", self.least, self.most))
        }
    }
}

impl<'de> Deserialize<'de> for AreaCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AreaCount, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let read = match &value {
            Value::String(text) => text.split_once('-').and_then(|(least, most)| {
                Some((least.trim().parse().ok()?, most.trim().parse().ok()?))
            }),
            number => number.as_u64().and_then(|n| u8::try_from(n).ok()).map(|n| (n, n)),
        };
        match read {
            Some((least, most)) if least <= most => Ok(AreaCount { least, most }),
            _ => Err(D::Error::custom(format!(
                "{value} is no number of areas; expected one such as 34, or the least and the \
                 most such as 29-31"
            ))),
        }
    }
}

impl JsonSchema for AreaCount {
    fn schema_name() -> Cow<'static, str> {
        "AreaCount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How many areas a generated map has: a number, or the least and the most.",
            "oneOf": [
                { "type": "integer", "minimum": 2, "maximum": MAX_AREAS },
                { "type": "string", "pattern": "^[0-9]{1,2}-[0-9]{1,2}$" }
            ]
        })
    }
}

/// How the areas are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ownership {
    /// One connected region for each player, of as many areas as the others' or one more, where
    /// the map has such regions.
    ConnectedEven,
    /// One connected region for each player, as large as it happens to become: every player in
    /// turn takes a free area that touches its own.
    Connected,
    /// Any areas, dealt to the players in turn.
    Scattered,
}

/// How the first dice are dealt. Every area has one at least, and eight at most; players get
/// nothing for dice that do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartDice {
    /// Every player has the same: `dice_per_area` times the areas of the map, divided by the
    /// number of players and rounded down, plus one. They lie on its areas at random.
    Equal,
    /// `dice_per_area` on every area.
    Flat,
    /// `dice_per_area` times the areas of the map, less 0 to 5 that are drawn, are split among the
    /// players as evenly as can be. They lie on a player's areas at random.
    Split,
    /// `dice_per_area` times the areas of the map: one on every area, and the players in turn lay
    /// one of the others on an own area at random.
    InTurn,
}

/// What becomes of a game that is over while several players are on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Undecided {
    /// They are ranked by their areas, then by their dice on the map.
    Ranked,
    /// No winner: they share the first place.
    Shared,
}

/// What play needs of the rules: it travels with every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mechanics {
    pub(super) players: u8,
    pub(super) wear: u8,
    pub(super) transfers: u8,
    pub(super) reserve: u8,
    pub(super) reserve_less_areas: bool,
    pub(super) transfers_break_quiet: bool,
    pub(super) ranked: bool,
    pub(super) quiet_rounds: u16,
    pub(super) max_battles: u16,
    pub(super) max_turns: u16,
}

impl Rules {
    /// The rules of a preset; `None` for any other name.
    pub fn preset(name: &str) -> Option<Rules> {
        presets::preset(name)
    }

    /// The part of the rules that play needs.
    pub(super) fn mechanics(&self) -> Mechanics {
        Mechanics {
            players: self.players,
            wear: self.wear,
            transfers: self.transfers,
            reserve: self.reserve,
            reserve_less_areas: self.reserve_less_areas,
            transfers_break_quiet: self.transfers_break_quiet,
            ranked: self.undecided == Undecided::Ranked,
            quiet_rounds: self.quiet_rounds,
            max_battles: self.max_battles,
            max_turns: self.max_turns,
        }
    }

    /// The same rules with every derived parameter spelled out.
    ///
    /// # Errors
    ///
    /// Values out of range and parameters that contradict each other.
    pub(super) fn resolve(mut self) -> Result<Rules, RulesError> {
        if let MapChoice::Given(map) = &self.map {
            self.areas = AreaCount::exactly(map.areas() as u8);
        }
        self.in_range()?;
        if self.areas.least < self.players {
            let message = format!(
                "{} players need an area each, and a map may have {} only; set players={} or take \
                 a larger map",
                self.players, self.areas.least, self.areas.least
            );
            return Err(RulesError::contradiction(&["players", "areas"], message));
        }
        if self.transfers == 0 && self.transfers_break_quiet {
            return Err(RulesError::contradiction(
                &["transfers", "transfers_break_quiet"],
                "there are no transfers that could break the quiet; set \
                 transfers_break_quiet=false, or transfers to 1 or more",
            ));
        }
        Ok(self)
    }

    fn in_range(&self) -> Result<(), RulesError> {
        let between = |rule: &str, value: u16, least: u16, most: u16| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            let message = format!("{value} is out of range; expected {least} to {most}");
            Err(RulesError::bad_value(rule, message))
        };
        between("players", self.players.into(), 2, MAX_SEATS as u16)?;
        between("areas", self.areas.least.into(), 2, MAX_AREAS as u16)?;
        between("areas", self.areas.most.into(), 2, MAX_AREAS as u16)?;
        between("dice_per_area", self.dice_per_area.into(), 1, MAX_DICE.into())?;
        between("wear", self.wear.into(), 0, MAX_DICE.into())?;
        between("transfers", self.transfers.into(), 0, 100)?;
        between("reserve", self.reserve.into(), 0, MOST_NEW_DICE.into())?;
        between("quiet_rounds", self.quiet_rounds, 0, 1_000)?;
        between("max_battles", self.max_battles, 0, MOST_TURNS)?;
        between("max_turns", self.max_turns, 1, MOST_TURNS)
    }
}
