//! Text on standard output and standard error, written without a panic on a closed pipe.

use botyard_runner::settings::Named;
use botyard_runner::{Error, JsonLines, Piece, message};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
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

/// Prints the text of a verb that has succeeded, and returns its exit code.
///
/// # Errors
///
/// Those of the output.
pub fn done(text: &str) -> anyhow::Result<ExitCode> {
    out(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the JSON of a verb that has succeeded, over several lines, and returns its exit code.
///
/// # Errors
///
/// Those of the output.
pub fn done_json(json: &Value) -> anyhow::Result<ExitCode> {
    done(&format!("{json:#}\n"))
}

/// Prints an event as one line of JSON.
///
/// # Errors
///
/// Those of the output.
pub fn print_event(event: impl Serialize) -> Result<(), Error> {
    JsonLines::new(io::stdout()).write(&event)
}

/// Prints a line and ignores errors: for work whose result is a file.
pub fn eprint_progress(line: &str) {
    let _ = out(&format!("{line}\n"));
}

/// Prints text to standard error.
///
/// # Errors
///
/// Those of the output.
pub fn eprint_text(text: &str) -> io::Result<()> {
    io::stderr().write_all(text.as_bytes())
}

/// Prints a line to standard error and ignores errors.
pub fn eprint_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints a warning to standard error while games are played, in place of a progress bar, which is
/// drawn again.
pub fn warn_during_games(warning: &str) {
    let clear = if io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
    eprint_line(&format!("{clear}warning: {warning}"));
}

/// Prints warnings to standard error, each once per process.
pub fn warn(warnings: &[impl Piece]) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    for warning in warnings {
        let warning = message![*warning].text(Named::option);
        if printed.insert(warning.clone()) {
            eprint_line(&format!("warning: {warning}"));
        }
    }
}
