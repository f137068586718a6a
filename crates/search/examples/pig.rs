//! Pig, a dice game for two: roll and add to the turn total, or hold and keep it. A one loses the
//! turn total; the first to reach the goal wins. The example searches it in two ways: by
//! expectiminimax, which Star1 and Star2 (Ballard 1983) prune without changing its value, and by
//! Monte Carlo tree search.
//!
//! `cargo run --release -p botyard-search --example pig [OWN OTHER TOTAL]`

use botyard_search::mcts::{self, Rewards, Simulation, TreeSearcher};
use botyard_search::multiplayer::{
    Actor, Algorithm, Luck, MultiplayerGame, MultiplayerSearcher, Pruning, Settings,
};
use botyard_search::{Limits, Player, Report, SearchRng};
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::ops::RangeInclusive;

/// The score that wins.
const GOAL: u8 = 25;
/// The value of a certain win; a certain loss is 0.
const WIN: i32 = 30_000;

/// The rules.
struct Pig;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Table {
    scores: [u8; 2],
    total: u8,
    to_move: u8,
    turn: u32,
    /// The die has been thrown and not yet landed: a chance node.
    rolling: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Hold,
    Roll,
}

impl Table {
    fn new(own: u8, other: u8, total: u8) -> Table {
        Table { scores: [own, other], total, to_move: 0, turn: 0, rolling: false }
    }

    fn winner(&self) -> Option<usize> {
        self.scores.iter().position(|&score| score >= GOAL)
    }

    fn next_turn(&mut self) {
        *self = Table { total: 0, to_move: 1 - self.to_move, turn: self.turn + 1, ..*self };
    }

    fn choose(&mut self, choice: Choice) {
        match choice {
            Choice::Roll => self.rolling = true,
            Choice::Hold => {
                self.scores[usize::from(self.to_move)] += self.total;
                self.next_turn();
            }
        }
    }

    fn fall(&mut self, die: u8) {
        self.rolling = false;
        match die {
            1 => self.next_turn(),
            _ => self.total += die,
        }
    }

    /// Returns the estimated probability that a player wins, from both scores.
    fn guess(&self, player: usize) -> f64 {
        if let Some(winner) = self.winner() {
            return if winner == player { 1.0 } else { 0.0 };
        }
        let mut ahead = [0, 1].map(|seat| f64::from(self.scores[seat]));
        ahead[usize::from(self.to_move)] += f64::from(self.total) * 0.7 + 2.0;
        let lead = (ahead[player] - ahead[1 - player]) / f64::from(GOAL);
        (0.5 + 0.5 * lead).clamp(0.02, 0.98)
    }
}

/// The game for expectiminimax.
impl MultiplayerGame for Pig {
    type Position = Table;
    type Move = Choice;

    fn players(&self) -> usize {
        2
    }

    fn actor(&self, table: &Table) -> Actor {
        match table.rolling {
            _ if table.winner().is_some() => Actor::Over,
            true => Actor::Chance,
            false => Actor::Player(Player::new(table.to_move.into())),
        }
    }

    fn turn(&self, table: &Table) -> u32 {
        table.turn
    }

    fn for_each_move(&self, table: &Table, mut f: impl FnMut(Choice)) {
        f(Choice::Roll);
        if table.total > 0 {
            f(Choice::Hold);
        }
    }

    fn make(&self, table: &Table, choice: Choice) -> Table {
        let mut after = *table;
        after.choose(choice);
        after
    }

    fn for_each_outcome(&self, table: &Table, mut f: impl FnMut(u32, Table)) {
        for die in 1..=6 {
            let mut after = *table;
            after.fall(die);
            f(1, after);
        }
    }

    fn range(&self) -> RangeInclusive<i32> {
        0..=WIN
    }

    fn most_sum(&self) -> Option<i32> {
        Some(WIN)
    }

    fn value(&self, table: &Table, player: Player) -> i32 {
        (f64::from(WIN) * table.guess(player.index())) as i32
    }

    fn key(&self, table: &Table) -> u64 {
        let Table { scores: [a, b], total, to_move, turn, rolling } = *table;
        let state = u32::from_le_bytes([a, b, total, to_move << 1 | u8::from(rolling)]);
        (u64::from(turn) << 32 | u64::from(state)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn move_id(&self, choice: Choice) -> u32 {
        choice as u32
    }
}

/// A decision in the game, for Monte Carlo tree search.
struct Decision(Table);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Choice(Choice),
    Die(u8),
}

fn roll(rng: &mut SearchRng) -> u8 {
    // The modulo bias is below 2^-29.
    1 + (rng.next_u32() % 6) as u8
}

impl Simulation for Decision {
    type State = Table;
    type Action = Choice;
    type Event = Event;
    type Scratch = ();

    fn players(&self) -> usize {
        2
    }

    fn state(&self) -> Table {
        self.0
    }

    fn begin(&self, state: &mut Table, _scratch: &mut (), _rng: &mut SearchRng) {
        *state = self.0;
    }

    fn actor(&self, state: &Table) -> mcts::Actor {
        match Pig.actor(state) {
            Actor::Player(player) => mcts::Actor::Player(player),
            Actor::Over => mcts::Actor::Over,
            Actor::Chance | Actor::DenseChance => mcts::Actor::Nature,
        }
    }

    fn actions(&self, state: &Table, into: &mut Vec<Choice>) {
        into.clear();
        Pig.for_each_move(state, |choice| into.push(choice));
    }

    fn event(&self, _state: &Table, choice: Choice) -> Event {
        Event::Choice(choice)
    }

    fn action(&self, event: &Event) -> Option<Choice> {
        match event {
            Event::Choice(choice) => Some(*choice),
            Event::Die(_) => None,
        }
    }

    fn apply(&self, state: &mut Table, choice: Choice) {
        state.choose(choice);
    }

    fn nature(&self, state: &mut Table, _scratch: &mut (), rng: &mut SearchRng) -> Option<Event> {
        let die = roll(rng);
        state.fall(die);
        Some(Event::Die(die))
    }

    /// Playouts hold at seven, or as soon as holding wins.
    fn play_out(&self, state: &mut Table, _scratch: &mut (), rng: &mut SearchRng) -> Rewards {
        loop {
            match self.actor(state) {
                mcts::Actor::Over => break,
                mcts::Actor::Nature => state.fall(roll(rng)),
                mcts::Actor::Player(_) => {
                    let wins = state.scores[usize::from(state.to_move)] + state.total >= GOAL;
                    let holds = state.total >= 7 || wins;
                    state.choose(if holds { Choice::Hold } else { Choice::Roll });
                }
            }
        }
        let mut rewards = Rewards::default();
        if let Some(winner) = state.winner() {
            rewards[winner] = 1.0;
        }
        rewards
    }
}

fn expectiminimax(table: &Table, algorithm: Algorithm, pruning: Pruning) -> Report<Choice> {
    let settings =
        Settings { pruning, luck: Luck::Expected, table_mebibytes: 0, ..Settings::new(algorithm) };
    MultiplayerSearcher::new(settings).search(&Pig, table, &Limits::depth(6))
}

fn tree_search(table: &Table, iterations: u64) -> Report<Choice, f64> {
    let mut searcher = TreeSearcher::new(mcts::Settings::default());
    let mut rng = SearchRng::seed_from_u64(1);
    searcher.search(&Decision(*table), &Limits::iterations(iterations), &mut rng)
}

fn main() {
    let arguments: Vec<u8> =
        std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let table = match arguments[..] {
        [own, other, total] if own < GOAL && other < GOAL && total <= GOAL => {
            Table::new(own, other, total)
        }
        _ => Table::new(8, 12, 9),
    };
    println!(
        "to {GOAL}: {} against {}, {} in this turn",
        table.scores[0], table.scores[1], table.total
    );
    let plain = expectiminimax(&table, Algorithm::Expectiminimax, Pruning::None);
    let star1 = expectiminimax(&table, Algorithm::Paranoid, Pruning::Star1);
    let star2 = expectiminimax(&table, Algorithm::Paranoid, Pruning::Star2);
    for (name, report) in [("expectiminimax", plain), ("Star1", star1), ("Star2", star2)] {
        let (best, chance) = (report.best, f64::from(report.value) / f64::from(WIN));
        println!("{name:>14}: {best:?}, wins {chance:.3}; {} nodes", report.nodes);
    }
    let report = tree_search(&table, 5000);
    println!(
        "{:>14}: {:?}, wins {:.3}; {} playouts",
        "MCTS", report.best, report.value, report.playouts
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> impl Iterator<Item = Table> {
        [(0, 0), (8, 12), (20, 3), (15, 23)]
            .into_iter()
            .flat_map(|(own, other)| [0, 4, 11].map(|total| Table::new(own, other, total)))
    }

    #[test]
    fn star1_and_star2_find_the_value_of_expectiminimax_with_fewer_nodes() {
        let mut nodes = [0; 3];
        for table in tables() {
            let plain = expectiminimax(&table, Algorithm::Expectiminimax, Pruning::None);
            let star1 = expectiminimax(&table, Algorithm::Paranoid, Pruning::Star1);
            let star2 = expectiminimax(&table, Algorithm::Paranoid, Pruning::Star2);
            assert_eq!((star1.value, star2.value), (plain.value, plain.value), "{table:?}");
            for (sum, report) in nodes.iter_mut().zip([plain, star1, star2]) {
                *sum += report.nodes;
            }
        }
        assert!(nodes[1] < nodes[0] && nodes[2] < nodes[0], "{nodes:?}");
    }

    #[test]
    fn a_player_that_can_win_by_holding_holds() {
        for (own, total) in [(20, 5), (14, 11), (23, 2)] {
            let table = Table::new(own, 24, total);
            let search = expectiminimax(&table, Algorithm::Paranoid, Pruning::Star2);
            assert_eq!((search.best, search.value), (Some(Choice::Hold), WIN), "{table:?}");
            let report = tree_search(&table, 400);
            assert_eq!(report.best, Some(Choice::Hold), "{table:?}");
        }
    }

    #[test]
    fn it_runs() {
        main();
    }
}
