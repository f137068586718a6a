//! What a game is worth by the first source: the sum of how near the detectives are after each
//! round, and for a capture the more the sooner it comes. Mr. X has the same with the sign turned
//! round: to him distances are good.

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

/// What a capture is worth for each round that it comes before the horizon.
const CAPTURE: i32 = 50;
/// No distance counts as more, not even where tickets do not reach.
const FAR: i32 = 60;

/// The source's evaluation, for any number of detectives.
///
/// With `h` rounds played since the root, a capture by detective `i` is worth
/// `(rounds - h) * 50 - h * m`, where `m` is the mean of the other detectives' distances to Mr. X; at
/// the end of any other round `-min - max / n` is added, with the least and the greatest of the `n`
/// detectives' distances. All values are multiplied by a number that makes them whole.
///
/// The source leaves open what it is worth when nobody can move any more; here Mr. X surrounded
/// counts as a capture by the nearest detective, and detectives who are all stuck as the opposite
/// of one.
#[derive(Clone, Copy, Debug)]
pub struct SovaEvaluation {
    rounds: i32,
    root: u16,
    scale: i32,
    /// At which distance after their turn the detectives may have won; `None` where that cannot be
    /// told by distances.
    decided_at: Option<i32>,
}

type Far = ArrayVec<i32, MAX_DETECTIVES>;

/// The distances of the detectives on the board to Mr. X.
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
    /// The most rounds that can be searched: with more, values would not fit into the table.
    pub const MOST_ROUNDS: u16 = 6;

    /// The evaluation of a search from `root` on, so many rounds deep.
    pub fn new(game: &ScotlandYard, rounds: u16, root: &Position) -> SovaEvaluation {
        // Whole numbers for the mean over all and that over all but one.
        let count = root.pawns().len() as i32;
        let scale = if count > 1 { count * (count - 1) } else { 1 };
        let rounds = i32::from(rounds.clamp(1, SovaEvaluation::MOST_ROUNDS));
        let rules = game.rules();
        let decided_at = match rules.x_onto_detective {
            // Without tickets Mr. X is stuck however far they are, and who is taken off the board
            // has no distance.
            _ if rules.x_tickets != Allowance::Unlimited || rules.stuck == Stuck::Removed => None,
            OntoDetective::Loses => Some(0),
            // They may surround him.
            OntoDetective::Illegal => Some(1),
        };
        SovaEvaluation { rounds, root: root.round(), scale, decided_at }
    }

    /// By what values are multiplied.
    pub const fn scale(&self) -> i32 {
        self.scale
    }

    #[inline]
    fn rounds_played(&self, position: &Position) -> i32 {
        i32::from(position.round() - self.root)
    }

    /// A capture by the nearest, with so many rounds played before.
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

    /// Nobody comes nearer to another by more than one with a step, and nothing is better than a
    /// capture on the spot.
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
