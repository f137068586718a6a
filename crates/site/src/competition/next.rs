//! What the worker of the site plays next. Blocks for workers on other hosts are chosen by the same functions.

use super::Competition;
use super::event::Event;
use super::finals::FinalRound;
use super::ladder::{self, LadderEntrant, OpenBlock, drop_block, next_block, open_blocks};
use super::practice;
use super::rejudges::{self, Rejudge};
use super::running::InPlay;
use botyard_runner::Error;
use rusqlite::Transaction;
use std::sync::Arc;
use std::thread;

/// The most blocks of a final or a rejudge that are played together.
const TOGETHER: u32 = 8;

/// A piece of work.
#[derive(Debug)]
pub(super) enum Work {
    /// Games are played.
    Play(Blocks),
    /// What a rejudge of this event would change is computed: all its games were played again.
    Preview(Event, Rejudge),
}

/// Blocks of an event that are played together.
#[derive(Debug)]
pub(super) struct Blocks {
    /// The event.
    pub(super) event: Event,
    /// Who plays in it.
    pub(super) entrants: Vec<LadderEntrant>,
    /// The blocks.
    pub(super) blocks: Vec<OpenBlock>,
    /// What they are played for.
    pub(super) purpose: Purpose,
}

/// What blocks are played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The ladder.
    Ladder,
    /// The final. Its blocks stay open until they are played.
    Final,
    /// The challenge of a team.
    Practice,
    /// The rejudge with this number, which is the generation of its games. Its blocks stay open, too.
    Rejudge(i64),
}

impl Purpose {
    /// Returns whether blocks that cannot be played, or with games that the host made void, are dropped, so that those
    /// behind them are played.
    pub(super) fn is_droppable(self) -> bool {
        matches!(self, Purpose::Ladder | Purpose::Practice)
    }

    /// Returns the generation of the games.
    pub(super) fn generation(self) -> u32 {
        match self {
            Purpose::Rejudge(id) => u32::try_from(id).unwrap_or(u32::MAX),
            _ => 0,
        }
    }
}

impl Competition {
    /// Returns what the worker plays next: a block that a team asked for, or else the rejudge that is open, or else
    /// some blocks of the final, or else of the ladder, which ends with the final. They are in play until the worker
    /// says that they are not. `None`: there is nothing to do. As many blocks as keep `at_once` games going, if that is
    /// given.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(super) fn next_work(&self, at_once: Option<usize>) -> Result<Option<Work>, Error> {
        let round = self.boards().round.clone();
        let event = self.rated_event(round.as_ref());
        let together = together(&event.setup.seats, at_once);
        let mut in_play = self.in_play();
        let mut next = self.next_asked(1, &in_play)?.map(Work::Play);
        if next.is_none() {
            next = self.next_of_rejudge(round.as_deref(), together as usize, &in_play)?;
        }
        let next = match next {
            Some(next) => next,
            None => {
                let share = at_once.map_or_else(|| own_share(event), |_| together as usize);
                let most = if round.is_some() { together as usize } else { share };
                Work::Play(self.next_rated(round.as_ref(), most, true, &in_play)?)
            }
        };
        let Work::Play(Blocks { event, blocks, .. }) = &next else { return Ok(Some(next)) };
        in_play.blocks.extend(blocks.iter().map(|block| (event.id, block.number)));
        Ok((!blocks.is_empty()).then_some(next))
    }

    /// Returns up to this many blocks for workers on other hosts, in the same order. Blocks of the ladder that are open
    /// are left to this host.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(super) fn next_for_others(&self, most: usize, in_play: &InPlay) -> Result<Blocks, Error> {
        if let Some(asked) = self.next_asked(most, in_play)? {
            return Ok(asked);
        }
        let round = self.boards().round.clone();
        match self.next_of_rejudge(round.as_deref(), most, in_play)? {
            Some(Work::Play(blocks)) => Ok(blocks),
            _ => self.next_rated(round.as_ref(), most, false, in_play),
        }
    }

    /// Returns up to this many blocks of the final, or else of the ladder, which ends with the final: of the ladder with
    /// those that are open, or new ones alone.
    fn next_rated(
        &self,
        round: Option<&Arc<FinalRound>>,
        most: usize,
        with_open: bool,
        in_play: &InPlay,
    ) -> Result<Blocks, Error> {
        let event = self.rated_event(round);
        let ((entrants, blocks), purpose) = match round {
            Some(_) => (self.next_of_final(event, most, in_play)?, Purpose::Final),
            None => (self.choose(most, with_open, in_play)?, Purpose::Ladder),
        };
        Ok(Blocks { event: event.clone(), entrants, blocks, purpose })
    }

    /// Returns up to this many of the blocks that teams asked for.
    fn next_asked(&self, most: usize, in_play: &InPlay) -> Result<Option<Blocks>, Error> {
        let next =
            |transaction: &Transaction<'_>| practice::next(transaction, &self.event, most, in_play);
        let found = self.class.database.write(next)?;
        Ok(found.map(|(event, entrants, blocks)| Blocks {
            event,
            entrants,
            blocks,
            purpose: Purpose::Practice,
        }))
    }

    /// Returns the event whose games count now: that of the final, or else the ladder's.
    pub(super) fn rated_event<'a>(&'a self, round: Option<&'a Arc<FinalRound>>) -> &'a Event {
        round.map_or(&self.event, |round| &round.state.event)
    }

    /// Returns up to this many blocks of the rejudge that is open, or that its preview is to be computed. `None`: there
    /// is nothing to do for it.
    fn next_of_rejudge(
        &self,
        round: Option<&FinalRound>,
        most: usize,
        in_play: &InPlay,
    ) -> Result<Option<Work>, Error> {
        let database = &self.class.database;
        let Some(open) = database.write(rejudges::open)? else {
            return Ok(None);
        };
        let events = round.map(|round| &round.state.event).into_iter().chain([&self.event]);
        // Without one, a new event has begun or the final was discarded.
        let Some(event) = events.into_iter().find(|event| event.id == open.event).cloned() else {
            return Ok(None);
        };
        if open.is_complete() {
            let is_known = self.boards().preview(open.id).is_some();
            return Ok((!is_known).then_some(Work::Preview(event, open)));
        }
        let read = u32::try_from(most.saturating_add(in_play.blocks.len())).unwrap_or(u32::MAX);
        let (entrants, mut blocks) = database.write(|transaction| {
            let blocks = rejudges::open_blocks(transaction, &open, read)?;
            Ok((ladder::all(transaction, open.event)?, blocks))
        })?;
        blocks.retain(|block| !in_play.blocks.contains(&(event.id, block.number)));
        blocks.truncate(most);
        let purpose = Purpose::Rejudge(open.id);
        let is_any = !blocks.is_empty();
        Ok(is_any.then_some(Work::Play(Blocks { event, entrants, blocks, purpose })))
    }

    /// Returns who plays in a final, and its next blocks that are not in play, up to this many. Those of
    /// disqualified versions are dropped.
    fn next_of_final(
        &self,
        event: &Event,
        most: usize,
        in_play: &InPlay,
    ) -> Result<(Vec<LadderEntrant>, Vec<OpenBlock>), Error> {
        self.class.database.write(|transaction| {
            let entrants = ladder::of_final(transaction, event.id)?;
            let read = most.saturating_add(in_play.blocks.len());
            let read = u32::try_from(read).unwrap_or(u32::MAX);
            loop {
                let mut blocks = open_blocks(transaction, event.id, read)?;
                blocks.retain(|block| !in_play.blocks.contains(&(event.id, block.number)));
                blocks.truncate(most);
                let is_current = |id: &i64| entrants.iter().any(|entrant| entrant.id == *id);
                let (due, dropped): (Vec<_>, Vec<_>) =
                    blocks.into_iter().partition(|block| block.line_up.iter().all(is_current));
                for block in &dropped {
                    drop_block(transaction, event.id, block.number)?;
                }
                if !due.is_empty() || dropped.is_empty() {
                    return Ok((entrants, due));
                }
            }
        })
    }

    /// Returns who plays, and the blocks to play: those that are open if so asked, and as many new ones as
    /// are missing to this number.
    fn choose(
        &self,
        wanted: usize,
        with_open: bool,
        in_play: &InPlay,
    ) -> Result<(Vec<LadderEntrant>, Vec<OpenBlock>), Error> {
        let event = &self.event;
        let seats = event.setup.seats.len();
        let standing = Arc::clone(&self.boards().ladder);
        let mut record = self.record();
        let chosen = self.class.database.write(|transaction| {
            let mut entrants = ladder::of_event(transaction, event)?;
            entrants.retain(|entrant| !in_play.set_aside.contains(&entrant.id));
            let mut blocks = Vec::new();
            let open = if with_open { u32::MAX } else { 0 };
            for block in open_blocks(transaction, event.id, open)? {
                let is_current = |id: &i64| entrants.iter().any(|entrant| entrant.id == *id);
                match block.line_up.iter().all(is_current) {
                    true => blocks.push(block),
                    // A new version has replaced one of its bots.
                    false => drop_block(transaction, event.id, block.number)?,
                }
            }
            while blocks.len() < wanted {
                let contenders = record.contenders(&entrants, &standing);
                let Some(next) = next_block(&contenders, &record.played(), seats) else {
                    break;
                };
                blocks.push(record.begin(transaction, event.id, &next)?);
            }
            Ok((entrants, blocks))
        });
        drop(record);
        if chosen.is_err() {
            // What is in memory may have a block that was not stored.
            self.reload_record()?;
        }
        chosen
    }
}

/// Returns the number of blocks of a final or a rejudge that are played together, of which this number of games is
/// played at once.
fn together<T>(seats: &[T], at_once: Option<usize>) -> u32 {
    let blocks = at_once.map(|games| games.div_ceil(seats.len().max(1)) as u32);
    blocks.map_or(TOGETHER, |blocks| blocks.clamp(1, TOGETHER))
}

/// Returns the number of blocks that the site plays at once: one core is left to its pages.
fn own_share(event: &Event) -> usize {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1);
    cores.div_ceil(event.setup.seats.len())
}
