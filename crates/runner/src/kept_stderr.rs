//! The standard error of bots, in files beside the replay of their game: `GAME.bot2-NAME.stderr.txt`.

use botyard_replay::{is_compressed_path, replay_file_name};
use std::fs;
use std::path::{Path, PathBuf};

/// The end of the name of such a file.
const END: &str = ".stderr.txt";

/// Returns the file beside a replay for the bot with this number, from 1.
pub(crate) fn path_of(replay: &Path, number: usize, bot: &str) -> PathBuf {
    // The bot's name may contain any character; `replay_file_name` makes it safe.
    let name = replay_file_name(&format!("bot{number}-{bot}"));
    let name = name.trim_end_matches(".ndjson");
    replay.with_extension(format!("{name}{END}"))
}

/// Returns the path of a replay without `.ndjson` or `.ndjson.gz`.
pub fn without_extension(replay: &Path) -> PathBuf {
    match is_compressed_path(replay) {
        true => replay.with_extension("").with_extension(""),
        false => replay.with_extension(""),
    }
}

/// Returns the standard error that was kept beside a replay, with the index of its player in the
/// header, in order. A file that cannot be read is left out.
pub fn kept_stderr(replay: &Path, players: usize) -> Vec<(usize, String)> {
    let stem = without_extension(replay);
    let folder = match stem.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let game = name(&stem);
    let beside: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => return Vec::new(),
    };
    let of = |player: usize| {
        let begin = format!("{game}.bot{}-", player + 1);
        let is_its = |path: &&PathBuf| {
            let name = name(path);
            name.starts_with(&begin) && name.ends_with(END)
        };
        let bytes = fs::read(beside.iter().find(is_its)?).ok()?;
        Some((player, String::from_utf8_lossy(&bytes).into_owned()))
    };
    (0..players).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_beside_a_replay_is_found_for_its_players() {
        let folder = tempfile::tempdir().unwrap();
        let replay = folder.path().join("game-1.ndjson");
        fs::write(path_of(&replay, 1, "a/b"), "one\n").unwrap();
        fs::write(path_of(&replay, 12, "c"), [b't', 0xff]).unwrap();
        fs::write(folder.path().join("game-10.bot2-x.stderr.txt"), "another game").unwrap();
        let expected = vec![(0, "one\n".to_string()), (11, "t\u{fffd}".to_string())];
        assert_eq!(kept_stderr(&replay, 12), expected);
        assert_eq!(kept_stderr(&folder.path().join("game-1.ndjson.gz"), 12), expected);
        assert_eq!(kept_stderr(&replay, 1).len(), 1);
        assert_eq!(kept_stderr(Path::new("/nowhere/at-all/game.ndjson"), 2), []);
    }
}
