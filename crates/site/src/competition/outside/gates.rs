//! Gates that workers on other hosts play: the games of a version that was built and checked here. The trial waits for
//! them. The gate is played here if they do not come, or if the version is at fault in one: no version is rejected by a
//! fault that this host did not see.

use super::bots::Handed;
use super::{ALIVE, LOOK, handout};
use crate::competition::Competition;
use crate::files::course;
use crate::submissions::Submission;
use botyard_league::store::{Store, StoredGame};
use botyard_queue::{Chosen, ChosenBlock, Queue, TournamentStore};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_tournament::{Candidate, GateResult, SingleGate};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a gate waits while no worker plays it.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a gate waits for workers that play it, after which it is played here.
const LONGEST: Duration = Duration::from_secs(1800);

/// A gate in the queue, which is removed with this.
struct Added<'a> {
    queue: &'a Arc<Queue>,
    id: String,
}

impl Drop for Added<'_> {
    fn drop(&mut self) {
        // What is left is removed with the next start.
        let _ = self.queue.remove(&self.id);
    }
}

/// Returns how the IDs of the gates of a class begin in a store, which may be that of several.
fn prefix(competition: &Competition) -> Result<String, Error> {
    let token = competition.class.database.write(course::token)?;
    Ok(format!("class-gate-{token}-"))
}

/// Removes the gates of trials that were killed.
///
/// # Errors
///
/// Errors of the databases.
pub(super) fn remove_all(competition: &Competition, queue: &Queue) -> Result<(), Error> {
    let prefix = prefix(competition)?;
    for listed in queue.tournaments()?.iter().filter(|listed| listed.id.starts_with(&prefix)) {
        queue.remove(&listed.id)?;
    }
    Ok(())
}

/// Has workers play the gate of a version. Returns why it is rejected, if it is; `None` if this host is to play it, for
/// which the trial has a lane then.
///
/// # Errors
///
/// An interrupt.
pub(crate) fn play(
    competition: &Competition,
    submission: &Submission,
    (gate, candidate): (&SingleGate, &Candidate),
    interrupt: &Interrupt,
) -> Result<Option<Option<String>>, Error> {
    let Some(queue) = competition.outside.queue() else { return Ok(None) };
    let lanes = &competition.submissions.lanes;
    let played = add(competition, queue, submission, (gate, candidate)).and_then(|added| {
        let Some(added) = added else { return Ok(None) };
        lanes.set_elsewhere(submission.id, true);
        await_result(&added, gate, interrupt)
    });
    let played = match played {
        Err(Error::Interrupted) => return Err(Error::Interrupted),
        Err(error) => {
            competition.class.report(&error);
            None
        }
        Ok(played) => played,
    };
    match played {
        Some(_) => lanes.set_elsewhere(submission.id, false),
        None => lanes.come_back(submission.id, interrupt)?,
    }
    Ok(played)
}

/// Adds a gate to the queue, if there are workers.
fn add<'a>(
    competition: &Competition,
    queue: &'a Arc<Queue>,
    submission: &Submission,
    (gate, candidate): (&SingleGate, &Candidate),
) -> Result<Option<Added<'a>>, Error> {
    if queue.workers(ALIVE)?.is_empty() {
        return Ok(None);
    }
    let added = Added { queue, id: format!("{}{}", prefix(competition)?, submission.id) };
    let of_gate = gate.setup().gate_bots.iter().map(Handed::OfGate);
    let bots: Vec<Handed<'_>> = [Handed::Candidate(candidate)].into_iter().chain(of_gate).collect();
    let blocks: Vec<ChosenBlock> = gate.blocks().into_iter().map(ChosenBlock::from).collect();
    // A team waits for it.
    let chosen = Chosen { blocks: &blocks, generation: 0, priority: 1 };
    let conditions = (&competition.event, gate.setup());
    handout::add(competition, queue, &added.id, conditions, &bots, chosen)?;
    Ok(Some(added))
}

fn await_result(
    added: &Added<'_>,
    gate: &SingleGate,
    interrupt: &Interrupt,
) -> Result<Option<Option<String>>, Error> {
    let Added { queue, id } = added;
    let begun = Instant::now();
    let mut last_played = begun;
    loop {
        if interrupt.is_raised_within(LOOK) {
            return Err(Error::Interrupted);
        }
        let status = queue.status(id)?;
        let mut games: Vec<StoredGame> = Vec::new();
        TournamentStore::open(Arc::clone(queue), id)?.games(0, &mut |game| games.push(game))?;
        match gate.result(&games) {
            GateResult::Scored(reason) => return Ok(Some(reason)),
            // The fault may be that of a host, and its cause is seen best here.
            GateResult::Failed => return Ok(None),
            // The hosts of the workers made games void.
            GateResult::Unfinished if status.is_complete() => return Ok(None),
            GateResult::Unfinished => {}
        }
        if status.blocks.leased > 0 {
            last_played = Instant::now();
        }
        let is_late = last_played.elapsed() >= PATIENCE || begun.elapsed() >= LONGEST;
        if is_late || queue.workers(ALIVE)?.is_empty() {
            return Ok(None);
        }
    }
}
