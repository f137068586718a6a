//! The part of a search that one thread runs: its own trees, and the four steps of an iteration in
//! them. Selection by UCB1 among the available children, expansion by one node, a playout, and
//! backpropagation of the rewards.
//!
//! Actions of others that the searching player cannot tell apart share a node, and one of them is
//! played at random: information set MCTS with partially observable moves (Cowling, Powley and
//! Whitehouse 2012, "Information Set Monte Carlo Tree Search", SO-ISMCTS + POM).

use super::logarithms::Logarithms;
use super::settings::{Settings, Trees};
use super::simulation::{Actor, Rewards, Simulation};
use super::tree::{Index, ROOT, Tree};
use crate::SearchRng;
use crate::deadline::Stall;
use crate::limits::{Limits, Meter};
use crate::player::MAX_PLAYERS;
use arrayvec::ArrayVec;
use rand_xoshiro::rand_core::Rng;

/// A node on the path of an iteration.
#[derive(Clone, Copy)]
struct Visit {
    tree: usize,
    node: Index,
    /// Its depth in its tree.
    depth: u32,
    /// The player whose choice led there; `None` for chance.
    chooser: Option<usize>,
}

/// The progress of an iteration in one tree.
#[derive(Clone, Copy)]
struct Cursor {
    node: Index,
    depth: u32,
}

/// The trees and scratch memory of one thread.
pub(super) struct SearchThread<S: Simulation> {
    pub(super) trees: Vec<Tree<S::Event>>,
    pub(super) playouts: u64,
    /// The length of the longest path so far.
    pub(super) depth: u32,
    /// The time for which the search was preempted.
    pub(super) stall: Stall,
    state: S::State,
    scratch: S::Scratch,
    actions: Vec<S::Action>,
    children: Vec<Option<Index>>,
    path: Vec<Visit>,
    max_nodes: usize,
    logarithms: Logarithms,
}

impl<S: Simulation> SearchThread<S> {
    pub(super) fn new(simulation: &S, settings: &Settings) -> SearchThread<S> {
        let trees = match settings.trees {
            Trees::Single => 1,
            Trees::PerPlayer => simulation.players(),
        };
        SearchThread {
            trees: (0..trees).map(|_| Tree::new()).collect(),
            playouts: 0,
            depth: 0,
            stall: Stall::NONE,
            state: simulation.state(),
            scratch: S::Scratch::default(),
            actions: Vec::new(),
            children: Vec::new(),
            path: Vec::new(),
            max_nodes: settings.max_nodes / settings.threads.max(1),
            logarithms: Logarithms::new(),
        }
    }

    /// Reuses the memory of trees that are no longer needed.
    pub(super) fn reuse(&mut self, trees: Vec<Tree<S::Event>>) {
        for (mine, mut old) in self.trees.iter_mut().zip(trees) {
            old.clear();
            *mine = old;
        }
    }

    pub(super) fn run(
        &mut self,
        simulation: &S,
        settings: &Settings,
        limits: &Limits,
        rng: &mut SearchRng,
    ) {
        let mut meter = Meter::new(*limits);
        while meter.begin_iteration() {
            self.iterate(simulation, settings, rng);
            if simulation.is_spent() {
                break;
            }
        }
        (self.playouts, self.stall) = (meter.nodes(), meter.stall());
    }

    fn iterate(&mut self, simulation: &S, settings: &Settings, rng: &mut SearchRng) {
        simulation.begin(&mut self.state, &mut self.scratch, rng);
        self.path.clear();
        let depth = match settings.trees {
            Trees::Single => self.descend(simulation, settings, rng),
            Trees::PerPlayer => self.descend_together(simulation, settings, rng),
        };
        self.depth = self.depth.max(depth);
        let rewards = simulation.play_out(&mut self.state, &mut self.scratch, rng);
        self.carry_back(depth, &rewards);
    }

    /// Selection and expansion in a single tree; returns the depth reached.
    fn descend(&mut self, simulation: &S, settings: &Settings, rng: &mut SearchRng) -> u32 {
        let mut cursor = Cursor { node: ROOT, depth: 0 };
        loop {
            match simulation.actor(&self.state) {
                Actor::Over => return cursor.depth,
                Actor::Nature => {
                    let event = simulation.nature(&mut self.state, &mut self.scratch, rng);
                    let Some(event) = event else { continue };
                    let child = match self.trees[0].child(cursor.node, &event, None) {
                        Some(child) => child,
                        None if self.is_full() => return cursor.depth,
                        None => self.trees[0].add(cursor.node, event),
                    };
                    cursor = self.step(0, cursor, child, None);
                }
                Actor::Player(player) => {
                    if self.is_leaf(0, cursor.node, settings) {
                        return cursor.depth;
                    }
                    let (child, is_new) = self.select(simulation, settings, 0, cursor.node, rng);
                    let Some(child) = child else { return cursor.depth };
                    cursor = self.step(0, cursor, child, Some(player.index()));
                    if is_new {
                        return cursor.depth;
                    }
                }
            }
        }
    }

    /// Selection and expansion in all trees together; returns the smallest depth reached.
    fn descend_together(
        &mut self,
        simulation: &S,
        settings: &Settings,
        rng: &mut SearchRng,
    ) -> u32 {
        let mut cursors: ArrayVec<Cursor, MAX_PLAYERS> =
            self.trees.iter().map(|_| Cursor { node: ROOT, depth: 0 }).collect();
        // The depth at which every tree stops.
        let mut level = u32::MAX;
        loop {
            match simulation.actor(&self.state) {
                Actor::Over => break,
                // No player's tree branches on the events of others, or on chance.
                Actor::Nature => {
                    simulation.nature(&mut self.state, &mut self.scratch, rng);
                }
                Actor::Player(player) => {
                    let tree = player.index();
                    let cursor = cursors[tree];
                    if self.is_leaf(tree, cursor.node, settings) {
                        level = level.min(cursor.depth);
                    }
                    if cursor.depth >= level {
                        break;
                    }
                    let (child, is_new) = self.select(simulation, settings, tree, cursor.node, rng);
                    let Some(child) = child else {
                        level = level.min(cursor.depth);
                        break;
                    };
                    cursors[tree] = self.step(tree, cursor, child, Some(tree));
                    if is_new {
                        level = level.min(cursor.depth + 1);
                    }
                }
            }
        }
        level.min(cursors.iter().map(|cursor| cursor.depth).max().unwrap_or(0))
    }

    fn is_full(&self) -> bool {
        self.trees.iter().map(Tree::len).sum::<usize>() >= self.max_nodes
    }

    fn is_leaf(&self, tree: usize, node: Index, settings: &Settings) -> bool {
        // This visit is not counted yet. The root is expanded immediately: it must have children.
        node != ROOT && self.trees[tree].node(node).visits + 1 < settings.expand_at
    }

    fn step(&mut self, tree: usize, from: Cursor, node: Index, chooser: Option<usize>) -> Cursor {
        let depth = from.depth + 1;
        self.path.push(Visit { tree, node, depth, chooser });
        Cursor { node, depth }
    }

    /// Chooses an action, plays it, and returns the child reached and whether it is new; no child
    /// if the trees are full.
    fn select(
        &mut self,
        simulation: &S,
        settings: &Settings,
        tree: usize,
        node: Index,
        rng: &mut SearchRng,
    ) -> (Option<Index>, bool) {
        simulation.actions(&self.state, &mut self.actions);
        self.children.clear();
        // The root's children are always added: one of them is to be played.
        let full = node != ROOT && self.is_full();
        let mut untried: Option<(usize, f32)> = None;
        let mut chosen: Option<(usize, f32)> = None;
        let mut last = None;
        let here = &mut self.trees[tree];
        let merges = simulation.merges_actions();
        for (place, &action) in self.actions.iter().enumerate() {
            let event = settings.event(simulation, &self.state, action);
            let child = here.child(node, &event, last);
            let is_counted = merges && child.is_some() && self.children.contains(&child);
            self.children.push(child);
            if is_counted {
                continue;
            }
            let Some(child) = child else {
                let prior = simulation.prior(&self.state, action);
                if untried.is_none_or(|(_, best)| prior > best) {
                    untried = Some((place, prior));
                }
                continue;
            };
            last = Some(child);
            let child = here.node_mut(child);
            child.available += 1;
            if untried.is_some() && !full {
                continue;
            }
            // A child left unvisited by chance or by a full tree counts as visited once.
            let visits = child.visits.max(1) as f32;
            let ln = self.logarithms.ln(child.available);
            let mut value =
                child.total as f32 / visits + settings.exploration * (ln / visits).sqrt();
            if settings.prior_weight > 0.0 {
                let prior = simulation.prior(&self.state, action);
                value += settings.prior_weight * prior / (visits + 1.0);
            }
            if chosen.is_none_or(|(_, best)| value > best) {
                chosen = Some((place, value));
            }
        }
        let place = match (untried, chosen) {
            (Some((place, _)), _) if !full => place,
            (_, Some((place, _))) | (Some((place, _)), None) => place,
            (None, None) => return (None, false),
        };
        let mut action = self.actions[place];
        let event = settings.event(simulation, &self.state, action);
        if merges {
            let state = &self.state;
            self.actions.retain(|&other| settings.event(simulation, state, other) == event);
            if self.actions.len() > 1 {
                // The bias of a multiplication of 32 bits is beyond any measurement here.
                let place = (u64::from(rng.next_u32()) * self.actions.len() as u64) >> 32;
                action = self.actions[place as usize];
            }
        }
        simulation.apply(&mut self.state, action);
        // Several actions may have the same event; the first of them has added the child.
        match self.children[place] {
            Some(child) => (Some(child), false),
            None if self.is_full() && node != ROOT => (None, false),
            None => {
                let child = self.trees[tree].add(node, event);
                self.trees[tree].node_mut(child).available = 1;
                (Some(child), true)
            }
        }
    }

    /// Backpropagates the rewards along the path, down to this depth.
    fn carry_back(&mut self, depth: u32, rewards: &Rewards) {
        for tree in &mut self.trees {
            tree.node_mut(ROOT).visits += 1;
        }
        for visit in &self.path {
            if visit.depth <= depth {
                let node = self.trees[visit.tree].node_mut(visit.node);
                node.visits += 1;
                if let Some(chooser) = visit.chooser {
                    node.total += f64::from(rewards[chooser]);
                }
            }
        }
    }
}
