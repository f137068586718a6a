//! The worker: a thread that plays challenges, rejudges, the final and the ladder, beside the [trials](super::trials)
//! of versions. All that is to be done is in the database, so a worker that is killed resumes with the next start.

use super::game::{self, State};
use super::play::play_batch;
use super::rounds::Rounds;
use super::{Competition, Competitions};
use crate::submissions;
use botyard_referee::Interrupt;
use botyard_runner::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the worker looks for work.
pub(super) const LOOK: Duration = Duration::from_millis(250);

/// How long the worker waits after a failure of the host.
pub(super) const RECOVER: Duration = Duration::from_secs(10);

/// The longest rest of the worker while trials run or wait.
const LONGEST_REST: Duration = Duration::from_secs(20);

/// Starts the worker.
///
/// # Errors
///
/// The host cannot start a thread.
pub(crate) fn start(competitions: Arc<Competitions>) -> Result<Rounds, Error> {
    let class = Arc::clone(&competitions.first().class);
    let mut rested = Instant::now();
    Rounds::start("worker", LOOK, move |interrupt| {
        match work(&competitions, &mut rested, interrupt) {
            Ok(true) => Duration::ZERO,
            Ok(false) | Err(Error::Interrupted) => LOOK,
            Err(error) => {
                class.report(&error);
                RECOVER
            }
        }
    })
}

/// Does the next piece of work of each competition. Returns whether there was any. While trials run or wait, it uses a
/// part of the cores, or rests for a part of the time, until `rested`.
fn work(
    competitions: &Competitions,
    rested: &mut Instant,
    interrupt: &Interrupt,
) -> Result<bool, Error> {
    let first = competitions.first();
    let any_waits = first.class.database.write(submissions::any_waits)?;
    let share = first.submissions.lanes.games_share(any_waits);
    if share.is_some() && Instant::now() < *rested {
        return Ok(false);
    }
    let begun = Instant::now();
    let (mut was_any, mut failed) = (false, None);
    for competition in competitions.all() {
        match work_of(&competition, share.map(|share| share.games), interrupt) {
            Ok(worked) => was_any |= worked,
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            // It keeps no other from its work.
            Err(error) => failed = Some(error),
        }
    }
    if let Some(share) = share {
        *rested = Instant::now() + (begun.elapsed() * share.rest).min(LONGEST_REST);
    }
    failed.map_or(Ok(was_any), Err)
}

/// Does the next piece of work of a competition. Returns whether there was any. If the program of the game fails, the
/// event pauses.
fn work_of(
    competition: &Competition,
    games: Option<usize>,
    interrupt: &Interrupt,
) -> Result<bool, Error> {
    competition.class.check_free()?;
    match competition.game_state()? {
        None | Some(State::Open) => {}
        Some(State::Waiting) => return game::check(competition, interrupt).map(|()| true),
        Some(State::Failed | State::Paused) => return Ok(false),
    }
    match play_batch(competition, games, interrupt) {
        Err(Error::Rules(failure)) => game::pause(competition, &failure).map(|()| true),
        worked => worked,
    }
}
