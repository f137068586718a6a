//! A tournament that is played away from its store: from its definition and copies of its bots. Its
//! results go wherever the caller sends them.

use crate::bot_copies::bundle_of;
use crate::game_copy::bundle_of_game;
use crate::setup::Setup;
use botyard_engine::registry::plain_name;
use botyard_league::schedule::TournamentSchedule;
use botyard_league::store::{Definition, StoredCopies};
use botyard_runner::bots::bundle::{Bundle, Program};
use botyard_runner::bots::spec::is_in_path;
use botyard_runner::{Error, MOST_GAMES, Plan, Programs, Replays};
use std::path::Path;

/// A tournament without a directory of its own.
pub struct RemoteTournament {
    /// Its file, with everything that the file names.
    pub setup: Setup,
    /// Its games.
    pub schedule: TournamentSchedule,
    programs: Programs,
}

/// Returns the copies that a tournament keeps.
fn kept(definition: &Definition) -> Result<&StoredCopies, Error> {
    definition.kept.as_ref().ok_or_else(|| {
        Error::usage(format!(
            "the tournament {} has no copies of its bots: version 0.1.0 of botyard began it",
            definition.name
        ))
    })
}

/// Returns the bundles of a tournament, each with its owner: `bot NAME` for those that still play, and
/// `game NAME` if its rules are a program.
///
/// # Errors
///
/// The tournament has no copies, or this version cannot read them.
pub fn active_bundles(definition: &Definition) -> Result<Vec<(String, Bundle)>, Error> {
    let kept = kept(definition)?;
    let game = kept.game.as_ref().map(|game| {
        let name = format!("game {}", plain_name(&definition.game));
        Ok((name, bundle_of_game(game)?))
    });
    let bots = definition.entrants.iter().zip(&kept.bots);
    let bots = bots
        .filter(|(_, bot)| bot.replaced_by.is_none())
        .map(|(entrant, bot)| Ok((format!("bot {}", entrant.name), bundle_of(bot)?)));
    game.into_iter().chain(bots).collect()
}

impl RemoteTournament {
    /// Opens a tournament with the copies of its bots in the directory `copies`, which the caller has
    /// checked ([`Copies::check_in`]).
    ///
    /// # Errors
    ///
    /// This host cannot play it: a later version of botyard began it, a program outside the bundles
    /// or its endgame tables are missing, or this version cannot read it.
    ///
    /// [`Copies::check_in`]: botyard_runner::bots::bundle::Copies::check_in
    pub fn open(
        definition: &Definition,
        copies: &Path,
        programs: Programs,
    ) -> Result<RemoteTournament, Error> {
        let kept = kept(definition)?;
        if is_later(&definition.version, env!("CARGO_PKG_VERSION")) {
            return Err(Error::usage(format!(
                "version {} of botyard began the tournament, and this is version {}: update botyard",
                definition.version,
                env!("CARGO_PKG_VERSION")
            )));
        }
        for (owner, bundle) in active_bundles(definition)? {
            if let Some(missing) = missing_program(&bundle) {
                return Err(Error::host(format!(
                    "{missing}, which the {owner} needs: install it on this host"
                )));
            }
        }
        let setup = Setup::of_kept(definition, kept, copies, &programs)?;
        setup.check_endgames(&programs)?;
        let all: Vec<usize> = (0..setup.bots.len()).collect();
        let schedule = setup.schedule(&all).map_err(Error::usage)?;
        Ok(RemoteTournament { setup, schedule, programs })
    }

    /// Returns the plan for this many games at once. Replays go to `replays`, if the tournament keeps
    /// any, and are compressed.
    ///
    /// # Errors
    ///
    /// This host cannot contain the bots as the tournament demands, cannot play as many games at
    /// once, or lacks a file that a bot needs.
    pub fn plan(&self, concurrency: u16, replays: &Path) -> Result<Plan, Error> {
        let replays = match self.setup.file.run.replays {
            true => Replays::Tournament(replays.to_path_buf()),
            false => Replays::None,
        };
        let (bots, games) = (self.setup.bots.clone(), u64::from(MOST_GAMES));
        let plan = self.setup.plan(bots, games, replays, Some(concurrency), &self.programs)?;
        plan.check_files()?;
        Ok(Plan { compress: true, ..plan })
    }
}

/// Returns what this host lacks to run a bot, if it is certain.
fn missing_program(bundle: &Bundle) -> Option<String> {
    match &bundle.program {
        Program::InPath(program) if !is_in_path(program) => {
            Some(format!("there is no program {program:?} in PATH"))
        }
        Program::Outside(path) if !path.is_file() => {
            Some(format!("there is no program {}", path.display()))
        }
        _ => None,
    }
}

/// Returns whether a version is later than another. Numbers that cannot be read are not.
fn is_later(version: &str, than: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        let release = version.split(['-', '+']).next()?;
        release.split('.').map(|number| number.parse().ok()).collect()
    };
    numbers(version).zip(numbers(than)).is_some_and(|(version, than)| version > than)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_version_has_larger_numbers() {
        for (version, than, expected) in [
            ("0.2.0", "0.1.0", true),
            ("0.10.0", "0.9.1", true),
            ("0.1.0", "0.1.0", false),
            ("0.1.0", "1.0.0", false),
            ("0.1.1-rc.1", "0.1.0", true),
            ("", "0.1.0", false),
        ] {
            assert_eq!(is_later(version, than), expected, "{version} {than}");
        }
    }
}
