//! The evaluation of Sova 2021 (5.4.2): the sum over the turns of how near the detectives are, and
//! for a capture a value that is larger the sooner it comes. Mr. X's values have the opposite sign:
//! distances are good for him.

use super::open_game::Evaluation;
use crate::scotland_yard::{BoardTables, SimulationState};
use arrayvec::ArrayVec;
use botyard_engine::Game;
use botyard_engine::scotland_yard::{
    Allowance, BoardName, End, MAX_DETECTIVES, OntoDetective, Position, ScotlandYard, Stage, Stuck,
};
use botyard_search::turns::UNBOUNDED;
use botyard_search::value::INFINITE;
use std::ops::RangeInclusive;

/// The value of a capture for each round that it comes before the horizon.
const CAPTURE: i32 = 50;
/// The largest distance that counts, also for unreachable stations. Sums of six rounds fit 16 bits.
const FAR: i32 = 30;

/// Readings of the thesis where its text leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SovaReadings {
    /// The columns of the grid by which the detectives compute distances, whatever its width is; 0
    /// for true distances. Without effect on other boards.
    pub columns: u16,
    /// Whether Mr. X weighs distances by the rounds to the horizon, instead of valuing positions
    /// as the detectives do, with the opposite sign.
    pub weighted: bool,
}

impl Default for SovaReadings {
    fn default() -> SovaReadings {
        SovaReadings { columns: 0, weighted: true }
    }
}

/// The evaluation of the thesis, for any number of detectives.
///
/// With `h` pairs of turns played since the root, a capture is worth `(rounds - h) * 50 - h * m`
/// (5.9, 5.10), where `m` is the mean of the other detectives' distances to Mr. X; every other turn,
/// of either side, adds `-min - max / n` (5.11, 5.12), with the least and the greatest of the `n`
/// detectives' distances. In Mr. X's own search (4.2: "another evaluation") both distances can be
/// weighted by `rounds - h`, as in [`SovaReadings::weighted`]. All values are multiplied by a number
/// that makes them whole.
///
/// A surrounded Mr. X counts as a capture by the nearest detective, and detectives who are all stuck
/// as the opposite of a capture.
#[derive(Clone, Copy, Debug)]
pub struct SovaEvaluation {
    rounds: i32,
    root: u16,
    /// The limit of the game, in rounds or in steps of Mr. X.
    limit: i32,
    /// Whether Mr. X moves first, so that a pair of turns is a round.
    by_mr_x: bool,
    readings: SovaReadings,
    scale: i32,
    /// The distance after their turn at which the detectives may have won; `None` if distances do
    /// not decide it.
    decided_at: Option<i32>,
}

type Far = ArrayVec<i32, MAX_DETECTIVES>;

impl SovaEvaluation {
    /// The largest number of rounds: with more, values would not fit into the table.
    pub(crate) const MOST_ROUNDS: u16 = 6;

    /// Makes the evaluation of a search from `root` on, of this many rounds.
    pub fn new(
        game: &ScotlandYard,
        rounds: u16,
        root: &Position,
        readings: SovaReadings,
    ) -> SovaEvaluation {
        // Makes both the mean over all and the mean over all but one whole numbers.
        let count = root.pawns().len() as i32;
        let scale = if count > 1 { count * (count - 1) } else { 1 };
        let rounds = i32::from(rounds.clamp(1, SovaEvaluation::MOST_ROUNDS));
        let rules = game.rules();
        let by_mr_x = root.stage() != Stage::Detectives;
        let columns = match rules.board {
            BoardName::Grid(grid) if !by_mr_x && grid.width() != readings.columns => {
                readings.columns
            }
            _ => 0,
        };
        let readings = SovaReadings { columns, weighted: readings.weighted && by_mr_x };
        let decided_at = match rules.x_onto_detective {
            // A step may change a distance by more than one.
            _ if columns > 0 => None,
            // Without tickets Mr. X is stuck however far they are, and a detective that is taken
            // off the board has no distance.
            _ if rules.x_tickets != Allowance::Unlimited || rules.stuck == Stuck::Removed => None,
            OntoDetective::Loses => Some(0),
            // They may surround him.
            OntoDetective::Illegal => Some(1),
        };
        SovaEvaluation {
            rounds,
            root: root.round(),
            limit: i32::from(rules.limit),
            by_mr_x,
            readings,
            scale,
            decided_at,
        }
    }

    /// Returns the factor of all values.
    pub const fn scale(&self) -> i32 {
        self.scale
    }

    /// Returns the pairs of turns played after the turn that starts in this position.
    #[inline]
    fn pairs_played(&self, before: &Position) -> i32 {
        let ends_round = self.by_mr_x && before.stage() == Stage::Detectives;
        i32::from(before.round() - self.root) + i32::from(ends_round)
    }

    /// Returns the weight of distances after this many pairs of turns.
    #[inline]
    const fn weight(&self, played: i32) -> i32 {
        if !self.readings.weighted {
            return 1;
        }
        let left = self.rounds - played;
        if left > 0 { left } else { 0 }
    }

    /// Returns the distances of the detectives on the board to Mr. X.
    #[inline]
    fn distances(&self, tables: &BoardTables, position: &Position) -> Far {
        let columns = usize::from(self.readings.columns);
        let pawns = position.all_detectives().filter_map(|detective| {
            let at = position.pawns().get(detective)?;
            if columns > 0 {
                let (at, to) = (at.index(), position.mr_x().index());
                let far = (at % columns).abs_diff(to % columns);
                return Some(((far + (at / columns).abs_diff(to / columns)) as i32).min(FAR));
            }
            let kinds = position.tickets_of(detective).kinds();
            Some(i32::from(tables.row(kinds, position.mr_x())[at.index()]).min(FAR))
        });
        pawns.collect()
    }

    /// Returns the value of a capture by the nearest detective, after this many pairs of turns.
    #[inline]
    fn capture(&self, tables: &BoardTables, position: &Position, played: i32) -> i32 {
        let far = self.distances(tables, position);
        let nearest = far.iter().copied().min().unwrap_or(0);
        let others = far.iter().sum::<i32>() - nearest;
        let mean = self.scale * others / (far.len() as i32 - 1).max(1);
        let weight = if self.readings.weighted { self.weight(played) } else { played };
        (self.rounds - played) * CAPTURE * self.scale - weight * mean
    }

    #[inline]
    fn closeness(&self, far: &Far, played: i32) -> i32 {
        let least = far.iter().copied().min().unwrap_or(FAR);
        let most = far.iter().copied().max().unwrap_or(FAR);
        let near = -self.scale * least - self.scale * most / (far.len() as i32).max(1);
        self.weight(played) * near
    }
}

impl Evaluation for SovaEvaluation {
    #[inline]
    fn gain(&self, tables: &BoardTables, before: &SimulationState, after: &SimulationState) -> i32 {
        let (before, after) = (&before.position, &after.position);
        let played = self.pairs_played(before);
        let ends_turn = after.round() > before.round()
            || before.stage() != Stage::Detectives && after.stage() == Stage::Detectives;
        match after.stage() {
            Stage::Over(End::Caught | End::XStuck) => self.capture(tables, after, played),
            Stage::Over(End::DetectivesImmobile) => -(self.rounds - played) * CAPTURE * self.scale,
            Stage::Over(_) => self.closeness(&self.distances(tables, after), played),
            _ if ends_turn => self.closeness(&self.distances(tables, after), played),
            _ => 0,
        }
    }

    #[inline]
    fn evaluate(&self, _atlas: &BoardTables, _scene: &SimulationState) -> i32 {
        0
    }

    /// A step changes no distance by more than one, and nothing is better than an immediate
    /// capture.
    #[inline]
    fn bounds(
        &self,
        tables: &BoardTables,
        state: &SimulationState,
        turns: u32,
    ) -> RangeInclusive<i32> {
        let position = &state.position;
        let Some(decided_at) = self.decided_at else { return UNBOUNDED };
        let x_steps = 1 + i32::from(position.purse().double > 0);
        let mut rounds = i32::from(position.round() - self.root);
        let mut far = self.distances(tables, position);
        let mut most = 0;
        let mut detectives_turn = position.stage() == Stage::Detectives;
        for turn in 0..turns {
            let played = rounds + i32::from(self.by_mr_x && detectives_turn);
            if detectives_turn {
                let pawns = position
                    .all_detectives()
                    .filter(|&detective| position.pawns().get(detective).is_some());
                for (far, detective) in far.iter_mut().zip(pawns) {
                    *far -= i32::from(turn > 0 || !position.has_moved(detective));
                }
            } else {
                far.iter_mut().for_each(|far| *far -= x_steps);
            }
            let decided_at = if detectives_turn { decided_at } else { 0 };
            if far.iter().any(|&far| far <= decided_at) {
                most += (self.rounds - played).max(0) * CAPTURE * self.scale;
                break;
            }
            // No turn is certain to come after the last round.
            if i32::from(self.root) + rounds < self.limit - 1 {
                most += self.closeness(&far, played);
            }
            rounds += i32::from(detectives_turn);
            detectives_turn = !detectives_turn;
        }
        -INFINITE..=most
    }

    #[inline]
    fn salt(&self) -> u64 {
        let readings = u64::from(self.readings.columns) << 2
            | u64::from(self.readings.weighted) << 1
            | u64::from(self.by_mr_x);
        readings << 32 | u64::from(self.root) << 8 | self.rounds as u64
    }
}
