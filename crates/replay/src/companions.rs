//! The files beside a replay that belong to it: `GAME.WHAT`, where the replay is `GAME.ndjson` or
//! `GAME.ndjson.gz`.

use crate::archive::is_compressed_path;
use crate::file::replay_file_name;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a replay without `.ndjson` or `.ndjson.gz`.
pub fn without_extension(replay: &Path) -> PathBuf {
    match is_compressed_path(replay) {
        true => replay.with_extension("").with_extension(""),
        false => replay.with_extension(""),
    }
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
    let stem = without_extension(replay);
    let name = replay_file_name(name);
    let name = name.strip_suffix(".ndjson").unwrap_or(&name);
    stem.with_file_name(format!("{}.{name}{ending}", file_name(&stem)))
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
