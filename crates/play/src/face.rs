//! The face of a game: positions drawn from views, and moves as people type them. A face knows only
//! what the protocol sends to the person's seats, so it cannot reveal anything else.
//!
//! A game without its own face is played by numbers: see [`Plain`].

use crate::terminal::Ink;
use botyard_engine::Game;
use botyard_protocol::Start;
use serde_json::Value;
use std::fmt::Write;

/// A decision of the person, from the referee's `turn` message.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The number of the decision.
    pub turn: u32,
    /// The seat to move.
    pub seat: String,
    /// The view of the seat.
    pub view: Value,
    /// Every legal action.
    pub legal: Vec<Value>,
    /// The events of the game so far.
    pub past: Vec<Happened>,
}

/// An event of a game, as the person's seats observed it.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened {
    /// A seat has decided.
    Moved {
        /// The name of the seat.
        seat: String,
        /// The action.
        seen_by_seat: Value,
    },
    /// A chance event.
    Drawn {
        /// The event.
        seen_by_seat: Value,
    },
}

/// The meaning of a typed line.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// One of the legal actions.
    pub action: Value,
    /// Text to read as the line for the following decision.
    pub then: Option<String>,
}

impl Chosen {
    /// Returns a single action.
    pub fn only(action: Value) -> Chosen {
        Chosen { action, then: None }
    }
}

/// Shows a game to a person. Texts end with a newline unless they are a single line.
pub trait Face {
    /// Draws the position before a decision.
    fn position(&self, question: &Question, ink: Ink) -> String;

    /// Draws the position at the end of the game. `question` has the final view of one of the
    /// person's seats and no legal actions; `views` has those of all seats, in seat order. `None`:
    /// the game's own text is shown.
    fn final_position(&self, _question: &Question, _views: &[Value], _ink: Ink) -> Option<String> {
        None
    }

    /// Describes an action, as the person's seats observed it.
    fn words(&self, seat: &str, seen_by_seat: &Value) -> String;

    /// Describes a chance event, as the person's seats observed it.
    fn drawn(&self, seen_by_seat: &Value) -> String {
        format!("drawn: {seen_by_seat}")
    }

    /// Lists the legal moves as they are typed.
    fn choices(&self, question: &Question) -> String;

    /// Returns the legal moves as they are typed, for completion. Each list has all moves in one
    /// form; the first list has the preferred form.
    fn completions(&self, question: &Question) -> Vec<Vec<String>>;

    /// Returns the commands of the game, for completion: see [`Face::on_request`].
    fn commands(&self) -> &'static [&'static str] {
        &[]
    }

    /// Parses a typed move.
    ///
    /// # Errors
    ///
    /// What was expected and what is legal, if the line is not a legal move or may be several.
    fn read(&self, line: &str, question: &Question) -> Result<Chosen, String>;

    /// Returns the output of a command of the game. `None`: the line is not such a command.
    fn on_request(&self, _line: &str, _question: &Question, _ink: Ink) -> Option<String> {
        None
    }

    /// Explains how to type moves.
    fn help(&self) -> String;
}

/// The face of one game. It is chosen by the game's name: see `faces.rs`.
pub trait GameFace: Face + Sized {
    /// The game.
    type Game: Game;

    /// Returns the face of a game that starts with this message. `None`: its rules or setup cannot
    /// be read.
    fn new(start: &Start) -> Option<Self>;
}

/// The face of any game: the fields of the view, and a numbered list of the legal actions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Face for Plain {
    fn position(&self, question: &Question, _ink: Ink) -> String {
        let mut text = String::new();
        match &question.view {
            Value::Object(fields) => {
                for (name, value) in fields {
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "  {name}: {value}");
                }
            }
            other => text = format!("  {other}\n"),
        }
        text + &self.choices(question)
    }

    fn words(&self, seat: &str, seen_by_seat: &Value) -> String {
        format!("{seat}: {seen_by_seat}")
    }

    fn choices(&self, question: &Question) -> String {
        let mut text = String::new();
        for (number, action) in (1..).zip(&question.legal) {
            let _ = writeln!(text, "  {number:>3}  {action}");
        }
        text
    }

    fn read(&self, line: &str, question: &Question) -> Result<Chosen, String> {
        let legal = &question.legal;
        let numbered = || {
            let number: usize = line.parse().ok()?;
            legal.get(number.checked_sub(1)?)
        };
        let spelled = || {
            let action: Value = serde_json::from_str(line).ok()?;
            legal.iter().find(|legal| **legal == action)
        };
        numbered().or_else(spelled).cloned().map(Chosen::only).ok_or_else(|| {
            format!(
                "expected a number from 1 to {} or one of these actions, got {line:?}\n{}",
                legal.len(),
                self.choices(question)
            )
        })
    }

    fn completions(&self, question: &Question) -> Vec<Vec<String>> {
        vec![(1..=question.legal.len()).map(|number| number.to_string()).collect()]
    }

    fn help(&self) -> String {
        "  A move is the number of an action in the list.\n".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_game_can_be_played_by_numbers() {
        let question = Question {
            turn: 1,
            seat: "north".into(),
            view: json!({"total": 7}),
            legal: vec![json!("hold"), json!({"take": 2})],
            past: Vec::new(),
        };
        for (line, expected) in [("1", 0), ("2", 1), ("\"hold\"", 0), (r#"{"take": 2}"#, 1)] {
            let chosen = Plain.read(line, &question).unwrap();
            assert_eq!(chosen, Chosen::only(question.legal[expected].clone()), "{line}");
        }
        for line in ["0", "3", "-1", "take", "\"take\"", "99999999999999999999"] {
            let error = Plain.read(line, &question).unwrap_err();
            assert!(error.contains("a number from 1 to 2"), "{error}");
        }
        assert!(Plain.position(&question, Ink::plain()).contains("total: 7"));
        assert_eq!(Plain.completions(&question), [["1", "2"]]);
    }
}
