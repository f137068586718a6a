//! Notations of a game besides JSON: named sets of openings, openings in the game's own notation,
//! and game records. A game without any has [`JsonOnly`] as its [`Game::Notation`].

use crate::game::{Game, OpeningError, Preset};
use crate::perft::{Counting, Perft};
use crate::record::Records;

/// The notation of a game `G`. Every part is optional.
pub trait Notation<G: Game> {
    /// The named sets of openings for matches between programs.
    const OPENING_SETS: &'static [Preset] = &[];

    /// Returns the openings of one of [`Notation::OPENING_SETS`], in order; `None` for any other
    /// name. [`Game::start`] checks whether they can be played under the rules of a game.
    fn opening_set(_name: &str) -> Option<Vec<G::Opening>> {
        None
    }

    /// Reads openings in the game's own notation, and checks that they can be played. `None`, the
    /// default, means that JSON is the game's only notation.
    ///
    /// The error is the first opening that cannot be read or played.
    fn read_openings(_game: &G, _text: &str) -> Option<Result<Vec<G::Opening>, OpeningError>> {
        None
    }

    /// Reads another program's game records and plays them through the rules. A game that differs
    /// is an error in the list; the other games are still read. `None`, the default, means that the
    /// game has no such format.
    fn import(_text: &str) -> Option<Records> {
        None
    }

    /// Formats the position of a state in the game's own notation: FEN for draughts. `None`, the
    /// default, means that the game has no such notation.
    fn position(_game: &G, _state: &G::State) -> Option<String> {
        None
    }

    /// Sets up perft from a position in the game's own notation, or from the start position.
    /// `None`, the default, means that the game has no perft.
    ///
    /// The error says why the text is not a position.
    fn perft(
        _game: &G,
        _position: Option<&str>,
        _counting: Counting,
    ) -> Option<Result<Box<dyn Perft>, String>> {
        None
    }
}

/// JSON is the only notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonOnly;

impl<G: Game> Notation<G> for JsonOnly {}
