//! How games and positions are written: FEN for positions, PDN for games, and the cards of the
//! three-move openings. Readers are tolerant of what people and programs write; writers are
//! strict. Whether a move is legal is for the rules to say.

mod ballots;
mod fen;
mod move_text;
mod pdn;
mod pdn_reader;

pub use ballots::{Ballot, Standing, ballots};
pub use fen::FenError;
pub use move_text::{MoveText, MoveTextError, Unresolved};
pub use pdn::{PdnGame, PdnResult, RecordedMove};
pub use pdn_reader::{PdnError, PdnErrorKind, read_pdn};
