//! A protocol like the Universal Chess Interface, for draughts: its commands and their order, with
//! positions as FEN of draughts (`W:W18,K27:BK1,12`) and moves as `11-15` or `22x15`.

use crate::engine::{
    Answer, DeclaredParameter, Engine, EngineError, Identity, Question, integer_option,
};
use crate::hub::variation as moves_of_pv;
use crate::link::Link;
use crate::think_time::Allowance;
use crate::waiting::wait_for_move;
use botyard_engine::draughts::Position;
use botyard_protocol::{Info, OptionSpec};
use std::time::Instant;

/// The score of a forced win, in men.
const WON: f64 = 100.0;

/// The words that begin a part of `info`.
const PARTS_OF_INFO: [&str; 17] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
];

/// An engine that speaks a UCI for draughts.
pub struct UciLike {
    link: Link,
    parameters: Vec<DeclaredParameter>,
    options: Option<Vec<(String, String)>>,
}

impl UciLike {
    /// Speaks the protocol over this connection.
    pub fn new(link: Link) -> UciLike {
        UciLike { link, parameters: Vec::new(), options: None }
    }

    fn wait_until_ready(&mut self, until: Option<Instant>) -> Result<(), EngineError> {
        let begun = Instant::now();
        self.link.send("isready")?;
        loop {
            let line = self.link.require("`readyok` after `isready`", begun, until)?;
            if line.trim() == "readyok" {
                return Ok(());
            }
            self.link.chatter(&line);
        }
    }
}

impl Engine for UciLike {
    fn greet(&mut self, until: Option<Instant>) -> Result<Identity, EngineError> {
        let begun = Instant::now();
        self.link.send("uci")?;
        let mut identity = Identity::default();
        loop {
            let line = self.link.require("`uciok` after `uci`", begun, until)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["id", "name", ref name @ ..] => identity.name = name.join(" "),
                ["id", "author", ..] => {}
                ["option", ref rest @ ..] => self.parameters.extend(parameter(rest)),
                ["uciok"] => break,
                _ => self.link.chatter(&line),
            }
        }
        identity.options = self.parameters.clone();
        Ok(identity)
    }

    fn new_game(
        &mut self,
        options: &[(String, String)],
        until: Option<Instant>,
    ) -> Result<(), EngineError> {
        let known = |name: &str| self.parameters.iter().find(|p| p.name.eq_ignore_ascii_case(name));
        if let Some((option, _)) = options.iter().find(|(name, _)| known(name).is_none()) {
            return Err(EngineError::NoOption {
                name: self.link.name().clone(),
                option: option.clone(),
                known: self.parameters.iter().map(|p| p.name.clone()).collect(),
            });
        }
        if self.options.as_deref() != Some(options) {
            for (name, value) in options {
                let line = match value.is_empty() {
                    true => format!("setoption name {name}"),
                    false => format!("setoption name {name} value {value}"),
                };
                self.link.send(&line)?;
            }
            self.options = Some(options.to_vec());
        }
        self.link.send("ucinewgame")?;
        self.wait_until_ready(until)
    }

    fn think(&mut self, question: &Question<'_>) -> Result<Answer, EngineError> {
        self.link.print_unasked();
        self.link.send(&position_line(question))?;
        self.link.send(&go_line(question))?;
        let mut info = Info::default();
        let expected = "`bestmove ...` after `go`";
        wait_for_move(&mut self.link, expected, &question.time, Some("stop"), |link, text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                ["info", "string", ..] => link.chatter(text),
                ["info", ref parts @ ..] => hear_info(&mut info, parts, question),
                ["bestmove", played, ..] => {
                    let info = std::mem::take(&mut info);
                    return Ok(Some(Answer { text: played.into(), line: text.into(), info }));
                }
                ["bestmove"] => return Err(link.unexpected(expected, text)),
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

/// `position`: the position before the kings' moves that can recur, and these moves.
fn position_line(question: &Question<'_>) -> String {
    let state = question.state;
    let first = question.first_position();
    let mut line = match first == Position::START {
        true => "position startpos".to_string(),
        false => format!("position fen {first}"),
    };
    if !state.quiet_moves().is_empty() {
        let moves: Vec<String> = state.quiet_moves().iter().map(ToString::to_string).collect();
        line += &format!(" moves {}", moves.join(" "));
    }
    line
}

fn go_line(question: &Question<'_>) -> String {
    let mut line = "go".to_string();
    if let Some(depth) = question.limits.depth {
        line += &format!(" depth {depth}");
    }
    if let Some(nodes) = question.limits.nodes {
        line += &format!(" nodes {nodes}");
    }
    line += &match question.time.allowance {
        Allowance::Move(time) => format!(" movetime {}", time.as_millis().max(1)),
        // A bot does not know its opponent's clock: both sides get its own.
        Allowance::Bank { left, increment } => {
            let (left, increment) = (left.as_millis().max(1), increment.as_millis());
            format!(" wtime {left} btime {left} winc {increment} binc {increment}")
        }
    };
    line
}

/// Reads an `info` line. Of several variations (`multipv`), the first one is the best, and counts.
fn hear_info(info: &mut Info, words: &[&str], question: &Question<'_>) {
    let variation = words.windows(2).find(|pair| pair[0] == "multipv").map(|pair| pair[1]);
    if variation.is_some_and(|number| number != "1") {
        return;
    }
    let mut rest = words;
    while let [word, after @ ..] = rest {
        rest = after;
        match (*word, after) {
            ("depth", [depth, ..]) => info.depth = depth.parse().ok().or(info.depth),
            ("nodes", [nodes, ..]) => info.nodes = nodes.parse().ok().or(info.nodes),
            ("score", ["cp", score, ..]) => {
                let men = |score: i64| score as f64 / 100.0;
                info.score = score.parse().ok().map(men).or(info.score);
            }
            ("score", ["mate", plies, ..]) => {
                if let Ok(plies) = plies.parse::<i64>() {
                    info.score = Some(if plies > 0 { WON } else { -WON });
                    info.text = Some(format!("mate {plies}"));
                }
            }
            ("pv", moves) => {
                let end = moves.iter().position(|word| PARTS_OF_INFO.contains(word));
                let (moves, after) = moves.split_at(end.unwrap_or(moves.len()));
                info.pv = Some(moves_of_pv(moves.iter().copied(), question));
                rest = after;
            }
            ("string", _) => return,
            _ => {}
        }
    }
}

/// Reads `name WORDS type TYPE default VALUE min N max N var VALUE ...`.
fn parameter(words: &[&str]) -> Option<DeclaredParameter> {
    const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for &word in words {
        match fields.last_mut() {
            _ if KEYS.contains(&word) => fields.push((word, Vec::new())),
            Some((_, value)) => value.push(word),
            None => return None,
        }
    }
    let all = |key: &'static str| {
        let own = fields.iter().filter(move |(known, _)| *known == key);
        own.map(|(_, value)| value.join(" "))
    };
    let get = |key| all(key).next().unwrap_or_default();
    let name = Some(get("name")).filter(|name| !name.is_empty())?;
    let (about, default) = (String::new(), get("default"));
    let spec = match get("type").as_str() {
        "check" => default.parse().ok().map(|default| OptionSpec::Bool { default, about }),
        "spin" => integer_option(&default, Some(&get("min")), Some(&get("max"))),
        "combo" => Some(OptionSpec::Enum { values: all("var").collect(), default, about }),
        "string" => {
            let default = if default == "<empty>" { String::new() } else { default };
            Some(OptionSpec::Text { default, about })
        }
        _ => None,
    };
    let spec = spec.filter(|spec| spec.accepts(&spec.default_value()));
    Some(DeclaredParameter { name, spec })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SearchLimits;
    use crate::think_time::ThinkTime;
    use botyard_engine::draughts::{Movement, State};
    use botyard_protocol::{Clock, ClockKind};

    #[test]
    fn declared_options() {
        let about = String::new;
        for (line, name, spec) in [
            (
                "name Hash type spin default 16 min 1 max 1024",
                "Hash",
                Some(OptionSpec::Int { min: 1, max: 1024, default: 16, about: about() }),
            ),
            (
                "name OwnBook type check default true",
                "OwnBook",
                Some(OptionSpec::Bool { default: true, about: about() }),
            ),
            (
                "name Style type combo default Normal var Solid var Normal var Very Risky",
                "Style",
                Some(OptionSpec::Enum {
                    values: ["Solid", "Normal", "Very Risky"].map(String::from).into(),
                    default: "Normal".into(),
                    about: about(),
                }),
            ),
            (
                "name Book File type string default <empty>",
                "Book File",
                Some(OptionSpec::Text { default: String::new(), about: about() }),
            ),
            (
                "name Nodes type spin default 0 min 0 max 18446744073709551615",
                "Nodes",
                Some(OptionSpec::Int { min: 0, max: 1 << 53, default: 0, about: about() }),
            ),
            ("name Clear Hash type button", "Clear Hash", None),
            ("name Bad type spin default 0 min 1 max 2", "Bad", None),
        ] {
            let words: Vec<&str> = line.split_whitespace().collect();
            let expected = DeclaredParameter { name: name.into(), spec };
            assert_eq!(parameter(&words), Some(expected), "{line}");
        }
        assert_eq!(parameter(&["type", "check"]), None);
        assert_eq!(parameter(&["nonsense"]), None);
    }

    #[test]
    fn the_best_of_several_variations_counts() {
        let state = State::new(Position::START);
        let clock =
            Clock { kind: ClockKind::Wall, move_ms: Some(1000), bank_ms: None, increment_ms: 0 };
        let question = Question {
            state: &state,
            movement: Movement::ENGLISH,
            time: ThinkTime::new(&clock, Instant::now(), None),
            limits: SearchLimits::default(),
        };
        let mut info = Info::default();
        for line in [
            "depth 4 score cp 10 pv 9-13",
            "depth 5 multipv 1 score cp 42 nodes 99 pv 11-15",
            "depth 5 multipv 2 score cp -80 nodes 120 pv 12-16",
            "depth 5 multipv 3 score mate -4",
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            hear_info(&mut info, &words, &question);
        }
        let expected = Info {
            depth: Some(5),
            nodes: Some(99),
            score: Some(0.42),
            pv: Some(vec!["11-15".into()]),
            ..Info::default()
        };
        assert_eq!(info, expected);
    }
}
