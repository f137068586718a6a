//! A tournament being played: games are given out, each result is in the store before anything else is
//! done with it, and people or programs are told.

use super::journal::{played_game, stored_game};
use super::json_events;
use super::supply::Supply;
use crate::error::Error;
use crate::match_command::{
    Event, GameSource, Plan, PlayedGame, Stop, bar, keep_worse, play_games,
};
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
    json: bool,
    bar: ProgressBar,
    scores: Vec<Score>,
    scored: u64,
    stopped: Option<Stop>,
}

/// How a session ended.
#[derive(Debug)]
pub struct Ended {
    /// Games with a result, those of earlier sessions included.
    pub scored: u64,
    /// Games that are known and have none.
    pub missing: u64,
    /// What stopped it before all were played, if anything did.
    pub stopped: Option<Stop>,
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
        json: bool,
    ) -> Result<Session<'a>, Error> {
        let games = u32::try_from(supply.without_result(0)).unwrap_or(u32::MAX);
        let mut session = Session {
            bar: if json { ProgressBar::hidden() } else { bar(games) },
            scores: vec![Score::default(); plan.bots.len()],
            plan,
            schedule,
            store: &mut *store,
            supply,
            generation,
            json,
            scored: 0,
            stopped: None,
        };
        let mut before = Vec::new();
        session.store.games(generation, &mut |game| before.push(game))?;
        for stored in before {
            session.supply.was_played(stored.key, stored.attempts, &stored.game);
            session.add(&stored);
        }
        session.bar.set_position(session.scored);
        session.bar.reset_eta();
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
    /// A store that cannot be written, or an output that nobody reads. What stopped the games
    /// themselves is no error of this.
    pub fn play(mut self, interrupt: &Interrupt) -> Result<Ended, Error> {
        let plan = self.plan;
        let played = play_games(plan, &mut self, interrupt);
        self.bar.finish_and_clear();
        played?;
        Ok(Ended {
            scored: self.scored,
            missing: self.supply.without_result(self.scored),
            stopped: self.stopped,
        })
    }

    /// Adds a game to what the bar shows.
    fn add(&mut self, stored: &StoredGame) {
        let Verdict::Scored { points, .. } = &stored.game.verdict else { return };
        self.scored += 1;
        for (&bot, &points) in stored.game.seats.iter().zip(points) {
            if let Some(score) = self.scores.get_mut(bot) {
                score.add(points);
            }
        }
    }

    fn ended(&mut self, played: &PlayedGame) -> Result<(), Error> {
        let key = self.schedule.key(played.game.number, self.generation);
        let game = played_game(self.plan, played);
        let (attempt, again) = self.supply.ended(&played.game, &game);
        let stored = stored_game(self.schedule, key, attempt, game);
        self.store.record(std::slice::from_ref(&stored)).map_err(|error| match error {
            StoreError::Host(_) => Error::host(format!("{error}{RESUME}")),
            error => error.into(),
        })?;
        self.add(&stored);
        if self.json {
            return json_events::tell(json_events::game_ended(self.plan, played, &stored, again));
        }
        let repeats = played.report.start_repeats();
        if repeats > 0 {
            let (id, times) = (&played.game.id, counted(repeats, "time"));
            let line =
                format!("{id}: the host stalled the start of a bot {times}; it was repeated\n");
            self.bar.suspend(|| out(&line)).map_err(Error::Output)?;
        }
        if stored.is_scored() {
            self.bar.inc(1);
        } else {
            let reason = &played.report.outcome.reason;
            let then = if again { "it is played again" } else { "it has no result" };
            let id = &played.game.id;
            let line = format!("void: {id}, {reason}: the host failed; {then}\n");
            self.bar.suspend(|| out(&line)).map_err(Error::Output)?;
        }
        // Of a knockout more games come to be known than were at first.
        if let Some(length) = self.bar.length()
            && length < self.scored
        {
            self.bar.set_length(self.scored);
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(self.leaders());
        }
        Ok(())
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
    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.supply.next_game()
    }

    fn on_event(&mut self, event: Event) -> Result<(), Error> {
        match event {
            Event::Started(game) if self.json => {
                let key = self.schedule.key(game.number, self.generation);
                json_events::tell(json_events::game_started(self.plan, &game, key))
            }
            Event::Started(_) => Ok(()),
            Event::Ended(played) => self.ended(&played),
            Event::Stopped(stop) => {
                keep_worse(&mut self.stopped, stop);
                Ok(())
            }
        }
    }
}

/// A stop as the error that it is, if it is one.
///
/// # Errors
///
/// What failed.
pub fn unless_failed(stop: Stop) -> Result<(), Error> {
    match stop {
        Stop::Interrupted => Ok(()),
        Stop::Failed(Error::Host(message)) => Err(Error::host(format!("{message}{RESUME}"))),
        Stop::Failed(error) => Err(error),
    }
}
