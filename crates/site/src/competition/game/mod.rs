//! The game of an event whose rules are a program: its copy in the class, which is checked before a game is played
//! with it, and its failures, which pause the event and are no team's fault.

mod checks;
mod copy;

pub(crate) use checks::{State, Status, check_again, log_after, resume, status};
pub(super) use checks::{check, pause};
pub(super) use copy::{Adopted, adopt, named_by, stored};

use botyard_league::store::KeptGame;
use botyard_runner::bots::bundle::Bundle;

/// The game of an event whose rules are a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventGame {
    /// The event of the ladder to which it belongs.
    pub(crate) event: i64,
    /// What is kept of it, as workers get it.
    pub(crate) kept: KeptGame,
    /// Its bundle, whose copy is among those of the class.
    pub(crate) bundle: Bundle,
    /// What the staff has to know about the directory that it was copied from.
    pub(crate) note: Option<String>,
}
