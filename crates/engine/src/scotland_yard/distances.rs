//! How many moves it takes from station to station with given tickets, on an empty board. Exact
//! for any mixture of tickets held; what stands in the way is not considered.

use super::board::{Board, GridMoves, Shape};
use super::station::Station;
use super::ticket::{Allowance, Kinds, Ticket, Tickets, Transport};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// Stands for "cannot be reached" in the tables; no shortest way on the map is near it.
const UNREACHABLE: u8 = u8::MAX;

/// The distances of one board.
///
/// ```
/// use botyard_engine::scotland_yard::{Allowance, Board, Distances, Kinds, Station};
/// let board = Board::london();
/// let distances = Distances::of(&board);
/// let [from, to] = [128, 185].map(|number| Station::new(number).unwrap());
/// assert_eq!(distances.with_kinds(Kinds::FARES, from, to), Some(1));
/// assert_eq!(distances.exact(&board, Allowance::limited(9, 0, 0), from, to), Some(4));
/// assert_eq!(distances.exact(&board, Allowance::limited(2, 1, 0), from, to), Some(3));
/// ```
#[derive(Clone, Debug)]
pub enum Distances {
    /// All pairs for each set of kinds, looked up; computed when first asked for, since a
    /// referee never asks.
    Tables(&'static LazyLock<Box<[u8]>>, usize),
    /// A grid, computed.
    Grid(super::board::Grid, GridMoves),
}

impl Distances {
    /// The distances of this board. Those of London are computed once and shared.
    pub fn of(board: &Arc<Board>) -> Distances {
        static LONDON: LazyLock<Box<[u8]>> = LazyLock::new(|| tables(&Board::london()));
        static CLASSIC: LazyLock<Box<[u8]>> = LazyLock::new(|| tables(&Board::london_classic()));
        match board.shape() {
            Shape::Grid(grid, moves) => Distances::Grid(grid, moves),
            Shape::London if Arc::ptr_eq(board, &Board::london()) => {
                Distances::Tables(&LONDON, board.len())
            }
            Shape::London => Distances::Tables(&CLASSIC, board.len()),
        }
    }

    /// Computes what is otherwise computed at the first question, which takes some milliseconds:
    /// for bots, before their clock runs.
    pub fn prepare(&self) {
        if let Distances::Tables(tables, _) = self {
            LazyLock::force(tables);
        }
    }

    /// The least number of moves along edges of these kinds; `None` if there is no way.
    ///
    /// A lower bound for whoever holds tickets of these kinds, however few. Stations must be the
    /// board's.
    ///
    /// # Panics
    ///
    /// May panic if a station is not on the board.
    #[inline]
    pub fn with_kinds(&self, kinds: Kinds, from: Station, to: Station) -> Option<u16> {
        match self {
            Distances::Tables(tables, stations) => {
                let row = usize::from(kinds.bits()) * stations + from.index();
                match tables[row * stations + to.index()] {
                    UNREACHABLE => None,
                    steps => Some(steps.into()),
                }
            }
            Distances::Grid(..) if from == to => Some(0),
            Distances::Grid(..) if !kinds.has(Transport::Taxi) => None,
            Distances::Grid(grid, moves) => {
                let (a, b) = (grid.column_and_row(from), grid.column_and_row(to));
                let (across, down) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
                Some(match moves {
                    GridMoves::Orthogonal => across + down,
                    GridMoves::KingOrStay => across.max(down),
                })
            }
        }
    }

    /// The least number of moves for a detective who holds these tickets and no others; `None`
    /// if they do not suffice.
    ///
    /// As fast as [`Distances::with_kinds`] while no kind can run out on the way, which it looks
    /// up first; otherwise it searches, and allocates. Stations must be the board's.
    ///
    /// # Panics
    ///
    /// May panic if a station is not on the board.
    pub fn exact(
        &self,
        board: &Board,
        allowance: Allowance,
        from: Station,
        to: Station,
    ) -> Option<u16> {
        let least = self.with_kinds(allowance.kinds(), from, to)?;
        let Some(tickets) = allowance.tickets() else { return Some(least) };
        let enough = Ticket::FARES.iter().all(|&ticket| {
            let count = tickets.count(ticket);
            count == 0 || count >= least
        });
        if enough {
            return Some(least);
        }
        if let Distances::Grid(..) = self {
            // One kind of edge: a ticket a step.
            return (least <= tickets.taxi).then_some(least);
        }
        self.search(board, tickets, from, to)
    }

    /// Breadth-first over stations and tickets spent; whatever cannot arrive with the tickets
    /// left, by the tables, is not followed.
    fn search(&self, board: &Board, held: Tickets, from: Station, to: Station) -> Option<u16> {
        let mut seen = HashSet::from([(from, held)]);
        let mut frontier = vec![(from, held)];
        let mut next = Vec::new();
        for steps in 0.. {
            if frontier.is_empty() {
                return None;
            }
            for (at, tickets) in frontier.drain(..) {
                if at == to {
                    return Some(steps);
                }
                for step in board.steps(at) {
                    let ticket = step.by.ticket();
                    let mut left = Allowance::Limited(tickets);
                    if !left.has(ticket) {
                        continue;
                    }
                    left.spend(ticket);
                    let total = left.tickets().map(Tickets::total);
                    let rest = self.with_kinds(left.kinds(), step.to, to);
                    if let (Some(left), Some(total), Some(rest)) = (left.tickets(), total, rest)
                        && u32::from(rest) <= total
                        && seen.insert((step.to, left))
                    {
                        next.push((step.to, left));
                    }
                }
            }
            std::mem::swap(&mut frontier, &mut next);
        }
        None
    }
}

/// All pairs by breadth-first search, for every set of kinds.
fn tables(board: &Board) -> Box<[u8]> {
    let stations = board.len();
    let mut tables = vec![UNREACHABLE; Kinds::COUNT * stations * stations];
    let mut queue = Vec::with_capacity(stations);
    for (row, table) in tables.chunks_exact_mut(stations).enumerate() {
        let kinds = Kinds::from_bits((row / stations) as u8);
        let from = Station::from_index(row % stations);
        table[from.index()] = 0;
        queue.clear();
        queue.push(from);
        let mut head = 0;
        while let Some(&at) = queue.get(head) {
            head += 1;
            for step in board.steps(at) {
                if kinds.has(step.by) && table[step.to.index()] == UNREACHABLE {
                    table[step.to.index()] = table[at.index()] + 1;
                    queue.push(step.to);
                }
            }
        }
    }
    tables.into_boxed_slice()
}
