//! Tournaments described by a file: checking, starting, playing, resuming and repairing. Schedules,
//! stores and statistics are in `botyard-league`.

mod admission;
mod begin;
mod begun;
mod changes;
mod check;
mod directory;
mod events;
mod extend;
mod gate;
mod journal;
mod keeping;
mod opened;
mod outline;
mod recorded;
mod recover;
mod rejudge;
mod report;
mod results;
mod results_text;
mod session;
mod setup;
mod supply;
mod trial;

pub use begin::{Beginning, Begun};
pub use check::{Checked, check};
pub use directory::{Directory, store_file};
pub use events::TournamentEvent;
pub use extend::{Addition, AdmittedAddition, Adoption};
pub use gate::GateGames;
pub use journal::played_game;
pub use opened::Tournament;
pub use recover::{Recovery, recover};
pub use rejudge::{ChangedGame, Choice, Difference, Settled, finish_rejudge};
pub use report::Report;
pub use results::{Replaced, Results};
pub use results_text::{Form, rejected_in_words};
pub use session::{Ended, KeptGame, Session};
pub use setup::Setup;
pub use supply::Supply;
