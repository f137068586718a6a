//! The face of draughts: the board from the person's side, moves in the notation of the game.

use crate::face::{Chosen, Face, GameFace, Question};
use crate::terminal::{Ink, Tone};
use botyard_engine::draughts::{
    Colour, Draughts, Move, MoveText, Movement, Position, Rules, Square, Unresolved, View,
};
use botyard_protocol::Start;
use serde_json::Value;
use std::fmt::Write;

/// The face of draughts.
#[derive(Clone, Debug)]
pub struct DraughtsFace {
    movement: Movement,
}

impl GameFace for DraughtsFace {
    type Game = Draughts;

    fn new(start: &Start) -> Option<DraughtsFace> {
        let rules: Rules = serde_json::from_value(start.rules.clone()).ok()?;
        Some(DraughtsFace { movement: rules.movement() })
    }
}

impl DraughtsFace {
    fn find(&self, line: &str, position: &Position) -> Result<Move, String> {
        let legal = position.moves(self.movement);
        // A single square is the end of a move, or the start if only one move is possible.
        if let Ok(square) = line.parse::<u8>() {
            let square = Square::new(square).ok_or("expected a square from 1 to 32")?;
            for end in [Move::to, Move::from] {
                let mut fitting = legal.iter().copied().filter(|&mv| end(mv) == square);
                if let (Some(single), None) = (fitting.next(), fitting.next()) {
                    return Ok(single);
                }
            }
            return Err(format!(
                "{square} is not the square of exactly one move; {}",
                listed(&legal)
            ));
        }
        // Spaces serve as hyphens: `11 15`.
        let words: Vec<&str> = line.split_whitespace().collect();
        let all_squares = words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let joined = words.join(if all_squares { "-" } else { "" });
        let text: MoveText =
            joined.parse().map_err(|error| format!("{error}; {}", listed(&legal)))?;
        text.find(position, self.movement).map_err(|error| match error {
            Unresolved::Illegal { text, legal, .. } => {
                format!("{text} is not legal; {}", listed(&legal))
            }
            Unresolved::Ambiguous { text, fitting, .. } => {
                format!("{text} may be one of several moves; {}", listed(&fitting))
            }
        })
    }
}

fn listed(legal: &[Move]) -> String {
    let moves: Vec<String> = legal.iter().map(Move::to_string).collect();
    format!("legal moves: {}", moves.join(", "))
}

fn view(question: &Question) -> Option<(View, Position)> {
    let view: View = serde_json::from_value(question.view.clone()).ok()?;
    let position = view.position().ok()?;
    Some((view, position))
}

impl Face for DraughtsFace {
    fn position(&self, question: &Question, ink: Ink) -> String {
        let Some((view, position)) = view(question) else { return String::new() };
        let own = if question.seat == "black" { Colour::Black } else { Colour::White };
        let mut text = String::new();
        for row in 0..8 {
            text.push_str("   ");
            for column in 0..8 {
                // Black's side sees the board rotated.
                let (row, column) = match own {
                    Colour::White => (row, column),
                    Colour::Black => (7 - row, 7 - column),
                };
                let cell = match Square::at(row, column) {
                    None => "   ".to_string(),
                    Some(square) => match position.piece(square) {
                        None => ink.paint(Tone::Dim, format_args!("{square:>3}")),
                        Some(piece) => {
                            let letter = piece.colour.letter();
                            let letter = match piece.is_king {
                                true => letter,
                                false => letter.to_ascii_lowercase(),
                            };
                            let tone = if piece.colour == own { Tone::Bold } else { Tone::Red };
                            ink.paint(tone, format_args!("{letter:>3}"))
                        }
                    },
                };
                text.push_str(&cell);
            }
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  you are {}; b, w men; B, W kings; numbers are empty squares",
            own.name()
        );
        if view.quiet_plies > 0 {
            let _ =
                writeln!(text, "  {} plies without a capture or a man's move", view.quiet_plies);
        }
        if view.repetitions > 1 {
            let _ = writeln!(text, "  this position has occurred {} times", view.repetitions);
        }
        text
    }

    fn words(&self, seat: &str, told: &Value) -> String {
        format!("{seat}: {}", told.as_str().unwrap_or_default())
    }

    fn choices(&self, question: &Question) -> String {
        let moves: Vec<&str> = question.legal.iter().filter_map(Value::as_str).collect();
        format!("  {}\n", moves.join("  "))
    }

    fn read(&self, line: &str, question: &Question) -> Result<Chosen, String> {
        let Some((_, position)) = view(question) else {
            return Err("the position cannot be read".into());
        };
        let mv = Value::String(self.find(line, &position)?.to_string());
        match question.legal.contains(&mv) {
            true => Ok(Chosen::only(mv)),
            false => Err(format!("{mv} is not legal; legal moves:\n{}", self.choices(question))),
        }
    }

    fn help(&self) -> String {
        "  A move is the squares that a piece visits: 11-15, or 22x15x8 for a capture of two. Shorter\n  \
         forms work if they can mean one move only: 22x8, 11 15, or 15 for the only move to 15.\n"
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn question(fen: &str, seat: &str) -> Question {
        let position: Position = fen.parse().unwrap();
        let board: String = Square::all()
            .map(|square| match position.piece(square) {
                None => '.',
                Some(piece) if piece.is_king => piece.colour.letter(),
                Some(piece) => piece.colour.letter().to_ascii_lowercase(),
            })
            .collect();
        let legal = position.moves(Movement::ENGLISH);
        Question {
            turn: 1,
            seat: seat.into(),
            view: json!({
                "to_move": position.turn(), "fen": fen, "board": board, "ply": 0, "quiet_plies": 0,
                "quiet_moves": [], "repetitions": 1
            }),
            legal: legal.iter().map(|mv| json!(mv.to_string())).collect(),
        }
    }

    const FACE: DraughtsFace = DraughtsFace { movement: Movement::ENGLISH };

    #[test]
    fn moves_are_read_as_people_write_them() {
        let plain = question("W:W22,32:B1", "white");
        let capture = question("W:W22:B11,18", "white");
        for (question, line, expected) in [
            (&plain, "22-18", "22-18"),
            (&plain, "22 18", "22-18"),
            (&plain, " 22 - 18 ", "22-18"),
            (&plain, "17", "22-17"),
            (&plain, "28", "32-28"),
            (&capture, "22x15x8", "22x15x8"),
            (&capture, "22x8", "22x15x8"),
            (&capture, "22 8", "22x15x8"),
            (&capture, "22", "22x15x8"),
        ] {
            let chosen = FACE.read(line, question);
            assert_eq!(chosen, Ok(Chosen::only(json!(expected))), "{line}");
        }
    }

    #[test]
    fn what_is_no_move_is_answered_by_the_legal_ones() {
        let question = question("W:W22,32:B1", "white");
        for line in ["e4", "22-26", "33", "22", "", "22-", "18-22", "22x18x"] {
            let error = FACE.read(line, &question).unwrap_err();
            assert!(error.contains("22-18") || error.contains("from 1 to 32"), "{line}: {error}");
        }
    }

    #[test]
    fn the_board_has_the_own_side_at_the_bottom() {
        let shown = |seat| FACE.position(&question("W:W32:BK1", seat), Ink::plain());
        let (white, black) = (shown("white"), shown("black"));
        let last_row = |text: &str| text.lines().nth(7).unwrap().to_string();
        assert!(last_row(&white).contains('w') && !last_row(&white).contains('B'), "{white}");
        assert!(last_row(&black).contains('B') && !last_row(&black).contains('w'), "{black}");
    }
}
