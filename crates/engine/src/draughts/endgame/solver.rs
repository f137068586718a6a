//! Retrograde analysis of the classes. A class and the one with the other side to move are solved
//! together, after all other classes that their moves lead to. Positions are decided in the order
//! of their distance to the end. Each decided position notifies its predecessors by quiet moves, so
//! that every move is visited twice, whatever the longest win.

use super::index::Index;
use super::material::Material;
use super::seen::Seen;
use super::tables::{Endgames, Table};
use super::value::{Best, DRAW, UNKNOWN};
use crate::draughts::bitboard::{Bitboard, Direction};
use crate::draughts::board::{Board, backward};
use crate::draughts::colour::Colour;
use crate::draughts::movement::Movement;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The solver was stopped. Classes solved before are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted before all classes were solved")]
pub struct Interrupted;

/// Solves every class with at most this number of pieces that is not solved yet.
///
/// Calls `solved` with each class as soon as it and those before it are done, in the order of
/// [`Material::up_to`]. `solved` may stop the solver, and so may `is_stopped`, which is polled from
/// `threads` threads.
///
/// # Errors
///
/// If stopped. Classes that were passed to `solved` are not necessarily in `endgames`.
pub fn solve(
    endgames: &mut Endgames,
    pieces: u8,
    threads: usize,
    is_stopped: &(dyn Fn() -> bool + Sync),
    mut solved: impl FnMut(Material, &[u8]) -> ControlFlow<()>,
) -> Result<(), Interrupted> {
    for mut group in Material::groups(pieces) {
        group.retain(|first| first.pair().iter().any(|&class| endgames.table(class).is_none()));
        let tables = solve_group(endgames, &group, threads, is_stopped, &mut solved)?;
        tables.into_iter().for_each(|table| endgames.put(table));
    }
    Ok(())
}

/// Solves classes that do not depend on each other, each with its counterpart.
fn solve_group(
    endgames: &Endgames,
    group: &[Material],
    threads: usize,
    is_stopped: &(dyn Fn() -> bool + Sync),
    solved: &mut impl FnMut(Material, &[u8]) -> ControlFlow<()>,
) -> Result<Vec<Table>, Interrupted> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.clamp(1, group.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&first) = group.get(number) else { break };
                    let Ok(tables) = Pair::new(endgames, first).solve(is_stopped) else { break };
                    if sender.send((number, tables)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut done, mut reported) = (BTreeMap::new(), Vec::new(), 0);
        for (number, tables) in receiver {
            early.insert(number, tables);
            while let Some(tables) = early.remove(&reported) {
                reported += 1;
                for table in tables {
                    if endgames.table(table.material).is_none()
                        && solved(table.material, &table.values).is_break()
                    {
                        return Err(Interrupted);
                    }
                    done.push(table);
                }
            }
        }
        if reported == group.len() { Ok(done) } else { Err(Interrupted) }
    })
}

/// Marks a position in which the side to move must capture, so that it has no quiet moves.
const CAPTURES: u8 = u8::MAX;

/// A class that is being solved.
struct Side {
    table: Table,
    /// The number of moves of each position that are not known to lose, or [`CAPTURES`].
    open: Vec<u8>,
    /// The slowest loss by moves that leave the pair (by crowning), by position; 0 for none.
    slowest_loss: Vec<u8>,
}

/// A class and the one with the other side to move, which may be the same.
struct Pair<'a> {
    endgames: &'a Endgames,
    sides: Vec<Side>,
    /// The positions that are decided this number of plies before the end, as side and number. Some
    /// may be decided earlier by another move.
    levels: Vec<Vec<(u8, u32)>>,
}

impl Pair<'_> {
    fn new(endgames: &Endgames, first: Material) -> Pair<'_> {
        let side = |material| {
            let index = Index::new(material);
            let positions = index.len() as usize;
            Side {
                table: Table { material, index, values: vec![UNKNOWN; positions] },
                open: vec![0; positions],
                slowest_loss: vec![0; positions],
            }
        };
        let sides = first.pair().into_iter().map(side).collect();
        Pair { endgames, sides, levels: Vec::new() }
    }

    fn solve(mut self, is_stopped: &(dyn Fn() -> bool + Sync)) -> Result<Vec<Table>, Interrupted> {
        for side in 0..self.sides.len() {
            if is_stopped() {
                return Err(Interrupted);
            }
            for number in 0..self.sides[side].table.index.len() {
                self.begin(side, number);
            }
        }
        let mut level = 0;
        while level < self.levels.len() {
            if is_stopped() {
                return Err(Interrupted);
            }
            for (side, number) in std::mem::take(&mut self.levels[level]) {
                self.decide(side.into(), number, level);
            }
            level += 1;
        }
        let finished = |side: Side| {
            let mut table = side.table;
            let undecided = table.values.iter_mut().filter(|value| **value == UNKNOWN);
            undecided.for_each(|value| *value = DRAW);
            table
        };
        Ok(self.sides.into_iter().map(finished).collect())
    }

    /// Returns the side of the positions after a quiet move.
    fn opposite(&self, side: usize) -> usize {
        self.sides.len() - 1 - side
    }

    /// Examines the moves of a position, and schedules what follows from those that leave the pair.
    fn begin(&mut self, side: usize, number: u32) {
        let opposite = self.sides[self.opposite(side)].table.material.slot();
        let board = self.sides[side].table.index.position(number).board();
        let must_capture = !board.capturers::<false>().is_empty();
        let (mut inside, mut outside, mut kept, mut leaving) = (0, Best::default(), 0, 0);
        let endgames = self.endgames;
        board.for_each_successor::<false>(Movement::ENGLISH, |_, after| {
            let after = Seen::new(after, Colour::White);
            if after.slot() == opposite {
                inside += 1;
                return;
            }
            let byte = endgames.byte(after).expect("groups come after those they lead to");
            leaving += 1;
            kept += u8::from(byte.is_multiple_of(2) || byte == DRAW);
            outside.add(byte);
        });
        let side_number = side as u8;
        let at = number as usize;
        if must_capture || inside + leaving == 0 {
            self.sides[side].open[at] = CAPTURES;
            match outside.byte() {
                DRAW => self.sides[side].table.values[at] = DRAW,
                plies => self.schedule(plies.into(), side_number, number),
            }
            return;
        }
        let open = inside + kept;
        self.sides[side].open[at] = open;
        self.sides[side].slowest_loss[at] = outside.slowest_loss().unwrap_or(0);
        if let Some(win) = outside.fastest_win() {
            self.schedule(win.into(), side_number, number);
        } else if open == 0 {
            self.schedule(outside.byte().into(), side_number, number);
        }
    }

    fn schedule(&mut self, level: usize, side: u8, number: u32) {
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Vec::new());
        }
        self.levels[level].push((side, number));
    }

    /// Decides a position, unless it was decided earlier, and notifies its predecessors by quiet
    /// moves.
    fn decide(&mut self, side: usize, number: u32, level: usize) {
        let at = number as usize;
        if self.sides[side].table.values[at] != UNKNOWN {
            return;
        }
        let plies = u8::try_from(level).expect("the longest win with four pieces has 109 plies");
        self.sides[side].table.values[at] = plies;
        let before_side = self.opposite(side);
        let board = self.sides[side].table.index.position(number).board();
        for_each_quiet_predecessor(board, |before| {
            let before_number = self.sides[before_side].table.index.of(before);
            let at = before_number as usize;
            let before = &mut self.sides[before_side];
            if before.open[at] == CAPTURES || before.table.values[at] != UNKNOWN {
                return;
            }
            if level.is_multiple_of(2) {
                self.schedule(level + 1, before_side as u8, before_number);
                return;
            }
            before.open[at] -= 1;
            if before.open[at] == 0 {
                let loss = (level + 1).max(before.slowest_loss[at].into());
                self.schedule(loss, before_side as u8, before_number);
            }
        });
    }
}

/// Calls `f` with every position from which a step that does not crown may have led to this board
/// with Black to move.
fn for_each_quiet_predecessor(board: Board, mut f: impl FnMut(Seen)) {
    let (men, kings) = (board.men(Colour::White), board.kings(Colour::White));
    for direction in Direction::ALL {
        let is_mens = backward::<true>().contains(&direction);
        let movers = if is_mens { men | kings } else { kings };
        for from in (movers.step(direction) & board.empty()).singles() {
            let to = from.rotated_back(direction);
            let crown = if board.kings.meets(to) { from } else { Bitboard::EMPTY };
            let before = board.after::<true>(to, from, Bitboard::EMPTY, crown);
            f(Seen::new(before, Colour::White));
        }
    }
}
