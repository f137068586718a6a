//! `botyard test`: a sequential probability ratio test of whether a new version of a bot is better
//! than the old one, over pairs of games. The statistics are in the crate `botyard-league`.

mod arguments;

pub use arguments::TestArgs;

use crate::failure::{FAILED, Failure, unless_closed};
use crate::installed::programs;
use crate::match_command::bar;
use crate::text::{out, print_event, warn};
use botyard_league::score::Score;
use botyard_league::sprt::{Decision, EloModel, Sprt};
use botyard_referee::Interrupt;
use botyard_runner::words::counted;
use botyard_runner::{
    Error, Observer, Plan, TestEvent, TestGames, TestState, adjudicated_in_words,
};
use indicatif::ProgressBar;
use std::process::ExitCode;

/// Plays the test that the arguments ask for.
pub fn run(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model.into())
        .map_err(Failure::usage)?;
    let plan = Plan::new(&args.into(), &programs()?)?;
    warn(&plan.warnings);
    let schedule = TestGames::schedule(&plan)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let games = TestGames::new(&plan, &schedule, sprt);
    unless_closed(play(games, args.json, &interrupt))
}

fn play(mut games: TestGames<'_>, json: bool, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let plan = games.plan();
    let [new, old] = games.names();
    let state = games.sprt().state();
    if json {
        print_event(TestEvent::test_started(&games))?;
    } else {
        out(&format!(
            "is {new} better than {old} at {}, rules {}, seed {}? at most {} games; {}\n\
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
    let stopped = botyard_runner::run(plan, &mut games, &mut shown, None, interrupt);
    if let Shown::Bar(bar) = &shown {
        bar.finish_and_clear();
    }
    let stopped = stopped?;
    let is_interrupted = matches!(stopped, Some(Error::Interrupted));
    if json {
        print_event(TestEvent::test_ended(&games, is_interrupted))?;
    } else {
        out(&summary(&games, new, old, stopped.as_ref()))?;
    }
    match stopped {
        Some(Error::Interrupted) | None if games.sprt().decision() == Decision::AcceptH1 => {
            Ok(ExitCode::SUCCESS)
        }
        Some(Error::Interrupted) | None => Ok(ExitCode::from(FAILED)),
        Some(error) => Err(error.into()),
    }
}

/// The result of the test.
fn summary(games: &TestGames<'_>, new: &str, old: &str, stopped: Option<&Error>) -> String {
    let TestState { sprt: state, score } = games.state();
    let Score { wins, draws, losses, .. } = score;
    let mut text = format!(
        "{new}: {} in {}: {wins} won, {draws} drawn, {losses} lost\n",
        counted(score.games(), "game"),
        counted(score.games() / 2, "pair"),
    );
    if let (Some(share), Some(interval)) = (score.share(), score.interval()) {
        text.push_str(&format!(
            "share of the points {:.1}%, 95% interval {:.1}% to {:.1}% (biased away from 50%, because \
             the test stops early)\n",
            share * 100.0,
            interval.low * 100.0,
            interval.high * 100.0
        ));
    }
    let [lost, half, even, more, won] = games.sprt().pairs();
    text.push_str(&format!(
        "pairs with 0, 1/2, 1, 3/2, 2 points: {lost}, {half}, {even}, {more}, {won}\n\
         LLR {:.2}, bounds {:.2} and {:.2}\n",
        state.llr, state.lower, state.upper
    ));
    let adjudicated = adjudicated_in_words(games.reasons());
    if !adjudicated.is_empty() {
        text.push_str(&format!("adjudicated by: {adjudicated}\n"));
    }
    if games.pairs_without_result() > 0 {
        text.push_str(&format!(
            "{} not counted, because the host failed\n",
            counted(games.pairs_without_result(), "pair")
        ));
    }
    for fault in games.first_faults() {
        text.push_str(fault);
    }
    let (elo0, elo1) = (state.elo0, state.elo1);
    text.push_str(&match games.sprt().decision() {
        Decision::AcceptH1 => {
            format!("H1 accepted ({elo1:+} Elo rather than {elo0:+}): {new} is better than {old}\n")
        }
        Decision::AcceptH0 => format!(
            "H0 accepted ({elo0:+} Elo rather than {elo1:+}): {new} is not shown to be better than {old}\n"
        ),
        Decision::Continue if matches!(stopped, Some(Error::Interrupted)) => {
            "interrupted: undecided\n".to_string()
        }
        Decision::Continue if stopped.is_some() => "stopped: undecided\n".to_string(),
        Decision::Continue => "undecided after the last game\n".to_string(),
    });
    text
}

/// Output of a test while it runs.
enum Shown {
    /// A progress bar on a terminal.
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
            Shown::Json => {
                states.iter().try_for_each(|state| print_event(TestEvent::pair_ended(state)))
            }
            Shown::Bar(bar) => {
                let state = games.sprt().state();
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
