//! The events of a sequential test, for programs: `test_started`, `pair_ended` for every pair that counts,
//! `test_ended`. As JSON they are what `--json` prints, one a line. Fields may be added; none changes its
//! meaning.

use super::{TestGames, TestState};
use botyard_league::sprt::SprtState;
use botyard_protocol::TimeControl;
use serde::Serialize;
use serde_json::Value;

/// What happens in a test.
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
        /// After how many games it ends undecided.
        max_games: u32,
        /// How many games are played at once.
        concurrency: usize,
        /// The clock, and what happens when a bot fails.
        time_control: &'a TimeControl,
        /// The hypotheses, before the first pair.
        test: SprtState,
    },
    /// A pair of games is whole and counts.
    PairEnded(StateEntry),
    /// After the last game.
    TestEnded {
        /// What it has come to.
        #[serde(flatten)]
        state: StateEntry,
        /// Whether it was interrupted.
        interrupted: bool,
        /// Pairs that do not count, because a game of theirs has no result.
        pairs_without_result: u32,
    },
}

/// A test after some of its pairs.
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
    /// The event before the first game.
    pub fn test_started(games: &TestGames<'a>) -> TestEvent<'a> {
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
            test: games.sprt().state(),
        }
    }

    /// The event after a pair.
    pub fn pair_ended(state: &TestState) -> TestEvent<'a> {
        TestEvent::PairEnded(state.into())
    }

    /// The event after the last game.
    pub fn test_ended(games: &TestGames<'a>, interrupted: bool) -> TestEvent<'a> {
        TestEvent::TestEnded {
            state: (&games.state()).into(),
            interrupted,
            pairs_without_result: games.pairs_without_result(),
        }
    }
}
