//! The searcher: threads, each with its own trees, run until a limit is reached; then the
//! statistics of their roots are summed (root parallelisation, Chaslot, Winands & van den Herik
//! 2008). With a fixed number of iterations, the result depends only on the seed and the number of
//! threads.

use super::final_choice::{draw_within, sort};
use super::iteration::SearchThread;
use super::settings::Settings;
use super::simulation::{Actor, Simulation};
use super::tree::{Index, Node, ROOT, Tree};
use crate::SearchRng;
use crate::deadline::Stall;
use crate::limits::Limits;
use crate::report::{Report, RootMove};
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A searcher of simulations with events of this type: settings, and memory reused between
/// searches.
pub struct TreeSearcher<E> {
    settings: Settings,
    /// The trees of the last search, by thread.
    memory: Vec<Vec<Tree<E>>>,
}

impl<E: Clone + PartialEq + Send> TreeSearcher<E> {
    /// Returns a searcher with these settings.
    pub const fn new(settings: Settings) -> TreeSearcher<E> {
        TreeSearcher { settings, memory: Vec::new() }
    }

    /// Returns the number of nodes that fit into this many MiB.
    pub const fn nodes_in(mebibytes: usize) -> usize {
        let nodes = mebibytes * (1 << 20) / size_of::<Node<E>>();
        if nodes < u32::MAX as usize { nodes } else { u32::MAX as usize - 1 }
    }

    /// Searches until a limit is reached.
    pub fn search<S: Simulation<Event = E>>(
        &mut self,
        simulation: &S,
        limits: &Limits,
        rng: &mut SearchRng,
    ) -> Report<S::Action, f64> {
        let settings = self.settings;
        let threads = settings.threads.max(1);
        let mut memory = std::mem::take(&mut self.memory).into_iter();
        let mut workers: Vec<(SearchThread<S>, SearchRng, Limits)> = (0..threads as u64)
            .map(|number| {
                let mut worker = SearchThread::new(simulation, &settings);
                if let Some(trees) = memory.next() {
                    worker.reuse(trees);
                }
                let all = limits.nodes;
                let share = all / threads as u64 + u64::from(number < all % threads as u64);
                let limits = Limits { nodes: share, ..*limits };
                (worker, SearchRng::seed_from_u64(rng.next_u64()), limits)
            })
            .collect();
        if let [(worker, rng, limits)] = &mut workers[..] {
            worker.run(simulation, &settings, limits, rng);
        } else {
            std::thread::scope(|scope| {
                for (worker, rng, limits) in &mut workers {
                    scope.spawn(|| worker.run(simulation, &settings, limits, rng));
                }
            });
        }
        let workers: Vec<SearchThread<S>> =
            workers.into_iter().map(|(worker, ..)| worker).collect();
        let report = self.report(simulation, &workers, rng);
        self.memory = workers.into_iter().map(|worker| worker.trees).collect();
        report
    }

    fn report<S: Simulation<Event = E>>(
        &self,
        simulation: &S,
        workers: &[SearchThread<S>],
        rng: &mut SearchRng,
    ) -> Report<S::Action, f64> {
        let mut state = simulation.state();
        simulation.begin(&mut state, &mut S::Scratch::default(), rng);
        let deciding = match (simulation.actor(&state), workers[0].trees.len()) {
            (Actor::Player(player), 2..) => player.index(),
            _ => 0,
        };
        let mut root = self.root(simulation, workers, deciding);
        if self.settings.margin > 0.0 {
            draw_within(&mut root, self.settings.margin.into(), rng);
        }
        let line = match root.first() {
            Some(best) => line(simulation, &workers[0].trees[deciding], best.mv),
            None => Vec::new(),
        };
        let best = root.first().map(|best| best.mv);
        let plan = (0..workers[0].trees.len())
            .filter_map(|tree| Some(self.root(simulation, workers, tree).first()?.mv))
            .collect();
        Report {
            value: root.first().map_or(0.0, |best| best.value),
            playouts: workers.iter().map(|worker| worker.playouts).sum(),
            nodes: workers
                .iter()
                .flat_map(|worker| &worker.trees)
                .map(|tree| tree.len() as u64)
                .sum(),
            depth: workers.iter().map(|worker| worker.depth).max().unwrap_or(0),
            stall: workers.iter().fold(Stall::NONE, |all, worker| all.max(worker.stall)),
            line,
            plan,
            root,
            ..Report::before_search(best)
        }
    }

    /// Returns the root actions of one of the trees, summed over all threads.
    fn root<S: Simulation<Event = E>>(
        &self,
        simulation: &S,
        workers: &[SearchThread<S>],
        tree: usize,
    ) -> Vec<RootMove<S::Action>> {
        let mut tried: Vec<(RootMove<S::Action>, f64)> = Vec::new();
        for tree in workers.iter().map(|worker| &worker.trees[tree]) {
            for child in tree.children(ROOT).map(|child| tree.node(child)) {
                let action = child.event.as_ref().and_then(|event| simulation.action(event));
                let Some(action) = action.filter(|_| child.visits > 0) else { continue };
                let visits = u64::from(child.visits);
                match tried.iter_mut().find(|(tried, _)| tried.mv == action) {
                    Some((tried, total)) => {
                        tried.visits += visits;
                        *total += child.total;
                    }
                    None => tried.push((RootMove { mv: action, visits, value: 0.0 }, child.total)),
                }
            }
        }
        let mut actions: Vec<RootMove<S::Action>> = tried
            .into_iter()
            .map(|(tried, total)| RootMove { value: total / tried.visits as f64, ..tried })
            .collect();
        sort(&mut actions, self.settings.final_choice);
        actions
    }
}

/// Returns the most visited line after a root action.
fn line<S: Simulation>(simulation: &S, tree: &Tree<S::Event>, first: S::Action) -> Vec<S::Action> {
    let action_of =
        |node: Index| tree.node(node).event.as_ref().and_then(|event| simulation.action(event));
    let mut line = vec![first];
    let mut at = tree.children(ROOT).find(|&child| action_of(child) == Some(first));
    while let Some(node) = at {
        at = tree
            .children(node)
            .filter(|&child| tree.node(child).visits > 1)
            .max_by_key(|&child| (tree.node(child).visits, std::cmp::Reverse(child)));
        line.extend(at.and_then(action_of));
    }
    line
}
