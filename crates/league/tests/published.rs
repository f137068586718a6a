//! The models compared with published worked examples.

use botyard_league::statistics::blocks::Kind;
use botyard_league::statistics::luce::{Choices, Contest};
use botyard_league::statistics::{bradley_terry, plackett_luce};

/// Practically zero: the published estimates have no virtual draws.
const NO_ANCHOR: f64 = 1e-7;

fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect())
}

fn fit(parameters: usize, contests: Vec<Contest>, anchor: f64) -> Vec<f64> {
    Choices { parameters, contests, anchor }.maximum_likelihood().parameters
}

/// For each pair of teams, the games won by the first.
fn baseball() -> (Vec<&'static str>, Vec<Contest>) {
    let rows: Vec<_> = lines(include_str!("data/baseball_1987.txt")).collect();
    let wins = |row: usize, column: usize| rows[row][1 + column].parse::<f64>().unwrap();
    let mut contests = Vec::new();
    for one in 0..rows.len() {
        for other in 0..one {
            let points = vec![wins(one, other), wins(other, one)];
            assert_eq!(points.iter().sum::<f64>(), 13.0, "they met 13 times");
            let game = Kind {
                seats: vec![one, other],
                points,
                places: Vec::new(),
                scores: Vec::new(),
                count: 1,
            };
            contests.extend(bradley_terry::contests(&game));
        }
    }
    (rows.iter().map(|row| row[0]).collect(), contests)
}

/// Agresti 2002, table 10.11, third column: the strengths with Baltimore at 0.
#[test]
fn baseball_1987_matches_agresti() {
    let (teams, contests) = baseball();
    let found = fit(teams.len(), contests, NO_ANCHOR);
    let published = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0];
    for ((team, strength), published) in teams.iter().zip(&found).zip(published) {
        let strength = strength - found[6];
        assert!((strength - published).abs() < 0.005, "{team}: {strength:.4}, not {published}");
    }
}

/// Hunter 2004, table 2: the logarithms of the worth of P. Jones, S. Pruett, M. Martin and
/// T. Stewart, with that of driver 1 at 0; and as shares of the worth of all.
#[test]
fn nascar_2002_matches_hunter() {
    const DRIVERS: usize = 83;
    let contests = lines(include_str!("data/nascar_2002.txt"))
        .flat_map(|drivers| {
            let seats: Vec<usize> =
                drivers.iter().map(|driver| driver.parse::<usize>().unwrap() - 1).collect();
            let places = (1..=seats.len() as u32).collect();
            let game = Kind {
                points: vec![0.0; seats.len()],
                scores: Vec::new(),
                seats,
                places,
                count: 1,
            };
            plackett_luce::contests(&game, None)
        })
        .collect();
    let found = fit(DRIVERS, contests, NO_ANCHOR);
    let sum: f64 = found.iter().map(|strength| strength.exp()).sum();
    for (driver, worth, logarithm) in
        [(58, 0.1864, 4.15), (68, 0.1096, 3.62), (51, 0.0235, 2.08), (82, 0.0184, 1.83)]
    {
        let strength = found[driver - 1];
        assert!((strength.exp() / sum - worth).abs() < 5e-5, "driver {driver}: {strength}");
        assert!((strength - found[0] - logarithm).abs() < 5e-3, "driver {driver}: {strength}");
    }
}

/// Hunter's MM algorithm (2004, section 3), which is slow and reliable.
fn mm(parameters: usize, contests: &[Contest], anchor: f64) -> Vec<f64> {
    let mut worth = vec![1.0; parameters];
    for _ in 0..200_000 {
        let mut chosen = vec![anchor / 2.0; parameters];
        let mut rate: Vec<f64> = worth.iter().map(|worth| anchor / (worth + 1.0)).collect();
        for contest in contests {
            let sum: f64 = contest.chosen.iter().map(|(who, _)| worth[who.strength]).sum();
            let times: f64 = contest.chosen.iter().map(|(_, times)| times).sum();
            for (who, times_chosen) in &contest.chosen {
                chosen[who.strength] += times_chosen;
                rate[who.strength] += times / sum;
            }
        }
        let next: Vec<f64> = chosen.iter().zip(&rate).map(|(chosen, rate)| chosen / rate).collect();
        let moved = next.iter().zip(&worth).map(|(next, worth)| (next / worth).ln().abs());
        let moved = moved.fold(0.0, f64::max);
        worth = next;
        if moved < 1e-14 {
            break;
        }
    }
    worth.iter().map(|worth| worth.ln()).collect()
}

#[test]
fn newtons_method_and_mm_find_the_same_maximum() {
    let (teams, contests) = baseball();
    // One virtual draw each against the anchor, as in the standings.
    let [newton, mm] = [fit(teams.len(), contests.clone(), 1.0), mm(teams.len(), &contests, 1.0)];
    for (team, (newton, mm)) in teams.iter().zip(newton.iter().zip(&mm)) {
        assert!((newton - mm).abs() < 1e-9, "{team}: {newton} and {mm}");
    }
}
