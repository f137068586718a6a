//! A started tournament: whether it can be resumed, with which bots and which games.

use crate::bot_copies::check_copies;
use crate::directory::Directory;
use crate::setup::Setup;
use botyard_league::schedule::TournamentSchedule;
use botyard_league::store::{Definition, Store};
use botyard_referee::{BotCommand, Interrupt};
use botyard_runner::bots::digest::program_digest;
use botyard_runner::settings::ACCEPT_CHANGES;
use botyard_runner::{Error, Message, Programs, message};
use std::path::PathBuf;

/// Returns the setup of a started tournament, the admitted bots of its file, and their games.
/// Completes an addition that was interrupted.
///
/// # Errors
///
/// This version cannot read the file, the file names something that no longer exists, the endgame
/// tables are other ones, or an interrupt.
pub(crate) fn stored_setup(
    store: &dyn Store,
    directory: &Directory,
    programs: &Programs,
    interrupt: Option<&Interrupt>,
) -> Result<(Setup, Vec<usize>, TournamentSchedule), Error> {
    let definition = store.definition();
    if let Some(kept) = &definition.kept {
        directory.complete_copies(definition)?;
        check_copies(directory.path(), definition, kept, interrupt)?;
        // Resolves links, because the directory of a bot must not be reached through one. Links on
        // this path are the user's own.
        let copies = directory.bundles();
        let copies = copies.canonicalize().unwrap_or(copies);
        let setup = Setup::of_kept(definition, kept, &copies, programs)?;
        setup.check_endgames(programs)?;
        let indices: Vec<usize> = (0..setup.bots.len()).collect();
        let schedule = setup.schedule(&indices).map_err(Error::usage)?;
        return Ok((setup, indices, schedule));
    }
    let setup = Setup::new(
        "tournament.toml",
        &definition.name,
        definition.file.clone(),
        PathBuf::from(&definition.directory),
        Some(definition.draws),
        programs,
    )?;
    let index = |name: &str| setup.bots.iter().position(|bot| bot.name == name);
    let indices = definition.entrants.iter().map(|entrant| {
        index(&entrant.name).ok_or_else(|| {
            Error::usage(format!("no bot of the tournament's file is called {:?}", entrant.name))
        })
    });
    let indices = indices.collect::<Result<Vec<usize>, Error>>()?;
    if let Some(error) = indices.iter().find_map(|&index| setup.unusable[index].as_ref()) {
        return Err(Error::usage(error));
    }
    let schedule = setup.schedule(&indices).map_err(Error::usage)?;
    Ok((setup, indices, schedule))
}

/// Checks that openings and rules are the same as when the tournament started.
///
/// # Errors
///
/// Openings or rules differ.
pub(crate) fn check_starts(setup: &Setup, definition: &Definition) -> Result<(), Error> {
    let is_kept = definition.kept.is_some();
    if is_kept || definition.digest.is_empty() || definition.digest == setup.digest {
        return Ok(());
    }
    Err(Error::usage(message![
        "the openings or the rule files have changed since the tournament started\nRestore them, run a new \
         tournament, or resume with ",
        ACCEPT_CHANGES
    ]))
}

/// Checks that the programs of the bots have not changed.
///
/// # Errors
///
/// Bots have changed. The message names them.
pub(crate) fn check_programs(
    setup: &Setup,
    indices: &[usize],
    definition: &Definition,
    programs: &Programs,
    warnings: &mut Vec<Message>,
) -> Result<(), Error> {
    if definition.kept.is_some() {
        return Ok(());
    }
    let mut digest = |bot: &BotCommand| program_digest(bot, programs, warnings);
    let pairs = definition.entrants.iter().zip(indices);
    let changed: Vec<&str> = pairs
        .filter(|(entrant, index)| entrant.digest != digest(&setup.bots[**index]))
        .map(|(entrant, _)| entrant.name.as_str())
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    Err(Error::usage(message![
        "these bots have changed since the tournament started: ",
        changed.join(", "),
        "\nRestore them, run a new tournament, or resume with ",
        ACCEPT_CHANGES
    ]))
}
