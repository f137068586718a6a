//! The choice of blocks for workers on other hosts, and their way into the queue.

use super::batches::{self, Batch};
use super::bots::{Bots, Handed};
use crate::competition::Competition;
use crate::competition::event::Event;
use crate::competition::game::State;
use crate::competition::ladder::OpenBlock;
use crate::competition::next::{Blocks, Purpose};
use crate::files::{now, secrets};
use botyard_league::Entrant;
use botyard_league::schedule::{Block, Stage};
use botyard_league::store::{Definition, StoreError, StoredCopies};
use botyard_queue::{Chosen, ChosenBlock, Queue, bundle_file};
use botyard_runner::Error;
use botyard_tournament::Setup;
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
    let (next, batch) = {
        // No other thread chooses or begins blocks meanwhile.
        let in_play = competition.in_play();
        let mut next = competition.next_for_others(wanted.min(MOST) as usize, &in_play)?;
        if !matches!(next.purpose, Purpose::Rejudge(_)) {
            // The rest of a block that was interrupted is played here: a worker plays all games of a block.
            next.blocks.retain(|block| block.played.is_empty());
        }
        if next.blocks.is_empty() {
            return Ok(());
        }
        let batch = batch(&next)?;
        competition
            .class
            .database
            .write(|transaction| batches::begin(transaction, &batch, &next.blocks))?;
        (next, batch)
    };
    let added = add_batch(competition, queue, &next, &batch);
    if added.is_err() {
        // The site plays them, or drops them for the same reason.
        let end = |transaction: &rusqlite::Transaction<'_>| batches::end(transaction, &batch);
        competition.class.database.write(end)?;
    }
    added?;
    Ok(queue.set_recheck(&batch.id, recheck)?)
}

/// Makes the batch of some blocks.
fn batch(next: &Blocks) -> Result<Batch, Error> {
    let line_ups = next.blocks.iter().flat_map(|block| block.line_up.clone());
    let entrants: BTreeSet<i64> = line_ups.collect();
    let rejudge = match next.purpose {
        Purpose::Rejudge(rejudge) => Some(rejudge),
        _ => None,
    };
    // A store may hold the batches of several classes: workers take the oldest of all.
    let token = secrets::token().map_err(Error::host)?;
    let id = format!("class-{}-{}-{token}", now(), next.event.id);
    Ok(Batch { id, event: next.event.id, entrants: entrants.into_iter().collect(), rejudge })
}

/// Adds a batch to the queue.
fn add_batch(
    competition: &Competition,
    queue: &Queue,
    next: &Blocks,
    batch: &Batch,
) -> Result<(), Error> {
    let entrant = |id: &i64| next.entrants.iter().find(|entrant| entrant.id == *id);
    let bots: Vec<Handed<'_>> =
        batch.entrants.iter().filter_map(entrant).map(Handed::Entrant).collect();
    let chosen = |open: &OpenBlock| {
        let line_up: Vec<usize> = open.line_up.iter().filter_map(|&id| batch.bot(id)).collect();
        let due = (0..line_up.len() as u32).filter(|rotation| !open.played.contains(rotation));
        let rotations = (!open.played.is_empty()).then(|| due.collect());
        let block = Block { number: open.number, line_up, repeat: open.repeat };
        ChosenBlock { block, rotations }
    };
    let blocks: Vec<ChosenBlock> = next.blocks.iter().map(chosen).collect();
    let priority = u32::from(next.purpose == Purpose::Practice);
    let chosen = Chosen { blocks: &blocks, generation: batch.generation(), priority };
    add(competition, queue, &batch.id, (&next.event, &next.event.setup), &bots, chosen)
}

/// Adds a tournament of these blocks and bots to the queue, under the conditions of an event.
///
/// # Errors
///
/// Errors of the queue, or a bot that cannot be read.
pub(super) fn add(
    competition: &Competition,
    queue: &Queue,
    id: &str,
    (event, setup): (&Event, &Setup),
    bots: &[Handed<'_>],
    chosen: Chosen<'_>,
) -> Result<(), Error> {
    let add = |known: &mut Bots| -> Result<(), Error> {
        let mut kept = Vec::new();
        let mut files = BTreeMap::new();
        for &bot in bots {
            let (bot, archive) = known.of(competition, queue, bot)?;
            kept.push(bot);
            files.extend(archive.map(|(files, archive)| (bundle_file(&files), archive)));
        }
        if let Some(game) = &event.game {
            let archive = known.of_game(competition, queue, &game.bundle)?;
            files.extend(archive.map(|(files, archive)| (bundle_file(&files), archive)));
        }
        let files: Vec<(String, String)> = files.into_iter().collect();
        let stage = Stage { bots: (0..bots.len()).collect(), blocks: 1, ..Stage::default() };
        let named = |bot: &Handed<'_>| Entrant { name: bot.name(), ..Entrant::default() };
        let entrants = bots.iter().map(named).collect();
        let game = event.game.as_ref().map(|game| game.kept.clone());
        let kept = StoredCopies { game, ..setup.copies(kept, stage) };
        let definition = setup.definition(entrants, kept);
        // Workers play the blocks that the site chooses, whatever the format of the event.
        let definition = Definition { file: without_format(&definition.file), ..definition };
        Ok(queue.add_chosen(id, &definition, chosen, &files)?)
    };
    let mut known = competition.outside.bots();
    match add(&mut known) {
        Err(Error::Store(StoreError::Refused(_))) => {
            // Content that was stored for earlier batches may have been removed.
            known.forget();
            add(&mut known)
        }
        added => added,
    }
}

/// The keys of an event's file that make its format.
const OF_FORMAT: [&str; 4] = ["format", "tables", "challengers", "rounds"];

/// Returns the text of an event's file without its format, which is then a round robin.
fn without_format(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    // How many brackets of a value that is left out are open.
    let mut open = 0;
    let mut is_top = true;
    for line in text.split_inclusive('\n') {
        let plain = line.split('#').next().unwrap_or_default();
        let brackets = || plain.matches('[').count() as i64 - plain.matches(']').count() as i64;
        let key = plain.split('=').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        if open > 0 {
            open += brackets();
        } else if is_top && plain.contains('=') && OF_FORMAT.contains(&key) {
            open = brackets();
        } else {
            is_top &= !plain.trim_start().starts_with('[');
            kept.push_str(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_alone_is_left_out_of_an_event() {
        let text = "game = \"x\"\nformat = \"gauntlet\" # [\nchallengers = [\n  \"a\", # ]\n  \"b\"\n]\nblocks = 2\n\
                    [[bot]]\nname = \"format\"\n[rule]\nrounds = 3\n";
        let kept = "game = \"x\"\nblocks = 2\n[[bot]]\nname = \"format\"\n[rule]\nrounds = 3\n";
        assert_eq!(without_format(text), kept);
        assert_eq!(without_format(kept), kept);
    }
}
