//! Coins in a row, for three players: in turn, each takes the coin at either end, and each wants
//! the highest sum. The expected sum of a player depends on its model of the opponents: max-n (each
//! maximises its own sum), paranoid (all play against it) and best-reply (one of them plays against
//! it) differ.
//!
//! `cargo run -p botyard-search --example coins [COIN...]`

use botyard_search::multiplayer::{
    Actor, Algorithm, MultiplayerGame, MultiplayerSearcher, Settings,
};
use botyard_search::{Limits, Player, Report};
use std::ops::RangeInclusive;

const PLAYERS: usize = 3;

/// The rules, and the coins of one row.
struct Coins(Vec<i32>);

/// The coins left, the sum of each player, and the player to move.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: u8,
    end: u8,
    sums: [i32; PLAYERS],
    to_move: u8,
    turn: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Take {
    First,
    Last,
}

impl Coins {
    fn root(&self) -> Row {
        Row { first: 0, end: self.0.len() as u8, sums: [0; PLAYERS], to_move: 0, turn: 0 }
    }

    fn total(&self) -> i32 {
        self.0.iter().sum()
    }

    /// Searches to the end of the game.
    fn solve(&self, algorithm: Algorithm) -> Report<Take> {
        let mut searcher = MultiplayerSearcher::new(Settings::new(algorithm));
        searcher.search(self, &self.root(), &Limits::depth(self.0.len() as u32))
    }
}

impl MultiplayerGame for Coins {
    type Position = Row;
    type Move = Take;

    fn players(&self) -> usize {
        PLAYERS
    }

    fn actor(&self, row: &Row) -> Actor {
        match row.first < row.end {
            true => Actor::Player(Player::new(row.to_move.into())),
            false => Actor::Over,
        }
    }

    fn turn(&self, row: &Row) -> u32 {
        row.turn
    }

    fn for_each_move(&self, row: &Row, mut f: impl FnMut(Take)) {
        f(Take::First);
        if row.end - row.first > 1 {
            f(Take::Last);
        }
    }

    fn make(&self, row: &Row, take: Take) -> Row {
        let mut after = *row;
        let coin = match take {
            Take::First => {
                after.first += 1;
                row.first
            }
            Take::Last => {
                after.end -= 1;
                after.end
            }
        };
        after.sums[usize::from(row.to_move)] += self.0[usize::from(coin)];
        after.to_move = (row.to_move + 1) % PLAYERS as u8;
        after.turn += 1;
        after
    }

    fn range(&self) -> RangeInclusive<i32> {
        0..=self.total()
    }

    /// Enables shallow pruning in max-n: a coin that one player has, the others cannot have.
    fn most_sum(&self) -> Option<i32> {
        Some(self.total())
    }

    fn value(&self, row: &Row, player: Player) -> i32 {
        row.sums[player.index()]
    }

    fn key(&self, row: &Row) -> u64 {
        let words = [i32::from(row.first), row.end.into(), row.to_move.into()];
        words.into_iter().chain(row.sums).fold(0, |key: u64, word| {
            (key.rotate_left(23) ^ word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    fn move_id(&self, take: Take) -> u32 {
        take as u32
    }

    /// Lets the others pass, for best-reply search.
    fn hand_over(&self, row: &Row, player: Player) -> Option<Row> {
        Some(Row { to_move: player.index() as u8, ..*row })
    }
}

fn main() {
    let mut coins: Vec<i32> =
        std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    coins.retain(|coin| (1..=1000).contains(coin));
    coins.truncate(24);
    if coins.is_empty() {
        coins = vec![4, 7, 3, 9, 2, 8, 6, 5, 1];
    }
    println!("coins {coins:?}");
    let game = Coins(coins);
    for (name, algorithm) in Algorithm::ALL {
        let report = game.solve(algorithm);
        let Some(best) = report.best else { continue };
        print!("{name:>14}: takes the {best:?} coin, expects {}", report.value);
        match report.values {
            Some(values) => {
                println!(", all players {:?}; {} nodes", &values[..PLAYERS], report.nodes);
            }
            None => println!("; {} nodes", report.nodes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_search::multiplayer::Pruning;

    fn rows() -> impl Iterator<Item = Coins> {
        (1..=9).flat_map(|length| {
            (0..8)
                .map(move |row| Coins((0..length).map(|at| 1 + (row * 5 + at * 7) % 11).collect()))
        })
    }

    #[test]
    fn max_n_distributes_all_the_coins() {
        for game in rows() {
            let values = game.solve(Algorithm::MaxN).values.expect("max-n has values");
            assert_eq!(values.iter().sum::<i32>(), game.total(), "{:?}", game.0);
        }
    }

    /// Paranoid search finds the sum that a player can guarantee against any play; against
    /// opponents that maximise their own sums it gets at least that.
    #[test]
    fn the_paranoid_value_is_at_most_that_of_max_n() {
        let mut differ = 0;
        for game in rows() {
            let [paranoid, max_n] =
                [Algorithm::Paranoid, Algorithm::MaxN].map(|algorithm| game.solve(algorithm).value);
            assert!(paranoid <= max_n, "{:?}: {paranoid}, {max_n}", game.0);
            differ += u32::from(paranoid < max_n);
        }
        assert!(differ > 10, "{differ}");
    }

    #[test]
    fn pruning_changes_no_value() {
        for game in rows() {
            for algorithm in [Algorithm::Paranoid, Algorithm::BestReply, Algorithm::MaxN] {
                let settings = Settings { pruning: Pruning::None, ..Settings::new(algorithm) };
                let limits = Limits::depth(game.0.len() as u32);
                let plain = MultiplayerSearcher::new(settings).search(&game, &game.root(), &limits);
                let pruned = game.solve(algorithm);
                assert_eq!(pruned.value, plain.value, "{:?} {algorithm:?}", game.0);
                assert!(pruned.nodes <= plain.nodes, "{:?} {algorithm:?}", game.0);
            }
        }
    }

    #[test]
    fn it_runs() {
        main();
    }
}
