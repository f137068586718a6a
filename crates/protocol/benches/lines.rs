//! The cost of reading and writing the two lines of a ply: nanoseconds per line, best of several
//! rounds, compared with `serde_json` and its untyped `Value` on the same bytes.

use botyard_protocol::{
    Clock, ClockKind, Limits, LineBuffer, parse_bot_line, parse_referee_line, write_turn_line,
};
use serde_json::Value;
use std::hint::black_box;
use std::time::Instant;

const MOVE: &[u8] = br#"{"type":"move","turn":117,"action":{"detective":2,"ticket":"underground","to":145},"info":{"score":0.5}}"#;

/// Nanoseconds per call: the best of 20 rounds.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 20_000;
    let round = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(CALLS)
    };
    (0..20).map(round).fold(f64::INFINITY, f64::min)
}

fn main() {
    let limits = Limits::default();
    let legal: Vec<String> =
        (1..=13).map(|to| format!(r#"{{"detective":2,"ticket":"taxi","to":{to}}}"#)).collect();
    let legal = format!("[{}]", legal.join(","));
    let view = format!(
        r#"{{"round":4,"log":[{}]}}"#,
        vec![r#"{"ticket":"taxi","station":13}"#; 40].join(",")
    );
    let clock = Clock { kind: ClockKind::Wall, move_ms: Some(100), bank_ms: None, increment_ms: 0 };
    let mut turn = Vec::new();
    write_turn_line(&mut turn, 117, "detectives", view.as_bytes(), Some(legal.as_bytes()), &clock);

    let value = |line: &[u8]| drop(black_box(serde_json::from_slice::<Value>(line).expect("JSON")));
    let report = |what: &str, bytes: usize, ours: f64, theirs: f64| {
        println!(
            "{what:<28} {bytes:>5} bytes {ours:>8.0} ns   Value {theirs:>8.0} ns   ratio {:.2}",
            ours / theirs
        );
    };
    let read =
        nanoseconds(|| drop(black_box(parse_bot_line(black_box(MOVE), &limits).expect("a move"))));
    report("referee reads a move", MOVE.len(), read, nanoseconds(|| value(black_box(MOVE))));

    let read =
        nanoseconds(|| drop(black_box(parse_referee_line(black_box(&turn)).expect("a turn"))));
    report("bot reads a turn", turn.len(), read, nanoseconds(|| value(black_box(&turn))));

    let mut out = Vec::new();
    let write = nanoseconds(|| {
        out.clear();
        write_turn_line(
            &mut out,
            117,
            "detectives",
            view.as_bytes(),
            Some(legal.as_bytes()),
            &clock,
        );
        black_box(&out);
    });
    let message: Value = serde_json::from_slice(&turn).expect("JSON");
    let untyped = nanoseconds(|| drop(black_box(serde_json::to_vec(black_box(&message)))));
    report("referee writes a turn", turn.len(), write, untyped);

    let mut buffer = LineBuffer::new(64 * 1024);
    let line = [MOVE, b"\n"].concat();
    let frame = nanoseconds(|| {
        buffer.space()[..line.len()].copy_from_slice(&line);
        buffer.filled(line.len());
        black_box(buffer.next_line().expect("within the limit"));
        black_box(buffer.next_line().expect("within the limit"));
    });
    println!("{:<28} {:>5} bytes {frame:>8.0} ns", "a move through LineBuffer", line.len());
}
