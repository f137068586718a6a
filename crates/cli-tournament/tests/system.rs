//! The program `botyard-tournament` as it is without `botyard`.

use std::process::Command;

#[test]
fn help_and_errors_are_those_of_botyard() {
    let run = |args: &[&str]| {
        let ran =
            Command::new(env!("CARGO_BIN_EXE_botyard-tournament")).args(args).output().unwrap();
        let text = [ran.stdout, ran.stderr].concat();
        (ran.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, help) = run(&["tournament", "run", "--help"]);
    assert_eq!(code, Some(0), "{help}");
    assert!(help.contains("Usage: botyard tournament run"), "{help}");
    let missing = concat!(env!("CARGO_TARGET_TMPDIR"), "/missing");
    let (code, refusal) = run(&["tournament", "resume", missing]);
    assert_eq!(code, Some(2), "{refusal}");
    assert!(refusal.contains("there is no tournament in"), "{refusal}");
}
