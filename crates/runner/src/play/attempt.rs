//! An attempt at a game with a person. A game that the host made void is repeated as often as that of
//! any other verb, but not from its start: the next attempt resumes it, as after an undo.

use super::game_thread::Decision;
use crate::error::Error;
use crate::void_games::Repeats;

/// An attempt at a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The decisions that are played before the first is asked for.
    pub record: Vec<Decision>,
    repeats: Repeats,
    /// The player at whose turn the attempt before was void, as in [`PlayPlan::holders`].
    ///
    /// [`PlayPlan::holders`]: super::PlayPlan::holders
    pub(super) void_at: Option<usize>,
}

impl Attempt {
    /// Makes the first attempt, which resumes the game of a record.
    pub fn first(record: Vec<Decision>) -> Attempt {
        Attempt { record, ..Attempt::default() }
    }

    /// Returns the same attempt, resumed from another record.
    #[must_use]
    pub fn from_record(self, record: Vec<Decision>) -> Attempt {
        Attempt { record, ..self }
    }

    /// Its number, from 1.
    pub fn number(&self) -> u32 {
        self.repeats.count() + 1
    }

    /// Returns the attempt after this one, which was void. `record` has the decisions of this one.
    ///
    /// # Errors
    ///
    /// The game was void too often.
    pub(super) fn after_void(
        self,
        id: &str,
        record: Vec<Decision>,
        void_at: Option<usize>,
        reason: &str,
    ) -> Result<Attempt, Error> {
        let mut next = Attempt { record, void_at, ..self };
        next.repeats.repeat(id, reason)?;
        Ok(next)
    }
}
