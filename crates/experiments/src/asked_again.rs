//! Rows whose bot searches the decisions of another row's games again: as soon as such a game is over, each of them is
//! asked at all its decisions.

use super::definition::{Experiment, Row};
use super::game_result::GameResult;
use botyard_analysis::{AnalysisConfig, Observer, run};
use botyard_protocol::OutcomeKind;
use botyard_referee::Interrupt;
use botyard_replay::{Analysis, AnalyzedDecision};
use botyard_runner::{ContainmentConfig, Error, Message, PlayedGame, Programs, Searches, message};
use std::collections::BTreeMap;
use std::path::Path;

/// The chosen rows that search the decisions of others again.
pub(crate) struct AskedAgain<'a> {
    experiment: &'a Experiment,
    rows: Vec<&'a Row>,
    /// The time per move in milliseconds, if not the experiment's.
    move_ms: Option<u64>,
    programs: &'a Programs,
    interrupt: &'a Interrupt,
}

impl<'a> AskedAgain<'a> {
    /// Makes those of the chosen rows.
    pub(crate) fn new(
        experiment: &'a Experiment,
        rows: impl Iterator<Item = &'a Row>,
        move_ms: Option<u64>,
        programs: &'a Programs,
        interrupt: &'a Interrupt,
    ) -> AskedAgain<'a> {
        let rows = rows.filter(|row| row.decisions_of.is_some()).collect();
        AskedAgain { experiment, rows, move_ms, programs, interrupt }
    }

    /// Returns the rows that search the decisions of this one.
    pub(crate) fn of(&self, row: &Row) -> Vec<&'a Row> {
        let is_of = |asked: &&Row| {
            asked.decisions_of.as_ref().is_some_and(|of| of.eq_ignore_ascii_case(&row.label))
        };
        self.rows.iter().copied().filter(is_of).collect()
    }

    /// Asks at the decisions of a game of this row, and returns the result of each row that asks. In a game
    /// that was not completed, no decision is searched again; it has a result, so that the row has all games.
    ///
    /// # Errors
    ///
    /// There is no replay, the bot fails, an interrupt, or a failure of the host.
    pub(crate) fn ask(
        &self,
        row: &Row,
        game: &GameResult,
        played: &PlayedGame,
    ) -> Result<Vec<GameResult>, Error> {
        let Some(replay) = played.replay.as_deref() else { return Ok(Vec::new()) };
        let one = |asked| match game.kind {
            OutcomeKind::Completed => self.ask_one(asked, game, replay),
            _ => Ok(self.result(asked, game, BTreeMap::new())),
        };
        self.of(row).into_iter().map(one).collect()
    }

    /// Returns the result of a row that asks.
    fn result(
        &self,
        row: &Row,
        game: &GameResult,
        searches: BTreeMap<String, Searches>,
    ) -> GameResult {
        let bot = self.bot(row);
        let bots = game.bots.keys().map(|seat| (seat.clone(), bot.clone())).collect();
        GameResult { row: row.label.clone(), bots, searches, ..game.clone() }
    }

    /// Returns the bot of a row that asks, with its time.
    fn bot(&self, row: &Row) -> String {
        row.bot.iter().map(|bot| self.experiment.timed(bot, self.move_ms)).collect()
    }

    fn ask_one(&self, row: &Row, game: &GameResult, replay: &Path) -> Result<GameResult, Error> {
        let seats = row.figures.iter().filter_map(|figure| figure.seat.clone());
        let config = AnalysisConfig {
            replay: replay.to_path_buf(),
            bot: self.bot(row),
            seats: seats.collect(),
            move_ms: self.experiment.cap_ms,
            depth: None,
            again: true,
            containment: ContainmentConfig::none(),
        };
        let (analysis, _) = run(&config, self.programs, self.interrupt, &mut Silent)
            .map_err(|error| error.within(message!["row ", &row.label]))?;
        Ok(self.result(row, game, searches(&analysis)))
    }
}

/// Returns the searches of each seat: the decisions for which the bot reported a depth.
fn searches(analysis: &Analysis) -> BTreeMap<String, Searches> {
    let mut by_seat: BTreeMap<String, Searches> = BTreeMap::new();
    for decision in &analysis.decisions {
        let (Some(seat), Some(_)) = (analysis.names.get(decision.seat), decision.depth) else {
            continue;
        };
        let seconds = decision.wall_us as f64 / 1e6;
        by_seat.entry(seat.clone()).or_default().add(seconds, 0, decision.score);
    }
    by_seat
}

/// Shows nothing: an experiment shows its games.
struct Silent;

impl Observer for Silent {
    fn warn(&mut self, _: &[Message]) {}

    fn started(&mut self, _: usize, _: usize) {}

    fn decided(&mut self, _: &AnalyzedDecision) {}
}
