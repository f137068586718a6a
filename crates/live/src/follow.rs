//! The threads that follow games: each reads the lines of one replay as they are written, and
//! publishes the positions.

use crate::silence::{patience, silent_since};
use crate::{LoadRules, Sight};
use botyard_connections::{Pool, Share};
use botyard_replay::{ReadError, ReplayReader, registered_table};
use botyard_viewer::LiveGame;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};
use tokio::sync::watch;

/// How often a replay is looked at.
const EVERY: Duration = Duration::from_millis(100);

/// The most games that are kept in memory at once, each with a thread. One address has half of what others leave.
const MOST: usize = 96;

/// What spectators and seats learn of a replay that cannot be followed.
const UNREADABLE: &str = "its replay does not follow from its rules: see `botyard replay verify`";

/// The number of lines after which positions are published even if there are more lines.
const LINES: usize = 400;

/// What is known of a game that is followed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Published {
    /// The title of its page.
    pub title: String,
    /// What a page says of it as a whole.
    pub about: Value,
    /// The identity of what follows: the game, its file, and what may be seen of it. Two games may
    /// have the same id: matches from the same seed.
    pub id: String,
    /// Its positions. The last one may change.
    pub positions: Vec<Arc<str>>,
    /// Whether more may follow.
    pub phase: Phase,
    /// When the last line was written, in milliseconds since 1970, if that is so long ago that the
    /// game seems interrupted.
    pub silent_since: Option<u64>,
}

/// Whether more positions may follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing was read yet.
    #[default]
    Beginning,
    /// The game is being played, as far as its replay says.
    Running,
    /// It has ended.
    Over,
    /// It cannot be followed further.
    Problem(String),
}

/// The games that are followed.
pub(crate) struct Games {
    sight: Sight,
    load: LoadRules,
    followed: Mutex<HashMap<String, Followed>>,
    shares: Pool<IpAddr>,
}

struct Followed {
    /// That of the address which asked for the game first.
    _share: Share<IpAddr>,
    published: Arc<watch::Sender<Published>>,
    /// When the file was created that is followed: another one may take its place.
    file: Option<FileIdentity>,
    is_dropped: Arc<AtomicBool>,
}

impl Drop for Followed {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Relaxed);
    }
}

/// What distinguishes a file from another one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct FileIdentity {
    created: Option<SystemTime>,
    #[cfg(unix)]
    inode: (u64, u64),
}

impl FileIdentity {
    fn of(path: &Path) -> Option<FileIdentity> {
        let data = fs::metadata(path).ok()?;
        Some(FileIdentity {
            created: data.created().ok(),
            #[cfg(unix)]
            inode: {
                use std::os::unix::fs::MetadataExt;
                (data.dev(), data.ino())
            },
        })
    }
}

/// Twelve hexadecimal digits: nothing about the host.
impl fmt::Display for FileIdentity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        write!(formatter, "{:012x}", hasher.finish() >> 16)
    }
}

/// There are too many games that are watched at once.
#[derive(Debug)]
pub(crate) struct TooMany;

impl Games {
    pub(crate) fn new(sight: Sight, load: LoadRules) -> Games {
        Games { sight, load, followed: Mutex::default(), shares: Pool::new(MOST) }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Followed>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of pages that wait for something of a game.
    pub(crate) fn watchers(&self) -> usize {
        self.lock().values().map(|its| its.published.receiver_count()).sum()
    }

    /// Follows no game any more.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// Follows a game for a page at an address, if it is not followed already.
    ///
    /// # Errors
    ///
    /// Too many games are watched at once: by this address, or by all.
    pub(crate) fn follow(
        &self,
        name: &str,
        path: &Path,
        from: IpAddr,
    ) -> Result<watch::Receiver<Published>, TooMany> {
        let mut followed = self.lock();
        let file = FileIdentity::of(path);
        if let Some(its) = followed.get(name) {
            // A problem may have passed: a file that was read while it was replaced.
            let is_same = file.is_none() || its.file == file;
            if is_same && !matches!(its.published.borrow().phase, Phase::Problem(_)) {
                return Ok(its.published.subscribe());
            }
            followed.remove(name);
        }
        let from = botyard_connections::place(from);
        let share = self.shares.take(&from, 1).or_else(|| {
            followed.retain(|_, its| its.published.receiver_count() > 0);
            self.shares.take(&from, 1)
        });
        let share = share.ok_or(TooMany)?;
        let (published, receiver) = watch::channel(Published::default());
        let published = Arc::new(published);
        let is_dropped = Arc::new(AtomicBool::new(false));
        let thread = Thread {
            path: path.to_path_buf(),
            sight: self.sight.clone(),
            load: Arc::clone(&self.load),
            file,
            published: Arc::clone(&published),
            is_dropped: Arc::clone(&is_dropped),
        };
        let started = thread::Builder::new().name("game".to_string()).spawn(move || thread.run());
        if started.is_err() {
            return Err(TooMany);
        }
        let kept = Followed { _share: share, published, file, is_dropped };
        followed.insert(name.to_string(), kept);
        Ok(receiver)
    }
}

type Reader = ReplayReader<Box<dyn BufRead>>;

/// A thread that follows a game.
struct Thread {
    path: PathBuf,
    file: Option<FileIdentity>,
    sight: Sight,
    load: LoadRules,
    published: Arc<watch::Sender<Published>>,
    is_dropped: Arc<AtomicBool>,
}

impl Thread {
    fn run(self) {
        let done = self.begin().and_then(|begun| match begun {
            Some((reader, game)) => self.follow(reader, game),
            None => Ok(()),
        });
        if let Err(message) = done {
            self.published.send_modify(|its| its.phase = Phase::Problem(message));
        }
    }

    fn is_wanted(&self) -> bool {
        !self.is_dropped.load(Ordering::Relaxed)
    }

    /// Returns why the replay cannot be read, for the page.
    fn unreadable(&self, error: impl fmt::Display) -> String {
        match self.sight {
            Sight::Truth => error.to_string(),
            // The error may quote a hidden action, or the chain, which covers the seed.
            Sight::Spectator | Sight::Seat(_) => UNREADABLE.to_string(),
        }
    }

    /// Reads the header, as soon as there is one.
    fn begin(&self) -> Result<Option<(Reader, LiveGame)>, String> {
        while self.is_wanted() {
            // Before the file is opened: the header may be written in between.
            let has_a_line = self.has_a_line();
            match ReplayReader::open(&self.path) {
                Ok(reader) => {
                    (self.load)(&self.path)?;
                    let perspective = self.sight.perspective();
                    let game = LiveGame::new(reader.header(), &registered_table, perspective);
                    let game = game.map_err(|error| error.to_string())?;
                    // Not the chain: it covers the seed, which could be found by trial.
                    let file = self.file.map_or(String::new(), |file| file.to_string());
                    let id = format!("{} {} {file}", reader.header().game_id, self.sight.name());
                    self.published.send_modify(|its| {
                        *its = Published {
                            title: game.title(),
                            about: game.about(),
                            id,
                            positions: Vec::new(),
                            phase: Phase::Running,
                            silent_since: None,
                        };
                    });
                    return Ok(Some((reader, game)));
                }
                Err(ReadError::NotAReplay { .. } | ReadError::Truncated { .. }) if !has_a_line => {}
                Err(error) => return Err(self.unreadable(error)),
            }
            thread::sleep(EVERY);
        }
        Ok(None)
    }

    /// Whether the file has a complete line.
    fn has_a_line(&self) -> bool {
        let Ok(file) = fs::File::open(&self.path) else { return true };
        let mut line = Vec::new();
        let most = botyard_replay::MAX_LINE_BYTES as u64;
        let read = BufReader::new(file).take(most).read_until(b'\n', &mut line);
        read.is_err() || line.last() == Some(&b'\n') || line.len() as u64 == most
    }

    fn follow(&self, mut reader: Reader, mut game: LiveGame) -> Result<(), String> {
        let patience = patience(reader.header());
        while self.is_wanted() && !game.is_over() {
            let mut read = 0;
            let mut failed = None;
            while read < LINES && !game.is_over() {
                let line = reader.next_complete().map_err(|error| self.unreadable(error));
                match line {
                    Ok(Some(line)) => match game.follow(&line) {
                        Ok(()) => read += 1,
                        Err(error) => failed = Some(self.unreadable(error)),
                    },
                    Ok(None) => break,
                    Err(error) => failed = Some(error),
                }
                if failed.is_some() {
                    break;
                }
            }
            if let Some(message) = failed {
                return Err(message);
            }
            if read > 0 {
                self.publish(&mut game);
            } else {
                self.notice_silence(patience);
                thread::sleep(EVERY);
            }
        }
        Ok(())
    }

    /// Publishes whether the last line was written long ago.
    fn notice_silence(&self, patience: Duration) {
        // A compressed replay takes the place of one that has ended.
        let Ok(changed) = fs::metadata(&self.path).and_then(|data| data.modified()) else { return };
        let since = silent_since(changed, patience);
        self.published.send_if_modified(|its| {
            let is_new = its.silent_since != since;
            its.silent_since = since;
            is_new
        });
    }

    fn publish(&self, game: &mut LiveGame) {
        // The last position that was published may have changed.
        let known = self.published.borrow().positions.len().saturating_sub(1);
        let positions = game.positions(known);
        let about = (known == 0).then(|| game.about());
        self.published.send_modify(|its| {
            its.positions.truncate(known);
            its.positions.extend(positions.into_iter().map(Arc::from));
            if let Some(about) = about {
                // Before the opening, there was no setup.
                its.about = about;
            }
            its.silent_since = None;
            if game.is_over() {
                its.phase = Phase::Over;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_games_an_address_watches_another_one_can_watch_its_own() {
        let place = tempfile::tempdir().expect("a directory");
        let file = place.path().join("game.ndjson");
        fs::write(&file, "").expect("it is ours");
        let games = Games::new(Sight::Spectator, Arc::new(|_| Ok(())));
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|it| it.parse().expect("an address"));
        let all_of = |from: IpAddr| -> Vec<watch::Receiver<Published>> {
            let next = |number| games.follow(&format!("{from} {number}"), &file, from).ok();
            (0..).map_while(next).collect()
        };
        let mut its = all_of(one);
        assert_eq!(its.len(), MOST / 2);
        // A game that is followed already takes no share of the other address.
        assert!(games.follow("10.0.0.1 0", &file, other).is_ok());
        assert_eq!(all_of(other).len(), MOST / 4, "the other's games are not watched any more");
        its.pop();
        assert!(games.follow("one more", &file, one).is_ok(), "what is not watched makes room");
        drop(its);
        assert_eq!(all_of(other).len(), MOST / 2);
        games.clear();
    }
}
