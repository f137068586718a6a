//! The games of some blocks of the ladder. Every result is stored when its game ends.

use super::choice::next_block;
use super::entrants::{LadderEntrant, all, command, of_event, of_final};
use super::record::{self, OpenBlock, drop_block, open_blocks};
use crate::competition::event::Event;
use crate::competition::host;
use crate::competition::practice;
use crate::competition::preview::Preview;
use crate::competition::rejudges;
use crate::files::database::failed;
use crate::site::Site;
use botyard_league::PlayedGame;
use botyard_league::Verdict;
use botyard_league::schedule::{Block, Format, GameKey, ScheduledGame, TournamentSchedule};
use botyard_referee::Interrupt;
use botyard_runner::played_game;
use botyard_runner::{ConcurrencyChange, Error, GameSource, Observer, Plan, Replays, run};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::thread;

/// The most blocks of a final that are played together.
const TOGETHER: u32 = 8;

/// Plays some blocks: one that a team asked for, or else some of the final, or else of the ladder, which
/// ends with the final. Returns whether there were any.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub fn play_batch(site: &Site, interrupt: &Interrupt) -> Result<bool, Error> {
    let challenged = site
        .database
        .transaction(|transaction| practice::next(transaction, &site.event))
        .map_err(failed)?;
    if let Some((event, entrants, block)) = challenged {
        return play(site, &event, &entrants, &[block], Purpose::Droppable, interrupt);
    }
    if let Some(worked) = rejudge(site, interrupt)? {
        return Ok(worked);
    }
    let round = site.final_round();
    let event = round.as_ref().map_or(&site.event, |round| &round.state.event);
    let (entrants, blocks) = {
        let mut in_play = site.in_play();
        let (entrants, blocks) = match &round {
            Some(_) => next_of_final(site, event, u64::from(TOGETHER), &BTreeSet::new())?,
            None => choose(site, own_share(event), true)?,
        };
        in_play.extend(blocks.iter().map(|block| (event.id, block.number)));
        (entrants, blocks)
    };
    let purpose = if round.is_some() { Purpose::Kept } else { Purpose::Droppable };
    let played = play(site, event, &entrants, &blocks, purpose, interrupt);
    site.in_play().clear();
    played
}

/// Returns the number of blocks that the site plays at once: one core is left to its pages.
fn own_share(event: &Event) -> usize {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1);
    cores.div_ceil(event.setup.seats.len())
}

/// Plays some games of the rejudge that is open, or computes what it would change. Returns `None` if there
/// is nothing to do for it.
fn rejudge(site: &Site, interrupt: &Interrupt) -> Result<Option<bool>, Error> {
    let Some(open) = site.database.transaction(rejudges::open).map_err(failed)? else {
        return Ok(None);
    };
    let round = site.final_round();
    let event = match &round {
        Some(round) if round.state.event.id == open.event => &round.state.event,
        _ if site.event.id == open.event => &site.event,
        // A new event has begun, or the final was discarded.
        _ => return Ok(None),
    };
    if open.is_complete() {
        if site.rejudge_preview(open.id).is_some() {
            return Ok(None);
        }
        let preview = Preview::compute(site, event, &open)?;
        site.show_rejudge_preview(open.id, preview);
        return Ok(Some(true));
    }
    let length = event.setup.seats.len() as u32;
    let (entrants, blocks) = site
        .database
        .transaction(|transaction| {
            let blocks = rejudges::open_blocks(transaction, &open, TOGETHER, length)?;
            Ok::<_, rusqlite::Error>((all(transaction, open.event)?, blocks))
        })
        .map_err(failed)?;
    play(site, event, &entrants, &blocks, Purpose::Rejudge(open.id), interrupt).map(Some)
}

/// What blocks are played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Blocks that cannot be played, or with games that the host made void, are dropped, so that those
    /// behind them are played.
    Droppable,
    /// They stay open.
    Kept,
    /// They are of the rejudge with this number, which is their generation. They stay open.
    Rejudge(i64),
}

impl Purpose {
    /// Returns the generation of the games.
    fn generation(self) -> u32 {
        match self {
            Purpose::Rejudge(id) => u32::try_from(id).unwrap_or(u32::MAX),
            Purpose::Droppable | Purpose::Kept => 0,
        }
    }
}

/// Plays blocks of an event. Returns whether there were any.
fn play(
    site: &Site,
    event: &Event,
    entrants: &[LadderEntrant],
    blocks: &[OpenBlock],
    purpose: Purpose,
    interrupt: &Interrupt,
) -> Result<bool, Error> {
    if blocks.is_empty() {
        return Ok(false);
    }
    let played = play_all(site, event, entrants, blocks, purpose, interrupt);
    if purpose == Purpose::Droppable && !matches!(played, Ok(()) | Err(Error::Interrupted)) {
        site.database
            .transaction(|transaction| {
                let mut numbers = blocks.iter().map(|block| block.number);
                numbers.try_for_each(|number| drop_block(transaction, event.id, number))
            })
            .map_err(failed)?;
        site.reload_record()?;
    }
    played.map(|()| true)
}

fn play_all(
    site: &Site,
    event: &Event,
    entrants: &[LadderEntrant],
    blocks: &[OpenBlock],
    purpose: Purpose,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let playing: BTreeSet<i64> = blocks.iter().flat_map(|block| block.line_up.clone()).collect();
    let bots: Vec<&LadderEntrant> =
        entrants.iter().filter(|entrant| playing.contains(&entrant.id)).collect();
    let commands =
        bots.iter().map(|entrant| command(site, entrant)).collect::<Result<Vec<_>, Error>>()?;
    let setup = &event.setup;
    let seats = setup.seats.len();
    let number = (blocks.len() * seats) as u64;
    let replays = Replays::Tournament(site.directory.path().to_path_buf());
    let plan = setup.plan(commands, number, replays, None, &site.programs)?;
    let limit = Some(Arc::clone(&site.limit));
    let plan = Plan { compress: true, limit, ..plan };
    let format = Format::RoundRobin { tables: Some(1) };
    let size = (bots.len().max(seats), seats);
    let schedule = TournamentSchedule::new(event.game(), setup.draws, size, &format, 1)
        .map_err(Error::host)?
        .with_openings(setup.openings.clone());
    let mut games = VecDeque::new();
    for block in blocks {
        let place = |id: &i64| bots.iter().position(|bot| bot.id == *id);
        let line_up: Vec<usize> = block.line_up.iter().filter_map(place).collect();
        let scheduled = Block { number: block.number, line_up, repeat: block.repeat };
        let rotations = (0..schedule.block_length()).filter(|it| !block.played.contains(it));
        games.extend(
            rotations.map(|rotation| schedule.game(&scheduled, rotation, purpose.generation())),
        );
    }
    let entrants: Vec<i64> = bots.iter().map(|bot| bot.id).collect();
    let event = event.id;
    let mut batch =
        Batch { site, event, purpose, plan: &plan, schedule: &schedule, games, entrants };
    match run(&plan, &mut batch, &mut Quiet, None, interrupt)? {
        None => Ok(()),
        Some(error) => Err(error),
    }
}

/// Returns who plays in a final, and its next blocks without these, up to this many. Those of
/// disqualified versions are dropped.
///
/// # Errors
///
/// The database cannot be used.
pub fn next_of_final(
    site: &Site,
    event: &Event,
    most: u64,
    except: &BTreeSet<(i64, u32)>,
) -> Result<(Vec<LadderEntrant>, Vec<OpenBlock>), Error> {
    let found = site.database.transaction(|transaction| {
        let entrants = of_final(transaction, event.id)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let read = u32::try_from(most.saturating_add(except.len())).unwrap_or(u32::MAX);
        loop {
            let mut blocks = open_blocks(transaction, event.id, read)?;
            blocks.retain(|block| !except.contains(&(event.id, block.number)));
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
    });
    found.map_err(failed)
}

/// Chooses up to this many new blocks of the ladder, and stores them as open. Returns who plays, and the
/// blocks.
///
/// # Errors
///
/// The database cannot be used.
pub fn new_blocks(site: &Site, wanted: u64) -> Result<(Vec<LadderEntrant>, Vec<OpenBlock>), Error> {
    choose(site, usize::try_from(wanted).unwrap_or(usize::MAX), false)
}

/// Returns who plays, and the blocks to play: those that are open if so asked, and as many new ones as
/// are missing to this number.
fn choose(
    site: &Site,
    wanted: usize,
    with_open: bool,
) -> Result<(Vec<LadderEntrant>, Vec<OpenBlock>), Error> {
    let event = &site.event;
    let seats = event.setup.seats.len();
    let standing = site.standing();
    let mut record = site.record();
    let chosen = site.database.transaction(|transaction| {
        let mut entrants = of_event(transaction, event)?;
        entrants.retain(|entrant| !site.is_set_aside(entrant));
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
        Ok::<_, rusqlite::Error>((entrants, blocks))
    });
    drop(record);
    if chosen.is_err() {
        // What is in memory may have a block that was not stored.
        site.reload_record()?;
    }
    chosen.map_err(failed)
}

/// The games that are played together.
struct Batch<'a> {
    site: &'a Site,
    event: i64,
    purpose: Purpose,
    plan: &'a Plan,
    schedule: &'a TournamentSchedule,
    games: VecDeque<ScheduledGame>,
    /// The entrant of each bot of the plan.
    entrants: Vec<i64>,
}

impl GameSource for Batch<'_> {
    type Record = ();

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.games.pop_front()
    }

    fn ended(&mut self, played: Box<botyard_runner::PlayedGame>, _: bool) -> Result<(), Error> {
        let game = played_game(self.plan, &played);
        // A void game is repeated, or its block is dropped.
        if matches!(game.verdict, Verdict::Void) {
            return Ok(());
        }
        let seats = game.seats.iter().filter_map(|&bot| self.entrants.get(bot));
        let game = PlayedGame { seats: seats.map(|&id| id as usize).collect(), ..game };
        let key: GameKey = self.schedule.key(played.game.number, self.purpose.generation());
        let (event, of) = (self.event, (played.game.id.as_str(), played.game.attempt));
        if let Purpose::Rejudge(rejudge) = self.purpose {
            self.site
                .database
                .transaction(|transaction| {
                    rejudges::add_game(transaction, rejudge, key, of, &game, host::name())
                })
                .map_err(failed)?;
            self.site.announce();
            return Ok(());
        }
        // No other thread reads the record between the two.
        let mut record = self.site.record();
        self.site
            .database
            .transaction(|transaction| {
                record::add_game(transaction, event, key, of, &game, host::name())
            })
            .map_err(failed)?;
        if event == self.site.event.id {
            record.games.push(game);
        }
        drop(record);
        self.site.announce_result();
        Ok(())
    }
}

struct Quiet;

impl Observer<Batch<'_>> for Quiet {
    fn ended(&mut self, _: &Batch<'_>, (): ()) -> Result<(), Error> {
        Ok(())
    }

    fn concurrency_changed(
        &mut self,
        batch: &Batch<'_>,
        _: &ConcurrencyChange,
    ) -> Result<(), Error> {
        batch.site.announce();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people;
    use crate::submissions;
    use crate::submissions::built_ins::programs;
    use botyard_league::schedule::Draws;

    #[test]
    fn a_block_that_cannot_be_played_does_not_hold_up_the_others() {
        let place = tempfile::tempdir().expect("a directory");
        let site = Site::open(place.path(), programs()).expect("a class");
        let challenged = site.database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let team = people::team(transaction, "red")?;
            let id = submissions::add(
                transaction,
                (team, person),
                submissions::Files::uploaded("bot.zip", ""),
            )?;
            // Its bundle cannot be read.
            submissions::accept(transaction, id, site.event.id, "{}", "")?;
            let opponents = practice::opponents(transaction, &site.event, team)?;
            let draws = Draws::secret([7; 32], 9);
            practice::challenge(transaction, &site.event, (team, person), opponents[0].id, draws)
        });
        challenged.expect("an opponent");
        let interrupt = Interrupt::new().expect("descriptors");
        let states = || {
            let states = site.database.transaction(|transaction| {
                transaction
                    .prepare("SELECT reason, state FROM blocks ORDER BY event, number")?
                    .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect::<rusqlite::Result<Vec<(String, String)>>>()
            });
            states.expect("SQLite works")
        };
        for reason in ["challenge", "burst"] {
            let error = play_batch(&site, &interrupt).expect_err("no bundle").to_string();
            assert!(error.contains("stored bundle of submission 1 cannot be read"), "{error}");
            let of = states().into_iter().filter(|(its, _)| its == reason);
            let states: Vec<String> = of.map(|(_, state)| state).collect();
            assert!(!states.is_empty() && states.iter().all(|it| it == "dropped"), "{states:?}");
        }
    }
}
