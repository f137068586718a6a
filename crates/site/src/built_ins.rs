//! The programs of a front end with two built-in bots, for tests in which no game is played.

use botyard_referee::Advice;
use botyard_runner::{BuiltIn, Programs, no_checks, no_endgames};
use botyard_sandbox::Launcher;
use std::collections::BTreeMap;

/// Returns the programs.
pub fn programs() -> Programs {
    let built_in = |name: &str| BuiltIn {
        name: name.into(),
        games: vec!["connect-four".into()],
        options: BTreeMap::new(),
        options_of_games: Vec::new(),
        has_program: false,
    };
    Programs {
        botyard: "false".into(),
        launcher: Launcher { program: "false".into(), args: Vec::new() },
        built_ins: ["random", "greedy"].map(built_in).to_vec(),
        advice: Advice::default(),
        endgames: no_endgames,
        checks: no_checks,
        quiet_within: std::time::Duration::ZERO,
    }
}
