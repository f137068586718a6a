//! The list of faces. Every game with its own face has one line in [`FACES`].

use crate::dice_wars::DiceWarsFace;
use crate::draughts::DraughtsFace;
use crate::face::{Face, GameFace, Plain};
use crate::scotland_yard::ScotlandYardFace;
use botyard_engine::Game;
use botyard_protocol::Start;

/// Makes the face of one game. `None` for any other game.
type Maker = fn(&Start) -> Option<Box<dyn Face>>;

/// Every game that has its own face.
const FACES: [Maker; 3] =
    [face_of::<DiceWarsFace>, face_of::<DraughtsFace>, face_of::<ScotlandYardFace>];

/// Returns the face of the game that this message starts: its own, or the one that
/// numbers the legal actions.
pub fn face(start: &Start) -> Box<dyn Face> {
    FACES.iter().find_map(|make| make(start)).unwrap_or(Box::new(Plain))
}

fn face_of<F: GameFace + 'static>(start: &Start) -> Option<Box<dyn Face>> {
    if start.game != F::Game::NAME {
        return None;
    }
    Some(Box::new(F::new(start)?))
}
