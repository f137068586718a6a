//! `botyard games`: lists the games, or describes the rules of one. Everything comes from the
//! registry; this module knows no game by name.

use crate::failure::Failure;
use crate::game_facets;
use crate::installed;
use crate::text::{done, done_json};
use botyard_engine::registry::{self, GameInfo};
use botyard_runner::game_programs::directory_of;
use botyard_runner::installed_games::{InstalledGame, InstalledGames};
use botyard_runner::settings::Named;
use botyard_runner::{
    Message, game_as_json, game_in_words, list_of_games, list_of_installed, message,
};
use clap::Args;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// `botyard games`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard games
  botyard games scotland-yard
  botyard games ./nim
  BOTYARD_GAMES=~/games botyard games
  botyard games --facets

Games whose rules are programs have a name too when their directories are in
one of the directories of BOTYARD_GAMES, which is written as PATH is, or in
`games` where it is not set.")]
pub struct GamesArgs {
    /// Game to describe, with its presets and rules, or the directory of one whose rules are a program
    /// [default: list all games]
    pub game: Option<String>,

    /// Show what games have besides their rules, and what they lack: first bots, drawings, notations
    #[arg(long)]
    pub facets: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints the list, or the description of one game.
pub(crate) fn run(args: &GamesArgs) -> anyhow::Result<ExitCode> {
    if args.facets {
        return facets(args);
    }
    if let Some(written) = &args.game {
        let name = installed::game(written)?;
        let game = registry::info(&name).map_err(Failure::usage)?;
        return match (args.json, registry::digest_of(&name)) {
            (true, None) => done_json(&game_as_json(&game)),
            (true, digest) => {
                let mut json = game_as_json(&game);
                json["digest"] = digest.into();
                done_json(&json)
            }
            (false, None) => done(&one_game(&game).text(Named::option)),
            (false, Some(digest)) => done(&format!(
                "{}\nIts rules are a program: {written}, digest {digest}\n",
                game_in_words(&game).text(Named::option)
            )),
        };
    }
    let games = registry::names().into_iter().map(|name| registry::info(&name));
    let games: Vec<GameInfo> = games.collect::<Result<_, _>>().map_err(Failure::usage)?;
    let installed = InstalledGames::around(Path::new(""));
    if args.json {
        let built_in = games.iter().map(game_as_json);
        return done_json(&built_in.chain(installed.games.iter().map(installed_as_json)).collect());
    }
    let example = games.first().map_or("GAME", |game| game.name);
    let others = match list_of_installed(&installed) {
        games if games.is_empty() => String::new(),
        games => format!("\nGames whose rules are programs:\n\n{games}"),
    };
    done(&format!(
        "{}{others}\n`botyard games {example}` shows its presets and every rule.\n",
        list_of_games(&games)
    ))
}

fn installed_as_json(game: &InstalledGame) -> Value {
    let InstalledGame { name, about, directory, flaw } = game;
    match flaw {
        None => json!({ "name": name, "about": about, "directory": directory }),
        Some(flaw) => json!({ "name": name, "directory": directory, "flaw": flaw }),
    }
}

fn one_game(game: &GameInfo) -> Message {
    let GameInfo { name, .. } = game;
    message![
        game_in_words(game),
        format!("\nRules in full, with views and actions: docs/games/{name}.md\n"),
        format!(
            "JSON Schemas: botyard schema {name}-rules (-opening, -setup, -view, -action, -chance)\n"
        )
    ]
}

/// Prints the facets of one game, or of all.
fn facets(args: &GamesArgs) -> anyhow::Result<ExitCode> {
    let directory =
        args.game.as_deref().map(|game| directory_of(game, Path::new(""))).transpose()?;
    if let (Some(game), Some(Some(_))) = (&args.game, directory) {
        return Err(Failure::usage(format!(
            "{game} is a game whose rules are a program: facets are parts of built-in games"
        )));
    }
    let where_to = "\ndocs/do/add-a-game.md says where a facet is added.\n";
    match &args.game {
        Some(game) if args.json => done_json(&game_facets::to_json(game).map_err(Failure::usage)?),
        Some(game) => {
            let text = game_facets::in_words(game).map_err(Failure::usage)?;
            done(&format!("{game}\n{text}{where_to}"))
        }
        None if args.json => {
            let games = registry::names();
            let games: Result<Vec<_>, _> =
                games.iter().map(|game| game_facets::to_json(game)).collect();
            done_json(&games.map_err(Failure::usage)?.into())
        }
        None => {
            let table = game_facets::table(&registry::names()).map_err(Failure::usage)?;
            done(&format!("{table}\n{where_to}"))
        }
    }
}
