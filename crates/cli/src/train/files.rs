//! The files of training, read whole and written atomically.

use crate::failure::Failure;
use crate::text::{eprint_progress, out};
use botyard_league::atomic_file;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

/// Reads all bytes of a file.
///
/// # Errors
///
/// The file cannot be read.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))
}

/// Reads the evaluation of this name, or else the one with the weights in this file.
pub(super) fn evaluator<E, W: Display>(
    name: &str,
    named: impl Fn(&str) -> Option<E>,
    with_weights: impl Fn(&[u8]) -> Result<E, W>,
) -> anyhow::Result<E> {
    match named(name) {
        Some(evaluator) => Ok(evaluator),
        None => with_weights(&read(Path::new(name))?)
            .map_err(|error| Failure::usage(format!("{name}: {error}"))),
    }
}

/// Prints an epoch, and the error on positions or games that were not learned from.
pub(super) fn show_epoch(epoch: u32, of: u32, what: &str, error: f64) {
    eprint_progress(&format!("epoch {epoch} of {of}: error on {what} not learned from {error:.5}"));
}

/// Writes weights atomically, and prints where.
///
/// # Errors
///
/// The path is not writable.
pub(super) fn save_weights(path: &Path, bytes: &[u8]) -> anyhow::Result<ExitCode> {
    let shown = path.display();
    atomic_file::replace(path, bytes)
        .map_err(|error| Failure::host(format!("cannot write {shown}: {error}")))?;
    out(&format!("{} bytes of weights written to {shown}\n", bytes.len()))?;
    Ok(ExitCode::SUCCESS)
}
