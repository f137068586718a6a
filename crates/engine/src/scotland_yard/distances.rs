//! Distances: the number of moves between two stations with given tickets, on a board without
//! pawns. Exact for every combination of tickets.

use super::board::{Board, GridMoves, Shape};
use super::station::Station;
use super::ticket::{Allowance, Kinds, Ticket, Tickets, Transport};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// "Cannot be reached" in the tables; every shortest path on the map is far shorter.
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
    /// All pairs for each set of kinds, in tables. They are computed at the first question, because
    /// a referee never asks.
    Tables(&'static LazyLock<Box<[u8]>>, usize),
    /// A grid, whose distances follow from the coordinates.
    Grid(super::board::Grid, GridMoves),
}

impl Distances {
    /// Returns the distances of a board. Those of London are computed once and shared.
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

    /// Computes the tables now instead of at the first question, which takes some milliseconds.
    /// Bots call this before their clock runs.
    pub fn prepare(&self) {
        if let Distances::Tables(tables, _) = self {
            LazyLock::force(tables);
        }
    }

    /// Returns the least number of moves along edges of these kinds; `None` if there is no path.
    ///
    /// A lower bound for a player with tickets of these kinds, however few. The stations must be on
    /// the board.
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

    /// Returns the least number of moves for a detective who has only these tickets; `None` if they
    /// do not suffice.
    ///
    /// As fast as [`Distances::with_kinds`] if no kind can run out on the path, which it checks
    /// first; otherwise it searches, and allocates. The stations must be on the board.
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

    /// Breadth-first search over stations and spent tickets. Prunes states that cannot reach the
    /// target with the tickets left, by the tables.
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

/// Computes all pairs by breadth-first search, for every set of kinds.
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
