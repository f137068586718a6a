//! A game as a person sees it: positions drawn from views, moves as people write them. A face knows
//! only what the protocol sends to the person's seats, so it cannot show anything else.
//!
//! A game without a face of its own is played by numbers: see [`Plain`].

use crate::terminal::Ink;
use botyard_engine::Game;
use botyard_protocol::Start;
use serde_json::Value;
use std::fmt::Write;

/// A decision that the person is to make, as the referee's `turn` tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its number.
    pub turn: u32,
    /// The seat to move.
    pub seat: String,
    /// What the seat may know.
    pub view: Value,
    /// Every legal action.
    pub legal: Vec<Value>,
}

/// What a line stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// One of the legal actions.
    pub action: Value,
    /// What is to be read as the line for the decision after it.
    pub then: Option<String>,
}

impl Chosen {
    /// One action and nothing more.
    pub fn only(action: Value) -> Chosen {
        Chosen { action, then: None }
    }
}

/// A game as a person sees it. Texts end with a newline unless they are one line of words.
pub trait Face {
    /// The position before a decision.
    fn position(&self, question: &Question, ink: Ink) -> String;

    /// What somebody did, from what the person's seats were told of it, in words.
    fn words(&self, seat: &str, told: &Value) -> String;

    /// What was drawn, from what the person's seats were told of it, in words.
    fn drawn(&self, told: &Value) -> String {
        format!("drawn: {told}")
    }

    /// The legal moves, as they would be written.
    fn choices(&self, question: &Question) -> String;

    /// The move that a line stands for.
    ///
    /// # Errors
    ///
    /// What was expected and what is legal, where the line is no legal move or several.
    fn read(&self, line: &str, question: &Question) -> Result<Chosen, String>;

    /// What is shown for commands of the game's own; `None` where the line is no such command.
    fn on_request(&self, _line: &str, _question: &Question, _ink: Ink) -> Option<String> {
        None
    }

    /// How moves are written.
    fn help(&self) -> String;
}

/// A face that belongs to one game. It is chosen by the game's name: see `faces.rs`.
pub trait GameFace: Face + Sized {
    /// The game.
    type Game: Game;

    /// The face of a game that starts with this message; `None` where its rules or its set-up cannot be read.
    fn new(start: &Start) -> Option<Self>;
}

/// The face of any game: the view as it is, and a numbered list of the legal actions.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

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

    fn words(&self, seat: &str, told: &Value) -> String {
        format!("{seat}: {told}")
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
    }
}
