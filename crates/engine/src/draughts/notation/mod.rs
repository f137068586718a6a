//! Notation of positions and games: FEN, PDN and the cards of the three-move openings. Readers are
//! tolerant of what people and programs write; writers are strict. Readers do not check whether a
//! move is legal.

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
