//! The copy of a game whose rules are a program: made at the start of a tournament, which is played with
//! it from then on.

use crate::conditions::containment;
use crate::directory::Directory;
use crate::stored_tournament::file_of;
use botyard_engine::{Scores, registry};
use botyard_league::private_files;
use botyard_league::store::{Definition, KeptGame};
use botyard_referee::{BotCommand, Interrupt};
use botyard_runner::bots::bundle::{Bundle, BundleError, Copies};
use botyard_runner::{ContainmentConfig, Error, Programs, game_programs, passed_by_bots};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
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
    let bundle = copy_of(&game.command, copies, programs, interrupt)?;
    let kept = kept_game(name, (seats, scores), &bundle)?;
    load_kept(name, &kept, copies.path(), containment, programs)?;
    Ok(Some(kept))
}

/// Copies the game in a directory, whose program is not started. Returns its bundle.
///
/// # Errors
///
/// There is no game in the directory, its files cannot be copied, or an interrupt.
pub fn copy_game(
    directory: &Path,
    copies: &mut Copies,
    containment: &ContainmentConfig,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<Bundle, Error> {
    let game = game_programs::unloaded(directory, containment, programs, interrupt)?;
    copy_of(&game.command, copies, programs, Some(interrupt))
}

fn copy_of(
    command: &BotCommand,
    copies: &mut Copies,
    programs: &Programs,
    interrupt: Option<&Interrupt>,
) -> Result<Bundle, Error> {
    copies.keep(command, game_programs::SURROUNDINGS, programs, interrupt).map_err(|error| {
        match error {
            BundleError::Interrupted => Error::Interrupted,
            error => {
                let error = error.in_words(&programs.advice());
                Error::host(format!("the game {}: {error}", command.name))
            }
        }
    })
}

/// Returns what is kept of a loaded game, which has these seats and points under the rules that are played.
///
/// # Errors
///
/// The game is not loaded.
///
/// # Panics
///
/// Never: every field of a bundle is JSON.
pub fn kept_game(
    name: &str,
    (seats, scores): (&[String], Scores),
    bundle: &Bundle,
) -> Result<KeptGame, Error> {
    let info = registry::info(name).map_err(Error::usage)?;
    Ok(KeptGame {
        seats: seats.to_vec(),
        scores,
        seats_alike: info.seats_alike,
        scoring: info.scoring.to_string(),
        preset: info.presets.first().map_or(String::new(), |(preset, _)| preset.name.to_string()),
        bundle: serde_json::to_value(bundle).expect("a bundle is JSON: see its fields"),
    })
}

/// Returns the directory of a game in its copy.
///
/// # Errors
///
/// The stored bundle of the game cannot be read.
pub fn directory_of_copy(
    kept: &KeptGame,
    copies: &Path,
    programs: &Programs,
) -> Result<PathBuf, Error> {
    let directory = bundle_of_game(kept)?.command("the game", copies, programs).directory;
    directory
        .ok_or_else(|| Error::host("the stored bundle of the game has no directory".to_string()))
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
    let directory = directory_of_copy(kept, copies, programs)?;
    game_programs::load_copy(name, &directory, containment, programs).map(drop)
}

/// The copies in a temporary directory.
const BUNDLES: &str = "bundles";

/// A copy of a game in a temporary directory, which is removed when the last owner is dropped.
/// None if the game was loaded from a directory that stays.
pub(crate) struct GameCopy(
    #[expect(dead_code, reason = "it is kept for its destructor")] Option<Arc<TempDir>>,
);

/// The copies in temporary directories, by the name of their game: the registry has one game of a name, so all
/// tournaments of a process share its copy.
static UNPACKED: Mutex<Option<HashMap<String, Weak<TempDir>>>> = Mutex::new(None);

impl GameCopy {
    /// Unpacks the bundle of a tournament's game, and loads the game from it. `archive` returns the
    /// archive with this digest of its files.
    ///
    /// # Errors
    ///
    /// The archive is damaged or that of another game, the program fails, or errors of `archive`.
    pub(crate) fn unpack(
        definition: &Definition,
        kept: &KeptGame,
        programs: &Programs,
        archive: &dyn Fn(&str) -> Result<Vec<u8>, Error>,
    ) -> Result<GameCopy, Error> {
        let name = &definition.game;
        let of_file = containment(&file_of(definition)?, Path::new(&definition.directory));
        // The tournament is that of others.
        let containment = ContainmentConfig {
            game: of_file.game,
            processes: of_file.processes,
            for_others: true,
            ..ContainmentConfig::default()
        };
        let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
        let unpacked = unpacked.get_or_insert_default();
        unpacked.retain(|_, place| place.strong_count() > 0);
        let shared = unpacked.get(name).and_then(Weak::upgrade);
        let directory = match &shared {
            Some(place) => Some(directory_of_copy(kept, &copies_in(place)?, programs)?),
            // That of a site or a tournament of this process, which plays with it.
            None => game_programs::loaded(name).map(|game| game.directory.clone()),
        };
        if let Some(directory) = directory.filter(|directory| directory.is_dir()) {
            game_programs::load_named(name, &directory, &containment, programs)?;
            return Ok(GameCopy(shared));
        }
        let place = tempfile::Builder::new().prefix("botyard-game-").tempdir();
        let place = place.map_err(Error::host)?;
        private_files::narrow(place.path(), passed_by_bots()).map_err(Error::host)?;
        let mut copies = Copies::create(&place.path().join(BUNDLES))?;
        if let Some(files) = bundle_of_game(kept)?.files {
            copies.unpack(&files, &archive(&files)?).map_err(Error::host)?;
        }
        load_kept(name, kept, copies.path(), &containment, programs)?;
        let place = Arc::new(place);
        unpacked.insert(name.clone(), Arc::downgrade(&place));
        Ok(GameCopy(Some(place)))
    }
}

/// Returns the directory of the copies in a temporary one, without links.
fn copies_in(place: &TempDir) -> Result<PathBuf, Error> {
    place.path().join(BUNDLES).canonicalize().map_err(Error::host)
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
