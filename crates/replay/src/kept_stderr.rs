//! The standard error of bots, in files beside the replay of their game: `GAME.bot2-NAME.stderr.txt`.

use crate::companions::{companion, companions};
use std::fs;
use std::path::{Path, PathBuf};

/// The end of the name of such a file.
const END: &str = ".stderr.txt";

/// Returns the file beside a replay for the standard error of the bot with this number, from 1.
pub fn stderr_path(replay: &Path, number: usize, bot: &str) -> PathBuf {
    companion(replay, &format!("bot{number}-{bot}"), END)
}

/// Returns the standard error that was kept beside a replay, with the index of its player in the
/// header, in order. A file that cannot be read is left out.
pub fn kept_stderr(replay: &Path, players: usize) -> Vec<(usize, String)> {
    let beside = companions(replay, END);
    let of = |player: usize| {
        let begin = format!("bot{}-", player + 1);
        let (_, path) = beside.iter().find(|(name, _)| name.starts_with(&begin))?;
        Some((player, String::from_utf8_lossy(&fs::read(path).ok()?).into_owned()))
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
        fs::write(stderr_path(&replay, 1, "a/b"), "one\n").unwrap();
        fs::write(stderr_path(&replay, 12, "c"), [b't', 0xff]).unwrap();
        fs::write(folder.path().join("game-10.bot2-x.stderr.txt"), "another game").unwrap();
        let expected = vec![(0, "one\n".to_string()), (11, "t\u{fffd}".to_string())];
        assert_eq!(kept_stderr(&replay, 12), expected);
        assert_eq!(kept_stderr(&folder.path().join("game-1.ndjson.gz"), 12), expected);
        assert_eq!(kept_stderr(&replay, 1).len(), 1);
        assert_eq!(kept_stderr(Path::new("/nowhere/at-all/game.ndjson"), 2), []);
    }
}
