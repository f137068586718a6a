//! The cost of standings: milliseconds from the results of 100,000 games to the finished standings,
//! including 1,000 resamples, against one pass that only adds up every bot's points. The best of
//! several rounds.

#[path = "../tests/simulated/mod.rs"]
mod simulated;

use botyard_league::{PlayedGame, SeatKind, Standings, Verdict};
use simulated::{League, spread};
use std::hint::black_box;
use std::time::Instant;

/// Returns the milliseconds per call: the best of several rounds.
fn milliseconds(rounds: u32, mut call: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

fn points(bots: usize, games: &[PlayedGame]) -> Vec<f64> {
    let mut sums = vec![0.0; bots];
    for game in games {
        let Verdict::Scored { points, .. } = &game.verdict else { continue };
        for (&bot, points) in game.seats.iter().zip(points) {
            sums[bot] += points;
        }
    }
    sums
}

fn main() {
    let two = |bots: usize, blocks: u32| League {
        draws: 0.3,
        ..League::of_two(&spread(bots, 1.0), blocks)
    };
    let of = |seats: usize, bots: usize, blocks: u32| League { seats, ..two(bots, blocks) };
    println!("{:<44} {:>8} {:>10} {:>10} {:>7}", "league", "games", "standings", "points", "ratio");
    for (name, kind, league) in [
        ("8 bots, two seats", SeatKind::Symmetric, two(8, 1786)),
        ("60 bots, two seats", SeatKind::Symmetric, two(60, 28)),
        ("60 bots, two roles", SeatKind::Roles, two(60, 28)),
        ("6 bots, six seats", SeatKind::Ranked, of(6, 6, 16_667)),
        ("12 bots, four seats, every line-up", SeatKind::Ranked, of(4, 12, 50)),
    ] {
        let (games, entrants) = (league.play(1), league.entrants());
        let whole = milliseconds(3, || {
            black_box(Standings::new("bench", &[], kind, &entrants, black_box(&games), 1));
        });
        let sums = milliseconds(10, || drop(black_box(points(entrants.len(), black_box(&games)))));
        println!(
            "{name:<44} {:>8} {whole:>7.0} ms {sums:>7.2} ms {:>7.0}",
            games.len(),
            whole / sums
        );
    }
}
