//! The games in a directory: their names, players and results.

use crate::silence::{patience, silent_since};
use botyard_protocol::EndOutcome;
use botyard_replay::{Event, Header, ReplayReader, is_compressed_path};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How many games a list shows.
const MOST: usize = 200;

/// How deep directories are searched.
const DEPTH: usize = 4;

/// The most files of a directory that are looked at.
const FILES: usize = 200_000;

/// How much of the end of a replay is read for its last line.
const TAIL: u64 = 64 * 1024;

/// The shortest time between two looks at the directory.
const EVERY: Duration = Duration::from_millis(500);

/// The games in a directory and the directories in it.
pub(crate) struct Listing {
    directory: PathBuf,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    at: Option<Instant>,
    cost: Duration,
    /// By name: the file, its length and when it was changed.
    files: BTreeMap<String, Found>,
    /// What was read of a file, as long as it is the same.
    known: HashMap<String, (Found, Game)>,
    list: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    path: PathBuf,
    bytes: u64,
    changed: Option<SystemTime>,
}

/// What was read of a game.
#[derive(Clone, Debug)]
struct Game {
    /// What a list says of it.
    described: Value,
    /// How long nothing may be written before the game seems interrupted; `None` for a game that
    /// is over or cannot be read.
    patience: Option<Duration>,
}

impl Listing {
    pub(crate) fn new(directory: PathBuf) -> Listing {
        Listing { directory, seen: Mutex::default() }
    }

    /// The directory, as text.
    pub(crate) fn directory(&self) -> String {
        self.directory.to_string_lossy().into_owned()
    }

    /// The file of a game.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let path = |seen: &Seen| seen.files.get(name).map(|found| found.path.clone());
        let mut seen = self.lock();
        // A file may have been compressed since, and then has another path.
        let known = path(&seen).filter(|path| path.exists());
        known.or_else(|| {
            self.look(&mut seen);
            path(&seen)
        })
    }

    /// The games as the page of the list takes them.
    pub(crate) fn list(&self) -> Value {
        let mut seen = self.lock();
        self.look(&mut seen);
        seen.list.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, seen: &mut Seen) {
        let pause = EVERY.max(5 * seen.cost);
        if seen.at.is_some_and(|at| at.elapsed() < pause) {
            return;
        }
        let begun = Instant::now();
        seen.files.clear();
        let mut left = FILES;
        search(&self.directory, "", DEPTH, &mut left, &mut seen.files);
        let mut newest: Vec<(&String, &Found)> = seen.files.iter().collect();
        newest.sort_by_key(|(_, found)| std::cmp::Reverse(found.changed));
        let more = newest.len().saturating_sub(MOST);
        newest.truncate(MOST);
        let mut known = HashMap::new();
        let mut games: Vec<Value> = Vec::new();
        for (name, found) in newest {
            let before = seen.known.remove(name).filter(|(its, _)| its == found);
            let (_, game) = before.unwrap_or_else(|| (found.clone(), described(name, &found.path)));
            known.insert(name.clone(), (found.clone(), game.clone()));
            let Game { described: mut its, patience } = game;
            let since = patience.and_then(|patience| silent_since(found.changed?, patience));
            if let Some(since) = since {
                its["silent_since"] = json!(since);
            }
            if !its.is_null() {
                games.push(its);
            }
        }
        // Games that are being played come first, and keep their places.
        let is_running = |game: &Value| {
            game["outcome"].is_null()
                && game.get("problem").is_none()
                && game.get("silent_since").is_none()
        };
        let (mut running, over): (Vec<Value>, Vec<Value>) = games.into_iter().partition(is_running);
        running.sort_by(|one, other| one["name"].as_str().cmp(&other["name"].as_str()));
        running.extend(over);
        seen.list = json!({ "games": running, "more": more });
        seen.known = known;
        seen.cost = begun.elapsed();
        seen.at = Some(Instant::now());
    }
}

/// Finds replays in a directory. Links are not followed. Of a tournament's directory only that of
/// its replays is searched, because the files of its bots are beside it, and those are not games.
fn search(
    directory: &Path,
    prefix: &str,
    depth: usize,
    left: &mut usize,
    files: &mut BTreeMap<String, Found>,
) {
    let replays = directory.join("replays");
    let has_replays = fs::symlink_metadata(&replays).is_ok_and(|data| data.is_dir());
    let directory = if has_replays { &replays } else { directory };
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        let path = entry.path();
        if kind.is_dir() {
            if depth > 0 {
                search(&path, &format!("{prefix}{name}/"), depth - 1, left, files);
            }
            continue;
        }
        let stem = name.strip_suffix(".gz").unwrap_or(&name);
        let (Some(stem), true) = (stem.strip_suffix(".ndjson"), kind.is_file()) else { continue };
        let Ok(data) = entry.metadata() else { continue };
        let found = Found { bytes: data.len(), changed: data.modified().ok(), path };
        let game = format!("{prefix}{stem}");
        // While a replay is compressed, both are there for a moment, and the plain one is whole.
        match files.get(&game) {
            Some(other) if !is_compressed_path(&other.path) => {}
            _ => {
                files.insert(game, found);
            }
        }
    }
}

/// What a list says of a game; `null` for a file whose header is not written yet.
fn described(name: &str, path: &Path) -> Game {
    let mut described = json!({ "name": name, "page": format!("/game/{}", in_address(name)) });
    let fail = |mut described: Value, problem: String| {
        described["game"] = json!("");
        described["seats"] = json!([]);
        described["problem"] = json!(problem);
        Game { described, patience: None }
    };
    match ReplayReader::open(path) {
        Ok(reader) => {
            let patience = patience(reader.header());
            let Header { game, seats, imported, view_of, .. } = reader.header().clone();
            if view_of.is_some() {
                return fail(described, "a copy for a seat: use `botyard replay view`".to_string());
            }
            described["game"] = json!(game);
            described["seats"] = json!(seats);
            described["imported"] = json!(imported.is_some());
            let outcome = match is_compressed_path(path) {
                true => last_outcome(reader),
                false => outcome_in_tail(path),
            };
            let is_open = outcome.is_none();
            described["outcome"] = json!(outcome);
            Game { described, patience: is_open.then_some(patience) }
        }
        Err(_) if fs::metadata(path).map_or(true, |data| data.len() == 0) => {
            Game { described: Value::Null, patience: None }
        }
        Err(error) => fail(described, error.to_string()),
    }
}

fn last_outcome<R: std::io::BufRead>(reader: ReplayReader<R>) -> Option<EndOutcome> {
    reader.filter_map(Result::ok).find_map(|line| match line.event {
        Event::End(event, _) => Some(event.outcome),
        _ => None,
    })
}

/// The outcome in the last line of a plain replay, if that is its end.
fn outcome_in_tail(path: &Path) -> Option<EndOutcome> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail).ok()?;
    let text = tail.strip_suffix(b"\n")?;
    let last = text.rsplit(|byte| *byte == b'\n').next()?;
    let line: Value = serde_json::from_slice(last).ok()?;
    (line["type"] == "end").then(|| serde_json::from_value(line["outcome"].clone()).ok())?
}

/// A name as a part of an address.
pub(crate) fn in_address(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
