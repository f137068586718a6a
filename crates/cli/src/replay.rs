//! `botyard replay`: prints, verifies, exports and shows recorded games. The crate `botyard-replay`
//! reads and checks them, `botyard-viewer` makes pages of them; this module has the files, messages
//! and exit codes. `picture` draws them.

use crate::failure::{Failure, failed};
use crate::files::{already_there, create, replace};
use crate::installed::{endgames, programs};
use crate::picture::PictureArgs;
use crate::text::eprint_line;
use botyard_engine::registry::{SetupError, digest_of};
use botyard_replay::{
    ArrayExportError, BoardArrayCounts, BoardArrays, ExportError, PdnExportError, ReadError,
    ReplayReader, ShowError, VerifyError, beside, export, pdn, registered_table, show,
    verified_as_json, verify_file, write_stdin, write_wire,
};
use botyard_runner::{NotCompressed, compress_replay, game_programs};
use botyard_viewer::{ViewError, page_of_file};
use clap::{Args, Subcommand};
use std::fs::File;
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::slice;

/// `botyard replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard replay show replays/GAME.ndjson

Every command also reads replays compressed with gzip (NAME.ndjson.gz), even
under their name without .gz. docs/replay.md describes the format.")]
pub struct ReplayArgs {
    /// The verb.
    #[command(subcommand)]
    pub verb: ReplayVerb,
    /// Directory with the program that has the rules of the game [default: the bundle beside the replay,
    /// or in the directory of its tournament, with the digest that the replay names]
    #[arg(long, value_name = "DIR", global = true)]
    pub game: Option<PathBuf>,
}

impl ReplayVerb {
    /// Returns the replays that the verb plays through.
    fn played_through(&self) -> &[PathBuf] {
        match self {
            ReplayVerb::Show(args) => slice::from_ref(&args.file),
            ReplayVerb::Verify(args) => &args.files,
            ReplayVerb::Stdin(args) => slice::from_ref(&args.file),
            ReplayVerb::Wire(args) => slice::from_ref(&args.of.file),
            ReplayVerb::Export(args) => &args.files,
            ReplayVerb::Picture(args) => slice::from_ref(&args.file),
            ReplayVerb::View(args) => slice::from_ref(&args.file),
            ReplayVerb::Compress(_) => &[],
        }
    }
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
    /// Print the lines that a bot was sent and its answers
    Wire(WireArgs),
    /// Make a copy for one seat, without the information hidden from it
    Export(ExportArgs),
    /// Draw a position of a game, or an animation, as SVG, PNG or GIF
    Picture(PictureArgs),
    /// Make a web page that shows the game move by move
    View(ViewArgs),
    /// Compress replays in place; gunzip decompresses them
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
    /// Check games that endgame tables adjudicated with the tables of this file [default: where
    /// `botyard egdb build` writes them]
    #[arg(long, value_name = "FILE")]
    pub egdb: Option<PathBuf>,
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

/// `botyard replay wire`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard replay wire replays/GAME.ndjson --seat mr-x
  botyard replay wire replays/GAME.ndjson --seat 2 --until 5 --full

Lines with > were sent to the bot, lines with < came from it, as with
`botyard match --trace`. Answers are made of what the replay records: of
`hello` the name, version and author; actions in the game's own form; of a line
that was a fault its beginning.")]
pub struct WireArgs {
    /// The game and the bot.
    #[command(flatten)]
    pub of: StdinArgs,
    /// Print whole lines on a terminal too [default: there, lines of more than 400 characters are
    /// shortened: long arrays end in `... N more`, and the line in `(N bytes)`]
    #[arg(long)]
    pub full: bool,
}

/// `botyard replay export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard replay export replays/GAME.ndjson --seat detectives --out seen.ndjson
  botyard replay export results/*.ndjson --pdn -o games.pdn
  botyard replay export results/*.ndjson --arrays boards

A copy is for one seat. PDN is for draughts: 1-0 is a win of Black. Arrays are
for NumPy, of games of Dice Wars of four players on 34 areas; docs/training.md
describes them.")]
pub struct ExportArgs {
    /// Replay file; with --pdn and --arrays also several
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Seat that the copy is for: its name, or its number from 1
    #[arg(long, required_unless_present_any = ["pdn", "arrays"], conflicts_with = "pdn")]
    pub seat: Option<String>,
    /// Write games of draughts in PDN, for other draughts programs
    #[arg(long)]
    pub pdn: bool,
    /// Write the boards of games of Dice Wars as NumPy arrays into this new directory: `states.npy`
    /// and `games.npy`
    #[arg(long, value_name = "DIR", conflicts_with_all = ["seat", "pdn", "out"])]
    pub arrays: Option<PathBuf>,
    /// Write to this new file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `botyard replay view`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard replay view replays/GAME.ndjson --open
  botyard replay view replays/GAME.ndjson --seat detectives -o seen.html

The page is one file that loads nothing. Without --seat it contains everything,
and shows hidden information only when the reader asks for it. With --seat it
contains only what that seat saw.")]
pub struct ViewArgs {
    /// Replay file
    pub file: PathBuf,
    /// Write the page to this file, and replace an existing one [default: NAME.html beside the replay]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// Show only what this seat saw: its name, or its number from 1
    #[arg(long)]
    pub seat: Option<String>,
}

/// `botyard replay compress`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  botyard replay compress class.tournament/replays/*/*.ndjson

NAME.ndjson becomes NAME.ndjson.gz. An incomplete replay, or one with a changed
line, is not compressed, and the exit code is 1.")]
pub struct CompressArgs {
    /// Replay files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// Runs a verb of `botyard replay`.
pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    for file in args.verb.played_through() {
        game_programs::load_for_replay(file, args.game.as_deref(), &programs()?)?;
    }
    match &args.verb {
        ReplayVerb::Show(args) => run_show(args),
        ReplayVerb::Verify(args) => run_verify(args),
        ReplayVerb::Stdin(args) => run_stdin(args),
        ReplayVerb::Wire(args) => run_wire(args),
        ReplayVerb::Export(args) => run_export(args),
        ReplayVerb::Picture(args) => crate::picture::run(args),
        ReplayVerb::View(args) => run_view(args),
        ReplayVerb::Compress(args) => run_compress(args),
    }
}

fn run_show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    print(&args.file, |reader, out| {
        show(reader, &registered_table, args.seat.as_deref(), args.until, out)
    })
}

fn run_stdin(args: &StdinArgs) -> anyhow::Result<ExitCode> {
    print(&args.file, |reader, out| {
        write_stdin(reader, &registered_table, &args.seat, args.until, out)
    })
}

fn run_wire(args: &WireArgs) -> anyhow::Result<ExitCode> {
    let StdinArgs { file, seat, until } = &args.of;
    let full = args.full || !io::stdout().is_terminal();
    print(file, |reader, out| write_wire(reader, &registered_table, seat, *until, full, out))
}

/// Prints a replay by `show`.
fn print(
    file: &Path,
    show: impl FnOnce(ReplayReader<Box<dyn BufRead>>, &mut dyn Write) -> Result<(), ShowError>,
) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let opened = ReplayReader::open(file).map_err(|error| ShowError::Verify(error.into()));
    let shown = opened.and_then(|reader| show(reader, &mut out));
    // The sound part is printed before the error.
    out.flush()?;
    match shown {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(ShowError::Verify(error)) => not_sound(file, error),
        Err(ShowError::Seat(error)) => Err(Failure::usage(error)),
        Err(ShowError::Host(error)) => Err(error.into()),
    }
}

fn run_verify(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mut code = ExitCode::SUCCESS;
    for file in &args.files {
        let verified = verify_file(file, || endgames(args.egdb.as_deref()));
        if args.json {
            writeln!(out, "{}", verified_as_json(file, &verified))?;
        }
        match verified {
            Ok(_) if args.json => {}
            Ok(report) => writeln!(out, "{}: {}", file.display(), report.in_words())?,
            Err(error) => code = not_sound(file, error)?,
        }
    }
    Ok(code)
}

fn run_export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    if let Some(directory) = &args.arrays {
        return export_arrays(&args.files, directory);
    }
    let Some(seat) = &args.seat else { return export_pdn(args) };
    let [file] = &args.files[..] else {
        let got = args.files.len();
        return Err(Failure::usage(format!("--seat: expected one replay, got {got}")));
    };
    let reader = match ReplayReader::open(file) {
        Ok(reader) => reader,
        Err(error) => return not_sound(file, error.into()),
    };
    let mut copy = Vec::new();
    let exported = match &args.out {
        Some(_) => export(reader, seat, &mut copy),
        None => export(reader, seat, io::stdout().lock()),
    };
    match exported {
        Ok(()) => {
            if let Some(path) = &args.out {
                create(path, &copy)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(ExportError::Read(error)) => not_sound(file, error.into()),
        Err(ExportError::Host(error)) => Err(error.into()),
        Err(error @ (ExportError::Seat(_) | ExportError::AlreadyACopy { .. })) => {
            Err(Failure::usage(error))
        }
        Err(error @ ExportError::Unsound { .. }) => {
            failed(&format!("error: {}: {error}", file.display()))
        }
    }
}

/// Writes all games or none.
fn export_pdn(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let mut games = String::new();
    for file in &args.files {
        let written =
            ReplayReader::open(file).map_err(|error| VerifyError::from(error).into()).and_then(pdn);
        match written {
            Ok(game) => games.push_str(&game),
            Err(PdnExportError::Verify(error)) => return not_sound(file, error),
            Err(error) => return Err(Failure::usage(format!("{}: {error}", file.display()))),
        }
    }
    match &args.out {
        Some(path) => create(path, games.as_bytes())?,
        None => io::stdout().lock().write_all(games.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a directory with the arrays of all games, or nothing.
fn export_arrays(files: &[PathBuf], directory: &Path) -> anyhow::Result<ExitCode> {
    if directory.exists() {
        return Err(already_there(directory));
    }
    let cannot_write =
        |error: io::Error| Failure::host(format!("cannot write {}: {error}", directory.display()));
    // Beside it, so that it is complete as soon as it has its name.
    let parent = directory.parent().filter(|parent| !parent.as_os_str().is_empty());
    let part = tempfile::Builder::new()
        .prefix(".arrays.")
        .tempdir_in(parent.unwrap_or(Path::new(".")))
        .map_err(cannot_write)?;
    let array = |name: &str| File::create_new(part.path().join(name)).map(BufWriter::new);
    let arrays =
        array("states.npy").and_then(|states| BoardArrays::new(states, array("games.npy")?));
    let mut arrays = arrays.map_err(cannot_write)?;
    for file in files {
        let added = ReplayReader::open(file)
            .map_err(|error| VerifyError::from(error).into())
            .and_then(|reader| arrays.add(reader));
        match added {
            Ok(()) => {}
            Err(ArrayExportError::Verify(error)) => return not_sound(file, error),
            Err(ArrayExportError::Host(error)) => return Err(cannot_write(error)),
            Err(error) => return Err(Failure::usage(format!("{}: {error}", file.display()))),
        }
    }
    let BoardArrayCounts { games, without_winner, states } =
        arrays.finish().map_err(cannot_write)?;
    if games == 0 {
        return failed("error: no game has a winner, so there is nothing to write");
    }
    std::fs::rename(part.path(), directory).map_err(cannot_write)?;
    let mut said = format!("{}: {states} states of {games} games", directory.display());
    if without_winner > 0 {
        said.push_str(&format!("; left out {without_winner} games without a winner"));
    }
    writeln!(io::stdout(), "{said}")?;
    Ok(ExitCode::SUCCESS)
}

fn run_view(args: &ViewArgs) -> anyhow::Result<ExitCode> {
    let out = args.out.clone().unwrap_or_else(|| beside(&args.file, ".html"));
    if !out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html")) {
        let out = out.display();
        return Err(Failure::usage(format!(
            "cannot write {out}: choose a name that ends in .html"
        )));
    }
    let made = match page_of_file(&args.file, args.seat.as_deref()) {
        Ok(made) => made,
        Err(error) => return not_drawn(&args.file, error),
    };
    replace(&out, made.html.as_bytes())?;
    writeln!(io::stdout(), "{}", out.display())?;
    if made.unfinished {
        note_unfinished(&args.file, &format!("the page ends after decision {}", made.turns));
    }
    if args.open {
        open_in_browser(out.as_os_str())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Notes that a replay is not whole, and what follows for its picture.
pub(crate) fn note_unfinished(file: &Path, then: &str) {
    eprint_line(&format!(
        "{} has no \"end\" line: the game was interrupted or is still being played; {then}",
        file.display()
    ));
}

/// Opens a file or an address in a browser.
///
/// # Errors
///
/// The host cannot.
pub fn open_in_browser(what: &std::ffi::OsStr) -> anyhow::Result<()> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let status = Command::new(opener).arg(what).stdin(Stdio::null()).stdout(Stdio::null()).status();
    match status.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => {
            let what = what.to_string_lossy();
            Err(Failure::host(format!("{opener} cannot open {what}: open it in a browser")))
        }
    }
}

/// Opens an address that was printed in a browser, or warns that the host cannot.
pub fn show_address(address: &str) {
    if let Err(error) = open_in_browser(address.as_ref()) {
        eprint_line(&format!("warning: {error}"));
    }
}

fn run_compress(args: &CompressArgs) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for file in &args.files {
        match compress_replay(file) {
            Ok(()) => {}
            Err(NotCompressed::Unsound(error)) => code = not_sound(file, error.into())?,
            Err(NotCompressed::Host(error)) => {
                return Err(Failure::host(format!("cannot compress {}: {error}", file.display())));
            }
        }
    }
    Ok(code)
}

/// Reports why a replay cannot be drawn; returns the exit code.
///
/// # Errors
///
/// Wrong usage, or a failure of the host.
pub(crate) fn not_drawn(path: &Path, error: ViewError) -> anyhow::Result<ExitCode> {
    let file = path.display();
    match error {
        ViewError::Verify(error) => not_sound(path, error),
        ViewError::Export(ExportError::Read(error)) => not_sound(path, error.into()),
        ViewError::Seat(error) => Err(Failure::usage(error)),
        error @ ViewError::Form { .. } => Err(Failure::host(format!("{file}: {error}"))),
        error @ (ViewError::Copy { .. } | ViewError::Export(ExportError::Unsound { .. })) => {
            failed(&format!("error: {file}: {error}"))
        }
        error => Err(Failure::usage(format!("{file}: {error}"))),
    }
}

/// Prints why a replay is not sound; returns the exit code.
fn not_sound(file: &Path, error: VerifyError) -> anyhow::Result<ExitCode> {
    let file = file.display();
    match error {
        VerifyError::Read(ReadError::Io(error)) => match error.kind() {
            io::ErrorKind::NotFound => Err(Failure::usage(format!("there is no file {file}"))),
            io::ErrorKind::IsADirectory => {
                Err(Failure::usage(format!("{file} is a directory; name a replay in it")))
            }
            _ => Err(Failure::host(format!("cannot read {file}: {error}"))),
        },
        VerifyError::Rules(fault) => Err(Failure::host(format!("{file}: {fault}"))),
        VerifyError::Setup(SetupError::Game(unknown)) if digest_of(&unknown.name).is_some() => {
            Err(Failure::usage(format!("{file}: {unknown}\n--game DIR names its directory")))
        }
        copy @ VerifyError::Copy { .. } => Err(Failure::usage(format!("{file}: {copy}"))),
        error => failed(&format!("error: {file}: {error}")),
    }
}
