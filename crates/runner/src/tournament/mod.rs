//! Tournaments that a file describes: checked, begun, played and resumed, repaired. The schedule, the
//! store and the statistics are those of `botyard-league`.

mod admission;
mod begun;
mod changes;
mod check;
mod directory;
mod events;
mod extend;
mod gate;
mod journal;
mod keeping;
mod outline;
mod recorded;
mod recover;
mod rejudge;
mod results;
mod results_text;
mod session;
mod setup;
mod supply;
mod trial;

pub use admission::admission;
pub use begun::{begun_tournament, check_programs, check_starts};
pub use changes::changes;
pub use check::{Checked, check};
pub use directory::{Directory, store_file};
pub use events::TournamentEvent;
pub use extend::Addition;
pub use gate::{Admission, GateGames};
pub use journal::played_game;
pub use keeping::KeptBots;
pub use recover::{Recovery, recover};
pub use rejudge::{ChangedGame, Choice, Difference, generation, pending_games};
pub use results::{Replaced, Results, reveal_secret};
pub use results_text::{Form, rejected_in_words};
pub use session::{Ended, KeptGame, Session};
pub use setup::Setup;
pub use supply::Supply;
