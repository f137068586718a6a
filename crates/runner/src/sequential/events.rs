//! The events of a sequential test, as JSON lines for programs (`--json`): `test_started`,
//! `pair_ended` for every pair that counts, `concurrency_changed`, `test_ended`. Later versions may add fields; none
//! changes its meaning.

use super::{TestGames, TestState};
use crate::ConcurrencyChange;
use botyard_league::sprt::SprtState;
use botyard_protocol::{BotTime, TimeControl};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// An event of a test.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TestEvent<'a> {
    /// Before the first game.
    TestStarted {
        /// The version of `botyard`.
        version: &'static str,
        /// The name of the game.
        game: &'static str,
        /// The resolved rules.
        rules: Value,
        /// The name of the new version.
        new: &'a str,
        /// The name of the old version.
        old: &'a str,
        /// The seed as `--seed` takes it. Text: a number in JSON keeps 53 bits only.
        seed: String,
        /// The number of games after which the test ends undecided.
        max_games: u32,
        /// The number of games played at once.
        concurrency: usize,
        /// The clock, and the handling of faults.
        time_control: &'a TimeControl,
        /// The times of the bots that do not have those of `time_control`, by the bots' names.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        own_times: BTreeMap<&'a str, BotTime>,
        /// The hypotheses, before the first pair.
        test: SprtState,
    },
    /// Both games of a pair have ended, and the pair counts.
    PairEnded(StateEntry),
    /// Another number of games is played at once, because bots wait for cores or do not any more.
    ConcurrencyChanged(ConcurrencyChange),
    /// After the last game.
    TestEnded {
        /// The final state.
        #[serde(flatten)]
        state: StateEntry,
        /// Whether the test was interrupted.
        interrupted: bool,
        /// The number of pairs that do not count because one of their games has no result.
        pairs_without_result: u32,
    },
}

/// The state of a test after some pairs.
#[derive(Debug, Serialize)]
pub struct StateEntry {
    /// The sequential probability ratio test.
    #[serde(flatten)]
    sprt: SprtState,
    /// Games that the new version won.
    wins: u64,
    /// Games that were drawn.
    draws: u64,
    /// Games that it lost.
    losses: u64,
}

impl From<&TestState> for StateEntry {
    fn from(state: &TestState) -> StateEntry {
        let score = &state.score;
        StateEntry {
            sprt: state.sprt.clone(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
        }
    }
}

impl<'a> TestEvent<'a> {
    /// Returns the event before the first game.
    pub(crate) fn test_started(games: &TestGames<'a>) -> TestEvent<'a> {
        let plan = games.plan();
        let [new, old] = games.names();
        TestEvent::TestStarted {
            version: env!("CARGO_PKG_VERSION"),
            game: plan.schedule.game,
            rules: (plan.tables)().rules(),
            new,
            old,
            seed: plan.schedule.draws.to_string(),
            max_games: plan.schedule.games,
            concurrency: plan.concurrency,
            time_control: &plan.time,
            own_times: plan.own_times(),
            test: games.sprt().state(),
        }
    }

    /// Returns the event after a pair.
    pub fn pair_ended(state: &TestState) -> TestEvent<'a> {
        TestEvent::PairEnded(state.into())
    }

    /// Returns the event after the last game.
    pub fn test_ended(games: &TestGames<'a>, interrupted: bool) -> TestEvent<'a> {
        TestEvent::TestEnded {
            state: (&games.state()).into(),
            interrupted,
            pairs_without_result: games.pairs_without_result(),
        }
    }
}
