//! The face of any game: the fields of the view, and a numbered list of the legal actions.

use crate::dialogue::Question;
use crate::face::{Chosen, Face};
use crate::terminal::Ink;
use serde_json::Value;
use std::fmt::Write;

/// The face of any game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plain {
    question: Option<Question>,
}

impl Plain {
    /// Returns the legal actions.
    pub(crate) fn legal(&self) -> &[Value] {
        self.question.as_ref().map_or(&[], |question| &question.legal)
    }
}

impl Face for Plain {
    fn moved(&mut self, seat: &str, seen_by_seat: &Value) -> String {
        self.words(seat, seen_by_seat)
    }

    fn drawn(&mut self, seen_by_seat: &Value) -> String {
        format!("drawn: {seen_by_seat}")
    }

    fn ask(&mut self, question: &Question) {
        self.question = Some(question.clone());
    }

    fn position(&self, _ink: Ink) -> String {
        let mut text = String::new();
        match self.question.as_ref().map(|question| &question.view) {
            Some(Value::Object(fields)) => {
                for (name, value) in fields {
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "  {name}: {value}");
                }
            }
            Some(other) => text = format!("  {other}\n"),
            None => {}
        }
        text + &self.choices()
    }

    fn final_position(&self, _: &str, _: usize, _: &[Value], _: Ink) -> Option<String> {
        None
    }

    fn words(&self, seat: &str, action: &Value) -> String {
        format!("{seat}: {action}")
    }

    fn choices(&self) -> String {
        let mut text = String::new();
        for (number, action) in (1..).zip(self.legal()) {
            let _ = writeln!(text, "  {number:>3}  {action}");
        }
        text
    }

    fn completions(&self) -> Vec<Vec<String>> {
        vec![(1..=self.legal().len()).map(|number| number.to_string()).collect()]
    }

    fn commands(&self) -> &'static [&'static str] {
        &[]
    }

    fn read(&self, line: &str) -> Result<Chosen<Value>, String> {
        let legal = self.legal();
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
                self.choices()
            )
        })
    }

    fn on_request(&self, _line: &str, _ink: Ink) -> Option<String> {
        None
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
        let legal = vec![json!("hold"), json!({"take": 2})];
        let mut plain = Plain::default();
        plain.ask(&Question {
            turn: 1,
            seat: "north".into(),
            view: json!({"total": 7}),
            legal: legal.clone(),
        });
        for (line, expected) in [("1", 0), ("2", 1), ("\"hold\"", 0), (r#"{"take": 2}"#, 1)] {
            let chosen = plain.read(line).unwrap();
            assert_eq!(chosen, Chosen::only(legal[expected].clone()), "{line}");
        }
        for line in ["0", "3", "-1", "take", "\"take\"", "99999999999999999999"] {
            let error = plain.read(line).unwrap_err();
            assert!(error.contains("a number from 1 to 2"), "{error}");
        }
        assert!(plain.position(Ink::plain()).contains("total: 7"));
        assert_eq!(plain.completions(), [["1", "2"]]);
    }
}
