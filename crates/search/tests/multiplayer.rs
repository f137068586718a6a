//! Tests of multi-player search on artificial games: with any pruning and any table, values and
//! moves equal those of plain search, and pruning saves nodes.

use crate::toys::{Forest, Frontier, Shape};
use botyard_search::Player;
use botyard_search::multiplayer::{
    Actor, Algorithm, Luck, MultiplayerGame, MultiplayerSearcher, Pruning, Settings, Unit,
    for_each_outcome,
};
use botyard_search::{Limits, Values};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Reference implementations by plain recursion: no pruning, no table.
struct Plain<'a, G> {
    game: &'a G,
    settings: Settings,
    player: Player,
    depth: u32,
    first_turn: u32,
}

/// The state of a node: moves made, and whether an opponent has replied.
#[derive(Clone, Copy)]
struct At {
    moves: u32,
    answered: bool,
}

impl<G: MultiplayerGame> Plain<'_, G> {
    fn is_leaf(&self, position: &G::Position, at: At) -> bool {
        let done = match self.settings.unit {
            Unit::Decisions => at.moves,
            Unit::Turns => self.game.turn(position) - self.first_turn,
        };
        self.game.actor(position) == Actor::Over
            || done >= self.depth && self.game.may_judge(position)
    }

    fn after_moves(&self, position: &G::Position) -> Vec<G::Position> {
        let mut moves: Vec<(i32, G::Position)> = Vec::new();
        self.game.for_each_move(position, |mv| {
            moves.push((-self.game.promise(position, mv), self.game.make(position, mv)));
        });
        moves.sort_by_key(|(order, _)| *order);
        moves.into_iter().map(|(_, after)| after).collect()
    }

    fn mean(&self, position: &G::Position, mut value: impl FnMut(&G::Position) -> i32) -> i32 {
        let (mut sum, mut total) = (0, 0);
        for_each_outcome(self.game, position, &self.settings, |weight, after| {
            sum += i64::from(weight) * i64::from(value(&after));
            total += i64::from(weight);
        });
        sum.div_euclid(total) as i32
    }

    /// Paranoid: all others against the searching player.
    fn paranoid(&self, position: &G::Position, at: At) -> i32 {
        let next = At { moves: at.moves + 1, ..at };
        match self.game.actor(position) {
            _ if self.is_leaf(position, at) => self.game.value(position, self.player),
            Actor::Player(player) => {
                let after = self.after_moves(position).into_iter();
                let values = after.map(|after| self.paranoid(&after, next));
                if player == self.player { values.max().unwrap() } else { values.min().unwrap() }
            }
            _ => self.mean(position, |after| self.paranoid(after, at)),
        }
    }

    /// Best-reply: one of the others replies.
    fn best_reply(&self, position: &G::Position, at: At) -> i32 {
        let (mut position, mut at) = (*position, at);
        if let Actor::Player(player) = self.game.actor(&position)
            && at.answered
        {
            at.answered = false;
            if player != self.player {
                position = self.game.hand_over(&position, self.player).unwrap_or(position);
            }
        }
        match self.game.actor(&position) {
            _ if self.is_leaf(&position, at) => self.game.value(&position, self.player),
            Actor::Player(player) if player == self.player => {
                let next = At { moves: at.moves + 1, answered: false };
                let after = self.after_moves(&position).into_iter();
                after.map(|after| self.best_reply(&after, next)).max().unwrap()
            }
            Actor::Player(player) => {
                let next = At { moves: at.moves + 1, answered: true };
                let others = Player::all(self.game.players()).filter(|&other| other != self.player);
                let handed = others.filter_map(|other| match other == player {
                    true => Some(position),
                    false => self.game.hand_over(&position, other),
                });
                let after = handed.flat_map(|handed| self.after_moves(&handed));
                after.map(|after| self.best_reply(&after, next)).min().unwrap()
            }
            _ => self.mean(&position, |after| self.best_reply(after, at)),
        }
    }

    /// Max-n: each player for itself.
    fn max_n(&self, position: &G::Position, at: At) -> Values {
        let next = At { moves: at.moves + 1, ..at };
        match self.game.actor(position) {
            _ if self.is_leaf(position, at) => self.game.values(position),
            Actor::Player(player) => {
                let mut best: Option<Values> = None;
                for after in self.after_moves(position) {
                    let values = self.max_n(&after, next);
                    if best.is_none_or(|best| values[player.index()] > best[player.index()]) {
                        best = Some(values);
                    }
                }
                best.unwrap()
            }
            _ => std::array::from_fn(|player| {
                self.mean(position, |after| self.max_n(after, at)[player])
            }),
        }
    }

    fn value(&self, position: &G::Position, at: At) -> i32 {
        match self.settings.algorithm {
            Algorithm::Expectiminimax | Algorithm::Paranoid => self.paranoid(position, at),
            Algorithm::BestReply => self.best_reply(position, at),
            Algorithm::MaxN => self.max_n(position, at)[self.player.index()],
        }
    }
}

const ROOT: At = At { moves: 0, answered: false };

/// Searches with every kind of pruning, with and without a table, and compares the results with
/// plain search.
fn same_as_plain<G: MultiplayerGame<Move: Debug>>(
    game: &G,
    root: &G::Position,
    settings: Settings,
    depth: u32,
) {
    let Actor::Player(player) = game.actor(root) else { panic!("no player is to move") };
    let first_turn = game.turn(root);
    let prunings = Pruning::ALL.into_iter().flat_map(|(_, pruning)| [(pruning, 0), (pruning, 1)]);
    // By depth, since a search ends earlier where the game does.
    let mut plain_values: BTreeMap<u32, i32> = BTreeMap::new();
    for (pruning, table_mebibytes) in prunings {
        let settings = Settings { pruning, table_mebibytes, ..settings };
        let mut searcher = MultiplayerSearcher::new(settings);
        let report = searcher.search(game, root, &Limits::depth(depth));
        searcher.forget();
        let again = searcher.search(game, root, &Limits::depth(depth));
        assert_eq!(
            (again.value, again.nodes, again.line),
            (report.value, report.nodes, report.line.clone()),
            "{settings:?}: a searcher that forgot is a new one"
        );
        let plain = Plain { game, settings, player, depth: report.depth, first_turn };
        let value = plain_values.entry(report.depth).or_insert_with(|| plain.value(root, ROOT));
        assert_eq!(report.value, *value, "{settings:?} depth {}", report.depth);
        let best = report.best.expect("there is a move");
        assert_eq!(report.line.first(), Some(&best));
        let after = plain.value(&game.make(root, best), At { moves: 1, answered: false });
        let is_lost = report.value == *game.range().start();
        assert!(is_lost || after == *value, "{settings:?}: {best:?} is not best");
        if settings.algorithm == Algorithm::MaxN {
            assert_eq!(report.values, Some(plain.max_n(root, ROOT)), "{settings:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    /// On random trees of two to four players, whose nodes are decisions, chance nodes of few and
    /// of many outcomes, and ends, in any order.
    #[test]
    fn values_are_those_of_plain_search(
        seed in any::<u64>(),
        players in 2..=4usize,
        range in prop_oneof![Just(3), Just(40), Just(30_000)],
        in_turn in any::<bool>(),
        turns in any::<bool>(),
        likeliest in any::<bool>(),
        probes in 1..=2usize,
        depth in 1..=4u32,
    ) {
        let game = Forest::new(Shape { seed, players, range, in_turn });
        let unit = if turns { Unit::Turns } else { Unit::Decisions };
        let luck = if likeliest { Luck::Likeliest } else { Luck::Expected };
        for (_, algorithm) in Algorithm::ALL {
            let usual = Settings::new(algorithm);
            let settings = Settings { unit, luck, probes, samples: 3, seed, ..usual };
            same_as_plain(&game, &game.root(), settings, depth);
        }
    }
}

/// The same on a structured game: two-outcome battles and random reinforcements.
#[test]
fn values_are_those_of_plain_search_at_the_frontier() {
    for seed in 0..3 {
        for players in 2..=4 {
            let game = Frontier::new(players);
            let root = game.deal(seed);
            for (_, algorithm) in Algorithm::ALL {
                let settings = Settings { samples: 2, ..Settings::new(algorithm) };
                same_as_plain(&game, &root, settings, 2);
                same_as_plain(&game, &root, Settings { luck: Luck::Likeliest, ..settings }, 3);
            }
        }
    }
}

/// Returns the number of nodes visited at a depth, over some positions of the frontier game.
fn nodes(players: usize, depth: u32, settings: Settings) -> u64 {
    let game = Frontier::new(players);
    let search = |seed| {
        let root = game.deal(seed);
        let report = MultiplayerSearcher::new(settings).search(&game, &root, &Limits::depth(depth));
        assert_eq!(report.depth, depth);
        let (_, nodes) = report.iterations[report.iterations.len() - 1];
        let before = report.iterations.iter().rev().nth(1).map_or(0, |&(_, nodes)| nodes);
        // Counts the last iteration alone: plain search could do without the others.
        nodes - before
    };
    (0..8).map(search).sum()
}

/// Without a table, so that only pruning counts.
#[test]
fn star2_visits_half_of_the_nodes_of_expectiminimax_at_most() {
    for (players, depth) in [(2, 3), (3, 3), (2, 4)] {
        let bare = Settings { table_mebibytes: 0, ..Settings::new(Algorithm::Paranoid) };
        let plain = nodes(players, depth, Settings::new(Algorithm::Expectiminimax));
        let [star0, star1, star2] = [Pruning::AlphaBeta, Pruning::Star1, Pruning::Star2]
            .map(|pruning| nodes(players, depth, Settings { pruning, ..bare }));
        println!("{players} players, depth {depth}: {plain} {star0} {star1} {star2}");
        assert!(star0 <= plain && star1 < star0, "{plain} {star0} {star1}");
        assert!(2 * star2 <= plain, "{star2} of {plain}");
    }
}
