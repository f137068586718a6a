//! The evaluation of the first source: the sum over the rounds of how near the detectives are, and
//! for a capture a value that is larger the sooner it comes. Mr. X's values have the opposite sign:
//! distances are good for him.

use super::open_game::Evaluation;
use crate::scotland_yard::{BoardTables, SimulationState};
use arrayvec::ArrayVec;
use botyard_engine::Game;
use botyard_engine::scotland_yard::{
    Allowance, End, MAX_DETECTIVES, OntoDetective, Position, ScotlandYard, Stage, Stuck,
};
use botyard_search::turns::UNBOUNDED;
use botyard_search::value::INFINITE;
use std::ops::RangeInclusive;

/// The value of a capture for each round that it comes before the horizon.
const CAPTURE: i32 = 50;
/// The largest distance that counts, also for unreachable stations.
const FAR: i32 = 60;

/// The source's evaluation, for any number of detectives.
///
/// With `h` rounds played since the root, a capture by detective `i` is worth
/// `(rounds - h) * 50 - h * m`, where `m` is the mean of the other detectives' distances to Mr. X; at
/// the end of any other round `-min - max / n` is added, with the least and the greatest of the `n`
/// detectives' distances. All values are multiplied by a number that makes them whole.
///
/// The source does not define the value of positions in which no pawn can move. Here a surrounded
/// Mr. X counts as a capture by the nearest detective, and detectives who are all stuck as the
/// opposite of a capture.
#[derive(Clone, Copy, Debug)]
pub struct SovaEvaluation {
    rounds: i32,
    root: u16,
    scale: i32,
    /// The distance after their turn at which the detectives may have won; `None` if distances do
    /// not decide it.
    decided_at: Option<i32>,
}

type Far = ArrayVec<i32, MAX_DETECTIVES>;

/// Returns the distances of the detectives on the board to Mr. X.
#[inline]
fn distances(tables: &BoardTables, position: &Position) -> Far {
    let pawns = position.all_detectives().filter_map(|detective| {
        let at = position.pawns().get(detective)?;
        let kinds = position.tickets_of(detective).kinds();
        Some(i32::from(tables.row(kinds, position.mr_x())[at.index()]).min(FAR))
    });
    pawns.collect()
}

impl SovaEvaluation {
    /// The largest number of rounds: with more, values would not fit into the table.
    pub(crate) const MOST_ROUNDS: u16 = 6;

    /// Makes the evaluation of a search from `root` on, of this many rounds.
    pub fn new(game: &ScotlandYard, rounds: u16, root: &Position) -> SovaEvaluation {
        // Makes both the mean over all and the mean over all but one whole numbers.
        let count = root.pawns().len() as i32;
        let scale = if count > 1 { count * (count - 1) } else { 1 };
        let rounds = i32::from(rounds.clamp(1, SovaEvaluation::MOST_ROUNDS));
        let rules = game.rules();
        let decided_at = match rules.x_onto_detective {
            // Without tickets Mr. X is stuck however far they are, and a detective that is taken
            // off the board has no distance.
            _ if rules.x_tickets != Allowance::Unlimited || rules.stuck == Stuck::Removed => None,
            OntoDetective::Loses => Some(0),
            // They may surround him.
            OntoDetective::Illegal => Some(1),
        };
        SovaEvaluation { rounds, root: root.round(), scale, decided_at }
    }

    /// Returns the factor of all values.
    pub const fn scale(&self) -> i32 {
        self.scale
    }

    #[inline]
    fn rounds_played(&self, position: &Position) -> i32 {
        i32::from(position.round() - self.root)
    }

    /// Returns the value of a capture by the nearest detective, after this many rounds.
    #[inline]
    fn capture(&self, tables: &BoardTables, position: &Position, played: i32) -> i32 {
        let far = distances(tables, position);
        let nearest = far.iter().copied().min().unwrap_or(0);
        let others = far.iter().sum::<i32>() - nearest;
        let mean = self.scale * others / (far.len() as i32 - 1).max(1);
        (self.rounds - played) * CAPTURE * self.scale - played * mean
    }

    #[inline]
    fn closeness(&self, far: &Far) -> i32 {
        let least = far.iter().copied().min().unwrap_or(FAR);
        let most = far.iter().copied().max().unwrap_or(FAR);
        -self.scale * least - self.scale * most / (far.len() as i32).max(1)
    }
}

impl Evaluation for SovaEvaluation {
    #[inline]
    fn gain(&self, tables: &BoardTables, before: &SimulationState, after: &SimulationState) -> i32 {
        let (before, after) = (&before.position, &after.position);
        let played = self.rounds_played(before);
        match after.stage() {
            Stage::Over(End::Caught | End::XStuck) => self.capture(tables, after, played),
            Stage::Over(End::DetectivesImmobile) => -(self.rounds - played) * CAPTURE * self.scale,
            Stage::Over(_) => self.closeness(&distances(tables, after)),
            _ if after.round() > before.round() => self.closeness(&distances(tables, after)),
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
        let mut played = self.rounds_played(position);
        let mut far = distances(tables, position);
        let mut most = 0;
        let mut detectives_turn = position.stage() == Stage::Detectives;
        for turn in 0..turns {
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
            if detectives_turn {
                most += self.closeness(&far);
                played += 1;
            }
            detectives_turn = !detectives_turn;
        }
        -INFINITE..=most
    }

    #[inline]
    fn salt(&self) -> u64 {
        u64::from(self.root) << 8 | self.rounds as u64
    }
}
