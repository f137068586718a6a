//! The preview of a rejudge: the standings with the old results and with the new ones. The worker computes
//! it when the last game has ended, because it takes longer than a page may.

use crate::competition::Competition;
use crate::competition::event::Event;
use crate::competition::ladder::{self, Design, Standing};
use crate::competition::rejudges::{self, Rejudge};
use crate::files::now;
use botyard_runner::Error;

/// The standings before and after.
#[derive(Clone, Debug)]
pub(crate) struct Preview {
    /// With the old results.
    pub before: Standing,
    /// With the new results.
    pub after: Standing,
}

impl Preview {
    /// Computes the standings of the event of a rejudge.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn compute(
        competition: &Competition,
        event: &Event,
        rejudge: &Rejudge,
    ) -> Result<Preview, Error> {
        let database = &competition.class.database;
        let (entrants, pairs, design) = database.write(|transaction| {
            let pairs = rejudges::pairs(transaction, rejudge.id)?;
            let (entrants, design) = match event.id == competition.event.id {
                true => (ladder::of_event(transaction, event)?, Design::Ladder),
                false => (ladder::of_final(transaction, event.id)?, Design::Final),
            };
            Ok((entrants, pairs, design))
        })?;
        let games =
            database.read(|transaction| ladder::games_of_event(transaction, event.id, None))?;
        let after = rejudges::replaced(&games, &pairs);
        Ok(Preview {
            before: Standing::of_games(event, design, entrants.clone(), &games, now())?,
            after: Standing::of_games(event, design, entrants, &after, now())?,
        })
    }
}
