//! The program `botyard-workers` as it is without `botyard`.

use std::process::Command;

#[test]
fn help_and_errors_are_those_of_botyard() {
    let run = |args: &[&str]| {
        let ran = Command::new(env!("CARGO_BIN_EXE_botyard-workers")).args(args).output().unwrap();
        let text = [ran.stdout, ran.stderr].concat();
        (ran.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, help) = run(&["worker", "--help"]);
    assert_eq!(code, Some(0), "{help}");
    assert!(help.contains("Usage: botyard worker"), "{help}");
    let (code, refusal) = run(&["worker", "--store", ""]);
    assert_eq!(code, Some(2), "{refusal}");
    assert!(refusal.contains("no store is named"), "{refusal}");
}
