//! The standings of a tournament: its results per bot, in one value that is written as a table for
//! a terminal, CSV for a grade book, JSON for programs, Markdown, or one HTML page.
//!
//! Names are untrusted. They are made [`printable`] and truncated to [`NAME`] characters here,
//! once; each format escapes its own syntax where it is written.

mod csv;
mod gather;
mod history;
mod html;
mod html_pieces;
mod markdown;
mod ranks;
mod shared_tables;
mod table;
pub mod words;

use crate::played_game::{Entrant, GameKind, PlayedGame};
use crate::score::{Interval, Score};
use crate::statistics::{Estimate, Model};
use botyard_engine::Scores;
use botyard_protocol::{FaultKind, printable};
use gather::Criterion;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

pub use history::{RatingPoint, SharePoint, rating_histories, share_histories};

/// The maximum length of a name, in characters.
pub const NAME: usize = 60;

/// The standings. Ratings are Elo points: a difference of 400 means odds of 10 to 1, and 0 is the
/// mean of the bots that played. All intervals are 95% confidence intervals.
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
    /// Void games, because the host failed.
    pub void: u64,
    /// Games with an unreadable result: a bot that does not take part, or invalid points.
    pub unreadable: u64,
    /// Blocks with a game that counts.
    pub blocks: u64,
    /// The number of bootstrap resamples for the intervals.
    pub resamples: usize,
    /// Whether all bots that played can be compared with each other, at least through others.
    pub connected: bool,
    /// The criterion of the rank.
    pub ranked_by: RankedBy,
    /// The game's scoring of points and places, in a sentence or two; empty if unknown.
    pub scoring: String,
    /// The clocks of the bots in words, if they differ; empty otherwise.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub times: String,
    /// The bots by rank, those without a rank last.
    pub bots: Vec<BotStanding>,
    /// The score of each bot, in this order, against each other one: its points in games of two
    /// seats; in games of more, 1 if it finished ahead of the other and a half for a shared place.
    pub head_to_head: Vec<Vec<ScoreSummary>>,
    /// Each bot that played compared with the next one in this order.
    pub neighbours: Vec<Neighbours>,
    /// The advantage of the first role in a game of two seats, in Elo points.
    pub role_advantage: Option<Estimate>,
    /// The advantage of each seat in a game of more seats, in Elo points; their mean is 0.
    pub seat_terms: Option<Vec<Estimate>>,
    /// The smallest edge over an even share of the points that the games of the bot with the fewest
    /// can detect: 80% power, 5% two-sided error.
    pub edge_shown: Option<f64>,
    /// The points that a seat can have, if they are not shares of one point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Scores>,
    /// Some games with their replays.
    pub replays: Vec<ReplayLink>,
}

/// The criterion of the rank of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RankedBy {
    /// The share of the points; see `docs/standings.md` for ties.
    Score,
    /// The rating; bots that are not separated share the rank. See [`Standings::by_rating`].
    Rating,
    /// The table of a Swiss tournament, with its tie-breaks.
    Swiss,
    /// The round reached in a knockout.
    Knockout,
}

/// The results of a bot.
#[derive(Clone, Debug, Serialize)]
pub struct BotStanding {
    /// Its index among the bots of the tournament.
    pub entrant: usize,
    /// Its name, escaped for display.
    pub name: String,
    /// Its team, likewise; empty if there is none.
    pub team: String,
    /// The ID of its author in a grade book, likewise; empty if there is none. It is in CSV and JSON
    /// only, because the other forms are published.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub student_id: String,
    /// Its version, likewise.
    pub version: String,
    /// SHA-256 of its program, likewise.
    pub sha256: String,
    /// Whether it passed the checks before the tournament.
    pub gate_passed: Option<bool>,
    /// Why it did not pass, for its author, in lines; empty if it passed or the reason is unknown. It
    /// has output of the bot, so it is untrusted. JSON has it with the rejected bots.
    #[serde(skip)]
    pub gate_reason: String,
    /// Its place in the competition, from 1; ties share one. See [`Standings::ranked_by`]. `None`
    /// for a bot that never played.
    pub rank: Option<usize>,
    /// Its place by rating, from 1; ties share one. `None` without a rating.
    pub rating_rank: Option<usize>,
    /// The best place by strength that the data do not exclude, among the bots that played.
    pub rank_low: Option<usize>,
    /// The worst place by strength that the data do not exclude, among the bots that played.
    pub rank_high: Option<usize>,
    /// The groups of bots that the data do not separate to which it belongs, numbered from 1 by
    /// strength: each is a maximal run of bots, in the order of their ratings, of which no two are
    /// separated. Empty without a rating.
    pub groups: Vec<usize>,
    /// Its games, and its share of the points with Wilson's interval, treating games as
    /// independent.
    pub score: ScoreSummary,
    /// The interval of its share with the variance between whole blocks, in Wilson's form.
    pub block_interval: Option<Interval>,
    /// Its score in each seat.
    pub by_seat: Vec<ScoreSummary>,
    /// Its rating.
    pub rating: Option<Estimate>,
    /// Its rating in each role of a game of two.
    pub role_ratings: Option<[Estimate; 2]>,
    /// Its faults.
    pub faults: BTreeMap<FaultKind, u32>,
    /// Void games in which it took part.
    pub void: u64,
    /// The time it used.
    pub time: TimeUse,
}

/// Games and points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreSummary {
    /// The number of games.
    pub games: u64,
    /// Games with the whole point, or with the first place alone.
    pub wins: u64,
    /// Games with a part of it, or with the first place among others.
    pub draws: u64,
    /// Games with nothing, or with another place.
    pub losses: u64,
    /// The mean of the shares.
    pub share: Option<f64>,
    /// The mean of the game's own points, if they are not shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// Wilson's interval of the share.
    pub interval: Option<Interval>,
}

/// The time used by a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TimeUse {
    /// The number of decisions.
    pub decisions: u64,
    /// The mean wall-clock time per decision, in microseconds.
    pub mean_us: Option<f64>,
    /// The maximum, in microseconds.
    pub longest_us: u64,
    /// The total CPU time, in microseconds, if it was measured.
    pub cpu_us: Option<u64>,
    /// The total excused time, in microseconds.
    pub excused_us: u64,
    /// The most excused time of a decision, in microseconds.
    pub longest_excused_us: u64,
}

/// A bot and the next one in the standings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Neighbours {
    /// The positions in [`Standings::bots`] of the upper and the lower one.
    pub bots: [usize; 2],
    /// The Elo difference of the upper bot to the lower one, with an interval that is simultaneous
    /// for all pairs; negative if the lower one has the higher rating, `None` if they cannot be
    /// compared.
    pub difference: Option<Estimate>,
    /// The p-value: the probability that among equal bots some pair differs this much.
    pub p: Option<f64>,
    /// Whether the data separate them, in the direction of the difference.
    pub separated: bool,
}

/// A game with its replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayLink {
    /// Its block.
    pub block: u32,
    /// For each seat, the position in [`Standings::bots`] of the bot that held it.
    pub seats: Vec<usize>,
    /// The points of each seat; `None` for a void game.
    pub points: Option<Vec<f64>>,
    /// The seats that had a fault.
    pub faults: Vec<usize>,
    /// The file, relative to the tournament's directory.
    pub replay: String,
}

impl Standings {
    /// Returns whether time of a bot was excused.
    pub fn has_excused(&self) -> bool {
        self.bots.iter().any(|bot| bot.time.excused_us > 0)
    }

    /// Computes the standings, with ranks by score. They do not depend on the order of the games;
    /// the seed determines the resamples.
    pub fn new(
        game: &str,
        seat_names: &[String],
        kind: impl Into<GameKind>,
        entrants: &[Entrant],
        games: &[PlayedGame],
        seed: u64,
    ) -> Standings {
        gather::standings(game, seat_names, kind.into(), entrants, games, seed, Criterion::Score)
    }

    /// Computes the standings of bots that meet different opponents, with ranks by rating: in the
    /// order of the ratings, a bot shares the rank of the one before it if the games separate it from
    /// no bot of that rank. The ratings are shrunk towards the mean
    /// ([`Prior::Shrinking`](crate::statistics::Prior)).
    pub fn by_rating(
        game: &str,
        seat_names: &[String],
        kind: impl Into<GameKind>,
        entrants: &[Entrant],
        games: &[PlayedGame],
        seed: u64,
    ) -> Standings {
        gather::standings(game, seat_names, kind.into(), entrants, games, seed, Criterion::Rating)
    }

    /// Computes the standings, with ranks from the competition's own table: `places` has the place
    /// of each entrant, `None` if it has none.
    pub fn with_places(
        game: &str,
        seat_names: &[String],
        kind: impl Into<GameKind>,
        entrants: &[Entrant],
        games: &[PlayedGame],
        seed: u64,
        (ranked_by, places): (RankedBy, &[Option<usize>]),
    ) -> Standings {
        let table = Criterion::Table(ranked_by, places);
        gather::standings(game, seat_names, kind.into(), entrants, games, seed, table)
    }

    /// Returns tables of plain text, with lines of at most 120 characters unless there are very
    /// many seats.
    pub fn to_table(&self) -> String {
        table::write(self)
    }

    /// Returns comma-separated values, a row per bot, for a grade book.
    pub fn to_csv(&self) -> String {
        csv::write(self)
    }

    /// Returns everything as JSON.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Returns Markdown, for a report.
    pub fn to_markdown(&self) -> String {
        markdown::write(self)
    }

    /// Returns one self-contained page, with plain texts above and below the tables if they are not
    /// empty.
    pub fn to_html(&self, above: &str, below: &str) -> String {
        html::write(self, above, below)
    }
}

impl BotStanding {
    /// Returns the number of all faults.
    pub fn fault_count(&self) -> u64 {
        self.faults.values().map(|&count| u64::from(count)).sum()
    }

    /// Returns its groups as letters, as in compact letter displays: `a`, `b c`; empty without a
    /// rating.
    pub fn group_letters(&self) -> String {
        words::letters(&self.groups)
    }

    /// Returns whether the data separate it from every other bot that played.
    pub fn is_separated(&self) -> bool {
        self.rank_low.is_some() && self.rank_low == self.rank_high
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
            points: score.points(),
            interval: score.interval(),
        }
    }
}

fn name(text: &str) -> String {
    printable(text, NAME)
}
