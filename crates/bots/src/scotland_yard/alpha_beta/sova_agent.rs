//! The alpha-beta of Sova 2021 as a bot's [`Agent`]: the detectives search once after each reveal
//! and follow that plan, assuming that Mr. X answers as well as he can; Mr. X searches for every
//! move.

use super::open_game::OpenGame;
use super::sova_evaluation::{SovaEvaluation, SovaReadings};
use crate::scotland_yard::agent::{decisions_to_come, is_unseen};
use crate::scotland_yard::{BoardTables, BoardTablesAgent, SimulationState, StationBits};
use botyard_agent::{AgentRng, Choice, Decision, Punctuality, TurnError};
use botyard_engine::Game;
use botyard_engine::scotland_yard::{Action, Position, ScotlandYard, Side, Station, View};
use botyard_protocol::Info;
use botyard_search::turns::{Settings, TurnSearcher};
use botyard_search::{Limits, Report};
use serde_json::Value;

/// The settings of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SovaLimits {
    /// Rounds, 1 to `SovaEvaluation::MOST_ROUNDS`.
    pub rounds: u16,
    /// The size of the table in MiB; 0 for none.
    pub table_mebibytes: usize,
    /// The readings of the evaluation.
    pub readings: SovaReadings,
    /// Whether the detectives move at random before the first reveal.
    pub random_unseen: bool,
}

/// The limit of nodes, so that searches of large boards end without a clock: a thousand times what
/// three rounds of four agents need on 15x15.
const MOST_NODES: u64 = 20_000_000;

/// The plan of the detectives.
struct Plan {
    /// The number of reveals when it was made.
    reveals: usize,
    /// Their steps, each with its round.
    steps: Vec<(u16, Action)>,
    /// Mr. X's station after his move of each round, if he answers as expected.
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
    /// Makes an agent with these settings.
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

    /// Searches from a position that is assumed to be the true one.
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
        // Each side moves once a round, so that the detectives' search ends with Mr. X's answer (4.2).
        // A search that leaves it out makes them catch 20% less.
        let turns = 2 * u32::from(rounds);
        let deadline = self.punctuality.deadline(turn.budget(), decisions);
        let limits = Limits { depth: turns, nodes: MOST_NODES, deadline };
        let open_game = OpenGame::new(
            tables,
            game.arena(),
            SovaEvaluation::new(game, rounds, &position, self.limits.readings),
        );
        let report =
            self.searcher.search(&open_game, &SimulationState::untracked(position), &limits);
        self.punctuality.searched(report.stall);
        report
    }

    /// Returns the next step of the plan, if there is one and it is legal.
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

    /// Returns the station at which the detectives assume Mr. X: where they see him, where he is if
    /// he followed their plan, or any candidate.
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
    /// Makes the plan of a line from `root`.
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
        // Only the public and the seat's own parts of this state are used.
        let mut position = *turn.possible_state(rng)?.position();
        let reveals = view.log.iter().filter(|entry| entry.reveal).count();
        if ScotlandYard::side(turn.seat()) == Side::Detectives {
            if self.limits.random_unseen && is_unseen(view) {
                let action = position.random_action(game.arena(), rng);
                return action.map(Choice::from).ok_or_else(|| turn.no_choice("no legal action"));
            }
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
        let scale =
            SovaEvaluation::new(game, self.limits.rounds, &position, self.limits.readings).scale();
        Ok(Choice::with_info(best, info(&report, f64::from(scale))))
    }
}

/// Returns the bot's report of a search. `unit` is the number of points per unit of the score.
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
        ..Info::default()
    }
}
