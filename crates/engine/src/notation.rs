//! How people and other programs write a game: named sets of openings, openings in the game's own
//! notation, records of games. A game without any has [`JsonOnly`] as its [`Game::Notation`].

use crate::game::{Game, OpeningError, Preset};
use crate::perft::{Counting, Perft};
use crate::record::{Record, RecordError};

/// The notation of a game `G`; everything in it is optional.
pub trait Notation<G: Game> {
    /// The sets of openings that matches between programs begin from, by name.
    const OPENING_SETS: &'static [Preset] = &[];

    /// The openings of one of [`Notation::OPENING_SETS`], in order; `None` for any other name.
    /// Whether they can be played under the rules of a game is for [`Game::start`] to say.
    fn opening_set(_name: &str) -> Option<Vec<G::Opening>> {
        None
    }

    /// Reads openings in the game's own notation. All of them can be played. `None`, the default,
    /// means that the game knows no notation but JSON.
    ///
    /// The error is the first opening that cannot be read or played.
    fn read_openings(_game: &G, _text: &str) -> Option<Result<Vec<G::Opening>, OpeningError>> {
        None
    }

    /// Reads another program's game records and plays them through the rules; each difference is
    /// an error in the list, and the rest goes on. `None`, the default, means that the game
    /// knows no such format.
    fn import(_text: &str) -> Option<Vec<Result<Record, RecordError>>> {
        None
    }

    /// Sequences of plies to be counted from a position in the game's own notation, or from the start position.
    /// `None`, the default, means that the game has no perft.
    ///
    /// The error says why the text is no position.
    fn perft(
        _game: &G,
        _position: Option<&str>,
        _counting: Counting,
    ) -> Option<Result<Box<dyn Perft>, String>> {
        None
    }
}

/// No notation but JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonOnly;

impl<G: Game> Notation<G> for JsonOnly {}
