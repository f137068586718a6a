//! Search with several threads that share a transposition table (lazy SMP, common in chess programs
//! since 2013). Helper threads search the same root, at other depths and with the root
//! moves in another order, and the main thread finds their results in the table. Only its own
//! result counts.
//!
//! Which entries the main thread finds depends on the timing of the threads, so that with more than
//! one thread two equal searches may visit different nodes and return different moves. With
//! [`Settings::exact`] the value is that of one thread.

use super::game::TwoSidedGame;
use super::search_table::SearchTable;
use super::searcher::{Root, TwoSidedSearcher};
use super::settings::Settings;
use crate::limits::Limits;
use crate::report::Report;
use crate::shared_table::SharedTable;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// The part of a searcher in a search with several threads: that of a helper.
pub(super) struct Helper {
    /// Set when the search is over.
    pub(super) stop: Arc<AtomicBool>,
    /// Its number, from 1.
    pub(super) number: usize,
}

/// Searchers that search a root together, one in each thread.
pub struct ParallelSearcher<P, M> {
    main: TwoSidedSearcher<P, M>,
    helpers: Vec<TwoSidedSearcher<P, M>>,
    stop: Arc<AtomicBool>,
}

impl<P: Copy, M: Copy + Eq> ParallelSearcher<P, M> {
    /// Returns searchers with an empty table for this number of threads, the calling one included.
    /// Searchers without a table cannot help each other: without one there is a single thread.
    pub fn new(settings: Settings, threads: NonZero<usize>) -> ParallelSearcher<P, M> {
        let stop = Arc::new(AtomicBool::new(false));
        if threads.get() == 1 || !settings.has_table() {
            let main = TwoSidedSearcher::new(settings);
            return ParallelSearcher { main, helpers: Vec::new(), stop };
        }
        let table = Arc::new(SharedTable::new(settings.table_mebibytes));
        let searcher = |helper| {
            let table = SearchTable::Shared(Arc::clone(&table));
            TwoSidedSearcher::with_table(settings, Some(table), helper)
        };
        let helper = |number| searcher(Some(Helper { stop: Arc::clone(&stop), number }));
        let helpers = (1..threads.get()).map(helper).collect();
        ParallelSearcher { main: searcher(None), helpers, stop }
    }

    /// Returns the searcher of the calling thread, for a search with one thread.
    pub fn main(&mut self) -> &mut TwoSidedSearcher<P, M> {
        &mut self.main
    }

    /// Searches as [`TwoSidedSearcher::search`], with all threads.
    pub fn search<G>(&mut self, game: &G, root: &Root<'_, P>, limits: &Limits) -> Report<M>
    where
        G: TwoSidedGame<Position = P, Move = M> + Sync,
        P: Send + Sync,
        M: Send,
    {
        self.search_with_reserve(game, root, limits, limits)
    }

    /// Searches as [`TwoSidedSearcher::search_with_reserve`], with all threads. With one thread the
    /// two are the same.
    ///
    /// The limits are those of the calling thread: only its nodes count towards the maximum, and
    /// only it reads the clock. The others stop when it does, at the latest after 256 nodes. None is
    /// left when this returns. If the system starts no more threads, the search has fewer.
    pub fn search_with_reserve<G>(
        &mut self,
        game: &G,
        root: &Root<'_, P>,
        limits: &Limits,
        reserve: &Limits,
    ) -> Report<M>
    where
        G: TwoSidedGame<Position = P, Move = M> + Sync,
        P: Send + Sync,
        M: Send,
    {
        let ParallelSearcher { main, helpers, stop } = self;
        if helpers.is_empty() {
            return main.search_with_reserve(game, root, limits, reserve);
        }
        stop.store(false, Ordering::Relaxed);
        let until_stopped = Limits::depth(limits.depth);
        let nodes = AtomicU64::new(0);
        let mut report = thread::scope(|scope| {
            // The scope waits for the helpers, also when the search of this thread panics.
            let _over = StopOnDrop(stop);
            for helper in helpers {
                let (nodes, limits) = (&nodes, &until_stopped);
                let search = move || {
                    let report = helper.search(game, root, limits);
                    nodes.fetch_add(report.nodes, Ordering::Relaxed);
                };
                if thread::Builder::new().spawn_scoped(scope, search).is_err() {
                    break;
                }
            }
            main.search_with_reserve(game, root, limits, reserve)
        });
        report.helper_nodes = nodes.into_inner();
        report
    }
}

/// Ends the searches of the helpers.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
