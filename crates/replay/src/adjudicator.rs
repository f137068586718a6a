//! The adjudication of games whose result is clear before the rules end them: by the scores that
//! both bots report, or by endgame tables. Off unless a match asks for it. The [`Course`] applies
//! it after every decision, so the referee and [`verify`](crate::verify()) give the same results.
//!
//! [`Course`]: crate::Course

use botyard_engine::{EndgameResult, EndgameTables, MAX_SEATS, Scores, Seat, Table, Turn};
use botyard_protocol::{Adjudicated, Adjudication, AdjudicationError, MOST_SCORE};
use serde::Deserialize;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// Why a game cannot be adjudicated as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdjudicatorError {
    /// A number out of its range.
    #[error(transparent)]
    Rule(#[from] AdjudicationError),
    /// The game is of another kind.
    #[error(
        "games can be adjudicated that have two seats, no hidden information, no chance, and one \
         point to be won; {0} under these rules is another kind of game"
    )]
    Game(&'static str),
    /// The endgame tables are for other games.
    #[error("{0}")]
    Tables(String),
    /// The tables have fewer pieces than the rule.
    #[error("expected endgame tables of up to {expected} pieces, got tables of up to {got}")]
    Pieces {
        /// The number in the rule.
        expected: u32,
        /// The number of the tables.
        got: u32,
    },
}

/// The rules of adjudication of a game, with the tables that they need.
#[derive(Clone, Default)]
pub struct Adjudicator {
    rules: Adjudication,
    endgames: Option<Arc<dyn EndgameTables>>,
}

impl Adjudicator {
    /// Makes the adjudicator of games at such a table. Without `endgames` the rule `egdb` never ends
    /// a game by itself.
    ///
    /// # Errors
    ///
    /// The rules cannot be used in this game, or the tables are not those of the rule.
    pub fn new(
        rules: Adjudication,
        endgames: Option<Arc<dyn EndgameTables>>,
        table: &dyn Table,
    ) -> Result<Adjudicator, AdjudicatorError> {
        rules.check()?;
        if rules.is_off() {
            return Ok(Adjudicator::default());
        }
        let is_adjudicable =
            table.seats().len() == 2 && !table.has_secrets() && table.scores() == Scores::ONE_POINT;
        if !is_adjudicable {
            return Err(AdjudicatorError::Game(table.game()));
        }
        let Some(egdb) = rules.egdb else { return Ok(Adjudicator { rules, endgames: None }) };
        if let Some(endgames) = &endgames {
            endgames.check(table).map_err(AdjudicatorError::Tables)?;
            if endgames.pieces() < egdb.pieces {
                let (expected, got) = (egdb.pieces, endgames.pieces());
                return Err(AdjudicatorError::Pieces { expected, got });
            }
        }
        Ok(Adjudicator { rules, endgames })
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Adjudication {
        &self.rules
    }

    /// Returns whether no rule is set.
    pub fn is_off(&self) -> bool {
        self.rules.is_off()
    }

    /// Returns whether the game is looked up in endgame tables that are not there.
    pub(crate) fn lacks_tables(&self) -> bool {
        self.rules.egdb.is_some() && self.endgames.is_none()
    }

    /// Returns the result of the position by the tables, if the rule is set and they know it.
    fn looked_up(&self, table: &dyn Table) -> Option<EndgameResult> {
        self.endgames.as_ref()?.result(table, self.rules.egdb?.pieces)
    }
}

impl fmt::Debug for Adjudicator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.endgames.as_ref().map(|endgames| endgames.pieces());
        formatter
            .debug_struct("Adjudicator")
            .field("rules", &self.rules)
            .field("pieces", &pieces)
            .finish()
    }
}

/// The end of a game by adjudication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AdjudicatedEnd {
    pub rule: Adjudicated,
    /// The winner; `None` for a draw.
    pub winner: Option<Seat>,
}

impl AdjudicatedEnd {
    /// Returns the end at a position with this value.
    pub(crate) fn by_tables(table: &dyn Table, result: EndgameResult) -> Option<AdjudicatedEnd> {
        let Turn::Seat(seat) = table.turn() else { return None };
        let winner = match result {
            EndgameResult::Win => Some(seat),
            EndgameResult::Draw => None,
            EndgameResult::Loss => Some(other(seat)),
        };
        Some(AdjudicatedEnd { rule: Adjudicated::Egdb, winner })
    }

    /// Returns the scores and the ranks of the two seats.
    pub(crate) fn scores_and_ranks(self) -> (Vec<f64>, Vec<u8>) {
        match self.winner.map(Seat::index) {
            None => (vec![0.5, 0.5], vec![1, 1]),
            Some(0) => (vec![1.0, 0.0], vec![1, 2]),
            Some(_) => (vec![0.0, 1.0], vec![2, 1]),
        }
    }
}

/// The scores reported so far: for how many of its last moves each seat has reported a score of
/// each kind without interruption.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streaks {
    even: [u32; MAX_SEATS],
    behind: [u32; MAX_SEATS],
    ahead: [u32; MAX_SEATS],
}

impl Streaks {
    /// Counts a move of a seat, with the `info` of its bot, and returns how the game is adjudicated
    /// by it. `turn` is the number of the move over both seats. Tables take precedence, then
    /// resignation.
    pub(crate) fn count(
        &mut self,
        adjudicator: &Adjudicator,
        table: &dyn Table,
        (seat, turn): (Seat, u32),
        info: Option<&str>,
    ) -> Option<AdjudicatedEnd> {
        let rules = &adjudicator.rules;
        let score = match rules.draw.is_some() || rules.resign.is_some() {
            true => info.and_then(reported_score),
            false => None,
        };
        let (own, others) = (seat.index(), other(seat).index());
        let extend = |streak: &mut u32, holds: bool| {
            *streak = if holds { streak.saturating_add(1) } else { 0 };
        };
        if let Some(rule) = rules.draw {
            extend(&mut self.even[own], score.is_some_and(|score| score.abs() <= rule.score));
        }
        if let Some(rule) = rules.resign {
            extend(&mut self.behind[own], score.is_some_and(|score| score <= -rule.score));
            extend(&mut self.ahead[own], score.is_some_and(|score| score >= rule.score));
        }
        if !matches!(table.turn(), Turn::Seat(_)) {
            return None;
        }
        if let Some(result) = adjudicator.looked_up(table) {
            return AdjudicatedEnd::by_tables(table, result);
        }
        if let Some(rule) = rules.resign {
            // A seat resigns after its own move, or after the other seat has agreed by its move.
            for (loser, winner) in [(own, others), (others, own)] {
                let agrees = !rule.twosided || self.ahead[winner] >= rule.movecount;
                if self.behind[loser] >= rule.movecount && agrees {
                    let winner = Some(Seat::new(winner));
                    return Some(AdjudicatedEnd { rule: Adjudicated::Resign, winner });
                }
            }
        }
        let rule = rules.draw?;
        let is_late = u64::from(turn) >= 2 * u64::from(rule.movenumber);
        let is_even = self.even[own].min(self.even[others]) >= rule.movecount;
        (is_late && is_even).then_some(AdjudicatedEnd { rule: Adjudicated::Draw, winner: None })
    }
}

/// Returns the score in a bot's `info`, if it is a number that the rules use.
fn reported_score(info: &str) -> Option<f64> {
    #[derive(Deserialize)]
    struct Info {
        score: Value,
    }
    let info: Info = serde_json::from_str(info).ok()?;
    info.score.as_f64().filter(|score| score.abs() <= MOST_SCORE)
}

/// Returns the other of two seats.
fn other(seat: Seat) -> Seat {
    Seat::new(1 - seat.index().min(1))
}
