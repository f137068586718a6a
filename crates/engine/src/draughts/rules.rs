//! The parameters of the rules, as written in presets, replays and `start` messages; their presets
//! and validation. `movegen` and `state` implement their meaning.

use super::colour::Colour;
use super::movement::{Jump, Movement};
use crate::game::Preset;
use crate::rules::RulesError;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of draughts. `docs/games/draughts.md` explains them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The side that moves first from the start position.
    pub first_mover: Colour,
    /// The length of a capture.
    pub jump: Jump,
    /// Whether a man that reaches the king row in the middle of a capture stops there. If not, it
    /// continues as a king.
    pub promotion_ends_move: bool,
    /// Whether captures are compulsory.
    pub compulsory_capture: bool,
    /// The game is drawn when a position with the same side to move occurs for the Nth time, N from
    /// 2 to 100; 0 for never.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub draw_repetitions: u8,
    /// The game is drawn after N consecutive plies without a capture or a man's move, N from 1 to
    /// 10,000; 0 for never.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10_000)))]
    pub draw_quiet_plies: u16,
    /// The game is drawn after N plies, N from 1 to 10,000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10_000)))]
    pub max_plies: u16,
    /// The openings that are drawn from.
    pub ballots: Ballots,
}

/// The openings that are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ballots {
    /// Every game begins at the start position.
    None,
    /// One of the 157 three-move openings that tournaments draw from.
    ThreeMove,
    /// One of all 174 three-move openings, including the 17 barred ones.
    ThreeMoveAll,
}

/// The largest limit of plies.
pub const MOST_PLIES: u16 = 10_000;

/// All presets; the first is the default.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "english",
        about: "English draughts (American checkers) as played in tournaments: three-move openings are drawn",
    },
    Preset {
        name: "janacek-2007",
        about: "Janacek, 2007: White moves first, and every jump takes one piece and ends the turn",
    },
];

/// Returns the rules of a preset.
pub(super) fn preset(name: &str) -> Option<Rules> {
    let english = Rules {
        first_mover: Colour::Black,
        jump: Jump::WholePath,
        promotion_ends_move: true,
        compulsory_capture: true,
        draw_repetitions: 3,
        draw_quiet_plies: 80,
        max_plies: 1_000,
        ballots: Ballots::ThreeMove,
    };
    match name {
        "english" => Some(english),
        "janacek-2007" => Some(Rules {
            first_mover: Colour::White,
            jump: Jump::OnePiece,
            ballots: Ballots::None,
            ..english
        }),
        _ => None,
    }
}

impl Rules {
    /// Returns the rules of movement.
    pub const fn movement(&self) -> Movement {
        Movement {
            jump: self.jump,
            promotion_ends_move: self.promotion_ends_move,
            compulsory_capture: self.compulsory_capture,
        }
    }

    /// Checks that these rules can be played.
    ///
    /// # Errors
    ///
    /// If a value is out of range, or parameters contradict each other.
    pub(super) fn check(&self) -> Result<(), RulesError> {
        if self.draw_repetitions == 1 || self.draw_repetitions > 100 {
            return Err(RulesError::bad_value(
                "draw_repetitions",
                format!("expected 2 to 100, or 0 for never; got {}", self.draw_repetitions),
            ));
        }
        if self.draw_quiet_plies > MOST_PLIES {
            return Err(RulesError::bad_value(
                "draw_quiet_plies",
                format!(
                    "expected 1 to {MOST_PLIES}, or 0 for never; got {}",
                    self.draw_quiet_plies
                ),
            ));
        }
        if !(1..=MOST_PLIES).contains(&self.max_plies) {
            return Err(RulesError::bad_value(
                "max_plies",
                format!("expected 1 to {MOST_PLIES}; got {}", self.max_plies),
            ));
        }
        if self.jump == Jump::OnePiece && !self.promotion_ends_move {
            return Err(RulesError::contradiction(
                &["jump", "promotion_ends_move"],
                "a turn that ends with its first jump cannot continue after a promotion; set \
                 promotion_ends_move=true or jump=whole_path",
            ));
        }
        if self.ballots != Ballots::None && self.first_mover == Colour::White {
            return Err(RulesError::contradiction(
                &["ballots", "first_mover"],
                "the three-move openings begin with a move of Black; set ballots=none or \
                 first_mover=black",
            ));
        }
        Ok(())
    }
}
