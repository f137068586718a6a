//! Verification of a table: the value of every position must follow from the values after its
//! moves. Because distances to the end decrease with every ply of best play, a table with distances
//! in which this holds everywhere is correct. In a class that has only results it is a necessary
//! condition: positions that lead to each other could vouch for each other's wrong results.

use super::material::Material;
use super::seen::Seen;
use super::tables::{Endgames, Table};
use super::value::{Best, DRAW, Value};
use crate::draughts::colour::Colour;
use crate::draughts::movement::Movement;
use crate::draughts::position::Position;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A position whose value does not follow from those after its moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: the table says {found:?}, its moves lead to {expected:?}")]
pub struct Mismatch {
    /// The position.
    pub position: Position,
    /// The value in the table; in a class that has only results, a win in 1 or a loss in 0 plies.
    pub found: Option<Value>,
    /// The value that follows from the moves; `None` if the table of a class after them is missing.
    pub expected: Option<Value>,
}

/// The reason why [`Endgames::verify_all`] did not verify all classes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// The value of a position is wrong: the first one, in the order of [`Endgames::classes`].
    #[error("{material} is wrong: {mismatch}")]
    Wrong {
        /// Its class.
        material: Material,
        /// The position.
        mismatch: Mismatch,
    },
    /// The verification was stopped.
    #[error("interrupted before all positions were verified")]
    Interrupted,
}

/// The number of positions that a thread verifies between two polls of whether to stop.
const POSITIONS_PER_POLL: u32 = 1 << 16;

impl Endgames {
    /// Checks every class with this number of threads: see [`verify`](Endgames::verify). Returns the
    /// number of checked positions. The threads poll `is_stopped`, and call `checked` with the number
    /// of positions that they have checked since the last call.
    ///
    /// # Errors
    ///
    /// The first position whose value is wrong, or if stopped.
    pub fn verify_all(
        &self,
        threads: usize,
        is_stopped: &(dyn Fn() -> bool + Sync),
        checked: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, Unverified> {
        let mut parts: Vec<(&Table, Range<u32>)> = Vec::new();
        for table in self.classes().into_iter().filter_map(|material| self.table(material)) {
            let positions = table.index.len();
            let starts = (0..positions).step_by(POSITIONS_PER_POLL as usize);
            parts.extend(
                starts.map(|start| (table, start..positions.min(start + POSITIONS_PER_POLL))),
            );
        }
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        // The least part with a wrong value. Parts are taken in ascending order, and all that were
        // taken are finished, so no earlier part has one.
        let first_wrong: Mutex<Option<(usize, Mismatch)>> = Mutex::new(None);
        let lock = || first_wrong.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            while !stopped.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some((table, positions)) = parts.get(number) else { break };
                if is_stopped() {
                    stopped.store(true, Ordering::Relaxed);
                    break;
                }
                match self.verify_part(table, positions.clone()) {
                    Ok(()) => checked(positions.len() as u64),
                    Err(mismatch) => {
                        let mut first = lock();
                        if first.as_ref().is_none_or(|&(earlier, _)| number < earlier) {
                            *first = Some((number, mismatch));
                        }
                        stopped.store(true, Ordering::Relaxed);
                    }
                }
            }
        };
        thread::scope(|scope| (0..threads.max(1)).for_each(|_| drop(scope.spawn(work))));
        if let Some((number, mismatch)) = lock().take() {
            return Err(Unverified::Wrong { material: parts[number].0.material, mismatch });
        }
        if stopped.into_inner() {
            return Err(Unverified::Interrupted);
        }
        Ok(parts.iter().map(|(_, positions)| positions.len() as u64).sum())
    }

    /// Checks a class against the positions that its moves lead to, and returns the number of
    /// checked positions: 0 for a class that is missing.
    ///
    /// # Errors
    ///
    /// The first position whose value is wrong.
    pub fn verify(&self, material: Material) -> Result<u64, Mismatch> {
        let Some(table) = self.table(material) else { return Ok(0) };
        self.verify_part(table, 0..table.index.len())?;
        Ok(u64::from(table.index.len()))
    }

    /// Checks the positions of a class with these numbers.
    fn verify_part(&self, table: &Table, positions: Range<u32>) -> Result<(), Mismatch> {
        let has_plies = table.values.has_plies();
        for number in positions {
            let value = table.values.byte(number as usize);
            let board = table.index.position(number).board();
            let (mut best, mut all_known) = (Best::default(), true);
            board.for_each_successor::<false>(Movement::ENGLISH, |_, after| {
                match self.byte(Seen::new(after, Colour::White)) {
                    Some(byte) => best.add(byte),
                    None => all_known = false,
                }
            });
            let expected = match best.byte() {
                DRAW => DRAW,
                plies if has_plies => plies,
                plies => plies % 2,
            };
            if !all_known || value != Some(expected) {
                return Err(Mismatch {
                    position: Position::new(board, Colour::Black),
                    found: value.and_then(Value::from_byte),
                    expected: Value::from_byte(expected).filter(|_| all_known),
                });
            }
        }
        Ok(())
    }
}
