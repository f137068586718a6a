//! The face of draughts: the board from the person's side, moves in the notation of the game.

use crate::face::{Chosen, GameFace, Happened, SeenAction, Sight};
use crate::terminal::{Ink, Tone};
use botyard_engine::draughts::{
    Colour, Draughts, Move, MoveText, Movement, Piece, Position, Setup, Square, Unresolved,
};
use std::fmt::Write;

/// The face of draughts.
#[derive(Clone, Debug)]
pub(crate) struct DraughtsFace {
    movement: Movement,
}

impl DraughtsFace {
    fn find(&self, line: &str, legal: &[Move], position: &Position) -> Result<Move, String> {
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
                listed(legal)
            ));
        }
        // Spaces serve as hyphens: `11 15`.
        let words: Vec<&str> = line.split_whitespace().collect();
        let all_squares = words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let joined = words.join(if all_squares { "-" } else { "" });
        let text: MoveText =
            joined.parse().map_err(|error| format!("{error}; {}", listed(legal)))?;
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

/// Returns the last move.
fn last_move(sight: &Sight<Draughts>) -> Option<Move> {
    match sight.past.last()? {
        Happened::Moved { action, .. } => Some(*action.whole()),
        Happened::Drawn(_) => None,
    }
}

/// Draws what is on a square.
fn piece(piece: Option<Piece>, own: Colour, ink: Ink) -> String {
    let Some(piece) = piece else { return ink.paint(Tone::Dim, '.') };
    let letter = piece.colour.letter();
    let letter = if piece.is_king { letter } else { letter.to_ascii_lowercase() };
    ink.paint(if piece.colour == own { Tone::Bold } else { Tone::Red }, letter)
}

impl GameFace for DraughtsFace {
    type Game = Draughts;

    fn new(game: Draughts, _: Setup) -> DraughtsFace {
        DraughtsFace { movement: game.movement() }
    }

    fn position(&self, sight: &Sight<Draughts>, ink: Ink) -> Option<String> {
        let view = &sight.view;
        let position = view.position().ok()?;
        let own = if sight.seat == "black" { Colour::Black } else { Colour::White };
        let last = last_move(sight);
        let visited = last.map(Move::path).unwrap_or_default();
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
        Some(text)
    }

    fn words(&self, seat: &str, action: &SeenAction<Draughts>) -> String {
        format!("{seat}: {}", action.whole())
    }

    fn choices(&self, sight: &Sight<Draughts>) -> String {
        let moves: Vec<String> = sight.legal.iter().map(Move::to_string).collect();
        format!("  {}\n", moves.join("  "))
    }

    fn completions(&self, sight: &Sight<Draughts>) -> Vec<Vec<String>> {
        vec![sight.legal.iter().map(Move::to_string).collect()]
    }

    fn read(&self, line: &str, sight: &Sight<Draughts>) -> Result<Chosen<Move>, String> {
        let position = sight.view.position().map_err(|error| error.to_string())?;
        self.find(line, &sight.legal, &position).map(Chosen::only)
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
    use crate::face::Seen;
    use serde_json::json;

    fn sight(fen: &str, seat: &str) -> Sight<Draughts> {
        let position: Position = fen.parse().unwrap();
        let board: String = Square::all()
            .map(|square| match position.piece(square) {
                None => '.',
                Some(piece) if piece.is_king => piece.colour.letter(),
                Some(piece) => piece.colour.letter().to_ascii_lowercase(),
            })
            .collect();
        let view = json!({
            "to_move": position.turn(), "fen": fen, "board": board, "ply": 0, "quiet_plies": 0,
            "quiet_moves": [], "repetitions": 1
        });
        Sight {
            seat: seat.into(),
            view: serde_json::from_value(view).unwrap(),
            legal: position.moves(Movement::ENGLISH).iter().copied().collect(),
            past: Vec::new(),
        }
    }

    const FACE: DraughtsFace = DraughtsFace { movement: Movement::ENGLISH };

    #[test]
    fn moves_are_read_as_people_write_them() {
        let plain = sight("W:W22,32:B1", "white");
        let capture = sight("W:W22:B11,18", "white");
        for (sight, line, expected) in [
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
            let chosen = FACE.read(line, sight).unwrap();
            assert_eq!(chosen.action.to_string(), expected, "{line}");
        }
    }

    #[test]
    fn what_is_no_move_is_answered_by_the_legal_ones() {
        let sight = sight("W:W22,32:B1", "white");
        for line in ["e4", "22-26", "33", "22", "", "22-", "18-22", "22x18x"] {
            let error = FACE.read(line, &sight).unwrap_err();
            assert!(error.contains("22-18") || error.contains("from 1 to 32"), "{line}: {error}");
        }
    }

    #[test]
    fn the_board_has_the_own_side_at_the_bottom() {
        let shown = |seat| FACE.position(&sight("W:W32:BK1", seat), Ink::plain()).unwrap();
        let (white, black) = (shown("white"), shown("black"));
        let last_row = |text: &str| text.lines().nth(7).unwrap().to_string();
        assert!(last_row(&white).contains('w') && !last_row(&white).contains('B'), "{white}");
        assert!(last_row(&black).contains('B') && !last_row(&black).contains('w'), "{black}");
    }

    #[test]
    fn every_square_has_its_number_and_the_last_move_is_marked() {
        let mut sight = sight("W:W18,22:B1", "white");
        let shown = FACE.position(&sight, Ink::plain()).unwrap();
        for square in Square::all() {
            let piece = match square.number() {
                18 | 22 => 'w',
                1 => 'b',
                _ => '.',
            };
            assert!(shown.contains(&format!("{square}{piece}")), "{square}: {shown}");
        }
        assert!(!shown.contains('<'), "{shown}");
        let action = Seen::Whole("6-1".parse().unwrap());
        sight.past.push(Happened::Moved { seat: "black".into(), action });
        let shown = FACE.position(&sight, Ink::plain()).unwrap();
        assert!(shown.contains(" 1b<") && shown.contains(" 6.<"), "{shown}");
        assert!(
            shown.contains("< the last move, 6-1") && shown.matches('<').count() == 3,
            "{shown}"
        );
        assert!(shown.lines().all(|line| line.len() < 80), "{shown}");
    }

    #[test]
    fn the_final_position_is_drawn_from_the_own_side() {
        let mut sight = sight("W:W32:BK1", "black");
        sight.legal.clear();
        let shown = FACE.final_position(&sight, &[], Ink::plain()).unwrap();
        assert!(shown.lines().nth(7).unwrap().contains("1B"), "{shown}");
    }
}
