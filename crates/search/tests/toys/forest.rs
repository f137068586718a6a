//! A game tree that depends on a seed alone: at each node, a hash decides the actor, the number of
//! children and the value.

use super::below;
use botyard_search::Player;
use botyard_search::SearchRng;
use botyard_search::multiplayer::{Actor, Depth, MultiplayerGame};
use std::ops::RangeInclusive;

/// The parameters of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub seed: u64,
    pub players: usize,
    /// The maximum value; a small one makes many ties.
    pub range: i32,
    /// Whether seats take turns of a few moves each, in order; otherwise the next actor is
    /// arbitrary.
    pub in_turn: bool,
}

/// The tree.
#[derive(Clone, Copy, Debug)]
pub struct Forest(Shape);

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    hash: u64,
    steps: u32,
    turn: u32,
    mover: usize,
    /// The mover, chance, or none after the end.
    actor: Actor,
}

/// The maximum length of a game, in moves and outcomes.
const MOST_STEPS: u32 = 7;

fn mix(hash: u64, what: u64) -> u64 {
    // The finisher of splitmix64.
    let mut z =
        (hash ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Forest {
    pub fn new(shape: Shape) -> Forest {
        Forest(shape)
    }

    /// Returns a node in which the first player is to move.
    pub fn root(&self) -> Node {
        let hash = mix(self.0.seed, 1);
        Node { hash, steps: 0, turn: 5, mover: 0, actor: Actor::Player(Player::new(0)) }
    }

    fn pick(&self, node: &Node, what: u64, bound: u64) -> u64 {
        mix(node.hash, what) % bound
    }

    /// Returns the actor of a new node.
    fn settle(&self, mut node: Node) -> Node {
        let kind = self.pick(&node, 2, 100);
        // The mover's turn ends with probability 0.6.
        if self.pick(&node, 3, 100) < 60 {
            node.turn += 1;
            node.mover = match self.0.in_turn {
                true => (node.mover + 1) % self.0.players,
                false => self.pick(&node, 4, self.0.players as u64) as usize,
            };
        }
        node.actor = match kind {
            _ if node.steps >= MOST_STEPS => Actor::Over,
            0..6 => Actor::Over,
            6..30 => Actor::Chance,
            30..40 => Actor::DenseChance,
            _ => Actor::Player(Player::new(node.mover)),
        };
        node
    }

    fn child(&self, node: &Node, which: u64) -> Node {
        self.settle(Node { hash: mix(node.hash, 100 + which), steps: node.steps + 1, ..*node })
    }
}

impl MultiplayerGame for Forest {
    type Position = Node;
    type Move = u8;

    fn players(&self) -> usize {
        self.0.players
    }

    fn actor(&self, node: &Node) -> Actor {
        node.actor
    }

    fn turn(&self, node: &Node) -> u32 {
        node.turn
    }

    fn for_each_move(&self, node: &Node, f: impl FnMut(u8)) {
        (0..1 + self.pick(node, 5, 3) as u8).for_each(f);
    }

    fn make(&self, node: &Node, mv: u8) -> Node {
        self.child(node, u64::from(mv))
    }

    fn for_each_outcome(&self, node: &Node, mut f: impl FnMut(u32, Node)) {
        for which in 0..1 + self.pick(node, 6, 3) {
            f(1 + self.pick(node, 7 + which, 9) as u32, self.child(node, which));
        }
    }

    fn sample(&self, node: &Node, rng: &mut SearchRng) -> Node {
        self.child(node, u64::from(below(rng, 1000)))
    }

    fn range(&self) -> RangeInclusive<i32> {
        0..=self.0.range
    }

    fn most_sum(&self) -> Option<i32> {
        Some(self.0.range)
    }

    /// The players share the maximum, or less than that.
    fn value(&self, node: &Node, player: Player) -> i32 {
        let shares = |player: usize| 1 + self.pick(node, 20 + player as u64, 50);
        let all = self.pick(node, 30, 20) + (0..self.0.players).map(shares).sum::<u64>();
        (self.0.range as u64 * shares(player.index()) / all) as i32
    }

    /// As tight as possible at the horizon, where the line ends.
    fn bounds(&self, node: &Node, player: Player, depth: Depth) -> RangeInclusive<i32> {
        if depth.left == 0 && self.may_judge(node) && self.pick(node, 31, 2) == 0 {
            let value = self.value(node, player);
            return value.saturating_sub(1).max(0)..=(value + 2).min(self.0.range);
        }
        self.range()
    }

    fn may_judge(&self, node: &Node) -> bool {
        match node.actor {
            Actor::DenseChance => self.pick(node, 32, 2) == 0,
            Actor::Chance => false,
            _ => self.pick(node, 32, 8) > 0,
        }
    }

    fn key(&self, node: &Node) -> u64 {
        mix(mix(node.hash, u64::from(node.turn)), node.mover as u64)
    }

    fn move_id(&self, mv: u8) -> u32 {
        mv.into()
    }

    fn promise(&self, node: &Node, mv: u8) -> i32 {
        self.pick(node, 40 + u64::from(mv), 3) as i32
    }

    fn hand_over(&self, node: &Node, player: Player) -> Option<Node> {
        // Some players are eliminated.
        let handed = Node {
            mover: player.index(),
            turn: node.turn + u32::from(self.0.in_turn),
            actor: Actor::Player(player),
            ..*node
        };
        (self.pick(node, 50 + player.index() as u64, 5) > 0).then_some(handed)
    }
}
