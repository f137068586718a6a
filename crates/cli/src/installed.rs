//! The programs that come with `botyard`: its built-in bots, and this program, which may be a companion,
//! as the launcher of contained bots.

use crate::companions;
use crate::sandbox_command::launcher;
use crate::text::warn_during_games;
use botyard_bots::catalogue;
use botyard_bots::draughts::endgames::{DEFAULT_MEBIBYTES, Source, load};
use botyard_check::candidate;
use botyard_engine::EndgameTables;
use botyard_runner::settings::Named;
use botyard_runner::{BuiltIn, ContainmentConfig, Error, Programs, game_programs, no_notice};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The installed programs, which do not wait for a quiet host.
///
/// # Errors
///
/// The path of this program is unknown.
pub fn programs() -> Result<Programs, Error> {
    Ok(Programs {
        botyard: companions::botyard()?,
        launcher: launcher(),
        built_ins: built_ins(),
        name: Named::option,
        endgames,
        checks: candidate,
        quiet_within: Duration::ZERO,
        notice: warn_during_games,
    })
}

/// Returns the name in the registry of a game as a user writes it: the path of a directory is loaded.
///
/// # Errors
///
/// The directory has no game, or its program fails.
pub fn game(written: &str) -> Result<String, Error> {
    game_programs::named(written, Path::new(""), &ContainmentConfig::default(), &programs()?)
}

/// Returns the built-in bots.
fn built_ins() -> Vec<BuiltIn> {
    let built_in = |bot: botyard_bots::Bot| BuiltIn {
        name: bot.name().to_string(),
        games: bot.games().map(String::from).collect(),
        other_games: bot.has_other_games(),
        needs_model: bot.needs_model(),
        options: bot.options().clone(),
        options_of_games: bot.options_of_games().collect(),
        has_program: catalogue::PROGRAMS.contains(&bot.name()),
    };
    catalogue::bots().into_iter().map(built_in).collect()
}

/// Returns the same programs, with settings named as in a tournament file.
pub fn for_tournaments(programs: Programs) -> Programs {
    without_notices(Programs { name: Named::key_or_option, ..programs })
}

/// Returns the same programs without notices: the authors of the bots do not read the terminal.
pub fn without_notices(programs: Programs) -> Programs {
    Programs { notice: no_notice, ..programs }
}

/// Loads the endgame tables of a file, or those that the built-in bots find.
///
/// # Errors
///
/// There are none, or they cannot be read.
pub fn endgames(file: Option<&Path>) -> Result<Arc<dyn EndgameTables>, String> {
    let source = file.map_or(Source::Auto, |file| Source::File(file.into()));
    match load(&source, DEFAULT_MEBIBYTES) {
        Ok(Some(endgames)) => Ok(endgames),
        Ok(None) => Err("there are no endgame tables; `botyard egdb build` writes them".into()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_end_that_reads_the_list_of_bots_knows_the_same_ones() {
        let listed: Vec<_> = catalogue::bots().iter().map(botyard_bots::Bot::to_json).collect();
        let listed = BuiltIn::of_list(&serde_json::to_vec(&listed).unwrap()).unwrap();
        let known = built_ins().into_iter();
        let known: Vec<_> = known.map(|bot| BuiltIn { has_program: false, ..bot }).collect();
        assert_eq!(format!("{listed:?}"), format!("{known:?}"));
    }
}
