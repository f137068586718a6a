//! Positions as one letter for the side to move and one for each of the 32 squares, square 1 first:
//! the form of Hub (`Wbbb...`) and, with other letters, of DXP. Both protocols are for 50 squares;
//! with 32 this is the dialect for English draughts.

use botyard_engine::draughts::{
    Bitboard, Colour, Piece, Placement, PlacementError, Position, Square,
};

/// The letters of a protocol, Black's before White's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters {
    turn: [char; 2],
    men: [char; 2],
    kings: [char; 2],
    empty: char,
}

/// Hub: `B` or `W`, then `b` and `w` for men, `B` and `W` for kings, `e` for an empty square.
pub(crate) const HUB: Letters =
    Letters { turn: ['B', 'W'], men: ['b', 'w'], kings: ['B', 'W'], empty: 'e' };

/// DXP: Black is `z` (Dutch *zwart*): `Z` or `W`, then `z` and `w`, `Z` and `W`, and `e`.
pub const DXP: Letters =
    Letters { turn: ['Z', 'W'], men: ['z', 'w'], kings: ['Z', 'W'], empty: 'e' };

/// The reason why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Another number of characters.
    #[error(
        "expected a letter for the side to move and 32 for the squares, got {0} characters{hint}",
        hint = if *.0 == 51 { ": 50 squares are a board of international draughts" } else { "" }
    )]
    Length(usize),
    /// A letter that stands for nothing.
    #[error("expected {expected} as character {place} of the position, got {letter:?}")]
    Letter {
        /// The letters that may stand here.
        expected: String,
        /// The character, from 1.
        place: usize,
        /// The letter found.
        letter: char,
    },
    /// Pieces that make no position.
    #[error(transparent)]
    Placement(#[from] PlacementError),
}

impl Letters {
    /// Returns the letter of a side to move.
    pub fn side(&self, colour: Colour) -> char {
        self.turn[colour as usize]
    }

    /// Returns the text of a position, 33 characters.
    pub fn write(&self, position: &Position) -> String {
        let letter = |square| match position.piece(square) {
            Some(Piece { colour, is_king: true }) => self.kings[colour as usize],
            Some(Piece { colour, is_king: false }) => self.men[colour as usize],
            None => self.empty,
        };
        [self.side(position.turn())].into_iter().chain(Square::all().map(letter)).collect()
    }

    /// Returns the position that a text describes.
    ///
    /// # Errors
    ///
    /// The text is not 33 of these letters, or the pieces make no position.
    pub fn read(&self, text: &str) -> Result<Position, PositionError> {
        let letters: Vec<char> = text.chars().collect();
        if letters.len() != 1 + Square::COUNT {
            return Err(PositionError::Length(letters.len()));
        }
        let wrong = |place: usize, known: &[char]| PositionError::Letter {
            expected: known.iter().map(char::to_string).collect::<Vec<_>>().join(" or "),
            place: place + 1,
            letter: letters[place],
        };
        let index = |known: &[char; 2], letter| known.iter().position(|&known| known == letter);
        let turn = index(&self.turn, letters[0]).ok_or_else(|| wrong(0, &self.turn))?;
        let (mut men, mut kings) = ([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2]);
        for square in Square::all() {
            let place = square.index() + 1;
            let letter = letters[place];
            if let Some(colour) = index(&self.men, letter) {
                men[colour] |= Bitboard::of(square);
            } else if let Some(colour) = index(&self.kings, letter) {
                kings[colour] |= Bitboard::of(square);
            } else if letter != self.empty {
                let known = [&self.men[..], &self.kings, &[self.empty]].concat();
                return Err(wrong(place, &known));
            }
        }
        Ok(Position::try_from(Placement { turn: Colour::ALL[turn], men, kings })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::draughts::{Movement, Position};
    use proptest::prelude::*;

    /// The first is the start position; see `docs/do/connect-an-engine.md`.
    #[test]
    fn known_positions() {
        for (fen, hub, dxp) in [
            (
                "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
                "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
                "Zzzzzzzzzzzzzeeeeeeeewwwwwwwwwwww",
            ),
            (
                "W:WK18,K27:BK1,12",
                "WBeeeeeeeeeebeeeeeWeeeeeeeeWeeeee",
                "WZeeeeeeeeeezeeeeeWeeeeeeeeWeeeee",
            ),
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(HUB.write(&position), hub);
            assert_eq!(DXP.write(&position), dxp);
        }
    }

    #[test]
    fn texts_that_are_not_positions() {
        for (text, expected) in [
            ("", "got 0 characters"),
            (
                "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
                "got 51 characters: 50 squares are a board of international draughts",
            ),
            ("wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "expected B or W as character 1"),
            (
                "Wbbbbbbbbbbbbeee.eeeewwwwwwwwwwww",
                "expected b or w or B or W or e as character 17 of the position, got '.'",
            ),
            ("Wweeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "White has a man on 1"),
        ] {
            let error = HUB.read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    proptest! {
        /// Positions of random games: every choice is an index into the legal moves.
        #[test]
        fn positions_come_back_as_they_were(choices in prop::collection::vec(0usize..64, 0..120)) {
            let mut position = Position::START;
            for choice in choices {
                prop_assert_eq!(HUB.read(&HUB.write(&position)), Ok(position));
                prop_assert_eq!(DXP.read(&DXP.write(&position)), Ok(position));
                let moves = position.moves(Movement::ENGLISH);
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let text = crate::hub_text(mv);
                    let found = crate::read_move(&text, &position, Movement::ENGLISH).unwrap();
                    prop_assert_eq!(position.make(found), position.make(mv), "{}", text);
                    let whole = mv.to_string();
                    prop_assert_eq!(crate::read_move(&whole, &position, Movement::ENGLISH), Ok(mv));
                }
                position = position.make(moves[choice % moves.len()]);
            }
        }
    }
}
