//! The result of one game of an experiment, as needed for its figures: a line of the results file.
//! It can be read back to resume an interrupted experiment.

use super::definition::Published;
use super::row_plan::RowMatch;
use super::start_class::start_class;
use botyard_engine::Scores;
use botyard_league::scale::{Part, Scale};
use botyard_protocol::OutcomeKind;
use botyard_runner::{PlayedGame, Searches};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// The label of its row.
    pub row: String,
    /// Its number in the row, from 1. Games of the same number have the same start in all rows on
    /// the same board.
    pub number: u32,
    /// Whether the game was completed.
    pub kind: OutcomeKind,
    /// Why it ended.
    pub reason: String,
    /// The bot of each seat, by seat name, as written in the row.
    #[serde(default)]
    pub bots: BTreeMap<String, String>,
    /// The points of each seat, by seat name. Empty if the game was void.
    pub points: BTreeMap<String, f64>,
    /// The possible points of a seat, if they are not shares of one point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Scores>,
    /// The number of moves of the first seat: the round in which the game ended.
    pub rounds: u32,
    /// The class of the start (`Game::start_class`): on the grids of Scotland Yard, how many
    /// detectives started at an even distance from Mr. X.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub even: Option<u8>,
    /// The searches of each seat's bot, by seat name.
    pub searches: BTreeMap<String, Searches>,
    /// The first fault of a bot, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl GameResult {
    /// Returns the result of a game played in this row.
    pub fn new(row: &str, of: RowMatch<'_>, played: &PlayedGame) -> GameResult {
        let (plan, report) = (of.plan(), &played.report);
        let named = |name: &String| name.clone();
        let holders = played.game.seats.iter().map(|&bot| of.line_up()[bot].clone());
        GameResult {
            row: row.to_string(),
            number: of.number_in_row(played.game.number),
            bots: plan.seats.iter().map(named).zip(holders).collect(),
            kind: report.outcome.kind,
            reason: report.outcome.reason.clone(),
            points: plan.seats.iter().map(named).zip(report.outcome.scores.clone()).collect(),
            range: plan.scale.range(),
            rounds: report.seats.first().map_or(0, |seat| seat.decisions),
            even: start_class(&plan.tables, &played.game),
            searches: plan.seats.iter().map(named).zip(played.searches.clone()).collect(),
            fault: report
                .faults
                .first()
                .map(|fault| botyard_runner::words::fault_in_words(fault, true)),
        }
    }

    /// Returns the seats that a figure describes: all, if it names neither a seat nor a bot.
    pub fn seats_of<'a>(&'a self, published: &'a Published) -> Vec<&'a str> {
        match &published.bot {
            Some(bot) => {
                let held = self.bots.iter().filter(|(_, holder)| *holder == bot);
                let seats = held.map(|(seat, _)| seat.as_str());
                seats.filter(|&held| published.seat.as_deref().is_none_or(|s| s == held)).collect()
            }
            None if published.seat.is_none() => self.bots.keys().map(String::as_str).collect(),
            None => published.seat.as_deref().into_iter().collect(),
        }
    }

    /// Returns the share of a seat, or nothing if there is no such seat or the game was void.
    pub fn part(&self, seat: &str) -> Part {
        let scale = self.range.map_or(Scale::POINT, Scale::new);
        let points: Vec<f64> = self.points.values().copied().collect();
        // Places follow from the points.
        let ahead = |of: f64| points.iter().filter(|&&points| points > of).count() as u32;
        let places: Vec<u32> = points.iter().map(|&points| ahead(points) + 1).collect();
        let place = self.points.keys().position(|name| name == seat);
        place
            .and_then(|place| scale.part(&points, &places, place))
            .unwrap_or_else(|| Part::of_share(0.0))
    }

    /// Returns whether the game counts: the bots decided it by their play.
    pub fn counts(&self) -> bool {
        self.kind == OutcomeKind::Completed
    }
}
