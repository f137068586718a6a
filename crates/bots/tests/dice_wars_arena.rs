//! The arena, and the strength of the course's bots in it under the rules of 2021: it agrees with
//! their strength in the framework.

use botyard_bots::dice_wars::arena::{Arena, Tally, count};
use botyard_bots::dice_wars::lookahead::{Candidates, Horizon, LookaheadPolicy, MoveSelection};
use botyard_bots::dice_wars::{Baseline, BoardNetwork, Evaluator, LargestRegion, MaxN2021, Policy};
use botyard_engine::dice_wars::Rules;
use botyard_engine::random::shuffle;
use botyard_engine::{Seat, Stream};
use botyard_search::Limits;
use botyard_search::multiplayer::{Algorithm, Luck, Settings};
use botyard_search::value::MOST_PLIES;

/// The five bots that were measured, and the percentage that each won of its games with three of
/// the others: 1,200 games in the framework.
const FIVE: [(&str, Baseline, f64); 5] = [
    ("stei_adt", Baseline::STEI_ADT, 45.0),
    ("stei_at", Baseline::STEI_AT, 44.8),
    ("sdc_pre_at", Baseline::SDC_AT, 21.3),
    ("stei_dt", Baseline::STEI_DT, 7.9),
    ("stei", Baseline::STEI, 5.9),
];

fn arena() -> Arena {
    Arena::new(Rules::preset("sui-2021").unwrap()).unwrap()
}

fn five() -> [Baseline; 5] {
    FIVE.map(|(_, baseline, _)| baseline)
}

/// Plays blocks of the first entrants with others that are drawn from the five.
fn play_with_five(mut entrants: Vec<Box<dyn Policy>>, blocks: u64) -> Vec<Tally> {
    let arena = arena();
    let always = entrants.len();
    entrants.extend(five().map(|baseline| -> Box<dyn Policy> { Box::new(baseline) }));
    let mut tallies = vec![Tally::default(); entrants.len()];
    let mut stream = Stream::new(1, "test");
    for seed in 0..blocks {
        let mut others: Vec<usize> = (always..entrants.len()).collect();
        shuffle(stream.rng(), &mut others);
        let line_up: Vec<usize> = (0..always).chain(others).take(4).collect();
        for played in arena.play_block(seed, &mut entrants, &line_up) {
            count(&mut tallies, &played);
        }
    }
    tallies
}

/// Returns the search of `max-n` with this evaluation, and 300 positions for an action.
fn max_n(evaluator: impl Evaluator + 'static) -> Box<dyn Policy> {
    let selection = MoveSelection {
        candidates: Candidates { least_chance: 0.2, width: 6 },
        attacks: 64,
        replies: 1,
        transfers: 4,
        draws: false,
        horizon: Horizon::Depth,
    };
    let settings = Settings { luck: Luck::Likeliest, ..Settings::new(Algorithm::MaxN) };
    let limits = Limits { nodes: 300, ..Limits::depth(MOST_PLIES) };
    Box::new(LookaheadPolicy::new(settings, selection, evaluator, limits))
}

/// Prints a share beside the published one and returns their difference.
fn compare(name: &str, tally: Tally, published: f64) -> f64 {
    let percent = tally.percent();
    println!("{name:>10}: {percent:5.1} of {} games, published {published}", tally.games);
    percent - published
}

#[test]
fn a_block_is_a_function_of_its_seed() {
    let arena = arena();
    let block = |seed| arena.play_block(seed, &mut five(), &[4, 0, 2, 1]);
    assert_eq!(block(1), block(1));
    assert_ne!(block(1), block(2));
    let seats: Vec<Vec<usize>> = block(1).iter().map(|played| played.seats.to_vec()).collect();
    assert_eq!(seats, [[4, 0, 2, 1], [0, 2, 1, 4], [2, 1, 4, 0], [1, 4, 0, 2]]);
    for played in block(1) {
        assert!(played.end.is_over());
        let score = |seat: Seat| played.end.outcome().unwrap().scores[seat.index()];
        assert!(played.winner().is_none_or(|seat| score(seat) == 1.0));
    }
}

#[test]
fn all_selections_meet_equally_often() {
    let tallies = arena().play_selections(3, 2, &mut five());
    assert!(tallies.iter().all(|tally| tally.games == 2 * 4 * 4), "{tallies:?}");
}

#[test]
fn shares_are_those_of_the_framework() {
    // 300 games: shares within three deviations (of 240 games each) and the four points.
    let tallies = arena().play_selections(1, 15, &mut five());
    for ((name, _, published), tally) in FIVE.into_iter().zip(tallies) {
        let difference = compare(name, tally, published);
        assert!(difference.abs() < 10.0, "{name}: {difference}");
    }
}

#[test]
#[ignore = "12,000 games"]
fn shares_are_those_of_the_framework_within_four_points() {
    let tallies = arena().play_selections(2, 600, &mut five());
    let mut last = 100.0;
    for ((name, _, published), tally) in FIVE.into_iter().zip(tallies) {
        let difference = compare(name, tally, published);
        assert!(difference.abs() <= 4.0, "{name}: {difference}");
        assert!(tally.percent() < last + 1.0, "{name} is out of order");
        last = tally.percent();
    }
}

#[test]
#[ignore = "8,000 games"]
fn the_first_seat_is_worth_most() {
    let arena = arena();
    let mut wins = [0u32; 4];
    for seed in 0..2_000 {
        for played in arena.play_block(seed, &mut [Baseline::STEI_ADT], &[0; 4]) {
            if let Some(winner) = played.winner() {
                wins[winner.index()] += 1;
            }
        }
    }
    println!("of 8000 games the seats won {wins:?}; published: 89 and 20 of 200 for 1 and 4");
    assert!(wins.is_sorted_by(|one, other| one > other), "{wins:?}");
}

#[test]
#[ignore = "4,000 games with search"]
fn max_n_wins_as_much_as_its_original() {
    let tallies = play_with_five(vec![Box::new(MaxN2021::new(LargestRegion))], 1_000);
    let difference = compare("max-n-2021", tallies[0], 45.75);
    assert!(difference.abs() <= 4.9, "{difference}");
}

#[test]
#[ignore = "4,800 games with search"]
fn the_largest_region_and_the_network_in_the_same_games() {
    let report: [Box<dyn Policy>; 2] =
        [Box::new(MaxN2021::new(LargestRegion)), Box::new(MaxN2021::new(BoardNetwork::built_in()))];
    let ours = [max_n(LargestRegion), max_n(BoardNetwork::built_in())];
    for (search, blocks, entrants) in [("max-n-2021", 1_000, report), ("max-n", 200, ours)] {
        let tallies = play_with_five(entrants.into(), blocks);
        for (evaluation, tally) in ["region", "network"].iter().zip(&tallies) {
            println!("{search}:eval={evaluation} won {} of {} games", tally.wins, tally.games);
        }
        assert_eq!(tallies[0].games, 4 * blocks as u32);
    }
}
