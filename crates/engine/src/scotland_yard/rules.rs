//! The parameters of the rules, as written in presets, replays and `start` messages; how they are
//! resolved and validated. `position` implements their meaning.

use super::board::{Board, Grid, GridMoves};
use super::detective::MAX_DETECTIVES;
use super::starts::Starts;
use super::ticket::{Allowance, Tickets};
use crate::rules::RulesError;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The parameters of Scotland Yard. `docs/games/scotland-yard.md` lists the presets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The board.
    pub board: BoardName,
    /// The number of detectives, 1 to 5.
    pub detectives: u8,
    /// The stations that starts are drawn from.
    pub starts: Starts,
    /// Which seats there are.
    pub seats: Seats,
    /// Each detective's tickets at the start.
    pub detective_tickets: Allowance,
    /// Mr. X's tickets at the start, without black and double tickets.
    pub x_tickets: Allowance,
    /// The number of Mr. X's black tickets at the start, 0 to 999, or `per_detective`.
    pub black: Black,
    /// The number of Mr. X's double tickets at the start, 0 to 999.
    pub double: u16,
    /// The length of a game, 1 to 9,999 of `limit_unit`; then Mr. X has escaped.
    pub limit: u16,
    /// The unit of `limit`.
    pub limit_unit: LimitUnit,
    /// The moves of Mr. X after which his station is shown; a double move counts as two.
    pub reveals: Reveals,
    /// The order in which the detectives move.
    pub order: Order,
    /// Where the tickets go that the detectives use.
    pub handover: Handover,
    /// Whether Mr. X may step onto a detective.
    pub x_onto_detective: OntoDetective,
    /// What happens to a detective that cannot move.
    pub stuck: Stuck,
    /// What happens when no detective can move.
    pub all_stuck: AllStuck,
    /// The stations that detectives block for each other.
    pub agent_collision: Collision,
    /// The steps of a grid; `orthogonal` on the London board, where it has no effect.
    pub grid_moves: GridMoves,
    /// Whether views list the stations at which Mr. X can be as far as the detectives can know.
    pub show_candidates: bool,
    /// Whether Mr. X's views list the second steps of his double moves; left out in JSON if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub show_second_legs: bool,
}

/// The board.
///
/// In JSON `"london"`, `"london-classic"` or the width and height of a grid, `"7x7"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardName {
    /// The London map as printed today.
    London,
    /// The London map of the boards of 1983 and 1984, with a taxi line from 13 to 14.
    LondonClassic,
    /// A grid of cells.
    Grid(Grid),
}

impl fmt::Display for BoardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardName::London => f.write_str("london"),
            BoardName::LondonClassic => f.write_str("london-classic"),
            BoardName::Grid(grid) => write!(f, "{}x{}", grid.width(), grid.height()),
        }
    }
}

impl Serialize for BoardName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BoardName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BoardName, D::Error> {
        let name = String::deserialize(deserializer)?;
        match name.as_str() {
            "london" => return Ok(BoardName::London),
            "london-classic" => return Ok(BoardName::LondonClassic),
            _ => {}
        }
        let grid = name
            .split_once('x')
            .and_then(|(width, height)| Grid::new(width.parse().ok()?, height.parse().ok()?));
        grid.map(BoardName::Grid).ok_or_else(|| {
            D::Error::custom(format!(
                "there is no board {name:?}; expected london, london-classic, or the width and \
                 height of a grid such as 7x7, each 2 to 100"
            ))
        })
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for BoardName {
    fn schema_name() -> Cow<'static, str> {
        "BoardName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The London map, or the width and height of a grid, each 2 to 100.",
            "type": "string", "pattern": "^(london|london-classic|[0-9]{1,3}x[0-9]{1,3})$"
        })
    }
}

/// Which seats there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Seats {
    /// One seat for Mr. X and one for all detectives.
    Sides,
    /// One seat for Mr. X and one for each detective; they move in order.
    Pawns,
}

/// The number of Mr. X's black tickets at the start: a number or, in JSON, `"per_detective"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Black {
    /// This number.
    Count(u16),
    /// As many as there are detectives.
    PerDetective,
}

impl Serialize for Black {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Black::Count(count) => serializer.serialize_u16(*count),
            Black::PerDetective => serializer.serialize_str("per_detective"),
        }
    }
}

impl<'de> Deserialize<'de> for Black {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Black, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if value == "per_detective" {
            return Ok(Black::PerDetective);
        }
        let count = value.as_u64().and_then(|count| u16::try_from(count).ok());
        count.map(Black::Count).ok_or_else(|| {
            D::Error::custom(format!(
                "{value} is not a number of black tickets; expected a number or \"per_detective\""
            ))
        })
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Black {
    fn schema_name() -> Cow<'static, str> {
        "Black".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The number of Mr. X's black tickets at the start.",
            "oneOf": [
                { "type": "integer", "minimum": 0, "maximum": Tickets::MOST },
                { "const": "per_detective" }
            ]
        })
    }
}

/// The unit of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LimitUnit {
    /// Rounds: Mr. X's turn and every detective's.
    Rounds,
    /// Entries of the travel log; a double move has two.
    XMoves,
}

/// The moves of Mr. X after which his station is shown.
///
/// In JSON a list of move numbers, `[3, 8, 13]`. `"3,8,13"` and `"every 3"` are read too; resolving
/// the rules turns the latter into a list as long as the game can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reveals {
    /// After these moves, counted from 1, in ascending order.
    At(Vec<u16>),
    /// After every N moves.
    Every(u16),
}

impl Serialize for Reveals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Reveals::At(moves) => moves.serialize(serializer),
            Reveals::Every(period) => serializer.collect_str(&format_args!("every {period}")),
        }
    }
}

impl<'de> Deserialize<'de> for Reveals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Reveals, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let at = |moves: Option<Vec<u16>>| {
            moves.map(|mut moves| {
                moves.sort_unstable();
                moves.dedup();
                Reveals::At(moves)
            })
        };
        let read = match &value {
            Value::Array(moves) => at(moves
                .iter()
                .map(|number| number.as_u64().and_then(|number| u16::try_from(number).ok()))
                .collect()),
            // `--rule reveals=3` arrives as a number.
            Value::Number(number) => {
                at(number.as_u64().and_then(|number| u16::try_from(number).ok()).map(|n| vec![n]))
            }
            Value::String(text) => match text.strip_prefix("every ") {
                Some(period) => period.trim().parse().ok().map(Reveals::Every),
                None if matches!(text.trim(), "" | "none") => Some(Reveals::At(Vec::new())),
                None => at(text.split(',').map(|number| number.trim().parse().ok()).collect()),
            },
            _ => None,
        };
        read.ok_or_else(|| {
            D::Error::custom(format!(
                "{value} does not name reveals; expected the numbers of Mr. X's moves, such \
                 as [3,8,13] or \"3,8,13\", or \"every 3\""
            ))
        })
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Reveals {
    fn schema_name() -> Cow<'static, str> {
        "Reveals".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The moves of Mr. X after which his station is shown.",
            "oneOf": [
                { "type": "array", "items": { "type": "integer", "minimum": 1, "maximum": 65535 } },
                { "type": "string", "pattern": "^every [1-9][0-9]*$" }
            ]
        })
    }
}

/// The order in which the detectives move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The side chooses which of its detectives moves next.
    Any,
    /// By number. One seat per detective implies this.
    Fixed,
}

/// Where the tickets go that the detectives use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Handover {
    /// To no player: they are out of the game.
    Pool,
    /// To Mr. X.
    X,
}

/// Whether Mr. X may step onto a detective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OntoDetective {
    /// He may not.
    Illegal,
    /// He may, and is caught by it.
    Loses,
}

/// What happens to a detective that cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stuck {
    /// It stays where it is and may move again in a later round.
    Skip,
    /// A detective whose tickets fit no edge at its station stays there permanently. One that is
    /// only blocked by others waits and does not count as stuck.
    Out,
    /// A detective whose tickets fit no edge at its station is taken off the board when the
    /// detectives' part of the next round begins. One that is only blocked by others waits.
    Removed,
}

/// What happens when no detective can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AllStuck {
    /// Mr. X wins immediately.
    XWins,
    /// Mr. X continues alone, to the limit or until he is stuck himself.
    PlayOn,
}

/// The stations that detectives block for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Collision {
    /// The stations of the detectives at that moment: one may follow another.
    Sequential,
    /// Also the detectives' stations before the first of them moved in this round.
    PreMoveStrict,
}

impl Rules {
    /// Returns the number of Mr. X's black tickets at the start.
    pub fn black_tickets(&self) -> u16 {
        match self.black {
            Black::Count(count) => count,
            Black::PerDetective => u16::from(self.detectives),
        }
    }

    /// Returns the largest number of entries that the travel log can have.
    pub fn last_x_move(&self) -> u16 {
        match self.limit_unit {
            LimitUnit::Rounds => self.limit + self.double,
            LimitUnit::XMoves => self.limit,
        }
    }

    /// Resolves the rules: the same rules with every derived parameter written out, and their
    /// board.
    ///
    /// # Errors
    ///
    /// If a value is out of range, or parameters contradict each other.
    pub(super) fn resolve(mut self) -> Result<(Rules, Arc<Board>), RulesError> {
        self.in_range()?;
        self.black = Black::Count(self.black_tickets());
        if let Reveals::Every(period) = self.reveals {
            self.reveals =
                Reveals::At((period..=self.last_x_move()).step_by(period.into()).collect());
        }
        if self.seats == Seats::Pawns {
            self.order = Order::Fixed;
        }
        self.consistent()?;
        let board = match self.board {
            BoardName::London => Board::london(),
            BoardName::LondonClassic => Board::london_classic(),
            BoardName::Grid(grid) => Arc::new(Board::grid(grid, self.grid_moves)),
        };
        let pawns = u16::from(self.detectives) + 1;
        if board.len() < usize::from(pawns) {
            return Err(RulesError::contradiction(
                &["detectives", "board"],
                format!(
                    "{} detectives and Mr. X need {pawns} stations, a board of {} has {}; take a \
                     larger one",
                    self.detectives,
                    self.board,
                    board.len()
                ),
            ));
        }
        Ok((self, board))
    }

    fn in_range(&self) -> Result<(), RulesError> {
        let between = |rule: &str, value: u16, least: u16, most: u16| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(RulesError::bad_value(
                    rule,
                    format!("{value} is out of range; expected {least} to {most}"),
                ))
            }
        };
        between("detectives", self.detectives.into(), 1, MAX_DETECTIVES as u16)?;
        between("limit", self.limit, 1, 9_999)?;
        between("black", self.black_tickets(), 0, Tickets::MOST)?;
        between("double", self.double, 0, Tickets::MOST)?;
        for (rule, allowance) in
            [("detective_tickets", self.detective_tickets), ("x_tickets", self.x_tickets)]
        {
            if let Some(tickets) = allowance.tickets() {
                between(&format!("{rule}.taxi"), tickets.taxi, 0, Tickets::MOST)?;
                between(&format!("{rule}.bus"), tickets.bus, 0, Tickets::MOST)?;
                between(&format!("{rule}.underground"), tickets.underground, 0, Tickets::MOST)?;
            }
        }
        match &self.reveals {
            Reveals::Every(0) => {
                Err(RulesError::bad_value("reveals", "every 0 moves; expected every 1 or more"))
            }
            Reveals::At(moves) if moves.contains(&0) => Err(RulesError::bad_value(
                "reveals",
                "there is no move 0: Mr. X's moves are counted from 1",
            )),
            _ => Ok(()),
        }
    }

    fn consistent(&self) -> Result<(), RulesError> {
        let contradiction =
            |rules: &[&str], message: &str| Err(RulesError::contradiction(rules, message));
        if self.handover == Handover::X && self.x_tickets == Allowance::Unlimited {
            return contradiction(
                &["handover", "x_tickets"],
                "Mr. X has unlimited tickets already; set handover=pool, or x_tickets to numbers \
                 such as 4/3/3",
            );
        }
        if self.handover == Handover::X && self.detective_tickets == Allowance::Unlimited {
            return contradiction(
                &["handover", "detective_tickets"],
                "tickets that are not counted cannot be handed over; set handover=pool, or \
                 detective_tickets to numbers such as 10/8/4",
            );
        }
        match self.board {
            BoardName::Grid(_) => self.consistent_on_a_grid(),
            _ if self.grid_moves != GridMoves::Orthogonal => contradiction(
                &["grid_moves", "board"],
                "the London board has no cells; set grid_moves=orthogonal, or board to a grid \
                 such as 7x7",
            ),
            _ => Ok(()),
        }
    }

    fn consistent_on_a_grid(&self) -> Result<(), RulesError> {
        if self.starts != Starts::Random {
            return Err(RulesError::contradiction(
                &["starts", "board"],
                format!(
                    "the cards of {} name stations of the London board; set starts=random",
                    self.starts.name()
                ),
            ));
        }
        if self.black_tickets() > 0 {
            return Err(RulesError::contradiction(
                &["black", "board"],
                "a grid has only taxis, so a black ticket would hide nothing; set black=0",
            ));
        }
        for (rule, allowance) in
            [("detective_tickets", self.detective_tickets), ("x_tickets", self.x_tickets)]
        {
            if allowance.tickets().is_some_and(|tickets| tickets.bus + tickets.underground > 0) {
                return Err(RulesError::contradiction(
                    &[rule, "board"],
                    format!(
                        "a grid has neither bus nor underground; set {rule} to unlimited, or to \
                         taxis only such as 20/0/0"
                    ),
                ));
            }
        }
        Ok(())
    }
}
