//! `botyard new-game`: creates the project of a game and prints what to do next.

use crate::failure::Failure;
use crate::new::{from_registry, language};
use crate::text::{done, warn};
use botyard_projects::{
    Created, GAME_LANGUAGES, GameProject, Language, ProjectError, create_from_open_spiel,
    create_game,
};
use botyard_runner::bots::spec::bot_in;
use botyard_runner::words::counted;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard new-game`.
#[derive(Debug, Args)]
#[command(after_help = "\
The project has a small game, Nim, the kit of its language, a unit test, a
manifest and a README. A game in another language needs no kit:
docs/rules-protocol.md. With --from the project is a game of OpenSpiel:
docs/do/play-openspiel-games.md.

Examples:
  botyard new-game nim --language python
  botyard new-game my-game --language rust --kit-path ../botyard
  botyard new-game small-hex --from open_spiel 'hex(board_size=5)'")]
pub struct NewGameArgs {
    /// Directory of the project, which must be new or empty; the game is named after it
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Language of the program with the rules
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(GAME_LANGUAGES.map(Language::as_str)).map(language),
        required_unless_present = "from"
    )]
    pub language: Option<Language>,

    /// Take a game of another library: open_spiel and the game in its notation
    #[arg(
        long,
        num_args = 2,
        value_names = ["LIBRARY", "GAME"],
        conflicts_with_all = ["language", "kit_path"]
    )]
    pub from: Option<Vec<String>>,

    /// Rust: take Botyard's crates from its sources in this directory instead of the registry
    #[arg(long, value_name = "DIR")]
    pub kit_path: Option<PathBuf>,
}

/// Creates the project.
pub(crate) fn run(args: &NewGameArgs) -> anyhow::Result<ExitCode> {
    let created = create(args).map_err(|error| match error {
        error @ ProjectError::Unwritable { .. } => Failure::host(error),
        error => Failure::usage(error),
    })?;
    let Created { files, name, build, mut warnings, is_from_registry } = created;
    if is_from_registry {
        warnings.push(from_registry("botyard-engine and botyard-rules"));
    }
    warn(&warnings);
    let (directory, game) = (args.directory.display(), bot_in(&args.directory));
    let build = match build {
        None => String::new(),
        Some(_) => format!("  (cd {game} && cargo build --release)\n"),
    };
    let number = counted(files.len() as u64, "file");
    done(&format!(
        "created the game {name} in {directory}: {number}; README.md says more\n\nnext:\n{build}  \
         botyard check-game {game}\n  botyard match {game} random random\n"
    ))
}

/// Writes the files of the project.
fn create(args: &NewGameArgs) -> Result<Created, ProjectError> {
    match (args.from.as_deref(), args.language) {
        (Some([library, game]), _) if library == "open_spiel" => {
            create_from_open_spiel(&args.directory, game)
        }
        (None, Some(language)) => create_game(&GameProject {
            directory: args.directory.clone(),
            language,
            kit_path: args.kit_path.clone(),
        }),
        (from, _) => Err(ProjectError::Source(format!(
            "--from: expected open_spiel and one of its games, got {}",
            from.unwrap_or_default().join(" ")
        ))),
    }
}
