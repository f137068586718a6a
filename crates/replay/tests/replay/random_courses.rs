//! Games in which bots fail at random, adjudicated and recorded as a referee does it: every record
//! is sound, and is not after one change to a decision of the referee.

use crate::earlier_versions::refereed_replays;
use crate::recorded_game::{Recording, check, lines, pig, rechained};
use botyard_engine::random::{below, choose};
use botyard_engine::{GameEvent, Seat, Stream};
use botyard_protocol::{Fault, FaultKind, OnFault};
use botyard_replay::{Course, Due, EndEvent, FaultEvent, Phase, PlayedBy, ReplayWriter, Ruling};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The events of a game other than its moves.
#[derive(Clone, Debug)]
pub struct Plan {
    pub game: &'static str,
    pub preset: &'static str,
    pub changes: &'static [(&'static str, &'static str)],
    /// The seed of the game, its moves and its faults.
    pub seed: u64,
    pub on_fault: OnFault,
    /// Whether one bot holds all seats but the first.
    pub two_players: bool,
    /// The seats whose bots fail before the first decision.
    pub unready: Vec<usize>,
    /// Planned faults: the turn at or after which the deciding bot fails, and the kind.
    pub failures: Vec<(u32, FaultKind)>,
    /// The percentage of answers that are faults.
    pub rate: u32,
    /// The turn at or after which the host stalls the deciding bot.
    pub stalled: Option<u32>,
}

const KINDS: [FaultKind; 9] = [
    FaultKind::Timeout,
    FaultKind::IllegalAction,
    FaultKind::Protocol,
    // Most faults do not end the program.
    FaultKind::IllegalAction,
    FaultKind::Protocol,
    FaultKind::Crash,
    FaultKind::Closed,
    FaultKind::OutputLimit,
    FaultKind::Memory,
];

impl Plan {
    pub fn pig(seed: u64) -> Plan {
        Plan {
            game: "pig",
            preset: "long",
            changes: &[],
            seed,
            on_fault: OnFault::Forfeit,
            two_players: false,
            unready: Vec::new(),
            failures: Vec::new(),
            rate: 0,
            stalled: None,
        }
    }

    fn recording(&self) -> Recording {
        Recording {
            game: self.game,
            preset: self.preset,
            changes: self.changes,
            on_fault: self.on_fault,
            two_players: self.two_players,
            ..pig(self.seed)
        }
    }

    /// Plays the game to its end and records it.
    pub fn record(&self, out: &mut Vec<u8>) {
        let recording = self.recording();
        let table = recording.table();
        let header = recording.header(&*table);
        let names: Vec<String> = table.seats().to_vec();
        let holders: Vec<&str> = header.seats.iter().map(|holder| &*holder.player).collect();
        let mut course = Course::new(table, self.on_fault, &holders, header.seed);
        let mut writer = ReplayWriter::new(out, &header).expect("memory does not fail");
        let mut luck = Stream::new(self.seed, "failures of a test");
        let fault = |seat: Seat, kind, turn, ruling: Ruling| FaultEvent {
            fault: Fault {
                kind,
                seat: names[seat.index()].clone(),
                turn,
                message: "expected an answer, got none of use".into(),
                got: None,
            },
            fatal: ruling.is_fatal(),
        };
        let opening = course.open(None).expect("the opening is due");
        writer.write_opening(&opening).expect("memory does not fail");
        if self.stalled == Some(0) {
            course.stall().expect("bots are getting ready");
        }
        for &seat in self.unready.iter().filter(|&&seat| seat < names.len()) {
            let seat = Seat::new(seat);
            let kind = FaultKind::StartFailed;
            if let Ok(ruling) = course.fault(seat, kind, Phase::Setup) {
                let event = fault(seat, kind, 0, ruling);
                writer.write_fault(&event, None).expect("memory does not fail");
            }
        }
        let mut failures = self.failures.iter().copied().peekable();
        let mut game_event = GameEvent::default();
        loop {
            let due = course.due();
            let (seat, by) = match due {
                Due::Opening => unreachable!("it was opened"),
                Due::Nothing => break,
                Due::Draw => {
                    course.draw(&mut game_event).expect("a draw is due");
                    let drawn = writer.write_chance(course.turn(), &game_event);
                    drawn.expect("memory does not fail");
                    continue;
                }
                Due::Pass(seat) | Due::Substitute(seat) => {
                    course.play_for(&mut game_event).expect("the referee must play");
                    (seat, Some(PlayedBy::Referee))
                }
                Due::Decision(seat) => {
                    let turn = course.turn() + 1;
                    if self.stalled.is_some_and(|when| turn >= when) {
                        course.stall().expect("a bot is deciding");
                        continue;
                    }
                    let phases = [Phase::Answering, Phase::Answering, Phase::Asking, Phase::Ended];
                    let mut phase = *choose(luck.rng(), &phases).expect("a phase");
                    let mut kind = *choose(luck.rng(), &KINDS).expect("a kind");
                    let mut fails = below(luck.rng(), 100) < self.rate;
                    if let Some((_, planned)) = failures.next_if(|&(when, _)| turn >= when) {
                        (fails, phase, kind) = (true, Phase::Answering, planned);
                    }
                    if fails && let Ok(ruling) = course.fault(seat, kind, phase) {
                        let event = fault(seat, kind, turn, ruling);
                        writer.write_fault(&event, None).expect("memory does not fail");
                        continue;
                    }
                    let legal = course.legal();
                    let chosen = choose(luck.rng(), &legal).expect("a legal action").to_string();
                    course.play(&chosen, &mut game_event).expect("a legal action");
                    (seat, None)
                }
            };
            let turn = course.turn();
            writer.write_move(turn, seat, &game_event, None, by, None).expect("memory");
            if ReplayWriter::<Vec<u8>>::state_is_due(turn) {
                let hash = course.table().state_hash();
                writer.write_state(turn, hash).expect("memory does not fail");
            }
        }
        let outcome = course.outcome().expect("the game is over");
        let end = EndEvent { outcome, turns: course.turn(), adjudicated: None };
        let hash = Some(course.table().state_hash());
        writer.write_end(hash, &end, None).expect("memory does not fail");
    }
}

fn plans() -> impl Strategy<Value = Plan> {
    let games = prop_oneof![
        3 => Just(("pig", "long", &[] as &[_])),
        1 => Just(("pig", "short", &[] as &[_])),
        1 => Just(("scotland-yard", "grid-5x5-2", &[] as &[_])),
        1 => Just(("scotland-yard", "nijssen", &[("seats", "pawns")] as &[_])),
        1 => Just(("draughts", "english", &[("draw_quiet_plies", "10")] as &[_])),
    ];
    let rules =
        prop_oneof![Just(OnFault::Forfeit), Just(OnFault::Retry), Just(OnFault::Substitute),];
    let unready = prop_oneof![4 => Just(vec![]), 1 => prop::collection::vec(0..3_usize, 1..3)];
    let stalled = prop_oneof![4 => Just(None), 1 => (0..20_u32).prop_map(Some)];
    let rate = prop_oneof![Just(0), Just(3), Just(15), Just(90)];
    (games, any::<u64>(), rules, any::<bool>(), unready, rate, stalled).prop_map(
        |((game, preset, changes), seed, on_fault, two_players, unready, rate, stalled)| Plan {
            game,
            preset,
            changes,
            on_fault,
            two_players,
            unready,
            rate,
            stalled,
            ..Plan::pig(seed)
        },
    )
}

/// A change to the record: the index of the line, a description, and the new line; `None` to remove
/// it.
type Change = (usize, &'static str, Option<String>);

/// Returns every single change to the referee's decisions after which the record must be refused.
fn lies(lines: &[String]) -> Vec<Change> {
    let parsed: Vec<Value> =
        lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let on_fault = parsed[0]["time_control"]["on_fault"].as_str().expect("a rule");
    let is_void = parsed[parsed.len() - 1]["outcome"]["kind"] == "void";
    let mut lies: Vec<Change> = Vec::new();
    // A forfeit immediately decides a game between two sides, so one of two failures to start may
    // change nothing.
    let unready = parsed.iter().filter(|event| event["kind"] == "start_failed").count();
    let is_shared = unready > 1 && parsed[0]["rules"]["seats"] == "pawns";
    let mut has_asked = false;
    let mut actions: Vec<&str> = Vec::new();
    for (index, (line, event)) in lines.iter().zip(&parsed).enumerate() {
        let mut lie = |what, from: &str, to: &str| {
            assert!(line.contains(from), "{from} in {line}");
            lies.push((index, what, Some(line.replacen(from, to, 1))));
        };
        match event["type"].as_str().expect("a type") {
            "fault" => {
                has_asked |= event["turn"] != 0;
                let kind = format!("\"kind\":\"{}\"", event["kind"].as_str().expect("a kind"));
                let fatal = event["fatal"] == true;
                let (says, not) = match fatal {
                    true => ("\"fatal\":true", "\"fatal\":false"),
                    false => ("\"fatal\":false", "\"fatal\":true"),
                };
                lie("another ruling", says, not);
                if !fatal {
                    lie("a crash that is forgiven", &kind, "\"kind\":\"crash\"");
                }
                if event["turn"] != 0 {
                    let others = parsed[0]["seats"].as_array().expect("seats").iter();
                    let other = others.map(|holder| &holder["seat"]).find(|&s| *s != event["seat"]);
                    let (seat, other) = (&event["seat"], other.expect("two seats"));
                    lie("another seat", &format!("\"seat\":{seat}"), &format!("\"seat\":{other}"));
                }
                let forgiven = on_fault == "substitute" && !fatal;
                if forgiven || fatal && !is_void && !is_shared {
                    lies.push((index, "no failure", None));
                }
            }
            "move" => {
                let start = line.find("\"action\":").expect("an action") + "\"action\":".len();
                let mut values = serde_json::Deserializer::from_str(&line[start..]).into_iter();
                let _: Value = values.next().expect("an action").expect("JSON");
                let action = &line[start..start + values.byte_offset()];
                let chain = ",\"chain\":";
                match event["by"].as_str() {
                    Some("referee") => {
                        lie("a bot's own move", ",\"by\":\"referee\"", "");
                        if let Some(other) = actions.iter().find(|&&other| other != action) {
                            lie("another move of the referee's", action, other);
                        }
                    }
                    Some(_) => {}
                    None => {
                        lie(
                            "a move of the referee's",
                            chain,
                            &format!(",\"by\":\"referee\"{chain}"),
                        );
                        if has_asked {
                            let to = format!(",\"by\":\"record\"{chain}");
                            lie("a move from a record", chain, &to);
                        }
                        has_asked = true;
                    }
                }
                actions.push(action);
            }
            "end" => {
                let kind = event["outcome"]["kind"].as_str().expect("a kind");
                let kinds = ["completed", "bot_fault", "void"].into_iter();
                for other in kinds.filter(|&other| other != kind) {
                    lie("another verdict", &format!("\"{kind}\""), &format!("\"{other}\""));
                }
                let reason = format!("\"reason\":{}", event["outcome"]["reason"]);
                lie("another reason", &reason, "\"reason\":\"bad_weather\"");
                let scores = &event["outcome"]["scores"];
                let mut turned = scores.as_array().expect("scores").clone();
                turned.reverse();
                if json!(turned) != *scores {
                    let (from, to) = (format!("\"scores\":{scores}"), json!(turned));
                    lie("other winners", &from, &format!("\"scores\":{to}"));
                }
            }
            _ => {}
        }
    }
    lies
}

/// Checks that each of these changes is refused. Returns their number.
fn all_refused(original: &[String]) -> Result<usize, String> {
    let lies = lies(original);
    for (index, what, line) in &lies {
        let mut changed = original.to_vec();
        match line {
            Some(line) => changed[*index] = line.clone(),
            None => drop(changed.remove(*index)),
        }
        if check(&rechained(&changed)).is_ok() {
            return Err(format!("{what} is accepted: {} -> {line:?}", original[*index]));
        }
    }
    Ok(lies.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_adjudicated_is_sound_and_any_lie_about_it_is_refused(plan in plans()) {
        let mut bytes = Vec::new();
        plan.record(&mut bytes);
        if let Err(error) = check(&bytes) {
            return Err(TestCaseError::fail(format!("{error}\n{}", String::from_utf8_lossy(&bytes))));
        }
        let text = String::from_utf8(bytes).expect("a replay is UTF-8");
        let refused = all_refused(&lines(&text));
        prop_assert!(refused.is_ok(), "{refused:?}\n{text}");
    }
}

#[test]
fn any_lie_about_a_replay_of_an_earlier_version_is_refused() {
    for (name, text) in refereed_replays() {
        let refused = all_refused(&lines(&text)).unwrap_or_else(|lie| panic!("{name}: {lie}"));
        assert!(refused > 5, "{name}: only {refused} lies");
    }
}
