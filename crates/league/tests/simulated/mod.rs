//! Simulated leagues of bots with known strengths: the ground truth for tests of the statistics and
//! for the benchmark.

use botyard_engine::Stream;
use botyard_engine::random::unit;
use botyard_league::{Entrant, PlayedGame, SeatUse, Verdict};

/// A league in which all bots play each other equally often.
#[derive(Clone, Debug)]
pub struct League {
    /// The strength of each bot, in the first role if there are two; log-odds.
    pub strengths: Vec<f64>,
    /// The strength in the second role.
    pub second: Vec<f64>,
    /// The advantage of the first seat, or role.
    pub advantage: f64,
    /// The share of drawn games, in a two-player game.
    pub draws: f64,
    /// The standard deviation of the advantage that the start of a block gives the first seat.
    pub start: f64,
    /// The standard deviation of the advantage that the start of a block gives one of two bots in
    /// either seat.
    pub luck: f64,
    /// Whether only the first bot meets the others.
    pub gauntlet: bool,
    /// The number of blocks per line-up.
    pub blocks: u32,
    /// The number of seats of the game.
    pub seats: usize,
}

impl League {
    /// Bots of these strengths in a game of two symmetric seats without draws.
    pub fn of_two(strengths: &[f64], blocks: u32) -> League {
        League {
            strengths: strengths.to_vec(),
            second: strengths.to_vec(),
            advantage: 0.0,
            draws: 0.0,
            start: 0.0,
            luck: 0.0,
            gauntlet: false,
            blocks,
            seats: 2,
        }
    }

    pub fn entrants(&self) -> Vec<Entrant> {
        let entrant = |bot: usize| Entrant { name: format!("bot{bot:03}"), ..Entrant::default() };
        (0..self.strengths.len()).map(entrant).collect()
    }

    /// Returns every set of bots that meets, in ascending order.
    pub fn line_ups(&self) -> Vec<Vec<usize>> {
        let mut line_ups = vec![Vec::new()];
        for _ in 0..self.seats {
            line_ups = (line_ups.iter())
                .flat_map(|line_up: &Vec<usize>| {
                    let first = line_up.last().map_or(0, |last| last + 1);
                    (first..self.strengths.len())
                        .map(|bot| [&line_up[..], &[bot]].concat())
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        line_ups.retain(|line_up| !self.gauntlet || line_up[0] == 0);
        line_ups
    }

    /// Returns the probability that `first` beats `second` from the first seat, given that the game
    /// is not drawn.
    pub fn odds(&self, first: usize, second: usize, start: f64) -> f64 {
        let log_odds = self.strengths[first] - self.second[second] + self.advantage + start;
        1.0 / (1.0 + (-log_odds).exp())
    }

    /// Returns the worth of the bot in a seat in a game of more than two.
    pub fn worth(&self, seats: &[usize], seat: usize, start: f64) -> f64 {
        let favour = if seat == 0 { self.advantage + start } else { 0.0 };
        (self.strengths[seats[seat]] + favour).exp()
    }

    /// Plays the league.
    pub fn play(&self, seed: u64) -> Vec<PlayedGame> {
        let mut stream = Stream::new(seed, "league");
        let mut games = Vec::new();
        let mut block = 0;
        for line_up in self.line_ups() {
            for _ in 0..self.blocks {
                block += 1;
                // An approximately normal number: the sum of twelve uniform ones minus six.
                let mut normal = || (0..12).map(|_| unit(stream.rng())).sum::<f64>() - 6.0;
                let start = self.start * normal();
                let luck = if self.luck > 0.0 { self.luck * normal() } else { 0.0 };
                for rotation in 0..self.seats {
                    let seats: Vec<usize> = (0..self.seats)
                        .map(|seat| line_up[(seat + rotation) % self.seats])
                        .collect();
                    let favour = start + if rotation == 0 { luck } else { -luck };
                    let (points, places) = self.result(&seats, favour, &mut stream);
                    games.push(PlayedGame {
                        void_at: None,
                        block,
                        uses: vec![
                            SeatUse {
                                decisions: 30,
                                wall_us: 900,
                                longest_us: 90,
                                ..SeatUse::default()
                            };
                            self.seats
                        ],
                        seats,
                        verdict: Verdict::Scored { points, places },
                        turns: 60,
                        faults: Vec::new(),
                        replay: None,
                    });
                }
            }
        }
        games
    }

    fn result(&self, seats: &[usize], start: f64, stream: &mut Stream) -> (Vec<f64>, Vec<u32>) {
        if let [first, second] = *seats {
            if unit(stream.rng()) < self.draws {
                return (vec![0.5; 2], vec![1; 2]);
            }
            let won = unit(stream.rng()) < self.odds(first, second, start);
            return if won { (vec![1.0, 0.0], vec![1, 2]) } else { (vec![0.0, 1.0], vec![2, 1]) };
        }
        // Luce's choices in turn: the shortest of exponential times comes first.
        let mut order: Vec<(f64, usize)> = (seats.iter().enumerate())
            .map(|(seat, _)| {
                (-(1.0 - unit(stream.rng())).ln() / self.worth(seats, seat, start), seat)
            })
            .collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut places = vec![0; seats.len()];
        (1..).zip(&order).for_each(|(place, &(_, seat))| places[seat] = place);
        (places.iter().map(|&place| f64::from(u8::from(place == 1))).collect(), places)
    }
}

/// Strengths evenly spread from `-half` to `half`.
pub fn spread(bots: usize, half: f64) -> Vec<f64> {
    (0..bots).map(|bot| half * (2.0 * bot as f64 / (bots - 1) as f64 - 1.0)).collect()
}
