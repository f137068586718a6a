//! The games of some blocks. Every result is stored when its game ends.

use super::Competition;
use super::host;
use super::ladder::{LadderEntrant, add_game, command, drop_block};
use super::next::{Blocks, Purpose, Work};
use super::preview::Preview;
use super::rejudges;
use botyard_league::PlayedGame;
use botyard_league::Verdict;
use botyard_league::schedule::{Block, Format, GameKey, ScheduledGame, TournamentSchedule};
use botyard_referee::Interrupt;
use botyard_runner::played_game;
use botyard_runner::{ConcurrencyChange, Error, GameSource, Observer, Plan, Replays, run};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Plays what is next, with this number of games at once or as many as the host and the event allow. Returns whether
/// there was anything.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub(super) fn play_batch(
    competition: &Competition,
    at_once: Option<usize>,
    interrupt: &Interrupt,
) -> Result<bool, Error> {
    match competition.next_work(at_once)? {
        None => Ok(false),
        Some(Work::Preview(event, rejudge)) => {
            let preview = Preview::compute(competition, &event, &rejudge)?;
            competition.show_preview(rejudge.id, preview);
            Ok(true)
        }
        Some(Work::Play(next)) => {
            let played = play(competition, &next, at_once, interrupt);
            competition.in_play().blocks.clear();
            played.map(|()| true)
        }
    }
}

/// Plays blocks.
fn play(
    competition: &Competition,
    next: &Blocks,
    at_once: Option<usize>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let played = play_all(competition, next, at_once, interrupt);
    if next.purpose.is_droppable()
        && !matches!(played, Ok(()) | Err(Error::Interrupted | Error::Rules(_)))
    {
        let database = &competition.class.database;
        database.write(|transaction| {
            let mut numbers = next.blocks.iter().map(|block| block.number);
            numbers.try_for_each(|number| drop_block(transaction, next.event.id, number))
        })?;
        competition.reload_record()?;
    }
    played
}

fn play_all(
    competition: &Competition,
    next: &Blocks,
    at_once: Option<usize>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let Blocks { event, entrants, blocks, purpose } = next;
    let (class, purpose) = (&competition.class, *purpose);
    let playing: BTreeSet<i64> = blocks.iter().flat_map(|block| block.line_up.clone()).collect();
    let bots: Vec<&LadderEntrant> =
        entrants.iter().filter(|entrant| playing.contains(&entrant.id)).collect();
    let commands = bots
        .iter()
        .map(|entrant| command(competition, entrant))
        .collect::<Result<Vec<_>, Error>>()?;
    let setup = &event.setup;
    let seats = setup.seats.len();
    let number = (blocks.len() * seats) as u64;
    let replays = Replays::Tournament(class.directory.path().to_path_buf());
    let concurrency = at_once.and_then(|games| u16::try_from(games).ok());
    let plan = setup.plan(commands, number, replays, concurrency, &class.programs)?;
    let limit = Some(Arc::clone(&competition.limit));
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
        Batch { competition, event, purpose, plan: &plan, schedule: &schedule, games, entrants };
    match run(&plan, &mut batch, &mut Quiet, None, interrupt)? {
        None => Ok(()),
        Some(error) => Err(error),
    }
}

/// The games that are played together.
struct Batch<'a> {
    competition: &'a Competition,
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
        let database = &self.competition.class.database;
        if let Purpose::Rejudge(rejudge) = self.purpose {
            database.write(|transaction| {
                rejudges::add_game(transaction, rejudge, key, of, &game, host::name())
            })?;
            self.competition.class.announce();
            return Ok(());
        }
        // No other thread reads the record between the two.
        let mut record = self.competition.record();
        database.write(|transaction| add_game(transaction, event, key, of, &game, host::name()))?;
        if event == self.competition.event.id {
            record.games.push(game);
        }
        drop(record);
        self.competition.announce_result();
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
        batch.competition.class.announce();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::competition::practice;
    use crate::people;
    use crate::site::Site;
    use crate::submissions;
    use crate::submissions::built_ins::programs;
    use botyard_league::schedule::Draws;

    #[test]
    fn a_block_that_cannot_be_played_does_not_hold_up_the_others() {
        let place = tempfile::tempdir().expect("a directory");
        let competition = Site::open(place.path(), programs()).expect("a class").competition();
        let challenged = competition.class.database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let team = people::team(transaction, "red")?;
            let id = submissions::add(
                transaction,
                (team, person),
                submissions::Files::uploaded("bot.zip", ""),
            )?;
            // Its bundle cannot be read.
            submissions::accept(transaction, id, competition.event.id, "{}", "")?;
            let opponents = practice::opponents(transaction, &competition.event, team)?;
            let draws = Draws::secret([7; 32], 9);
            practice::challenge(
                transaction,
                &competition.event,
                (team, person),
                opponents[0].id,
                draws,
            )
        });
        challenged.expect("an opponent");
        let interrupt = Interrupt::new().expect("descriptors");
        let states = || {
            let states = competition.class.database.transaction(|transaction| {
                transaction
                    .prepare("SELECT reason, state FROM blocks ORDER BY event, number")?
                    .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect::<rusqlite::Result<Vec<(String, String)>>>()
            });
            states.expect("SQLite works")
        };
        for reason in ["challenge", "burst"] {
            let error =
                play_batch(&competition, None, &interrupt).expect_err("no bundle").to_string();
            assert!(error.contains("stored bundle of submission 1 cannot be read"), "{error}");
            let of = states().into_iter().filter(|(its, _)| its == reason);
            let states: Vec<String> = of.map(|(_, state)| state).collect();
            assert!(!states.is_empty() && states.iter().all(|it| it == "dropped"), "{states:?}");
        }
    }
}
