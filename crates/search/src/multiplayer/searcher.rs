//! The searcher: iterative deepening within limits, and the parts that all algorithms share.

use super::game::{Actor, Depth, MOST_VALUE, MultiplayerGame, Unit};
use super::outcomes::{Outcome, for_each_outcome};
use super::settings::{Algorithm, Pruning, Settings};
use crate::limits::{Limits, Meter, Stopped};
use crate::player::Player;
use crate::report::Report;
use crate::scored::Scored;
use crate::table::TranspositionTable;
use crate::value::MOST_PLIES;
use crate::window::Window;

/// The ordering score of the table's move: above every score of a game.
const FROM_TABLE: i32 = 1 << 30;
/// The maximum length of a line, in moves and outcomes; deeper nodes are evaluated statically.
const MOST_STEPS: usize = 512;

/// The position of a node in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The number of moves and outcomes from the root.
    pub(super) steps: usize,
    /// The number of moves from the root.
    pub(super) decisions: u32,
    /// Best-reply search: an opponent has replied since the searching player's last move.
    pub(super) answered: bool,
}

impl Place {
    const ROOT: Place = Place { steps: 0, decisions: 0, answered: false };

    pub(super) const fn after_move(self) -> Place {
        Place { steps: self.steps + 1, decisions: self.decisions + 1, ..self }
    }

    pub(super) const fn after_outcome(self) -> Place {
        Place { steps: self.steps + 1, ..self }
    }
}

/// A multi-player searcher: settings, and memory that it keeps between searches.
pub struct MultiplayerSearcher<P, M> {
    pub(super) settings: Settings,
    pub(super) table: Option<TranspositionTable>,
    /// The moves of all nodes on the current path: a stack.
    pub(super) moves: Vec<Scored<M>>,
    /// The outcomes of all nodes on the current path: a stack.
    pub(super) outcomes: Vec<Outcome<P>>,
    /// The principal variation from each node of the current path, by distance from the root.
    lines: Vec<Vec<M>>,
    pub(super) meter: Meter,
    pub(super) evaluated: u64,
    pub(super) probes: u64,
    pub(super) hits: u64,
    /// The searching player.
    pub(super) player: Player,
    /// The depth of the iteration, and the turn in which it starts.
    depth: u32,
    first_turn: u32,
    /// How often the searcher has forgotten: a part of the keys of the table.
    pub(super) forgotten: u32,
    /// The best move of the last iteration.
    pub(super) expected: Option<M>,
    /// Whether the iteration has reached the horizon.
    pub(super) is_cut: bool,
}

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// Returns a searcher with these settings and an empty table.
    pub fn new(settings: Settings) -> MultiplayerSearcher<P, M> {
        let has_table = settings.table_mebibytes > 0
            && matches!(settings.algorithm, Algorithm::Paranoid | Algorithm::BestReply)
            && settings.pruning > Pruning::None;
        MultiplayerSearcher {
            settings,
            table: has_table.then(|| TranspositionTable::new(settings.table_mebibytes)),
            moves: Vec::with_capacity(4096),
            outcomes: Vec::with_capacity(1024),
            lines: (0..=MOST_STEPS).map(|_| Vec::new()).collect(),
            meter: Meter::new(Limits::depth(0)),
            evaluated: 0,
            probes: 0,
            hits: 0,
            player: Player::new(0),
            depth: 0,
            first_turn: 0,
            forgotten: 0,
            expected: None,
            is_cut: false,
        }
    }

    /// Returns its settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the seed of the samples from the next search on: see [`Settings::seed`].
    pub const fn reseed(&mut self, seed: u64) {
        self.settings.seed = seed;
    }

    /// Forgets what earlier searches found: the next one is that of a new searcher, without the cost of
    /// new memory. Their entries are replaced before any other.
    pub const fn forget(&mut self) {
        self.forgotten = self.forgotten.wrapping_add(1);
    }

    /// Runs iterative deepening until a limit is reached, the game is decided or a deeper search
    /// would find nothing new. `limits.depth` is in the unit of the settings.
    pub fn search<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &P,
        limits: &Limits,
    ) -> Report<M> {
        let Actor::Player(player) = game.actor(root) else { return Report::before_search(None) };
        let (mut first, mut count) = (None, 0);
        game.for_each_move(root, |mv| {
            first = first.or(Some(mv));
            count += 1;
        });
        let mut report =
            Report { line: first.into_iter().collect(), ..Report::before_search(first) };
        let (worst, best) = game.range().into_inner();
        debug_assert!(-MOST_VALUE <= worst && worst < best && best <= MOST_VALUE);
        self.begin(limits);
        for depth in 1..=limits.depth.clamp(1, MOST_PLIES) {
            self.begin_iteration(game, player, root, depth);
            let Ok(value) = self.iterate(game, root, &mut report) else { break };
            report.depth = depth;
            report.iterations.push((depth, self.meter.nodes()));
            report.is_complete = !self.is_cut;
            let is_lost = value == worst && report.iterations.len() > 1;
            // If every move loses, the move of the previous iteration loses later.
            if !is_lost {
                report.line.clone_from(&self.lines[0]);
                report.best = report.line.first().copied().or(report.best);
            }
            report.value = value;
            // Max-n takes the first of equally good moves, and which one matters to the others.
            self.expected = report.best.filter(|_| self.settings.algorithm != Algorithm::MaxN);
            let is_decided = value == worst || value == best;
            let is_forced = count == 1 && limits.depth >= MOST_PLIES;
            if report.is_complete || is_decided || is_forced {
                break;
            }
        }
        self.write_counts(&mut report);
        report
    }

    /// Finds the value of every root move for the player that chooses there, at depth `depth`; a
    /// search for the best move finds only bounds for the others. Fills `into` with a value for
    /// each move in the order of [`MultiplayerGame::for_each_move`]. Returns false if a limit was
    /// reached; `into` then holds the values found so far.
    ///
    /// Counters carry over between calls: see [`MultiplayerSearcher::begin`].
    pub fn values<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &P,
        depth: u32,
        into: &mut Vec<i32>,
    ) -> bool {
        into.clear();
        let Actor::Player(player) = game.actor(root) else { return true };
        self.begin_iteration(game, player, root, depth);
        let mut moves = Vec::new();
        game.for_each_move(root, |mv| moves.push(mv));
        let (worst, best) = game.range().into_inner();
        let window = Window { low: worst - 1, high: best + 1 };
        let place = Place::ROOT.after_move();
        for mv in moves {
            let after = game.make(root, mv);
            let value = match self.settings.algorithm {
                Algorithm::Expectiminimax => self.plain(game, &after, place),
                Algorithm::Paranoid | Algorithm::BestReply => {
                    self.node(game, &after, place, window)
                }
                Algorithm::MaxN => {
                    self.max_n(game, &after, place, None).map(|values| values[player.index()])
                }
            };
            let Ok(value) = value else { return false };
            into.push(value);
        }
        true
    }

    /// Resets the counters and sets the limits. [`MultiplayerSearcher::search`] does so itself.
    pub fn begin(&mut self, limits: &Limits) {
        self.meter = Meter::new(*limits);
        (self.evaluated, self.probes, self.hits) = (0, 0, 0);
        self.expected = None;
        if let Some(table) = &mut self.table {
            table.next_search();
        }
    }

    /// Writes the counters since [`MultiplayerSearcher::begin`] into a report.
    pub fn write_counts(&self, report: &mut Report<M>) {
        report.nodes = self.meter.nodes();
        report.evaluated = self.evaluated;
        (report.probes, report.hits) = (self.probes, self.hits);
        report.stall = self.meter.stall();
    }

    fn begin_iteration<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        player: Player,
        root: &P,
        depth: u32,
    ) {
        self.player = player;
        self.first_turn = game.turn(root);
        self.depth = depth;
        self.is_cut = false;
        self.moves.clear();
        self.outcomes.clear();
        // An abandoned iteration may have left a line that a cutoff would leave in place.
        self.lines.iter_mut().for_each(Vec::clear);
    }

    /// Runs one iteration; returns the root's value to the searching player.
    fn iterate<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        root: &P,
        report: &mut Report<M>,
    ) -> Result<i32, Stopped> {
        match self.settings.algorithm {
            Algorithm::Expectiminimax => self.plain(game, root, Place::ROOT),
            Algorithm::Paranoid | Algorithm::BestReply => {
                let (worst, best) = game.range().into_inner();
                let window = Window { low: worst - 1, high: best + 1 };
                self.node(game, root, Place::ROOT, window)
            }
            Algorithm::MaxN => {
                let values = self.max_n(game, root, Place::ROOT, None)?;
                report.values = Some(values);
                Ok(values[self.player.index()])
            }
        }
    }

    /// Returns the remaining depth of a node.
    #[inline]
    pub(super) fn depth_at<G: MultiplayerGame<Position = P, Move = M>>(
        &self,
        game: &G,
        position: &P,
        place: Place,
    ) -> Depth {
        let done = match self.settings.unit {
            Unit::Decisions => place.decisions,
            Unit::Turns => game.turn(position) - self.first_turn,
        };
        Depth { left: self.depth.saturating_sub(done), unit: self.settings.unit }
    }

    /// Returns whether a node is evaluated statically.
    #[inline]
    pub(super) fn is_leaf<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        actor: Actor,
        place: Place,
    ) -> bool {
        if actor == Actor::Over {
            return true;
        }
        let is_at_horizon = self.depth_at(game, position, place).left == 0
            && game.may_judge(position)
            || place.steps >= MOST_STEPS;
        self.is_cut |= is_at_horizon;
        is_at_horizon
    }

    /// Returns the game's bounds of the value of a node to a player.
    #[inline]
    pub(super) fn bounds<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        player: Player,
        place: Place,
    ) -> (i32, i32) {
        let depth = self.depth_at(game, position, place);
        let bounds = game.bounds(position, player, depth);
        // A node cut by these bounds is not searched completely.
        self.is_cut |= bounds != game.range();
        bounds.into_inner()
    }

    /// Returns the static evaluation of a position for the searching player.
    #[inline]
    pub(super) fn judge<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
    ) -> i32 {
        self.evaluated += 1;
        let (worst, best) = game.range().into_inner();
        let value = game.value(position, self.player);
        debug_assert!((worst..=best).contains(&value), "{value} is not in {worst}..={best}");
        value.clamp(worst, best)
    }

    /// Pushes a node's moves on the stack.
    #[inline]
    pub(super) fn push_moves<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
        from_table: Option<u32>,
    ) {
        let is_root = place.steps == 0;
        let MultiplayerSearcher { moves, expected, .. } = self;
        game.for_each_move(position, |mv| {
            let is_first = is_root && *expected == Some(mv) || from_table == Some(game.move_id(mv));
            let score = if is_first { FROM_TABLE } else { game.promise(position, mv) };
            moves.push(Scored { mv, score });
        });
    }

    /// Pushes the outcomes of a chance node on the stack, with the widest bounds.
    #[inline]
    pub(super) fn push_outcomes<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
    ) {
        let bounds = game.range().into_inner();
        let MultiplayerSearcher { outcomes, settings, .. } = self;
        for_each_outcome(game, position, settings, |weight, after| {
            outcomes.push(Outcome { weight, after, bounds });
        });
    }

    #[inline]
    pub(super) fn begin_line(&mut self, place: Place) {
        self.lines[place.steps].clear();
    }

    /// Sets the principal variation of a node: this move, then the line below it.
    #[inline]
    pub(super) fn lead(&mut self, place: Place, mv: M) {
        let (above, below) = self.lines.split_at_mut(place.steps + 1);
        let line = &mut above[place.steps];
        line.clear();
        line.push(mv);
        if let Some(rest) = below.first() {
            line.extend_from_slice(rest);
        }
    }

    /// Sets the principal variation of a chance node: the line below the outcome searched last.
    #[inline]
    pub(super) fn follow(&mut self, place: Place) {
        let (above, below) = self.lines.split_at_mut(place.steps + 1);
        if let Some(rest) = below.first() {
            above[place.steps].clone_from(rest);
        }
    }
}
