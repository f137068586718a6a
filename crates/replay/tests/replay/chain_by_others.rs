//! The page about the format is correct: its Python code checks a chain, and its example is a
//! replay.

use crate::recorded_game::scotland_yard;
use std::path::Path;
use std::process::{Command, Output};

const PAGE: &str = include_str!("../../../../docs/replay.md");

fn block(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let start = PAGE.find(&fence).expect("there is such a block") + fence.len();
    &PAGE[start..start + PAGE[start..].find("```").expect("a block ends")]
}

fn run(program: &Path, replay: &[u8]) -> Output {
    let file = program.with_extension("ndjson");
    std::fs::write(&file, replay).expect("a file in a temporary directory");
    let output = Command::new("python3").arg(program).arg(file).output();
    output.expect("python3 is needed for this test")
}

#[test]
fn six_lines_of_python_check_a_chain() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = directory.path().join("check.py");
    std::fs::write(&program, block("python")).expect("a file in a temporary directory");
    let replay = scotland_yard("bristol", 31).bytes();
    let sound = run(&program, &replay);
    assert!(sound.status.success(), "{sound:?}");
    // Change a byte in the second half, but not in a time: times are not covered by the chain.
    let half = replay.len() / 2;
    let later = replay[half..].windows(9).position(|bytes| bytes == b"\"action\":");
    let at = half + later.expect("there are moves in the second half") + 12;
    let mut changed = replay.clone();
    changed[at] = if changed[at] == b'1' { b'2' } else { b'1' };
    let refused = run(&program, &changed);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let line = 1 + replay[..at].iter().filter(|&&byte| byte == b'\n').count();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains(&format!("line {line} ")), "{said}");
}

#[test]
fn the_example_of_the_page_is_a_sound_replay() {
    let report = crate::recorded_game::check(block("json").as_bytes()).expect("a sound replay");
    assert_eq!(report.header.game, "scotland-yard");
    assert!(report.turns > 3 && report.hashes > 0);
}
