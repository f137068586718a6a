//! The admission to a tournament: bots must start, and pass the gate if there is one.

use crate::bot_copies::KeptBots;
use crate::gate::{Admission, GateGames, admit};
use crate::setup::Setup;
use crate::trial::{Tried, try_all};
use botyard_league::tournament_file::Problems;
use botyard_referee::Interrupt;
use botyard_runner::{Error, Message, Observer, Programs, Replays, await_quiet_host};
use std::path::Path;

/// Starts every bot once, and plays the gate. Without a gate a bot that cannot play is an error in
/// the file.
///
/// # Errors
///
/// An interrupt, a file whose bots cannot play, or a failure of the host.
#[allow(clippy::too_many_arguments)] // Each is a different part of the run.
pub(crate) fn admission(
    setup: &Setup,
    file: &Path,
    kept: &KeptBots,
    concurrency: Option<u16>,
    programs: &Programs,
    observer: &mut dyn for<'a> Observer<GateGames<'a>>,
    warnings: &mut Vec<Message>,
    interrupt: &Interrupt,
) -> Result<Admission, Error> {
    // Plans all games that there may be, so that missing resources are reported before the first.
    let games = setup.full_schedule().map_or(1, |schedule| schedule.games());
    let bots = setup.bots.clone();
    let plan = setup.plan(bots, games, Replays::None, concurrency, programs)?;
    warnings.extend(plan.warnings.iter().cloned());
    let mut tried = try_all(&plan, &kept.bots, interrupt)?;
    for (tried, entry) in tried.iter_mut().zip(&setup.file.bots) {
        tried.entrant.team = entry.team.clone().unwrap_or_default();
    }
    if setup.file.gate.is_none() {
        let mut problems = Problems::new(&file.display().to_string());
        for (Tried { entrant, failure }, entry) in tried.iter().zip(&setup.file.bots) {
            if let Some(failure) = failure {
                problems.add(entry.line, format!("{}: {failure}", entrant.name));
            }
        }
        if !problems.is_empty() {
            return Err(Error::usage(format!(
                "{problems}\nWith a [gate] in the file, such bots are rejected and the others play."
            )));
        }
    }
    if setup.file.gate.is_some() {
        warnings.extend(await_quiet_host(programs.quiet_within, interrupt)?.warning());
    }
    admit(setup, tried, concurrency, programs, observer, interrupt)
}
