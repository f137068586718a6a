//! A [`ParallelSearcher`] as a bot's [`Agent`] for draughts: turns the `turn` message into a root and
//! limits, and the report into a choice with its `info`.

use super::adapter::DraughtsSearch;
use botyard_agent::{Agent, AgentRng, Choice, Decision, Punctuality, TurnError};
use botyard_engine::draughts::endgame::Endgames;
use botyard_engine::draughts::{Draughts, Move, Position};
use botyard_engine::random::choose;
use botyard_engine::{Game, Seat};
use botyard_protocol::{ClockKind, Info};
use botyard_search::two_sided::{DrawRules, Evaluator, ParallelSearcher, Root, Settings};
use botyard_search::value::{MOST_EVALUATION, decided_in};
use botyard_search::{Limits, Report};
use serde_json::Value;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

/// The number of decisions that a game is expected to have left, for dividing a bank.
const DECISIONS_TO_COME: u32 = 25;

/// The number of decisions among which the bank is divided for one whose value falls: four times the
/// share of others.
const DECISIONS_AT_A_FALL: u32 = DECISIONS_TO_COME / 4;

/// Plays draughts by search.
pub struct SearchAgent<E: Evaluator<Position>> {
    settings: Settings,
    evaluator: E,
    limits: Limits,
    endgames: Option<Arc<Endgames>>,
    threads: NonZero<usize>,
    /// The margin of mistakes; a man is 100.
    margin: i32,
    searcher: Option<(DraughtsSearch<E>, ParallelSearcher<Position, Move>)>,
    punctuality: Punctuality,
}

impl<E: Evaluator<Position> + Clone> SearchAgent<E> {
    /// Makes an agent that searches within these limits and its time. The draw rules are those of
    /// the game, whatever `settings` are.
    pub fn new(settings: Settings, evaluator: E, limits: Limits) -> SearchAgent<E> {
        SearchAgent {
            settings,
            evaluator,
            limits,
            endgames: None,
            threads: NonZero::<usize>::MIN,
            margin: 0,
            searcher: None,
            punctuality: Punctuality::default(),
        }
    }

    /// Limits the time of a decision, whatever the clock allows.
    #[must_use]
    pub fn within(self, time: Option<Duration>) -> SearchAgent<E> {
        SearchAgent { punctuality: Punctuality::within(time), ..self }
    }

    /// Adds endgame tables, which the agent uses in games with their movement.
    #[must_use]
    pub fn with_endgames(self, endgames: Option<Arc<Endgames>>) -> SearchAgent<E> {
        SearchAgent { endgames, ..self }
    }

    /// Sets the number of threads of a search under a clock of wall-clock time; 1 otherwise. Under
    /// a clock of CPU time, which counts all threads, one thread makes the most of it.
    #[must_use]
    pub(crate) fn with_threads(self, threads: NonZero<usize>) -> SearchAgent<E> {
        SearchAgent { threads, ..self }
    }

    /// Draws the move among those that are at most `margin` worse than the best, in hundredths of a
    /// man. The search of these has the limits of a decision too.
    #[must_use]
    pub(crate) fn with_margin(self, margin: i32) -> SearchAgent<E> {
        SearchAgent { margin, ..self }
    }

    fn make_searcher(
        &self,
        game: &Draughts,
    ) -> (DraughtsSearch<E>, ParallelSearcher<Position, Move>) {
        let rules = game.rules();
        let draws = DrawRules {
            repetition: rules.draw_repetitions > 0,
            quiet_plies: rules.draw_quiet_plies,
        };
        let adapter = DraughtsSearch::new(game.movement(), self.evaluator.clone());
        let adapter = adapter.with_endgames(self.endgames.clone());
        (adapter, ParallelSearcher::new(Settings { draws, ..self.settings }, self.threads))
    }
}

impl<E: Evaluator<Position> + Clone + Send + Sync> Agent<Draughts> for SearchAgent<E> {
    fn new_game(&mut self, game: &Draughts, _you: &[Seat]) {
        self.searcher = Some(self.make_searcher(game));
    }

    fn choose(
        &mut self,
        game: &Draughts,
        turn: &Decision<'_, Draughts>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Move>, TurnError> {
        let state = turn.possible_state(rng)?;
        let mut earlier: Vec<u64> = state.earlier_positions().map(|p| p.key()).collect();
        earlier.reverse();
        let root = Root { position: *state.position(), earlier: &earlier };
        let [limits, reserve] = [DECISIONS_TO_COME, DECISIONS_AT_A_FALL].map(|decisions| {
            let deadline = self.punctuality.deadline(turn.budget(), decisions);
            Limits { deadline, ..self.limits }
        });
        let (mut search, mut searcher) =
            self.searcher.take().unwrap_or_else(|| self.make_searcher(game));
        search.set_root(&root.position);
        let report = match turn.budget().clock().kind {
            ClockKind::Wall => searcher.search_with_reserve(&search, &root, &limits, &reserve),
            ClockKind::Cpu => {
                searcher.main().search_with_reserve(&search, &root, &limits, &reserve)
            }
        };
        let near = match self.margin {
            0 => Vec::new(),
            margin => searcher.main().moves_within(&search, &root, &report, margin, &limits),
        };
        self.searcher = Some((search, searcher));
        self.punctuality.searched(report.stall);
        let best = choose(rng, &near).copied().or(report.best);
        let best = best.ok_or_else(|| turn.no_choice("there is no legal move"))?;
        Ok(Choice::with_info(best, info(&report, best)))
    }
}

/// Returns the bot's report of its search: the nodes are those of all threads. The score is in men: the
/// value of the position. The line begins with the move that is played.
fn info(report: &Report<Move>, played: Move) -> Info {
    let mut text = match decided_in(report.value) {
        Some(plies) if report.value > 0 => format!("wins in {plies} plies"),
        Some(plies) => format!("loses in {plies} plies"),
        None if report.value > MOST_EVALUATION => String::from("wins by the endgame tables"),
        None if report.value < -MOST_EVALUATION => String::from("loses by the endgame tables"),
        None => String::from("open"),
    };
    if let Some(growth) = report.growth() {
        text.push_str(&format!("; growth {growth:.2} a ply"));
    }
    if report.probes > 0 {
        let share = 100.0 * report.hits as f64 / report.probes as f64;
        text.push_str(&format!("; table knew {share:.0}%"));
    }
    if report.known > 0 {
        text.push_str(&format!("; endgame tables knew {} positions", report.known));
    }
    let line = match report.best == Some(played) {
        true => report.line.as_slice(),
        false => std::slice::from_ref(&played),
    };
    Info {
        score: (report.depth > 0).then(|| f64::from(report.value) / 100.0),
        depth: Some(report.depth),
        nodes: Some(report.nodes + report.helper_nodes),
        pv: Some(line.iter().map(|mv| Value::String(mv.to_string())).collect()),
        text: Some(text),
        ..Info::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::draughts::Movement;

    #[test]
    fn the_line_begins_with_the_move_that_is_played() {
        let moves = Position::START.moves(Movement::ENGLISH);
        let mut report = Report::before_search(Some(moves[0]));
        report.line = vec![moves[0], moves[2]];
        let pv = |played: Move| info(&report, played).pv.expect("a line");
        assert_eq!(pv(moves[0]), [moves[0].to_string(), moves[2].to_string()]);
        assert_eq!(pv(moves[1]), [moves[1].to_string()]);
    }
}
