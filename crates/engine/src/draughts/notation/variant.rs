//! The variant of draughts that a PDN file is of. A file of another variant is refused as a whole:
//! an error for each of its games would say less.

use super::move_text::{MoveText, MoveTextError};
use crate::draughts::movement::Movement;
use crate::draughts::position::Position;
use std::fmt;

/// A file with games of another variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherVariant {
    /// The variant: `international draughts`.
    pub name: String,
    /// The number of games in the file.
    pub games: u32,
}

impl fmt::Display for OtherVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.games == 1 { "game" } else { "games" };
        write!(f, "{}, {} {noun}; Botyard plays English draughts", self.name, self.games)
    }
}

impl std::error::Error for OtherVariant {}

/// What shows the variant of a game.
pub(super) struct Evidence<'a> {
    pub(super) tags: &'a [(String, String)],
    pub(super) words: &'a Words,
}

/// What the words of a game that look like moves show.
#[derive(Default)]
pub(super) struct Words {
    count: u32,
    /// The first word, if it is a move.
    first: Option<MoveText>,
    /// Whether a square is named by letters.
    has_letters: bool,
    /// Whether a square is one of a board of ten by ten alone: 33 to 50.
    has_beyond: bool,
}

impl Words {
    /// Returns the number of words.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn add(&mut self, word: Result<&MoveText, &MoveTextError>) {
        if self.count == 0 {
            self.first = word.ok().cloned();
        }
        self.count += 1;
        match word {
            Err(MoveTextError::Letters(_)) => self.has_letters = true,
            Err(MoveTextError::NotASquare { square, .. }) => {
                self.has_beyond |= square.parse().is_ok_and(|n: u32| (33..=50).contains(&n));
            }
            _ => {}
        }
    }
}

/// The number of English draughts in the tag `GameType`.
const ENGLISH: &str = "21";

/// Returns the number of the variant in the value of a tag `GameType`, such as `21,B,8,8,N1,0`.
fn number(game_type: &str) -> &str {
    game_type.split(',').next().unwrap_or_default().trim()
}

/// Returns the variant that a tag `GameType` names, unless it is English draughts.
pub(in crate::draughts) fn variant_of(game_type: &str) -> Option<String> {
    // The numbers are those of PDN 3.0.
    let name = match number(game_type) {
        ENGLISH | "" | "?" => return None,
        "0" => "chess",
        "1" => "Chinese chess",
        "20" => "international draughts",
        "22" => "Italian draughts",
        "23" => "American pool checkers",
        "24" => "Spanish draughts",
        "25" => "Russian draughts",
        "26" => "Brazilian draughts",
        "27" => "Canadian draughts",
        "28" => "Portuguese draughts",
        "29" => "Czech draughts",
        "30" => "Turkish draughts",
        "31" => "Thai draughts",
        "40" => "Frisian draughts",
        "41" => "Spantsiretti draughts",
        "50" => "Othello",
        other => return Some(format!("games of GameType {other:?}")),
    };
    Some(name.to_string())
}

/// Returns the variant of a file, if every game of it is of another variant, as far as it shows.
pub(super) fn other_variant<'a>(
    games: impl ExactSizeIterator<Item = Evidence<'a>>,
) -> Option<OtherVariant> {
    let count = games.len() as u32;
    let mut shown: Vec<String> = Vec::new();
    for game in games {
        match game.variant() {
            Variant::English => return None,
            Variant::Other(name) => shown.push(name),
            Variant::Unclear => {}
        }
    }
    // A short game may use no square beyond 32.
    let most = shown.len() * 2 > count as usize;
    let name = shown.into_iter().next().filter(|_| most)?;
    Some(OtherVariant { name, games: count })
}

enum Variant {
    English,
    Other(String),
    Unclear,
}

impl Evidence<'_> {
    fn variant(&self) -> Variant {
        let tag = |name: &str| self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        if let Some((_, game_type)) = tag("GameType") {
            return variant_of(game_type).map_or(Variant::English, Variant::Other);
        }
        let position: Option<Position> = match tag("FEN") {
            Some((_, fen)) => fen.parse().ok(),
            None => Some(Position::START),
        };
        if let (Some(first), Some(position)) = (&self.words.first, position)
            && first.find(&position, Movement::ENGLISH).is_ok()
        {
            return Variant::English;
        }
        if self.words.has_letters {
            return Variant::Other(
                "draughts with squares named by letters, as in Russian draughts".into(),
            );
        }
        if self.words.has_beyond {
            return Variant::Other("international draughts".into());
        }
        Variant::Unclear
    }
}
