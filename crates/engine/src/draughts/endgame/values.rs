//! The values of a class as they are stored: with the number of plies to the end, a byte a
//! position, or the result alone, 2 bits a position.

use super::material::Material;
use super::tally::Tally;
use super::value::{DRAW, UNKNOWN};
use std::fmt;
use std::sync::Arc;

/// Tables that are not in memory: a byte is read when it is needed.
pub trait StoredTables: fmt::Debug + Send + Sync {
    /// Returns the byte at this place, which all tables count from 0; `None` if it cannot be read.
    fn byte(&self, at: u64) -> Option<u8>;
}

/// The number of positions in a byte of results.
const PER_BYTE: usize = 4;
/// The codes of results. The first two are what [`Values::byte`] returns for them.
const LOSS: u8 = 0;
const WIN: u8 = 1;
const DRAWN: u8 = 2;

/// The values of the positions of a class, in the order of their numbers.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// A byte each: [`Value::byte`](super::value::Value::byte).
    Plies(Vec<u8>),
    /// 2 bits each, the first position in the lowest bits of a byte: 0 if the side to move loses,
    /// 1 if it wins, 2 for a draw. The bits after the last position are 0.
    Results(Vec<u8>),
    /// Either of them, from a place on in tables that are not in memory.
    Stored { tables: Arc<dyn StoredTables>, first: u64, has_plies: bool },
}

impl Values {
    /// Stores the solved bytes of a class in the form that its number of pieces has.
    pub(super) fn of_solved(material: Material, bytes: Vec<u8>) -> Values {
        if material.has_plies() { Values::Plies(bytes) } else { Values::Results(packed(&bytes)) }
    }

    /// Returns the length of the stored bytes of this number of positions, with plies or results
    /// alone.
    pub(super) const fn length(positions: usize, has_plies: bool) -> usize {
        if has_plies { positions } else { positions.div_ceil(PER_BYTE) }
    }

    /// Returns the first of these positions whose bits or byte no value has; `None` if they are not
    /// in memory.
    pub(super) fn first_invalid(&self, positions: usize) -> Option<usize> {
        match self {
            Values::Stored { .. } => None,
            Values::Plies(bytes) => bytes.iter().position(|&byte| byte == UNKNOWN),
            Values::Results(bytes) => {
                let is_right = |number: usize| match number < positions {
                    true => code(bytes[number / PER_BYTE], number) <= DRAWN,
                    false => code(bytes[number / PER_BYTE], number) == 0,
                };
                // Whole bytes first: 3 in both bits of any position.
                let suspect = |byte: u8| byte & byte >> 1 & 0b0101_0101 != 0;
                let first = bytes.iter().position(|&byte| suspect(byte));
                let from = first.unwrap_or(bytes.len().saturating_sub(1)) * PER_BYTE;
                (from..bytes.len() * PER_BYTE).find(|&number| !is_right(number))
            }
        }
    }

    /// Returns the stored bytes, if they are in memory.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Values::Plies(bytes) | Values::Results(bytes) => Some(bytes),
            Values::Stored { .. } => None,
        }
    }

    /// Returns the byte of a position; without plies, that of a win in 1 or a loss in 0 plies.
    /// `None` if it cannot be read.
    #[inline(always)]
    pub(super) fn byte(&self, number: usize) -> Option<u8> {
        Some(match self {
            Values::Plies(bytes) => bytes[number],
            Values::Results(bytes) => of_code(code(bytes[number / PER_BYTE], number)),
            Values::Stored { tables, first, has_plies: true } => {
                tables.byte(first + number as u64)?
            }
            Values::Stored { tables, first, has_plies: false } => {
                let byte = tables.byte(first + (number / PER_BYTE) as u64)?;
                of_code(code(byte, number))
            }
        })
    }

    /// Returns whether the values have the number of plies.
    #[inline(always)]
    pub(super) const fn has_plies(&self) -> bool {
        matches!(self, Values::Plies(_) | Values::Stored { has_plies: true, .. })
    }

    /// Counts the values of this number of positions.
    pub(super) fn tally(&self, positions: usize) -> Tally {
        let mut tally = Tally::default();
        let mut longest = 0;
        for number in 0..positions {
            match self.byte(number) {
                None | Some(DRAW | UNKNOWN) => tally.draws += 1,
                Some(plies) => {
                    longest = longest.max(plies);
                    *if plies % 2 == 1 { &mut tally.wins } else { &mut tally.losses } += 1;
                }
            }
        }
        tally.longest = self.has_plies().then_some(longest);
        tally
    }
}

/// Returns the bits of a position in its byte.
#[inline(always)]
const fn code(byte: u8, number: usize) -> u8 {
    byte >> (number % PER_BYTE * 2) & 3
}

/// Returns the byte of a position with these bits.
#[inline(always)]
const fn of_code(code: u8) -> u8 {
    match code {
        DRAWN => DRAW,
        code => code,
    }
}

/// Returns the results of positions with these bytes.
pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let code = |byte: u8| match byte {
        DRAW => DRAWN,
        plies if plies.is_multiple_of(2) => LOSS,
        _ => WIN,
    };
    let pack = |four: &[u8]| four.iter().rev().fold(0, |bits, &byte| bits << 2 | code(byte));
    bytes.chunks(PER_BYTE).map(pack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_those_of_the_plies() {
        let plies = [0, 109, DRAW, 2, 1, 1, DRAW];
        let results = Values::Results(packed(&plies));
        assert_eq!(results.bytes(), Some(&[0b00_10_01_00, 0b00_10_01_01][..]));
        let expected = [0, 1, DRAW, 0, 1, 1, DRAW].map(Some);
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|n| results.byte(n)), expected);
        assert!(!results.has_plies());
        assert_eq!(results.first_invalid(7), None);
        let [with, without] = [Values::Plies(plies.to_vec()), results].map(|of| of.tally(7));
        assert_eq!(with.longest, Some(109));
        assert_eq!(Tally { longest: None, ..with }, without);
        assert_eq!([without.wins, without.losses, without.draws], [3, 2, 2]);
    }

    #[test]
    fn bits_that_no_result_has() {
        for (bytes, positions, expected) in [
            ([0b10_01_00_10, 0b00_00_01_00], 6, None),
            ([0b10_11_00_10, 0b00_00_01_00], 6, Some(2)),
            ([0b10_01_00_10, 0b00_00_11_00], 6, Some(5)),
            ([0b10_01_00_10, 0b00_01_01_00], 6, Some(6)),
            ([0b10_01_00_10, 0b01_01_01_00], 8, None),
        ] {
            assert_eq!(Values::Results(bytes.to_vec()).first_invalid(positions), expected);
        }
    }
}
