//! Results that workers have sent to the queue, on their way into the class.

use super::batches::{self, Batch};
use crate::competition::ladder::{OpenBlock, add_game, drop_block};
use crate::competition::{Competition, rechecks, rejudges};
use crate::files::Statements;
use botyard_league::PlayedGame;
use botyard_league::atomic_file;
use botyard_league::replay_names::replay_name;
use botyard_league::schedule::{GameKey, game_id};
use botyard_league::store::{Store, StoreError, StoredGame};
use botyard_queue::{BlobFile, Queue, Rechecks, TournamentStore, path_below};
use botyard_runner::Error;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The directory of replays among the files of a tournament.
const REPLAYS: &str = "replays/";

/// When a batch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// It ends now: there are no workers any more.
    Now,
    /// Until its blocks have results.
    Results,
    /// Until those of them that are chosen have been played again, too.
    Rechecks,
}

/// How far a batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// This number of its blocks waits for a worker; none if it has ended.
    Waiting(u64),
    /// All its blocks have results, and some are played again.
    Rechecks,
}

/// Stores the results of a batch that are complete, and ends the batch if nothing of it is to come.
///
/// # Errors
///
/// Errors of the databases, or a replay that cannot be written.
pub(super) fn results(
    competition: &Competition,
    queue: &Arc<Queue>,
    batch: &Batch,
    until: Until,
) -> Result<Progress, Error> {
    if !is_wanted(competition, batch)? {
        queue.remove(&batch.id)?;
        end(competition, batch, false, None)?;
        return Ok(Progress::Waiting(0));
    }
    let status = match queue.status(&batch.id) {
        Ok(status) => status,
        Err(StoreError::Refused(_)) => {
            end(competition, batch, false, None)?;
            return Ok(Progress::Waiting(0));
        }
        Err(error) => return Err(error.into()),
    };
    let open = competition.class.database.write(|transaction| batches::open(transaction, batch))?;
    if status.blocks.done > 0 && !open.is_empty() {
        match store(competition, queue, batch, &open) {
            Ok(()) => {}
            Err(error @ Error::Store(StoreError::Damaged(_))) => {
                // It would be found so at every look, and keep others from being collected.
                competition.class.report(&error);
                queue.remove(&batch.id)?;
                end(competition, batch, false, None)?;
                return Ok(Progress::Waiting(0));
            }
            Err(error) => return Err(error),
        }
    }
    let is_complete = status.is_complete();
    let rechecks = status.rechecks.waiting + status.rechecks.leased;
    // What stayed void does not wait.
    if is_complete && until == Until::Rechecks && status.blocks.void == 0 && rechecks > 0 {
        return Ok(Progress::Rechecks);
    }
    if is_complete || until == Until::Now {
        // From here on results are refused.
        queue.remove(&batch.id)?;
        end(competition, batch, is_complete, Some(&status.rechecks))?;
        return Ok(Progress::Waiting(0));
    }
    Ok(Progress::Waiting(status.blocks.ready))
}

/// Returns whether the results of a batch are wanted: a rejudge may have been dropped.
fn is_wanted(competition: &Competition, batch: &Batch) -> Result<bool, Error> {
    let Some(rejudge) = batch.rejudge else { return Ok(true) };
    let open = competition.class.database.write(rejudges::open)?;
    Ok(open.is_some_and(|open| open.id == rejudge))
}

/// Stores the blocks of a batch whose games all have results.
fn store(
    competition: &Competition,
    queue: &Arc<Queue>,
    batch: &Batch,
    open: &[OpenBlock],
) -> Result<(), Error> {
    let mut games: BTreeMap<u32, Vec<StoredGame>> = BTreeMap::new();
    let store = TournamentStore::open(Arc::clone(queue), &batch.id)?;
    let game_name = store.definition().game.clone();
    store.games(batch.generation(), &mut |stored| {
        if stored.is_scored() {
            games.entry(stored.key.block).or_default().push(stored);
        }
    })?;
    let is_due = |block: &&OpenBlock| {
        let due = block.line_up.len() - block.played.len();
        games.get(&block.number).is_some_and(|games| games.len() == due)
    };
    let due: Vec<&OpenBlock> = open.iter().filter(is_due).collect();
    if due.is_empty() {
        return Ok(());
    }
    let files = queue.files(&batch.id, REPLAYS)?;
    let hosts: BTreeMap<(u32, u32), String> = queue
        .conditions(&batch.id)?
        .into_iter()
        .map(|it| ((it.key.block, it.key.rotation), it.worker))
        .collect();
    for block in due {
        let games = games.remove(&block.number).unwrap_or_default();
        for stored in &games {
            write_files(competition, queue, &files, &game_id(&game_name, stored.id))?;
        }
        let stored: Vec<(GameKey, String, u32, PlayedGame)> = games
            .into_iter()
            .map(|stored| {
                let seats = stored.game.seats.iter().filter_map(|&bot| batch.entrants.get(bot));
                let seats = seats.map(|&id| id as usize).collect();
                let game = PlayedGame { seats, ..stored.game };
                (stored.key, game_id(&game_name, stored.id), stored.attempts, game)
            })
            .collect();
        // No other thread reads the record between the two.
        let mut record = competition.record();
        competition.class.database.write(|transaction| {
            for (key, id, attempts, game) in &stored {
                let host = hosts.get(&(key.block, key.rotation)).map_or("", String::as_str);
                let of = (id.as_str(), *attempts);
                match batch.rejudge {
                    Some(id) => rejudges::add_game(transaction, id, *key, of, game, host)?,
                    None => add_game(transaction, batch.event, *key, of, game, host)?,
                }
            }
            Ok(())
        })?;
        if batch.rejudge.is_none() && batch.event == competition.event.id {
            record.games.extend(stored.into_iter().map(|(.., game)| game));
        }
        drop(record);
        match batch.rejudge {
            Some(_) => competition.class.announce(),
            None => competition.announce_result(),
        }
    }
    Ok(())
}

/// Ends a batch. Of the ladder and of challenges, its blocks are dropped that stayed void at all attempts; other
/// blocks and games of rejudges without a result are played by the site.
fn end(
    competition: &Competition,
    batch: &Batch,
    is_played: bool,
    rechecks: Option<&Rechecks>,
) -> Result<(), Error> {
    let dropped = competition.class.database.write(|transaction| {
        let kind: String =
            transaction.value("SELECT kind FROM events WHERE id = ?1", [batch.event])?;
        let is_dropped = is_played && kind != "final" && batch.rejudge.is_none();
        let open = batches::open(transaction, batch)?;
        for block in open.iter().filter(|_| is_dropped) {
            drop_block(transaction, batch.event, block.number)?;
        }
        if let Some(rechecks) = rechecks {
            rechecks::add(transaction, batch.event, rechecks)?;
        }
        batches::end(transaction, batch)?;
        Ok(is_dropped && !open.is_empty())
    })?;
    if dropped {
        competition.reload_record()?;
    }
    Ok(())
}

/// Writes the replays of a game, and what its bots wrote to standard error.
fn write_files(
    competition: &Competition,
    queue: &Queue,
    files: &[BlobFile],
    id: &str,
) -> Result<(), Error> {
    let replay = replay_name(id, 1);
    let stem = replay.strip_suffix("ndjson").unwrap_or(&replay);
    for file in files.iter().filter(|file| file.name.starts_with(stem)) {
        let content = queue.get(&file.digest)?;
        let content = content.ok_or_else(|| {
            StoreError::Damaged(format!("the content of the file {} is missing", file.name))
        })?;
        write(competition.class.directory.path(), &file.name, &content)
            .map_err(|error| Error::host(format!("{} cannot be written: {error}", file.name)))?;
    }
    Ok(())
}

fn write(class: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    // The database names it next, and the queue forgets it.
    atomic_file::replace(&path_below(class, name)?, content)
}
