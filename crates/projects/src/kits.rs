//! The files of the kits, as they are in `sdk/`. A project has a copy of its kit, so that a tournament
//! can copy the bot with everything that it needs.

use crate::language::Language;
use std::ffi::OsStr;
use std::path::Path;

/// A file of a project: its path in the project, and its text.
pub(crate) type File = (&'static str, &'static str);

/// Returns the files of a kit. The kit for Rust is a crate, so it has none.
pub(crate) fn files(language: Language) -> &'static [File] {
    match language {
        Language::Python => PYTHON,
        Language::Javascript => JAVASCRIPT,
        Language::Go => GO,
        Language::Cpp => CPP,
        Language::Java => JAVA,
        Language::Rust => &[],
    }
}

/// Returns the languages whose kit has a module for this game, with types and helper functions. In each
/// language a module has the name of its game, but for capitals and what stands between its words.
pub fn that_know(game: &str) -> Vec<Language> {
    let letters = |name: &str| name.to_lowercase().replace(['-', '_'], "");
    let is_module = |(path, _): &File| {
        Path::new(path)
            .file_stem()
            .and_then(OsStr::to_str)
            .is_some_and(|stem| letters(stem) == letters(game))
    };
    let knows = |language: &Language| files(*language).iter().any(is_module);
    Language::ALL.into_iter().filter(knows).collect()
}

/// The modules of a kit that draw. A game has those that it imports, and a new project all.
pub(crate) const DRAWINGS: [&str; 4] = ["boards", "drawing", "graphs", "tables"];

/// Returns the name of a file of a kit without what follows its first dot.
pub(crate) fn module(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// Returns the files of a kit that a game needs.
pub(crate) fn files_of_games(language: Language) -> Vec<File> {
    // The package is imported for its modules of games alone.
    const PACKAGE: File =
        ("botyard/__init__.py", include_str!("../templates/games/python/__init__.py"));
    let own: &[&str] = match language {
        Language::Python => &["_game", "_streams", "py", "rules"],
        Language::Javascript => &["json", "package", "rules", "streams"],
        _ => return Vec::new(),
    };
    let is_own = |path: &str| own.contains(&module(path)) || DRAWINGS.contains(&module(path));
    let mut found: Vec<File> =
        files(language).iter().copied().filter(|(path, _)| is_own(path)).collect();
    found.extend((language == Language::Python).then_some(PACKAGE));
    found
}

const PYTHON: &[File] = &[
    ("botyard/__init__.py", include_str!("../../../sdk/python/src/botyard/__init__.py")),
    ("botyard/__main__.py", include_str!("../../../sdk/python/src/botyard/__main__.py")),
    ("botyard/_engine.pyi", include_str!("../../../sdk/python/src/botyard/_engine.pyi")),
    ("botyard/_game.py", include_str!("../../../sdk/python/src/botyard/_game.py")),
    ("botyard/_program.py", include_str!("../../../sdk/python/src/botyard/_program.py")),
    ("botyard/_streams.py", include_str!("../../../sdk/python/src/botyard/_streams.py")),
    ("botyard/boards.py", include_str!("../../../sdk/python/src/botyard/boards.py")),
    ("botyard/bot.py", include_str!("../../../sdk/python/src/botyard/bot.py")),
    ("botyard/connect_four.py", include_str!("../../../sdk/python/src/botyard/connect_four.py")),
    ("botyard/dice_wars.py", include_str!("../../../sdk/python/src/botyard/dice_wars.py")),
    ("botyard/drawing.py", include_str!("../../../sdk/python/src/botyard/drawing.py")),
    ("botyard/draughts.py", include_str!("../../../sdk/python/src/botyard/draughts.py")),
    ("botyard/engine.py", include_str!("../../../sdk/python/src/botyard/engine.py")),
    ("botyard/features.py", include_str!("../../../sdk/python/src/botyard/features.py")),
    ("botyard/graphs.py", include_str!("../../../sdk/python/src/botyard/graphs.py")),
    ("botyard/liars_dice.py", include_str!("../../../sdk/python/src/botyard/liars_dice.py")),
    ("botyard/loaded.py", include_str!("../../../sdk/python/src/botyard/loaded.py")),
    ("botyard/notebook.py", include_str!("../../../sdk/python/src/botyard/notebook.py")),
    ("botyard/options.py", include_str!("../../../sdk/python/src/botyard/options.py")),
    ("botyard/players.py", include_str!("../../../sdk/python/src/botyard/players.py")),
    ("botyard/policy.py", include_str!("../../../sdk/python/src/botyard/policy.py")),
    ("botyard/py.typed", include_str!("../../../sdk/python/src/botyard/py.typed")),
    ("botyard/replay.py", include_str!("../../../sdk/python/src/botyard/replay.py")),
    ("botyard/rules.py", include_str!("../../../sdk/python/src/botyard/rules.py")),
    ("botyard/scotland_yard.py", include_str!("../../../sdk/python/src/botyard/scotland_yard.py")),
    ("botyard/tables.py", include_str!("../../../sdk/python/src/botyard/tables.py")),
];

const JAVASCRIPT: &[File] = &[
    ("botyard/boards.d.ts", include_str!("../../../sdk/javascript/botyard/boards.d.ts")),
    ("botyard/boards.js", include_str!("../../../sdk/javascript/botyard/boards.js")),
    ("botyard/bot.d.ts", include_str!("../../../sdk/javascript/botyard/bot.d.ts")),
    ("botyard/bot.js", include_str!("../../../sdk/javascript/botyard/bot.js")),
    (
        "botyard/connect-four.d.ts",
        include_str!("../../../sdk/javascript/botyard/connect-four.d.ts"),
    ),
    ("botyard/connect-four.js", include_str!("../../../sdk/javascript/botyard/connect-four.js")),
    ("botyard/dice-wars.d.ts", include_str!("../../../sdk/javascript/botyard/dice-wars.d.ts")),
    ("botyard/dice-wars.js", include_str!("../../../sdk/javascript/botyard/dice-wars.js")),
    ("botyard/drawing.d.ts", include_str!("../../../sdk/javascript/botyard/drawing.d.ts")),
    ("botyard/drawing.js", include_str!("../../../sdk/javascript/botyard/drawing.js")),
    ("botyard/draughts.d.ts", include_str!("../../../sdk/javascript/botyard/draughts.d.ts")),
    ("botyard/draughts.js", include_str!("../../../sdk/javascript/botyard/draughts.js")),
    ("botyard/games.d.ts", include_str!("../../../sdk/javascript/botyard/games.d.ts")),
    ("botyard/games.js", include_str!("../../../sdk/javascript/botyard/games.js")),
    ("botyard/graphs.d.ts", include_str!("../../../sdk/javascript/botyard/graphs.d.ts")),
    ("botyard/graphs.js", include_str!("../../../sdk/javascript/botyard/graphs.js")),
    ("botyard/index.d.ts", include_str!("../../../sdk/javascript/botyard/index.d.ts")),
    ("botyard/index.js", include_str!("../../../sdk/javascript/botyard/index.js")),
    ("botyard/json.d.ts", include_str!("../../../sdk/javascript/botyard/json.d.ts")),
    ("botyard/json.js", include_str!("../../../sdk/javascript/botyard/json.js")),
    ("botyard/liars-dice.d.ts", include_str!("../../../sdk/javascript/botyard/liars-dice.d.ts")),
    ("botyard/liars-dice.js", include_str!("../../../sdk/javascript/botyard/liars-dice.js")),
    ("botyard/options.d.ts", include_str!("../../../sdk/javascript/botyard/options.d.ts")),
    ("botyard/options.js", include_str!("../../../sdk/javascript/botyard/options.js")),
    ("botyard/package.json", include_str!("../../../sdk/javascript/botyard/package.json")),
    ("botyard/random.d.ts", include_str!("../../../sdk/javascript/botyard/random.d.ts")),
    ("botyard/random.js", include_str!("../../../sdk/javascript/botyard/random.js")),
    ("botyard/replay.d.ts", include_str!("../../../sdk/javascript/botyard/replay.d.ts")),
    ("botyard/replay.js", include_str!("../../../sdk/javascript/botyard/replay.js")),
    ("botyard/rulebook.d.ts", include_str!("../../../sdk/javascript/botyard/rulebook.d.ts")),
    ("botyard/rulebook.js", include_str!("../../../sdk/javascript/botyard/rulebook.js")),
    ("botyard/rules.d.ts", include_str!("../../../sdk/javascript/botyard/rules.d.ts")),
    ("botyard/rules.js", include_str!("../../../sdk/javascript/botyard/rules.js")),
    ("botyard/run.js", include_str!("../../../sdk/javascript/botyard/run.js")),
    (
        "botyard/scotland-yard.d.ts",
        include_str!("../../../sdk/javascript/botyard/scotland-yard.d.ts"),
    ),
    ("botyard/scotland-yard.js", include_str!("../../../sdk/javascript/botyard/scotland-yard.js")),
    ("botyard/streams.d.ts", include_str!("../../../sdk/javascript/botyard/streams.d.ts")),
    ("botyard/streams.js", include_str!("../../../sdk/javascript/botyard/streams.js")),
    ("botyard/tables.d.ts", include_str!("../../../sdk/javascript/botyard/tables.d.ts")),
    ("botyard/tables.js", include_str!("../../../sdk/javascript/botyard/tables.js")),
];

const GO: &[File] = &[
    ("botyard/bot.go", include_str!("../../../sdk/go/bot.go")),
    ("botyard/clock.go", include_str!("../../../sdk/go/clock.go")),
    (
        "botyard/connectfour/connectfour.go",
        include_str!("../../../sdk/go/connectfour/connectfour.go"),
    ),
    ("botyard/dicewars/dicewars.go", include_str!("../../../sdk/go/dicewars/dicewars.go")),
    ("botyard/doc.go", include_str!("../../../sdk/go/doc.go")),
    ("botyard/draughts/draughts.go", include_str!("../../../sdk/go/draughts/draughts.go")),
    ("botyard/games.go", include_str!("../../../sdk/go/games.go")),
    ("botyard/go.mod", include_str!("../../../sdk/go/go.mod")),
    ("botyard/json.go", include_str!("../../../sdk/go/json.go")),
    ("botyard/liarsdice/liarsdice.go", include_str!("../../../sdk/go/liarsdice/liarsdice.go")),
    ("botyard/options.go", include_str!("../../../sdk/go/options.go")),
    ("botyard/replay.go", include_str!("../../../sdk/go/replay.go")),
    (
        "botyard/scotlandyard/scotlandyard.go",
        include_str!("../../../sdk/go/scotlandyard/scotlandyard.go"),
    ),
    ("botyard/streams_bsd.go", include_str!("../../../sdk/go/streams_bsd.go")),
    ("botyard/streams_linux.go", include_str!("../../../sdk/go/streams_linux.go")),
    ("botyard/streams_other.go", include_str!("../../../sdk/go/streams_other.go")),
    ("botyard/streams_unix.go", include_str!("../../../sdk/go/streams_unix.go")),
];

const CPP: &[File] = &[
    ("botyard/botyard.hpp", include_str!("../../../sdk/cpp/botyard/botyard.hpp")),
    ("botyard/connect_four.hpp", include_str!("../../../sdk/cpp/botyard/connect_four.hpp")),
    ("botyard/dice_wars.hpp", include_str!("../../../sdk/cpp/botyard/dice_wars.hpp")),
    ("botyard/draughts.hpp", include_str!("../../../sdk/cpp/botyard/draughts.hpp")),
    ("botyard/games.hpp", include_str!("../../../sdk/cpp/botyard/games.hpp")),
    ("botyard/liars_dice.hpp", include_str!("../../../sdk/cpp/botyard/liars_dice.hpp")),
    ("botyard/replay.hpp", include_str!("../../../sdk/cpp/botyard/replay.hpp")),
    ("botyard/scotland_yard.hpp", include_str!("../../../sdk/cpp/botyard/scotland_yard.hpp")),
];

const JAVA: &[File] = &[
    ("botyard/AnyBot.java", include_str!("../../../sdk/java/botyard/AnyBot.java")),
    ("botyard/Bot.java", include_str!("../../../sdk/java/botyard/Bot.java")),
    ("botyard/Clock.java", include_str!("../../../sdk/java/botyard/Clock.java")),
    ("botyard/ConnectFour.java", include_str!("../../../sdk/java/botyard/ConnectFour.java")),
    ("botyard/DiceWars.java", include_str!("../../../sdk/java/botyard/DiceWars.java")),
    ("botyard/Draughts.java", include_str!("../../../sdk/java/botyard/Draughts.java")),
    ("botyard/Game.java", include_str!("../../../sdk/java/botyard/Game.java")),
    ("botyard/Json.java", include_str!("../../../sdk/java/botyard/Json.java")),
    ("botyard/LiarsDice.java", include_str!("../../../sdk/java/botyard/LiarsDice.java")),
    ("botyard/Lines.java", include_str!("../../../sdk/java/botyard/Lines.java")),
    ("botyard/NoLegalActions.java", include_str!("../../../sdk/java/botyard/NoLegalActions.java")),
    ("botyard/Option.java", include_str!("../../../sdk/java/botyard/Option.java")),
    (
        "botyard/OptionException.java",
        include_str!("../../../sdk/java/botyard/OptionException.java"),
    ),
    ("botyard/Outcome.java", include_str!("../../../sdk/java/botyard/Outcome.java")),
    ("botyard/Replay.java", include_str!("../../../sdk/java/botyard/Replay.java")),
    ("botyard/Rulebook.java", include_str!("../../../sdk/java/botyard/Rulebook.java")),
    ("botyard/ScotlandYard.java", include_str!("../../../sdk/java/botyard/ScotlandYard.java")),
    ("botyard/Session.java", include_str!("../../../sdk/java/botyard/Session.java")),
    ("botyard/Stray.java", include_str!("../../../sdk/java/botyard/Stray.java")),
    ("botyard/Turn.java", include_str!("../../../sdk/java/botyard/Turn.java")),
    ("botyard/WarmUp.java", include_str!("../../../sdk/java/botyard/WarmUp.java")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    /// Adds the files below a directory to `into`, by their paths in it.
    fn walk(directory: &Path, below: &Path, into: &mut BTreeSet<PathBuf>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            let path = below.join(entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true => walk(&entry.path(), &path, into),
                false => drop(into.insert(path)),
            }
        }
    }

    #[test]
    fn every_file_of_a_kit_is_copied() {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (language, place) in [
            (Language::Python, "sdk/python/src/botyard"),
            (Language::Javascript, "sdk/javascript/botyard"),
            (Language::Go, "sdk/go"),
            (Language::Cpp, "sdk/cpp/botyard"),
            (Language::Java, "sdk/java/botyard"),
        ] {
            let mut found = BTreeSet::new();
            walk(&repository.join(place), Path::new("botyard"), &mut found);
            let is_of_kit = |path: &PathBuf| {
                let text = path.to_string_lossy();
                let suffix = path.extension().unwrap_or_default().to_string_lossy().into_owned();
                let is_made = text.contains("__pycache__") || suffix == "so" || suffix == "class";
                // The environments need compiled rules.
                let is_apart = is_made || text.contains("/env/");
                match language {
                    Language::Go => {
                        let is_source = suffix == "go" && !text.contains("_test.go");
                        (is_source && !text.contains("/examples/")) || suffix == "mod"
                    }
                    _ => !is_apart,
                }
            };
            found.retain(is_of_kit);
            let copied: BTreeSet<PathBuf> =
                files(language).iter().map(|(path, _)| PathBuf::from(path)).collect();
            assert_eq!(copied, found, "{language}");
        }
        assert!(files(Language::Rust).is_empty());
    }

    #[test]
    fn a_kit_knows_the_games_that_it_has_a_module_for() {
        let all =
            [Language::Python, Language::Javascript, Language::Cpp, Language::Java, Language::Go];
        assert_eq!(that_know("connect-four"), all);
        assert!(that_know("a-new-game").is_empty());
    }
}
