//! Text on standard output and standard error, written without a panic on a closed pipe.

use crate::settings::with_options;
use botyard_runner::Error;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// Prints text.
///
/// # Errors
///
/// Those of the output; [`io::ErrorKind::BrokenPipe`] if the reader closed the pipe (`| head`).
pub fn out(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints an event as one line of JSON.
///
/// # Errors
///
/// Those of the output.
pub fn print_event(event: impl Serialize) -> Result<(), Error> {
    let line = serde_json::to_string(&event).map_err(Error::host)?;
    out(&format!("{line}\n")).map_err(Error::Output)
}

/// Prints a line and ignores errors: for work whose result is a file.
pub fn eprint_progress(line: &str) {
    let _ = out(&format!("{line}\n"));
}

/// Prints a line to standard error and ignores errors.
pub fn eprint_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints warnings to standard error, each once per process.
pub fn warn(warnings: &[String]) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    for warning in warnings {
        if printed.insert(warning.clone()) {
            eprint_line(&format!("warning: {}", with_options(warning)));
        }
    }
}
