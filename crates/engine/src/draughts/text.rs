//! States and moves as plain text.

use super::game::Draughts;
use super::moves::Move;
use super::square::Square;
use super::state::State;
use super::view::letter;
use crate::game::Game;
use std::fmt::Write;

/// Formats the board with White at the bottom, with the numbers of each row's squares beside it.
pub(super) fn state(game: &Draughts, state: &State) -> String {
    let position = state.position();
    let turn = match game.end(state) {
        Some(end) => format!("over: {}", end.reason()),
        None => format!("{} to move", position.turn().name()),
    };
    let plies = if state.ply() == 1 { "ply" } else { "plies" };
    let mut text = format!("after {} {plies}; {turn}\n", state.ply());
    for row in 0..8 {
        text.push_str("  ");
        for column in 0..8 {
            text.push(' ');
            text.push(Square::at(row, column).map_or(' ', |square| letter(position.piece(square))));
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "   {:>2}-{}", 4 * row + 1, 4 * row + 4);
    }
    let rules = game.rules();
    let mut counts = vec![format!("b, w men; B, W kings; {position}")];
    if state.quiet_plies() > 0 && rules.draw_quiet_plies > 0 {
        counts.push(format!(
            "{} of {} plies without a capture or a man's move",
            state.quiet_plies(),
            rules.draw_quiet_plies
        ));
    }
    if state.repetitions() > 1 {
        counts.push(format!("this position for the {} time", ordinal(state.repetitions())));
    }
    for line in counts {
        let _ = writeln!(text, "  {line}");
    }
    text
}

fn ordinal(number: u16) -> String {
    let ending = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Formats a move.
pub(super) fn action(before: &State, mv: Move) -> String {
    let position = before.position();
    let mut text = format!("{}: {mv}", position.turn().name());
    let was_man = position.piece(mv.from()).is_some_and(|piece| !piece.is_king);
    let is_king = position.make(mv).piece(mv.to()).is_some_and(|piece| piece.is_king);
    if was_man && is_king {
        text.push_str(", crowned");
    }
    text
}
