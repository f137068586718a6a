//! Monte Carlo tree search as a bot's [`Agent`] for Scotland Yard: turns the `turn` message into a
//! game, and the report into a choice with its `info`.

use super::belief::{Belief, Determinization};
use super::board_tables::BoardTables;
use super::cutoff::Cutoffs;
use super::habits::Habits;
use super::opening::Opening;
use super::simulation::{Observation, PlayoutSettings, YardSimulation};
use super::simulation_state::SimulationState;
use super::with_board_tables::BoardTablesAgent;
use crate::greedy::Greedy;
use crate::mcts_info::info;
use crate::mcts_limits::MctsLimits;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::Game;
use botyard_engine::random::choose;
use botyard_engine::scotland_yard::{
    Action, Arena, LimitUnit, Rules, ScotlandYard, Seats, Side, View,
};
use botyard_search::mcts::{Settings, TreeSearcher, Trees};
use serde_json::Value;

/// A bot's settings for one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// The settings of the tree search.
    pub settings: Settings,
    /// The settings of the simulation.
    pub playouts: PlayoutSettings,
    /// The way in which Mr. X's station is drawn.
    pub determinization: Determinization,
    /// How detectives open.
    pub opening: Opening,
    /// Whether one search decides for all detectives that are to move in a round, which needs a
    /// tree per player; otherwise there is one search per detective.
    pub plan: bool,
    /// Whether a detective that can step onto a candidate of Mr. X does so, at random, whatever the search says.
    pub decisive: bool,
}

impl Play {
    /// Returns whether the search depends on [`Habits`].
    pub fn uses_habits(&self) -> bool {
        self.determinization == Determinization::Learned || self.playouts.policy.is_believing()
    }

    /// Returns the simulation before a decision of `side`, which has this view and is to move in
    /// `simulated`; Mr. X is expected to have these habits.
    pub fn simulation<'a>(
        &self,
        game: &'a ScotlandYard,
        tables: &'a BoardTables,
        view: &View,
        simulated: SimulationState,
        side: Side,
        habits: &Habits,
    ) -> YardSimulation<'a> {
        let SimulationState { position, candidates, .. } = simulated;
        let belief = match self.determinization {
            Determinization::Learned => {
                Belief::by_habits(game, tables, view, &position, candidates, habits)
            }
            by => Belief::new(game, tables, view, &position, candidates, by),
        };
        YardSimulation::new(game, tables, self.playouts, side, simulated, belief, habits)
    }
}

/// Plays Scotland Yard by tree search.
///
/// For a side without settings it plays like [`Greedy`].
pub struct MctsAgent {
    mr_x: Option<Play>,
    detectives: Option<Play>,
    /// Where playouts of Mr. X and of the detectives are cut off; `None` for never.
    cutoffs: [Option<Cutoffs>; 2],
    limits: MctsLimits,
    /// The remaining steps of the plan of a round.
    plan: Vec<Action>,
    /// The searcher of each side played so far, with its memory.
    searches: [Option<TreeSearcher<Observation>>; 2],
}

impl MctsAgent {
    /// Makes an agent with settings for each side, within these limits.
    pub const fn new(
        mr_x: Option<Play>,
        detectives: Option<Play>,
        limits: MctsLimits,
    ) -> MctsAgent {
        MctsAgent {
            mr_x,
            detectives,
            cutoffs: [None, None],
            limits,
            plan: Vec::new(),
            searches: [None, None],
        }
    }

    /// Cuts the playouts of each side off, or with `None` plays them to the end of the game.
    #[must_use]
    pub(crate) fn with_cutoffs(
        self,
        mr_x: Option<Cutoffs>,
        detectives: Option<Cutoffs>,
    ) -> MctsAgent {
        MctsAgent { cutoffs: [mr_x, detectives], ..self }
    }
}

/// Returns a step of the detective to move onto a candidate, drawn among them; `None` if it has none.
fn onto_candidate(
    arena: &Arena,
    simulated: &SimulationState,
    rng: &mut AgentRng,
) -> Option<Action> {
    let detective = simulated.detective_to_move(arena)?;
    let mut onto = Vec::new();
    simulated.position.for_each_step(arena, detective, |ticket, to| {
        if simulated.candidates.contains(to) {
            onto.push(Action::Detective { detective, ticket, to });
        }
        true
    });
    choose(rng, &onto).copied()
}

/// Returns whether Mr. X has not been revealed yet.
pub(super) fn is_unseen(view: &View) -> bool {
    view.mr_x.station.is_none() && !view.log.iter().any(|entry| entry.reveal)
}

/// Returns the number of decisions that a seat must expect in this and all later rounds.
pub(super) fn decisions_to_come(rules: &Rules, round: u16, x_moves: usize, side: Side) -> u32 {
    let rounds = match rules.limit_unit {
        LimitUnit::Rounds => u32::from(rules.limit) + 1 - u32::from(round.min(rules.limit)),
        LimitUnit::XMoves => u32::from(rules.limit).saturating_sub(x_moves as u32).max(1),
    };
    let per_round = match (side, rules.seats) {
        (Side::Detectives, Seats::Sides) => u32::from(rules.detectives),
        _ => 1,
    };
    rounds * per_round
}

impl BoardTablesAgent for MctsAgent {
    fn new_game(&mut self) {
        self.plan.clear();
    }

    fn choose(
        &mut self,
        game: &ScotlandYard,
        tables: &BoardTables,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let side = ScotlandYard::side(turn.seat());
        let play = match side {
            Side::MrX => self.mr_x,
            Side::Detectives => self.detectives,
        };
        let Some(play) = play else { return Greedy.choose(game, turn, rng) };
        let view = turn.view()?;
        // Only the public and the seat's own parts of this state are used.
        let state = turn.possible_state(rng)?;
        let position = *state.position();
        let simulated = SimulationState::seen(game, view, position);
        let onto = match play.decisive && side == Side::Detectives {
            true => onto_candidate(game.arena(), &simulated, rng),
            false => None,
        };
        if let Some(place) = self.plan.iter().position(|&action| game.check(&state, action).is_ok())
        {
            let planned = self.plan.swap_remove(place);
            return Ok(onto.unwrap_or(planned).into());
        }
        self.plan.clear();
        if side == Side::Detectives
            && let Some(step) = play.opening.step(tables, game.arena(), &simulated, rng)
        {
            return Ok(step.into());
        }
        let cutoffs = self.cutoffs[usize::from(side == Side::Detectives)].as_ref();
        let cutoff = cutoffs.map(|cutoffs| cutoffs.on(game.rules().board));
        let habits = Habits::on(game.rules().board);
        let simulation = play.simulation(game, tables, view, simulated, side, habits);
        let simulation = simulation.with_cutoff(cutoff);
        let decisions = decisions_to_come(game.rules(), view.round, view.log.len(), side);
        let limits = self.limits.of(turn.budget(), decisions);
        let search = &mut self.searches[usize::from(side == Side::Detectives)];
        let search = search.get_or_insert_with(|| TreeSearcher::new(play.settings));
        let report = search.search(&simulation, &limits, rng);
        self.limits.searched(report.stall);
        if play.plan && play.settings.trees == Trees::PerPlayer {
            self.plan =
                report.plan.iter().copied().filter(|&action| Some(action) != report.best).collect();
        }
        let best = report.best.ok_or_else(|| turn.no_choice("the search tried no action"))?;
        let json = |action: &Action| serde_json::to_value(action).unwrap_or(Value::Null);
        let played = onto.unwrap_or(best);
        let mut info = info(&report, json);
        if played != best {
            info.pv = Some(vec![json(&played)]);
        }
        Ok(Choice::with_info(played, info))
    }
}
