//! Games that other programs recorded, as replays. They had no referee and no measured times, but
//! their rules and moves are sound, because the import plays them through the rules. So are the
//! outcomes of games that end by the rules. For other games, such as after a resignation or an
//! agreed draw, the result comes from the record, and the replay says so.

use crate::briefing::{REFEREE_NAME, REFEREE_VERSION};
use crate::event::{EndEvent, FORMAT, Header, Imported, OpeningSource, ReplayPlayer, SeatHolder};
use crate::playback::{Place, VerifyError, registered_table};
use crate::reader::ReplayReader;
use crate::verify::verify;
use crate::writer::ReplayWriter;
use botyard_engine::record::{RECORDED, Record, RecordedEvent};
use botyard_engine::{ActionError, GameEvent, Outcome, Scores, Table, Turn};
use botyard_protocol::{
    ClockKind, EndOutcome, Limits, OnFault, OutcomeKind, PROTOCOL, Program, TimeControl,
};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The reason of a game that was recorded unfinished: it has no result.
const UNFINISHED: &str = "unfinished";

/// The reason why a recorded game cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The output cannot be written to.
    #[error("cannot write the replay: {0}")]
    Host(#[from] io::Error),
    /// The rules do not allow what was recorded.
    #[error("game {game}, after {turn} decisions: {error}")]
    Refused {
        /// The ID of the game in the source.
        game: String,
        /// How many decisions were played.
        turn: u32,
        /// The reason.
        error: ActionError,
    },
    /// An event that is not due: an action at a chance turn, a chance outcome at a decision, or
    /// anything after the end.
    #[error("game {game}, after {turn} decisions: expected {expected}, but the record has {found}")]
    OutOfPlace {
        /// The ID of the game in the source.
        game: String,
        /// How many decisions were played.
        turn: u32,
        /// What is due.
        expected: &'static str,
        /// What the record has.
        found: String,
    },
    /// The recorded result contradicts the rules.
    #[error(
        "game {game}: by the rules it is over after {turn} decisions with the scores {expected:?}, \
         but the record says {found:?}"
    )]
    Contradicted {
        /// The ID of the game in the source.
        game: String,
        /// How many decisions were played.
        turn: u32,
        /// The scores of the seats by the rules.
        expected: Vec<f64>,
        /// The scores of the seats in the record.
        found: Vec<f64>,
    },
}

/// Returns the ID of an imported game.
pub fn imported_id(record: &Record, source: &str) -> String {
    format!("{source}-{}", record.id)
}

/// Imports a recorded game. Returns its replay, which has been verified.
///
/// # Errors
///
/// The reason why the game cannot be imported, with its ID.
pub fn imported_replay(game: &str, record: &Record, source: &str) -> Result<Vec<u8>, String> {
    let id = &record.id;
    let mut table =
        registered_table(game, &record.rules).map_err(|error| format!("game {id}: {error}"))?;
    let header = imported_header(record, source, &*table);
    let mut replay = Vec::new();
    ReplayWriter::new(&mut replay, &header)
        .map_err(ImportError::Host)
        .and_then(|mut writer| write_record(record, &mut *table, &mut writer))
        .map_err(|error| error.to_string())?;
    ReplayReader::new(&replay[..])
        .map_err(Into::into)
        .and_then(|reader| verify(reader, &registered_table))
        .map_err(|error| format!("game {id}: its replay: {error}"))?;
    Ok(replay)
}

/// Returns the header of an imported game's replay. Its players are those of the record. If it names
/// none, one player, named after the source, holds every seat.
pub fn imported_header(record: &Record, source: &str, table: &dyn Table) -> Header {
    let seats = holders(record, source, table.seats());
    Header {
        format: FORMAT,
        game_id: imported_id(record, source),
        game: table.game().to_string(),
        rules: table.rules(),
        engine: Program { name: REFEREE_NAME.to_string(), version: REFEREE_VERSION.to_string() },
        seed: None,
        opening: OpeningSource::Given,
        protocol: PROTOCOL,
        time_control: TimeControl {
            kind: ClockKind::Wall,
            move_ms: None,
            bank_ms: None,
            increment_ms: 0,
            grace_ms: 0,
            on_fault: OnFault::Forfeit,
        },
        limits: Limits::default(),
        legal: true,
        sandbox: "none".to_string(),
        frozen: false,
        backend: None,
        players: players(&seats),
        seats,
        adjudication: Default::default(),
        imported: Some(Imported {
            source: source.to_string(),
            game: record.id.clone(),
            tags: record.tags.clone(),
        }),
        view_of: None,
    }
}

/// The name of a player who is not known, beside one who is.
const UNKNOWN: &str = "?";

/// Returns who holds each seat.
fn holders(record: &Record, source: &str, seats: &[String]) -> Vec<SeatHolder> {
    let names = || record.players.iter().map(String::as_str);
    let other = if names().all(str::is_empty) { source } else { UNKNOWN };
    let names = names().chain(std::iter::repeat(""));
    let named = |(seat, name): (&String, &str)| SeatHolder {
        seat: seat.clone(),
        player: if name.is_empty() { other } else { name }.to_string(),
    };
    seats.iter().zip(names).map(named).collect()
}

/// Returns the players of these seats. Equal names are one player.
fn players(seats: &[SeatHolder]) -> Vec<ReplayPlayer> {
    let mut players: Vec<ReplayPlayer> = Vec::new();
    for SeatHolder { seat, player } in seats {
        match players.iter_mut().find(|other| other.name == *player) {
            Some(same) => same.seats.push(seat.clone()),
            None => players.push(ReplayPlayer {
                name: player.clone(),
                seats: vec![seat.clone()],
                bot: None,
                options: BTreeMap::new(),
                command_sha256: None,
                time: None,
                untimed: false,
            }),
        }
    }
    players
}

/// Plays a recorded game at a table of its rules and writes everything but the header.
///
/// A game that is not over by the rules ends with the recorded result; without a recorded result it
/// is void.
///
/// # Errors
///
/// A record that contradicts the rules, or an error of the output.
pub fn write_record<W: Write>(
    record: &Record,
    table: &mut dyn Table,
    writer: &mut ReplayWriter<W>,
) -> Result<(), ImportError> {
    let game = || record.id.clone();
    let refused = |turn| move |error| ImportError::Refused { game: game(), turn, error };
    let opening = table.open_with(&record.opening.to_string()).map_err(refused(0))?;
    writer.write_opening(&opening)?;
    let (mut turn, mut game_event) = (0, GameEvent::default());
    for event in &record.events {
        match (table.turn(), event) {
            (Turn::Seat(seat), RecordedEvent::Action(action)) => {
                table.play(&action.to_string(), &mut game_event).map_err(refused(turn))?;
                turn += 1;
                writer.write_move(turn, seat, &game_event, None, None, None)?;
                if ReplayWriter::<W>::state_is_due(turn) {
                    writer.write_state(turn, table.state_hash())?;
                }
            }
            (Turn::Chance, RecordedEvent::Chance(chance)) => {
                table.play_chance(&chance.to_string(), &mut game_event).map_err(refused(turn))?;
                writer.write_chance(turn, &game_event)?;
            }
            (due, found) => {
                let expected = match due {
                    Turn::Seat(_) => "an action",
                    Turn::Chance => "a chance outcome",
                    Turn::Over => "nothing, because the game is over",
                };
                let found = match found {
                    RecordedEvent::Action(action) => format!("the action {action}"),
                    RecordedEvent::Chance(chance) => format!("the chance outcome {chance}"),
                };
                return Err(ImportError::OutOfPlace { game: game(), turn, expected, found });
            }
        }
    }
    let outcome = match (table.outcome(), &record.result) {
        (Some(outcome), Some(result)) if outcome.scores != result.scores => {
            let (expected, found) = (outcome.scores.to_vec(), result.scores.to_vec());
            return Err(ImportError::Contradicted { game: game(), turn, expected, found });
        }
        (Some(outcome), _) => completed(&outcome),
        (None, Some(result)) => completed(result),
        (None, None) => EndOutcome {
            kind: OutcomeKind::Void,
            scores: Vec::new(),
            ranks: Vec::new(),
            reason: UNFINISHED.to_string(),
        },
    };
    let end = EndEvent { outcome, turns: turn, adjudicated: None };
    Ok(writer.write_end(Some(table.state_hash()), &end, None)?)
}

fn completed(outcome: &Outcome) -> EndOutcome {
    EndOutcome {
        kind: OutcomeKind::Completed,
        scores: outcome.scores.to_vec(),
        ranks: outcome.ranks.to_vec(),
        reason: outcome.reason.to_string(),
    }
}

/// Checks that a replay which claims to be imported has nothing that only a referee writes.
/// Otherwise any game could be given a forged result.
pub(crate) fn check_header(header: &Header) -> Result<(), VerifyError> {
    if header.imported.is_none() {
        return Ok(());
    }
    let place = Place { line: 1, turn: 0 };
    if header.seed.is_some() || header.opening == OpeningSource::Drawn {
        return Err(place.out_of_place("an imported game has no seed, and its opening is given"));
    }
    let refereed = |player: &&ReplayPlayer| player.bot.is_some() || player.command_sha256.is_some();
    match header.players.iter().find(refereed) {
        None => Ok(()),
        Some(player) => Err(place.out_of_place(format!(
            "an imported game has no referee and no bots, but {:?} is a bot",
            player.name
        ))),
    }
}

/// Checks the end of an imported game that is not over by the rules: it has a recorded result, or
/// is void.
pub(crate) fn check_end(
    place: Place,
    outcome: &EndOutcome,
    seats: usize,
    range: Scores,
) -> Result<(), VerifyError> {
    let EndOutcome { kind, scores, ranks, reason } = outcome;
    let expected = match kind {
        OutcomeKind::Completed => RECORDED,
        OutcomeKind::Void => UNFINISHED,
        OutcomeKind::BotFault => {
            return Err(place.out_of_place("no bot can have failed in an imported game"));
        }
    };
    place.expect(
        "the reason of an imported game that is not over by the rules",
        expected,
        reason,
    )?;
    let seats = if *kind == OutcomeKind::Void { 0 } else { seats };
    place.expect("the number of scores", seats, scores.len())?;
    place.expect("the number of ranks", seats, ranks.len())?;
    if *kind == OutcomeKind::Void {
        return Ok(());
    }
    let won = scores.contains(&1.0) && scores.iter().all(|score| [0.0, 1.0].contains(score));
    let shares = scores.iter().all(|score| (0.0..=1.0).contains(score));
    let sum = scores.iter().sum::<f64>();
    let shared = shares && (sum - 1.0).abs() < 1e-9;
    if range.least < 0.0 || range.most > 1.0 {
        // The game has its own range of scores.
        let Scores { least, most, sum: constant } = range;
        let fits = scores.iter().all(|score| (least..=most).contains(score))
            && constant.is_none_or(|constant| (sum - constant).abs() < 1e-9);
        if !fits {
            let sum = constant.map_or(String::new(), |sum| format!(" that sum to {sum}"));
            let message =
                format!("the scores {scores:?} are not points from {least} to {most}{sum}");
            return Err(place.out_of_place(message));
        }
    } else if !won && !shared {
        let message = format!("the scores {scores:?} are neither wins and losses nor shares of 1");
        return Err(place.out_of_place(message));
    }
    let better = |score: &f64| scores.iter().filter(|other| *other > score).count() as u8;
    let places: Vec<u8> = scores.iter().map(|score| better(score) + 1).collect();
    place.expect("the list of ranks", format!("{places:?}"), format!("{ranks:?}"))
}
