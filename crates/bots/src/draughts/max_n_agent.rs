//! Max-N as a bot's [`Agent`] for draughts, where it is minimax with shallow pruning.

use super::adapter::DraughtsSearch;
use botyard_agent::{Agent, AgentRng, Choice, Decision, Punctuality, TurnError};
use botyard_engine::draughts::{Draughts, Move, Position};
use botyard_protocol::Info;
use botyard_search::Limits;
use botyard_search::Report;
use botyard_search::multiplayer::{Algorithm, MultiplayerSearcher, Settings, Sided, TwoSides};
use botyard_search::two_sided::Evaluator;
use serde_json::Value;

/// The number of decisions that a game is expected to have left, for dividing a bank.
const DECISIONS_TO_COME: u32 = 25;

/// Plays draughts by Max-N.
pub struct MaxNAgent<E> {
    evaluator: E,
    limits: Limits,
    searcher: MultiplayerSearcher<Sided<Position>, Move>,
    punctuality: Punctuality,
}

impl<E: Evaluator<Position> + Clone> MaxNAgent<E> {
    /// Returns an agent that searches within these limits and its time.
    pub fn new(evaluator: E, limits: Limits) -> MaxNAgent<E> {
        let searcher = MultiplayerSearcher::new(Settings::new(Algorithm::MaxN));
        MaxNAgent { evaluator, limits, searcher, punctuality: Punctuality::default() }
    }
}

impl<E: Evaluator<Position> + Clone + Send> Agent<Draughts> for MaxNAgent<E> {
    fn choose(
        &mut self,
        game: &Draughts,
        turn: &Decision<'_, Draughts>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Move>, TurnError> {
        let position = *turn.possible_state(rng)?.position();
        let deadline = self.punctuality.deadline(turn.budget(), DECISIONS_TO_COME);
        let limits = Limits { deadline, ..self.limits }.within_reason();
        let search = DraughtsSearch::new(game.movement(), self.evaluator.clone());
        let root = Sided::root(position, turn.seat().into());
        let report = self.searcher.search(&TwoSides(&search), &root, &limits);
        self.punctuality.searched(report.stall);
        let best = report.best.ok_or_else(|| turn.no_choice("there is no legal move"))?;
        Ok(Choice::with_info(best, info(&report)))
    }
}

/// Returns the bot's report of its search. The score is in men.
fn info(report: &Report<Move>) -> Info {
    Info {
        score: (report.depth > 0).then(|| f64::from(report.value) / 100.0),
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        pv: Some(report.line.iter().map(|mv| Value::String(mv.to_string())).collect()),
        text: Some(format!("{} positions judged", report.evaluated)),
        ..Info::default()
    }
}
