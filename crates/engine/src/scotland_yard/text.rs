//! States and actions as plain text, with all hidden information.

use super::ScotlandYard;
use super::action::Action;
use super::board::{Grid, Shape};
use super::position::Stage;
use super::rules::LimitUnit;
use super::state::State;
use super::station::Station;
use super::station_set::StationSet;
use crate::game::Game;
use std::fmt::Write;

/// The widest grid, in cells, that is drawn; a wider one would not fit a terminal.
const WIDEST_DRAWN: u16 = 38;
/// The most candidates that are listed; more are only counted.
const MOST_LISTED: usize = 40;

/// Formats a state in a few lines.
pub(super) fn state(game: &ScotlandYard, state: &State) -> String {
    let position = state.position();
    let rules = game.rules();
    let purse = position.purse();
    let candidates = game.candidates(state);
    let mut text = String::new();
    let limit = match rules.limit_unit {
        LimitUnit::Rounds => format!("round {} of {}", position.round(), rules.limit),
        LimitUnit::XMoves => format!(
            "round {}, {} of Mr. X's {} moves made",
            position.round(),
            position.x_moves(),
            rules.limit
        ),
    };
    let stage = match position.stage() {
        Stage::MrX => "Mr. X to move".to_string(),
        Stage::SecondLeg => "Mr. X to make the second step of a double move".to_string(),
        Stage::Detectives => "the detectives to move".to_string(),
        Stage::Over(end) => format!("over: {}", end.reason()),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{limit}; {stage}");
    let _ = writeln!(
        text,
        "  Mr. X        at {:>3}  tickets {}, black {}, double {}",
        position.mr_x(),
        purse.tickets,
        purse.black,
        purse.double
    );
    for detective in position.all_detectives() {
        let place = match position.pawns().get(detective) {
            Some(station) => format!("at {station:>3}"),
            None => "is out ".to_string(),
        };
        let _ = writeln!(
            text,
            "  detective {detective}  {place}  tickets {}",
            position.tickets_of(detective)
        );
    }
    if !state.log().is_empty() {
        let _ = writeln!(text, "  log: {}", log(game, state));
    }
    let _ = writeln!(text, "  {}", possible(candidates.set()));
    if let Shape::Grid(grid, _) = game.board().shape()
        && grid.width() <= WIDEST_DRAWN
    {
        text.push_str(&drawing(grid, state, candidates.set()));
    }
    text
}

fn log(game: &ScotlandYard, state: &State) -> String {
    let entries = (1..).zip(state.log()).map(|(number, entry)| {
        if game.arena().reveals(number) {
            format!("{} [{}]", entry.ticket, entry.station)
        } else {
            entry.ticket.to_string()
        }
    });
    entries.collect::<Vec<_>>().join(", ")
}

fn possible(candidates: &StationSet) -> String {
    let listed: Vec<String> = candidates.iter().map(|station| station.to_string()).collect();
    match listed.len() {
        1 => format!("Mr. X can only be at {}", listed[0]),
        count if count <= MOST_LISTED => {
            format!("Mr. X can be at {count} stations: {}", listed.join(" "))
        }
        count => format!("Mr. X can be at {count} stations"),
    }
}

/// Draws the cells row by row: X, the detectives' numbers, and dots where Mr. X can be.
fn drawing(grid: Grid, state: &State, candidates: &StationSet) -> String {
    let position = state.position();
    let mut text = String::new();
    for row in 0..grid.height() {
        text.push_str("  ");
        for column in 0..grid.width() {
            let cell = Station::from_index(usize::from(row * grid.width() + column));
            text.push(' ');
            match position.pawns().who(cell) {
                Some(detective) => text.push_str(&detective.to_string()),
                None if position.mr_x() == cell => text.push('X'),
                None if candidates.contains(cell) => text.push('.'),
                None => text.push('-'),
            }
        }
        text.push('\n');
    }
    text
}

/// Formats an action, with what it meets.
pub(super) fn action(game: &ScotlandYard, before: &State, action: Action) -> String {
    let mut text = own_action(game, before, action);
    if let Action::Detective { to, .. } = action
        && to == before.position().mr_x()
    {
        text.push_str(", and catches Mr. X");
    }
    text
}

/// Formats an action from what the seat knows that plays it.
pub(super) fn own_action(game: &ScotlandYard, before: &State, action: Action) -> String {
    match action {
        Action::MrX { ticket, to, double } => {
            let leg = match (double, before.position().stage()) {
                (true, _) => ", first step of a double move",
                (false, Stage::SecondLeg) => ", second step of a double move",
                (false, _) => "",
            };
            let shown = if game.arena().reveals(before.position().x_moves() + 1) {
                "; he shows himself"
            } else {
                ""
            };
            format!("Mr. X: {ticket} to {to}{leg}{shown}")
        }
        Action::Detective { detective, ticket, to } => {
            format!("detective {detective}: {ticket} to {to}")
        }
    }
}
