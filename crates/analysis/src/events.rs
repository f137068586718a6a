//! The events of an analysis, as JSON lines for programs (`--json`): `decision_analyzed` for every
//! decision, and `analysis_ended`. Later versions may add fields; none changes its meaning.

use crate::text::seat_name;
use botyard_replay::{Analysis, Mistake};
use serde::Serialize;
use serde_json::Value;

/// An event of an analysis.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnalysisEvent<'a> {
    /// A decision.
    DecisionAnalyzed {
        /// Its number in the game, from 1.
        turn: u32,
        /// The seat, as an index from 0.
        seat: usize,
        /// The action that was played.
        played: &'a Value,
        /// The action that the bot would have chosen.
        best: &'a Value,
        /// How good the position is for the seat, in the unit of the bot.
        score: Option<f64>,
        /// The depth of the bot's search, in plies.
        depth: Option<u64>,
        /// The actions that the bot expects.
        pv: &'a [Value],
        /// The winning chance before the decision.
        chance: Option<f64>,
        /// The winning chance that it lost.
        loss: Option<f64>,
        /// The mark of a mistake.
        mark: Option<&'static str>,
    },
    /// After the last decision.
    AnalysisEnded {
        /// The game.
        game: &'a str,
        /// The ID of the game.
        game_id: &'a str,
        /// The bot.
        bot: &'a str,
        /// The number of decisions.
        decisions: usize,
        /// The decisions of each seat, counted.
        seats: Vec<SeatEntry>,
    },
}

/// The decisions of a seat, counted.
#[derive(Debug, Serialize)]
pub struct SeatEntry {
    seat: String,
    decisions: u32,
    same: u32,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
    mean_loss: Option<f64>,
}

impl AnalysisEvent<'_> {
    /// Returns all events of an analysis, in order.
    pub fn all(analysis: &Analysis) -> Vec<AnalysisEvent<'_>> {
        let decided = analysis.decisions.iter().zip(analysis.judged());
        let decided = decided.map(|(decision, judged)| AnalysisEvent::DecisionAnalyzed {
            turn: decision.turn,
            seat: decision.seat,
            played: &decision.played,
            best: &decision.best,
            score: decision.score,
            depth: decision.depth,
            pv: &decision.pv,
            chance: judged.chance,
            loss: judged.loss,
            mark: judged.mistake().map(Mistake::mark),
        });
        let seats = analysis.by_seat().into_iter().map(|counts| SeatEntry {
            seat: seat_name(analysis, counts.seat),
            decisions: counts.decisions,
            same: counts.same,
            inaccuracies: counts.inaccuracies,
            mistakes: counts.mistakes,
            blunders: counts.blunders,
            mean_loss: counts.mean_loss(),
        });
        let ended = AnalysisEvent::AnalysisEnded {
            game: &analysis.game,
            game_id: &analysis.game_id,
            bot: &analysis.bot,
            decisions: analysis.decisions.len(),
            seats: seats.collect(),
        };
        decided.chain([ended]).collect()
    }
}
