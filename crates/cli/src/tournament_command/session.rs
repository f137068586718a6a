//! A tournament being played: games are given out, each result is in the store before anything else is
//! done with it, and people or programs are told.

use super::journal::{played_game, stored_game};
use super::json_events;
use super::supply::Supply;
use crate::error::Error;
use crate::match_command::{GameSource, Observer, Plan, PlayedGame, bar, play_games};
use crate::text::{counted, out};
use botyard_league::Verdict;
use botyard_league::schedule::{ScheduledGame, TournamentSchedule};
use botyard_league::score::Score;
use botyard_league::store::{Store, StoreError, StoredGame};
use botyard_referee::Interrupt;
use indicatif::ProgressBar;

/// What to do when the host is well again.
const RESUME: &str = "\n`botyard tournament resume` goes on where it was";

/// How many bots the bar names: the best ones.
const BOTS_ON_BAR: usize = 3;

/// A tournament being played.
pub struct Session<'a> {
    plan: &'a Plan,
    schedule: &'a TournamentSchedule,
    store: &'a mut dyn Store,
    supply: Supply<'a>,
    generation: u32,
    scores: Vec<Score>,
    scored: u64,
}

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
        };
        let mut before = Vec::new();
        session.store.games(generation, &mut |game| before.push(game))?;
        for stored in before {
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
        let stopped = play_games(self.plan, &mut self, observer, None, interrupt)?;
        let missing = self.supply.without_result(self.scored);
        Ok(Ended { scored: self.scored, missing, stopped })
    }

    /// Adds a game to the scores so far.
    fn add(&mut self, stored: &StoredGame) {
        let Verdict::Scored { points, .. } = &stored.game.verdict else { return };
        self.scored += 1;
        for (&bot, &points) in stored.game.seats.iter().zip(points) {
            if let Some(score) = self.scores.get_mut(bot) {
                score.add(points);
            }
        }
    }

    /// The best so far: `anna 75.0%, ben 62.5%`.
    fn leaders(&self) -> String {
        let named = self.plan.bots.iter().zip(&self.scores);
        let mut shares: Vec<(f64, &str)> =
            named.filter_map(|(bot, score)| Some((score.share()?, bot.name.as_str()))).collect();
        shares.sort_by(|one, other| other.0.total_cmp(&one.0));
        let shown = shares.iter().take(BOTS_ON_BAR);
        let shown: Vec<String> =
            shown.map(|(share, name)| format!("{name} {:.1}%", share * 100.0)).collect();
        shown.join(", ")
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
        self.store.record(std::slice::from_ref(&stored))?;
        self.add(&stored);
        Ok(KeptGame { played, stored, again })
    }
}

/// Shows a tournament while it is played.
pub enum Shown {
    /// A bar on a terminal, and lines on what the host did.
    Bar(ProgressBar),
    /// Lines of JSON.
    Json,
}

impl Shown {
    /// As lines of JSON, or as a bar of the games that are left.
    pub fn new(session: &Session<'_>, json: bool) -> Shown {
        if json {
            return Shown::Json;
        }
        let games = u32::try_from(session.supply.without_result(0)).unwrap_or(u32::MAX);
        let bar = bar(games);
        bar.set_position(session.scored);
        bar.reset_eta();
        Shown::Bar(bar)
    }

    /// Takes the bar away.
    pub fn clear(self) {
        if let Shown::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl<'a> Observer<Session<'a>> for Shown {
    fn started(&mut self, session: &Session<'a>, game: &ScheduledGame) -> Result<(), Error> {
        match self {
            Shown::Bar(_) => Ok(()),
            Shown::Json => {
                let key = session.schedule.key(game.number, session.generation);
                json_events::tell(json_events::game_started(session.plan, game, key))
            }
        }
    }

    fn ended(&mut self, session: &Session<'a>, kept: KeptGame) -> Result<(), Error> {
        let KeptGame { played, stored, again } = kept;
        let Shown::Bar(bar) = self else {
            let event = json_events::game_ended(session.plan, &played, &stored, again);
            return json_events::tell(event);
        };
        let say = |line: String| bar.suspend(|| out(&line)).map_err(Error::Output);
        let id = &played.game.id;
        let repeats = played.report.start_repeats();
        if repeats > 0 {
            let times = counted(repeats, "time");
            say(format!("{id}: the host stalled the start of a bot {times}; it was repeated\n"))?;
        }
        if stored.is_scored() {
            bar.inc(1);
        } else {
            let reason = &played.report.outcome.reason;
            let then = if again { "it is played again" } else { "it has no result" };
            say(format!("void: {id}, {reason}: the host failed; {then}\n"))?;
        }
        // Of a knockout more games come to be known than were at first.
        if let Some(length) = bar.length()
            && length < session.scored
        {
            bar.set_length(session.scored);
        }
        if !bar.is_hidden() {
            bar.set_message(session.leaders());
        }
        Ok(())
    }
}

/// An error of a tournament that can be resumed, with what to do when the host is well again.
pub fn resumable(error: Error) -> Error {
    match error {
        Error::Host(message) => Error::Host(format!("{message}{RESUME}")),
        Error::Store(StoreError::Host(message)) => {
            Error::host(format!("{}{RESUME}", StoreError::Host(message)))
        }
        error => error,
    }
}

/// A stop as the error that it is, if it is one.
///
/// # Errors
///
/// What failed.
pub fn unless_failed(stop: Error) -> Result<(), Error> {
    match stop {
        Error::Interrupted => Ok(()),
        error => Err(resumable(error)),
    }
}
