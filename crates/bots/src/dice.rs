//! The bot `dice`: plans its turn at Dice Wars by an evaluation learned from games. Its thinking is
//! limited by a number of positions, so that it plays alike on every machine. The clock applies if
//! time is short, or if there is no other limit.

use crate::dice_wars::{Evaluator, Hand, Learned, Plan, PlanLimits, Planner, Planning};
use botyard_agent::{
    Agent, AgentRng, Bot, Choice, Decision, Options, Punctuality, TimeBudget, TurnError,
};
use botyard_engine::dice_wars::{Action, DiceWars};
use botyard_protocol::{Info, OptionSpec};
use botyard_search::Deadline;
use std::time::Duration;

/// The number of decisions that a game is expected to have left, for dividing a bank.
const DECISIONS_TO_COME: u32 = 40;

/// The number of positions evaluated per decision if there is no other limit.
const UNLIMITED: u64 = 20_000;

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
            OptionSpec::Enum {
                values: ["learned", "hand"].map(String::from).to_vec(),
                default: "learned".into(),
                about: "how positions are evaluated: by weights learned from games, or set by hand"
                    .into(),
            },
        )
        .with_option(
            "nodes",
            number(
                0,
                1_000_000_000,
                3000,
                "positions to evaluate for a decision; 0 for as many as the time allows",
            ),
        )
        .with_option("depth", number(1, DEEPEST.into(), DEEPEST.into(), "actions to look ahead"))
        .with_option(
            "time",
            number(0, 86_400_000, 0, "milliseconds per decision; 0: set by the clock"),
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
        .plays::<DiceWars>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<DiceWars>> {
    let natural = |name| u32::try_from(options.int(name)).expect("its range is within u32");
    let planning = Planning {
        attacks: natural("width") as usize,
        transfers: natural("transfers") as usize,
        ..Planning::default()
    };
    let thought = Thought {
        depth: natural("depth"),
        nodes: Some(natural("nodes")).filter(|&nodes| nodes > 0).map(u64::from),
        time: Some(natural("time"))
            .filter(|&time| time > 0)
            .map(|ms| Duration::from_millis(ms.into())),
    };
    match options.text("eval") {
        "hand" => Box::new(DiceAgent::new(Planner::new(planning, Hand), thought)),
        _ => Box::new(DiceAgent::new(Planner::new(planning, Learned::new()), thought)),
    }
}

/// The limits on thinking that the options set.
#[derive(Clone, Copy, Debug)]
struct Thought {
    depth: u32,
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl Thought {
    fn limits(&self, budget: &TimeBudget, punctuality: &Punctuality) -> PlanLimits {
        let own = self.time.and_then(|time| budget.until(time));
        let clock = punctuality.deadline(budget, DECISIONS_TO_COME);
        let deadline = clock.into_iter().chain(own).reduce(Deadline::or);
        let most = if deadline.is_some() { u64::MAX } else { UNLIMITED };
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
        DiceAgent { planner, thought, punctuality: Punctuality::default() }
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
        let limits = self.thought.limits(turn.budget(), &self.punctuality);
        let plan = self.planner.plan(state.map(), state.position(), &limits);
        self.punctuality.searched(plan.stall);
        Ok(Choice::with_info(plan.action, info(&plan)))
    }
}

/// Returns the bot's report of its plan. The score is its probability of winning.
fn info(plan: &Plan) -> Info {
    Info {
        score: Some(plan.value.into()),
        depth: Some(plan.depth),
        nodes: Some(plan.nodes),
        pv: None,
        text: Some(format!("{:.1}% if the turn ended now", 100.0 * plan.end_value)),
    }
}
