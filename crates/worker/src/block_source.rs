//! The games of leased blocks, one tournament at a time, for one thread of a worker.

use crate::events::WorkerEvent;
use crate::open_tournaments::OpenTournament;
use crate::shared::Shared;
use crate::spool::BlockResult;
use botyard_league::schedule::{GameKey, ScheduledGame};
use botyard_league::store::StoredGame;
use botyard_queue::Lease;
use botyard_runner::played_game;
use botyard_runner::{ConcurrencyChange, Error, GameSource, Observer, PlayedGame};
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a thread keeps its bots running while there are no blocks.
const IDLE: Duration = Duration::from_millis(500);

/// The blocks of a tournament that one thread plays.
pub(crate) struct BlockSource<'a> {
    shared: &'a Shared,
    opened: &'a OpenTournament,
    number: usize,
    blocks: Vec<Block>,
    /// The games that were not begun, in order.
    games: VecDeque<ScheduledGame>,
    /// The number of games that have begun and not ended.
    in_progress: usize,
    /// Leases of other tournaments, which end the session.
    pub others: Vec<Lease>,
    /// The number of games that stayed void because the host stalled.
    pub given_up: usize,
    /// Why this host could not run a bot at any attempt, if it could not.
    pub host_failure: Option<String>,
    /// The number of games that ended.
    pub ended: usize,
}

/// A block in play.
struct Block {
    lease: Lease,
    /// The ids of its games that have not ended.
    left: Vec<String>,
    games: Vec<StoredGame>,
    /// The names and paths of its files.
    files: Vec<(String, PathBuf)>,
}

impl<'a> BlockSource<'a> {
    /// Makes the source of the blocks of these leases, for the thread with this number. It claims more
    /// when they are played.
    pub(crate) fn new(
        shared: &'a Shared,
        opened: &'a OpenTournament,
        number: usize,
        leases: Vec<Lease>,
    ) -> BlockSource<'a> {
        let mut source = BlockSource {
            shared,
            opened,
            number,
            blocks: Vec::new(),
            games: VecDeque::new(),
            in_progress: 0,
            others: Vec::new(),
            given_up: 0,
            host_failure: None,
            ended: 0,
        };
        source.add(leases);
        source
    }

    fn add(&mut self, leases: Vec<Lease>) {
        let schedule = &self.opened.tournament.schedule;
        let mut games = Vec::new();
        for lease in leases {
            if lease.tournament != self.opened.id {
                self.others.push(lease);
                continue;
            }
            let block = lease.block();
            let own: Vec<(u32, ScheduledGame)> = (lease.games.iter())
                .map(|leased| {
                    let game = schedule.game(&block, leased.rotation, lease.generation);
                    let (attempt, void_at) = (leased.attempt, leased.void_at);
                    (leased.rotation, ScheduledGame { attempt, void_at, ..game })
                })
                .collect();
            let left = own.iter().map(|(_, game)| game.id.clone()).collect();
            self.blocks.push(Block { lease, left, games: Vec::new(), files: Vec::new() });
            games.extend(own);
        }
        // A process that knows the start of a game plays no other with the same one, so that bots are
        // restarted less often if the first games of all blocks come first.
        if self.opened.plan.has_secrets {
            games.sort_by_key(|(rotation, _)| *rotation);
        }
        self.games.extend(games.into_iter().map(|(_, game)| game));
    }

    /// Returns the leases of blocks that have games to be played.
    pub(crate) fn unplayed(&self) -> Vec<&Lease> {
        self.blocks.iter().map(|block| &block.lease).collect()
    }

    /// Returns the games that have not ended as games to be begun: after a run that ended early.
    pub(crate) fn begin_again(&mut self) {
        let leases: Vec<Lease> = self.blocks.iter().map(|block| block.lease.clone()).collect();
        let kept = std::mem::take(&mut self.blocks);
        self.games.clear();
        self.in_progress = 0;
        self.add(leases);
        for (block, kept) in self.blocks.iter_mut().zip(kept) {
            *block = kept;
        }
        let is_left =
            |game: &ScheduledGame| self.blocks.iter().any(|block| block.left.contains(&game.id));
        self.games.retain(is_left);
    }

    /// Returns the index of the block of a game.
    fn block_of(&self, game_id: &str) -> Option<usize> {
        self.blocks.iter().position(|block| block.left.iter().any(|id| id == game_id))
    }

    /// Removes the blocks whose leases were lost.
    fn forget_lost(&mut self) {
        let leases = &self.shared.leases;
        let (kept, lost): (Vec<Block>, Vec<Block>) =
            self.blocks.drain(..).partition(|block| leases.has(&block.lease.token));
        self.blocks = kept;
        for block in lost {
            self.games.retain(|game| !block.left.contains(&game.id));
            block.remove_files();
        }
    }

    /// Passes the result of a block to the thread that sends it.
    fn finish(&self, block: Block) {
        let Block { lease, games, files, .. } = block;
        let (names, paths): (Vec<String>, Vec<PathBuf>) = files.into_iter().unzip();
        let token = lease.token.clone();
        let result = BlockResult {
            worker: self.shared.name().to_string(),
            token: lease.token,
            tournament: lease.tournament,
            block: lease.block,
            games,
            files: names,
        };
        match self.shared.spool.add(result, &paths) {
            Ok(spooled) => {
                self.shared.leases.sending(&token);
                self.shared.send(spooled);
            }
            Err(error) => {
                paths.iter().for_each(|path| drop(fs::remove_file(path)));
                self.shared.leases.ended(&token);
                let _ = self.shared.work.release(self.shared.name(), &[token]);
                let reason = format!("a result cannot be kept in the cache: {error}");
                self.shared.notify(WorkerEvent::GamesFailed { reason });
            }
        }
    }

    fn add_files(&mut self, index: usize, played: &PlayedGame) {
        let Some(directory) = self.opened.plan.replays.directory() else { return };
        let files = played.stderr_files.iter().flatten().chain(&played.replay);
        let named = files.filter_map(|path| Some((name_of(path, directory)?, path.clone())));
        self.blocks[index].files.extend(named);
    }
}

impl Block {
    /// Records that a game was void and is repeated.
    fn repeat(&mut self, played: &PlayedGame) {
        let rotation = self.lease.games.iter_mut().find(|leased| {
            let number = (played.game.number - 1) % self.lease.line_up.len() as u32;
            leased.rotation == number
        });
        if let Some(leased) = rotation {
            leased.attempt = played.game.attempt + 1;
            leased.void_at = played.void_at();
        }
    }

    fn remove_files(&self) {
        // What is left is removed when the worker starts again.
        self.files.iter().for_each(|(_, path)| drop(fs::remove_file(path)));
    }
}

impl Drop for BlockSource<'_> {
    fn drop(&mut self) {
        self.blocks.iter().for_each(Block::remove_files);
    }
}

/// Returns the name of a file in a tournament, with `/`.
fn name_of(path: &Path, directory: &Path) -> Option<String> {
    let name = path.strip_prefix(directory).ok()?;
    let parts: Option<Vec<&str>> = name.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

impl GameSource for BlockSource<'_> {
    /// Nothing is shown game by game.
    type Record = ();

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.forget_lost();
        if self.games.is_empty() {
            let is_due = self.shared.calibrations.is_due(self.number);
            let may_begin = self.shared.may_begin(self.number);
            if is_due || !may_begin || !self.others.is_empty() || self.shared.is_stopping() {
                return None;
            }
            let patience = if self.in_progress > 0 { Duration::ZERO } else { IDLE };
            let blocks = self.opened.blocks_at_once();
            let leases = self.shared.claims.next(self.shared, blocks, patience);
            self.add(leases);
        }
        let game = self.games.pop_front()?;
        self.in_progress += 1;
        Some(game)
    }

    fn is_asked_ahead(&self) -> bool {
        !self.games.is_empty() || self.opened.claims_ahead()
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<(), Error> {
        self.opened.took(played.elapsed);
        if played.is_void() {
            self.shared.notify(WorkerEvent::GameVoid {
                tournament: self.opened.id.clone(),
                game_id: played.game.id.clone(),
                attempt: played.game.attempt,
                reason: played.void_reason(),
                again,
            });
        }
        // The lease was lost while the game was played.
        let Some(index) = self.block_of(&played.game.id) else {
            if !again {
                self.in_progress = self.in_progress.saturating_sub(1);
            }
            return Ok(());
        };
        self.add_files(index, &played);
        if again {
            self.blocks[index].repeat(&played);
            return Ok(());
        }
        self.in_progress = self.in_progress.saturating_sub(1);
        if played.is_void() && played.host_failure.is_some() {
            // Another host can play it: the block is given back and not reported as void.
            self.host_failure = played.host_failure;
            return Ok(());
        }
        self.ended += 1;
        self.given_up += usize::from(played.is_void());
        let schedule = &self.opened.tournament.schedule;
        let block = &mut self.blocks[index];
        let key = GameKey {
            generation: block.lease.generation,
            ..schedule.key(played.game.number, block.lease.generation)
        };
        block.left.retain(|id| *id != played.game.id);
        block.games.push(StoredGame {
            key,
            id: schedule.hash(key),
            attempts: played.game.attempt,
            game: played_game(&self.opened.plan, &played),
        });
        if block.left.is_empty() {
            let block = self.blocks.remove(index);
            if self.shared.leases.has(&block.lease.token) {
                self.finish(block);
            } else {
                block.remove_files();
            }
        }
        Ok(())
    }
}

/// An observer that shows no game.
pub(crate) struct Unseen;

impl<'a> Observer<BlockSource<'a>> for Unseen {
    fn ended(&mut self, _: &BlockSource<'a>, (): ()) -> Result<(), Error> {
        Ok(())
    }

    fn concurrency_changed(
        &mut self,
        source: &BlockSource<'a>,
        change: &ConcurrencyChange,
    ) -> Result<(), Error> {
        source.shared.concurrency_changed(*change);
        Ok(())
    }
}
