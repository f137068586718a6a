//! Notation of positions and games: FEN, PDN and the cards of the three-move openings. Readers are
//! tolerant of what people and programs write; writers are strict. Readers do not check whether a
//! move is legal.

mod ballots;
mod cursor;
mod fen;
mod move_text;
mod pdn;
mod pdn_lexer;
mod pdn_reader;
mod pdn_tag;
mod variant;

pub use ballots::{Ballot, Standing, ballots};
pub use cursor::Place;
pub(super) use cursor::{is_space, lines};
pub use fen::FenError;
pub use move_text::{MoveText, MoveTextError, Unresolved};
pub use pdn::{PdnGame, PdnResult, RecordedMove};
pub use pdn_reader::{PdnError, PdnErrorKind, read_english_pdn, read_pdn};
pub use variant::OtherVariant;
pub(super) use variant::variant_of;
