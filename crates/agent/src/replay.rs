//! A bot on a recorded game, for its author and a debugger:
//! `my-bot --replay FILE --seat SEAT [--turn N]`. The bot is sent what it was sent in the game, and
//! each of its actions is printed beside the recorded one. Standard input is free, so that a
//! debugger can use the terminal. The program `botyard` works out what a seat was sent.

use crate::bot::Bot;
use crate::serve::{ServeError, Session};
use flate2::read::GzDecoder;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// How a bot is run on a recorded game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rerun {
    /// A replay, or the output of `botyard replay stdin FILE --seat SEAT`.
    pub replay: PathBuf,
    /// The seat of the bot: its name, or its number from 1. `None`: the first.
    pub seat: Option<String>,
    /// The only decision to ask for; `None`: all of them.
    pub turn: Option<u64>,
    /// Options of the bot, in place of those of the recorded game.
    pub options: Vec<(String, Value)>,
    /// The program `botyard`; `None`: that in the environment variable `BOTYARD` or in `PATH`.
    pub botyard: Option<PathBuf>,
}

/// Why a bot cannot be run on a recorded game.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    /// A wrong command line.
    #[error(
        "{0}\nUsage: --replay FILE [--seat SEAT] [--turn N] [--option KEY=VALUE] [--botyard PATH]"
    )]
    Usage(String),
    /// The file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// A line of the file is not JSON.
    #[error("{}, line {line}: expected a message in JSON: {source}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The error.
        source: serde_json::Error,
    },
    /// The program `botyard` cannot be started.
    #[error(
        "cannot start {}, which reads replays: {source}; name the program botyard by --botyard PATH or the \
         environment variable BOTYARD, or give --replay the output of `botyard replay stdin FILE --seat SEAT`",
        .program.display()
    )]
    NoProgram {
        /// The program.
        program: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The program `botyard` has refused the replay, and said why on standard error.
    #[error("botyard cannot read what the bot was sent in {}", .0.display())]
    Refused(PathBuf),
    /// The seat has no decision of this number.
    #[error(
        "there is no decision {turn} of this seat{}",
        .known.map_or(", which was never to move".into(), |(first, last)| {
            format!(": its first is {first}, its last {last}")
        })
    )]
    NoTurn {
        /// The number.
        turn: u64,
        /// Its first and its last decision.
        known: Option<(u64, u64)>,
    },
    /// The bot failed.
    #[error(transparent)]
    Bot(#[from] ServeError),
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

impl Rerun {
    /// Reads the arguments of a command line: `--replay FILE` or `--replay=FILE`, and so the others.
    ///
    /// # Errors
    ///
    /// An argument is unknown or has no value.
    pub fn from_arguments(arguments: &[OsString]) -> Result<Rerun, RerunError> {
        let mut rerun = Rerun::default();
        let usage = |message: String| Err(RerunError::Usage(message));
        let mut words = arguments.iter();
        let mut has_replay = false;
        while let Some(word) = words.next() {
            let (name, joined) = split_option(word);
            let Some(value) = joined.as_ref().or_else(|| words.next()) else {
                return usage(format!("expected a value after {name}"));
            };
            let text = value.to_string_lossy();
            match &*name {
                "--replay" => (rerun.replay, has_replay) = (value.into(), true),
                "--seat" => rerun.seat = Some(text.into_owned()),
                "--botyard" => rerun.botyard = Some(value.into()),
                "--turn" => match text.parse() {
                    Ok(turn) => rerun.turn = Some(turn),
                    Err(_) => return usage(format!("--turn: expected a number, got {text}")),
                },
                "--option" => match text.split_once('=') {
                    Some((key, value)) => {
                        let json = serde_json::from_str(value);
                        let value = json.unwrap_or_else(|_| Value::from(value));
                        rerun.options.push((key.into(), value));
                    }
                    None => return usage(format!("--option: expected KEY=VALUE, got {text}")),
                },
                _ => return usage(format!("expected one of the options below, got {name}")),
            }
        }
        if has_replay { Ok(rerun) } else { usage("expected --replay FILE".into()) }
    }

    /// Runs the bot and prints each of its actions.
    ///
    /// # Errors
    ///
    /// The game cannot be read, the bot fails, or the output cannot be written.
    pub fn run(&self, bot: &Bot, out: &mut dyn Write) -> Result<(), RerunError> {
        let file = read(&self.replay)?;
        let first = match lines(&file).next() {
            Some((number, line)) => parsed(&self.replay, number, line)?,
            // An empty file is no JSON.
            None => parsed(&self.replay, 0, &file)?,
        };
        let is_replay = first["type"] == "header";
        let recorded = if is_replay { self.recorded(&file)? } else { BTreeMap::new() };
        let sent = if is_replay { self.sent()? } else { file };
        let mut session = Session::new(bot);
        let (mut asked, mut different, mut known) = (0, 0, None);
        for (number, line) in lines(&sent) {
            let mut message = parsed(&self.replay, number, line)?;
            let turn = message["turn"].as_u64().filter(|_| message["type"] == "turn");
            if let Some(turn) = turn {
                known = Some((known.map_or(turn, |(first, _)| first), turn));
            }
            if turn.is_some() && self.turn.is_some_and(|only| turn != Some(only)) {
                continue;
            }
            let line = match message["type"] == "start" && !self.options.is_empty() {
                true => self.with_options(&mut message),
                false => line.to_vec(),
            };
            let (began, mut answer) = (Instant::now(), Vec::new());
            let is_last = session.answer(&line, &mut answer)?.is_break();
            let seconds = began.elapsed().as_secs_f64();
            for line in answer.split_inclusive(|&byte| byte == b'\n') {
                let said = parsed(&self.replay, number, line)?;
                let (Some(turn), true) = (said["turn"].as_u64(), said["type"] == "move") else {
                    continue;
                };
                asked += 1;
                let action = &said["action"];
                let beside = match recorded.get(&turn) {
                    Some(recorded) if recorded == action => "  as recorded".to_string(),
                    Some(recorded) => {
                        different += 1;
                        format!("  recorded: {recorded}")
                    }
                    None => String::new(),
                };
                writeln!(out, "turn {turn}: {action}{beside}  ({seconds:.3} s)")?;
                if !said["info"].is_null() {
                    writeln!(out, "  info: {}", said["info"])?;
                }
            }
            if is_last {
                break;
            }
        }
        if let Some(turn) = self.turn.filter(|_| asked == 0) {
            return Err(RerunError::NoTurn { turn, known });
        }
        let compared =
            if is_replay { format!(", {different} differ from the record") } else { String::new() };
        Ok(writeln!(out, "{asked} decisions{compared}")?)
    }

    /// Returns the actions of a replay by the number of the decision.
    fn recorded(&self, replay: &[u8]) -> Result<BTreeMap<u64, Value>, RerunError> {
        let mut actions = BTreeMap::new();
        for (number, line) in lines(replay) {
            let mut line = parsed(&self.replay, number, line)?;
            if let Some(turn) = line["turn"].as_u64().filter(|_| line["type"] == "move") {
                actions.insert(turn, line["action"].take());
            }
        }
        Ok(actions)
    }

    /// Returns the lines that the bot of the seat was sent.
    fn sent(&self) -> Result<Vec<u8>, RerunError> {
        let from_environment = || env::var_os("BOTYARD").map(PathBuf::from);
        let program = self.botyard.clone().or_else(from_environment);
        let program = program.unwrap_or_else(|| "botyard".into());
        let seat = self.seat.as_deref().unwrap_or("1");
        let mut command = Command::new(&program);
        command
            .args(["replay", "stdin"])
            .arg(&self.replay)
            .args([OsStr::new("--seat"), seat.as_ref()]);
        let done = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let done = done.map_err(|source| RerunError::NoProgram { program, source })?;
        match done.status.success() {
            true => Ok(done.stdout),
            false => Err(RerunError::Refused(self.replay.clone())),
        }
    }

    fn with_options(&self, start: &mut Value) -> Vec<u8> {
        if !start["options"].is_object() {
            start["options"] = Value::Object(Map::new());
        }
        for (key, value) in &self.options {
            start["options"][key] = value.clone();
        }
        start.to_string().into_bytes()
    }
}

/// Splits `--NAME=VALUE`. Other arguments have no value of their own, and neither has one that is no
/// text: its file can be named by an argument of its own.
fn split_option(word: &OsStr) -> (Cow<'_, str>, Option<OsString>) {
    match word.to_str().and_then(|text| text.split_once('=')) {
        Some((name, value)) => (name.into(), Some(value.into())),
        None => (word.to_string_lossy(), None),
    }
}

/// Returns the lines of a file that are not blank, each with its index. An editor may have put a byte order mark before
/// them.
fn lines(file: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let lines = file.split_inclusive(|&byte| byte == b'\n').enumerate();
    lines.filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// Reads a file, plain or compressed by gzip.
fn read(path: &Path) -> Result<Vec<u8>, RerunError> {
    let failed = |source| RerunError::Read { path: path.into(), source };
    let bytes = fs::read(path).map_err(failed)?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    GzDecoder::new(&bytes[..]).read_to_end(&mut plain).map_err(failed)?;
    Ok(plain)
}

fn parsed(path: &Path, index: usize, line: &[u8]) -> Result<Value, RerunError> {
    let failed = |source| RerunError::Line { path: path.into(), line: index + 1, source };
    serde_json::from_slice(line).map_err(failed)
}
