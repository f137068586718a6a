//! Hub, version 2: the text protocol of Scan, by Fabien Letouzey (`protocol.txt` of Scan 3). A line is
//! `COMMAND ARG=VALUE ARG="VALUE" ...`; both sides ignore what they do not know.
//!
//! The dialect for English draughts: a position has 32 squares instead of 50, and the value of the
//! parameter `variant` is `english`.

use crate::engine::{
    Answer, DeclaredParameter, Engine, EngineError, Identity, Question, SearchLimits,
    integer_option,
};
use crate::link::Link;
use crate::move_text::{hub_text, read_move};
use crate::position_text::HUB;
use crate::think_time::{Allowance, ThinkTime};
use crate::waiting::wait_for_move;
use botyard_engine::draughts::{Move, Position};
use botyard_protocol::{Info, OptionSpec};
use serde_json::Value;
use std::time::Instant;

/// The parameter that selects the game.
const VARIANT: &str = "variant";

/// The value of [`VARIANT`] for English draughts.
const ENGLISH: &str = "english";

/// An engine that speaks Hub.
pub struct Hub {
    link: Link,
    parameters: Vec<Parameter>,
    is_ready: bool,
}

struct Parameter {
    declared: DeclaredParameter,
    value: String,
    values: String,
}

/// A line of Hub.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line<'a> {
    command: &'a str,
    arguments: Vec<(&'a str, &'a str)>,
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Line<'a> {
        let line = line.trim();
        let (command, mut rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let mut arguments = Vec::new();
        while let Some((argument, after)) = next_argument(rest.trim_start()) {
            arguments.push(argument);
            rest = after;
        }
        Line { command, arguments }
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.arguments.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }
}

/// Splits off an argument and its value, which is empty for a flag.
fn next_argument(text: &str) -> Option<((&str, &str), &str)> {
    let end = text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    // Spaces may surround the equals sign.
    let Some(value) = rest.trim_start().strip_prefix('=').map(str::trim_start) else {
        return (!name.is_empty()).then_some(((name, ""), rest));
    };
    if let Some(quoted) = value.strip_prefix('"') {
        let (value, rest) = quoted.split_once('"').unwrap_or((quoted, ""));
        return Some(((name, value), rest));
    }
    let end = value.find(char::is_whitespace).unwrap_or(value.len());
    let (value, rest) = value.split_at(end);
    Some(((name, value), rest))
}

fn quoted(value: &str) -> String {
    let is_plain =
        !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || "=\"".contains(c));
    if is_plain { value.into() } else { format!("\"{}\"", value.replace('"', "'")) }
}

impl Hub {
    /// Speaks Hub over this connection.
    pub fn new(link: Link) -> Hub {
        Hub { link, parameters: Vec::new(), is_ready: false }
    }

    /// Returns the error in a line that reports one.
    fn reported(&self, line: &Line<'_>) -> EngineError {
        let message = line.get("message").unwrap_or("no message").to_string();
        EngineError::Reported { name: self.link.name().clone(), message }
    }

    /// Returns the values to set: those chosen, and the variant.
    fn chosen(&self, options: &[(String, String)]) -> Result<Vec<(String, String)>, EngineError> {
        let mut chosen = options.to_vec();
        let known = |name: &str| self.parameters.iter().find(|p| p.declared.name == name);
        if let Some((option, _)) = options.iter().find(|(name, _)| known(name).is_none()) {
            return Err(EngineError::NoOption {
                name: self.link.name().clone(),
                option: option.clone(),
                known: self.parameters.iter().map(|p| p.declared.name.clone()).collect(),
            });
        }
        if let Some(variant) = known(VARIANT)
            && !options.iter().any(|(name, _)| name == VARIANT)
            && variant.value != ENGLISH
        {
            if !variant.values.split_whitespace().any(|value| value == ENGLISH) {
                return Err(EngineError::Variant {
                    name: self.link.name().clone(),
                    variants: variant.values.clone(),
                });
            }
            chosen.push((VARIANT.into(), ENGLISH.into()));
        }
        Ok(chosen)
    }
}

impl Engine for Hub {
    fn greet(&mut self, until: Option<Instant>) -> Result<Identity, EngineError> {
        let begun = Instant::now();
        let expected = "`wait` after `hub`";
        self.link.send("hub")?;
        let mut identity = Identity::default();
        loop {
            let text = self.link.require(expected, begun, until)?;
            let line = Line::read(&text);
            match line.command {
                "id" => {
                    identity.name = line.get("name").unwrap_or_default().into();
                    identity.version = line.get("version").map(String::from);
                }
                "param" => {
                    if let Some(name) = line.get("name") {
                        let value = line.get("value").unwrap_or_default();
                        self.parameters.push(Parameter {
                            declared: DeclaredParameter { name: name.into(), spec: spec(&line) },
                            value: value.into(),
                            values: line.get("values").unwrap_or(value).into(),
                        });
                    }
                }
                "wait" => break,
                "error" => return Err(self.reported(&line)),
                _ => self.link.chatter(&text),
            }
        }
        identity.options = self.parameters.iter().map(|p| p.declared.clone()).collect();
        Ok(identity)
    }

    fn new_game(
        &mut self,
        options: &[(String, String)],
        until: Option<Instant>,
    ) -> Result<(), EngineError> {
        if !self.is_ready {
            for (name, value) in self.chosen(options)? {
                self.link.send(&format!(
                    "set-param name={} value={}",
                    quoted(&name),
                    quoted(&value)
                ))?;
            }
            let begun = Instant::now();
            self.link.send("init")?;
            loop {
                let text = self.link.require("`ready` after `init`", begun, until)?;
                let line = Line::read(&text);
                match line.command {
                    "ready" => break,
                    "error" => return Err(self.reported(&line)),
                    _ => self.link.chatter(&text),
                }
            }
            self.is_ready = true;
        }
        self.link.send("new-game")
    }

    fn think(&mut self, question: &Question<'_>) -> Result<Answer, EngineError> {
        self.link.print_unasked();
        self.link.send(&position_line(question))?;
        self.link.send(&level_line(&question.time, question.limits))?;
        self.link.send("go think")?;
        let mut info = Info::default();
        let expected = "`done move=...` after `go think`";
        wait_for_move(&mut self.link, expected, &question.time, Some("stop"), |link, text| {
            let line = Line::read(text);
            match line.command {
                "info" => hear_info(&mut info, &line, question),
                "done" => {
                    let Some(played) = line.get("move") else {
                        return Err(link.unexpected(expected, text));
                    };
                    return Ok(Some(Answer {
                        text: played.into(),
                        line: text.into(),
                        info: std::mem::take(&mut info),
                    }));
                }
                "error" => {
                    let message = line.get("message").unwrap_or("no message").to_string();
                    return Err(EngineError::Reported { name: link.name().clone(), message });
                }
                "pong" => {}
                _ => link.chatter(text),
            }
            Ok(None)
        })
    }

    fn quit(&mut self, until: Instant) {
        let _ = self.link.send("quit");
        self.link.close(until);
    }
}

/// `pos`: the position before the kings' moves that can recur, and these moves.
fn position_line(question: &Question<'_>) -> String {
    let state = question.state;
    let first = question.first_position();
    let moves: Vec<String> = state.quiet_moves().iter().copied().map(hub_text).collect();
    let position = HUB.write(&first);
    match moves.is_empty() {
        true => format!("pos pos={position}"),
        false => format!("pos pos={position} moves=\"{}\"", moves.join(" ")),
    }
}

fn level_line(time: &ThinkTime, limits: SearchLimits) -> String {
    let mut line = "level".to_string();
    if let Some(depth) = limits.depth {
        line += &format!(" depth={depth}");
    }
    if let Some(nodes) = limits.nodes {
        line += &format!(" nodes={nodes}");
    }
    line += &match time.allowance {
        Allowance::Move(time) => format!(" move-time={:.3}", time.as_secs_f64()),
        Allowance::Bank { left, increment } => {
            format!(" time={:.3} inc={:.3}", left.as_secs_f64(), increment.as_secs_f64())
        }
    };
    line
}

fn hear_info(info: &mut Info, line: &Line<'_>, question: &Question<'_>) {
    info.depth = line.number("depth").or(info.depth);
    info.nodes = line.number("nodes").or(info.nodes);
    let score = line.number("score").filter(|score: &f64| score.is_finite());
    info.score = score.or(info.score);
    if let Some(line) = line.get("pv") {
        info.pv = Some(variation(line.split_whitespace(), question));
    }
}

/// Returns the moves of a principal variation as actions, up to the first that is not legal.
pub fn variation<'a>(
    texts: impl IntoIterator<Item = &'a str>,
    question: &Question<'_>,
) -> Vec<Value> {
    let mut position = *question.state.position();
    let mut play = |text: &str| -> Option<(Position, Move)> {
        let mv = read_move(text, &position, question.movement).ok()?;
        position = position.make(mv);
        Some((position, mv))
    };
    texts.into_iter().map_while(|text| play(text).map(|(_, mv)| mv.to_string().into())).collect()
}

/// Returns the values that a match may set.
fn spec(line: &Line<'_>) -> Option<OptionSpec> {
    let about = String::new();
    let value = line.get("value").unwrap_or_default();
    let finite = |name| line.number(name).filter(|bound: &f64| bound.is_finite());
    let spec = match line.get("type")? {
        "bool" => OptionSpec::Bool { default: value.parse().ok()?, about },
        "int" => return integer_option(value, line.get("min"), line.get("max")),
        "real" => OptionSpec::Float {
            min: finite("min").unwrap_or(f64::MIN),
            max: finite("max").unwrap_or(f64::MAX),
            default: value.parse().ok()?,
            about,
        },
        "string" => OptionSpec::Text { default: value.into(), about },
        "enum" => OptionSpec::Enum {
            values: line.get("values")?.split_whitespace().map(String::from).collect(),
            default: value.into(),
            about,
        },
        _ => return None,
    };
    spec.accepts(&spec.default_value()).then_some(spec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines of the protocol's own page, and the forms that it allows.
    #[test]
    fn lines_of_the_protocol() {
        for (text, command, arguments) in [
            (
                r#"id name=Scan version=3.0 author="Fabien Letouzey" country=France"#,
                "id",
                &[
                    ("name", "Scan"),
                    ("version", "3.0"),
                    ("author", "Fabien Letouzey"),
                    ("country", "France"),
                ][..],
            ),
            (
                r#"  param name=variant value=normal type=enum values="normal killer bt""#,
                "param",
                &[
                    ("name", "variant"),
                    ("value", "normal"),
                    ("type", "enum"),
                    ("values", "normal killer bt"),
                ],
            ),
            ("done move=32-28 ponder=17-22", "done", &[("move", "32-28"), ("ponder", "17-22")]),
            ("done move = 32-28", "done", &[("move", "32-28")]),
            ("go think", "go", &[("think", "")]),
            ("wait", "wait", &[]),
            ("", "", &[]),
            (r#"error message="unclosed"#, "error", &[("message", "unclosed")]),
            (r#"param name="" value=="#, "param", &[("name", ""), ("value", "=")]),
            ("x =1", "x", &[("", "1")]),
        ] {
            assert_eq!(Line::read(text), Line { command, arguments: arguments.into() }, "{text}");
        }
    }

    #[test]
    fn values_are_quoted_where_they_must_be() {
        for (value, expected) in
            [("4", "4"), ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""), ("a\"b", "\"a'b\"")]
        {
            assert_eq!(quoted(value), expected);
        }
    }

    #[test]
    fn declared_parameters() {
        let int = |min, max, default| OptionSpec::Int { min, max, default, about: String::new() };
        let real =
            |max| OptionSpec::Float { min: f64::MIN, max, default: 0.5, about: String::new() };
        let most = 1 << 53;
        for (line, expected) in [
            ("param name=threads value=1 type=int min=1 max=16", Some(int(1, 16, 1))),
            ("param name=hash value=16 type=int", Some(int(-most, most, 16))),
            ("param name=x value=0.5 type=real max=2", Some(real(2.0))),
            ("param name=x value=0.5 type=real max=inf min=-1e999", Some(real(f64::MAX))),
            ("param name=x value=inf type=real", None),
            ("param name=x value=8 type=int max=7", None),
        ] {
            assert_eq!(spec(&Line::read(line)), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read(text in "[a-z=\" ]{0,40}", other in ".{0,40}") {
            for text in [text, other] {
                let line = Line::read(&text);
                prop_assert!(line.arguments.len() <= text.len());
                let _ = spec(&line);
            }
        }

        #[test]
        fn what_is_quoted_is_read_as_it_was(value in "[^\"\n]{0,20}") {
            let text = format!("x a={} b=1", quoted(&value));
            let line = Line::read(&text);
            prop_assert_eq!(line.get("a"), Some(value.as_str()));
            prop_assert_eq!(line.get("b"), Some("1"));
        }
    }
}
