//! The face of any game: the fields of the view, and a numbered list of the legal actions. In a game whose
//! rules are a program, the program shows the position and reads moves, as far as it can.

use crate::dialogue::Question;
use crate::face::{Chosen, Face};
use crate::replica::Replica;
use crate::terminal::Ink;
use botyard_replay::value_in_words;
use serde_json::Value;
use std::cell::RefCell;
use std::fmt::Write;

/// From how many actions on several are in a line.
const MANY: usize = 20;

/// The width of the lines with several actions, in characters.
const WIDTH: usize = 78;

/// How many actions are listed.
const LISTED: usize = 400;

/// The face of any game.
#[derive(Default)]
pub(crate) struct Plain {
    question: Option<Question>,
    replica: Option<RefCell<Replica>>,
    /// The position as the program of the game writes it.
    text: Option<String>,
}

impl Plain {
    /// Makes the face of a game that has just begun. `replica`: that of a game whose rules are a program.
    pub(crate) fn new(replica: Option<Replica>) -> Plain {
        Plain { replica: replica.map(RefCell::new), ..Plain::default() }
    }

    /// Returns the legal actions.
    pub(crate) fn legal(&self) -> &[Value] {
        self.question.as_ref().map_or(&[], |question| &question.legal)
    }

    /// Whether actions are typed as they are, because they are numbers themselves.
    fn are_numbers(&self) -> bool {
        self.legal().iter().any(Value::is_number)
    }

    /// Returns the listed action that a line means.
    fn listed(&self, line: &str) -> Option<&Value> {
        let legal = self.legal();
        let numbered = || {
            let number: usize = line.parse().ok()?;
            legal.get(number.checked_sub(1)?).filter(|_| !self.are_numbers())
        };
        let spelled = || {
            let action: Value = serde_json::from_str(line).ok()?;
            legal.iter().find(|legal| **legal == action)
        };
        let worded = || {
            let line = line.to_lowercase();
            let mut all =
                legal.iter().filter(|action| value_in_words(action).to_lowercase() == line);
            all.next().filter(|_| all.next().is_none())
        };
        numbered().or_else(spelled).or_else(worded)
    }

    /// Reads what the game's own rules understand.
    fn understood(&self, line: &str) -> Option<Result<Value, String>> {
        let mut replica = self.replica.as_ref()?.borrow_mut();
        let is_asked = self.legal().is_empty() || replica.reads_texts();
        is_asked.then(|| replica.action(line))
    }
}

impl Face for Plain {
    fn moved(&mut self, seat: &str, seen_by_seat: &Value) -> String {
        self.words(seat, seen_by_seat)
    }

    fn drawn(&mut self, seen_by_seat: &Value) -> String {
        format!("drawn: {}", value_in_words(seen_by_seat))
    }

    fn ask(&mut self, question: &Question) {
        self.question = Some(question.clone());
        self.text = self.replica.as_ref().and_then(|replica| replica.borrow_mut().text());
    }

    fn position(&self, _ink: Ink) -> String {
        let view = self.question.as_ref().map(|question| &question.view);
        let text = match (&self.text, view) {
            (Some(text), _) => text.lines().map(|line| format!("  {line}\n")).collect(),
            (None, Some(Value::Object(fields))) => {
                fields.iter().map(|(name, value)| field(name, value)).collect()
            }
            (None, Some(other)) => block(other),
            (None, None) => String::new(),
        };
        text + &self.choices()
    }

    fn final_position(&self, _: &str, _: usize, _: &[Value], _: Ink) -> Option<String> {
        None
    }

    fn words(&self, seat: &str, action: &Value) -> String {
        format!("{seat}: {}", value_in_words(action))
    }

    fn choices(&self) -> String {
        let legal = self.legal();
        if legal.is_empty() {
            return "  this game does not list its moves\n".to_string();
        }
        let words: Vec<String> = (1..)
            .zip(legal.iter().take(LISTED))
            .map(|(number, action)| match self.are_numbers() {
                true => value_in_words(action),
                false => format!("{number:>3}  {}", value_in_words(action)),
            })
            .collect();
        let mut text = match self.are_numbers() || words.len() > MANY {
            true => in_columns(&words),
            false => words.iter().map(|words| format!("  {words}\n")).collect(),
        };
        if legal.len() > LISTED {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  and {} more", legal.len() - LISTED);
        }
        text
    }

    fn completions(&self) -> Vec<Vec<String>> {
        let words: Vec<String> = self.legal().iter().map(value_in_words).collect();
        match self.are_numbers() {
            true => vec![words],
            false => vec![words, (1..=self.legal().len()).map(|it| it.to_string()).collect()],
        }
    }

    fn commands(&self) -> &'static [&'static str] {
        &[]
    }

    fn read(&self, line: &str) -> Result<Chosen<Value>, String> {
        if let Some(action) = self.listed(line) {
            return Ok(Chosen::only(action.clone()));
        }
        if let Some(understood) = self.understood(line) {
            return understood.map(Chosen::only);
        }
        let expected = match self.are_numbers() {
            true => "one of these actions".to_string(),
            false => format!("a number from 1 to {} or one of these actions", self.legal().len()),
        };
        Err(format!("expected {expected}, got {line:?}\n{}", self.choices()))
    }

    fn on_request(&self, _line: &str, _ink: Ink) -> Option<String> {
        None
    }

    fn help(&self) -> String {
        let reads = self.replica.as_ref().is_some_and(|its| its.borrow_mut().reads_texts());
        match (self.legal().is_empty(), reads) {
            (true, false) => "  A move is an action as JSON.\n",
            (_, true) => "  A move is what the game's program reads, or an action of the list.\n",
            (false, false) if self.are_numbers() => "  A move is an action of the list.\n",
            (false, false) => "  A move is an action of the list: its number or its words.\n",
        }
        .to_string()
    }
}

/// Writes texts into as many columns as fit.
fn in_columns(texts: &[String]) -> String {
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 2;
    let columns = (WIDTH / width).max(1);
    let line = |texts: &[String]| {
        let line: String = texts.iter().map(|text| format!("{text:width$}")).collect();
        format!("  {}\n", line.trim_end())
    };
    texts.chunks(columns).map(line).collect()
}

/// Writes a field of the view: a value in its line, or a block below its name.
fn field(name: &str, value: &Value) -> String {
    let block = block(value);
    match block.matches('\n').count() {
        1 => format!("  {name}: {}", block.trim_start()),
        _ => format!("  {name}:\n{block}"),
    }
}

/// Writes a value in lines: texts of several lines, and lists of lists of equal length, row by row.
fn block(value: &Value) -> String {
    let lines = |lines: Vec<String>| lines.iter().map(|line| format!("    {line}\n")).collect();
    match value {
        Value::String(text) => lines(text.lines().map(String::from).collect()),
        Value::Array(rows) if is_grid(rows) => lines(rows.iter().map(row).collect()),
        other => lines(vec![row(other)]),
    }
}

fn is_grid(rows: &[Value]) -> bool {
    let length = |row: &Value| match row {
        Value::Array(cells) if cells.iter().all(|it| !it.is_array() && !it.is_object()) => {
            Some(cells.len())
        }
        Value::String(cells) if !cells.contains('\n') => Some(cells.chars().count()),
        _ => None,
    };
    let first = rows.first().and_then(length);
    rows.len() > 1 && first.is_some() && rows.iter().all(|row| length(row) == first)
}

/// Writes a list in a line, and any other value in words.
fn row(value: &Value) -> String {
    let cell = |value: &Value| match value {
        Value::Null => ".".to_string(),
        value => value_in_words(value),
    };
    match value {
        Value::Array(cells) if cells.is_empty() => "none".to_string(),
        Value::Array(cells) => cells.iter().map(cell).collect::<Vec<_>>().join(" "),
        value => cell(value),
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
        let lines = ["1", "2", "\"hold\"", r#"{"take": 2}"#, "Hold", "take 2"];
        for (line, expected) in lines.into_iter().zip([0, 1, 0, 1, 0, 1]) {
            let chosen = plain.read(line).unwrap();
            assert_eq!(chosen, Chosen::only(legal[expected].clone()), "{line}");
        }
        for line in ["0", "3", "-1", "take", "3 take", "\"take\"", "99999999999999999999"] {
            let error = plain.read(line).unwrap_err();
            assert!(error.contains("a number from 1 to 2"), "{error}");
        }
        assert!(plain.position(Ink::plain()).contains("total: 7"));
        assert_eq!(plain.completions(), [["hold", "take 2"], ["1", "2"]]);
    }

    fn asked(view: Value, legal: Vec<Value>) -> Plain {
        let mut plain = Plain::default();
        plain.ask(&Question { turn: 1, seat: "north".into(), view, legal });
        plain
    }

    #[test]
    fn actions_that_are_numbers_are_typed_as_they_are() {
        let plain = asked(json!(null), vec![json!(0), json!(2), json!(8)]);
        assert_eq!(plain.choices(), "  0  2  8\n");
        assert_eq!(plain.read("2").unwrap(), Chosen::only(json!(2)));
        assert!(plain.read("1").is_err());
        assert_eq!(plain.completions(), [["0", "2", "8"]]);
    }

    #[test]
    fn grids_and_texts_are_shown_in_lines_and_many_actions_in_columns() {
        let view = json!({"board": [[null, "x"], ["o", 1]], "rows": ["ab", "cd"], "card": null, "seen": [1, 2]});
        let legal: Vec<Value> = (0..100).map(|at| json!({"to": at})).collect();
        let plain = asked(view, legal);
        let shown = plain.position(Ink::plain());
        let expected =
            "  board:\n    . x\n    o 1\n  card: .\n  rows:\n    ab\n    cd\n  seen: 1 2\n";
        assert!(shown.starts_with(expected), "{shown}");
        assert!(
            shown.lines().count() < 30 && shown.lines().all(|line| line.len() <= 80),
            "{shown}"
        );
        assert!(shown.contains(" 40  to 39  "), "{shown}");
    }
}
