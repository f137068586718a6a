//! Import of games from an independent reference model (random games under the preset `bristol`, as
//! JSON Lines). Plays them through these rules and compares at every ply all legal single moves,
//! the number of double moves and the length of the log, and at the end the winner.
//!
//! A game is a `start` line (stations and tickets), one line per decision, and an `end` line. A
//! double move is one decision in the file and two actions here.

use super::ScotlandYard;
use super::action::Action;
use super::detective::{Detective, MAX_DETECTIVES};
use super::opening::{DetectiveTickets, MrXTickets, Opening};
use super::position::{Position, Stage};
use super::presets;
use super::rules::Rules;
use super::state::State;
use super::station::Station;
use super::ticket::{Allowance, Ticket, Tickets};
use crate::game::Game;
use crate::json;
use crate::record::{Record, RecordError, RecordedEvent};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// A line of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Start(Start),
    Decision(Decision),
    End(End),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    game: u64,
    #[serde(rename = "type")]
    kind: StartKind,
    mrx: Station,
    /// Stations by colour. The order of the colours is the order of the detectives.
    #[serde(deserialize_with = "in_order")]
    detectives: Vec<(String, Station)>,
    det_tickets: Tickets,
    mrx_tickets: MrXTickets,
}

/// Reads an object as a list, in the order of its fields in the file.
fn in_order<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, Station)>, D::Error> {
    struct InOrder;
    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<(String, Station)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with a station for each colour")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }
    deserializer.deserialize_map(InOrder)
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum StartKind {
    Start,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    game: u64,
    log: u16,
    single: Vec<String>,
    n_double: usize,
    played: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    game: u64,
    #[serde(rename = "type")]
    kind: EndKind,
    log: u16,
    winner: Winner,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndKind {
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    Mrx,
    Detectives,
}

impl Line {
    fn game(&self) -> u64 {
        match self {
            Line::Start(Start { game, kind: StartKind::Start, .. })
            | Line::Decision(Decision { game, .. })
            | Line::End(End { game, kind: EndKind::End, .. }) => *game,
        }
    }
}

/// Imports every game of the file: a record, or the error found. A line that cannot be read is an
/// error of its own. Results are in the order in which the games end.
pub(super) fn import(text: &str) -> Vec<Result<Record, RecordError>> {
    let mut results = Vec::new();
    // `None` for a game that has failed already: its other lines are skipped.
    let mut open: Vec<(u64, Option<Replayed>)> = Vec::new();
    let mut ended: HashMap<u64, usize> = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let unreadable = |message: String| {
            Err(RecordError { game: format!("? (line {number})"), ply: None, message })
        };
        let line = match serde_json::from_str::<Line>(line) {
            Ok(line) => line,
            Err(_) => {
                results.push(unreadable(explain(line)));
                continue;
            }
        };
        let id = line.game();
        if let Some(end) = ended.get(&id) {
            results.push(unreadable(format!("game {id} has ended in line {end}")));
            continue;
        }
        let place = open.iter().position(|(game, _)| *game == id);
        let (step, over) = match (line, place) {
            (Line::Start(_), Some(_)) => (Err(fault(id, None, "it starts twice")), false),
            (Line::Start(start), None) => {
                let replayed = Replayed::new(&start);
                let step = replayed.as_ref().map(|_| ()).map_err(Clone::clone);
                open.push((id, replayed.ok()));
                (step, false)
            }
            (_, None) => {
                open.push((id, None));
                (Err(fault(id, None, "it has no start line")), false)
            }
            (Line::Decision(decision), Some(place)) => match &mut open[place].1 {
                Some(replayed) => (replayed.decide(&decision), false),
                None => continue,
            },
            (Line::End(end), Some(place)) => {
                ended.insert(id, number);
                match open.swap_remove(place).1 {
                    Some(mut replayed) => match replayed.end(&end) {
                        Ok(()) => {
                            results.push(Ok(replayed.record));
                            continue;
                        }
                        Err(error) => (Err(error), true),
                    },
                    None => continue,
                }
            }
        };
        if let Err(error) = step {
            results.push(Err(error));
            if !over && let Some(entry) = open.iter_mut().find(|(game, _)| *game == id) {
                entry.1 = None;
            }
        }
    }
    for (id, replayed) in open {
        if let Some(replayed) = replayed {
            results.push(Err(fault(id, Some(replayed.ply), "it has no end line")));
        }
    }
    results
}

/// Explains why a line is not one of the three kinds.
fn explain(line: &str) -> String {
    let value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(error) => return format!("not JSON: {error}"),
    };
    let error = match value.get("type").and_then(Value::as_str) {
        Some("start") => serde_json::from_value::<Start>(value).err(),
        Some("end") => serde_json::from_value::<End>(value).err(),
        Some(other) => return format!("type {other:?}; expected start, end, or a decision"),
        None => serde_json::from_value::<Decision>(value).err(),
    };
    error.map_or_else(|| "neither start, decision nor end".to_string(), |error| error.to_string())
}

fn fault(game: u64, ply: Option<u32>, message: impl Into<String>) -> RecordError {
    RecordError { game: game.to_string(), ply, message: message.into() }
}

/// A recorded game in progress, replayed under our rules.
struct Replayed {
    id: u64,
    ply: u32,
    colours: Vec<String>,
    game: ScotlandYard,
    state: State,
    record: Record,
}

impl Replayed {
    fn new(start: &Start) -> Result<Replayed, RecordError> {
        let fault = |message: String| fault(start.game, None, message);
        let detectives: Vec<Station> = start.detectives.iter().map(|(_, at)| *at).collect();
        let count = u8::try_from(detectives.len()).unwrap_or(u8::MAX);
        if usize::from(count) > MAX_DETECTIVES {
            return Err(fault(format!("{count} detectives; at most {MAX_DETECTIVES} can play")));
        }
        let rules = Rules { detectives: count, ..bristol() };
        let game = ScotlandYard::new(rules).map_err(|error| fault(error.to_string()))?;
        let opening = Opening {
            mr_x: start.mrx,
            detectives,
            detective_tickets: Some(DetectiveTickets::All(Allowance::Limited(start.det_tickets))),
            mr_x_tickets: Some(start.mrx_tickets),
            mr_x_starts: None,
        };
        let state = game.start(&opening).map_err(|illegal| fault(illegal.0))?;
        let record = Record {
            id: start.game.to_string(),
            rules: json::value(game.rules()),
            opening: json::value(&opening),
            ..Record::default()
        };
        let colours = start.detectives.iter().map(|(colour, _)| colour.clone()).collect();
        Ok(Replayed { id: start.game, ply: 0, colours, game, state, record })
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T, RecordError> {
        Err(fault(self.id, Some(self.ply), message))
    }

    fn decide(&mut self, decision: &Decision) -> Result<(), RecordError> {
        self.ply += 1;
        if let Stage::Over(end) = self.state.position().stage() {
            return self
                .fault(format!("the record continues, but the game is over: {}", end.reason()));
        }
        let mut actions = Vec::new();
        self.game.actions(&self.state, &mut actions);
        let ours: BTreeSet<String> = actions
            .iter()
            .filter(|action| !matches!(action, Action::MrX { double: true, .. }))
            .map(|&action| self.name(action))
            .collect();
        let theirs: BTreeSet<String> = decision.single.iter().cloned().collect();
        if ours != theirs {
            let only = |these: &BTreeSet<String>, those: &BTreeSet<String>| {
                these.difference(those).cloned().collect::<Vec<_>>().join(" ")
            };
            return self.fault(format!(
                "legal moves differ: only in the record [{}], only here [{}]",
                only(&theirs, &ours),
                only(&ours, &theirs)
            ));
        }
        let doubles = self.double_moves(&actions);
        if doubles != decision.n_double {
            let recorded = decision.n_double;
            return self.fault(format!("{recorded} double moves in the record, {doubles} here"));
        }
        self.compare_log(decision.log)?;
        // The set of single moves, the number of doubles, and the move played.
        self.record.checks += 3;
        self.play(&decision.played)
    }

    fn compare_log(&mut self, recorded: u16) -> Result<(), RecordError> {
        let here = self.state.position().x_moves();
        if here != recorded {
            return self
                .fault(format!("the log has {recorded} entries in the record, {here} here"));
        }
        self.record.checks += 1;
        Ok(())
    }

    /// Returns the number of double moves, counted as pairs of steps, that begin with one of
    /// `actions`.
    fn double_moves(&self, actions: &[Action]) -> usize {
        let second_steps = |action: &Action| {
            let mut position: Position = *self.state.position();
            position.apply(self.game.arena(), *action);
            let mut count = 0;
            position.for_each_action(self.game.arena(), |_| count += 1);
            count
        };
        actions
            .iter()
            .filter(|action| matches!(action, Action::MrX { double: true, .. }))
            .map(second_steps)
            .sum()
    }

    fn play(&mut self, played: &str) -> Result<(), RecordError> {
        let Some(actions) = self.read(played) else {
            return self.fault(format!("{played:?} is not a move"));
        };
        for action in actions {
            if let Err(illegal) = self.game.check(&self.state, action) {
                return self.fault(format!("{played} is not legal here: {illegal}"));
            }
            self.game.apply(&mut self.state, action);
            self.record.events.push(RecordedEvent::Action(json::value(&action)));
        }
        Ok(())
    }

    fn end(&mut self, end: &End) -> Result<(), RecordError> {
        let Stage::Over(ours) = self.state.position().stage() else {
            return self.fault("the record ends, but the game is not over here");
        };
        let winner = if ours.mr_x_wins() { Winner::Mrx } else { Winner::Detectives };
        if winner != end.winner {
            let reason = ours.reason();
            return self.fault(format!(
                "the record says that {:?} wins, here it is {winner:?}: {reason}",
                end.winner
            ));
        }
        self.record.checks += 1;
        self.compare_log(end.log)
    }

    /// Returns the name of a single step in the file: `MRX:black>102`.
    fn name(&self, action: Action) -> String {
        match action {
            Action::MrX { ticket, to, .. } => format!("MRX:{ticket}>{to}"),
            Action::Detective { detective, ticket, to } => {
                format!("{}:{ticket}>{to}", self.colours[detective.index()])
            }
        }
    }

    /// Parses `MRX:black>102`, `RED:bus>41` or `MRX:2x:taxi>181,taxi>193`.
    fn read(&self, played: &str) -> Option<Vec<Action>> {
        let (who, step) = played.split_once(':')?;
        if who == "MRX" {
            let mr_x = |step: &str, double| {
                read_step(step).map(|(ticket, to)| Action::MrX { ticket, to, double })
            };
            return match step.strip_prefix("2x:") {
                None => Some(vec![mr_x(step, false)?]),
                Some(steps) => {
                    let (first, second) = steps.split_once(',')?;
                    Some(vec![mr_x(first, true)?, mr_x(second, false)?])
                }
            };
        }
        let place = self.colours.iter().position(|colour| colour == who)?;
        let detective = Detective::all(self.colours.len()).nth(place)?;
        let (ticket, to) = read_step(step)?;
        Some(vec![Action::Detective { detective, ticket, to }])
    }
}

/// Reads `taxi>45`.
fn read_step(step: &str) -> Option<(Ticket, Station)> {
    let (ticket, to) = step.split_once('>')?;
    let ticket = Ticket::FARES
        .into_iter()
        .chain([Ticket::Black])
        .find(|candidate| candidate.name() == ticket)?;
    Some((ticket, Station::new(to.parse().ok()?)?))
}

fn bristol() -> Rules {
    presets::preset("bristol").expect("the preset exists; a test plays it")
}
