//! `botyard test`: is a new version of a bot better than the old one? A sequential probability ratio test
//! over pairs of games, which ends as soon as it knows. The arithmetic is in the crate `botyard-league`.

mod arguments;
mod pairs;

pub use arguments::TestArgs;

use crate::error::Error;
use crate::failure::{FAILED, Failure, is_broken_pipe};
use crate::installed::programs;
use crate::match_command::{
    Event, GameSource, Plan, PlayedGame, Stop, bar, fault_in_words, keep_worse, play_games,
    start_failure,
};
use crate::text::{counted, out, warn};
use crate::tournament_command::{Supply, played_game};
use botyard_league::Verdict;
use botyard_league::schedule::{Format, ScheduledGame, TournamentSchedule};
use botyard_league::score::Score;
use botyard_league::sprt::{Decision, EloModel, Sprt};
use botyard_protocol::FaultKind;
use botyard_referee::Interrupt;
use indicatif::ProgressBar;
use pairs::Pairs;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Plays the test that the arguments ask for.
///
/// # Errors
///
/// Arguments that make no test, and what the host cannot do.
pub fn run(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model.into())
        .map_err(Failure::usage)?;
    let plan = Plan::new(&args.into(), &programs()?)?;
    warn(&plan.warnings);
    // As a tournament of the two: void games are played again, and seats rotate in pairs.
    let schedule = TournamentSchedule::new(
        plan.schedule.game,
        plan.schedule.draws,
        (plan.bots.len(), plan.seats.len()),
        &Format::RoundRobin { tables: None },
        plan.schedule.games / 2,
    );
    let schedule = schedule.map_err(Failure::usage)?.with_openings(plan.schedule.openings.clone());
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let session = TestSession {
        bar: if args.json { ProgressBar::hidden() } else { bar(plan.schedule.games) },
        supply: Supply::new(&schedule, false, 0),
        schedule: &schedule,
        plan: &plan,
        json: args.json,
        sprt,
        pairs: Pairs::default(),
        score: Score::default(),
        faults: [BTreeMap::new(), BTreeMap::new()],
        first_faults: Vec::new(),
        without_result: 0,
        stopped: None,
    };
    match session.play(&interrupt) {
        // Who reads has heard enough.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(FAILED)),
        played => played,
    }
}

/// A test being played.
struct TestSession<'a> {
    plan: &'a Plan,
    schedule: &'a TournamentSchedule,
    supply: Supply<'a>,
    json: bool,
    bar: ProgressBar,
    sprt: Sprt,
    pairs: Pairs,
    /// Of the new version, in the games that count.
    score: Score,
    /// How many faults of each kind, by bot.
    faults: [BTreeMap<FaultKind, u32>; 2],
    first_faults: Vec<String>,
    /// Pairs that do not count.
    without_result: u32,
    stopped: Option<Stop>,
}

impl TestSession<'_> {
    fn play(mut self, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
        let [new, old] = &self.plan.bots[..] else {
            return Err(Failure::usage("a test is between two bots, at a game of two seats"));
        };
        let (new, old) = (new.name.clone(), old.name.clone());
        if self.json {
            tell(json!({
                "type": "test_started",
                "version": env!("CARGO_PKG_VERSION"),
                "game": self.plan.schedule.game,
                "rules": (self.plan.tables)().rules(),
                "new": new,
                "old": old,
                "seed": self.plan.schedule.draws.to_string(),
                "max_games": self.plan.schedule.games,
                "concurrency": self.plan.concurrency,
                "time_control": self.plan.time,
                "test": self.sprt.state(),
            }))?;
        } else {
            let state = self.sprt.state();
            out(&format!(
                "is {new} better than {old} at {}, rules {}, seed {}? At most {} games; {}\n\
                 H0: {:+} Elo, H1: {:+} Elo; {}\n\n",
                self.plan.schedule.game,
                self.plan.rules,
                self.plan.schedule.draws,
                self.plan.schedule.games,
                self.plan.conditions(),
                state.elo0,
                state.elo1,
                match state.model {
                    EloModel::Logistic => "logistic Elo points",
                    EloModel::Normalized => "normalized Elo points",
                },
            ))?;
        }
        let plan = self.plan;
        let played = play_games(plan, &mut self, interrupt);
        self.bar.finish_and_clear();
        played?;
        let decision = self.sprt.decision();
        let is_interrupted = matches!(self.stopped, Some(Stop::Interrupted));
        if self.json {
            let mut end = self.state("test_ended");
            end["interrupted"] = is_interrupted.into();
            end["pairs_without_result"] = self.without_result.into();
            tell(end)?;
        } else {
            out(&self.summary(&new, &old, is_interrupted))?;
        }
        match self.stopped {
            Some(Stop::Failed(error)) => Err(error.into()),
            _ if decision == Decision::AcceptH1 => Ok(ExitCode::SUCCESS),
            _ => Ok(ExitCode::from(FAILED)),
        }
    }

    fn state(&self, kind: &str) -> Value {
        let Score { wins, draws, losses, .. } = self.score;
        let mut state = json!(self.sprt.state());
        state["type"] = kind.into();
        state["wins"] = wins.into();
        state["draws"] = draws.into();
        state["losses"] = losses.into();
        state
    }

    fn ended(&mut self, played: &PlayedGame) -> Result<(), Error> {
        if let Some(failure) = start_failure(self.plan, played) {
            return Err(Error::usage(failure));
        }
        let game = played_game(self.plan, played);
        let (_, again) = self.supply.ended(&played.game, &game);
        if again {
            return Ok(());
        }
        for (fault, &(seat, kind)) in played.report.faults.iter().zip(&game.faults) {
            let bot = game.seats[seat];
            let count = self.faults[bot].entry(kind).or_default();
            *count += 1;
            if *count == 1 {
                let (name, id) = (&self.plan.bots[bot].name, &played.game.id);
                let words = fault_in_words(fault, true);
                self.first_faults.push(format!("{name}: {} in {id}: {words}\n", kind.as_str()));
            }
        }
        let key = self.schedule.key(played.game.number, 0);
        let seat = game.seats.iter().position(|&bot| bot == 0);
        let points = match &game.verdict {
            Verdict::Scored { points, .. } => seat.and_then(|seat| points.get(seat)).copied(),
            Verdict::Void => None,
        };
        self.pairs.add(key.block, key.rotation, points);
        self.bar.inc(1);
        while self.sprt.decision() == Decision::Continue
            && let Some(pair) = self.pairs.take()
        {
            let Some([first, second]) = pair else {
                self.without_result += 1;
                continue;
            };
            self.sprt.add_pair(first, second);
            self.score.add(first);
            self.score.add(second);
            if self.json {
                tell(self.state("pair_ended"))?;
            }
        }
        let state = self.sprt.state();
        self.bar.set_message(format!(
            "LLR {:.2} ({:.2} to {:.2})",
            state.llr, state.lower, state.upper
        ));
        Ok(())
    }

    fn summary(&self, new: &str, old: &str, is_interrupted: bool) -> String {
        let state = self.sprt.state();
        let Score { wins, draws, losses, .. } = self.score;
        let mut text = format!(
            "{new}: {} in {}: {wins} won, {draws} drawn, {losses} lost\n",
            counted(self.score.games(), "game"),
            counted(self.score.games() / 2, "pair"),
        );
        if let (Some(share), Some(interval)) = (self.score.share(), self.score.interval()) {
            text.push_str(&format!(
                "share of the points {:.1}%, 95% interval {:.1}% to {:.1}% (of a test that stops when it \
                 likes it is rather too far out)\n",
                share * 100.0,
                interval.low * 100.0,
                interval.high * 100.0
            ));
        }
        let [lost, half, even, more, won] = self.sprt.pairs();
        text.push_str(&format!(
            "pairs with 0, 1/2, 1, 3/2, 2 points: {lost}, {half}, {even}, {more}, {won}\n\
             LLR {:.2}, bounds {:.2} and {:.2}\n",
            state.llr, state.lower, state.upper
        ));
        if self.without_result > 0 {
            text.push_str(&format!(
                "{} left out, because the host failed\n",
                counted(self.without_result, "pair")
            ));
        }
        for fault in &self.first_faults {
            text.push_str(fault);
        }
        let (elo0, elo1) = (state.elo0, state.elo1);
        text.push_str(&match self.sprt.decision() {
            Decision::AcceptH1 => format!("{new} is better: {elo1:+} Elo fit the games, {elo0:+} do not\n"),
            Decision::AcceptH0 => {
                format!("{new} is not shown to be better than {old}: {elo0:+} Elo fit the games, {elo1:+} do not\n")
            }
            Decision::Continue if is_interrupted => "interrupted before it was decided\n".to_string(),
            Decision::Continue => "not decided after all of these games\n".to_string(),
        });
        text
    }
}

impl GameSource for TestSession<'_> {
    fn next_game(&mut self) -> Option<ScheduledGame> {
        match self.sprt.decision() {
            Decision::Continue => self.supply.next_game(),
            Decision::AcceptH0 | Decision::AcceptH1 => None,
        }
    }

    fn on_event(&mut self, event: Event) -> Result<(), Error> {
        match event {
            Event::Started(_) => Ok(()),
            Event::Ended(played) => self.ended(&played),
            Event::Stopped(stop) => {
                keep_worse(&mut self.stopped, stop);
                Ok(())
            }
        }
    }
}

/// One line for a program.
fn tell(line: Value) -> Result<(), Error> {
    out(&format!("{line}\n")).map_err(Error::Output)
}
