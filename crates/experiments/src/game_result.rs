//! One game of an experiment, as far as its figures need it: a line of the file of results. It can
//! be read back, so that an experiment that was broken off goes on where it was.

use super::definition::Published;
use super::row_plan::RowMatch;
use super::start_class::start_class;
use botyard_engine::Scores;
use botyard_league::scale::{Part, Scale};
use botyard_protocol::OutcomeKind;
use botyard_runner::{PlayedGame, Searches};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a game went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// The label of its row.
    pub row: String,
    /// Its number in the row, from 1. Games of the same number begin alike in all rows that are
    /// played on the same board.
    pub number: u32,
    /// Whether it was played to its end.
    pub kind: OutcomeKind,
    /// Why it ended.
    pub reason: String,
    /// The bot of each seat, by the seat's name, as the row has it.
    #[serde(default)]
    pub bots: BTreeMap<String, String>,
    /// The points of each seat, by name; empty where it was void.
    pub points: BTreeMap<String, f64>,
    /// The points that a seat can have, where they are not shares of one point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Scores>,
    /// How many moves the first seat made: the round in which the game ended.
    pub rounds: u32,
    /// The class of the start (`Game::start_class`): on the grids of Scotland Yard how many detectives
    /// started at an even distance from Mr. X.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub even: Option<u8>,
    /// The searches of each seat's bot, by the seat's name.
    pub searches: BTreeMap<String, Searches>,
    /// The first fault of a bot, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl GameResult {
    /// What there is to keep of a game that was played in this row.
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

    /// The seats that a figure is about.
    pub fn seats_of<'a>(&'a self, published: &'a Published) -> Vec<&'a str> {
        match &published.bot {
            Some(bot) => {
                let held = self.bots.iter().filter(|(_, holder)| *holder == bot);
                let seats = held.map(|(seat, _)| seat.as_str());
                seats.filter(|&held| published.seat.as_deref().is_none_or(|s| s == held)).collect()
            }
            None => published.seat.as_deref().into_iter().collect(),
        }
    }

    /// What a seat has from the game; nothing where it has no such seat or was void.
    pub fn part(&self, seat: &str) -> Part {
        let scale = self.range.map_or(Scale::POINT, Scale::new);
        let points: Vec<f64> = self.points.values().copied().collect();
        // Places are those of the points.
        let ahead = |of: f64| points.iter().filter(|&&points| points > of).count() as u32;
        let places: Vec<u32> = points.iter().map(|&points| ahead(points) + 1).collect();
        let place = self.points.keys().position(|name| name == seat);
        place
            .and_then(|place| scale.part(&points, &places, place))
            .unwrap_or_else(|| Part::of_share(0.0))
    }

    /// Whether the bots decided it by their play: only such games count.
    pub fn counts(&self) -> bool {
        self.kind == OutcomeKind::Completed
    }
}
