//! The copy of a game whose rules are a program: made at the start of a tournament, which is played with
//! it from then on.

use crate::conditions::containment;
use crate::directory::Directory;
use crate::stored_tournament::file_of;
use botyard_engine::{Scores, registry};
use botyard_league::private_files;
use botyard_league::store::{Definition, KeptGame};
use botyard_referee::Interrupt;
use botyard_runner::bots::bundle::{Bundle, BundleError, Copies, Surroundings};
use botyard_runner::{ContainmentConfig, Error, Programs, game_programs, passed_by_bots};
use std::path::Path;
use tempfile::TempDir;

/// Copies a game that was loaded from a directory, and loads it from the copy. `None` for a game that
/// is compiled in. `seats` and `scores` are those under the rules of the tournament.
///
/// # Errors
///
/// The files cannot be copied, its program fails, or an interrupt.
pub(crate) fn keep_game(
    name: &str,
    (seats, scores): (&[String], Scores),
    copies: &mut Copies,
    containment: &ContainmentConfig,
    programs: &Programs,
    interrupt: Option<&Interrupt>,
) -> Result<Option<KeptGame>, Error> {
    let Some(game) = game_programs::loaded(name) else { return Ok(None) };
    let kept = copies.keep(&game.command, Surroundings::default(), programs, interrupt);
    let bundle = kept.map_err(|error| match error {
        BundleError::Interrupted => Error::Interrupted,
        error => Error::host(format!(
            "the game {}: {}",
            registry::plain_name(name),
            error.in_words(&programs.advice())
        )),
    })?;
    let info = registry::info(name).map_err(Error::usage)?;
    let kept = KeptGame {
        seats: seats.to_vec(),
        scores,
        seats_alike: info.seats_alike,
        scoring: info.scoring.to_string(),
        preset: info.presets.first().map_or(String::new(), |(preset, _)| preset.name.to_string()),
        bundle: serde_json::to_value(&bundle).expect("a bundle is JSON: see its fields"),
    };
    load_kept(name, &kept, copies.path(), containment, programs)?;
    Ok(Some(kept))
}

/// Loads the game of a tournament from its copy in the tournament's directory, if its rules are a program.
///
/// # Errors
///
/// The copy is missing or has changed, or its program fails.
pub(crate) fn load_from_directory(
    definition: &Definition,
    directory: &Directory,
    programs: &Programs,
) -> Result<(), Error> {
    let Some(game) = definition.kept.as_ref().and_then(|kept| kept.game.as_ref()) else {
        return Ok(());
    };
    let file = file_of(definition)?;
    let containment = containment(&file, Path::new(&definition.directory));
    // The directory of a program must not be reached through a link; links on this path are the user's.
    let copies = directory.bundles();
    let copies = copies.canonicalize().unwrap_or(copies);
    load_kept(&definition.game, game, &copies, &containment, programs)
}

/// Loads the game of a tournament from its copy in the directory `copies`.
///
/// # Errors
///
/// The copy is missing or has changed, or its program fails.
pub(crate) fn load_kept(
    name: &str,
    kept: &KeptGame,
    copies: &Path,
    containment: &ContainmentConfig,
    programs: &Programs,
) -> Result<(), Error> {
    let bundle = bundle_of_game(kept)?;
    let directory = bundle.command(registry::plain_name(name), copies, programs).directory;
    let directory = directory
        .ok_or_else(|| Error::host("the stored bundle of the game has no directory".to_string()))?;
    game_programs::load_copy(name, &directory, containment, programs).map(drop)
}

/// A copy of a game in a temporary directory, which is removed when this is dropped.
pub(crate) struct GameCopy(#[expect(dead_code, reason = "it is kept for its destructor")] TempDir);

impl GameCopy {
    /// Unpacks the bundle of a tournament's game, and loads the game from it. `archive` returns the
    /// archive with this digest of its files.
    ///
    /// # Errors
    ///
    /// The archive is damaged or that of another game, the program fails, or errors of `archive`.
    pub(crate) fn unpack(
        name: &str,
        kept: &KeptGame,
        programs: &Programs,
        archive: &dyn Fn(&str) -> Result<Vec<u8>, Error>,
    ) -> Result<GameCopy, Error> {
        let place = tempfile::Builder::new().prefix("botyard-game-").tempdir();
        let place = place.map_err(Error::host)?;
        private_files::narrow(place.path(), passed_by_bots()).map_err(Error::host)?;
        let mut copies = Copies::create(&place.path().join("bundles"))?;
        if let Some(files) = bundle_of_game(kept)?.files {
            copies.unpack(&files, &archive(&files)?).map_err(Error::host)?;
        }
        // The tournament is that of others.
        let containment = ContainmentConfig { for_others: true, ..ContainmentConfig::default() };
        load_kept(name, kept, copies.path(), &containment, programs)?;
        Ok(GameCopy(place))
    }
}

/// Reads the bundle of a game from its stored form.
///
/// # Errors
///
/// This version cannot read it.
pub(crate) fn bundle_of_game(kept: &KeptGame) -> Result<Bundle, Error> {
    serde_json::from_value(kept.bundle.clone()).map_err(|error| {
        Error::host(format!("the stored bundle of the game cannot be read: {error}"))
    })
}
