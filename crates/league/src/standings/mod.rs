//! The standings of a tournament: what its results say of each bot, in one value that is written as
//! a table for a terminal, CSV for a grade book, JSON for programs, Markdown, or one HTML page.
//!
//! Names come from outside. They are made [`printable`] and cut to [`NAME`] characters here, once;
//! what a format takes for its own signs is escaped where it is written.

mod csv;
mod gather;
mod html;
mod html_pieces;
mod markdown;
mod ranks;
mod shared_tables;
mod table;
mod words;

use crate::played_game::{Entrant, PlayedGame, SeatKind};
use crate::score::{Interval, Score};
use crate::statistics::{Estimate, Model};
use botyard_protocol::{FaultKind, printable};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The longest name that is written, in characters.
pub const NAME: usize = 60;

/// The standings. Ratings are Elo points: 400 are odds of 10 to 1, and 0 is the mean of the bots
/// that played. All intervals have a confidence of 95%.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// The name of the game.
    pub game: String,
    /// The names of its seats.
    pub seats: Vec<String>,
    /// The model of the ratings.
    pub model: Model,
    /// Games that count.
    pub games: u64,
    /// Games that do not, because the host failed.
    pub void: u64,
    /// Games of which the result cannot be read: a bot that does not take part, points without
    /// sense.
    pub unreadable: u64,
    /// Blocks with a game that counts.
    pub blocks: u64,
    /// How often the blocks were resampled for the intervals.
    pub resamples: usize,
    /// Whether all bots that played can be compared with each other, through others at least.
    pub connected: bool,
    /// What decides the rank.
    pub ranked_by: RankedBy,
    /// How the game awards points and places, in a sentence or two; empty if not known.
    pub scoring: String,
    /// The bots by rank, those without a rank last.
    pub bots: Vec<BotStanding>,
    /// What each bot, in this order, scored against each: its points in games of two, and in games
    /// of more 1 where it finished before the other and a half where they share a place.
    pub head_to_head: Vec<Vec<ScoreSummary>>,
    /// Each bot that played compared with the next one in this order.
    pub neighbours: Vec<Neighbours>,
    /// What the first role is worth in a game of two, in Elo points.
    pub role_advantage: Option<Estimate>,
    /// What each seat is worth in a game of more, in Elo points; their mean is 0.
    pub seat_terms: Option<Vec<Estimate>>,
    /// The edge over an even share of the points that the games of the bot with the fewest show: 80%
    /// power, 5% two-sided error.
    pub edge_shown: Option<f64>,
    /// Some games with their replays.
    pub replays: Vec<ReplayLink>,
}

/// What decides the rank of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RankedBy {
    /// The share of the points; see `docs/standings.md` for ties.
    Score,
    /// The table of a Swiss tournament, with its tie-breaks.
    Swiss,
    /// The round that a bot reached in a knockout.
    Knockout,
}

/// What the results say of a bot.
#[derive(Clone, Debug, Serialize)]
pub struct BotStanding {
    /// Its index among the bots of the tournament.
    pub entrant: usize,
    /// Its name, fit to be printed.
    pub name: String,
    /// Its team, likewise; empty where there is none.
    pub team: String,
    /// Its version, likewise.
    pub version: String,
    /// SHA-256 of its program, likewise.
    pub sha256: String,
    /// Whether it passed the checks before the tournament.
    pub gate_passed: Option<bool>,
    /// Its place in the competition, from 1; equals share one. See [`Standings::ranked_by`]. `None` for
    /// a bot that never played.
    pub rank: Option<usize>,
    /// Its place by rating, from 1; equals share one. `None` without a rating.
    pub rating_rank: Option<usize>,
    /// The best place by strength that the data do not exclude, among the bots that played.
    pub rank_low: Option<usize>,
    /// The worst place by strength that the data do not exclude, among the bots that played.
    pub rank_high: Option<usize>,
    /// Its games, and its share of the points with Wilson's interval, the games taken as
    /// independent.
    pub score: ScoreSummary,
    /// The interval of its share from whole blocks, in Wilson's form.
    pub block_interval: Option<Interval>,
    /// Its score in each seat.
    pub by_seat: Vec<ScoreSummary>,
    /// Its rating.
    pub rating: Option<Estimate>,
    /// Its rating in each role of a game of two.
    pub role_ratings: Option<[Estimate; 2]>,
    /// Its faults.
    pub faults: BTreeMap<FaultKind, u32>,
    /// Void games in which it sat.
    pub void: u64,
    /// The time it took.
    pub time: TimeUse,
}

/// Games and points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreSummary {
    /// How many games.
    pub games: u64,
    /// Games with the whole point.
    pub wins: u64,
    /// Games with a part of it.
    pub draws: u64,
    /// Games with nothing.
    pub losses: u64,
    /// The mean of the points.
    pub share: Option<f64>,
    /// Wilson's interval of the share.
    pub interval: Option<Interval>,
}

/// The time that a bot took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TimeUse {
    /// How many decisions.
    pub decisions: u64,
    /// The mean time on the wall for one, in microseconds.
    pub mean_us: Option<f64>,
    /// The longest, in microseconds.
    pub longest_us: u64,
    /// Processor time in all, in microseconds, where it was measured.
    pub cpu_us: Option<u64>,
}

/// A bot and the next one in the standings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Neighbours {
    /// The positions in [`Standings::bots`] of the upper and the lower one.
    pub bots: [usize; 2],
    /// By how much the upper one is stronger, in Elo points, with an interval that holds for all pairs
    /// at once; negative where the lower one has the higher rating, `None` where they cannot be
    /// compared.
    pub difference: Option<Estimate>,
    /// How probable it is that among bots that are all equal some pair comes as far apart.
    pub p: Option<f64>,
    /// Whether the data separate them, in whichever direction the difference has.
    pub separated: bool,
}

/// A game that can be looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayLink {
    /// Its block.
    pub block: u32,
    /// For each seat the position in [`Standings::bots`] of the bot that held it.
    pub seats: Vec<usize>,
    /// Each seat's points; `None` if it was void.
    pub points: Option<Vec<f64>>,
    /// The seats that had a fault.
    pub faults: Vec<usize>,
    /// The file, relative to the tournament's directory.
    pub replay: String,
}

impl Standings {
    /// Computes them, with ranks by score. The same games, in whatever order, give the same standings;
    /// the seed decides what the resamples draw.
    pub fn new(
        game: &str,
        seat_names: &[String],
        kind: SeatKind,
        entrants: &[Entrant],
        games: &[PlayedGame],
        seed: u64,
    ) -> Standings {
        gather::standings(game, seat_names, kind, entrants, games, seed, None)
    }

    /// Computes them, with ranks from the competition's own table: `places` has the place of each
    /// entrant, `None` for those that have none.
    pub fn with_places(
        game: &str,
        seat_names: &[String],
        kind: SeatKind,
        entrants: &[Entrant],
        games: &[PlayedGame],
        seed: u64,
        (ranked_by, places): (RankedBy, &[Option<usize>]),
    ) -> Standings {
        let table = Some((ranked_by, places));
        gather::standings(game, seat_names, kind, entrants, games, seed, table)
    }

    /// Tables of plain text, no line longer than 120 characters unless there are very many seats.
    pub fn to_table(&self) -> String {
        table::write(self)
    }

    /// Comma-separated values, a row for each bot, for a grade book.
    pub fn to_csv(&self) -> String {
        csv::write(self)
    }

    /// All of it.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Markdown, for a report.
    pub fn to_markdown(&self) -> String {
        markdown::write(self)
    }

    /// One self-contained page, with plain texts above and below the tables, where they are not empty.
    pub fn to_html(&self, above: &str, below: &str) -> String {
        html::write(self, above, below)
    }
}

impl BotStanding {
    /// All faults together.
    pub fn fault_count(&self) -> u64 {
        self.faults.values().map(|&count| u64::from(count)).sum()
    }
}

impl From<&Score> for ScoreSummary {
    fn from(score: &Score) -> ScoreSummary {
        ScoreSummary {
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            share: score.share(),
            interval: score.interval(),
        }
    }
}

fn name(text: &str) -> String {
    printable(text, NAME)
}
