//! The tree search of Sova 2021 as a bot's [`Agent`]: the detectives guess Mr. X's station,
//! search as if they knew it, and play the joint move pawn by pawn.

use super::joint_move::JointMove;
use super::round_tree::{RoundSearch, RoundSettings};
use super::shaping::Shaping;
use super::simulation::JointSimulation;
use crate::mcts_info::info;
use crate::mcts_limits::MctsLimits;
use crate::scotland_yard::agent::{decisions_to_come, is_unseen};
use crate::scotland_yard::{BoardTables, BoardTablesAgent, StationBits};
use botyard_agent::{AgentRng, Choice, Decision, TurnError};
use botyard_engine::Game;
use botyard_engine::random::choose;
use botyard_engine::scotland_yard::{Action, Position, ScotlandYard, Side, Station, View};
use botyard_search::mcts::{Settings, TreeSearcher};
use serde_json::Value;

/// The settings of the bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPlay {
    /// The settings of the tree search; shaped rewards have a separate exploration constant.
    pub settings: Settings,
    /// Whether the guess of Mr. X's station is a possible one.
    pub possible: bool,
    /// Whether the detectives move at random before the first reveal.
    pub random_unseen: bool,
    /// Whether rewards are shaped.
    pub shaped: bool,
    /// The settings of the search whose nodes are rounds; `None` for one whose nodes are the moves of
    /// one side.
    pub rounds: Option<RoundSettings>,
}

/// Plays either side.
pub struct JointMctsAgent {
    play: JointPlay,
    limits: MctsLimits,
    search: Option<TreeSearcher<JointMove>>,
    /// The remaining steps of the detectives' joint move, and the position in which the next one is
    /// due.
    rest: Option<(Position, Vec<Action>)>,
}

/// The number of random walks tried before a station is drawn instead.
const WALKS: usize = 100;

impl JointMctsAgent {
    /// Makes an agent with these settings and limits.
    pub const fn new(play: JointPlay, limits: MctsLimits) -> JointMctsAgent {
        JointMctsAgent { play, limits, search: None, rest: None }
    }

    /// Returns the next step of the joint move, if the position is the expected one; Mr. X's
    /// station is ignored.
    fn rest(&mut self, game: &ScotlandYard, position: &Position) -> Option<Action> {
        let (expected, mut steps) = self.rest.take()?;
        let here = position.with_mr_x(expected.mr_x());
        if here != expected || steps.is_empty() {
            return None;
        }
        let step = steps.remove(0);
        let mut after = here;
        after.apply(game.arena(), step);
        self.rest = Some((after, steps));
        Some(step)
    }
}

/// Guesses the station of a randomly moving Mr. X: by a random walk from where he was last seen,
/// with the tickets that he showed; with `possible`, past the detectives' stations at that time and
/// to a candidate. Before the first reveal, any candidate.
fn guess(
    game: &ScotlandYard,
    view: &View,
    candidates: &StationBits,
    possible: bool,
    rng: &mut AgentRng,
) -> Option<Station> {
    if let Some(station) = view.mr_x.station {
        return Some(station);
    }
    let seen = view.log.iter().rposition(|entry| entry.reveal && entry.station.is_some());
    if let Some(seen) = seen {
        for _ in 0..WALKS {
            let end = view.log[seen + 1..].iter().try_fold(view.log[seen].station?, |at, entry| {
                let board = game.board();
                let ways: Vec<Station> = board
                    .neighbours(at)
                    .iter()
                    .copied()
                    .filter(|&to| board.joins(at, entry.ticket, to))
                    .filter(|&to| !possible || !entry.detectives.occupy(to))
                    .collect();
                choose(rng, &ways).copied()
            });
            if let Some(end) = end.filter(|&end| !possible || candidates.contains(end)) {
                return Some(end);
            }
        }
    }
    candidates.choose(rng)
}

impl BoardTablesAgent for JointMctsAgent {
    fn new_game(&mut self) {
        self.rest = None;
    }

    fn choose(
        &mut self,
        game: &ScotlandYard,
        tables: &BoardTables,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let side = ScotlandYard::side(turn.seat());
        let view = turn.view()?;
        // Only the public and the seat's own parts of this state are used.
        let mut position = *turn.possible_state(rng)?.position();
        if side == Side::Detectives {
            if self.play.random_unseen && is_unseen(view) {
                let action = position.random_action(game.arena(), rng);
                return action.map(Choice::from).ok_or_else(|| turn.no_choice("no legal action"));
            }
            if let Some(step) = self.rest(game, &position) {
                return Ok(step.into());
            }
            let candidates = game.candidates_in(view).set().iter().collect();
            if let Some(station) = guess(game, view, &candidates, self.play.possible, rng) {
                position = position.with_mr_x(station);
            }
        }
        let shaping = self.play.shaped.then(|| (Shaping::new(game, tables), tables));
        // One search per round decides for all detectives, so they have as many as Mr. X.
        let decisions = decisions_to_come(game.rules(), view.round, view.log.len(), Side::MrX);
        let limits = self.limits.of(turn.budget(), decisions);
        let report = match self.play.rounds {
            Some(settings) => {
                let exploration = match shaping {
                    Some(_) => Shaping::UNSCALED_EXPLORATION,
                    None => settings.exploration,
                };
                let settings = RoundSettings { exploration, ..settings };
                RoundSearch::new(game, &position, settings, shaping).search(&limits, rng)
            }
            None => {
                let exploration = match &shaping {
                    Some((shaping, _)) => shaping.exploration() as f32,
                    None => self.play.settings.exploration,
                };
                let simulation = JointSimulation::new(game.arena(), position, shaping);
                let settings = Settings { exploration, ..self.play.settings };
                let search = self.search.get_or_insert_with(|| TreeSearcher::new(settings));
                search.search(&simulation, &limits, rng)
            }
        };
        self.limits.searched(report.stall);
        let best = report.best.ok_or_else(|| turn.no_choice("the search tried no action"))?;
        let mut steps: Vec<Action> = best.steps().collect();
        if steps.is_empty() {
            return Err(turn.no_choice("there is no legal action"));
        }
        let first = steps.remove(0);
        if side == Side::Detectives && !steps.is_empty() {
            let mut after = position;
            after.apply(game.arena(), first);
            self.rest = Some((after, steps));
        }
        let json = |joint: &JointMove| {
            let steps: Vec<Action> = joint.steps().collect();
            serde_json::to_value(steps).unwrap_or(Value::Null)
        };
        Ok(Choice::with_info(first, info(&report, json)))
    }
}
