//! `botyard new`: creates the project of a bot and prints what to do next.

use crate::failure::Failure;
use crate::installed;
use crate::text::{done, warn};
use botyard_projects::{Build, Created, Language, Project, ProjectError, create};
use botyard_runner::bots::spec::bot_in;
use botyard_runner::game_programs::directory_of;
use botyard_runner::words::{counted, quoted};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

/// `botyard new`.
#[derive(Debug, Args)]
#[command(after_help = "\
The project has a small bot that plays the game, the kit of its language, a unit
test, a manifest and a README with recipes. It needs no network, except in Rust.

Examples:
  botyard new fox --language python --game scotland-yard
  botyard new hound --language rust --game draughts --kit-path ../botyard
  botyard new owl --language go --game ./nim")]
pub struct NewArgs {
    /// Directory of the project, which must be new or empty; the bot is named after it
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Language of the bot
    #[arg(long, value_parser = PossibleValuesParser::new(Language::ALL.map(Language::as_str)).map(language))]
    pub language: Language,

    /// Game that the bot plays; `botyard games` lists the games. A path is the directory of a game whose
    /// rules are a program
    #[arg(long)]
    pub game: String,

    /// Rust: take Botyard's crates from its sources in this directory instead of the registry
    #[arg(long, value_name = "DIR")]
    pub kit_path: Option<PathBuf>,
}

/// Returns the language of this name, which is one of the possible values.
pub(crate) fn language(name: String) -> Language {
    let found = Language::ALL.into_iter().find(|language| language.as_str() == name);
    found.unwrap_or(Language::Python)
}

/// Returns the path of a game's directory relative to a project's directory, if there is one.
fn seen_from(project: &Path, game: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (project, game) = (absolute(project), absolute(game));
    let is_common = |(one, other): &(Component<'_>, Component<'_>)| one == other;
    let common = project.components().zip(game.components()).take_while(is_common).count();
    let up = project.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(game.components().skip(common)).collect();
    quoted(&path.to_string_lossy())
}

/// Creates the project.
pub(crate) fn run(args: &NewArgs) -> anyhow::Result<ExitCode> {
    let game_directory = directory_of(&args.game, Path::new(""))?;
    let project = Project {
        directory: args.directory.clone(),
        language: args.language,
        game: installed::game(&args.game)?,
        game_path: game_directory.as_ref().map(|game| seen_from(&args.directory, game)),
        kit_path: args.kit_path.clone(),
    };
    let Created { files, name, build, mut warnings, is_from_registry } =
        create(&project).map_err(|error| match error {
            error @ ProjectError::Unwritable { .. } => Failure::host(error),
            error => Failure::usage(error),
        })?;
    if is_from_registry {
        warnings.push(from_registry("botyard-agent and botyard-engine"));
    }
    warn(&warnings);
    let (directory, bot) = (args.directory.display(), bot_in(&args.directory));
    let build = match build {
        None => String::new(),
        Some(Build::InSandbox) => format!("  botyard build {bot}\n"),
        Some(Build::Cargo) => format!("  (cd {bot} && cargo build --release)\n"),
    };
    let of_game = match game_directory {
        Some(_) => format!(" --game {}", args.game),
        None => String::new(),
    };
    let (game, number) = (&args.game, counted(files.len() as u64, "file"));
    done(&format!(
        "created {name} in {directory}: {number}; README.md says more\n\nnext:\n{build}  botyard match {game} \
         {bot} random\n  botyard check {bot}{of_game}\n"
    ))
}

/// Returns the warning about a project that takes these crates from the registry.
pub(crate) fn from_registry(crates: &str) -> String {
    format!(
        "the project takes the crates {crates} {} from the registry; where Cargo finds no matching package, \
         create it with --kit-path DIR, the directory of Botyard's sources",
        env!("CARGO_PKG_VERSION")
    )
}
