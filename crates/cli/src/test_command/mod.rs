//! `botyard test`: is a new version of a bot better than the old one? A sequential probability ratio test
//! over pairs of games, which ends as soon as it knows. The arithmetic is in the crate `botyard-league`.

mod arguments;
mod pairs;

pub use arguments::TestArgs;

use crate::error::Error;
use crate::failure::{FAILED, Failure, is_broken_pipe};
use crate::installed::programs;
use crate::match_command::{
    GameSource, Observer, Plan, PlayedGame, bar, fault_in_words, play_games, start_failure,
};
use crate::text::{counted, out, warn};
use crate::tournament_command::{Supply, played_game};
use botyard_league::Verdict;
use botyard_league::schedule::{Format, ScheduledGame, TournamentSchedule};
use botyard_league::score::Score;
use botyard_league::sprt::{Decision, EloModel, Sprt, SprtState};
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
    let [new, old] = &plan.bots[..] else {
        return Err(Failure::usage("a test is between two bots, at a game of two seats"));
    };
    let names = [new.name.as_str(), old.name.as_str()];
    let games = TestGames {
        supply: Supply::new(&schedule, false, 0),
        schedule: &schedule,
        plan: &plan,
        sprt,
        pairs: Pairs::default(),
        score: Score::default(),
        faults: [BTreeMap::new(), BTreeMap::new()],
        first_faults: Vec::new(),
        without_result: 0,
    };
    match play(games, names, args.json, &interrupt) {
        // Who reads has heard enough.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(FAILED)),
        played => played,
    }
}

fn play(
    mut games: TestGames<'_>,
    [new, old]: [&str; 2],
    json: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    let plan = games.plan;
    let state = games.sprt.state();
    if json {
        tell(json!({
            "type": "test_started",
            "version": env!("CARGO_PKG_VERSION"),
            "game": plan.schedule.game,
            "rules": (plan.tables)().rules(),
            "new": new,
            "old": old,
            "seed": plan.schedule.draws.to_string(),
            "max_games": plan.schedule.games,
            "concurrency": plan.concurrency,
            "time_control": plan.time,
            "test": state,
        }))?;
    } else {
        out(&format!(
            "is {new} better than {old} at {}, rules {}, seed {}? At most {} games; {}\n\
             H0: {:+} Elo, H1: {:+} Elo; {}\n\n",
            plan.schedule.game,
            plan.rules,
            plan.schedule.draws,
            plan.schedule.games,
            plan.conditions(),
            state.elo0,
            state.elo1,
            match state.model {
                EloModel::Logistic => "logistic Elo points",
                EloModel::Normalized => "normalized Elo points",
            },
        ))?;
    }
    let mut shown = if json { Shown::Json } else { Shown::Bar(bar(plan.schedule.games)) };
    let stopped = play_games(plan, &mut games, &mut shown, None, interrupt);
    if let Shown::Bar(bar) = &shown {
        bar.finish_and_clear();
    }
    let stopped = stopped?;
    let is_interrupted = matches!(stopped, Some(Error::Interrupted));
    if json {
        let mut end = games.state().to_json("test_ended");
        end["interrupted"] = is_interrupted.into();
        end["pairs_without_result"] = games.without_result.into();
        tell(end)?;
    } else {
        out(&games.summary(new, old, stopped.as_ref()))?;
    }
    match stopped {
        Some(Error::Interrupted) | None if games.sprt.decision() == Decision::AcceptH1 => {
            Ok(ExitCode::SUCCESS)
        }
        Some(Error::Interrupted) | None => Ok(ExitCode::from(FAILED)),
        Some(error) => Err(error.into()),
    }
}

/// The games of a test: as many pairs as it takes to decide.
struct TestGames<'a> {
    plan: &'a Plan,
    schedule: &'a TournamentSchedule,
    supply: Supply<'a>,
    sprt: Sprt,
    pairs: Pairs,
    /// Of the new version, in the games that count.
    score: Score,
    /// How many faults of each kind, by bot.
    faults: [BTreeMap<FaultKind, u32>; 2],
    first_faults: Vec<String>,
    /// Pairs that do not count.
    without_result: u32,
}

/// What a test has come to after some of its pairs.
struct TestState {
    sprt: SprtState,
    score: Score,
}

impl TestState {
    fn to_json(&self, kind: &str) -> Value {
        let Score { wins, draws, losses, .. } = self.score;
        let mut state = json!(self.sprt);
        state["type"] = kind.into();
        state["wins"] = wins.into();
        state["draws"] = draws.into();
        state["losses"] = losses.into();
        state
    }
}

impl TestGames<'_> {
    fn state(&self) -> TestState {
        TestState { sprt: self.sprt.state(), score: self.score }
    }

    fn summary(&self, new: &str, old: &str, stopped: Option<&Error>) -> String {
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
            Decision::Continue if matches!(stopped, Some(Error::Interrupted)) => {
                "interrupted before it was decided\n".to_string()
            }
            Decision::Continue if stopped.is_some() => "stopped before it was decided\n".to_string(),
            Decision::Continue => "not decided after all of these games\n".to_string(),
        });
        text
    }
}

impl GameSource for TestGames<'_> {
    /// The states after the pairs that are whole by this game; `None` where it is repeated.
    type Record = Option<Vec<TestState>>;

    fn next_game(&mut self) -> Option<ScheduledGame> {
        match self.sprt.decision() {
            Decision::Continue => self.supply.next_game(),
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
        let game = played_game(self.plan, &played);
        self.supply.ended(&played.game, &game);
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
        let mut states = Vec::new();
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
            states.push(self.state());
        }
        Ok(Some(states))
    }
}

/// Shows a test while it is played.
enum Shown {
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// Lines of JSON.
    Json,
}

impl<'a> Observer<TestGames<'a>> for Shown {
    fn ended(
        &mut self,
        games: &TestGames<'a>,
        states: Option<Vec<TestState>>,
    ) -> Result<(), Error> {
        let Some(states) = states else { return Ok(()) };
        match self {
            Shown::Json => states.iter().try_for_each(|state| tell(state.to_json("pair_ended"))),
            Shown::Bar(bar) => {
                let state = games.sprt.state();
                bar.inc(1);
                bar.set_message(format!(
                    "LLR {:.2} ({:.2} to {:.2})",
                    state.llr, state.lower, state.upper
                ));
                Ok(())
            }
        }
    }
}

/// One line for a program.
fn tell(line: Value) -> Result<(), Error> {
    out(&format!("{line}\n")).map_err(Error::Output)
}
