//! The launcher as its caller knows it: which program it is.

use std::ffi::OsString;
use std::path::PathBuf;

/// The program that calls `serve_launcher`, and what makes it do so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl Launcher {
    /// This very program, started again with these arguments; also where its file was replaced
    /// since it was started.
    pub fn this_program(args: &[&str]) -> Launcher {
        let args = args.iter().map(OsString::from).collect();
        Launcher { program: "/proc/self/exe".into(), args }
    }
}
