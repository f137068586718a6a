//! The launcher, as its caller sees it: a program and its arguments.

use std::ffi::OsString;
use std::path::PathBuf;

/// A program that calls `serve_launcher`, and the arguments that make it do so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl Launcher {
    /// Returns a launcher that runs the current executable again with these arguments. Works even
    /// if its file has been replaced since the program started.
    pub fn this_program(args: &[&str]) -> Launcher {
        let args = args.iter().map(OsString::from).collect();
        Launcher { program: "/proc/self/exe".into(), args }
    }
}
