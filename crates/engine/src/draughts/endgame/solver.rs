//! Retrograde analysis of the classes. A class and the one with the other side to move are solved
//! together, after all other classes that their moves lead to. Positions are decided in the order
//! of their distance to the end. Each decided position notifies its predecessors by quiet moves, so
//! that every move is visited twice, whatever the longest win.
//!
//! In a class of which only results are stored, the distance is that to the next capture or crowning,
//! so that a build can be resumed from results alone.

use super::index::Index;
use super::material::Material;
use super::seen::Seen;
use super::tables::{Endgames, Table};
use super::value::{Best, DRAW, UNKNOWN};
use super::values::Values;
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
/// Calls `solved` with each class and its table ([`Endgames::values`]) as soon as it and those before
/// it are done, in the order of [`Material::up_to`]. `solved` may stop the solver, and so may `is_stopped`, which is polled from
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
                    let bytes = table.values.bytes().expect("a solved class is in memory");
                    if endgames.table(table.material).is_none()
                        && solved(table.material, bytes).is_break()
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

/// Marks a position that quiet moves can no longer change: the side to move must capture, or is
/// known to win by a quiet move.
const CLOSED: u8 = u8::MAX;

/// The number of positions between two polls of whether to stop.
const POSITIONS_PER_POLL: usize = 1 << 16;

/// A class that is being solved.
struct Side {
    material: Material,
    index: Index,
    /// The byte of each position, or [`UNKNOWN`].
    values: Vec<u8>,
    /// The number of moves of each position that are not known to lose, or [`CLOSED`].
    open: Vec<u8>,
    /// The slowest loss by moves that leave the pair (by crowning), by position; 0 for none. Empty if
    /// only results are stored: such moves count as the nearest, and no quiet move leads nearer.
    slowest_loss: Vec<u8>,
}

/// A class and the one with the other side to move, which may be the same.
struct Pair<'a> {
    endgames: &'a Endgames,
    sides: Vec<Side>,
    /// The positions that are decided this number of plies before the end. Some may be decided
    /// earlier by another move.
    levels: Vec<Vec<Place>>,
}

/// A position of a pair, in half the memory of a tuple: the number, which is below 2^31, and the
/// side in the highest bit.
#[derive(Clone, Copy)]
struct Place(u32);

impl Place {
    const SIDE: u32 = 31;

    const fn new(side: usize, number: u32) -> Place {
        Place((side as u32) << Self::SIDE | number)
    }

    const fn side(self) -> usize {
        (self.0 >> Self::SIDE) as usize
    }

    const fn number(self) -> u32 {
        self.0 & !(1 << Self::SIDE)
    }
}

impl Pair<'_> {
    fn new(endgames: &Endgames, first: Material) -> Pair<'_> {
        let side = |material| {
            let index = Index::new(material);
            let positions = index.len() as usize;
            Side {
                material,
                index,
                values: vec![UNKNOWN; positions],
                open: vec![0; positions],
                slowest_loss: vec![0; if material.has_plies() { positions } else { 0 }],
            }
        };
        let sides = first.pair().into_iter().map(side).collect();
        Pair { endgames, sides, levels: Vec::new() }
    }

    fn solve(mut self, is_stopped: &(dyn Fn() -> bool + Sync)) -> Result<Vec<Table>, Interrupted> {
        for side in 0..self.sides.len() {
            for number in 0..self.sides[side].index.len() {
                if (number as usize).is_multiple_of(POSITIONS_PER_POLL) && is_stopped() {
                    return Err(Interrupted);
                }
                self.begin(side, number);
            }
        }
        let mut level = 0;
        while level < self.levels.len() {
            let decided = std::mem::take(&mut self.levels[level]);
            for positions in decided.chunks(POSITIONS_PER_POLL) {
                if is_stopped() {
                    return Err(Interrupted);
                }
                for place in positions {
                    self.decide(place.side(), place.number(), level);
                }
            }
            level += 1;
        }
        let finished = |side: Side| {
            let Side { material, index, mut values, .. } = side;
            let undecided = values.iter_mut().filter(|value| **value == UNKNOWN);
            undecided.for_each(|value| *value = DRAW);
            Table { material, index, values: Values::of_solved(material, values) }
        };
        Ok(self.sides.into_iter().map(finished).collect())
    }

    /// Returns the side of the positions after a quiet move.
    fn opposite(&self, side: usize) -> usize {
        self.sides.len() - 1 - side
    }

    /// Examines the moves of a position, and schedules what follows from those that leave the pair.
    fn begin(&mut self, side: usize, number: u32) {
        let opposite = self.sides[self.opposite(side)].material.slot();
        let has_plies = self.sides[side].material.has_plies();
        let board = self.sides[side].index.position(number).board();
        let must_capture = !board.capturers::<false>().is_empty();
        let (mut inside, mut outside, mut kept, mut leaving) = (0, Best::default(), 0, 0);
        let endgames = self.endgames;
        board.for_each_successor::<false>(Movement::ENGLISH, |_, after| {
            let after = Seen::new(after, Colour::White);
            if after.slot() == opposite {
                inside += 1;
                return;
            }
            let byte = match endgames.byte(after).expect("groups come after those they lead to") {
                DRAW => DRAW,
                plies if has_plies => plies,
                plies => plies % 2,
            };
            leaving += 1;
            kept += u8::from(byte.is_multiple_of(2) || byte == DRAW);
            outside.add(byte);
        });
        let at = number as usize;
        if must_capture || inside + leaving == 0 {
            self.sides[side].open[at] = CLOSED;
            match outside.byte() {
                DRAW => self.sides[side].values[at] = DRAW,
                plies => self.schedule(plies.into(), side, number),
            }
            return;
        }
        let open = inside + kept;
        self.sides[side].open[at] = open;
        if has_plies {
            self.sides[side].slowest_loss[at] = outside.slowest_loss().unwrap_or(0);
        }
        if let Some(win) = outside.fastest_win() {
            self.schedule(win.into(), side, number);
        } else if open == 0 {
            self.schedule(outside.byte().into(), side, number);
        }
    }

    fn schedule(&mut self, level: usize, side: usize, number: u32) {
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Vec::new());
        }
        self.levels[level].push(Place::new(side, number));
    }

    /// Decides a position, unless it was decided earlier, and notifies its predecessors by quiet
    /// moves.
    fn decide(&mut self, side: usize, number: u32, level: usize) {
        let at = number as usize;
        if self.sides[side].values[at] != UNKNOWN {
            return;
        }
        let plies = u8::try_from(level).expect("no distance is as long as 254 plies");
        self.sides[side].values[at] = plies;
        let before_side = self.opposite(side);
        let board = self.sides[side].index.position(number).board();
        for_each_quiet_predecessor(board, |before| {
            let before_number = self.sides[before_side].index.of(before);
            let at = before_number as usize;
            let before = &mut self.sides[before_side];
            if before.open[at] == CLOSED || before.values[at] != UNKNOWN {
                return;
            }
            if level.is_multiple_of(2) {
                // Levels come in ascending order, so no later quiet move wins faster.
                before.open[at] = CLOSED;
                self.schedule(level + 1, before_side, before_number);
                return;
            }
            before.open[at] -= 1;
            if before.open[at] == 0 {
                let slowest = before.slowest_loss.get(at).copied().unwrap_or(0);
                let loss = (level + 1).max(slowest.into());
                self.schedule(loss, before_side, before_number);
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
