//! A tournament's games as its replays have them: each file verified, and read as the store keeps a
//! game.

use botyard_league::{Entrant, SeatUse, Verdict};
use botyard_protocol::{FaultKind, OutcomeKind};
use botyard_replay::{
    Event, Header, ReadError, ReplayReader, VerifyError, registered_table, verify,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A game as its replay has it.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// What is known before the game: its id, what it is drawn from, who sits where.
    pub header: Header,
    /// What came of it.
    pub verdict: Verdict,
    /// The seat at whose turn the game was void, where that is known: the next attempt needs it.
    pub void_at: Option<usize>,
    /// Decisions in all.
    pub turns: u32,
    /// What each seat used.
    pub uses: Vec<SeatUse>,
    /// The failures of bots.
    pub faults: Vec<(usize, FaultKind)>,
}

/// The replays in a tournament's directory.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The games that are sound, by id.
    pub games: BTreeMap<String, RecordedGame>,
    /// Those that are not, by id, and why.
    pub unsound: BTreeMap<String, String>,
    /// Those that ended before the game did: it was interrupted, and is played again.
    pub unfinished: BTreeMap<String, PathBuf>,
}

impl Recorded {
    /// Reads every replay in a tournament's directory.
    ///
    /// # Errors
    ///
    /// A directory that cannot be read.
    pub fn read(directory: &Path) -> std::io::Result<Recorded> {
        let mut recorded = Recorded::default();
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
                } else if kind.is_file() {
                    recorded.add(&entry.path());
                }
            }
        }
        Ok(recorded)
    }

    fn add(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(id) = name.strip_suffix(".ndjson").or_else(|| name.strip_suffix(".ndjson.gz"))
        else {
            return;
        };
        match read(path) {
            Ok(game) if game.header.game_id == id => {
                self.games.insert(id.to_string(), game);
            }
            Ok(game) => {
                let other = game.header.game_id;
                self.unsound.insert(id.to_string(), format!("it is the replay of {other}"));
            }
            Err(VerifyError::Read(ReadError::Truncated { .. })) => {
                self.unfinished.insert(id.to_string(), path.to_path_buf());
            }
            Err(error) => {
                self.unsound.insert(id.to_string(), error.to_string());
            }
        }
    }
}

impl RecordedGame {
    /// For each seat the index of its bot among these; the name of one that is not among them.
    pub fn seats(&self, entrants: &[Entrant]) -> Result<Vec<usize>, String> {
        let index = |player: &String| entrants.iter().position(|entrant| entrant.name == *player);
        let holders = self.header.seats.iter().map(|holder| &holder.player);
        holders.map(|player| index(player).ok_or_else(|| player.clone())).collect()
    }
}

/// Verifies a replay and reads what the store keeps of it.
fn read(path: &Path) -> Result<RecordedGame, VerifyError> {
    let report = verify(ReplayReader::open(path)?, &registered_table)?;
    let header = report.header;
    let seat_of = |name: &str| header.seats.iter().position(|holder| holder.seat == name);
    let mut uses = vec![SeatUse::default(); header.seats.len()];
    let mut faults = Vec::new();
    let mut host = None;
    for line in ReplayReader::open(path)? {
        match line?.event {
            Event::Move(played, time) if played.by.is_none() => {
                let Some(seat) = seat_of(&played.seat) else { continue };
                let used = &mut uses[seat];
                used.decisions += 1;
                let Some(time) = time else { continue };
                used.wall_us = used.wall_us.saturating_add(time.wall_us);
                used.longest_us = used.longest_us.max(time.wall_us);
                if let Some(cpu_us) = time.cpu_us {
                    used.cpu_us = Some(used.cpu_us.unwrap_or(0).saturating_add(cpu_us));
                }
            }
            Event::Fault(event, _) => {
                faults.extend(seat_of(&event.fault.seat).map(|seat| (seat, event.fault.kind)));
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
    Ok(RecordedGame { header, verdict, void_at, turns: report.turns, uses, faults })
}
