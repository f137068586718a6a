//! Line-ups: the bots that meet at a table. Either every selection of bots, or a sample drawn so
//! that the numbers of games and of meetings are as equal as possible.

use botyard_engine::Stream;
use botyard_engine::random::shuffle;

/// Returns the maximum number of line-ups, beyond any practical tournament.
pub const fn most_line_ups() -> usize {
    100_000
}

/// Returns the binomial coefficient: the number of selections of `k` of `n`; `None` on overflow.
pub(super) fn combinations(n: usize, k: usize) -> Option<usize> {
    if k > n {
        return Some(0);
    }
    // Each division is exact: the product is a binomial coefficient times its denominator.
    (0..k.min(n - k)).try_fold(1usize, |found, i| Some(found.checked_mul(n - i)? / (i + 1)))
}

/// Returns every selection of `k` of these, each in their order.
fn selections(of: &[usize], k: usize) -> Vec<Vec<usize>> {
    if k == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (index, &first) in of.iter().enumerate() {
        for mut rest in selections(&of[index + 1..], k - 1) {
            rest.insert(0, first);
            found.push(rest);
        }
    }
    found
}

/// Returns every pair of bots, round by round, by the circle method (Kirkman 1847): every bot plays
/// once per round, so that a tournament is balanced after every round.
fn pairs(bots: usize) -> Vec<Vec<usize>> {
    let even = bots + bots % 2;
    let mut found = Vec::new();
    for round in 0..even.saturating_sub(1) {
        // The last one is fixed, the others rotate.
        let place = |index: usize| match index {
            0 => even - 1,
            index => (round + index - 1) % (even - 1),
        };
        for index in 0..even / 2 {
            let (one, other) = (place(index), place(even - 1 - index));
            // With an odd number of bots, one has a bye.
            if one < bots && other < bots {
                found.push(vec![one.min(other), one.max(other)]);
            }
        }
    }
    found
}

/// Returns every selection of bots for this number of seats.
pub(super) fn all_line_ups(bots: usize, seats: usize) -> Vec<Vec<usize>> {
    match seats {
        2 => pairs(bots),
        _ => selections(&(0..bots).collect::<Vec<_>>(), seats),
    }
}

/// Returns each challenger with every selection of the others, for this number of seats.
pub(super) fn gauntlet(bots: usize, seats: usize, challengers: &[usize]) -> Vec<Vec<usize>> {
    let others: Vec<usize> = (0..bots).filter(|bot| !challengers.contains(bot)).collect();
    let mut found = Vec::new();
    for company in selections(&others, seats.saturating_sub(1)) {
        for &challenger in challengers {
            found.push([&[challenger], &company[..]].concat());
        }
    }
    found
}

/// Draws this number of tables of different bots. Each seat of a table goes to the bot with the
/// fewest games, then to the one with the fewest meetings with those already at the table, then to
/// one drawn from the stream: no bot plays two games more than another.
pub(super) fn balanced_tables(
    bots: usize,
    seats: usize,
    tables: usize,
    stream: &mut Stream,
) -> Vec<Vec<usize>> {
    let mut played = vec![0u32; bots];
    let mut met = vec![vec![0u32; bots]; bots];
    let mut found = Vec::with_capacity(tables);
    for _ in 0..tables {
        let mut drawn: Vec<usize> = (0..bots).collect();
        shuffle(stream.rng(), &mut drawn);
        let mut table: Vec<usize> = Vec::with_capacity(seats);
        while table.len() < seats.min(bots) {
            let free = drawn.iter().copied().filter(|bot| !table.contains(bot));
            let meetings = |bot: usize| table.iter().map(|&other| met[bot][other]).sum::<u32>();
            let Some(next) = free.min_by_key(|&bot| (played[bot], meetings(bot))) else { break };
            table.push(next);
        }
        for (index, &one) in table.iter().enumerate() {
            played[one] += 1;
            for &other in &table[..index] {
                met[one][other] += 1;
                met[other][one] += 1;
            }
        }
        table.sort_unstable();
        found.push(table);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn selections_are_binomial_coefficients() {
        for (n, k, expected) in
            [(5, 2, 10), (8, 4, 70), (8, 8, 1), (3, 0, 1), (3, 4, 0), (60, 8, 2_558_620_845)]
        {
            assert_eq!(combinations(n, k), Some(expected), "{k} of {n}");
        }
        assert_eq!(combinations(200, 100), None);
        assert_eq!(all_line_ups(8, 4).len(), 70);
    }

    #[test]
    fn every_pair_comes_once_and_every_round_is_balanced() {
        for bots in 2..=9 {
            let pairs = all_line_ups(bots, 2);
            let different: BTreeSet<_> = pairs.iter().collect();
            assert_eq!((pairs.len(), different.len()), (bots * (bots - 1) / 2, pairs.len()));
            for round in pairs.chunks(bots / 2) {
                let busy: BTreeSet<_> = round.concat().into_iter().collect();
                assert_eq!(busy.len(), 2 * round.len(), "{bots} bots: {round:?}");
            }
        }
    }

    #[test]
    fn challengers_meet_all_others_and_not_each_other() {
        let pairs = gauntlet(5, 2, &[1, 3]);
        assert_eq!(pairs, [[1, 0], [3, 0], [1, 2], [3, 2], [1, 4], [3, 4]]);
        assert_eq!(gauntlet(5, 3, &[4]).len(), 6);
    }

    #[test]
    fn drawn_tables_are_even_and_follow_from_the_seed() {
        let tables = balanced_tables(10, 4, 45, &mut Stream::new(1, "tables"));
        assert_eq!(tables, balanced_tables(10, 4, 45, &mut Stream::new(1, "tables")));
        assert_ne!(tables, balanced_tables(10, 4, 45, &mut Stream::new(2, "tables")));
        let mut played = [0; 10];
        let mut met = [[0; 10]; 10];
        for table in &tables {
            assert_eq!(table.iter().collect::<BTreeSet<_>>().len(), 4, "{table:?}");
            for &one in table {
                played[one] += 1;
                table.iter().for_each(|&other| met[one][other] += 1);
            }
        }
        assert_eq!(played, [18; 10], "45 tables of 4 are 18 games each");
        // 45 tables have 270 pairs, and there are 45 pairs of bots: 6 each on average.
        for one in 0..10 {
            for other in (0..10).filter(|&other| other != one) {
                assert!((4..=8).contains(&met[one][other]), "{one} and {other}: {met:?}");
            }
        }
    }
}
