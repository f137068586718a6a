//! A [`LookaheadPolicy`] as a bot's [`Agent`], limited by the clock.

use super::game::WIN;
use super::policy::LookaheadPolicy;
use crate::dice_wars::{Evaluator, Policy};
use botyard_agent::{Agent, AgentRng, Choice, Decision, Punctuality, TurnError};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, DiceWars};
use botyard_engine::random::Rng;
use botyard_protocol::Info;
use botyard_search::Limits;
use botyard_search::Report;
use serde_json::Value;
use std::time::Duration;

/// The number of decisions that a game is expected to have left, for dividing a bank.
pub(crate) const DECISIONS_TO_COME: u32 = 60;

/// Plays Dice Wars by search.
pub struct LookaheadAgent<E> {
    policy: LookaheadPolicy<E>,
    punctuality: Punctuality,
}

impl<E: Evaluator> LookaheadAgent<E> {
    /// Makes an agent of a policy, within the policy's limits, its clock, and `time` for each
    /// decision if there is one.
    pub fn new(policy: LookaheadPolicy<E>, time: Option<Duration>) -> LookaheadAgent<E> {
        LookaheadAgent { policy, punctuality: Punctuality::within(time) }
    }
}

impl<E: Evaluator + Send> Agent<DiceWars> for LookaheadAgent<E> {
    fn new_game(&mut self, _game: &DiceWars, _you: &[Seat]) {
        self.policy.forget();
    }

    fn choose(
        &mut self,
        _game: &DiceWars,
        turn: &Decision<'_, DiceWars>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let state = turn.possible_state(rng)?;
        self.policy
            .check(state.map(), state.position())
            .map_err(|reason| turn.no_choice(reason))?;
        let deadline = self.punctuality.deadline(turn.budget(), DECISIONS_TO_COME);
        let limits = Limits { deadline, ..*self.policy.limits() }.within_reason();
        let decided = self.policy.decide(state.map(), state.position(), &limits, rng.next_u64());
        let Some(report) = decided.report else { return Ok(decided.action.into()) };
        self.punctuality.searched(report.stall);
        Ok(Choice::with_info(decided.action, info(&report)))
    }
}

/// Returns the bot's report of its search. The score is a probability of winning.
fn info(report: &Report<Action>) -> Info {
    let share = |value: i32| f64::from(value) / f64::from(WIN);
    let json = |action| serde_json::to_value(action).unwrap_or(Value::Null);
    let mut text = format!("{} positions judged", report.evaluated);
    if report.probes > 0 {
        let known = 100.0 * report.hits as f64 / report.probes as f64;
        text.push_str(&format!("; table knew {known:.0}%"));
    }
    if let Some(values) = report.values {
        let all = values.iter().filter(|&&value| value > 0).map(|&value| share(value));
        let all: Vec<String> = all.map(|share| format!("{share:.2}")).collect();
        text.push_str(&format!("; chances {}", all.join(" ")));
    }
    Info {
        score: (report.depth > 0).then(|| share(report.value)),
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        pv: Some(report.line.iter().map(json).collect()),
        text: Some(text),
        ..Info::default()
    }
}
