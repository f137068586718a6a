//! The searcher: iterative deepening (Slate and Atkin 1977) within limits. The drivers run each
//! iteration.

use super::drivers::FirstMove;
use super::game::{Exact, TwoSidedGame};
use super::line::Line;
use super::minimax::evaluation;
use super::ordering::Ordering;
use super::parallel::Helper;
use super::search_table::SearchTable;
use super::settings::{FirstGuess, Settings};
use crate::limits::{Limits, Meter, Stopped};
use crate::report::Report;
use crate::scored::Scored;
use crate::table::TranspositionTable;
use crate::value::{self, MOST_PLIES};
use std::sync::Arc;

/// The root of a search: a position, and the history as far as draws depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Root<'a, P> {
    /// The position.
    pub position: P,
    /// The keys of the earlier positions since the last irreversible move, oldest first: those that
    /// could recur.
    pub earlier: &'a [u64],
}

impl<P> Root<'_, P> {
    /// Returns a root without a history.
    pub const fn new(position: P) -> Root<'static, P> {
        Root { position, earlier: &[] }
    }
}

/// A searcher: settings, and memory that it keeps between searches. Table entries stay valid as
/// long as equal keys stand for equal positions with equal evaluations.
pub struct TwoSidedSearcher<P, M> {
    pub(super) settings: Settings,
    pub(super) table: Option<SearchTable>,
    pub(super) ordering: Ordering<M>,
    pub(super) line: Line,
    /// The moves of all nodes on the current path: a stack, so that no node allocates.
    pub(super) moves: Vec<Scored<M>>,
    pub(super) meter: Meter,
    pub(super) probes: u64,
    pub(super) hits: u64,
    pub(super) known: u64,
    /// The move that the current iteration found last to be better than those before.
    pub(super) improved: Option<M>,
    /// Whether the current iteration is worse than the one before by [`Settings::fall`].
    pub(super) has_fallen: bool,
    /// The best move first.
    pub(super) first_moves: Vec<FirstMove<P, M>>,
    /// What makes the searcher of a helper thread search otherwise than the main one.
    helper: Option<Helper>,
}

impl<P: Copy, M: Copy + Eq> TwoSidedSearcher<P, M> {
    /// Returns a searcher with an empty table.
    pub fn new(settings: Settings) -> TwoSidedSearcher<P, M> {
        let table = || SearchTable::Own(TranspositionTable::new(settings.table_mebibytes));
        TwoSidedSearcher::with_table(settings, settings.has_table().then(table), None)
    }

    /// Returns a searcher with this table: the main one, or a helper.
    pub(super) fn with_table(
        settings: Settings,
        table: Option<SearchTable>,
        helper: Option<Helper>,
    ) -> TwoSidedSearcher<P, M> {
        TwoSidedSearcher {
            settings,
            table,
            ordering: Ordering::new(),
            line: Line::default(),
            moves: Vec::with_capacity(4096),
            meter: Meter::new(Limits::depth(0)),
            probes: 0,
            hits: 0,
            known: 0,
            improved: None,
            has_fallen: false,
            first_moves: Vec::new(),
            helper,
        }
    }

    /// Searches until a limit is reached, the game is decided or there is only one move.
    pub fn search<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &Root<'_, P>,
        limits: &Limits,
    ) -> Report<M> {
        self.search_with_reserve(game, root, limits, limits)
    }

    /// Searches as [`TwoSidedSearcher::search`]. If `limits` cut off an iteration that is worse than
    /// the one before by [`Settings::fall`] and has no better move yet, this iteration is the last
    /// one and continues within the nodes and the deadline of `reserve`, which include those used
    /// before. MTD(f) alone does so.
    pub fn search_with_reserve<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &Root<'_, P>,
        limits: &Limits,
        reserve: &Limits,
    ) -> Report<M> {
        self.begin(game, root, limits);
        let mut report = Report {
            value: value::lost_at(0),
            ..Report::before_search(self.first_moves.first().map(|first| first.mv))
        };
        let most = limits.depth.clamp(1, MOST_PLIES);
        let step = self.settings.step.max(1);
        // All depths have the parity of the last one.
        let mut depth = (most - 1) % step + 1;
        if let Some(helper) = &self.helper {
            // Every other helper is a ply ahead.
            depth += helper.number as u32 % 2;
        }
        // The values of the last iterations, the latest first.
        let mut guesses = [value::DRAW; 2];
        let (mut has_reserve, mut is_last) = (reserve != limits, false);
        while depth <= most && report.best.is_some() {
            let guess = self.first_guess(game, root, guesses, step % 2 == 1 && report.depth > 1);
            (self.improved, self.has_fallen) = (None, false);
            let found = match self.iterate(game, &root.position, depth as i32, guess) {
                Ok(found) => found,
                Err(Stopped)
                    if has_reserve
                        && self.has_fallen
                        && self.improved.is_none()
                        && report.depth > 0 =>
                {
                    (has_reserve, is_last) = (false, true);
                    self.meter.replace(*reserve);
                    // The table remembers what the iteration has searched.
                    self.moves.clear();
                    self.line.begin(self.settings.draws, root.earlier, game.key(&root.position));
                    continue;
                }
                Err(Stopped) => {
                    if self.settings.unfinished {
                        report.best = self.improved.or(report.best);
                    }
                    break;
                }
            };
            guesses = [found.value, guesses[0]];
            if let Some(best) = found.best {
                report.best = Some(best);
                self.bring_to_front(best);
            }
            report.value = found.value;
            report.depth = depth;
            report.iterations.push((depth, self.meter.nodes()));
            let is_decided = value::decided_in(found.value).is_some_and(|plies| plies <= depth);
            let is_forced = self.first_moves.len() == 1 && limits.depth == MOST_PLIES;
            if is_decided || is_forced || is_last {
                break;
            }
            depth += step;
        }
        report.nodes = self.meter.nodes();
        (report.probes, report.hits) = (self.probes, self.hits);
        report.known = self.known;
        report.stall = self.meter.stall();
        report.line = self.principal_variation(game, &root.position, report.best, report.depth);
        report
    }

    /// Returns the first guess of an iteration. `guesses` has the values of the last two, the latest
    /// first; `is_other_parity` states whether the depth of the latest has the other parity.
    fn first_guess<G: TwoSidedGame<Position = P, Move = M>>(
        &self,
        game: &G,
        root: &Root<'_, P>,
        guesses: [i32; 2],
        is_other_parity: bool,
    ) -> i32 {
        let guess = match self.settings.first_guess {
            FirstGuess::SameParity => guesses[usize::from(is_other_parity)],
            FirstGuess::Previous => guesses[0],
            FirstGuess::Static => evaluation(game, &root.position),
            FirstGuess::Zero => value::DRAW,
        };
        (guess + self.settings.guess_offset).clamp(1 - value::INFINITE, value::INFINITE)
    }

    pub(super) fn begin<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &Root<'_, P>,
        limits: &Limits,
    ) {
        self.meter = Meter::new(*limits);
        if let Some(helper) = &self.helper {
            self.meter.stop_when(Arc::clone(&helper.stop));
        }
        (self.probes, self.hits, self.known) = (0, 0, 0);
        self.moves.clear();
        self.ordering.next_search(G::HISTORY_SLOTS);
        // The main searcher starts the search of all.
        if self.helper.is_none()
            && let Some(table) = &mut self.table
        {
            table.next_search();
        }
        let position = &root.position;
        self.line.begin(self.settings.draws, root.earlier, game.key(position));
        let first_moves = &mut self.first_moves;
        first_moves.clear();
        game.for_each_move(position, |mv| {
            first_moves.push(FirstMove { mv, after: game.make(position, mv) });
        });
        if let Some(helper) = &self.helper
            && !first_moves.is_empty()
        {
            let places = helper.number % first_moves.len();
            first_moves.rotate_left(places);
        }
    }

    pub(super) fn bring_to_front(&mut self, best: M) {
        if let Some(place) = self.first_moves.iter().position(|first| first.mv == best) {
            self.first_moves[..=place].rotate_right(1);
        }
    }

    /// Returns the value, relative to the root, of a position `ply` plies from it, if the game
    /// knows it.
    #[inline(always)]
    pub(super) fn known<G: TwoSidedGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        ply: u32,
    ) -> Option<i32> {
        let exact = game.known(position)?;
        self.known += 1;
        Some(match exact {
            Exact::Draw => value::draw_at(ply, self.settings.contempt),
            Exact::Win(plies) => -value::lost_at(ply + plies),
            Exact::Loss(plies) => value::lost_at(ply + plies),
            Exact::Won => -value::lost_at(ply + value::UNKNOWN_PLIES),
            Exact::Lost => value::lost_at(ply + value::UNKNOWN_PLIES),
        })
    }

    /// Returns the principal variation from the table's best moves.
    fn principal_variation<G: TwoSidedGame<Position = P, Move = M>>(
        &self,
        game: &G,
        root: &P,
        best: Option<M>,
        depth: u32,
    ) -> Vec<M> {
        let mut line = Vec::new();
        let (mut position, mut next) = (*root, best);
        while let Some(mv) = next {
            line.push(mv);
            if line.len() >= depth as usize {
                break;
            }
            position = game.make(&position, mv);
            let known = self.table.as_ref().and_then(|table| table.get(game.key(&position)));
            next = None;
            if let Some(id) = known.and_then(|known| known.best) {
                game.for_each_move(&position, |mv| {
                    if game.move_id(mv) == id {
                        next = Some(mv);
                    }
                });
            }
        }
        line
    }
}
