//! The tournaments that a worker has opened, and those that it refuses.

use crate::bundles::{NotFetched, fetch};
use botyard_league::schedule::BLOCKS_TOGETHER;
use botyard_queue::{Lease, Work};
use botyard_runner::{ConcurrencyLimit, Plan, Programs};
use botyard_tournament::RemoteTournament;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A claim covers about this much play, so that short games do not wait for the queue, and a worker
/// that dies or ends gives back little.
const CLAIM: Duration = Duration::from_secs(4);

/// Returns how many blocks a thread claims at once if a game takes this long.
pub(crate) fn blocks_at_once(game: Duration, block_length: u32) -> u32 {
    let block = (game * block_length).as_secs_f64();
    let blocks = CLAIM.as_secs_f64() / block.max(1e-6);
    (blocks as u32).clamp(1, BLOCKS_TOGETHER as u32)
}

/// A worker claims its next block while it plays if games are shorter than this.
const SHORT: Duration = Duration::from_millis(500);

/// The most tournaments that are kept open although no thread plays them.
const MOST_OPENED: usize = 32;

/// A tournament that can be played here.
pub(crate) struct OpenTournament {
    /// Its id in the queue.
    pub id: String,
    /// Its games.
    pub tournament: RemoteTournament,
    /// Its conditions on this host.
    pub plan: Plan,
    pace: Mutex<Pace>,
}

/// How long games take.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    /// The mean time of a game, recent games weighing more.
    game: Option<Duration>,
}

impl OpenTournament {
    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the time of a game.
    pub(crate) fn took(&self, time: Duration) {
        let mut pace = self.pace();
        pace.game = Some(pace.game.map_or(time, |mean| (mean * 7 + time) / 8));
    }

    /// Returns how many blocks a thread claims at once.
    pub(crate) fn blocks_at_once(&self) -> u32 {
        let length = self.tournament.schedule.block_length();
        self.pace().game.map_or(1, |game| blocks_at_once(game, length))
    }

    /// Returns whether the next block is claimed while a game is played.
    pub(crate) fn claims_ahead(&self) -> bool {
        self.pace().game.is_some_and(|game| game < SHORT)
    }

    /// Returns whether this has all bots of a lease. A tournament may get more while it is played.
    fn has_bots_of(&self, lease: &Lease) -> bool {
        lease.line_up.iter().all(|&bot| bot < self.plan.bots.len())
    }
}

/// Why a tournament was not opened.
#[derive(Debug)]
pub(crate) enum NotOpened {
    /// This host cannot play it, for this reason.
    Refused(String),
    /// The queue or the host failed. This may pass.
    Host(String),
}

impl From<NotFetched> for NotOpened {
    fn from(error: NotFetched) -> NotOpened {
        match error {
            NotFetched::Host(reason) => NotOpened::Host(reason),
            NotFetched::Bad(reason) => NotOpened::Refused(reason),
        }
    }
}

/// The tournaments of a worker.
pub(crate) struct OpenTournaments {
    copies: PathBuf,
    games: PathBuf,
    concurrency: u16,
    /// How many games may be played at once.
    pub limit: Arc<ConcurrencyLimit>,
    programs: Programs,
    opened: Mutex<HashMap<String, Arc<OpenTournament>>>,
    refused: Mutex<BTreeMap<String, String>>,
}

impl OpenTournaments {
    /// Makes an empty tournaments, with copies of bots in the directory `copies`, and replays of running games
    /// below `games`.
    pub(crate) fn new(
        copies: &Path,
        games: &Path,
        concurrency: u16,
        programs: Programs,
    ) -> OpenTournaments {
        OpenTournaments {
            copies: copies.to_path_buf(),
            games: games.to_path_buf(),
            concurrency,
            limit: Arc::new(ConcurrencyLimit::new(usize::from(concurrency))),
            programs,
            opened: Mutex::default(),
            refused: Mutex::default(),
        }
    }

    /// Returns the programs of this host.
    pub(crate) fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Returns the tournament of a lease, and whether this call has opened it: fetches its bots and
    /// checks that this host can play it. Other calls wait meanwhile.
    ///
    /// # Errors
    ///
    /// It cannot be played here, or not now.
    pub(crate) fn open(
        &self,
        work: &dyn Work,
        lease: &Lease,
    ) -> Result<(Arc<OpenTournament>, bool), NotOpened> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let id = &lease.tournament;
        if let Some(found) = opened.get(id).filter(|opened| opened.has_bots_of(lease)) {
            return Ok((Arc::clone(found), false));
        }
        let definition = work.definition(id).map_err(NotFetched::from)?;
        fetch(work, id, &definition, &self.copies)?;
        let name = self.programs.name;
        let refused = |error: botyard_runner::Error| NotOpened::Refused(error.message().text(name));
        let tournament = RemoteTournament::open(&definition, &self.copies, self.programs.clone())
            .map_err(refused)?;
        let games = self.games.join(directory_name(id));
        let mut plan = tournament.plan(self.concurrency, &games).map_err(refused)?;
        plan.limit = Some(Arc::clone(&self.limit));
        let new = OpenTournament { id: id.clone(), tournament, plan, pace: Mutex::default() };
        if !new.has_bots_of(lease) {
            return Err(NotOpened::Refused("a block has a bot that does not take part".into()));
        }
        self.make_room(&mut opened);
        let new = Arc::new(new);
        opened.insert(id.clone(), Arc::clone(&new));
        Ok((new, true))
    }

    /// Closes tournaments that no thread plays, if there are many: a queue may get new ones all the time.
    fn make_room(&self, opened: &mut HashMap<String, Arc<OpenTournament>>) {
        if opened.len() < MOST_OPENED {
            return;
        }
        // Others get theirs from here, where the map is locked.
        opened.retain(|id, its| {
            let is_played = Arc::strong_count(its) > 1;
            if !is_played {
                // It has nothing of games that ended: their files are with their results.
                let _ = fs::remove_dir_all(self.games.join(directory_name(id)));
            }
            is_played
        });
    }

    /// Makes the next [`OpenTournaments::open`] of a tournament open it again.
    pub(crate) fn forget(&self, id: &str) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Records that a tournament is refused. Returns whether it was not before.
    pub(crate) fn refuse(&self, id: &str, reason: &str) -> bool {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.insert(id.to_string(), reason.to_string()).is_none()
    }

    /// Returns the refused tournaments with the reasons.
    pub(crate) fn refused(&self) -> BTreeMap<String, String> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Returns the name of the directory for a tournament's running games.
fn directory_name(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let escape = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02x}"),
    };
    // A file name has at most 255 bytes.
    id.bytes().map(escape).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_id_makes_a_directory_name() {
        for (id, expected) in [("class-7b", "class-7b"), ("a/../b c", "a%2f%2e%2e%2fb%20c")] {
            assert_eq!(directory_name(id), expected);
        }
        assert!(directory_name(&"ü".repeat(999)).len() <= 240);
    }
}
