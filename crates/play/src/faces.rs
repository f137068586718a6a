//! The list of faces. Every game with its own face has one line in [`FACES`].

use crate::dice_wars::DiceWarsFace;
use crate::draughts::DraughtsFace;
use crate::face::{Face, GameFace, Plain};
use crate::scotland_yard::ScotlandYardFace;
use botyard_engine::Game;
use botyard_protocol::Start;

/// Makes the face of a game. `None`: its rules or setup cannot be read.
type Maker = fn(&Start) -> Option<Box<dyn Face>>;

/// Every game that has its own face.
const FACES: [(&str, Maker); 3] =
    [row::<DiceWarsFace>(), row::<DraughtsFace>(), row::<ScotlandYardFace>()];

const fn row<F: GameFace + 'static>() -> (&'static str, Maker) {
    (F::Game::NAME, |start| Some(Box::new(F::new(start)?)))
}

/// Returns whether a game has its own face.
pub fn has_face(game: &str) -> bool {
    FACES.iter().any(|(name, _)| *name == game)
}

/// Returns the face of the game that this message starts: its own, or the one that
/// numbers the legal actions.
pub fn face(start: &Start) -> Box<dyn Face> {
    let own = FACES.iter().find(|(name, _)| *name == start.game);
    own.and_then(|(_, make)| make(start)).unwrap_or(Box::new(Plain))
}
