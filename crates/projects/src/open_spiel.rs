//! A bundle with one of OpenSpiel's games: the program of `examples/games/open_spiel` for this game alone.

use crate::game_project::{LONGEST_NAME, check_game_name};
use crate::kits;
use crate::language::Language;
use crate::project::{Created, ProjectError, name_of, write_all};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The files of the program.
const PROGRAM: [kits::File; 6] = [
    ("pictures.py", include_str!("../../../examples/games/open_spiel/pictures.py")),
    ("bundles.py", include_str!("../../../examples/games/open_spiel/bundles.py")),
    ("game.py", include_str!("../../../examples/games/open_spiel/game.py")),
    ("loading.py", include_str!("../../../examples/games/open_spiel/loading.py")),
    ("names.py", include_str!("../../../examples/games/open_spiel/names.py")),
    ("spiel.py", include_str!("../../../examples/games/open_spiel/spiel.py")),
];

/// Creates the bundle of a game, written as OpenSpiel does: `hex`, `hex(board_size=5)`. Its rules are the
/// parameters of the game. The game is named after the directory. Nothing is created after an error.
///
/// # Errors
///
/// `python3` does not run or has no OpenSpiel, there is no such game, a game that is built in has the name
/// of the directory, the directory is not empty, or a file cannot be written.
pub fn create_from_open_spiel(directory: &Path, game: &str) -> Result<Created, ProjectError> {
    let mut name = name_of(directory, "game");
    name.truncate(LONGEST_NAME);
    check_game_name(&name)?;
    if game.contains(|letter: char| letter.is_whitespace() || "\"'\\".contains(letter)) {
        return Err(ProjectError::Source(format!(
            "expected a game in OpenSpiel's notation without spaces and quotation marks, such as \
             hex(board_size=5), got {game:?}; rules can be chosen later"
        )));
    }
    let existed = directory.is_dir();
    let kit = kits::files_of_games(Language::Python);
    let files = kit.iter().copied().chain(PROGRAM);
    let files = files.map(|(path, text)| (path.to_string(), text.to_string())).collect();
    let mut written = write_all(directory, files)?;
    let described = describe(directory, &name, game).and_then(|(about, rules)| {
        let manifest = format!(
            "name = \"{name}\"\nabout = {about:?}\nrun = \"python3 -B game.py {name} {game}\"\nmodel = true\n"
        );
        let files = [("game.toml", manifest), ("README.md", page(&name, &about, &rules))];
        for (path, text) in files {
            fs::write(directory.join(path), text).map_err(|error| ProjectError::Unwritable {
                path: directory.join(path),
                error,
            })?;
            written.push(path.to_string());
        }
        Ok(())
    });
    if let Err(error) = described {
        // The directory was new or empty.
        let _ = fs::remove_dir_all(directory);
        if existed {
            let _ = fs::create_dir(directory);
        }
        return Err(error);
    }
    Ok(Created { files: written, name, build: None, warnings: Vec::new(), is_from_registry: false })
}

/// Asks the program in a directory for the line about its game and the table of its rules.
fn describe(directory: &Path, name: &str, game: &str) -> Result<(String, String), ProjectError> {
    let mut command = Command::new("python3");
    command.args(["-B", "game.py", "describe", name, game]).current_dir(directory);
    let output = command.output().map_err(|error| {
        ProjectError::Source(format!(
            "python3, which runs OpenSpiel's games, does not start: {error}"
        ))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        // OpenSpiel prints its own errors first.
        let last = said.trim().lines().last().unwrap_or("it said nothing");
        return Err(ProjectError::Source(format!("{game}: {last}")));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (about, rules) = text.split_once('\n').unwrap_or((&text, ""));
    Ok((about.to_string(), rules.trim().to_string()))
}

/// Returns the text of the page of a bundle.
fn page(name: &str, about: &str, rules: &str) -> String {
    format!(
        "# {name}\n\n\
         {about}. The program asks OpenSpiel for everything. It needs Python 3.10 and `pip install open_spiel` for the\n\
         `python3` that comes first in `PATH`.\n\n\
         In the directory above this one:\n\n\
         ```sh\nbotyard check-game ./{name}\nbotyard match ./{name} random random --games 20\n```\n\n\
         {rules}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_game_is_refused_and_leaves_nothing() {
        let place = tempfile::tempdir().unwrap();
        for (directory, game, expected) in [
            ("connect-four", "connect_four", "connect-four is a game of botyard itself"),
            ("hex", "hex (board_size=5)", "without spaces"),
            // Without OpenSpiel this says how to install it.
            ("there-is-none", "there_is_none", "OpenSpiel"),
        ] {
            let directory = place.path().join(directory);
            let error = create_from_open_spiel(&directory, game).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!directory.exists(), "{error}");
        }
    }
}
