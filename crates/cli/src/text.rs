//! Text on standard output and standard error, written without a panic where nobody reads.

use botyard_runner::Error;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// Prints text.
///
/// # Errors
///
/// Those of the output; [`io::ErrorKind::BrokenPipe`] where the reader has gone (`| head`).
pub fn out(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints an event for a program: JSON on a line.
///
/// # Errors
///
/// Those of the output.
pub fn tell(event: impl Serialize) -> Result<(), Error> {
    let line = serde_json::to_string(&event).map_err(Error::host)?;
    out(&format!("{line}\n")).map_err(Error::Output)
}

/// Prints a line about work whose result is a file: with nobody to read it the work is worth as much.
pub fn mention(line: &str) {
    let _ = out(&format!("{line}\n"));
}

/// Prints a line to standard error, read or not.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints warnings to standard error, each of them once in the life of this program.
pub fn warn(warnings: &[String]) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    for warning in warnings {
        if printed.insert(warning.clone()) {
            note(&format!("warning: {warning}"));
        }
    }
}
