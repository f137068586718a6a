//! A new project: its files, written into an empty directory.

use crate::bots::{bot, java_class};
use crate::first_move;
use crate::kits;
use crate::language::Language;
use crate::page::page;
use botyard_engine::registry::{UnknownGame, plain_name};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The requested project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its directory, which must be new or empty. The bot is named after it.
    pub directory: PathBuf,
    /// The language.
    pub language: Language,
    /// The game, by its name in the registry.
    pub game: String,
    /// The game as commands in the project's directory name it. `None`: by its name.
    pub game_path: Option<String>,
    /// The sources of Botyard, from which a project in Rust takes its crates. `None`: the registry.
    pub kit_path: Option<PathBuf>,
}

/// A project that was created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// Its files, by their paths in the project.
    pub files: Vec<String>,
    /// The name of the bot.
    pub name: String,
    /// The command that builds it; `None` if it is not built.
    pub build: Option<Build>,
    /// What is missing on this host. Sentences without a full stop.
    pub warnings: Vec<String>,
    /// Whether the project takes Botyard's crates of this version from the registry.
    pub is_from_registry: bool,
}

/// How a bot is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// By `botyard build`, in the sandbox.
    InSandbox,
    /// By `cargo build --release` in its directory, because Cargo loads crates.
    Cargo,
}

/// Why a project was not created.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The directory holds something.
    #[error("the directory {} is not empty, and files are never overwritten: choose another one", .0.display())]
    NotEmpty(PathBuf),
    /// A game that is built in has this name.
    #[error(
        "{0} is a game of botyard itself: choose a directory of another name, which is that of the game"
    )]
    NameOfGame(String),
    /// There is no kit for games in this language.
    #[error("there is no kit for games in {0}: the rules protocol is all that a program needs")]
    NoGames(Language),
    /// A game of another library cannot be taken over.
    #[error("{0}")]
    Source(String),
    /// The sources are not those of Botyard, or are given for another language than Rust.
    #[error("{0}")]
    KitPath(String),
    /// A file cannot be written.
    #[error("{} cannot be written: {error}", path.display())]
    Unwritable {
        /// The file or directory.
        path: PathBuf,
        /// The system's message.
        #[source]
        error: io::Error,
    },
}

/// Creates a project.
///
/// # Errors
///
/// There is no such game, the directory is not empty, or a file cannot be written.
pub fn create(project: &Project) -> Result<Created, ProjectError> {
    let Project { directory, language, .. } = project;
    let name = name_of(directory, "bot");
    let files = files(project, &name)?;
    Ok(Created {
        files: write_all(directory, files)?,
        name,
        build: build(*language),
        warnings: language.missing("bots"),
        is_from_registry: *language == Language::Rust && project.kit_path.is_none(),
    })
}

/// Returns how a project in this language is built.
pub(crate) fn build(language: Language) -> Option<Build> {
    match language {
        Language::Python | Language::Javascript => None,
        Language::Rust => Some(Build::Cargo),
        Language::Cpp | Language::Java | Language::Go => Some(Build::InSandbox),
    }
}

/// Writes files, paths with texts, into a directory that is new or empty. Returns the paths.
pub(crate) fn write_all(
    directory: &Path,
    files: Vec<(String, String)>,
) -> Result<Vec<String>, ProjectError> {
    let unwritable = |path: &Path| {
        let path = path.to_path_buf();
        move |error| ProjectError::Unwritable { path, error }
    };
    fs::create_dir_all(directory).map_err(unwritable(directory))?;
    if fs::read_dir(directory).map_err(unwritable(directory))?.next().is_some() {
        return Err(ProjectError::NotEmpty(directory.to_path_buf()));
    }
    for (path, text) in &files {
        let path = directory.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(unwritable(parent))?;
        }
        fs::write(&path, text).map_err(unwritable(&path))?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// Returns the name of a project: that of its directory, in lower-case letters, digits and hyphens. `kind`
/// is the first word of a name that begins otherwise.
pub(crate) fn name_of(directory: &Path, kind: &str) -> String {
    let full = std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf());
    let last = full.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let name: String =
        last.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
    let name = name.trim_matches('-');
    // The name of a crate begins with a letter, and is no word of the language.
    match name.chars().next() {
        Some(first) if first.is_ascii_lowercase() && !RESERVED.contains(&name) => name.to_string(),
        Some(_) => format!("{kind}-{name}"),
        None => kind.to_string(),
    }
}

/// Names that Cargo refuses for a program, or that the project uses for another file.
const RESERVED: [&str; 10] =
    ["test", "core", "std", "alloc", "build", "deps", "examples", "incremental", "src", "tests"];

/// Returns the files of a project.
fn files(project: &Project, name: &str) -> Result<Vec<(String, String)>, ProjectError> {
    let Project { language, game, kit_path, .. } = project;
    let language = *language;
    let lines = first_move::lines(game)?;
    let game = plain_name(game);
    let bot = bot(language, game, name);
    check_kit_path(kit_path.as_deref(), language)?;
    let class = java_class(game);
    let (build, run) = match language {
        Language::Python => (None, "python3 bot.py".to_string()),
        Language::Javascript => (None, "node bot.mjs".to_string()),
        Language::Go => (Some("go build -o bot ."), "./bot".to_string()),
        Language::Cpp => (Some("g++ -std=c++17 -O2 -I. -o bot bot.cpp"), "./bot".to_string()),
        Language::Java => (
            Some("javac -encoding UTF-8 -d classes @sources.txt"),
            format!("java -cp classes {class}"),
        ),
        Language::Rust => (Some("cargo build --release"), format!("target/release/{name}")),
    };
    let build = build.map_or(String::new(), |build| format!("build = [\"{build}\"]\n"));
    let mut files = vec![
        ("bot.toml".to_string(), format!("name  = \"{name}\"\n{build}run   = \"{run}\"\n")),
        (
            "README.md".to_string(),
            page(language, game, project.game_path.as_deref(), name, &bot.path),
        ),
        ("first_move.ndjson".to_string(), lines),
    ];
    let kit = kits::files(language).iter();
    files.extend(kit.map(|&(path, text)| (path.to_string(), text.to_string())));
    let mut add = |path: &str, text: &str| files.push((path.to_string(), text.to_string()));
    match language {
        Language::Python => add("test_bot.py", include_str!("../templates/python/test_bot.py")),
        Language::Javascript => {
            add("bot.test.mjs", include_str!("../templates/javascript/bot.test.mjs"));
        }
        Language::Go => {
            add("main_test.go", include_str!("../templates/go/main_test.go"));
            // A name of its own could be that of a package of Go, such as `sort`.
            add(
                "go.mod",
                &format!(
                    "module bots/{name}\n\ngo 1.19\n\nrequire botyard v0.0.0\n\nreplace botyard => ./botyard\n"
                ),
            );
            add(".gitignore", "/bot\n");
        }
        Language::Cpp => {
            add("test.cpp", include_str!("../templates/cpp/test.cpp"));
            add(".gitignore", "/bot\n/test\n");
        }
        Language::Java => {
            let test = include_str!("../templates/java/TestBot.java");
            add("TestBot.java", &test.replace("{{class}}", class));
            let kit = kits::files(language).iter().map(|(path, _)| format!("{path}\n"));
            add("sources.txt", &format!("{}{class}.java\n", kit.collect::<String>()));
            add(".gitignore", "/classes/\n");
        }
        Language::Rust => {
            let manifest = include_str!("../templates/rust/Cargo.toml.in");
            let manifest = manifest
                .replace("{{name}}", name)
                .replace("{{version}}", env!("CARGO_PKG_VERSION"))
                .replace("{{patch}}", &patch(kit_path.as_deref(), &CRATES)?);
            add("Cargo.toml", &manifest);
            let test = include_str!("../templates/rust/first_move.rs");
            add("tests/first_move.rs", &test.replace("{{name}}", name));
            add(".gitignore", "/target/\n");
        }
    }
    files.push((bot.path, bot.text));
    Ok(files)
}

/// Checks that the sources of the kit are given for a language that needs them.
pub(crate) fn check_kit_path(
    kit_path: Option<&Path>,
    language: Language,
) -> Result<(), ProjectError> {
    match kit_path.is_some() && language != Language::Rust {
        true => Err(ProjectError::KitPath(format!(
            "the sources of the kit are given for Rust only: a project in {language} has a copy of its kit"
        ))),
        false => Ok(()),
    }
}

/// The crates that a bot in Rust depends on, directly or not.
const CRATES: [&str; 4] = ["agent", "engine", "protocol", "search"];

/// Returns the part of a manifest that takes these of Botyard's crates from its sources; empty for those of
/// the registry.
pub(crate) fn patch(kit_path: Option<&Path>, names: &[&str]) -> Result<String, ProjectError> {
    let Some(path) = kit_path else { return Ok(String::new()) };
    let absolute = path.canonicalize().ok();
    let crates = absolute.map(|path| path.join("crates"));
    let Some(crates) = crates.filter(|crates| crates.join("agent/Cargo.toml").is_file()) else {
        return Err(ProjectError::KitPath(format!(
            "expected a directory with the sources of Botyard, but there is no file {}",
            path.join("crates/agent/Cargo.toml").display()
        )));
    };
    let mut text = "\n[patch.crates-io]\n".to_string();
    for name in names {
        // A literal string of TOML has no escapes.
        let path = crates.join(name);
        text.push_str(&format!("botyard-{name} = {{ path = '{}' }}\n", path.display()));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(directory: &Path, language: Language) -> Project {
        Project {
            directory: directory.to_path_buf(),
            language,
            game: "connect-four".into(),
            game_path: None,
            kit_path: None,
        }
    }

    #[test]
    fn a_project_has_a_bot_a_test_a_page_and_no_path_of_this_machine() {
        let place = tempfile::tempdir().unwrap();
        for language in Language::ALL {
            let directory = place.path().join(format!("My {}", language.as_str()));
            let created = create(&project(&directory, language)).unwrap();
            assert_eq!(created.name, format!("my-{}", language.as_str()));
            for file in ["bot.toml", "README.md", "first_move.ndjson"] {
                assert!(created.files.iter().any(|found| found == file), "{language}: no {file}");
            }
            assert!(created.files.iter().any(|file| file.to_lowercase().contains("test")));
            for file in &created.files {
                let text = fs::read_to_string(directory.join(file)).unwrap();
                assert!(!text.contains("{{name}}") && !text.contains("{{class}}"), "{file}");
                assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "{file}");
            }
        }
    }

    #[test]
    fn what_would_overwrite_or_mislead_is_refused() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("essay"), "").unwrap();
        let error = create(&project(place.path(), Language::Python)).unwrap_err();
        assert!(matches!(error, ProjectError::NotEmpty(_)), "{error}");
        let directory = place.path().join("new");
        let of = |game: &str, language, kit_path| Project {
            game: game.into(),
            kit_path,
            ..project(&directory, language)
        };
        for (project, expected) in [
            (of("chess", Language::Python, None), "chess"),
            (of("draughts", Language::Go, Some(place.path().into())), "for Rust only"),
            (of("draughts", Language::Rust, Some(place.path().into())), "sources of Botyard"),
        ] {
            let error = create(&project).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!directory.exists(), "nothing is created: {error}");
        }
    }

    #[test]
    fn a_project_in_rust_without_sources_says_where_its_crates_come_from() {
        let place = tempfile::tempdir().unwrap();
        let created = create(&project(&place.path().join("fox"), Language::Rust)).unwrap();
        assert!(created.is_from_registry);
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let of_sources = Project {
            game: "draughts".into(),
            kit_path: Some(sources),
            ..project(&place.path().join("hound"), Language::Rust)
        };
        let created = create(&of_sources).unwrap();
        assert!(!created.is_from_registry);
        let bot = fs::read_to_string(place.path().join("hound/src/main.rs")).unwrap();
        assert!(bot.contains("botyard_engine::draughts"), "a bot of the game: {bot}");
    }

    #[test]
    fn a_name_is_one_that_every_language_accepts() {
        for (directory, expected) in [
            ("/a/Fox", "fox"),
            ("/a/my bot_2", "my-bot-2"),
            ("/a/7", "bot-7"),
            ("/a/test", "bot-test"),
            ("/a/ß", "bot"),
        ] {
            assert_eq!(name_of(Path::new(directory), "bot"), expected);
        }
    }
}
