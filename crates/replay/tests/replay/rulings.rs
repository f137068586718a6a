//! The rulings on every kind of fault under every rule, as a table; and replays that claim more
//! than the rules allow.

use crate::recorded_game::{any_table, check, lines, pig, rechained};
use botyard_engine::{GameEvent, Seat, Table};
use botyard_protocol::FaultKind::{
    self, Closed, Crash, IllegalAction, Memory, OutputLimit, Protocol, StartFailed, Timeout,
};
use botyard_protocol::{OnFault, OutcomeKind};
use botyard_replay::Phase::{Answering, Asking, Ended, Setup};
use botyard_replay::{Course, CourseError, Due, Phase, RETRIES, Ruling, STRIKES};
use serde_json::json;

type AnyCourse = Course<Box<dyn Table>>;

/// Returns an endless dice race for three seats with these holders.
fn course(on_fault: OnFault, holders: [u8; 3]) -> AnyCourse {
    let table = any_table("pig", &json!({ "target": 1000, "rounds": 1000 })).expect("good rules");
    let mut course = Course::new(table, on_fault, &holders, Some(1.into()));
    course.open(None).expect("the opening is due");
    course
}

/// Each seat has its own bot.
const SINGLE: [u8; 3] = [0, 1, 2];

/// Plays `hold` for all seats until it is this seat's turn.
fn up_to(course: &mut AnyCourse, seat: Seat) {
    let mut game_event = GameEvent::default();
    loop {
        match course.due() {
            Due::Decision(other) if other == seat => return,
            Due::Decision(_) => course.play("\"hold\"", &mut game_event),
            Due::Substitute(_) | Due::Pass(_) => course.play_for(&mut game_event),
            Due::Draw => course.draw(&mut game_event),
            due @ (Due::Opening | Due::Nothing) => panic!("it is never {seat:?}'s turn: {due}"),
        }
        .expect("a step that is due");
    }
}

/// Returns how often the same fault is forgiven before it forfeits; `None` if it is impossible.
fn forgiven(on_fault: OnFault, kind: FaultKind, phase: Phase) -> Option<u32> {
    let east = Seat::new(1);
    let mut course = course(on_fault, SINGLE);
    let mut times = 0;
    loop {
        if phase != Setup {
            up_to(&mut course, east);
        }
        let foretold = course.ruling(east, kind, phase);
        let ruling = course.fault(east, kind, phase);
        assert_eq!(foretold, ruling, "{on_fault:?}, {kind:?}, {phase}");
        match ruling {
            Ok(Ruling::Forfeit) => {
                assert!(course.has_forfeited(east));
                return Some(times);
            }
            Ok(Ruling::Retry) => assert_eq!(course.due(), Due::Decision(east)),
            Ok(Ruling::Substitute) => assert_eq!(course.due(), Due::Substitute(east)),
            Err(error) => {
                assert!(matches!(error, CourseError::Impossible { .. }), "{error}");
                assert!(!course.has_forfeited(east));
                return None;
            }
        }
        times += 1;
    }
}

#[test]
fn failures_are_forgiven_this_often() {
    const STRUCK: u32 = STRIKES - 1;
    let (never, always_fatal) = (None, Some(0));
    // The kind and the phase; how often the fault is forgiven under forfeit, retry and substitute.
    let table = [
        (StartFailed, Setup, [always_fatal; 3]),
        (Timeout, Setup, [always_fatal; 3]),
        (Protocol, Setup, [always_fatal; 3]),
        (Crash, Setup, [always_fatal; 3]),
        (IllegalAction, Setup, [never; 3]),
        (Timeout, Asking, [Some(0), Some(0), Some(STRUCK)]),
        (Protocol, Asking, [Some(0), Some(0), Some(STRUCK)]),
        (Crash, Asking, [always_fatal; 3]),
        (IllegalAction, Asking, [never; 3]),
        (Timeout, Answering, [Some(0), Some(0), Some(STRUCK)]),
        (Protocol, Answering, [Some(0), Some(RETRIES), Some(STRUCK)]),
        (IllegalAction, Answering, [Some(0), Some(RETRIES), Some(STRUCK)]),
        (Crash, Answering, [always_fatal; 3]),
        (Closed, Answering, [always_fatal; 3]),
        (OutputLimit, Answering, [always_fatal; 3]),
        (Memory, Answering, [always_fatal; 3]),
        (Timeout, Ended, [always_fatal; 3]),
        (Protocol, Ended, [never; 3]),
        (IllegalAction, Ended, [never; 3]),
    ];
    for (kind, phase, expected) in table {
        let rules = [OnFault::Forfeit, OnFault::Retry, OnFault::Substitute];
        let found = rules.map(|on_fault| forgiven(on_fault, kind, phase));
        assert_eq!(found, expected, "{kind:?}, {phase}");
    }
}

#[test]
fn retries_are_counted_for_a_decision_and_strikes_for_a_bot_in_a_game() {
    let (north, east, south) = (Seat::new(0), Seat::new(1), Seat::new(2));
    let mut game_event = GameEvent::default();
    let mut retried = course(OnFault::Retry, SINGLE);
    for _ in 0..3 {
        up_to(&mut retried, east);
        for _ in 0..RETRIES {
            assert_eq!(retried.fault(east, IllegalAction, Answering), Ok(Ruling::Retry));
        }
        // It had received its question before it was asked again.
        let unasked = retried.ruling(east, Protocol, Asking);
        assert!(matches!(unasked, Err(CourseError::Impossible { .. })), "{unasked:?}");
        retried.play("\"hold\"", &mut game_event).expect("its decision is due");
    }
    // East and south belong to one bot, whose strikes are added; north's are separate.
    let mut struck = course(OnFault::Substitute, [7, 3, 3]);
    let order = [(north, 1), (east, 1), (south, 2), (north, 2)];
    for (seat, strike) in order {
        up_to(&mut struck, seat);
        let ruling = struck.fault(seat, Timeout, Answering);
        assert_eq!(ruling, Ok(Ruling::Substitute), "{seat:?}, strike {strike}");
        struck.play_for(&mut game_event).expect("a substitute is due");
    }
    up_to(&mut struck, south);
    assert_eq!(struck.fault(south, Timeout, Answering), Ok(Ruling::Forfeit));
    assert!(struck.has_forfeited(east) && struck.has_forfeited(south));
    let outcome = struck.outcome().expect("one bot is left");
    assert_eq!(outcome.kind, OutcomeKind::BotFault);
    assert_eq!((&outcome.ranks[..], &*outcome.reason), (&[1, 2, 3][..], "forfeit_timeout"));
}

#[test]
fn a_seat_that_has_forfeited_passes_and_nothing_else() {
    let east = Seat::new(1);
    let mut game_event = GameEvent::default();
    let mut course = course(OnFault::Forfeit, SINGLE);
    assert_eq!(course.fault(east, StartFailed, Setup), Ok(Ruling::Forfeit));
    assert_eq!(course.fault(east, Crash, Setup), Err(CourseError::Forfeited(east)));
    assert!(!course.is_decided() && course.outcome().is_none());
    up_to(&mut course, Seat::new(2));
    assert!(course.turn() <= 2, "{}", course.turn());
    let error = course.fault(Seat::new(0), Crash, Answering).expect_err("it was not asked");
    assert!(matches!(error, CourseError::NotDue { due: Due::Decision(_), .. }), "{error}");
    let error = course.play_for(&mut game_event).expect_err("a bot must decide");
    assert!(matches!(error, CourseError::NotDue { .. }), "{error}");
    let error = course.draw(&mut game_event).expect_err("no chance outcome is due");
    assert_eq!(error.to_string(), "expected a decision of seat 3, got a draw");
}

#[test]
fn nobody_wins_where_everybody_fails() {
    let mut course = course(OnFault::Forfeit, SINGLE);
    for seat in Seat::all(3) {
        assert_eq!(course.fault(seat, StartFailed, Setup), Ok(Ruling::Forfeit));
    }
    let outcome = course.outcome().expect("no seat is left");
    assert_eq!(outcome.kind, OutcomeKind::BotFault);
    assert_eq!((outcome.scores, outcome.ranks), (vec![0.0; 3], vec![1; 3]));
}

#[test]
fn a_stalled_game_is_void_whatever_follows() {
    let mut at_setup = course(OnFault::Forfeit, SINGLE);
    at_setup.stall().expect("a bot is getting ready");
    for seat in Seat::all(3) {
        assert_eq!(at_setup.fault(seat, Crash, Setup), Ok(Ruling::Forfeit));
    }
    let mut at_a_decision = course(OnFault::Retry, SINGLE);
    up_to(&mut at_a_decision, Seat::new(2));
    at_a_decision.stall().expect("a bot is deciding");
    for course in [at_setup, at_a_decision] {
        assert_eq!((course.due(), course.is_decided()), (Due::Nothing, true));
        let outcome = course.outcome().expect("a void game is over");
        assert_eq!((outcome.kind, &*outcome.reason), (OutcomeKind::Void, "host_overloaded"));
        assert!(outcome.scores.is_empty() && outcome.ranks.is_empty());
    }
    let mut failed = course(OnFault::Retry, SINGLE);
    failed.host_failed().expect("a bot is getting ready");
    let outcome = failed.outcome().expect("a void game is over");
    assert_eq!((outcome.kind, &*outcome.reason), (OutcomeKind::Void, "host_failed"));
    let mut drawing = course(OnFault::Forfeit, SINGLE);
    drawing.play("\"roll\"", &mut GameEvent::default()).expect("a decision is due");
    assert!(drawing.stall().is_err(), "no bot is expected to do anything");
    assert!(drawing.host_failed().is_err(), "no bot had to be run");
}

#[test]
fn a_record_stands_at_the_beginning() {
    let mut game_event = GameEvent::default();
    let mut course = course(OnFault::Retry, SINGLE);
    for _ in 0..2 {
        course.play_recorded("\"hold\"", &mut game_event).expect("no bot was asked");
    }
    assert_eq!(course.fault(Seat::new(2), Protocol, Answering), Ok(Ruling::Retry));
    let error = course.play_recorded("\"hold\"", &mut game_event).expect_err("a bot was asked");
    assert!(matches!(error, CourseError::NotDue { .. }), "{error}");
    course.play("\"hold\"", &mut game_event).expect("its decision is due");
}

#[test]
fn without_a_seed_nothing_is_drawn() {
    let table = any_table("pig", &json!({ "target": 1000, "rounds": 1000 })).expect("good rules");
    let mut course = Course::new(table, OnFault::Substitute, &SINGLE, None);
    let mut game_event = GameEvent::default();
    assert_eq!(course.open(None), Err(CourseError::NoSeed("the opening")));
    course.open(Some("{\"banked\":[0,0,0]}")).expect("a good opening");
    course.play("\"roll\"", &mut game_event).expect("a decision is due");
    assert_eq!(course.draw(&mut game_event), Err(CourseError::NoSeed("a chance outcome")));
    course.draw_recorded("{\"face\":6}", &mut game_event).expect("a good face");
    assert_eq!(course.fault(Seat::new(0), Timeout, Answering), Ok(Ruling::Substitute));
    assert_eq!(course.play_for(&mut game_event), Err(CourseError::NoSeed("a substitute")));
}

/// Returns the check of a replay in which east fails at its first decision from 10 on, and then
/// repeats the fault `more` times.
fn with_more_faults(on_fault: OnFault, more: usize) -> Result<u32, String> {
    let fault = Some((1, 10, Protocol));
    let recording = crate::recorded_game::Recording { fault, on_fault, ..pig(2) };
    let mut lines = lines(&recording.text());
    let at = lines.iter().position(|line| line.starts_with("{\"type\":\"fault\""));
    let at = at.expect("there is a fault");
    let fault = lines[at].clone();
    lines.splice(at..at, std::iter::repeat_n(fault, more));
    let checked = check(&rechained(&lines));
    checked.map(|report| report.faults).map_err(|error| error.to_string())
}

#[test]
fn a_replay_with_more_retries_than_the_rules_allow_is_refused() {
    let limit = RETRIES as usize;
    assert_eq!(with_more_faults(OnFault::Retry, limit - 1), Ok(RETRIES));
    for more in [limit, 50] {
        let error = with_more_faults(OnFault::Retry, more).expect_err("too many retries");
        assert!(error.contains("this fault forfeits, but \"fatal\" is false"), "{error}");
    }
    let error = with_more_faults(OnFault::Substitute, 1).expect_err("a substitute is due");
    assert!(error.contains("it was not east's turn"), "{error}");
}

#[test]
fn a_replay_with_more_strikes_than_the_rules_allow_is_refused() {
    // Three bots with one fault each; then the same faults of one bot with three seats.
    let mut bytes = Vec::new();
    let replay = crate::random_courses::Plan {
        on_fault: OnFault::Substitute,
        failures: vec![(1, Timeout), (2, Timeout), (3, Timeout)],
        ..crate::random_courses::Plan::pig(5)
    };
    replay.record(&mut bytes);
    let text = String::from_utf8(bytes).expect("a replay is UTF-8");
    assert_eq!(check(text.as_bytes()).expect("a sound replay").faults, 3);
    let mut lines = lines(&text);
    let header = &lines[0];
    let players = header.find("\"seats\":[").expect("a header has seats");
    let end = header.find(",\"chain\":").expect("a line has a chain");
    let seat = |name: &str| format!("{{\"seat\":\"{name}\",\"player\":\"all\"}}");
    let seats = ["north", "east", "south"].map(seat).join(",");
    lines[0] = format!(
        "{}\"seats\":[{seats}],\"players\":[{{\"name\":\"all\",\"seats\":[\"north\",\"east\",\
         \"south\"],\"bot\":null,\"options\":{{}},\"command_sha256\":null}}]{}",
        &header[..players],
        &header[end..]
    );
    let error = check(&rechained(&lines)).expect_err("three strikes of one bot").to_string();
    assert!(error.contains("this fault forfeits, but \"fatal\" is false"), "{error}");
}
