//! A search from end to end: iterative deepening (Slate and Atkin 1977) within limits, and what it
//! found out. How an iteration is done is the drivers' business.

use super::drivers::RootMove;
use super::game::{Exact, SearchGame};
use super::limits::{Limits, Meter, Stopped};
use super::line::Line;
use super::ordering::{Ordering, Scored};
use super::settings::{Algorithm, Settings};
use super::table::TranspositionTable;
use super::value::{self, MOST_PLIES};
use crate::deadline::Stall;

/// Where a search begins.
#[derive(Clone, Copy, Debug)]
pub struct Root<'a, P> {
    /// The position.
    pub position: P,
    /// The keys of the earlier positions since the last move that cannot be taken back, the first
    /// one first: those that could come back.
    pub earlier: &'a [u64],
}

impl<P> Root<'_, P> {
    /// A position without a past.
    pub const fn new(position: P) -> Root<'static, P> {
        Root { position, earlier: &[] }
    }
}

/// What a search found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The best move of the last finished iteration; `None` only where there is no legal move.
    pub best: Option<M>,
    /// Its value for the side to move: of the evaluation, or a win or loss
    /// ([`value::decided_in`]).
    pub value: i32,
    /// How deep the last finished iteration went, in plies; 0 where none was finished.
    pub depth: u32,
    /// How many positions were visited, those of quiescence and of the iteration that was given up
    /// included.
    pub nodes: u64,
    /// How many nodes had been visited when each iteration was finished, by its depth.
    pub iterations: Vec<(u32, u64)>,
    /// How often the table was asked.
    pub probes: u64,
    /// How often it knew the position.
    pub hits: u64,
    /// How often the game knew a position's result ([`SearchGame::known`]).
    pub known: u64,
    /// The longest time between two looks at the clock, zero where there is no deadline: how much
    /// too late a search on this machine may end.
    pub stall: Stall,
    /// The principal variation, as far as the table still knows it; begins with `best`.
    pub line: Vec<M>,
}

impl<M> Report<M> {
    /// What is known before anything was searched: a move to fall back on.
    pub(crate) const fn before_search(best: Option<M>) -> Report<M> {
        Report {
            best,
            value: value::DRAW,
            depth: 0,
            nodes: 0,
            iterations: Vec::new(),
            probes: 0,
            hits: 0,
            known: 0,
            stall: Stall::NONE,
            line: Vec::new(),
        }
    }

    /// The effective growth per ply: the factor between the nodes of the last two finished
    /// iterations (each taken alone), spread over the plies between them. `None` with fewer.
    pub fn growth(&self) -> Option<f64> {
        let [.., (_, start), (shallow, middle), (deep, end)] = self.iterations[..] else {
            return None;
        };
        let (last, before) = ((end - middle) as f64, (middle - start) as f64);
        (before > 0.0).then(|| (last / before).powf(1.0 / f64::from(deep - shallow)))
    }
}

/// Searches one position after another, and remembers.
pub struct Searcher<G: SearchGame> {
    pub(super) game: G,
    pub(super) settings: Settings,
    pub(super) table: Option<TranspositionTable>,
    pub(super) ordering: Ordering<G::Move>,
    pub(super) line: Line,
    /// The moves of all nodes from the root to the one at hand, one after another: a stack, so that
    /// no node allocates.
    pub(super) moves: Vec<Scored<G::Move>>,
    pub(super) meter: Meter,
    pub(super) probes: u64,
    pub(super) hits: u64,
    pub(super) known: u64,
    /// The best move first.
    pub(super) root_moves: Vec<RootMove<G::Move, G::Position>>,
}

impl<G: SearchGame> Searcher<G> {
    /// A searcher with an empty table.
    pub fn new(game: G, settings: Settings) -> Searcher<G> {
        let wants_table = settings.table_mebibytes > 0 && settings.algorithm != Algorithm::Minimax;
        Searcher {
            game,
            settings,
            table: wants_table.then(|| TranspositionTable::new(settings.table_mebibytes)),
            ordering: Ordering::new(G::HISTORY_SLOTS),
            line: Line::default(),
            moves: Vec::with_capacity(4096),
            meter: Meter::new(Limits::depth(0)),
            probes: 0,
            hits: 0,
            known: 0,
            root_moves: Vec::new(),
        }
    }

    /// The game it searches.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Searches until a limit is reached, the game is decided or there is nothing to choose.
    pub fn search(&mut self, root: &Root<'_, G::Position>, limits: &Limits) -> Report<G::Move> {
        self.begin(root, limits);
        let mut report = Report {
            value: value::lost_at(0),
            ..Report::before_search(self.root_moves.first().map(|root_move| root_move.mv))
        };
        let most = limits.depth.clamp(1, MOST_PLIES);
        let step = self.settings.step.max(1);
        // All depths have the parity of the last one.
        let mut depth = (most - 1) % step + 1;
        // The values of the last iterations, the latest one first.
        let mut guesses = [value::DRAW; 2];
        while depth <= most && report.best.is_some() {
            // The same parity: one iteration back with an even step, two with an odd one.
            let guess = guesses[usize::from(step % 2 == 1 && report.depth > 1)];
            let Ok(found) = self.iterate(&root.position, depth as i32, guess) else { break };
            guesses = [found.value, guesses[0]];
            if let Some(best) = found.best {
                report.best = Some(best);
                self.bring_to_front(best);
            }
            report.value = found.value;
            report.depth = depth;
            report.iterations.push((depth, self.meter.nodes()));
            let is_decided = value::decided_in(found.value).is_some_and(|plies| plies <= depth);
            let is_forced = self.root_moves.len() == 1 && limits.depth == MOST_PLIES;
            if is_decided || is_forced {
                break;
            }
            depth += step;
        }
        report.nodes = self.meter.nodes();
        (report.probes, report.hits) = (self.probes, self.hits);
        report.known = self.known;
        report.stall = self.meter.stall();
        report.line = self.principal_variation(&root.position, report.best, report.depth);
        report
    }

    fn begin(&mut self, root: &Root<'_, G::Position>, limits: &Limits) {
        self.meter = Meter::new(*limits);
        (self.probes, self.hits) = (0, 0);
        self.known = 0;
        self.moves.clear();
        self.ordering.next_search();
        if let Some(table) = &mut self.table {
            table.next_search();
        }
        let position = &root.position;
        self.line.begin(self.settings.draws, root.earlier, self.game.key(position));
        self.root_moves.clear();
        let (game, root_moves) = (&self.game, &mut self.root_moves);
        game.for_each_move(position, |mv| {
            root_moves.push(RootMove { mv, after: game.make(position, mv) });
        });
    }

    pub(super) fn bring_to_front(&mut self, best: G::Move) {
        if let Some(place) = self.root_moves.iter().position(|root_move| root_move.mv == best) {
            self.root_moves[..=place].rotate_right(1);
        }
    }

    /// Counts a visit to a node.
    #[inline(always)]
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        self.meter.visit()
    }

    /// The value, seen from the root, of a position `ply` plies from it, where the game knows it.
    #[inline(always)]
    pub(super) fn known(&mut self, position: &G::Position, ply: u32) -> Option<i32> {
        let exact = self.game.known(position)?;
        self.known += 1;
        Some(match exact {
            Exact::Draw => value::draw_at(ply, self.settings.contempt),
            Exact::Win(plies) => -value::lost_at(ply + plies),
            Exact::Loss(plies) => value::lost_at(ply + plies),
        })
    }

    /// The moves that the table holds for best, from the root on.
    fn principal_variation(
        &self,
        root: &G::Position,
        best: Option<G::Move>,
        depth: u32,
    ) -> Vec<G::Move> {
        let mut line = Vec::new();
        let (mut position, mut next) = (*root, best);
        while let Some(mv) = next {
            line.push(mv);
            if line.len() >= depth as usize {
                break;
            }
            position = self.game.make(&position, mv);
            let known = self.table.as_ref().and_then(|table| table.get(self.game.key(&position)));
            next = None;
            if let Some(id) = known.and_then(|known| known.best) {
                self.game.for_each_move(&position, |mv| {
                    if self.game.move_id(mv) == id {
                        next = Some(mv);
                    }
                });
            }
        }
        line
    }
}
