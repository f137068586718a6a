//! The check of a bot's files: a copy of them, as a tournament makes it, must start and play in the
//! sandbox.

use crate::arena::{Arena, Played, one_line, repeated};
use crate::check::{Check, Finding};
use crate::config::CheckConfig;
use botyard_referee::{BotCommand, Disturbance, Interrupt};
use botyard_runner::bots::bundle::{BundleError, Copies, Surroundings};
use botyard_runner::{Error, Programs};
use std::io;
use std::path::Path;

/// The number of decisions of the copy in its game.
const DECISIONS: u32 = 6;

/// What the author of a bot can do if its copy does not play.
const REMEDY: &str = "put every file that the bot needs into its directory, name it by a path relative to \
                      the directory, and write nowhere else than in /tmp";

/// Copies the bot's files, and plays a game with the copy.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub(crate) fn play(
    config: &CheckConfig,
    game: &str,
    command: &BotCommand,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<Played, Error> {
    let place = tempfile::tempdir().map_err(unusable)?;
    // A bot with another UID reads its copy there.
    #[cfg(unix)]
    std::fs::set_permissions(place.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .map_err(unusable)?;
    play_in(&place.path().join("bundles"), config, game, command, programs, interrupt)
}

/// Plays a game with a copy in this directory, and removes the copy, also after an error.
fn play_in(
    directory: &Path,
    config: &CheckConfig,
    game: &str,
    command: &BotCommand,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<Played, Error> {
    let readable = config.containment.readable()?;
    let surroundings = Surroundings { readable: &readable, ..Surroundings::default() };
    let mut copies = Copies::create(directory)?;
    let played = play_copy(&mut copies, surroundings, config, game, command, programs, interrupt);
    copies.discard();
    Ok(match played? {
        Played::Faulty(_, finding) => {
            let message = format!("played from a copy of its files: {}", finding.message);
            Played::Faulty(Check::Files, Finding { message, remedy: REMEDY.into(), ..finding })
        }
        played => played,
    })
}

fn play_copy(
    copies: &mut Copies,
    surroundings: Surroundings<'_>,
    config: &CheckConfig,
    game: &str,
    command: &BotCommand,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<Played, Error> {
    let bundle = match copies.keep(command, surroundings, programs, Some(interrupt)) {
        Ok(bundle) => bundle,
        Err(error) => return Ok(not_copied(&error.of_author()?, programs)),
    };
    let copy = bundle.command(&command.name, copies.path(), programs);
    let arena = Arena::new(config, game, copy, programs)?;
    let scene = arena.scene(arena.seats().next(), DECISIONS);
    repeated(interrupt, || arena.play_once(Disturbance::default(), &scene, interrupt))
}

fn not_copied(error: &BundleError, programs: &Programs) -> Played {
    let words = one_line(&error.in_words(&programs.advice()));
    let finding = Finding {
        game: None,
        seat: None,
        message: format!("its files cannot be copied for a tournament: {words}"),
        remedy: REMEDY.into(),
        stderr: String::new(),
    };
    Played::Faulty(Check::Files, finding)
}

fn unusable(error: io::Error) -> Error {
    Error::host(format!("a temporary directory cannot be used: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_runner::ContainmentConfig;
    use botyard_sandbox::Launcher;
    use std::fs;

    /// There is no bot to play against.
    #[test]
    fn a_copy_is_removed_after_an_error() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("bot").join("bot.sh");
        fs::create_dir(place.path().join("bot")).unwrap();
        fs::write(&program, "#!/bin/sh\n").unwrap();
        #[cfg(unix)]
        fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let command = BotCommand { name: "bot".into(), program, ..BotCommand::default() };
        let config =
            CheckConfig { containment: ContainmentConfig::none(), ..CheckConfig::new("bot") };
        let launcher = Launcher { program: "/no/such/launcher".into(), args: Vec::new() };
        let programs = Programs::new(launcher);
        let copies = place.path().join("bundles");
        let interrupt = Interrupt::new().unwrap();
        let played = play_in(&copies, &config, "connect-four", &command, &programs, &interrupt);
        let error = played.unwrap_err().to_string();
        assert!(error.contains("random"), "{error}");
        assert!(!copies.exists());
    }
}
