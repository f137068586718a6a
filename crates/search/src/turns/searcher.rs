//! A search from end to end, and the body that searches a node in a window.

use super::game::{Chooser, TurnGame};
use super::settings::Settings;
use crate::limits::{Limits, Meter, Stopped};
use crate::report::Report;
use crate::scored::{Scored, best_first};
use crate::table::{Known, TranspositionTable};
use crate::value::INFINITE;
use crate::window::Window;

/// How early the move from the table is tried: before all that a game promises.
const FROM_TABLE: i32 = 1 << 30;
/// A table holds no deeper entries.
const MOST_TURNS: u32 = 255;

/// 1 for the maximiser, -1 for the minimiser: turns a value to the side that chooses.
const fn sign(chooser: Chooser) -> i32 {
    match chooser {
        Chooser::Maximiser => 1,
        Chooser::Minimiser => -1,
    }
}

/// Searches one position after another. It keeps its memory; what it remembers of one search
/// helps the next one if both have the same keys for the same things.
pub struct TurnSearcher<M> {
    settings: Settings,
    table: Option<TranspositionTable>,
    /// The moves of all nodes from the root to the one at hand, one after another.
    moves: Vec<Scored<M>>,
    /// The best line from each node on the way to the one at hand, as far as it was searched with
    /// an open window; by steps from the root.
    lines: Vec<Vec<M>>,
    meter: Meter,
    probes: u64,
    hits: u64,
}

impl<M: Copy + Eq> TurnSearcher<M> {
    /// A searcher with an empty table.
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

    /// How much memory the table takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.table.as_ref().map_or(0, TranspositionTable::bytes)
    }

    /// Searches ever deeper until a limit is reached; `limits.depth` counts turns.
    ///
    /// The value is for the side that chooses at the root, and `line` has all steps down to the
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

    /// Finds the value of every move of the root, for the side that chooses there, `depth` turns
    /// deep: what a search for the best one does not tell. Fills `into` with a value for each move
    /// in the order of [`TurnGame::for_each_move`]; returns false where a limit was reached, and
    /// leaves `into` as far as it came.
    ///
    /// Counts are kept from one call to the next: see [`TurnSearcher::begin`].
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

    /// Counts from zero again, against these limits: [`TurnSearcher::search`] does so itself.
    pub fn begin(&mut self, limits: &Limits) {
        self.meter = Meter::new(*limits);
        (self.probes, self.hits) = (0, 0);
        self.moves.clear();
        if let Some(table) = &mut self.table {
            table.next_search();
        }
    }

    /// Writes into a report what was counted since [`TurnSearcher::begin`].
    pub fn write_counts(&self, report: &mut Report<M>) {
        report.nodes = self.meter.nodes();
        (report.probes, report.hits) = (self.probes, self.hits);
        report.stall = self.meter.stall();
    }

    /// The value of a position for the maximiser, as far as it lies in the window. Outside of it
    /// what is returned is a bound.
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
            // With an open window the line is wanted as well, which no table knows.
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
        debug_assert!(self.moves.len() > first, "somebody chooses, but there is nothing to choose");
        let sign = sign(chooser);
        // From here on as the choosing side sees it.
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

    /// The value of a step for who makes it. Any but the first gets a null window first: it has to
    /// show that it is better.
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

    /// The best line from a node begins with this move and continues as below it.
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
