//! The check of a replay: its chain, its game played through the rules again, the draws from its
//! seed, the observations of each seat, and the outcome. It reports the first error and its line. A
//! copy for a seat lacks what the rules need; of it, only the rest is checked.

use crate::event::{Event, Header};
use crate::imported;
use crate::playback::{MakeTable, Place, Playback, VerifyError, check_header, registered_table};
use crate::reader::{Line, ReadError, ReplayReader};
use botyard_engine::EndgameTables;
use botyard_protocol::{EndOutcome, OutcomeKind};
use serde_json::{Value, json};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

/// What is said about a replay whose line ends were changed.
const CRLF: &str = "; its lines end in CRLF, which git (core.autocrlf) or an editor changed: the record is as written";

/// The report of a sound replay.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyReport {
    /// The header.
    pub header: Header,
    /// The number of lines, all with a correct chain.
    pub lines: u64,
    /// The number of decisions, all played through the rules unless this is a copy.
    pub turns: u32,
    /// The number of chance turns, without the opening.
    pub drawn: u32,
    /// The number of states that were compared by their hashes. 0 in a copy.
    pub hashes: u32,
    /// The number of faults.
    pub faults: u32,
    /// The outcome of the game.
    pub outcome: EndOutcome,
    /// Whether lines end in CRLF: see [`ReplayReader::has_crlf`].
    pub has_crlf: bool,
}

impl VerifyReport {
    /// Returns the seat if this replay is a copy for a seat, whose game cannot be played through.
    pub fn copy_for(&self) -> Option<&str> {
        self.header.view_of.as_deref()
    }

    /// Returns what was found, and how much was compared: `sound (321 lines, 120 decisions, no_move)`.
    pub fn in_words(&self) -> String {
        let count = |count: u32, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {many}"),
        };
        let (lines, turns) = (self.lines, count(self.turns, "decision", "decisions"));
        let reason = &self.outcome.reason;
        let note = if self.has_crlf { CRLF } else { "" };
        if let Some(seat) = self.copy_for() {
            return format!(
                "copy for {seat}: the hash chain of its {lines} lines is sound ({turns}, {reason}); to \
                 check the game itself, verify the full replay{note}"
            );
        }
        let mut parts = vec![format!("{lines} lines"), turns];
        parts.extend((self.drawn > 0).then(|| count(self.drawn, "draw", "draws")));
        parts.extend((self.faults > 0).then(|| count(self.faults, "fault", "faults")));
        parts.push(count(self.hashes, "state hash", "state hashes"));
        format!("sound ({}, {reason}){note}", parts.join(", "))
    }

    /// Returns the report as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "game_id": self.header.game_id,
            "game": self.header.game,
            "view_of": self.header.view_of,
            "lines": self.lines,
            "turns": self.turns,
            "drawn": self.drawn,
            "hashes": self.hashes,
            "faults": self.faults,
            "outcome": self.outcome,
        })
    }
}

/// Returns the result of [`verify_file`] as JSON, with the file and whether it is sound.
pub fn verified_as_json(path: &Path, verified: &Result<VerifyReport, VerifyError>) -> Value {
    let mut all = match verified {
        Ok(report) => report.to_json(),
        Err(error) => json!({ "error": error.to_string() }),
    };
    all["file"] = json!(path.display().to_string());
    all["sound"] = json!(verified.is_ok());
    all
}

/// Checks the replay in a file, of a game of the registry. `endgames` loads the tables for a game that
/// was adjudicated by them.
///
/// # Errors
///
/// The first error, with its line; or the tables cannot be loaded.
pub fn verify_file(
    path: &Path,
    endgames: impl FnOnce() -> Result<Arc<dyn EndgameTables>, String>,
) -> Result<VerifyReport, VerifyError> {
    let reader = ReplayReader::open(path)?;
    // A copy for a seat is not played through.
    let header = reader.header();
    let egdb = header.adjudication.egdb.filter(|_| header.view_of.is_none());
    let tables = egdb.map(|_| endgames()).transpose().map_err(VerifyError::Tables)?;
    verify_with_tables(reader, &registered_table, tables)
}

/// Checks a whole replay, of a game that was not adjudicated by endgame tables.
///
/// # Errors
///
/// The first error, with its line.
pub fn verify<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
) -> Result<VerifyReport, VerifyError> {
    verify_with_tables(reader, make_table, None)
}

/// Checks a whole replay. A game that was adjudicated by endgame tables needs tables of at least as
/// many pieces as its header says; for other games they are not used.
///
/// # Errors
///
/// The first error, with its line; or there are no tables.
pub fn verify_with_tables<R: BufRead>(
    mut reader: ReplayReader<R>,
    make_table: MakeTable,
    endgames: Option<Arc<dyn EndgameTables>>,
) -> Result<VerifyReport, VerifyError> {
    let header = reader.header().clone();
    if let (Some(egdb), None, None) = (header.adjudication.egdb, &endgames, &header.view_of) {
        return Err(VerifyError::NoTables { pieces: egdb.pieces });
    }
    let endgames = endgames.filter(|_| header.adjudication.egdb.is_some());
    let mut judge: Box<dyn Judge> = match header.view_of {
        Some(_) => Box::new(CopyCheck::new(&header, make_table)?),
        None => Box::new(Playback::with_tables(&header, make_table, endgames)?),
    };
    let mut outcome = None;
    for line in reader.by_ref() {
        let line = line?;
        judge.follow(&line)?;
        if let Event::End(end, _) = line.event {
            outcome = Some(end.outcome);
        }
    }
    let sums = judge.sums();
    let Some(outcome) = outcome else {
        return Err(ReadError::Truncated { line: reader.lines_read() }.into());
    };
    Ok(VerifyReport {
        header,
        lines: reader.lines_read(),
        turns: sums.turns,
        drawn: sums.drawn,
        hashes: sums.hashes,
        faults: sums.faults,
        outcome,
        has_crlf: reader.has_crlf(),
    })
}

struct Sums {
    turns: u32,
    drawn: u32,
    hashes: u32,
    faults: u32,
}

trait Judge {
    fn follow(&mut self, line: &Line) -> Result<(), VerifyError>;
    fn sums(&self) -> Sums;
}

impl Judge for Playback {
    fn follow(&mut self, line: &Line) -> Result<(), VerifyError> {
        Playback::follow(self, line)
    }

    fn sums(&self) -> Sums {
        Sums {
            turns: self.turn(),
            drawn: self.counts.drawn,
            hashes: self.counts.hashes,
            faults: self.faults().len() as u32,
        }
    }
}

/// The checks of a copy: its lines are in order and hold nothing that a copy must not hold.
struct CopyCheck {
    header: Header,
    opened: bool,
    turns: u32,
    drawn: u32,
    faults: u32,
}

impl CopyCheck {
    fn new(header: &Header, make_table: MakeTable) -> Result<CopyCheck, VerifyError> {
        let place = Place { line: 1, turn: 0 };
        check_header(header, &*make_table(&header.game, &header.rules)?)?;
        imported::check_header(header)?;
        if header.seed.is_some() {
            return Err(place.out_of_place("a copy for a seat has no seed, but this one does"));
        }
        let seat = header.view_of.iter().find(|&name| !has_seat(header, name));
        if let Some(name) = seat {
            return Err(place.out_of_place(format!("a copy for an unknown seat {name:?}")));
        }
        Ok(CopyCheck { header: header.clone(), opened: false, turns: 0, drawn: 0, faults: 0 })
    }

    fn nothing_seen(place: Place, seen: bool) -> Result<(), VerifyError> {
        if seen {
            return Err(place.out_of_place("a copy does not record what other seats saw"));
        }
        Ok(())
    }
}

fn has_seat(header: &Header, name: &str) -> bool {
    header.seats.iter().any(|holder| holder.seat == name)
}

impl Judge for CopyCheck {
    fn follow(&mut self, line: &Line) -> Result<(), VerifyError> {
        let place = Place { line: line.number, turn: self.turns };
        let same_turn = |turn| place.expect("the number of the last decision", self.turns, turn);
        match &line.event {
            Event::Chance(event) => {
                same_turn(event.turn)?;
                CopyCheck::nothing_seen(place, event.seen.is_some())?;
                self.drawn += u32::from(self.opened);
                self.opened = true;
            }
            _ if !self.opened => {
                return Err(place.out_of_place("expected the \"chance\" line with the opening"));
            }
            Event::Header(_) => return Err(place.out_of_place("a second header")),
            Event::Move(event, _) => {
                place.expect("the number of the decision", self.turns + 1, event.turn)?;
                CopyCheck::nothing_seen(place, event.seen.is_some())?;
                if !has_seat(&self.header, &event.seat) {
                    let message = format!("there is no seat {:?}", event.seat);
                    return Err(place.out_of_place(message));
                }
                self.turns += 1;
            }
            Event::State(_) => {
                return Err(place.out_of_place("a copy has no hashes of what is hidden"));
            }
            Event::Log(event) => same_turn(event.turn)?,
            Event::Fault(event, _) => {
                let expected = if event.fault.turn == 0 { 0 } else { event.fault.turn - 1 };
                same_turn(expected)?;
                self.faults += 1;
            }
            Event::End(event, _) => {
                place.expect("the number of decisions", self.turns, event.turns)?;
                let outcome = &event.outcome;
                let seats = match outcome.kind {
                    OutcomeKind::Void => 0,
                    _ => self.header.seats.len(),
                };
                place.expect("the number of scores", seats, outcome.scores.len())?;
                place.expect("the number of ranks", seats, outcome.ranks.len())?;
            }
        }
        Ok(())
    }

    fn sums(&self) -> Sums {
        Sums { turns: self.turns, drawn: self.drawn, hashes: 0, faults: self.faults }
    }
}
