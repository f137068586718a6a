//! The games of a tournament as recorded in its replays. Each file is verified, and read into the
//! form of the store.

use botyard_league::replay_names::attempt_of_name;
use botyard_league::{Entrant, SeatUse, Verdict};
use botyard_protocol::{FaultKind, OutcomeKind};
use botyard_replay::{
    Event, Header, ReadError, ReplayReader, VerifyError, registered_table, verify_with_tables,
};
use botyard_runner::LoadEndgames;
use std::collections::BTreeMap;
use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// A game read from its replay.
#[derive(Clone, Debug)]
pub(crate) struct RecordedGame {
    /// The start of the replay: the game's id, its seed and its bots.
    pub header: Header,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The verdict.
    pub verdict: Verdict,
    /// The seat at whose turn the game was void, if known. The next attempt needs it.
    pub void_at: Option<usize>,
    /// The number of decisions.
    pub turns: u32,
    /// The time that each seat used.
    pub uses: Vec<SeatUse>,
    /// The faults of bots.
    pub faults: Vec<(usize, FaultKind)>,
}

/// The replays in a tournament's directory. Of a game repeated because it was void, the last
/// complete attempt counts.
#[derive(Debug, Default)]
pub(crate) struct RecordedGames {
    /// The valid games, by id.
    pub games: BTreeMap<String, RecordedGame>,
    /// The invalid games, by id, and why.
    pub unsound: BTreeMap<String, String>,
    /// Incomplete replays of interrupted games, by id. These games are played again.
    pub unfinished: BTreeMap<String, PathBuf>,
}

impl RecordedGames {
    /// Reads every replay in a tournament's directory. `endgames` loads the tables by which games
    /// were adjudicated.
    ///
    /// # Errors
    ///
    /// The directory cannot be read.
    pub(crate) fn read(directory: &Path, endgames: LoadEndgames) -> std::io::Result<RecordedGames> {
        let mut files = BTreeMap::new();
        let mut places = vec![directory.join("replays")];
        while let Some(place) = places.pop() {
            let entries = match fs::read_dir(&place) {
                Ok(entries) => entries,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            for entry in entries {
                let entry = entry?;
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    places.push(entry.path());
                } else if let Some(name) = attempt_of(&entry.path()).filter(|_| kind.is_file()) {
                    files.insert(name, entry.path());
                }
            }
        }
        let mut recorded = RecordedGames::default();
        // Starts with the last attempt of each game.
        for ((id, attempt), path) in files.into_iter().rev() {
            recorded.add(id, attempt, &path, endgames);
        }
        Ok(recorded)
    }

    fn add(&mut self, id: String, attempt: u32, path: &Path, endgames: LoadEndgames) {
        if self.games.contains_key(&id) || self.unsound.contains_key(&id) {
            return;
        }
        match read(path, attempt, endgames) {
            Ok(game) if game.header.game_id == id => {
                self.unfinished.remove(&id);
                self.games.insert(id, game);
            }
            Ok(game) => {
                let other = game.header.game_id;
                self.unsound.insert(id, format!("it is the replay of {other}"));
            }
            Err(VerifyError::Read(ReadError::Truncated { .. })) => {
                self.unfinished.insert(id, path.to_path_buf());
            }
            Err(error) => {
                self.unsound.insert(id, error.to_string());
            }
        }
    }
}

/// Returns the game id and the attempt from the name of a replay file.
fn attempt_of(path: &Path) -> Option<(String, u32)> {
    let name = path.file_name()?.to_string_lossy();
    let name = name.strip_suffix(".ndjson").or_else(|| name.strip_suffix(".ndjson.gz"))?;
    let (id, attempt) = attempt_of_name(name);
    Some((id.to_string(), attempt))
}

impl RecordedGame {
    /// Returns the index of each seat's bot in `entrants`, or the name of a bot that is not among
    /// them.
    pub(crate) fn seats(&self, entrants: &[Entrant]) -> Result<Vec<usize>, String> {
        let index = |player: &String| entrants.iter().position(|entrant| entrant.name == *player);
        let holders = self.header.seats.iter().map(|holder| &holder.player);
        holders.map(|player| index(player).ok_or_else(|| player.clone())).collect()
    }
}

/// Verifies a replay in a file, and returns what the store records of it.
fn read(path: &Path, attempt: u32, endgames: LoadEndgames) -> Result<RecordedGame, VerifyError> {
    read_through(|| ReplayReader::open(path), attempt, endgames)
}

/// Verifies a replay, which `open` opens from its beginning, and returns what the store records of
/// it.
pub(super) fn read_through<R: BufRead>(
    open: impl Fn() -> Result<ReplayReader<R>, ReadError>,
    attempt: u32,
    endgames: LoadEndgames,
) -> Result<RecordedGame, VerifyError> {
    let reader = open()?;
    // A game that needs tables that are missing is refused with the reason.
    let endgames = reader.header().adjudication.egdb.and_then(|_| endgames(None).ok());
    let report = verify_with_tables(reader, &registered_table, endgames)?;
    let header = report.header;
    let seat_of = |name: &str| header.seats.iter().position(|holder| holder.seat == name);
    let mut uses = vec![SeatUse::default(); header.seats.len()];
    let mut faults = Vec::new();
    let mut host = None;
    for line in open()? {
        match line?.event {
            Event::Move(played, time) if played.by.is_none() => {
                let Some(seat) = seat_of(&played.seat) else { continue };
                let used = &mut uses[seat];
                used.decisions += 1;
                let Some(time) = time else { continue };
                used.wall_us = used.wall_us.saturating_add(time.wall_us);
                used.longest_us = used.longest_us.max(time.wall_us);
                used.excuse(time.excused_us.unwrap_or(0));
                if let Some(cpu_us) = time.cpu_us {
                    used.cpu_us = Some(used.cpu_us.unwrap_or(0).saturating_add(cpu_us));
                }
            }
            Event::Fault(event, time) => {
                let Some(seat) = seat_of(&event.fault.seat) else { continue };
                faults.push((seat, event.fault.kind));
                uses[seat].excuse(time.and_then(|time| time.excused_us).unwrap_or(0));
            }
            Event::End(_, time) => host = time.and_then(|time| time.host),
            _ => {}
        }
    }
    let verdict = match report.outcome.kind {
        OutcomeKind::Void => Verdict::Void,
        OutcomeKind::Completed | OutcomeKind::BotFault => Verdict::Scored {
            points: report.outcome.scores,
            places: report.outcome.ranks.into_iter().map(u32::from).collect(),
        },
    };
    let void_at = match verdict {
        Verdict::Void => host.and_then(|host| seat_of(host.seat.as_deref()?)),
        Verdict::Scored { .. } => None,
    };
    Ok(RecordedGame { header, attempt, verdict, void_at, turns: report.turns, uses, faults })
}
