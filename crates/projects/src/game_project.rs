//! A new project of a game: its files, written into an empty directory.

use crate::kits;
use crate::language::Language;
use crate::project::{Created, ProjectError, build, check_kit_path, name_of, patch, write_all};
use botyard_engine::registry;
use std::path::PathBuf;

/// The languages in which a project of a game can be.
pub const GAME_LANGUAGES: [Language; 3] = [Language::Python, Language::Javascript, Language::Rust];

/// The longest name of a game, in characters.
pub(crate) const LONGEST_NAME: usize = 40;

/// The crates that a game in Rust depends on, directly or not.
const CRATES: [&str; 2] = ["engine", "rules"];

/// The requested project of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameProject {
    /// Its directory, which must be new or empty. The game is named after it.
    pub directory: PathBuf,
    /// The language: one of [`GAME_LANGUAGES`].
    pub language: Language,
    /// The sources of Botyard, from which a project in Rust takes its crates. `None`: the registry.
    pub kit_path: Option<PathBuf>,
}

/// Creates the project of a game, which is Nim at first.
///
/// # Errors
///
/// There is no kit for games in this language, a game that is built in has the name of the directory, the
/// directory is not empty, or a file cannot be written.
pub fn create_game(project: &GameProject) -> Result<Created, ProjectError> {
    let GameProject { directory, language, kit_path } = project;
    let language = *language;
    let mut name = name_of(directory, "game");
    name.truncate(LONGEST_NAME);
    check_game_name(&name)?;
    check_kit_path(kit_path.as_deref(), language)?;
    let (run, test, program) = match language {
        Language::Python => ("python3 -B game.py", "python3 -B -m unittest", "game.py"),
        Language::Javascript => ("node game.mjs", "node --test", "nim.mjs"),
        Language::Rust => ("target/release/{{name}}", "cargo test", "src/nim.rs"),
        _ => return Err(ProjectError::NoGames(language)),
    };
    let (run, is_built) = (run.replace("{{name}}", &name), language == Language::Rust);
    let build_line = if is_built { "build = [\"cargo build --release\"]\n" } else { "" };
    let manifest = format!(
        "name = \"{name}\"\nabout = \"Take pieces from one heap; the last piece wins\"\n\
         {build_line}run = \"{run}\"\n"
    );
    let mut files = vec![
        ("game.toml".to_string(), manifest),
        ("README.md".to_string(), page(&name, program, test, is_built)),
    ];
    let mut add = |path: &str, text: &str| {
        files.push((path.to_string(), text.replace("{{name}}", &name)));
    };
    match language {
        Language::Python => {
            add("game.py", include_str!("../templates/games/python/game.py"));
            add("test_game.py", include_str!("../templates/games/python/test_game.py"));
        }
        Language::Javascript => {
            add("game.mjs", include_str!("../templates/games/javascript/game.mjs"));
            add("nim.mjs", include_str!("../templates/games/javascript/nim.mjs"));
            add("game.test.mjs", include_str!("../templates/games/javascript/game.test.mjs"));
        }
        _ => {
            let manifest = include_str!("../templates/games/rust/Cargo.toml.in")
                .replace("{{version}}", env!("CARGO_PKG_VERSION"))
                .replace("{{patch}}", &patch(kit_path.as_deref(), &CRATES)?);
            add("Cargo.toml", &manifest);
            add("src/main.rs", include_str!("../templates/games/rust/main.rs"));
            add("src/nim.rs", include_str!("../templates/games/rust/nim.rs"));
            add(".gitignore", "/target/\n");
        }
    }
    for (path, text) in kits::files_of_games(language) {
        files.push((path.to_string(), text.to_string()));
    }
    Ok(Created {
        files: write_all(directory, files)?,
        name,
        build: build(language),
        warnings: language.missing("games"),
        is_from_registry: is_built && kit_path.is_none(),
    })
}

/// Checks that no game that is built in has this name.
pub(crate) fn check_game_name(name: &str) -> Result<(), ProjectError> {
    match registry::names().iter().any(|own| own == name) {
        true => Err(ProjectError::NameOfGame(name.to_string())),
        false => Ok(()),
    }
}

/// Returns the text of the page of a project.
fn page(name: &str, program: &str, test: &str, is_built: bool) -> String {
    let build = if is_built { "cargo build --release\n" } else { "" };
    format!(
        "# {name}\n\n\
         A game for Botyard: at first Nim. Its rules are `{program}`, its manifest is `game.toml`.\n\n\
         ## Test\n\n\
         In this directory:\n\n\
         ```sh\n{build}{test}\n```\n\n\
         ## Check and play\n\n\
         In the directory above it, as the files in this one are the game: one more file is another game.\n\n\
         ```sh\nbotyard check-game ./{name}\nbotyard match ./{name} random random --games 20\n```\n\n\
         `botyard check-game` plays random games and tests what the referee relies on.\n\n\
         ## Change\n\n\
         * Change the rules in `{program}`, the tests and the line `about` of `game.toml`.\n\
         * Compare the rules with facts that are not yours: published counts of positions, solved games, or \
         another program.\n\
         * `docs/rules-protocol.md` describes what the program answers.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    fn project(directory: &Path, language: Language) -> GameProject {
        GameProject { directory: directory.to_path_buf(), language, kit_path: None }
    }

    #[test]
    fn a_project_has_a_game_a_test_a_page_and_no_path_of_this_machine() {
        let place = tempfile::tempdir().unwrap();
        for language in GAME_LANGUAGES {
            let directory = place.path().join(format!("My {}", language.as_str()));
            let created = create_game(&project(&directory, language)).unwrap();
            assert_eq!(created.name, format!("my-{}", language.as_str()));
            let manifest = fs::read_to_string(directory.join("game.toml")).unwrap();
            assert!(manifest.starts_with(&format!("name = \"{}\"\n", created.name)), "{manifest}");
            for file in &created.files {
                let text = fs::read_to_string(directory.join(file)).unwrap();
                let is_left = |word: &&str| text.contains(&format!("{{{{{word}}}}}"));
                let left = ["name", "version", "patch"].into_iter().find(is_left);
                assert_eq!(left, None, "{file}");
                assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "{file}");
            }
        }
    }

    #[test]
    fn the_kit_of_a_game_has_what_its_module_with_the_rules_imports() {
        for (language, begin, end) in
            [(Language::Python, "from .", " import "), (Language::Javascript, "from \"./", "\";")]
        {
            let files = kits::files_of_games(language);
            for (path, text) in &files {
                let is_import = |line: &&str| {
                    (line.starts_with("import ") || line.starts_with("from "))
                        && line.contains(begin)
                };
                for import in text.lines().filter(is_import) {
                    let module = import.split(begin).nth(1).unwrap().split(end).next().unwrap();
                    let is_there =
                        |(path, _): &kits::File| path.starts_with(&format!("botyard/{module}"));
                    assert!(
                        path.ends_with(".d.ts") || files.iter().any(is_there),
                        "{path}: {module}"
                    );
                }
            }
            assert!(files.iter().any(|(path, _)| path.contains("rules.")), "{language}");
        }
    }

    #[test]
    fn what_is_no_game_of_its_own_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("draughts");
        let error = create_game(&project(&directory, Language::Python)).unwrap_err();
        assert!(error.to_string().contains("draughts is a game of botyard itself"), "{error}");
        let error = create_game(&project(&place.path().join("nim"), Language::Go)).unwrap_err();
        assert!(matches!(error, ProjectError::NoGames(Language::Go)), "{error}");
        assert!(!directory.exists());
    }

    /// A game has a copy of its kit in its directory. `UPDATE_KITS=1` writes those of the examples again.
    #[test]
    fn the_examples_have_the_kits_as_they_are() {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games");
        for (game, language, drawings) in [
            ("connect6", Language::Python, &["boards", "drawing"][..]),
            ("hex", Language::Python, &["boards", "drawing"]),
            ("pig", Language::Python, &["drawing", "tables"]),
            ("rock-paper-scissors", Language::Python, &["drawing", "tables"]),
            ("kuhn-poker", Language::Javascript, &["drawing", "tables"]),
            ("open_spiel", Language::Python, &["boards", "drawing"]),
        ] {
            // Declarations are for editors: a game runs without them.
            let runs = |path: &str| !path.ends_with(".d.ts");
            let draws = |path: &str| {
                let module = kits::module(path);
                !kits::DRAWINGS.contains(&module) || drawings.contains(&module)
            };
            let mut expected = BTreeSet::new();
            for (path, text) in kits::files_of_games(language) {
                if !runs(path) || !draws(path) {
                    continue;
                }
                let path = games.join(game).join(path);
                if std::env::var_os("UPDATE_KITS").is_some() {
                    fs::write(&path, text).unwrap();
                }
                assert_eq!(fs::read_to_string(&path).unwrap(), text, "{}", path.display());
                expected.insert(path);
            }
            let is_made = |path: &PathBuf| path.ends_with("__pycache__");
            let found = fs::read_dir(games.join(game).join("botyard")).unwrap();
            let found = found.map(|entry| entry.unwrap().path()).filter(|path| !is_made(path));
            assert_eq!(found.collect::<BTreeSet<_>>(), expected);
        }
    }
}
