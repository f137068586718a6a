//! Tournaments described by a file: checking, starting, playing, resuming and repairing. Schedules,
//! stores and statistics are in `botyard-league`; `botyard-runner` plays the games.

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod acceptance;
mod admission;
mod announcement;
mod bot_copies;
mod changes;
mod check;
mod conditions;
mod directory;
mod events;
mod extend;
mod game_copy;
mod gate;
mod json_lines;
mod new_tournament;
mod observer;
mod recovery;
mod rejudge;
mod remote_tournament;
mod replays;
mod report;
mod results;
mod results_text;
mod resume;
mod setup;
mod single_admission;
mod single_gate;
mod stored_tournament;
mod tournament;
mod tournament_games;
mod trial;

pub use acceptance::{Acceptance, Unacceptable};
pub use announcement::{drawn_from_secret, drawn_in_words};
pub use check::{Checked, check};
pub use conditions::containment;
pub use directory::{Directory, store_file};
pub use events::TournamentEvent;
pub use extend::{Addition, AdmittedAddition, Adoption};
pub use game_copy::{copy_game, directory_of_copy, kept_game};
pub use gate::GateGames;
pub use new_tournament::{NewTournament, StartOutcome};
pub use observer::{RunStart, TournamentObserver};
pub use recovery::{Recovery, recover};
pub use rejudge::{ChangedGame, Choice, Difference, Settled, finish_rejudge};
pub use remote_tournament::{RemoteTournament, active_bundles};
pub use report::Report;
pub use results::{Replaced, Results, reveal_secret};
pub use results_text::{Form, rejected_in_words};
pub use setup::Setup;
pub use single_admission::{Admitted, Candidate, GateElsewhere, admit_single};
pub use single_gate::{GateResult, SingleGate};
pub use stored_tournament::{game_kind, schedule_of};
pub use tournament::Tournament;
pub use tournament_games::{Ended, KeptGame, TournamentGames};
