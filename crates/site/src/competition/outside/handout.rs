//! The choice of blocks for workers on other hosts, and their way into the queue.

use super::batches::{self, Batch};
use super::bots::Bots;
use crate::competition::Competition;
use crate::competition::event::Event;
use crate::competition::game::State;
use crate::competition::ladder::{LadderEntrant, OpenBlock};
use crate::files::secrets;
use botyard_league::Entrant;
use botyard_league::schedule::{Block, Format, Stage};
use botyard_league::store::{StoreError, StoredCopies};
use botyard_queue::{Queue, bundle_file};
use botyard_runner::Error;
use std::collections::{BTreeMap, BTreeSet};

/// The most blocks of a batch: workers fetch the bots of a batch together, and a batch is chosen by what
/// was played before it.
const MOST: u64 = 16;

/// Hands out up to this many blocks, and [`MOST`] in one batch. A share of them is played twice.
///
/// # Errors
///
/// Errors of the databases, or a bot that cannot be handed out.
pub(super) fn blocks(
    competition: &Competition,
    queue: &Queue,
    bots: &mut Bots,
    recheck: f64,
    wanted: u64,
) -> Result<(), Error> {
    if wanted == 0 {
        return Ok(());
    }
    competition.class.check_free()?;
    // The site checks its game first, or a teacher resumes it.
    if !matches!(competition.game_state()?, None | Some(State::Open)) {
        return Ok(());
    }
    let wanted = wanted.min(MOST);
    let (event, entrants, batch, blocks) = {
        // No other thread chooses or begins blocks meanwhile.
        let in_play = competition.in_play();
        let round = competition.boards().round.clone();
        let event = competition.rated_event(round.as_ref());
        if !matches!(event.setup.file.format.value, Format::RoundRobin { .. }) {
            return Err(Error::usage(
                "the event's format: expected \"round-robin\", the only one that workers on other hosts play",
            ));
        }
        let (entrants, mut blocks) = match &round {
            Some(_) => competition.next_of_final(event, wanted, &in_play)?,
            None => competition.new_blocks(wanted, &in_play)?,
        };
        // The rest of a block that was interrupted is played here: a worker plays all games of a block.
        blocks.retain(|block| block.played.is_empty());
        if blocks.is_empty() {
            return Ok(());
        }
        let batch = batch(event, &blocks)?;
        competition
            .class
            .database
            .write(|transaction| batches::begin(transaction, &batch, &blocks))?;
        (event.clone(), entrants, batch, blocks)
    };
    let added = add(competition, queue, bots, &event, &entrants, (&batch, &blocks));
    if added.is_err() {
        // The site plays them, or drops them for the same reason.
        let end = |transaction: &rusqlite::Transaction<'_>| batches::end(transaction, &batch);
        competition.class.database.write(end)?;
    }
    added?;
    Ok(queue.set_recheck(&batch.id, recheck)?)
}

/// Makes the batch of some blocks.
fn batch(event: &Event, blocks: &[OpenBlock]) -> Result<Batch, Error> {
    let entrants: BTreeSet<i64> = blocks.iter().flat_map(|block| block.line_up.clone()).collect();
    // A store may hold the batches of several classes.
    let id = format!("class-{}-{}", event.id, secrets::token().map_err(Error::host)?);
    Ok(Batch { id, event: event.id, entrants: entrants.into_iter().collect() })
}

/// Adds a batch to the queue.
fn add(
    competition: &Competition,
    queue: &Queue,
    bots: &mut Bots,
    event: &Event,
    entrants: &[LadderEntrant],
    (batch, blocks): (&Batch, &[OpenBlock]),
) -> Result<(), Error> {
    let playing: Vec<&LadderEntrant> = batch
        .entrants
        .iter()
        .filter_map(|id| entrants.iter().find(|entrant| entrant.id == *id))
        .collect();
    let blocks: Vec<Block> = blocks
        .iter()
        .map(|block| Block {
            number: block.number,
            line_up: block.line_up.iter().filter_map(|&id| batch.bot(id)).collect(),
            repeat: block.repeat,
        })
        .collect();
    let add = |bots: &mut Bots| -> Result<(), Error> {
        let mut kept = Vec::new();
        let mut files = BTreeMap::new();
        for entrant in &playing {
            let (bot, archive) = bots.of(competition, queue, entrant)?;
            kept.push(bot);
            files.extend(archive.map(|(files, archive)| (bundle_file(&files), archive)));
        }
        if let Some(game) = &event.game {
            let archive = bots.of_game(competition, queue, &game.bundle)?;
            files.extend(archive.map(|(files, archive)| (bundle_file(&files), archive)));
        }
        let files: Vec<(String, String)> = files.into_iter().collect();
        let stage = Stage { bots: (0..playing.len()).collect(), blocks: 1, ..Stage::default() };
        let named =
            |one: &&LadderEntrant| Entrant { name: one.name_in_games(), ..Entrant::default() };
        let entrants = playing.iter().map(named).collect();
        let setup = &event.setup;
        let game = event.game.as_ref().map(|game| game.kept.clone());
        let kept = StoredCopies { game, ..setup.copies(kept, stage) };
        let definition = setup.definition(entrants, kept);
        Ok(queue.add_chosen(&batch.id, &definition, &blocks, &files)?)
    };
    match add(bots) {
        Err(Error::Store(StoreError::Refused(_))) => {
            // Content that was stored for earlier batches may have been removed.
            bots.forget();
            add(bots)
        }
        added => added,
    }
}
