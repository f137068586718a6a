//! The parameters of the rules, as written in presets, replays and `start` messages; how they are
//! resolved and validated. `position` and `deal` implement their meaning.

use super::area::MAX_AREAS;
use super::battle::MAX_DICE;
use super::map::Map;
use super::presets;
use crate::rules::RulesError;
use crate::seat::MAX_SEATS;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::sync::Arc;

/// The parameters of Dice Wars. `docs/games/dice-wars.md` explains them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The number of players, 2 to 8.
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 8)))]
    pub players: u8,
    /// The map.
    pub map: MapChoice,
    /// The number of areas of a generated map, 2 to 64, or a range to draw it from uniformly, such
    /// as `29-31`. That of a given map follows from the map.
    pub areas: AreaCount,
    /// The deal of the areas.
    pub ownership: Ownership,
    /// The deal of the first dice.
    pub start_dice: StartDice,
    /// The number of dice per area at the start, 1 to 8; `start_dice` defines how it is used.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 8)))]
    pub dice_per_area: u8,
    /// The defender loses one die per N dice of the attacker when an attack is lost, N from 1 to 8,
    /// but never its last die; 0 for none.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 8)))]
    pub wear: u8,
    /// The number of transfers that a player may make in a turn, 0 to 100.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub transfers: u8,
    /// The largest number of dice in a player's reserve, 0 to 64.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 64)))]
    pub reserve: u8,
    /// Whether that limit is one die less for every area that the player owns.
    pub reserve_less_areas: bool,
    /// The number of rounds without an attack after which the game is over, 1 to 1,000; 0 for no
    /// limit.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1000)))]
    pub quiet_rounds: u16,
    /// Whether a transfer counts like an attack in `quiet_rounds`.
    pub transfers_break_quiet: bool,
    /// The number of attacks after which the game is over, 1 to 60,000; 0 for no limit.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 60_000)))]
    pub max_battles: u16,
    /// The number of turns, of all players together, after which the game is over, 1 to 60,000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 60_000)))]
    pub max_turns: u16,
    /// The outcome of a game that reaches a limit with several players on the map.
    pub undecided: Undecided,
}

/// The largest number of dice that a player gets after a turn, including its reserve; so also the
/// largest reserve.
pub const MOST_NEW_DICE: u8 = 64;

/// The largest limit of turns and of battles.
pub const MOST_TURNS: u16 = 60_000;

/// The map.
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
        // A map may also come as a string of JSON.
        if let Some(Ok(map @ Value::Object(_))) = value.as_str().map(serde_json::from_str) {
            value = map;
        }
        if !value.is_object() {
            return Err(D::Error::custom(format!(
                "{value} is not a map; expected generated, or a map as {{\"areas\": [{{\"id\": 1, \
                 \"adjacent\": [2], \"cells\": [[0, 0]]}}, ...]}}"
            )));
        }
        let map = Map::deserialize(value).map_err(D::Error::custom)?;
        Ok(MapChoice::Given(Arc::new(map)))
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for MapChoice {
    fn schema_name() -> Cow<'static, str> {
        "MapChoice".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The map: drawn for each game, or this map.",
            "oneOf": [{ "const": "generated" }, generator.subschema_for::<Map>()]
        })
    }
}

/// The number of areas of a generated map.
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
                "{value} is not a number of areas; expected one such as 34, or the least and the \
                 most such as 29-31"
            ))),
        }
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for AreaCount {
    fn schema_name() -> Cow<'static, str> {
        "AreaCount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The number of areas of a generated map, or the least and the most.",
            "oneOf": [
                { "type": "integer", "minimum": 2, "maximum": MAX_AREAS },
                { "type": "string", "pattern": "^[0-9]{1,2}-[0-9]{1,2}$" }
            ]
        })
    }
}

/// The deal of the areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ownership {
    /// One connected region per player, of equal sizes or sizes that differ by one, if the map has
    /// such regions.
    ConnectedEven,
    /// One connected region per player, of random sizes: the players in turn take a free area that
    /// touches their own.
    Connected,
    /// Any areas, dealt to the players in turn.
    Scattered,
}

/// The deal of the first dice. Every area has at least one and at most eight; dice that do not
/// fit are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StartDice {
    /// Every player has the same number: `dice_per_area` times the areas of the map, divided by the
    /// number of players and rounded down, plus one. They are placed on its areas at random.
    Equal,
    /// `dice_per_area` on every area.
    Flat,
    /// `dice_per_area` times the areas of the map, minus a random number from 0 to 5, split among
    /// the players as evenly as possible. They are placed on a player's areas at random.
    Split,
    /// `dice_per_area` times the areas of the map: one on every area; the players in turn place the
    /// others on their own areas at random.
    InTurn,
}

/// The outcome of a game that reaches a limit with several players on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Undecided {
    /// The players are ranked by their areas, then by their dice on the map.
    Ranked,
    /// The players share the first place.
    Shared,
}

/// The part of the rules that play needs. Every position contains it.
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
    /// Returns the rules of a preset; `None` for any other name.
    pub fn preset(name: &str) -> Option<Rules> {
        presets::preset(name)
    }

    /// Returns the part of the rules that play needs.
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

    /// Resolves the rules: the same rules with every derived parameter written out.
    ///
    /// # Errors
    ///
    /// If a value is out of range, or parameters contradict each other.
    pub(super) fn resolve(mut self) -> Result<Rules, RulesError> {
        if let MapChoice::Given(map) = &self.map {
            self.areas = AreaCount::exactly(map.areas() as u8);
        }
        self.in_range()?;
        if self.areas.least < self.players {
            let message = format!(
                "{} players need one area each, but a map may have only {}; set players={} or take \
                 a larger map",
                self.players, self.areas.least, self.areas.least
            );
            return Err(RulesError::contradiction(&["players", "areas"], message));
        }
        if self.transfers == 0 && self.transfers_break_quiet {
            return Err(RulesError::contradiction(
                &["transfers", "transfers_break_quiet"],
                "there are no transfers that could end a quiet period; set \
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
