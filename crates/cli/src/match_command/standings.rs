//! What the games of a match add up to: scores by bot and by seat, faults, times. It counts what it
//! is given and prints nothing.

use super::plan::Plan;
use super::worker::PlayedGame;
use crate::score::Score;
use botyard_protocol::{Fault, FaultKind, OutcomeKind};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The state of a match after some of its games.
#[derive(Debug)]
pub struct Standings {
    /// The bots, in the order they were given.
    pub bots: Vec<BotStanding>,
    /// Games that count.
    pub counted: u32,
    /// Games that do not, because the host failed.
    pub void: u32,
    /// Decisions in all games.
    pub plies: u64,
    /// How often games ended for each reason.
    pub reasons: BTreeMap<String, u32>,
    /// The first fault of each bot and kind, with the game in which it was.
    pub first_faults: Vec<FirstFault>,
    begun: Instant,
}

/// A bot in a match.
#[derive(Debug)]
pub struct BotStanding {
    /// Its name.
    pub name: String,
    /// Its score.
    pub score: Score,
    /// Its score in each seat, in seat order.
    pub by_seat: Vec<Score>,
    /// Its faults.
    pub faults: BTreeMap<FaultKind, u32>,
    /// Games in which it could not be started.
    pub not_started: u32,
    /// How many decisions it made.
    pub decisions: u64,
    /// Time on the wall for all of them, in microseconds.
    pub wall_us: u64,
    /// Time on the wall for the longest, in microseconds.
    pub longest_us: u64,
}

/// The first fault of a kind of a bot.
#[derive(Debug)]
pub struct FirstFault {
    /// The bot, counted from 0.
    pub bot: usize,
    /// The game's id.
    pub game_id: String,
    /// The fault.
    pub fault: Fault,
    /// What the bot wrote to standard error in that game.
    pub stderr: String,
}

impl Standings {
    /// Before the first game.
    pub fn new(plan: &Plan) -> Standings {
        let bots = plan.bots.iter().map(|bot| BotStanding {
            name: bot.name.clone(),
            score: Score::default(),
            by_seat: vec![Score::default(); plan.seats.len()],
            faults: BTreeMap::new(),
            not_started: 0,
            decisions: 0,
            wall_us: 0,
            longest_us: 0,
        });
        Standings {
            bots: bots.collect(),
            counted: 0,
            void: 0,
            plies: 0,
            reasons: BTreeMap::new(),
            first_faults: Vec::new(),
            begun: Instant::now(),
        }
    }

    /// Adds a game. A void one adds to nothing but the number of void games and its reason.
    pub fn add(&mut self, plan: &Plan, played: &PlayedGame) {
        let report = &played.report;
        *self.reasons.entry(report.outcome.reason.clone()).or_default() += 1;
        self.add_faults(plan, played);
        if report.outcome.kind == OutcomeKind::Void {
            self.void += 1;
            return;
        }
        self.counted += 1;
        self.plies += u64::from(report.turns);
        for (seat, &holder) in played.game.seats.iter().enumerate() {
            let bot = &mut self.bots[holder];
            if let Some(&points) = report.outcome.scores.get(seat) {
                bot.score.add(points);
                bot.by_seat[seat].add(points);
            }
            if let Some(tally) = report.seats.get(seat) {
                bot.decisions += u64::from(tally.decisions);
                bot.wall_us += tally.wall_us;
                bot.longest_us = bot.longest_us.max(tally.longest_us);
            }
        }
    }

    fn add_faults(&mut self, plan: &Plan, played: &PlayedGame) {
        for fault in &played.report.faults {
            let seat = plan.seats.iter().position(|seat| *seat == fault.seat);
            let Some(&bot) = seat.and_then(|seat| played.game.seats.get(seat)) else { continue };
            let standing = &mut self.bots[bot];
            if fault.kind == FaultKind::StartFailed {
                standing.not_started += 1;
            }
            let count = standing.faults.entry(fault.kind).or_default();
            *count += 1;
            if *count == 1 {
                let output = played.report.bots.get(bot);
                self.first_faults.push(FirstFault {
                    bot,
                    game_id: played.game.id.clone(),
                    fault: fault.clone(),
                    stderr: output.map_or(String::new(), |output| output.stderr.clone()),
                });
            }
        }
    }

    /// How long the match has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Decisions per second of the match so far, over all games at once.
    pub fn plies_per_second(&self) -> f64 {
        self.plies as f64 / self.elapsed().as_secs_f64().max(1e-9)
    }

    /// The bots that could not be started in any of the games.
    pub fn never_started(&self) -> impl Iterator<Item = &BotStanding> {
        let games = self.counted + self.void;
        self.bots.iter().filter(move |bot| games > 0 && bot.not_started == games)
    }
}

impl BotStanding {
    /// The mean time of a decision, in microseconds; `None` where there was none.
    pub fn mean_us(&self) -> Option<f64> {
        (self.decisions > 0).then(|| self.wall_us as f64 / self.decisions as f64)
    }
}
