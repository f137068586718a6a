//! `botyard tournament update` and `extend`: a new version of a bot, bots that come late, more games. What is
//! new is entered, and then the tournament is played on.

use super::arguments::{ExtendArgs, Running, UpdateArgs};
use super::shown::GateShown;
use super::{Tournament, play};
use crate::failure::{FAILED, Failure};
use crate::installed::programs;
use crate::text::{note, out, tell, warn};
use botyard_league::store::{SqliteStore, Store};
use botyard_referee::Interrupt;
use botyard_runner::tournament::{
    Addition, Admission, Directory, TournamentEvent, admission, begun_tournament, rejected_in_words,
};
use botyard_runner::{Error, Programs};
use std::process::ExitCode;

/// Enters a new version of a bot, and plays.
///
/// # Errors
///
/// A bot that is not there or has not changed, and what the host cannot do.
pub fn update(args: &UpdateArgs) -> anyhow::Result<ExitCode> {
    let directory = Directory::open(&args.directory)?;
    let store = directory.store()?;
    let programs = programs()?;
    let file = args.file.as_deref();
    let addition = Addition::update(&directory, &store, file, &args.bot, &programs)?;
    adopt("updated", addition, directory, store, args.running, programs)
}

/// Adds more games and the bots that are new, and plays.
///
/// # Errors
///
/// A file that adds nothing, and what the host cannot do.
pub fn extend(args: &ExtendArgs) -> anyhow::Result<ExitCode> {
    let directory = Directory::open(&args.directory)?;
    let store = directory.store()?;
    let programs = programs()?;
    let addition = Addition::extend(&directory, &store, args.file.as_deref(), &programs)?;
    adopt("extended", addition, directory, store, args.running, programs)
}

fn adopt(
    what: &str,
    addition: Addition,
    directory: Directory,
    mut store: SqliteStore,
    running: Running,
    programs: Programs,
) -> anyhow::Result<ExitCode> {
    warn(&addition.warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let admitted = match addition.setup.bots.is_empty() {
        true => Ok(Admission::default()),
        false => admit(&addition, running, &programs, &interrupt),
    };
    let before = store.definition().clone();
    let after = admitted.and_then(|admission| addition.definition(&before, admission));
    let after = match after {
        Ok(after) => after,
        Err(error) => {
            addition.kept.discard();
            if let Error::Interrupted = error {
                note("interrupted: nothing has changed");
                return Ok(ExitCode::from(FAILED));
            }
            return Err(error.into());
        }
    };
    let is_new = |name: &String| !before.entrants.iter().any(|other| other.name == *name);
    let names = after.entrants.iter().map(|entrant| entrant.name.clone());
    let entered: Vec<String> = names.filter(is_new).collect();
    let stages = |definition: &botyard_league::store::Definition| {
        definition.kept.as_ref().map_or(0, |kept| kept.stages.len())
    };
    if stages(&after) == stages(&before) {
        addition.kept.discard();
        let rejected = rejected_in_words(&after);
        note(&format!(
            "error: no bot passed the gate, and nothing has changed\n{}",
            rejected.trim_end()
        ));
        return Ok(ExitCode::from(FAILED));
    }
    let text = after.file.clone();
    store.redefine(after.clone()).map_err(Error::from)?;
    let detail = match entered.is_empty() {
        true => "more games".to_string(),
        false => format!("entered: {}", entered.join(", ")),
    };
    store.note(what, &detail).map_err(Error::from)?;
    directory.keep_new_definition(&after)?;
    directory.save("tournament.toml", &text)?;
    if !running.json {
        out(&format!("{what}: {detail}\n"))?;
    }
    let (setup, indices, schedule) = begun_tournament(&store, &directory, &programs)?;
    let bots = indices.iter().map(|&index| setup.bots[index].clone()).collect();
    let tournament = Tournament { setup, schedule, directory, programs };
    play(&tournament, &mut store, bots, running, &interrupt)
}

/// Has the new bots pass the gate.
fn admit(
    addition: &Addition,
    running: Running,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<Admission, Error> {
    let mut shown = GateShown::new(running.json);
    let mut warnings = Vec::new();
    let admitted = admission(
        &addition.setup,
        &addition.setup.path,
        &addition.kept,
        running.concurrency,
        programs,
        &mut shown,
        &mut warnings,
        interrupt,
    );
    shown.clear();
    warn(&warnings);
    let admitted = admitted?;
    if running.json {
        for rejected in &admitted.rejected {
            tell(TournamentEvent::bot_rejected(rejected))?;
        }
    }
    Ok(admitted)
}
