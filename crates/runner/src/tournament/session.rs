//! A tournament being played: games are given out, each result is in the store before people or programs are
//! told of it.

use super::journal::{played_game, stored_game};
use super::supply::Supply;
use crate::{Error, GameSource, Observer, Plan, PlayedGame};
use botyard_league::Verdict;
use botyard_league::schedule::{GameKey, ScheduledGame, TournamentSchedule};
use botyard_league::score::Score;
use botyard_league::store::{Store, StoredGame};
use botyard_referee::Interrupt;
use std::time::Duration;

/// A tournament being played.
pub struct Session<'a> {
    plan: &'a Plan,
    schedule: &'a TournamentSchedule,
    store: &'a mut dyn Store,
    supply: Supply<'a>,
    generation: u32,
    scores: Vec<Score>,
    scored: u64,
    /// Games that have ended and are not in the store yet.
    unkept: Vec<StoredGame>,
}

/// Games that end within this time go into the store together: a transaction takes as long as a short game.
/// A program that is killed in between loses these results, and plays their games again from the same
/// seeds when the tournament is resumed. They were never reported.
const TOGETHER: Duration = Duration::from_millis(50);

/// A game that has ended, and is in the store.
pub struct KeptGame {
    /// How it went.
    pub played: Box<PlayedGame>,
    /// As it is kept.
    pub stored: StoredGame,
    /// Whether it is repeated.
    pub again: bool,
}

/// How a session ended.
#[derive(Debug)]
pub struct Ended {
    /// Games with a result, those of earlier sessions included.
    pub scored: u64,
    /// Games that are known and have none.
    pub missing: u64,
    /// What stopped it before all were played, if anything did.
    pub stopped: Option<Error>,
}

impl Ended {
    /// Whether a signal stopped it.
    pub fn is_interrupted(&self) -> bool {
        matches!(self.stopped, Some(Error::Interrupted))
    }
}

impl<'a> Session<'a> {
    /// A session that goes on where the store is.
    ///
    /// # Errors
    ///
    /// A store that cannot be read.
    pub fn new(
        plan: &'a Plan,
        schedule: &'a TournamentSchedule,
        store: &'a mut dyn Store,
        supply: Supply<'a>,
        generation: u32,
    ) -> Result<Session<'a>, Error> {
        let mut session = Session {
            scores: vec![Score::default(); plan.bots.len()],
            plan,
            schedule,
            store: &mut *store,
            supply,
            generation,
            scored: 0,
            unkept: Vec::new(),
        };
        let mut before = Vec::new();
        session.store.games(generation, &mut |game| before.push(game))?;
        // Games of a version that another one has replaced are over, with or without a result.
        for stored in before.into_iter().filter(|it| schedule.plays(&it.game.seats)) {
            session.supply.was_played(stored.key, stored.attempts, &stored.game);
            session.add(&stored);
        }
        Ok(session)
    }

    /// How many games had a result before.
    pub fn scored(&self) -> u64 {
        self.scored
    }

    /// Plays what is left.
    ///
    /// # Errors
    ///
    /// A store that cannot be written, or an observer that cannot show it. What stopped the games
    /// themselves is no error of this.
    pub fn play(
        mut self,
        observer: &mut dyn Observer<Session<'a>>,
        interrupt: &Interrupt,
    ) -> Result<Ended, Error> {
        let stopped = crate::pool::run(self.plan, &mut self, observer, None, interrupt)?;
        let missing = self.supply.without_result(self.scored);
        Ok(Ended { scored: self.scored, missing, stopped })
    }

    /// Adds a game to the scores so far.
    fn add(&mut self, stored: &StoredGame) {
        let Verdict::Scored { points, places } = &stored.game.verdict else { return };
        self.scored += 1;
        for (seat, &bot) in stored.game.seats.iter().enumerate() {
            let part = self.plan.scale.part(points, places, seat);
            if let (Some(score), Some(part)) = (self.scores.get_mut(bot), part) {
                score.add_part(part, 1);
            }
        }
    }

    /// The conditions of the games.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The place of a game in the store.
    pub fn key(&self, game: &ScheduledGame) -> GameKey {
        self.schedule.key(game.number, self.generation)
    }

    /// How many games are known, those with a result included.
    pub fn known(&self) -> u64 {
        self.supply.without_result(0)
    }

    /// The scores so far, in the order of the plan's bots.
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }
}

impl GameSource for Session<'_> {
    type Record = KeptGame;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.supply.next_game()
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<KeptGame, Error> {
        let key = self.schedule.key(played.game.number, self.generation);
        let game = played_game(self.plan, &played);
        if !again {
            self.supply.ended(&played.game, &game);
        }
        let stored = stored_game(self.schedule, key, played.game.attempt, game);
        self.unkept.push(stored.clone());
        self.add(&stored);
        Ok(KeptGame { played, stored, again })
    }

    fn patience(&self) -> Duration {
        TOGETHER
    }

    /// In one transaction: all of them, or none. They are in the order in which they ended, so no game is
    /// ever in the store whose pairing follows from one that is not.
    fn keep(&mut self) -> Result<(), Error> {
        let games = std::mem::take(&mut self.unkept);
        Ok(self.store.record(&games)?)
    }
}
