//! Alpha-beta as a bot's [`Agent`] for Scotland Yard, on any board and for either side: as deep as
//! the time allows. Hidden information is drawn, averaged over, or assumed to be the worst case.

use super::evaluation::Closeness;
use super::hidden_game::{Aggregate, HiddenGame, HiddenScene};
use super::open_game::OpenGame;
use super::sova_agent::info;
use crate::scotland_yard::agent::decisions_to_come;
use crate::scotland_yard::averaging::{Average, deepest_average, drawn_states};
use crate::scotland_yard::{
    Belief, BoardTables, BoardTablesAgent, Determinization, SimulationState, StationBits,
};
use botyard_agent::{AgentRng, Choice, Decision, Punctuality, TurnError};
use botyard_engine::Game;
use botyard_engine::scotland_yard::{Action, ScotlandYard, Side};
use botyard_search::turns::{Settings, TurnGame, TurnSearcher};
use botyard_search::value::MOST_PLIES;
use botyard_search::{Limits, Report};
use std::time::Duration;

/// The treatment of Mr. X's hidden station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// The detectives draw some stations, search each as if they knew it, and average. Mr. X
    /// expects to be found less the more candidates there are.
    Determinize,
    /// The detectives search for all candidates together and take the worst. Mr. X assumes that
    /// they know his station.
    WorstCase,
    /// The detectives search for all candidates together and take the mean. Mr. X as in
    /// [`Hidden::Determinize`].
    Expected,
}

impl Hidden {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, Hidden); 3] = [
        ("determinize", Hidden::Determinize),
        ("worst-case", Hidden::WorstCase),
        ("expected", Hidden::Expected),
    ];
}

/// The settings of the bot.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBetaSettings {
    /// The treatment of Mr. X's hidden station.
    pub hidden: Hidden,
    /// The number of stations drawn, at least 1.
    pub determinizations: usize,
    /// Depth in turns, and nodes.
    pub limits: Limits,
    /// The longest time of a decision; `None` for what the clock allows.
    pub time: Option<Duration>,
    /// The size of the table in MiB; 0 for none.
    pub table_mebibytes: usize,
}

/// Plays either side.
pub struct AlphaBetaAgent {
    settings: AlphaBetaSettings,
    searcher: TurnSearcher<Action>,
    punctuality: Punctuality,
}

impl AlphaBetaAgent {
    /// Makes an agent with these settings.
    pub fn new(settings: AlphaBetaSettings) -> AlphaBetaAgent {
        AlphaBetaAgent {
            settings,
            searcher: TurnSearcher::new(Settings {
                table_mebibytes: settings.table_mebibytes,
                step: 1,
            }),
            punctuality: Punctuality::within(settings.time),
        }
    }

    /// Searches from each of several states with the same moves, and takes the move with the
    /// highest mean value.
    fn average(
        &mut self,
        open_game: &OpenGame<'_, Closeness>,
        states: &[(SimulationState, f64)],
        limits: &Limits,
    ) -> Report<Action> {
        let mut moves = Vec::new();
        if let Some((state, _)) = states.first() {
            open_game.for_each_move(state, |action| moves.push(action));
        }
        let mut report = Report {
            line: moves.first().copied().into_iter().collect(),
            ..Report::before_search(moves.first().copied())
        };
        self.searcher.begin(limits);
        let average = deepest_average(&moves, states, limits.depth, |state, depth, values| {
            self.searcher.values(open_game, state, depth, values)
        });
        if let Some(Average { action, value, depth }) = average {
            (report.best, report.line) = (Some(action), vec![action]);
            (report.value, report.depth) = (value, depth);
        }
        self.searcher.write_counts(&mut report);
        report
    }
}

/// The number of nodes visited if neither clock nor options limit the search.
const UNLIMITED: u64 = 1_000_000;

impl BoardTablesAgent for AlphaBetaAgent {
    fn choose(
        &mut self,
        game: &ScotlandYard,
        tables: &BoardTables,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        let AlphaBetaSettings { hidden, determinizations, limits, .. } = self.settings;
        let view = turn.view()?;
        // Only the public and the seat's own parts of this state are used.
        let position = *turn.possible_state(rng)?.position();
        let side = ScotlandYard::side(turn.seat());
        let candidates: StationBits = game.candidates_in(view).set().iter().collect();
        let decisions = decisions_to_come(game.rules(), view.round, view.log.len(), side);
        let deadline = self.punctuality.deadline(turn.budget(), decisions);
        let mut actions = 0;
        position.for_each_action(game.arena(), |_| actions += 1);
        let rounds = u32::from(game.rules().limit) + 1 - u32::from(position.round());
        let depth = match actions {
            // Nothing to think about.
            1 => 1,
            // At most to the end of the game: there are no more rounds than the limit.
            _ => limits.depth.min(2 * rounds),
        };
        let is_limited = deadline.is_some() || limits.depth < MOST_PLIES;
        let nodes = if is_limited { limits.nodes } else { limits.nodes.min(UNLIMITED) };
        let limits = Limits { depth, nodes, deadline };
        let closeness = Closeness::new(&position);
        let state =
            SimulationState { candidates, tracked: false, ..SimulationState::untracked(position) };
        let open_game = OpenGame::new(tables, game.arena(), closeness);
        let report = match (side, hidden) {
            (Side::MrX, _) => {
                let state = SimulationState { tracked: hidden != Hidden::WorstCase, ..state };
                self.searcher.search(&open_game, &state, &limits)
            }
            (Side::Detectives, Hidden::Determinize) => {
                let by = Determinization::Fleeing;
                let belief = Belief::new(game, tables, view, &position, candidates, by);
                let states = drawn_states(&belief, &position, determinizations.max(1), rng);
                self.average(&open_game, &states, &limits)
            }
            (Side::Detectives, Hidden::WorstCase | Hidden::Expected) => {
                let aggregate =
                    if hidden == Hidden::Expected { Aggregate::Expected } else { Aggregate::Worst };
                let hidden_game = HiddenGame::new(tables, game.arena(), closeness, aggregate);
                self.searcher.search(&hidden_game, &HiddenScene::new(state), &limits)
            }
        };
        self.punctuality.searched(report.stall);
        let best = report.best.ok_or_else(|| turn.no_choice("there is no legal action"))?;
        Ok(Choice::with_info(best, info(&report, 100.0)))
    }
}
