//! `botyard replay`: prints, verifies and exports recorded games. The crate `botyard-replay` reads and
//! checks them; this module has the files, messages and exit codes.

use crate::failure::{FAILED, Failure};
use crate::text::note;
use botyard_league::atomic_file;
use botyard_replay::{
    ExportError, ReadError, ReplayReader, ShowError, StdinError, VerifyError, VerifyReport,
    compress, compressed_path, export, is_compressed_path, registered_table, show, verify,
    write_stdin,
};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `botyard replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard replay show replays/GAME.ndjson

Every verb reads replays that are compressed with gzip (NAME.ndjson.gz) as well, also under the name that they
had before. docs/replay.md describes the format.")]
pub struct ReplayArgs {
    /// The verb.
    #[command(subcommand)]
    pub verb: ReplayVerb,
}

/// The verbs of `botyard replay`.
#[derive(Debug, Subcommand)]
pub enum ReplayVerb {
    /// Print the game move by move
    Show(ShowArgs),
    /// Check that replays are unmodified and follow the rules
    Verify(VerifyArgs),
    /// Print the exact lines that a bot was sent, to rerun it in a debugger
    Stdin(StdinArgs),
    /// Make a copy for one seat, without the information hidden from it
    Export(ExportArgs),
    /// Compress replays in their place; gunzip decompresses them
    Compress(CompressArgs),
}

/// `botyard replay show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard replay show replays/GAME.ndjson
  botyard replay show replays/GAME.ndjson --seat detectives --until 40")]
pub struct ShowArgs {
    /// Replay file
    pub file: PathBuf,
    /// Print only what this seat saw: its name, or its number from 1
    #[arg(long)]
    pub seat: Option<String>,
    /// Stop after decision TURN, counted from 1
    #[arg(long, value_name = "TURN")]
    pub until: Option<u32>,
}

/// `botyard replay verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard replay verify replays/GAME.ndjson
  botyard replay verify replays/*.ndjson.gz

Exit code: 0 if all replays are sound, 1 otherwise.")]
pub struct VerifyArgs {
    /// Replay files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object per line for each replay
    #[arg(long)]
    pub json: bool,
}

/// `botyard replay stdin`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard replay stdin replays/GAME.ndjson --seat 2 > input.ndjson
  botyard replay stdin replays/GAME.ndjson --seat mr-x | python3 mine.py")]
pub struct StdinArgs {
    /// Replay file
    pub file: PathBuf,
    /// Seat of the bot: its name, or its number from 1
    #[arg(long)]
    pub seat: String,
    /// Stop after the request for decision TURN, counted from 1
    #[arg(long, value_name = "TURN")]
    pub until: Option<u32>,
}

/// `botyard replay export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard replay export replays/GAME.ndjson --seat detectives --out seen.ndjson")]
pub struct ExportArgs {
    /// Replay file
    pub file: PathBuf,
    /// Seat that the copy is for: its name, or its number from 1
    #[arg(long)]
    pub seat: String,
    /// Write the copy to this new file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `botyard replay compress`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard replay compress class.tournament/replays/*/*.ndjson

NAME.ndjson becomes NAME.ndjson.gz. A replay without an end, or with a line that was changed, stays as it is, and
the exit code is 1.")]
pub struct CompressArgs {
    /// The replays
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// Runs a verb of `botyard replay`.
///
/// # Errors
///
/// A missing file, an unknown seat, and failures of the host. An unsound replay is not an error: the reason
/// goes to standard error and the exit code is 1.
pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    match &args.verb {
        ReplayVerb::Show(args) => run_show(args),
        ReplayVerb::Verify(args) => run_verify(args),
        ReplayVerb::Stdin(args) => run_stdin(args),
        ReplayVerb::Export(args) => run_export(args),
        ReplayVerb::Compress(args) => run_compress(args),
    }
}

fn run_show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let shown =
        open(&args.file).map_err(|error| ShowError::Verify(error.into())).and_then(|reader| {
            show(reader, &registered_table, args.seat.as_deref(), args.until, &mut out)
        });
    // The sound part is printed before the error.
    out.flush()?;
    match shown {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(ShowError::Verify(error)) => not_sound(&args.file, error),
        Err(ShowError::Seat(error)) => Err(Failure::usage(error)),
        Err(ShowError::Host(error)) => Err(error.into()),
    }
}

fn run_verify(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mut code = ExitCode::SUCCESS;
    for file in &args.files {
        let verified =
            open(file).map_err(Into::into).and_then(|reader| verify(reader, &registered_table));
        if args.json {
            let file = file.display().to_string();
            let line = match &verified {
                Ok(report) => as_json(&file, report),
                Err(error) => json!({ "file": file, "sound": false, "error": error.to_string() }),
            };
            writeln!(out, "{line}")?;
        }
        match verified {
            Ok(_) if args.json => {}
            Ok(report) => writeln!(out, "{}: {}", file.display(), in_words(&report))?,
            Err(error) => code = not_sound(file, error)?,
        }
    }
    Ok(code)
}

fn run_stdin(args: &StdinArgs) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written =
        open(&args.file).map_err(|error| StdinError::Verify(error.into())).and_then(|reader| {
            write_stdin(reader, &registered_table, &args.seat, args.until, &mut out)
        });
    match written {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(StdinError::Verify(error)) => {
            out.flush()?;
            not_sound(&args.file, error)
        }
        Err(StdinError::Seat(error)) => Err(Failure::usage(error)),
        Err(StdinError::Host(error)) => Err(error.into()),
    }
}

fn run_export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let reader = match open(&args.file) {
        Ok(reader) => reader,
        Err(error) => return not_sound(&args.file, error.into()),
    };
    // Checked before a file is created.
    if let Err(error) = reader.header().find_seat(&args.seat) {
        return Err(Failure::usage(error));
    }
    if let Some(seat) = reader.header().view_of.clone() {
        return Err(Failure::usage(ExportError::AlreadyACopy { seat }));
    }
    let exported = match &args.out {
        Some(path) => export(reader, &args.seat, new_file(path)?),
        None => export(reader, &args.seat, io::stdout().lock()),
    };
    match exported {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(ExportError::Read(error)) => not_sound(&args.file, error.into()),
        Err(ExportError::Host(error)) => Err(error.into()),
        Err(error @ (ExportError::Seat(_) | ExportError::AlreadyACopy { .. })) => {
            Err(Failure::usage(error))
        }
        Err(error @ ExportError::Unsound { .. }) => {
            note(&format!("error: {}: {error}", args.file.display()));
            Ok(ExitCode::from(FAILED))
        }
    }
}

fn run_compress(args: &CompressArgs) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for file in &args.files {
        // One that is compressed already stays as it is.
        if is_compressed_path(file) || !file.exists() && compressed_path(file).exists() {
            continue;
        }
        let read = open(file).and_then(|mut reader| reader.try_for_each(|line| line.map(drop)));
        if let Err(error) = read {
            code = not_sound(file, error.into())?;
            continue;
        }
        let failed = |error: io::Error| {
            Failure::host(format!("cannot compress {}: {error}", file.display()))
        };
        let archive = fs::read(file).map_err(failed)?;
        let archive = compress(&archive).map_err(|error| failed(io::Error::other(error)))?;
        atomic_file::create(&compressed_path(file), &archive).map_err(failed)?;
        fs::remove_file(file).map_err(failed)?;
    }
    Ok(code)
}

fn open(file: &Path) -> Result<ReplayReader<Box<dyn BufRead>>, ReadError> {
    ReplayReader::open(file)
}

fn new_file(path: &Path) -> anyhow::Result<File> {
    File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let path = path.display();
            Failure::usage(format!("{path} already exists: choose another file name, or move it"))
        }
        _ => Failure::host(format!("cannot write {}: {error}", path.display())),
    })
}

/// Prints why a replay is not sound; returns the exit code.
fn not_sound(file: &Path, error: VerifyError) -> anyhow::Result<ExitCode> {
    let file = file.display();
    match error {
        VerifyError::Read(ReadError::Host(error)) => match error.kind() {
            io::ErrorKind::NotFound => Err(Failure::usage(format!("there is no file {file}"))),
            io::ErrorKind::IsADirectory => {
                Err(Failure::usage(format!("{file} is a directory; name a replay in it")))
            }
            _ => Err(Failure::host(format!("cannot read {file}: {error}"))),
        },
        copy @ VerifyError::Copy { .. } => Err(Failure::usage(format!("{file}: {copy}"))),
        error => {
            note(&format!("error: {file}: {error}"));
            Ok(ExitCode::from(FAILED))
        }
    }
}

fn in_words(report: &VerifyReport) -> String {
    let count = |count: u32, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let (lines, turns) = (report.lines, count(report.turns, "decision"));
    let reason = &report.outcome.reason;
    if let Some(seat) = report.copy_for() {
        return format!(
            "copy for {seat}: the hash chain of its {lines} lines is sound ({turns}, {reason}); to check \
             the game itself, verify the full replay"
        );
    }
    let mut parts = vec![format!("{lines} lines"), turns];
    parts.extend((report.drawn > 0).then(|| count(report.drawn, "draw")));
    parts.extend((report.faults > 0).then(|| count(report.faults, "fault")));
    parts.push(count(report.hashes, "state hash").replace("hashs", "hashes"));
    format!("sound ({}, {reason})", parts.join(", "))
}

fn as_json(file: &str, report: &VerifyReport) -> Value {
    json!({
        "file": file,
        "sound": true,
        "game_id": report.header.game_id,
        "game": report.header.game,
        "view_of": report.header.view_of,
        "lines": report.lines,
        "turns": report.turns,
        "drawn": report.drawn,
        "hashes": report.hashes,
        "faults": report.faults,
        "outcome": report.outcome,
    })
}
