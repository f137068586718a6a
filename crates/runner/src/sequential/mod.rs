//! A sequential test of two versions of a bot. Games are played in pairs, with both seatings of one
//! start, until the sequential probability ratio test of `botyard-league` decides.

mod events;
mod pairs;
mod text;

pub use events::TestEvent;

use crate::error::Error;
use crate::game_player::PlayedGame;
use crate::match_games::start_failure;
use crate::pending_games::PendingGames;
use crate::plan::Plan;
use crate::planned_bot::PlannedBot;
use crate::played_game::played_game;
use crate::pool::{GameSource, run};
use crate::run_observer::RunObserver;
use crate::words::fault_in_words;
use botyard_league::Verdict;
use botyard_league::scale::Part;
use botyard_league::schedule::{Format, ScheduledGame, TournamentSchedule};
use botyard_league::score::Score;
use botyard_league::sprt::{Decision, Sprt, SprtState};
use botyard_protocol::FaultKind;
use botyard_referee::Interrupt;
use pairs::Pairs;
use std::collections::BTreeMap;

/// The games of a test: as many pairs as the decision takes.
pub struct TestGames<'a> {
    plan: &'a Plan,
    schedule: &'a TournamentSchedule,
    pending: PendingGames<'a>,
    sprt: Sprt,
    pairs: Pairs,
    /// The score of the new version, in the games that count.
    score: Score,
    /// The number of faults of each kind, by bot.
    faults: [BTreeMap<FaultKind, u32>; 2],
    first_faults: Vec<String>,
    /// The number of games by reason of their end.
    reasons: BTreeMap<String, u32>,
    /// The number of pairs that do not count.
    without_result: u32,
}

/// The state of a test after some pairs.
pub struct TestState {
    /// The sequential probability ratio test.
    pub sprt: SprtState,
    /// The score of the new version, in the games that count.
    pub score: Score,
}

impl<'a> TestGames<'a> {
    /// Returns the pairs of a plan's games, scheduled as in a tournament of its two bots: void games
    /// are repeated, and seats rotate in pairs.
    ///
    /// # Errors
    ///
    /// The plan has not two bots, or its game not two seats.
    pub fn schedule(plan: &Plan) -> Result<TournamentSchedule, Error> {
        let schedule = TournamentSchedule::new(
            plan.schedule.game,
            plan.schedule.draws,
            (plan.bots.len(), plan.seats.len()),
            &Format::RoundRobin { tables: None },
            plan.schedule.games / 2,
        );
        let schedule = schedule.map_err(Error::usage)?;
        match plan.bots.len() {
            2 => Ok(schedule.with_openings(plan.schedule.openings.clone())),
            _ => Err(Error::usage("expected two bots and a game of two seats")),
        }
    }

    /// Makes a test between the two bots of the plan, in pairs of the schedule.
    pub fn new(plan: &'a Plan, schedule: &'a TournamentSchedule, sprt: Sprt) -> TestGames<'a> {
        TestGames {
            pending: PendingGames::new(schedule, false, 0),
            schedule,
            plan,
            sprt,
            pairs: Pairs::default(),
            score: Score::default(),
            faults: [BTreeMap::new(), BTreeMap::new()],
            first_faults: Vec::new(),
            reasons: BTreeMap::new(),
            without_result: 0,
        }
    }

    /// Plays the test: see [`run`]. `observer` also shows its beginning and its end.
    ///
    /// # Errors
    ///
    /// A bot cannot be started, the observer cannot write its output, or the host fails.
    pub fn play(
        &mut self,
        observer: &mut dyn RunObserver<TestGames<'a>>,
        interrupt: &Interrupt,
    ) -> Result<Option<Error>, Error> {
        observer.begun(self)?;
        let stopped = run(self.plan, self, observer, None, interrupt)?;
        observer.finished(self, stopped.as_ref())?;
        Ok(stopped)
    }

    /// Returns the conditions of the games.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Returns the names of the new version and the old one.
    pub fn names(&self) -> [&'a str; 2] {
        let name = |bot: usize| self.plan.bots.get(bot).map_or("", PlannedBot::name);
        [0, 1].map(name)
    }

    /// Returns the test, with the pairs that count.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// Returns the number of games by reason of their end.
    pub fn reasons(&self) -> &BTreeMap<String, u32> {
        &self.reasons
    }

    /// Returns the number of pairs that do not count because one of their games has no result.
    pub fn pairs_without_result(&self) -> u32 {
        self.without_result
    }

    /// Returns the current state.
    pub fn state(&self) -> TestState {
        TestState { sprt: self.sprt.state(), score: self.score }
    }
}

impl GameSource for TestGames<'_> {
    /// The states after the pairs that this game completes. `None`: the game is repeated.
    type Record = Option<Vec<TestState>>;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        match self.sprt.decision() {
            Decision::Continue => self.pending.next_game(),
            Decision::AcceptH0 | Decision::AcceptH1 => None,
        }
    }

    fn ended(
        &mut self,
        played: Box<PlayedGame>,
        again: bool,
    ) -> Result<Option<Vec<TestState>>, Error> {
        if let Some(failure) = start_failure(self.plan, &played) {
            return Err(Error::usage(failure));
        }
        if again {
            return Ok(None);
        }
        *self.reasons.entry(played.report.outcome.reason.clone()).or_default() += 1;
        let game = played_game(self.plan, &played);
        self.pending.ended(&played.game, &game);
        for (fault, &(seat, kind)) in played.report.faults.iter().zip(&game.faults) {
            let bot = game.seats[seat];
            let count = self.faults[bot].entry(kind).or_default();
            *count += 1;
            if *count == 1 {
                let (name, id) = (self.plan.bots[bot].name(), &played.game.id);
                let words = fault_in_words(fault, true);
                self.first_faults.push(format!("{name}: {} in {id}: {words}\n", kind.as_str()));
            }
        }
        let key = self.schedule.key(played.game.number, 0);
        let seat = game.seats.iter().position(|&bot| bot == 0);
        let points = match &game.verdict {
            Verdict::Scored { points, places } => {
                seat.and_then(|seat| self.plan.scale.part(points, places, seat))
            }
            Verdict::Void => None,
        };
        self.pairs.add(key.block, key.rotation, points.map(Part::of_result));
        let mut states = Vec::new();
        while self.sprt.decision() == Decision::Continue
            && let Some(pair) = self.pairs.take()
        {
            let Some([first, second]) = pair else {
                self.without_result += 1;
                continue;
            };
            self.sprt.add_pair(first.share, second.share);
            self.score.add_part(first, 1);
            self.score.add_part(second, 1);
            states.push(self.state());
        }
        Ok(Some(states))
    }
}
