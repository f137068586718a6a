//! `botyard egdb check`: is a file whole, and, if asked, is every value in it right?

use super::{counts, read_file};
use crate::failure::{FAILED, Failure};
use crate::text::{note, out};
use botyard_bots::draughts::endgames::{Counts, LoadError, data_file, read};
use botyard_engine::draughts::endgame::Endgames;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard egdb check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard egdb check
  botyard egdb check three.egdb --deep

The exit code is 1 if the file is damaged or, with --deep, if a value in it is wrong.")]
pub struct CheckArgs {
    /// The file [default: where `botyard egdb build` puts it]
    pub file: Option<PathBuf>,

    /// Also hold the value of every position to those after its moves
    #[arg(long)]
    pub deep: bool,

    /// Print JSON for a program to read
    #[arg(long)]
    pub json: bool,
}

/// The file that is meant where none is named.
pub fn usual_file(file: Option<&PathBuf>) -> anyhow::Result<PathBuf> {
    file.cloned().or_else(data_file).ok_or_else(|| {
        Failure::usage("HOME is not set, so there is no usual file; say which one is meant")
    })
}

/// Checks, and prints the counts.
///
/// # Errors
///
/// A file that is not there, and what the host cannot do.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let path = usual_file(args.file.as_ref())?;
    let endgames = match read(&path) {
        Ok(endgames) => endgames,
        Err(error @ LoadError::Format { .. }) => return failed(args, &error.to_string()),
        Err(_) => read_file(&path)?,
    };
    let verified = if args.deep { verify(&endgames) } else { Ok(None) };
    let verified = match verified {
        Ok(verified) => verified,
        Err(mismatch) => return failed(args, &format!("{}: {mismatch}", path.display())),
    };
    if args.json {
        let mut json = json!(Counts::of(&endgames));
        json["file"] = json!(path);
        json["error"] = json!(null);
        json["verified"] = json!(verified.unwrap_or(0));
        out(&format!("{json:#}\n"))?;
    } else {
        let verified = match verified {
            Some(count) => format!("the values of {count} positions follow from their moves\n"),
            None => String::new(),
        };
        let classes = endgames.classes().len();
        out(&format!(
            "{}\n{}: {classes} classes, all with their checksums\n{verified}",
            counts::table(&endgames),
            path.display()
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn failed(args: &CheckArgs, error: &str) -> anyhow::Result<ExitCode> {
    if args.json {
        out(&format!("{:#}\n", json!({ "error": error })))?;
    } else {
        note(error);
    }
    Ok(ExitCode::from(FAILED))
}

/// Verifies every class, and says how many positions that were.
fn verify(endgames: &Endgames) -> Result<Option<u64>, String> {
    let mut positions = 0;
    for class in endgames.classes() {
        positions +=
            endgames.verify(class).map_err(|mismatch| format!("{class} is wrong: {mismatch}"))?;
    }
    Ok(Some(positions))
}
