//! `botyard play` at a pseudo terminal: editing of lines, and the state of the terminal after every
//! end. `at_terminal.py` types and reads.

use crate::command::{BOTYARD, Desk, finish, repository};
use std::process::{Command, Stdio};

fn went_well(scenario: &str) {
    let desk = Desk::new();
    let mut command = Command::new("python3");
    command.arg(repository("tests/system/at_terminal.py")).args([scenario, BOTYARD]);
    command.current_dir(desk.path("")).env_remove("NO_COLOR");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = finish(command.spawn().expect("python3 starts"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn history_and_completion() {
    went_well("history_and_completion");
}

#[test]
fn keys_typed_while_a_bot_thinks_are_kept() {
    went_well("typed_while_a_bot_thinks");
}

#[test]
fn control_c_interrupts() {
    went_well("control_c_interrupts");
}

#[test]
fn control_d_leaves() {
    went_well("control_d_leaves");
}

#[test]
fn a_signal_ends_the_game() {
    went_well("a_signal_ends_the_game");
}

#[test]
fn the_game_ends_while_a_line_is_typed() {
    went_well("the_game_ends_while_a_line_is_typed");
}

#[test]
fn a_closed_terminal_leaves_a_saved_game() {
    went_well("the_terminal_is_closed");
}
