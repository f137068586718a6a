//! The results of random play: figures reported by two papers and a university's model, within
//! statistical error. Seeds are fixed, so these tests never fail by chance.

use botyard_engine::game::{Game, Turn};
use botyard_engine::random::Stream;
use botyard_engine::rules;
use botyard_engine::scotland_yard::ScotlandYard;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Plays random games; returns Mr. X's share of wins in percent and how the games ended.
fn random_play(preset: &str, changes: &[(&str, &str)], games: u32) -> (f64, String) {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let rules = rules::resolve::<ScotlandYard>(Some(preset), &changes).unwrap();
    let game = ScotlandYard::new(rules).unwrap();
    let mut stream = Stream::new(2024, "test");
    let mut wins = 0;
    let mut reasons: BTreeMap<Cow<'_, str>, u32> = BTreeMap::new();
    for _ in 0..games {
        let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
        while let Turn::Seat(_) = game.turn(&state) {
            let action = state.position().random_action(game.arena(), stream.rng()).unwrap();
            game.apply(&mut state, action);
        }
        let outcome = game.outcome(&state).unwrap();
        *reasons.entry(outcome.reason).or_default() += 1;
        wins += u32::from(outcome.scores[0] == 1.0);
    }
    (100.0 * f64::from(wins) / f64::from(games), format!("{reasons:?}"))
}

#[test]
fn mr_x_wins_three_of_five_random_games_on_the_london_board() {
    let (wins, how) = random_play("bristol", &[], 2000);
    println!("bristol: Mr. X wins {wins:.1}% {how}");
    assert!((60.0..=67.0).contains(&wins), "{wins}% {how}");
}

/// One detective is no worse than two: it runs out of tickets before it blocks Mr. X.
#[test]
fn more_detectives_catch_him_more_often() {
    let shares: Vec<f64> = ["2", "3", "4", "5"]
        .iter()
        .map(|count| {
            let (wins, how) = random_play("bristol", &[("detectives", count)], 1000);
            println!("bristol with {count}: Mr. X wins {wins:.1}% {how}");
            wins
        })
        .collect();
    assert!(shares.windows(2).all(|pair| pair[0] > pair[1] + 2.0), "{shares:?}");
}

#[test]
fn grids_come_out_as_published() {
    for (preset, limit, blundering, careful) in [
        ("grid-5x5-2", "15", 82.0, 48.0),
        ("grid-5x5-2", "30", 97.0, 63.0),
        ("grid-7x7-3", "15", 67.0, 39.0),
        ("grid-15x15-4", "35", 46.0, 26.0),
    ] {
        for (onto, published) in [("loses", blundering), ("illegal", careful)] {
            let changes = [("limit", limit), ("x_onto_detective", onto)];
            let (wins, how) = random_play(preset, &changes, 4000);
            let agents = 100.0 - wins;
            println!(
                "{preset}, {limit} rounds, {onto}: agents win {agents:.1}% ({published}) {how}"
            );
            assert!((agents - published).abs() < 3.0, "{preset} {limit} {onto}: {agents}% {how}");
        }
    }
}

/// On a grid without staying an agent can step onto Mr. X only if its distance at the start is
/// even.
#[test]
fn agents_at_odd_distances_hardly_ever_win() {
    let rules = ScotlandYard::preset("grid-5x5-2").unwrap();
    let game = ScotlandYard::new(botyard_engine::scotland_yard::Rules {
        x_onto_detective: botyard_engine::scotland_yard::OntoDetective::Illegal,
        ..rules
    })
    .unwrap();
    let mut stream = Stream::new(7, "test");
    let kinds = botyard_engine::scotland_yard::Kinds::FARES;
    let (mut games, mut odd, mut won) = (0, 0, 0);
    while odd < 2000 {
        let opening = game.draw_opening(stream.rng());
        games += 1;
        let distances = game.distances();
        let reach =
            |&from| distances.with_kinds(kinds, from, opening.mr_x).unwrap().is_multiple_of(2);
        if opening.detectives.iter().any(reach) {
            continue;
        }
        odd += 1;
        let mut position = *game.start(&opening).unwrap().position();
        let (end, _) = position.play_out(game.arena(), stream.rng());
        won += u32::from(!end.mr_x_wins());
    }
    let (odd_share, win_share) = (f64::from(odd) / f64::from(games), f64::from(won) / 2000.0);
    println!("odd starts {:.1}%, agents win {:.1}% of them", 100.0 * odd_share, 100.0 * win_share);
    assert!((0.24..0.28).contains(&odd_share), "{odd_share}");
    assert!(win_share < 0.02, "{win_share}");
}
