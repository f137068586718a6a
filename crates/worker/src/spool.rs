//! Results that wait to be sent, on disk. Each is a directory with the games of a block and their files,
//! which appears complete or not at all. A process killed at any moment loses no result that is in
//! the spool.

use botyard_league::atomic_file;
use botyard_league::store::StoredGame;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file with the result.
const RESULT: &str = "result.json";

/// The prefix of a directory that is being made.
const UNFINISHED: &str = ".unfinished-";

/// The directory of results that were refused.
const REFUSED: &str = "refused";

/// The result of a lease.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockResult {
    /// The worker that has the lease.
    pub worker: String,
    /// The token of the lease.
    pub token: String,
    /// The tournament.
    pub tournament: String,
    /// The number of the block.
    pub block: u32,
    /// The games of the lease.
    pub games: Vec<StoredGame>,
    /// The names of the files of these games in the tournament.
    pub files: Vec<String>,
}

/// Results that wait to be sent.
#[derive(Debug)]
pub struct Spool {
    directory: PathBuf,
}

/// A result in the spool.
#[derive(Debug)]
pub struct Spooled {
    /// The result.
    pub result: BlockResult,
    directory: PathBuf,
}

impl Spool {
    /// Opens a spool, and removes what a killed process had not completed.
    ///
    /// # Errors
    ///
    /// The directory is not writable.
    pub fn open(directory: PathBuf) -> io::Result<Spool> {
        fs::create_dir_all(&directory)?;
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(Spool { directory })
    }

    /// Adds a result. Its files are moved into the spool from these paths, in the order of their
    /// names in the result.
    ///
    /// # Errors
    ///
    /// A failure of the host. The result is not in the spool then.
    pub fn add(&self, result: BlockResult, files: &[PathBuf]) -> io::Result<Spooled> {
        let unfinished = self.directory.join(format!("{UNFINISHED}{}", result.token));
        fs::create_dir(&unfinished)?;
        let made = fill(&unfinished, &result, files).and_then(|()| {
            let directory = self.directory.join(&result.token);
            fs::rename(&unfinished, &directory)?;
            Ok(directory)
        });
        match made {
            Ok(directory) => Ok(Spooled { result, directory }),
            Err(error) => {
                let _ = fs::remove_dir_all(&unfinished);
                Err(error)
            }
        }
    }

    /// Returns the results in the spool. One that cannot be read is set aside.
    ///
    /// # Errors
    ///
    /// The directory cannot be read.
    pub fn results(&self) -> io::Result<Vec<Spooled>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let directory = entry?.path();
            let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name == REFUSED || name.starts_with(UNFINISHED) {
                continue;
            }
            match read(&directory) {
                Ok(result) => found.push(Spooled { result, directory }),
                Err(_) => set_aside(&directory)?,
            }
        }
        found.sort_by(|one, other| one.directory.cmp(&other.directory));
        Ok(found)
    }

    /// Moves the results of another spool into this one.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn adopt(&self, other: &Spool) -> io::Result<()> {
        for Spooled { result, directory } in other.results()? {
            fs::rename(directory, self.directory.join(result.token))?;
        }
        Ok(())
    }
}

fn fill(directory: &Path, result: &BlockResult, files: &[PathBuf]) -> io::Result<()> {
    for (number, file) in files.iter().enumerate() {
        fs::rename(file, directory.join(number.to_string()))?;
    }
    fs::write(directory.join(RESULT), serde_json::to_vec(result)?)
}

fn read(directory: &Path) -> io::Result<BlockResult> {
    let result: BlockResult = serde_json::from_slice(&fs::read(directory.join(RESULT))?)?;
    let is_whole =
        (0..result.files.len()).all(|number| directory.join(number.to_string()).is_file());
    is_whole.then_some(result).ok_or_else(|| io::Error::other("a file is missing"))
}

/// Moves a result to those that were refused.
fn set_aside(directory: &Path) -> io::Result<()> {
    let around = directory.parent().unwrap_or(directory).join(REFUSED);
    fs::create_dir_all(&around)?;
    let place = around.join(directory.file_name().unwrap_or_default());
    if place.exists() {
        return fs::remove_dir_all(directory);
    }
    fs::rename(directory, place)
}

impl Spooled {
    /// Returns the names of its files and their content, one after another.
    pub fn files(&self) -> impl Iterator<Item = (&str, io::Result<Vec<u8>>)> {
        (0..).zip(&self.result.files).map(|(number, name): (usize, _)| {
            (name.as_str(), fs::read(self.directory.join(number.to_string())))
        })
    }

    /// Removes it: it was sent.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_dir_all(&self.directory)
    }

    /// Keeps a result that was refused, with the reason, where it is not sent again. Returns the
    /// directory.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn refuse(self, reason: &str) -> io::Result<PathBuf> {
        atomic_file::replace_unsynced(&self.directory.join("reason.txt"), reason.as_bytes())?;
        set_aside(&self.directory)?;
        let around = self.directory.parent().unwrap_or(&self.directory).join(REFUSED);
        Ok(around.join(self.directory.file_name().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_league::schedule::GameKey;
    use botyard_league::{PlayedGame, Verdict};

    fn result(token: &str) -> BlockResult {
        let key = GameKey { generation: 0, block: 3, rotation: 1 };
        let game = PlayedGame {
            block: 3,
            seats: vec![1, 0],
            verdict: Verdict::Scored { points: vec![0.1, 0.9], places: vec![2, 1] },
            void_at: None,
            turns: 7,
            uses: Vec::new(),
            faults: Vec::new(),
            replay: Some("replays/ab/x.ndjson.gz".into()),
        };
        BlockResult {
            worker: "anna".into(),
            token: token.into(),
            tournament: "class".into(),
            block: 3,
            games: vec![StoredGame { key, id: u64::MAX, attempts: 1, game }],
            files: vec!["replays/ab/x.ndjson.gz".into()],
        }
    }

    #[test]
    fn a_result_is_found_by_the_next_process_and_one_that_is_not_whole_is_set_aside() {
        let place = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = place.path().join(name);
            fs::write(&path, name).unwrap();
            path
        };
        let directory = place.path().join("spool");
        let spool = Spool::open(directory.clone()).unwrap();
        spool.add(result("aa"), &[file("one")]).unwrap();
        spool.add(result("bb"), &[file("two")]).unwrap();
        assert!(!place.path().join("one").exists(), "a file is moved");
        // A file of the host is missing: nothing is left.
        assert!(spool.add(result("cc"), &[place.path().join("none")]).is_err());
        fs::remove_file(directory.join("bb/0")).unwrap();
        fs::create_dir(directory.join(format!("{UNFINISHED}dd"))).unwrap();

        let other = Spool::open(place.path().join("other")).unwrap();
        other.adopt(&Spool::open(directory.clone()).unwrap()).unwrap();
        let mut found = other.results().unwrap();
        assert_eq!(found.len(), 1);
        let spooled = found.remove(0);
        assert_eq!(spooled.result, result("aa"));
        let files: Vec<_> =
            spooled.files().map(|(name, content)| (name, content.unwrap())).collect();
        assert_eq!(files, [("replays/ab/x.ndjson.gz", b"one".to_vec())]);
        let kept = spooled.refuse("no such lease").unwrap();
        assert_eq!(fs::read_to_string(kept.join("reason.txt")).unwrap(), "no such lease");
        assert!(other.results().unwrap().is_empty());
        let left: Vec<_> =
            fs::read_dir(&directory).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(left, [REFUSED]);
    }
}
