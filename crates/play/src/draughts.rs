//! The face of draughts: the board from the person's side, moves in the notation of the game.

use crate::face::{Chosen, Face, GameFace, Happened, Question};
use crate::terminal::{Ink, Tone};
use botyard_engine::draughts::{
    Colour, Draughts, Move, MoveText, Movement, Piece, Position, Rules, Square, Unresolved, View,
};
use botyard_protocol::Start;
use serde_json::Value;
use std::fmt::Write;

/// The face of draughts.
#[derive(Clone, Debug)]
pub(crate) struct DraughtsFace {
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

/// Returns the squares that the last move visited.
fn last_move(question: &Question) -> Option<MoveText> {
    let Happened::Moved { seen_by_seat, .. } = question.past.last()? else { return None };
    seen_by_seat.as_str()?.parse().ok()
}

fn view(question: &Question) -> Option<(View, Position)> {
    let view: View = serde_json::from_value(question.view.clone()).ok()?;
    let position = view.position().ok()?;
    Some((view, position))
}

/// Draws what is on a square.
fn piece(piece: Option<Piece>, own: Colour, ink: Ink) -> String {
    let Some(piece) = piece else { return ink.paint(Tone::Dim, '.') };
    let letter = piece.colour.letter();
    let letter = if piece.is_king { letter } else { letter.to_ascii_lowercase() };
    ink.paint(if piece.colour == own { Tone::Bold } else { Tone::Red }, letter)
}

impl Face for DraughtsFace {
    fn position(&self, question: &Question, ink: Ink) -> String {
        let Some((view, position)) = view(question) else { return String::new() };
        let own = if question.seat == "black" { Colour::Black } else { Colour::White };
        let last = last_move(question);
        let visited = last.as_ref().map_or(&[][..], |last| last.squares());
        let mut text = String::new();
        for row in 0..8 {
            text.push(' ');
            for column in 0..8 {
                // Black's side sees the board rotated.
                let (row, column) = match own {
                    Colour::White => (row, column),
                    Colour::Black => (7 - row, 7 - column),
                };
                match Square::at(row, column) {
                    None => text.push_str("     "),
                    Some(square) => {
                        text.push_str(&ink.paint(Tone::Dim, format_args!("{square:>3}")));
                        text.push_str(&piece(position.piece(square), own, ink));
                        let is_visited = visited.contains(&square);
                        text.push_str(&if is_visited {
                            ink.paint(Tone::Yellow, '<')
                        } else {
                            " ".into()
                        });
                    }
                }
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  you are {}; b, w men; B, W kings", own.name());
        if let Some(last) = last {
            let _ = writeln!(text, "  < the last move, {last}");
        }
        if view.quiet_plies > 0 {
            let _ =
                writeln!(text, "  {} plies without a capture or a man's move", view.quiet_plies);
        }
        if view.repetitions > 1 {
            let _ = writeln!(text, "  this position has occurred {} times", view.repetitions);
        }
        text
    }

    fn final_position(&self, question: &Question, _views: &[Value], ink: Ink) -> Option<String> {
        Some(self.position(question, ink)).filter(|drawn| !drawn.is_empty())
    }

    fn words(&self, seat: &str, seen_by_seat: &Value) -> String {
        format!("{seat}: {}", seen_by_seat.as_str().unwrap_or_default())
    }

    fn choices(&self, question: &Question) -> String {
        let moves: Vec<&str> = question.legal.iter().filter_map(Value::as_str).collect();
        format!("  {}\n", moves.join("  "))
    }

    fn completions(&self, question: &Question) -> Vec<Vec<String>> {
        vec![question.legal.iter().filter_map(Value::as_str).map(String::from).collect()]
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
            past: Vec::new(),
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

    #[test]
    fn every_square_has_its_number_and_the_last_move_is_marked() {
        let mut question = question("W:W18,22:B1", "white");
        let shown = FACE.position(&question, Ink::plain());
        for square in Square::all() {
            let piece = match square.number() {
                18 | 22 => 'w',
                1 => 'b',
                _ => '.',
            };
            assert!(shown.contains(&format!("{square}{piece}")), "{square}: {shown}");
        }
        assert!(!shown.contains('<'), "{shown}");
        question.past.push(Happened::Moved { seat: "black".into(), seen_by_seat: json!("6-1") });
        let shown = FACE.position(&question, Ink::plain());
        assert!(shown.contains(" 1b<") && shown.contains(" 6.<"), "{shown}");
        assert!(
            shown.contains("< the last move, 6-1") && shown.matches('<').count() == 3,
            "{shown}"
        );
        assert!(shown.lines().all(|line| line.len() < 80), "{shown}");
    }

    #[test]
    fn the_final_position_is_drawn_from_the_own_side() {
        let mut question = question("W:W32:BK1", "black");
        question.legal.clear();
        let shown = FACE.final_position(&question, &[], Ink::plain()).unwrap();
        assert!(shown.lines().nth(7).unwrap().contains("1B"), "{shown}");
    }
}
