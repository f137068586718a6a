//! The programs of a front end with two built-in bots, for tests in which no game is played.

use botyard_runner::{BuiltIn, Programs};
use botyard_sandbox::Launcher;

/// Returns the programs.
pub(crate) fn programs() -> Programs {
    let built_in = |name: &str| BuiltIn {
        name: name.into(),
        games: vec!["connect-four".into()],
        ..BuiltIn::default()
    };
    let launcher = Launcher { program: "false".into(), args: Vec::new() };
    let built_ins = ["random", "greedy"].map(built_in).to_vec();
    Programs { built_ins, ..Programs::new(launcher) }
}
