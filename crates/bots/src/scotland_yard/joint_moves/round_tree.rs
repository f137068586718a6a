//! The tree search of Sova 2021 (5.2): a node below the root stands for a round, one joint move of
//! the detectives together with one step of Mr. X, and has one value for both sides. So the
//! selection lets the opponent cooperate, and the move played is that of the most visited pair.
//!
//! Its model of the game is that of the thesis: no tickets, and both sides step at the same time.
//! Only playouts notice a capture, unless the settings say otherwise: a move of the tree that
//! captures is followed by random moves like any other.
//!
//! Children are visited once in their order, and ties go to the first: down, up, right, left on a
//! grid, the first detective's step before the next one's, and Mr. X's last. With few playouts per
//! child this matters: in ascending order of stations the detectives win 78% of the games of tree
//! search against itself (table 5.1) instead of 64%.

use super::joint_move::JointMove;
use super::shaping::Shaping;
use crate::scotland_yard::BoardTables;
use arrayvec::ArrayVec;
use botyard_agent::AgentRng;
use botyard_engine::Game;
use botyard_engine::random::choose;
use botyard_engine::scotland_yard::{
    Action, Collision, LimitUnit, MAX_DETECTIVES, Position, ScotlandYard, Stage, Station,
};
use botyard_search::{Limits, Report, RootMove, Watch};
use std::cmp::Reverse;

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundSettings {
    /// The exploration constant, with the logarithm of the parent's visits.
    pub exploration: f64,
    /// Whether moves of the tree that capture end the game.
    pub tree_captures: bool,
    /// The number of simulated rounds after which the search ends, whatever other limits say; 0 for none. A time limit
    /// is one on these: playouts near the end of the game are short, so that there are more of them.
    pub steps: u64,
    /// Whether shaped rewards count by their mean instead of their sum (5.4).
    pub mean: bool,
    /// The maximum number of nodes.
    pub max_nodes: usize,
}

type Cells = ArrayVec<Station, MAX_DETECTIVES>;

/// A position of the model.
#[derive(Clone, Debug)]
struct Place {
    mr_x: Station,
    detectives: Cells,
    /// The number of rounds played.
    rounds: u16,
}

struct Node {
    place: Place,
    parent: u32,
    first_child: u32,
    children: u32,
    visits: u32,
    total: f64,
    captured: bool,
}

impl Node {
    const fn new(place: Place, parent: u32, captured: bool) -> Node {
        Node { place, parent, first_child: 0, children: 0, visits: 0, total: 0.0, captured }
    }
}

/// Orders the steps from a station: far rows first, and down and right before up and left.
fn order(at: Station, to: Station) -> (Reverse<i32>, Reverse<i32>) {
    let by = to.index() as i32 - at.index() as i32;
    (Reverse(by.abs()), Reverse(by))
}

/// The search of one decision.
pub struct RoundSearch<'a> {
    /// The neighbours of each station, in the order of the children.
    neighbours: Vec<Vec<Station>>,
    strict: bool,
    limit: u16,
    by_mr_x: bool,
    settings: RoundSettings,
    shaping: Option<(Shaping, &'a BoardTables)>,
    nodes: Vec<Node>,
    /// The number of rounds simulated so far.
    simulated: u64,
    /// The own move of each child of the root.
    own: Vec<JointMove>,
}

const ROOT: usize = 0;

impl<'a> RoundSearch<'a> {
    /// The size of a node in bytes.
    pub const NODE_BYTES: usize = size_of::<Node>();

    /// Makes the tree of a decision in a position that is assumed to be the true one.
    pub fn new(
        game: &'a ScotlandYard,
        position: &Position,
        settings: RoundSettings,
        shaping: Option<(Shaping, &'a BoardTables)>,
    ) -> RoundSearch<'a> {
        let rules = game.rules();
        let by_mr_x = position.stage() != Stage::Detectives;
        let rounds = match rules.limit_unit {
            LimitUnit::Rounds => position.round().saturating_sub(1),
            LimitUnit::XMoves => position.x_moves().saturating_sub(u16::from(!by_mr_x)),
        };
        let detectives = position.all_detectives().filter_map(|one| position.pawns().get(one));
        let place = Place { mr_x: position.mr_x(), detectives: detectives.collect(), rounds };
        let board = game.board();
        let neighbours = board.stations().map(|at| {
            let mut ways = board.neighbours(at).to_vec();
            ways.sort_by_key(|&to| order(at, to));
            ways
        });
        let neighbours = neighbours.collect();
        let mut search = RoundSearch {
            neighbours,
            strict: rules.agent_collision == Collision::PreMoveStrict,
            limit: rules.limit,
            by_mr_x,
            settings,
            shaping,
            nodes: vec![Node::new(place, 0, false)],
            simulated: 0,
            own: Vec::new(),
        };
        search.expand_root(game, position);
        search
    }

    /// Adds the children of the root: the legal moves of the side to move, each with every answer of
    /// the model.
    fn expand_root(&mut self, game: &ScotlandYard, position: &Position) {
        let mut moves = Vec::new();
        JointMove::list(game.arena(), position, &mut moves);
        let place = self.nodes[ROOT].place.clone();
        let detectives =
            position.all_detectives().filter(|&one| position.pawns().get(one).is_some());
        let detectives: ArrayVec<_, MAX_DETECTIVES> = detectives.collect();
        let mut pairs: Vec<(JointMove, Place)> = Vec::new();
        for own in moves {
            let mut after = place.clone();
            for step in own.steps() {
                match step {
                    Action::MrX { to, .. } => after.mr_x = to,
                    Action::Detective { detective, to, .. } => {
                        if let Some(index) = detectives.iter().position(|&one| one == detective) {
                            after.detectives[index] = to;
                        }
                    }
                }
            }
            pairs.push((own, after));
        }
        pairs.sort_by_cached_key(|(_, after)| {
            let steps = place.detectives.iter().zip(&after.detectives);
            let key: ArrayVec<_, MAX_DETECTIVES> = steps.map(|(&at, &to)| order(at, to)).collect();
            (key, order(place.mr_x, after.mr_x))
        });
        if self.by_mr_x {
            for cells in self.joint_moves(&place) {
                for (own, after) in &pairs {
                    if self.is_full() {
                        return;
                    }
                    self.own.push(*own);
                    self.push(ROOT, &place, after.mr_x, cells.clone());
                }
            }
        } else {
            for (own, after) in pairs {
                for to in self.neighbours[place.mr_x.index()].clone() {
                    if self.is_full() {
                        return;
                    }
                    self.own.push(own);
                    self.push(ROOT, &place, to, after.detectives.clone());
                }
            }
        }
    }

    const fn is_full(&self) -> bool {
        self.nodes.len() >= self.settings.max_nodes
    }

    fn push(&mut self, parent: usize, before: &Place, mr_x: Station, detectives: Cells) {
        let captured = self.settings.tree_captures
            && match self.by_mr_x {
                true => before.detectives.contains(&mr_x) || detectives.contains(&mr_x),
                false => detectives.contains(&before.mr_x),
            };
        if self.nodes[parent].children == 0 {
            self.nodes[parent].first_child = self.nodes.len() as u32;
        }
        self.nodes[parent].children += 1;
        let place = Place { mr_x, detectives, rounds: before.rounds + 1 };
        self.nodes.push(Node::new(place, parent as u32, captured));
    }

    /// Whether a detective may enter a station: no other stands there, by the model's order.
    fn is_free(&self, before: &Cells, moved: &[Station], to: Station) -> bool {
        let index = moved.len();
        let is_strict = self.strict && before[..index].contains(&to);
        !moved.contains(&to) && !before[index + 1..].contains(&to) && !is_strict
    }

    fn joint_moves(&self, place: &Place) -> Vec<Cells> {
        let mut joints = vec![Cells::new()];
        for &at in &place.detectives {
            let mut longer = Vec::with_capacity(4 * joints.len());
            for moved in &joints {
                let ways = self.neighbours[at.index()].iter();
                let free: Vec<Station> = ways
                    .copied()
                    .filter(|&to| self.is_free(&place.detectives, moved, to))
                    .collect();
                for to in if free.is_empty() { vec![at] } else { free } {
                    let mut moved = moved.clone();
                    moved.push(to);
                    longer.push(moved);
                }
            }
            joints = longer;
        }
        joints
    }

    fn expand(&mut self, node: usize) {
        let place = self.nodes[node].place.clone();
        if place.rounds >= self.limit || self.nodes[node].captured || self.is_full() {
            return;
        }
        let ways = self.neighbours[place.mr_x.index()].clone();
        for cells in self.joint_moves(&place) {
            for &to in &ways {
                self.push(node, &place, to, cells.clone());
            }
        }
    }

    /// Searches until a limit is reached.
    pub fn search(&mut self, limits: &Limits, rng: &mut AgentRng) -> Report<JointMove, f64> {
        let steps = self.settings.steps;
        let limits = match steps {
            0 => *limits,
            _ => Limits { nodes: u64::MAX, deadline: None, ..*limits },
        };
        let mut watch = Watch::new(limits.deadline);
        let (mut playouts, mut depth) = (0, 0);
        while playouts < limits.nodes && self.nodes[ROOT].children > 0 {
            if steps > 0 && self.simulated >= steps {
                break;
            }
            if limits.deadline.is_some() && playouts > 0 && watch.is_late() {
                break;
            }
            let (leaf, length) = self.select(playouts);
            depth = depth.max(length);
            let reward = self.play_out(leaf, rng);
            let mut at = leaf;
            loop {
                let node = &mut self.nodes[at];
                node.visits += 1;
                node.total += reward;
                if at == ROOT {
                    break;
                }
                at = node.parent as usize;
            }
            playouts += 1;
        }
        let root = self.root();
        let best = root.first().map(|best| best.mv);
        Report {
            value: root.first().map_or(0.0, |best| best.value),
            depth,
            nodes: self.nodes.len() as u64,
            playouts,
            stall: watch.stall(),
            line: best.into_iter().collect(),
            root,
            ..Report::before_search(best)
        }
    }

    /// Returns the pairs tried at the root, the most visited first.
    fn root(&self) -> Vec<RootMove<JointMove>> {
        let children = self.own.iter().zip(&self.nodes[ROOT + 1..]);
        let tried = children.filter(|(_, node)| node.visits > 0).map(|(&mv, node)| {
            let value = node.total / f64::from(node.visits);
            RootMove { mv, visits: node.visits.into(), value }
        });
        let mut tried: Vec<_> = tried.collect();
        tried.sort_by_key(|tried| Reverse(tried.visits));
        tried
    }

    /// Descends to a node to play out from, and returns it with its depth. A leaf that has been
    /// visited gets children, and the first of them is taken.
    fn select(&mut self, playouts: u64) -> (usize, u32) {
        let (mut at, mut depth) = (ROOT, 0);
        loop {
            if self.nodes[at].children == 0 {
                if self.nodes[at].visits > 0 {
                    self.expand(at);
                    if self.nodes[at].children > 0 {
                        return (self.nodes[at].first_child as usize, depth + 1);
                    }
                }
                return (at, depth);
            }
            let node = &self.nodes[at];
            let first = node.first_child as usize;
            let children = &self.nodes[first..first + node.children as usize];
            depth += 1;
            if let Some(unvisited) = children.iter().position(|child| child.visits == 0) {
                return (first + unvisited, depth);
            }
            // 5.4: with shaped rewards, the number of all playouts.
            let tries = match self.shaping {
                Some(_) => playouts as f64,
                None => f64::from(node.visits),
            };
            let log = tries.max(1.0).ln();
            let (mut best, mut most) = (0, f64::NEG_INFINITY);
            for (index, child) in children.iter().enumerate() {
                let visits = f64::from(child.visits);
                let is_sum = self.shaping.is_some() && !self.settings.mean;
                let value = if is_sum { child.total } else { child.total / visits };
                let bound = value + self.settings.exploration * (log / visits).sqrt();
                if bound > most {
                    (best, most) = (index, bound);
                }
            }
            at = first + best;
        }
    }

    /// Returns the reward of the searching side for a random continuation from a node.
    fn play_out(&mut self, node: usize, rng: &mut AgentRng) -> f64 {
        let mut sum = 0.0;
        let mut place = self.nodes[node].place.clone();
        if self.nodes[node].captured {
            self.simulated += 1;
            return self.reward(true, place.rounds, sum);
        }
        loop {
            self.simulated += 1;
            // Where Mr. X searches, he has moved first and the detectives answered.
            if self.by_mr_x {
                if place.detectives.contains(&place.mr_x) {
                    return self.reward(true, place.rounds, sum);
                }
                if place.rounds >= self.limit {
                    return self.reward(false, place.rounds, sum);
                }
                sum += self.far(&place, place.rounds);
            }
            let ways = self.neighbours[place.mr_x.index()].iter().copied();
            let ways: Vec<Station> = ways.filter(|to| !place.detectives.contains(to)).collect();
            let Some(&mr_x) = choose(rng, &ways) else {
                return self.reward(true, place.rounds, sum);
            };
            let detectives = self.random_joint(&place.detectives, rng);
            if !self.by_mr_x {
                if detectives.contains(&place.mr_x) {
                    return self.reward(true, place.rounds, sum);
                }
                if place.rounds + 1 >= self.limit {
                    return self.reward(false, place.rounds, sum);
                }
                let after = Place { detectives: detectives.clone(), ..place };
                sum += self.far(&after, place.rounds);
            }
            place = Place { mr_x, detectives, rounds: place.rounds + 1 };
        }
    }

    fn random_joint(&self, before: &Cells, rng: &mut AgentRng) -> Cells {
        let mut moved = Cells::new();
        for &at in before {
            let ways = self.neighbours[at.index()].iter().copied();
            let free: ArrayVec<Station, 32> =
                ways.filter(|&to| self.is_free(before, &moved, to)).take(32).collect();
            moved.push(choose(rng, &free).copied().unwrap_or(at));
        }
        moved
    }

    /// Returns the sum of the values of the detectives' distances, with shaped rewards.
    fn far(&self, place: &Place, rounds: u16) -> f64 {
        let Some((shaping, tables)) = &self.shaping else { return 0.0 };
        let left = self.limit.saturating_sub(rounds);
        let steps = place.detectives.iter();
        steps.map(|&at| shaping.distance(tables, place.mr_x, at, left)).sum()
    }

    /// Returns the searching side's reward. `sum` is that of the detectives' distances.
    fn reward(&self, caught: bool, rounds: u16, sum: f64) -> f64 {
        let detectives = match &self.shaping {
            None => f64::from(caught),
            Some(_) => sum + Shaping::end(caught, rounds),
        };
        match (self.by_mr_x, self.shaping.is_some()) {
            (false, _) => detectives,
            (true, false) => 1.0 - detectives,
            (true, true) => -detectives,
        }
    }
}
