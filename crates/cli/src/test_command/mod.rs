//! `botyard test`: a sequential probability ratio test of whether a new version of a bot is better
//! than the old one, over pairs of games. The statistics are in the crate `botyard-league`.

mod arguments;

pub(crate) use arguments::TestArgs;

use crate::bars::bar_of_games;
use crate::failure::{Failure, after_games, unless_closed};
use crate::installed::programs;
use crate::text::{out, warn, warn_during_games};
use botyard_league::sprt::{Decision, Sprt};
use botyard_referee::Interrupt;
use botyard_runner::{Error, JsonLines, Observer, Plan, RunObserver, TestGames, TestState};
use indicatif::ProgressBar;
use std::io;
use std::process::ExitCode;

/// Plays the test that the arguments ask for.
pub(crate) fn run(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)
        .map_err(Failure::usage)?;
    let mut plan = Plan::new(&args.into(), &programs()?)?;
    plan.announce_overload(warn_during_games);
    warn(&plan.warnings);
    let schedule = TestGames::schedule(&plan)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let games = TestGames::new(&plan, &schedule, sprt);
    unless_closed(play(games, args.json, &interrupt))
}

fn play(mut games: TestGames<'_>, json: bool, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let stopped = match json {
        true => games.play(&mut JsonLines::new(io::stdout()), interrupt)?,
        false => games.play(&mut Shown { bar: ProgressBar::hidden() }, interrupt)?,
    };
    after_games(stopped, games.sprt().decision() == Decision::AcceptH1)
}

/// Shows a test as a progress bar on a terminal.
struct Shown {
    bar: ProgressBar,
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl<'a> Observer<TestGames<'a>> for Shown {
    fn ended(
        &mut self,
        games: &TestGames<'a>,
        states: Option<Vec<TestState>>,
    ) -> Result<(), Error> {
        if states.is_some() {
            let state = games.sprt().state();
            self.bar.inc(1);
            self.bar.set_message(format!(
                "LLR {:.2} ({:.2} to {:.2})",
                state.llr, state.lower, state.upper
            ));
        }
        Ok(())
    }
}

impl<'a> RunObserver<TestGames<'a>> for Shown {
    fn begun(&mut self, games: &TestGames<'a>) -> Result<(), Error> {
        out(&games.question()).map_err(Error::Output)?;
        self.bar = bar_of_games(games.plan().schedule.games);
        Ok(())
    }

    fn finished(&mut self, games: &TestGames<'a>, stopped: Option<&Error>) -> Result<(), Error> {
        self.bar.finish_and_clear();
        out(&games.to_text(stopped)).map_err(Error::Output)
    }
}
