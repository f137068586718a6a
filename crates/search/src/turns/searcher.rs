//! The searcher, and the search of one node in a window.

use super::game::{Chooser, TurnGame};
use super::settings::Settings;
use crate::limits::{Limits, Meter, Stopped};
use crate::report::Report;
use crate::scored::{Scored, best_first};
use crate::table::{Known, TranspositionTable};
use crate::value::INFINITE;
use crate::window::Window;

/// The ordering score of the table's move: above every score of a game.
const FROM_TABLE: i32 = 1 << 30;
/// The maximum depth of a table entry.
const MOST_TURNS: u32 = 255;

/// Returns the sign of a value for the side that chooses: 1 for the maximiser, -1 for the
/// minimiser.
const fn sign(chooser: Chooser) -> i32 {
    match chooser {
        Chooser::Maximiser => 1,
        Chooser::Minimiser => -1,
    }
}

/// A searcher that keeps its memory between searches. Table entries of one search help the next if
/// keys have the same meaning in both.
pub struct TurnSearcher<M> {
    settings: Settings,
    table: Option<TranspositionTable>,
    /// The moves of all nodes on the current path: a stack.
    moves: Vec<Scored<M>>,
    /// The principal variation from each node of the current path, as far as it was searched with
    /// an open window; by distance from the root.
    lines: Vec<Vec<M>>,
    meter: Meter,
    probes: u64,
    hits: u64,
}

impl<M: Copy + Eq> TurnSearcher<M> {
    /// Returns a searcher with an empty table.
    pub fn new(settings: Settings) -> TurnSearcher<M> {
        let table_mebibytes = settings.table_mebibytes;
        TurnSearcher {
            settings,
            table: (table_mebibytes > 0).then(|| TranspositionTable::new(table_mebibytes)),
            moves: Vec::with_capacity(1024),
            lines: Vec::new(),
            meter: Meter::new(Limits::depth(0)),
            probes: 0,
            hits: 0,
        }
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.table.as_ref().map_or(0, TranspositionTable::bytes)
    }

    /// Runs iterative deepening until a limit is reached; `limits.depth` counts turns.
    ///
    /// The value is that of the side that chooses at the root. `line` has all steps down to the
    /// horizon.
    pub fn search<G: TurnGame<Move = M>>(
        &mut self,
        game: &G,
        root: &G::Position,
        limits: &Limits,
    ) -> Report<M> {
        let mut first = None;
        if game.chooser(root).is_some() {
            game.for_each_move(root, |mv| first = first.or(Some(mv)));
        }
        let mut report = Report::before_search(first);
        let Some(chooser) = game.chooser(root) else { return report };
        self.begin(limits);
        let (most, step) = (limits.depth.clamp(1, MOST_TURNS), self.settings.step.max(1));
        let mut depth = (most - 1) % step + 1;
        while depth <= most {
            let horizon = game.turn(root) + depth;
            let Ok(value) = self.node(game, root, horizon, 0, Window::FULL) else { break };
            report.value = sign(chooser) * value;
            report.depth = depth;
            report.line.clone_from(&self.lines[0]);
            report.best = report.line.first().copied().or(report.best);
            report.iterations.push((depth, self.meter.nodes()));
            depth += step;
        }
        self.write_counts(&mut report);
        report
    }

    /// Finds the value of every root move for the side that chooses there, at a depth of `depth`
    /// turns; a search for the best move finds only bounds for the others. Fills `into` with a
    /// value for each move in the order of [`TurnGame::for_each_move`]. Returns false if a limit
    /// was reached; `into` then holds the values found so far.
    ///
    /// Counters carry over between calls: see [`TurnSearcher::begin`].
    pub fn values<G: TurnGame<Move = M>>(
        &mut self,
        game: &G,
        root: &G::Position,
        depth: u32,
        into: &mut Vec<i32>,
    ) -> bool {
        into.clear();
        let Some(chooser) = game.chooser(root) else { return true };
        let horizon = game.turn(root) + depth.clamp(1, MOST_TURNS);
        let mut moves = Vec::new();
        game.for_each_move(root, |mv| moves.push(mv));
        for mv in moves {
            let (after, gain) = game.make(root, mv);
            match self.node(game, &after, horizon, 1, Window::FULL) {
                Ok(value) => into.push(sign(chooser) * (value + gain)),
                Err(Stopped) => {
                    self.moves.clear();
                    return false;
                }
            }
        }
        true
    }

    /// Resets the counters and sets the limits. [`TurnSearcher::search`] does so itself.
    pub fn begin(&mut self, limits: &Limits) {
        self.meter = Meter::new(*limits);
        (self.probes, self.hits) = (0, 0);
        self.moves.clear();
        if let Some(table) = &mut self.table {
            table.next_search();
        }
    }

    /// Writes the counters since [`TurnSearcher::begin`] into a report.
    pub fn write_counts(&self, report: &mut Report<M>) {
        report.nodes = self.meter.nodes();
        (report.probes, report.hits) = (self.probes, self.hits);
        report.stall = self.meter.stall();
    }

    /// Returns the value of a position for the maximiser if it lies in the window, otherwise a
    /// bound.
    fn node<G: TurnGame<Move = M>>(
        &mut self,
        game: &G,
        position: &G::Position,
        horizon: u32,
        ply: usize,
        window: Window,
    ) -> Result<i32, Stopped> {
        self.meter.visit()?;
        self.begin_line(ply);
        let turns = horizon.saturating_sub(game.turn(position));
        let Some(chooser) = game.chooser(position).filter(|_| turns > 0) else {
            return Ok(game.evaluate(position));
        };
        let bounds = game.bounds(position, turns);
        if *bounds.end() <= window.low {
            return Ok(*bounds.end());
        }
        if *bounds.start() >= window.high {
            return Ok(*bounds.start());
        }
        let key = game.key(position);
        let mut from_table = None;
        if let Some(known) = self.probe(key) {
            from_table = known.best;
            // With an open window the principal variation is needed too, and the table does not
            // store it.
            if window.is_null() && known.depth == turns as i32 && window.is_settled(known) {
                return Ok(known.value);
            }
        }
        let first = self.moves.len();
        let moves = &mut self.moves;
        game.for_each_move(position, |mv| {
            let score = match from_table == Some(game.move_id(mv)) {
                true => FROM_TABLE,
                false => game.promise(position, mv),
            };
            moves.push(Scored { mv, score });
        });
        debug_assert!(self.moves.len() > first, "a side is to choose, but there is no step");
        let sign = sign(chooser);
        // From here on, values are those of the side to move.
        let mine = if sign > 0 { window } else { window.turned() };
        let mut open = mine;
        let (mut best, mut best_move) = (-INFINITE, None);
        for index in first..self.moves.len() {
            best_first(&mut self.moves[first..], index - first);
            let mv = self.moves[index].mv;
            let (after, gain) = game.make(position, mv);
            let value =
                self.after(game, &after, sign * gain, (sign, horizon, ply), open, index > first)?;
            if value > best {
                best = value;
                if value > open.low {
                    (open.low, best_move) = (value, Some(mv));
                    self.lead(ply, mv);
                    if value >= open.high {
                        break;
                    }
                }
            }
        }
        self.moves.truncate(first);
        self.store(key, sign * best, best_move.map(|mv| game.move_id(mv)), turns, window);
        Ok(sign * best)
    }

    /// Returns the value of a step for the side that makes it. All but the first are searched with
    /// a null window first, which proves or refutes that they are better.
    #[inline]
    fn after<G: TurnGame<Move = M>>(
        &mut self,
        game: &G,
        after: &G::Position,
        gain: i32,
        (sign, horizon, ply): (i32, u32, usize),
        window: Window,
        is_late: bool,
    ) -> Result<i32, Stopped> {
        let mut look = |window: Window| {
            let below = window.less(gain);
            let below = if sign > 0 { below } else { below.turned() };
            self.node(game, after, horizon, ply + 1, below).map(|value| sign * value + gain)
        };
        if is_late && !window.is_null() {
            let value = look(Window { high: window.low + 1, ..window })?;
            if value <= window.low || value >= window.high {
                return Ok(value);
            }
        }
        look(window)
    }

    #[inline]
    fn begin_line(&mut self, ply: usize) {
        while self.lines.len() <= ply {
            self.lines.push(Vec::new());
        }
        self.lines[ply].clear();
    }

    /// Sets the principal variation of a node: this move, then the line below it.
    #[inline]
    fn lead(&mut self, ply: usize, mv: M) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        if let Some(rest) = below.first() {
            line.extend_from_slice(rest);
        }
    }

    #[inline]
    fn probe(&mut self, key: u64) -> Option<Known> {
        let table = self.table.as_ref()?;
        self.probes += 1;
        let known = table.get(key)?;
        self.hits += 1;
        Some(known)
    }

    #[inline]
    fn store(&mut self, key: u64, value: i32, best: Option<u32>, turns: u32, window: Window) {
        let Some(table) = &mut self.table else { return };
        let bound = window.bound(value);
        table.put(key, Known { value, depth: turns as i32, bound, best });
    }
}
