//! Games that other programs recorded, written down as replays. Nobody refereed them and nobody
//! measured a time; their rules, moves and ends are sound all the same, because they are played
//! through the rules to be written.

use super::event::{EndEvent, FORMAT, Header, OpeningSource, ReplayPlayer, SeatHolder};
use super::writer::ReplayWriter;
use crate::briefing::{REFEREE_NAME, REFEREE_VERSION};
use botyard_engine::record::{Record, RecordedEvent};
use botyard_engine::{ActionError, Happening, Table, Turn};
use botyard_protocol::{
    ClockKind, EndOutcome, Limits, OnFault, OutcomeKind, PROTOCOL, Program, TimeControl,
};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Why a recorded game cannot be written down.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The output cannot be written to.
    #[error("cannot write the replay: {0}")]
    Host(#[from] io::Error),
    /// The rules do not allow what was recorded.
    #[error("game {game}, after {turn} decisions: {error}")]
    Refused {
        /// What the source calls the game.
        game: String,
        /// How many decisions were played.
        turn: u32,
        /// Why not.
        error: ActionError,
    },
    /// A move where something is drawn, or a draw where somebody moves, or anything after the end.
    #[error("game {game}, after {turn} decisions: expected {expected}, but the record has {found}")]
    OutOfPlace {
        /// What the source calls the game.
        game: String,
        /// How many decisions were played.
        turn: u32,
        /// What must come there.
        expected: &'static str,
        /// What comes.
        found: String,
    },
    /// The record stops in the middle of the game.
    #[error("game {game}: the record stops after {turn} decisions, but the game is not over")]
    Unfinished {
        /// What the source calls the game.
        game: String,
        /// How many decisions were played.
        turn: u32,
    },
}

/// The header of an imported game's replay: one player, named after the source, holds every seat.
pub fn imported_header(record: &Record, source: &str, table: &dyn Table) -> Header {
    let seats = table.seats();
    let holder = |seat: &String| SeatHolder { seat: seat.clone(), player: source.to_string() };
    Header {
        format: FORMAT,
        game_id: format!("{source}-{}", record.id),
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
        seats: seats.iter().map(holder).collect(),
        players: vec![ReplayPlayer {
            name: source.to_string(),
            seats: seats.to_vec(),
            bot: None,
            options: BTreeMap::new(),
            command_sha256: None,
        }],
        view_of: None,
    }
}

/// Plays a recorded game at a table of its rules and writes all of it but the header.
///
/// # Errors
///
/// A record that the rules do not allow or that stops before the end, and errors of the output.
pub fn write_record<W: Write>(
    record: &Record,
    table: &mut dyn Table,
    writer: &mut ReplayWriter<W>,
) -> Result<(), ImportError> {
    let game = || record.id.clone();
    let refused = |turn| move |error| ImportError::Refused { game: game(), turn, error };
    let opening = table.open_with(&record.opening.to_string()).map_err(refused(0))?;
    writer.write_opening(&opening)?;
    let (mut turn, mut happening) = (0, Happening::default());
    for event in &record.events {
        match (table.turn(), event) {
            (Turn::Seat(seat), RecordedEvent::Action(action)) => {
                table.play(&action.to_string(), &mut happening).map_err(refused(turn))?;
                turn += 1;
                writer.write_move(turn, seat, &happening, None, None, None)?;
                if ReplayWriter::<W>::state_is_due(turn) {
                    writer.write_state(turn, table.state_hash())?;
                }
            }
            (Turn::Chance, RecordedEvent::Chance(chance)) => {
                table.play_chance(&chance.to_string(), &mut happening).map_err(refused(turn))?;
                writer.write_chance(turn, &happening)?;
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
    let Some(outcome) = table.outcome() else {
        return Err(ImportError::Unfinished { game: game(), turn });
    };
    let outcome = EndOutcome {
        kind: OutcomeKind::Completed,
        scores: outcome.scores.to_vec(),
        ranks: outcome.ranks.to_vec(),
        reason: outcome.reason.to_string(),
    };
    let end = EndEvent { outcome, turns: turn };
    Ok(writer.write_end(Some(table.state_hash()), &end, None)?)
}
