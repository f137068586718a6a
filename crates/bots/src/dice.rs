//! The bot `dice`: plans its turn at Dice Wars by an evaluation learned from games. It thinks for its
//! share of the time given, up to the number of positions beyond which more gain little: on a clock
//! of seconds it plays alike on every machine, and on a fast one it uses the time that there is.

use crate::dice_wars::time_plan::decisions_to_come;
use crate::dice_wars::{Evaluator, Hand, Learned, Network, Plan, PlanLimits, Planner, Planning};
use crate::mcts_limits::{own_time, time_option};
use crate::weights_option;
use botyard_agent::{
    Agent, AgentRng, Bot, Choice, Decision, Options, Punctuality, TimeBudget, TurnError,
};
use botyard_engine::dice_wars::{Action, DiceWars, Position};
use botyard_engine::random::choose;
use botyard_protocol::{Info, OptionSpec};
use std::time::Duration;

/// The default number of positions evaluated per decision.
const ENOUGH: u32 = 200_000;

/// The largest number of actions in a plan.
const DEEPEST: u32 = 12;

/// Returns the bot.
pub fn bot() -> Bot {
    let number =
        |min, max, default, about: &str| OptionSpec::Int { min, max, default, about: about.into() };
    let usual = Planning::default();
    Bot::new("dice", "plans its turn by an evaluation learned from games")
        .with_option(
            "eval",
            OptionSpec::Text {
                default: "learned".into(),
                about:
                    "how positions are evaluated: learned, by weights learned from games; hand, \
                        by hand-set ones; or a file of weights of `botyard train dice-wars fit`"
                        .into(),
            },
        )
        .with_option(
            "nodes",
            number(
                0,
                1_000_000_000,
                ENOUGH.into(),
                "positions to evaluate for a decision, if the time suffices; 0 for as many as the \
                 time allows",
            ),
        )
        .with_option("depth", number(1, DEEPEST.into(), DEEPEST.into(), "actions to look ahead"))
        .with_option("time", time_option())
        .with_option(
            "margin",
            OptionSpec::Float {
                min: 0.0,
                max: 1.0,
                default: 0.0,
                about: "margin of mistakes: the action is drawn among those that are at most this \
                        much worse than the best, as a win probability"
                    .into(),
            },
        )
        .with_option(
            "width",
            number(1, 64, usual.attacks as i64, "attacks followed up in a position"),
        )
        .with_option(
            "transfers",
            number(0, 64, usual.transfers as i64, "transfers followed up in a position"),
        )
        .for_research(&["width", "transfers"])
        .plays_if::<DiceWars>(agent)
}

/// Makes an agent for one game with these options.
///
/// # Errors
///
/// The file of weights cannot be read.
pub(crate) fn agent(options: &Options) -> Result<Box<dyn Agent<DiceWars>>, String> {
    let natural = |name| u32::try_from(options.int(name)).expect("its range is within u32");
    let planning = Planning {
        attacks: natural("width") as usize,
        transfers: natural("transfers") as usize,
        ..Planning::default()
    };
    let thought = Thought {
        depth: natural("depth"),
        nodes: Some(natural("nodes")).filter(|&nodes| nodes > 0).map(u64::from),
        time: own_time(options),
        margin: options.float("margin") as f32,
    };
    let learned = match options.text("eval") {
        "hand" => return Ok(Box::new(DiceAgent::new(Planner::new(planning, Hand), thought))),
        "learned" => Learned::new(),
        path => Learned::with(weights_option::read(path, "learned, hand", Network::from_bytes)?),
    };
    Ok(Box::new(DiceAgent::new(Planner::new(planning, learned), thought)))
}

/// The limits on thinking that the options set.
#[derive(Clone, Copy, Debug)]
struct Thought {
    depth: u32,
    nodes: Option<u64>,
    time: Option<Duration>,
    /// The margin of mistakes, as a win probability.
    margin: f32,
}

impl Thought {
    fn limits(
        &self,
        position: &Position,
        budget: &TimeBudget,
        punctuality: &Punctuality,
    ) -> PlanLimits {
        let decisions = decisions_to_come(position, budget.clock());
        let deadline = punctuality.deadline(budget, decisions);
        let most = if deadline.is_some() { u64::MAX } else { ENOUGH.into() };
        PlanLimits { depth: self.depth, nodes: self.nodes.unwrap_or(most), deadline }
    }
}

/// An agent that plays the plans of a planner.
struct DiceAgent<E> {
    planner: Planner<E>,
    thought: Thought,
    punctuality: Punctuality,
}

impl<E: Evaluator> DiceAgent<E> {
    fn new(planner: Planner<E>, thought: Thought) -> DiceAgent<E> {
        DiceAgent { planner, thought, punctuality: Punctuality::within(thought.time) }
    }
}

impl<E: Evaluator + Send> Agent<DiceWars> for DiceAgent<E> {
    fn choose(
        &mut self,
        _game: &DiceWars,
        turn: &Decision<'_, DiceWars>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let state = turn.possible_state(rng)?;
        let limits = self.thought.limits(state.position(), turn.budget(), &self.punctuality);
        let plan = self.planner.plan(state.map(), state.position(), &limits);
        self.punctuality.searched(plan.stall);
        let near = match self.thought.margin {
            0.0 => Vec::new(),
            margin => self.planner.actions_within(margin),
        };
        let action = choose(rng, &near).copied().unwrap_or(plan.action);
        Ok(Choice::with_info(action, info(&plan)))
    }
}

/// Returns the bot's report of its plan. The score is its probability of winning.
fn info(plan: &Plan) -> Info {
    Info {
        score: Some(plan.value.into()),
        depth: Some(plan.depth),
        nodes: Some(plan.nodes),
        text: Some(format!("{:.1}% if the turn ended now", 100.0 * plan.end_value)),
        ..Info::default()
    }
}
