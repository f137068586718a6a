//! A tournament being played. Games are scheduled, and each result is stored before it is reported.

use botyard_league::Verdict;
use botyard_league::schedule::{GameKey, ScheduledGame, TournamentSchedule};
use botyard_league::score::Score;
use botyard_league::store::{Store, StoredGame};
use botyard_referee::Interrupt;
use botyard_runner::{Error, GameSource, Observer, PendingGames, Plan, PlayedGame, played_game};
use std::collections::BTreeMap;
use std::time::Duration;

/// A tournament being played.
pub struct TournamentGames<'a> {
    plan: &'a Plan,
    schedule: &'a TournamentSchedule,
    store: &'a mut dyn Store,
    pending: PendingGames<'a>,
    generation: u32,
    scores: Vec<Score>,
    scored: u64,
    /// Ended games that are not stored yet.
    unkept: Vec<StoredGame>,
    /// The number of games of this session by reason of their end.
    reasons: BTreeMap<String, u32>,
}

/// Games that end within this time are stored in one transaction, because a transaction takes as
/// long as a short game. A program killed in between loses these results, which were never
/// reported. Their games are played again from the same seeds when the tournament is resumed.
const TOGETHER: Duration = Duration::from_millis(50);

/// A game that has ended and is stored.
pub struct KeptGame {
    /// The played game.
    pub played: Box<PlayedGame>,
    /// Its stored form.
    pub stored: StoredGame,
    /// Whether it is repeated.
    pub again: bool,
}

/// The end of a session.
#[derive(Debug)]
pub struct Ended {
    /// Games with a result, including those of earlier sessions.
    pub scored: u64,
    /// Known games without a result.
    pub missing: u64,
    /// The number of games of this session by reason of their end.
    pub reasons: BTreeMap<String, u32>,
    /// What stopped the session before all games were played, if anything did.
    pub stopped: Option<Error>,
}

impl Ended {
    /// Returns whether a signal stopped the session.
    pub fn is_interrupted(&self) -> bool {
        matches!(self.stopped, Some(Error::Interrupted))
    }
}

impl<'a> TournamentGames<'a> {
    /// Resumes from the games in the store.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn new(
        plan: &'a Plan,
        schedule: &'a TournamentSchedule,
        store: &'a mut dyn Store,
        pending: PendingGames<'a>,
        generation: u32,
    ) -> Result<TournamentGames<'a>, Error> {
        let mut games = TournamentGames {
            scores: vec![Score::default(); plan.bots.len()],
            plan,
            schedule,
            store: &mut *store,
            pending,
            generation,
            scored: 0,
            unkept: Vec::new(),
            reasons: BTreeMap::new(),
        };
        let mut before = Vec::new();
        games.store.games(generation, &mut |game| before.push(game))?;
        // Games of a replaced version are not played any more, with or without a result.
        for stored in before.into_iter().filter(|it| schedule.plays(&it.game.seats)) {
            games.pending.was_played(stored.key, stored.attempts, &stored.game);
            games.add(&stored);
        }
        Ok(games)
    }

    /// Returns the number of games that already had a result.
    pub fn scored(&self) -> u64 {
        self.scored
    }

    /// Plays the remaining games.
    ///
    /// # Errors
    ///
    /// The store cannot be written, or an observer cannot write its output. What stopped the games
    /// themselves is in [`Ended::stopped`].
    pub fn play(
        mut self,
        observer: &mut dyn Observer<TournamentGames<'a>>,
        interrupt: &Interrupt,
    ) -> Result<Ended, Error> {
        let stopped = botyard_runner::run(self.plan, &mut self, observer, None, interrupt)?;
        let missing = self.pending.without_result(self.scored);
        Ok(Ended { scored: self.scored, missing, reasons: self.reasons, stopped })
    }

    /// Adds a game to the current scores.
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

    /// Returns the conditions of the games.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Returns the key of a game in the store.
    pub fn key(&self, game: &ScheduledGame) -> GameKey {
        self.schedule.key(game.number, self.generation)
    }

    /// Returns the number of known games, including those with a result.
    pub fn known(&self) -> u64 {
        self.pending.without_result(0)
    }

    /// Returns the bots that have played, each with its share of the points, the best first.
    pub fn leaders(&self) -> Vec<(&'a str, f64)> {
        let named = self.plan.bots.iter().zip(&self.scores);
        let mut shares: Vec<(&str, f64)> =
            named.filter_map(|(bot, score)| Some((bot.name(), score.share()?))).collect();
        shares.sort_by(|one, other| other.1.total_cmp(&one.1));
        shares
    }
}

impl GameSource for TournamentGames<'_> {
    type Record = KeptGame;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.pending.next_game()
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<KeptGame, Error> {
        let key = self.schedule.key(played.game.number, self.generation);
        let game = played_game(self.plan, &played);
        if !again {
            *self.reasons.entry(played.report.outcome.reason.clone()).or_default() += 1;
            self.pending.ended(&played.game, &game);
        }
        let attempts = played.game.attempt;
        let stored = StoredGame { key, id: self.schedule.hash(key), attempts, game };
        self.unkept.push(stored.clone());
        self.add(&stored);
        Ok(KeptGame { played, stored, again })
    }

    fn patience(&self) -> Duration {
        TOGETHER
    }

    /// Stores all games in one transaction, in the order in which they ended. So a game is never
    /// stored without the games that its pairing follows from.
    fn keep(&mut self) -> Result<(), Error> {
        let games = std::mem::take(&mut self.unkept);
        Ok(self.store.record(&games)?)
    }
}
