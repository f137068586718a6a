//! The games of a match, summed in the order of their numbers, so that sums and output do not
//! depend on which worker was faster.

use crate::error::Error;
use crate::game_player::PlayedGame;
use crate::message;
use crate::message::Message;
use crate::plan::Plan;
use crate::pool::{GameSource, Steps, run};
use crate::run_observer::RunObserver;
use crate::settings::KEEP_GOING;
use crate::tally::Tally;
use botyard_league::schedule::{ScheduledGame, by_rotation};
use botyard_protocol::{FaultKind, printable};
use botyard_referee::Interrupt;
use std::collections::BTreeMap;

/// The games of a plan with given numbers. If games have secrets, those with the same start are
/// scheduled far apart.
pub struct NumberedGames<'a> {
    plan: &'a Plan,
    numbers: Box<dyn Iterator<Item = u32> + 'a>,
}

impl<'a> NumberedGames<'a> {
    /// Makes the source of the games with these numbers.
    pub fn new(plan: &'a Plan, numbers: impl Iterator<Item = u32> + 'a) -> NumberedGames<'a> {
        let numbers: Box<dyn Iterator<Item = u32> + 'a> = match plan.has_secrets {
            true => Box::new(by_rotation(numbers, plan.schedule.block_length())),
            false => Box::new(numbers),
        };
        NumberedGames { plan, numbers }
    }

    /// Returns the next game.
    pub fn next_game(&mut self) -> Option<ScheduledGame> {
        self.numbers.next().map(|number| self.plan.schedule.game(number))
    }
}

/// A match being played.
pub struct MatchGames<'a> {
    plan: &'a Plan,
    interrupt: &'a Interrupt,
    games: NumberedGames<'a>,
    in_order: InOrder,
    keep_going: bool,
    /// The tally of the games that were passed to the observer.
    pub tally: Tally,
    /// The bot that could not be started, and why, if that ended the match. A bot that fails to
    /// start in one game will hardly start in the next.
    pub start_failure: Option<String>,
}

/// The result of an attempt in a match.
pub enum MatchRecord {
    /// The game was void and is repeated.
    Repeated(Box<PlayedGame>),
    /// The games that are next in order, which may include this one.
    Next(Vec<PlayedGame>),
}

impl<'a> MatchGames<'a> {
    /// Makes the source of all games of a plan. Unless `keep_going` is set, the first bot that
    /// cannot be started raises the interrupt.
    pub fn new(plan: &'a Plan, keep_going: bool, interrupt: &'a Interrupt) -> MatchGames<'a> {
        MatchGames {
            plan,
            interrupt,
            games: NumberedGames::new(plan, 1..=plan.schedule.games),
            in_order: InOrder::default(),
            keep_going,
            tally: Tally::new(plan),
            start_failure: None,
        }
    }

    /// Returns the plan of the games.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Plays the match: see [`run`]. `observer` also shows its beginning and its end.
    ///
    /// # Errors
    ///
    /// The observer cannot write its output, or the host fails.
    pub fn play(
        &mut self,
        observer: &mut dyn RunObserver<MatchGames<'a>>,
        steps: Option<&mut Steps<'_>>,
    ) -> Result<Option<Error>, Error> {
        observer.begun(self)?;
        let (plan, interrupt) = (self.plan, self.interrupt);
        let stopped = run(plan, self, observer, steps, interrupt)?;
        let rest = self.rest();
        observer.ended(self, MatchRecord::Next(rest))?;
        observer.finished(self, stopped.as_ref())?;
        Ok(stopped)
    }

    /// Returns the result so far as text. `stopped` is the error that ended the games, if there was
    /// one.
    pub fn to_text(&self, stopped: Option<&Error>) -> Message {
        let (tally, all) = (&self.tally, self.plan.schedule.games);
        let finished = tally.counted + tally.void;
        let so_far = match stopped.is_none() || finished > 0 {
            true => tally.to_text(self.plan),
            false => Message::default(),
        };
        let end = match (stopped, &self.start_failure) {
            (Some(Error::Interrupted), Some(found)) => message![
                format!("\nstopped after {finished} of {all} games: {found}\n"),
                "to play the other games too, add ",
                KEEP_GOING,
                "\n"
            ],
            (Some(Error::Interrupted), None) => {
                message![format!("interrupted: {finished} of {all} games finished\n")]
            }
            _ => Message::default(),
        };
        message![so_far, end]
    }

    /// Takes the games that wait behind an unfinished one, when no more games end.
    fn rest(&mut self) -> Vec<PlayedGame> {
        let rest = std::mem::take(&mut self.in_order).rest();
        self.add(&rest);
        rest
    }

    fn add(&mut self, games: &[PlayedGame]) {
        games.iter().for_each(|played| self.tally.add(self.plan, played));
    }
}

impl GameSource for MatchGames<'_> {
    type Record = MatchRecord;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        self.games.next_game()
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<MatchRecord, Error> {
        if again {
            return Ok(MatchRecord::Repeated(played));
        }
        if !self.keep_going && self.start_failure.is_none() {
            self.start_failure = start_failure(self.plan, &played);
            if self.start_failure.is_some() {
                self.interrupt.raise();
            }
        }
        let ready = self.in_order.push(played);
        self.add(&ready);
        Ok(MatchRecord::Next(ready))
    }
}

/// Returns which bot could not be started for this game, and why, if one failed.
pub fn start_failure(plan: &Plan, played: &PlayedGame) -> Option<String> {
    let fault = played.report.faults.iter().find(|fault| fault.kind == FaultKind::StartFailed)?;
    let seat = plan.seats.iter().position(|seat| *seat == fault.seat)?;
    let bot = plan.bots.get(*played.game.seats.get(seat)?)?;
    Some(format!("bot {} could not be started: {}", bot.name(), printable(&fault.message, 1000)))
}

/// Played games, put into the order of their numbers.
#[derive(Debug, Default)]
struct InOrder {
    waiting: BTreeMap<u32, PlayedGame>,
    next: u32,
}

impl InOrder {
    /// Adds a game, and returns the games that are next in order.
    fn push(&mut self, played: Box<PlayedGame>) -> Vec<PlayedGame> {
        self.waiting.insert(played.game.number, *played);
        let mut ready = Vec::new();
        while let Some(played) = self.waiting.remove(&(self.next + 1)) {
            self.next += 1;
            ready.push(played);
        }
        ready
    }

    /// Returns the games that wait behind an unfinished one.
    fn rest(self) -> Vec<PlayedGame> {
        self.waiting.into_values().collect()
    }
}
