//! The first source's alpha-beta as a bot's [`Agent`]: the detectives search once after each reveal
//! and keep to the plan they made, taking for granted that Mr. X answers as well as he can; Mr. X
//! searches anew for every move.

use super::open_game::OpenGame;
use super::sova_evaluation::SovaEvaluation;
use crate::scotland_yard::agent::decisions_to_come;
use crate::scotland_yard::{BoardTables, BoardTablesAgent, SimulationState, StationBits};
use botyard_agent::{AgentRng, Choice, Decision, Punctuality, TurnError};
use botyard_engine::Game;
use botyard_engine::scotland_yard::{Action, Position, ScotlandYard, Side, Stage, Station, View};
use botyard_protocol::Info;
use botyard_search::turns::{Settings, TurnSearcher};
use botyard_search::{Limits, Report};
use serde_json::Value;

/// How the bot searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SovaLimits {
    /// Rounds, 1 to [`SovaEvaluation::MOST_ROUNDS`].
    pub rounds: u16,
    /// The memory of the table in MiB; 0 for none.
    pub table_mebibytes: usize,
}

/// How many nodes are visited at most, so that without a clock large boards come to an end: a
/// thousand times what three rounds of four agents need on 15x15.
const MOST_NODES: u64 = 20_000_000;

/// What the detectives mean to do.
struct Plan {
    /// How many reveals there were when it was made.
    reveals: usize,
    /// Their steps, each with its round.
    steps: Vec<(u16, Action)>,
    /// Where Mr. X is after his move of each round, if he answers as expected.
    mr_x: Vec<(u16, Station)>,
}

/// Plays either side.
pub struct SovaAgent {
    limits: SovaLimits,
    searcher: TurnSearcher<Action>,
    punctuality: Punctuality,
    plan: Option<Plan>,
}

impl SovaAgent {
    /// An agent that searches so deep.
    pub fn new(limits: SovaLimits) -> SovaAgent {
        SovaAgent {
            limits,
            searcher: TurnSearcher::new(Settings {
                table_mebibytes: limits.table_mebibytes,
                step: 2,
            }),
            punctuality: Punctuality::default(),
            plan: None,
        }
    }

    /// Searches from a position that is taken for the true one.
    fn search(
        &mut self,
        game: &ScotlandYard,
        tables: &BoardTables,
        turn: &Decision<'_, ScotlandYard>,
        position: Position,
    ) -> Report<Action> {
        let side = ScotlandYard::side(turn.seat());
        let decisions =
            decisions_to_come(game.rules(), position.round(), position.x_moves().into(), side);
        let rounds = self.limits.rounds.clamp(1, SovaEvaluation::MOST_ROUNDS);
        // Up to the end of the detectives' last part.
        let turns = match position.stage() {
            Stage::Detectives => 2 * u32::from(rounds) - 1,
            _ => 2 * u32::from(rounds),
        };
        let deadline = self.punctuality.deadline(turn.budget(), decisions);
        let limits = Limits { depth: turns, nodes: MOST_NODES, deadline };
        let open_game =
            OpenGame::new(tables, game.arena(), SovaEvaluation::new(game, rounds, &position));
        let report =
            self.searcher.search(&open_game, &SimulationState::untracked(position), &limits);
        self.punctuality.searched(report.stall);
        report
    }

    /// The step of the plan that is due, if there is one and it can be made.
    fn planned(&self, game: &ScotlandYard, position: &Position, reveals: usize) -> Option<Action> {
        let plan = self.plan.as_ref().filter(|plan| plan.reveals == reveals)?;
        let due = SimulationState::untracked(*position).detective_to_move(game.arena())?;
        plan.steps.iter().find_map(|&(round, action)| match action {
            Action::Detective { detective, .. } if detective == due => {
                let fits =
                    round == position.round() && position.check(game.arena(), action).is_ok();
                fits.then_some(action)
            }
            _ => None,
        })
    }

    /// Where the detectives take Mr. X to be: where they see him, where he is if he did as they
    /// expected, or any station where he can be.
    fn guess(
        &self,
        view: &View,
        candidates: StationBits,
        reveals: usize,
        rng: &mut AgentRng,
    ) -> Option<Station> {
        let expected = || {
            let plan = self.plan.as_ref().filter(|plan| plan.reveals == reveals)?;
            let (_, station) = plan.mr_x.iter().find(|(round, _)| *round == view.round)?;
            Some(*station).filter(|station| candidates.contains(*station))
        };
        view.mr_x.station.or_else(expected).or_else(|| candidates.choose(rng))
    }
}

impl Plan {
    /// The plan that a line from `root` amounts to.
    fn new(game: &ScotlandYard, root: Position, line: &[Action], reveals: usize) -> Plan {
        let mut plan = Plan { reveals, steps: Vec::new(), mr_x: Vec::new() };
        let mut position = root;
        for &action in line {
            let round = position.round();
            match action {
                Action::Detective { .. } => plan.steps.push((round, action)),
                Action::MrX { double: true, .. } => {}
                Action::MrX { to, .. } => plan.mr_x.push((round, to)),
            }
            position.apply(game.arena(), action);
        }
        plan
    }
}

impl BoardTablesAgent for SovaAgent {
    fn new_game(&mut self) {
        self.plan = None;
    }

    fn choose(
        &mut self,
        game: &ScotlandYard,
        tables: &BoardTables,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let view = turn.view()?;
        // All that is used of this state is public or the seat's own.
        let mut position = *turn.possible_state(rng)?.position();
        let reveals = view.log.iter().filter(|entry| entry.reveal).count();
        if ScotlandYard::side(turn.seat()) == Side::Detectives {
            if let Some(action) = self.planned(game, &position, reveals) {
                return Ok(action.into());
            }
            let candidates = game.candidates_in(view).set().iter().collect();
            if let Some(station) = self.guess(view, candidates, reveals, rng) {
                position = position.with_mr_x(station);
            }
        }
        let report = self.search(game, tables, turn, position);
        let best = report.best.ok_or_else(|| turn.no_choice("there is no legal action"))?;
        if ScotlandYard::side(turn.seat()) == Side::Detectives {
            self.plan = Some(Plan::new(game, position, &report.line, reveals));
        }
        let scale = SovaEvaluation::new(game, self.limits.rounds, &position).scale();
        Ok(Choice::with_info(best, info(&report, f64::from(scale))))
    }
}

/// What a bot says of a search whose values are so many to the unit.
pub(super) fn info(report: &Report<Action>, unit: f64) -> Info {
    let share = 100.0 * report.hits as f64 / report.probes.max(1) as f64;
    Info {
        score: (report.depth > 0).then(|| f64::from(report.value) / unit),
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        pv: Some(
            report
                .line
                .iter()
                .map(|action| serde_json::to_value(action).unwrap_or(Value::Null))
                .collect(),
        ),
        text: Some(format!("{} turns deep; table knew {share:.0}%", report.depth)),
    }
}
