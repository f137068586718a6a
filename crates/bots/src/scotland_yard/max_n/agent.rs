//! Max-N as a bot's [`Agent`] for Scotland Yard, for either side. The detectives draw some of Mr.
//! X's candidates, search each as if they knew it, and average; Mr. X expects to be found less the
//! more candidates there are.

use super::game::MaxNGame;
use crate::scotland_yard::agent::decisions_to_come;
use crate::scotland_yard::averaging::{Average, deepest_average, drawn_states};
use crate::scotland_yard::{
    Belief, BoardTables, BoardTablesAgent, Determinization, SimulationState, StationBits,
};
use botyard_agent::{AgentRng, Choice, Decision, Punctuality, TurnError};
use botyard_engine::Game;
use botyard_engine::scotland_yard::{Action, ScotlandYard, Side};
use botyard_protocol::Info;
use botyard_search::Limits;
use botyard_search::Report;
use botyard_search::multiplayer::{Algorithm, MultiplayerGame, MultiplayerSearcher, Settings};
use serde_json::Value;

/// Plays either side.
pub struct MaxNAgent {
    limits: Limits,
    /// The number of stations drawn for a decision of the detectives, at least 1.
    determinizations: usize,
    searcher: MultiplayerSearcher<SimulationState, Action>,
    punctuality: Punctuality,
}

impl MaxNAgent {
    /// Makes an agent that searches within these limits (depth in steps of pawns) and its time, and
    /// draws this many stations.
    pub fn new(limits: Limits, determinizations: usize) -> MaxNAgent {
        MaxNAgent {
            limits,
            determinizations,
            searcher: MultiplayerSearcher::new(Settings::new(Algorithm::MaxN)),
            punctuality: Punctuality::default(),
        }
    }

    /// Searches from each of several states with the same moves, and takes the move with the
    /// highest mean value.
    fn average(
        &mut self,
        players: &MaxNGame<'_>,
        states: &[(SimulationState, f64)],
        limits: &Limits,
    ) -> Report<Action> {
        let mut moves = Vec::new();
        if let Some((state, _)) = states.first() {
            players.for_each_move(state, |action| moves.push(action));
        }
        let mut report = Report::before_search(moves.first().copied());
        self.searcher.begin(limits);
        let average = deepest_average(&moves, states, limits.depth, |state, depth, values| {
            self.searcher.values(players, state, depth, values)
        });
        if let Some(Average { action, value, depth }) = average {
            (report.best, report.line) = (Some(action), vec![action]);
            (report.value, report.depth) = (value, depth);
        }
        self.searcher.write_counts(&mut report);
        report
    }
}

impl BoardTablesAgent for MaxNAgent {
    fn choose(
        &mut self,
        game: &ScotlandYard,
        tables: &BoardTables,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let view = turn.view()?;
        // Only the public and the seat's own parts of this state are used.
        let position = *turn.possible_state(rng)?.position();
        let side = ScotlandYard::side(turn.seat());
        let candidates: StationBits = game.candidates_in(view).set().iter().collect();
        let decisions = decisions_to_come(game.rules(), view.round, view.log.len(), side);
        let deadline = self.punctuality.deadline(turn.budget(), decisions);
        let limits = Limits { deadline, ..self.limits }.within_reason();
        // At most to the end of the game: Mr. X may step twice, and all pawns move.
        let rounds = u32::from(game.rules().limit) + 1 - u32::from(position.round());
        let pawns = 2 + position.all_detectives().count() as u32;
        let players = MaxNGame::new(tables, game.arena(), &position);
        let mut choices = 0;
        position.for_each_action(game.arena(), |_| choices += 1);
        let depth = if choices == 1 { 1 } else { limits.depth.min(rounds * pawns) };
        let limits = Limits { depth, ..limits };
        let report = match side {
            Side::MrX => {
                let state = SimulationState { position, candidates, tracked: true };
                self.searcher.search(&players, &state, &limits)
            }
            Side::Detectives => {
                let by = Determinization::Fleeing;
                let belief = Belief::new(game, tables, view, &position, candidates, by);
                let count = self.determinizations.max(1);
                let states = drawn_states(&belief, &position, count, rng);
                self.average(&players, &states, &limits)
            }
        };
        self.punctuality.searched(report.stall);
        let best = report.best.ok_or_else(|| turn.no_choice("there is no legal action"))?;
        Ok(Choice::with_info(best, info(&report)))
    }
}

/// Returns the bot's report of its search.
fn info(report: &Report<Action>) -> Info {
    let json = |action| serde_json::to_value(action).unwrap_or(Value::Null);
    Info {
        score: (report.depth > 0).then(|| f64::from(report.value) / 100.0),
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        pv: Some(report.line.iter().map(json).collect()),
        text: Some(format!("{} steps deep; {} positions judged", report.depth, report.evaluated)),
        ..Info::default()
    }
}
