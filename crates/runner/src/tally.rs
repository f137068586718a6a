//! The running totals of a match: scores by bot and by seat, faults, times.

use crate::game_player::PlayedGame;
use crate::plan::Plan;
use botyard_league::score::Score;
use botyard_protocol::{EndOutcome, Fault, FaultKind, OutcomeKind};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The totals after some games of a match.
#[derive(Debug)]
pub struct Tally {
    /// The bots, in the order they were given.
    pub bots: Vec<BotTally>,
    /// Games that count.
    pub counted: u32,
    /// Void games.
    pub void: u32,
    /// Decisions in all games.
    pub plies: u64,
    /// The number of games by reason of their end.
    pub reasons: BTreeMap<String, u32>,
    /// The first fault of each bot and kind, and its game.
    pub first_faults: Vec<FirstFault>,
    begun: Instant,
}

/// A bot in a match.
#[derive(Debug)]
pub struct BotTally {
    /// Its name.
    pub name: String,
    /// Its score.
    pub score: Score,
    /// Its score in each seat, in seat order.
    pub by_seat: Vec<Score>,
    /// How often it finished in each place, first place first.
    pub places: Vec<u32>,
    /// Its faults.
    pub faults: BTreeMap<FaultKind, u32>,
    /// The number of games in which it could not be started.
    pub not_started: u32,
    /// The number of its decisions.
    pub decisions: u64,
    /// The wall-clock time of all its decisions, in microseconds.
    pub wall_us: u64,
    /// The wall-clock time of its longest decision, in microseconds.
    pub longest_us: u64,
    /// The excused time of all its decisions, in microseconds.
    pub excused_us: u64,
    /// The most excused time of a decision, in microseconds.
    pub longest_excused_us: u64,
}

/// The first fault of a bot of one kind.
#[derive(Debug)]
pub struct FirstFault {
    /// The bot's index.
    pub bot: usize,
    /// The game's id.
    pub game_id: String,
    /// The fault.
    pub fault: Fault,
    /// What the bot's standard error in that game says about it, and where all of it was saved.
    pub stderr: String,
}

impl Tally {
    /// Returns the totals before the first game.
    pub fn new(plan: &Plan) -> Tally {
        let bots = plan.bots.iter().map(|bot| BotTally {
            name: bot.name().to_string(),
            score: Score::default(),
            by_seat: vec![Score::default(); plan.seats.len()],
            places: vec![0; plan.seats.len()],
            faults: BTreeMap::new(),
            not_started: 0,
            decisions: 0,
            wall_us: 0,
            longest_us: 0,
            excused_us: 0,
            longest_excused_us: 0,
        });
        Tally {
            bots: bots.collect(),
            counted: 0,
            void: 0,
            plies: 0,
            reasons: BTreeMap::new(),
            first_faults: Vec::new(),
            begun: Instant::now(),
        }
    }

    /// Adds a game. A void game only adds to the number of void games and its reason.
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
            let EndOutcome { scores, ranks, .. } = &report.outcome;
            if let Some(part) = plan.scale.part(scores, ranks, seat) {
                bot.score.add_part(part, 1);
                bot.by_seat[seat].add_part(part, 1);
            }
            let place = report.outcome.ranks.get(seat).and_then(|&rank| rank.checked_sub(1));
            if let Some(count) = place.and_then(|place| bot.places.get_mut(usize::from(place))) {
                *count += 1;
            }
            if let Some(tally) = report.seats.get(seat) {
                bot.decisions += u64::from(tally.decisions);
                bot.wall_us += tally.wall_us;
                bot.longest_us = bot.longest_us.max(tally.longest_us);
                bot.excused_us += tally.excused_us;
                bot.longest_excused_us = bot.longest_excused_us.max(tally.longest_excused_us);
            }
        }
    }

    fn add_faults(&mut self, plan: &Plan, played: &PlayedGame) {
        for fault in &played.report.faults {
            let seat = plan.seats.iter().position(|seat| *seat == fault.seat);
            let Some(&bot) = seat.and_then(|seat| played.game.seats.get(seat)) else { continue };
            let tally = &mut self.bots[bot];
            if fault.kind == FaultKind::StartFailed {
                tally.not_started += 1;
            }
            let count = tally.faults.entry(fault.kind).or_default();
            *count += 1;
            if *count == 1 {
                self.first_faults.push(FirstFault {
                    bot,
                    game_id: played.game.id.clone(),
                    fault: fault.clone(),
                    stderr: played.stderr_in_words(bot),
                });
            }
        }
    }

    /// Returns the share of each bot that has played.
    pub fn shares(&self) -> Vec<(&str, f64)> {
        let shares = self.bots.iter().map(|bot| Some((bot.name.as_str(), bot.score.share()?)));
        shares.flatten().collect()
    }

    /// Returns the duration of the match so far.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns decisions per second so far, over all concurrent games.
    pub(crate) fn plies_per_second(&self) -> f64 {
        self.plies as f64 / self.elapsed().as_secs_f64().max(1e-9)
    }

    /// Returns the bots that could not be started in any game.
    pub(crate) fn never_started(&self) -> impl Iterator<Item = &BotTally> {
        let games = self.counted + self.void;
        self.bots.iter().filter(move |bot| games > 0 && bot.not_started == games)
    }

    /// Returns whether every game of the plan has a result, and every bot could be started.
    pub fn is_whole(&self, plan: &Plan) -> bool {
        self.counted == plan.schedule.games && self.never_started().next().is_none()
    }
}

impl BotTally {
    /// Returns the mean time of a decision, in microseconds, if there was one.
    pub fn mean_us(&self) -> Option<f64> {
        (self.decisions > 0).then(|| self.wall_us as f64 / self.decisions as f64)
    }

    /// Returns the mean place, from 1, if a game was played.
    pub(crate) fn mean_place(&self) -> Option<f64> {
        let games: u32 = self.places.iter().sum();
        let sum: f64 = (1..).zip(&self.places).map(|(place, &n)| f64::from(place * n)).sum();
        (games > 0).then(|| sum / f64::from(games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, ContainmentConfig, Games};
    use crate::programs::testing::programs;
    use botyard_protocol::EndOutcome;
    use botyard_referee::{GameReport, SeatReport};

    fn plan() -> Plan {
        // No bot is started, and the test program is not a launcher.
        let bots = ["a=random", "b=random"].map(String::from).to_vec();
        let config = Config {
            games: Games::Number(4),
            containment: ContainmentConfig::none(),
            ..Config::new("scotland-yard", bots)
        };
        Plan::new(&config, &programs()).unwrap()
    }

    fn played(
        plan: &Plan,
        number: u32,
        kind: OutcomeKind,
        scores: &[f64],
        faults: &[FaultKind],
    ) -> PlayedGame {
        let fault = |&kind: &FaultKind| Fault {
            kind,
            seat: plan.seats[0].clone(),
            turn: 1,
            message: "it failed".into(),
            got: None,
        };
        let seat = |wall_us| SeatReport {
            decisions: 2,
            wall_us,
            longest_us: wall_us - 1,
            excused_us: wall_us / 2,
            longest_excused_us: wall_us / 4,
            ..SeatReport::default()
        };
        PlayedGame {
            game: plan.schedule.game(number),
            report: GameReport {
                host: None,
                host_failure: None,
                rules_us: None,
                outcome: EndOutcome {
                    kind,
                    scores: scores.to_vec(),
                    ranks: scores.iter().map(|&points| if points > 0.0 { 1 } else { 2 }).collect(),
                    reason: if scores.is_empty() { "host_overloaded" } else { "caught" }.into(),
                },
                faults: faults.iter().map(fault).collect(),
                turns: 4,
                seats: vec![seat(10), seat(20)],
                bots: Vec::new(),
            },
            replay: None,
            stderr_files: Vec::new(),
            elapsed: Duration::from_millis(1),
            searches: Vec::new(),
            void_bot: None,
            host_failure: None,
        }
    }

    #[test]
    fn games_add_up_by_bot_and_by_seat_and_void_ones_do_not_count() {
        use FaultKind::{Crash, StartFailed};
        let plan = plan();
        let mut tally = Tally::new(&plan);
        for (number, kind, scores, faults) in [
            (1, OutcomeKind::Completed, &[1.0, 0.0][..], &[][..]),
            (2, OutcomeKind::BotFault, &[0.0, 1.0], &[Crash]),
            (3, OutcomeKind::Completed, &[0.5, 0.5], &[Crash]),
            (4, OutcomeKind::Void, &[], &[]),
        ] {
            tally.add(&plan, &played(&plan, number, kind, scores, faults));
        }
        assert_eq!((tally.counted, tally.void, tally.plies), (3, 1, 12));
        let [a, b] = &tally.bots[..] else { panic!("two bots") };
        let counts = |score: &Score| (score.wins, score.draws, score.losses);
        assert_eq!((counts(&a.score), counts(&b.score)), ((2, 1, 0), (0, 1, 2)));
        assert_eq!((&a.places[..], &b.places[..]), (&[3, 0][..], &[1, 2][..]));
        // The bots change seats from game to game.
        assert_eq!((counts(&a.by_seat[0]), counts(&a.by_seat[1])), ((1, 1, 0), (1, 0, 0)));
        // A fault is its bot's, whichever seat it had: b in game 2, a in game 3.
        assert_eq!((a.faults.get(&Crash), b.faults.get(&Crash)), (Some(&1), Some(&1)));
        assert_eq!((a.decisions, a.wall_us, a.longest_us), (6, 40, 19));
        assert_eq!((a.excused_us, a.longest_excused_us), (20, 5));
        let text = tally.to_text(&plan).plain();
        assert!(text.contains("excused") && text.contains(", longest 0.01 ms"), "{text}");
        assert_eq!(tally.reasons["caught"], 3);
        assert_eq!(tally.reasons["host_overloaded"], 1);
        assert_eq!(tally.never_started().count(), 0);

        let mut tally = Tally::new(&plan);
        for number in [1, 3] {
            let fault = &[StartFailed];
            let game = played(&plan, number, OutcomeKind::BotFault, &[0.0, 1.0], fault);
            tally.add(&plan, &game);
        }
        let names: Vec<_> = tally.never_started().map(|bot| bot.name.as_str()).collect();
        assert_eq!(names, ["a"]);
        assert_eq!(tally.first_faults.len(), 1, "the first of a kind is kept");
    }
}
