//! Monte Carlo tree search as a bot's [`Agent`] for draughts. A playout ends as soon as there is no
//! capture, and an evaluation gives its value: random play to the end is uninformative in a game in
//! which one mistake costs a man.

use crate::mcts_info::info;
use crate::mcts_limits::MctsLimits;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::draughts::{Draughts, Move, Position, State};
use botyard_search::mcts::{GameSimulation, Happened, Rewards, Settings, TreeSearcher};
use botyard_search::two_sided::Evaluator;

/// The number of decisions that a game is expected to have left, for dividing a bank.
const DECISIONS_TO_COME: u32 = 25;

/// The advantage with which three quarters of the points are expected; a man is 100.
const THREE_OF_FOUR: f32 = 150.0;

/// Plays draughts by tree search with evaluated playouts.
pub struct PlayoutAgent<E> {
    search: TreeSearcher<Happened<Draughts>>,
    evaluator: E,
    limits: MctsLimits,
}

impl<E: Evaluator<Position>> PlayoutAgent<E> {
    /// Makes an agent that searches within its time.
    pub const fn new(settings: Settings, evaluator: E, limits: MctsLimits) -> PlayoutAgent<E> {
        PlayoutAgent { search: TreeSearcher::new(settings), evaluator, limits }
    }
}

/// Returns the points to expect with an advantage, from 0 to 1.
fn expected(advantage: i32) -> f32 {
    let advantage = advantage as f32;
    0.5 + 0.5 * advantage / (advantage.abs() + THREE_OF_FOUR)
}

impl<E: Evaluator<Position> + Send + Sync> Agent<Draughts> for PlayoutAgent<E> {
    fn choose(
        &mut self,
        game: &Draughts,
        turn: &Decision<'_, Draughts>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Move>, TurnError> {
        // Checks the view before the search, to report errors.
        turn.possible_state(rng)?;
        let simulation = GameSimulation::new(game, turn.view()?, turn.seat(), rng)
            .map_err(|illegal| turn.no_choice(illegal.to_string()))?;
        let judge = |state: &State| {
            let position = state.position();
            if position.can_capture() {
                return None;
            }
            let own = expected(self.evaluator.evaluate(position));
            let mut rewards = Rewards::default();
            rewards[game.seat(position.turn()).index()] = own;
            rewards[game.seat(position.turn().other()).index()] = 1.0 - own;
            Some(rewards)
        };
        let simulation = simulation.judged_by(&judge);
        let limits = self.limits.of(turn.budget(), DECISIONS_TO_COME);
        let report = self.search.search(&simulation, &limits, rng);
        self.limits.searched(report.stall);
        let best = report.best.ok_or_else(|| turn.no_choice("the search tried no action"))?;
        Ok(Choice::with_info(best, info(&report, |mv| mv.to_string().into())))
    }
}
