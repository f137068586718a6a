//! The files beside a replay that belong to it: `GAME.WHAT`, where the replay is `GAME.ndjson` or
//! `GAME.ndjson.gz`.

use crate::archive::is_compressed_path;
use crate::file::replay_file_name;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a replay without `.ndjson` or `.ndjson.gz`. Any other part of its name
/// belongs to its game: `GAME.2` is not a file of `GAME`.
fn without_extension(replay: &Path) -> PathBuf {
    let plain = match is_compressed_path(replay) {
        true => replay.with_extension(""),
        false => replay.to_path_buf(),
    };
    match plain.extension() {
        Some(extension) if extension == "ndjson" => plain.with_extension(""),
        _ => plain,
    }
}

/// Returns the file beside a replay that has its name and this ending.
///
/// ```
/// use botyard_replay::beside;
///
/// // The second attempt at a game.
/// let path = beside("replays/pig-7.2.ndjson".as_ref(), ".html");
/// assert_eq!(path, std::path::Path::new("replays/pig-7.2.html"));
/// ```
pub fn beside(replay: &Path, ending: &str) -> PathBuf {
    let stem = without_extension(replay);
    let mut name = stem.file_name().unwrap_or_default().to_os_string();
    name.push(ending);
    stem.with_file_name(name)
}

/// Returns the file beside a replay with this name and ending. The name may contain any character,
/// such as that of a bot.
///
/// ```
/// use botyard_replay::companion;
///
/// let path = companion("replays/pig-7.ndjson".as_ref(), "bot1-a/b", ".stderr.txt");
/// assert_eq!(path, std::path::Path::new("replays/pig-7.bot1-a-b.stderr.txt"));
/// ```
pub fn companion(replay: &Path, name: &str, ending: &str) -> PathBuf {
    let name = replay_file_name(name);
    let name = name.strip_suffix(".ndjson").unwrap_or(&name);
    beside(replay, &format!(".{name}{ending}"))
}

/// Returns all files beside a replay with this ending, each with its name between that of the game
/// and the ending. None if the directory cannot be read.
pub fn companions(replay: &Path, ending: &str) -> Vec<(String, PathBuf)> {
    let stem = without_extension(replay);
    let directory = match stem.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    };
    let begin = format!("{}.", file_name(&stem));
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let path = entry.path();
            let name = file_name(&path).strip_prefix(&begin)?.strip_suffix(ending)?.to_string();
            Some((name, path))
        })
        .collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_whose_names_begin_alike_share_no_file() {
        for (replay, expected) in [
            ("r/x.ndjson", "r/x.html"),
            ("r/x.2.ndjson", "r/x.2.html"),
            ("r/x.2.ndjson.gz", "r/x.2.html"),
            ("x.2-2.ndjson", "x.2-2.html"),
            ("x.2", "x.2.html"),
            ("x.gz", "x.html"),
        ] {
            assert_eq!(beside(Path::new(replay), ".html"), Path::new(expected), "{replay}");
        }
    }
}
