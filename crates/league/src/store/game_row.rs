//! The row of a game: lists as JSON, readable with SQLite alone, and short, because a tournament
//! may have a hundred thousand rows.

use super::{Cell, StoreError, StoredGame, checksums};
use crate::played_game::{PlayedGame, SeatUse, Verdict};
use crate::replay_names::{attempt_of_replay, replay_name};
use crate::schedule::GameKey;
use crate::schedule::game_id;
use botyard_protocol::FaultKind;
use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde::de::DeserializeOwned;

/// The columns of a game, in the order in which they are read and written.
pub const COLUMNS: &str =
    "generation, block, rotation, id, seats, points, places, turns, uses, faults, replay, attempts";

/// The number of [`COLUMNS`].
pub const COUNT: usize = 12;

/// Returns the row of a game, in the order of [`COLUMNS`].
pub fn encode(stored: &StoredGame) -> [Cell; COUNT] {
    let StoredGame { key, id, attempts, game } = stored;
    let (points, places) = match &game.verdict {
        Verdict::Scored { points, places } => (Some(points_json(points)), Some(json(places))),
        // Earlier versions treat a game without points as void, whatever its places.
        Verdict::Void => (None, game.void_at.map(|seat| json(&[seat]))),
    };
    let faults: Option<Vec<(usize, &str)>> = (!game.faults.is_empty())
        .then(|| game.faults.iter().map(|(seat, kind)| (*seat, kind.as_str())).collect());
    [
        key.generation.into(),
        key.block.into(),
        key.rotation.into(),
        // Databases have signed numbers: the same bits.
        id.cast_signed().into(),
        json(&game.seats).into(),
        points.into(),
        places.into(),
        game.turns.into(),
        uses_json(&game.uses).into(),
        faults.map(|faults| json(&faults)).into(),
        // The attempt of the replay. Earlier versions always store 1, and have one name.
        game.replay.as_deref().map_or(0, attempt_of_replay).into(),
        (*attempts).into(),
    ]
}

/// Reads the row of a game called `game` between `bots` bots.
///
/// # Errors
///
/// A row that [`encode`] did not make, or whose game contradicts itself.
pub fn decode(cells: &[Cell; COUNT], game: &str, bots: usize) -> Result<StoredGame, StoreError> {
    let [
        generation,
        block,
        rotation,
        id,
        seats,
        points,
        places,
        turns,
        uses,
        faults,
        replay,
        attempts,
    ] = cells;
    let number = |cell: &Cell, column: &str| {
        cell.integer().and_then(|number| u32::try_from(number).ok()).ok_or_else(|| {
            StoreError::Damaged(format!("a game has no valid number in the column {column}"))
        })
    };
    let key = GameKey {
        generation: number(generation, "generation")?,
        block: number(block, "block")?,
        rotation: number(rotation, "rotation")?,
    };
    if key.block == 0 {
        return Err(damaged(key, "blocks are counted from 1"));
    }
    let text = |cell: &Cell, column: &str| match cell.text() {
        Some(text) => Ok(text.to_string()),
        None => Err(damaged(key, format!("its column {column} has no text"))),
    };
    let id = id.integer().ok_or_else(|| damaged(key, "its id is not a number"))?.cast_unsigned();
    let (verdict, void_at) = match (points.is_null(), places.is_null()) {
        (false, false) => {
            let points = list(key, &text(points, "points")?)?;
            let places = list(key, &text(places, "places")?)?;
            (Verdict::Scored { points, places }, None)
        }
        (true, false) => (Verdict::Void, list(key, &text(places, "places")?)?.first().copied()),
        _ => (Verdict::Void, None),
    };
    let faults: Vec<(usize, FaultKind)> = match faults.is_null() {
        true => Vec::new(),
        false => list(key, &text(faults, "faults")?)?,
    };
    let uses: Vec<Vec<u64>> = list(key, &text(uses, "uses")?)?;
    let played = PlayedGame {
        block: key.block,
        seats: list(key, &text(seats, "seats")?)?,
        verdict,
        void_at,
        turns: number(turns, "turns")?,
        uses: uses.iter().map(|numbers| seat_use(numbers)).collect(),
        faults,
        replay: match number(replay, "replay")? {
            0 => None,
            attempt => Some(replay_name(&game_id(game, id), attempt)),
        },
    };
    check(key, &played, bots)?;
    Ok(StoredGame { key, id, attempts: number(attempts, "attempts")?, game: played })
}

/// Writes a row to SQLite. An existing row must be void. Returns the number of changed rows, and
/// the checksum.
pub(super) fn insert(
    statement: &mut rusqlite::CachedStatement<'_>,
    stored: &StoredGame,
) -> rusqlite::Result<(usize, i64)> {
    let cells = encode(stored);
    let checksum = checksums::checksum_of_values(cells.iter().map(ValueRef::from));
    let with_checksum = cells.into_iter().chain([checksum.into()]);
    Ok((statement.execute(rusqlite::params_from_iter(with_checksum))?, checksum))
}

/// Reads a row from SQLite with its checksum, which comes after [`COLUMNS`].
pub(super) fn read(
    row: &Row<'_>,
    game: &str,
    bots: usize,
) -> Result<(StoredGame, i64), StoreError> {
    let mut cells = [const { Cell::Null }; COUNT];
    for (column, cell) in cells.iter_mut().enumerate() {
        *cell = cell_of(row.get_ref(column)?)?;
    }
    let stored = decode(&cells, game, bots)?;
    let checksum = checksums::checksum_of_row(row, COUNT)?;
    if row.get::<_, i64>(COUNT)? != checksum {
        return Err(damaged(stored.key, "it does not agree with its checksum"));
    }
    Ok((stored, checksum))
}

fn cell_of(value: ValueRef<'_>) -> Result<Cell, StoreError> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
        ValueRef::Real(number) => {
            return Err(StoreError::Damaged(format!("a game has {number} in one of its columns")));
        }
    })
}

/// Refuses a game that contradicts itself.
fn check(key: GameKey, game: &PlayedGame, bots: usize) -> Result<(), StoreError> {
    let seats = game.seats.len();
    if let Some(bot) = game.seats.iter().find(|&&bot| bot >= bots) {
        return Err(damaged(key, format!("it has bot {bot}, but there are {bots}")));
    }
    if let Verdict::Scored { points, places } = &game.verdict
        && (points.len() != seats || places.len() != seats)
    {
        let (points, places) = (points.len(), places.len());
        return Err(damaged(key, format!("{seats} seats, {points} points and {places} places")));
    }
    match game.faults.iter().find(|&&(seat, _)| seat >= seats) {
        Some((seat, _)) => Err(damaged(key, format!("a fault of seat {} of {seats}", seat + 1))),
        None => Ok(()),
    }
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Formats points as JSON, whole numbers without a fraction.
fn points_json(points: &[f64]) -> String {
    let number = |&points: &f64| match points {
        0.0 => "0".to_string(),
        1.0 => "1".to_string(),
        points => json(&points),
    };
    format!("[{}]", points.iter().map(number).collect::<Vec<_>>().join(","))
}

/// Formats for each seat its decisions, its wall-clock time, the longest decision, the CPU time if it
/// was measured, and the excused time and the most of a decision if there was any: four numbers are
/// without excused time, five without CPU time. Earlier versions read the first four.
fn uses_json(uses: &[SeatUse]) -> String {
    let numbers = |seat: &SeatUse| {
        let mut numbers = vec![u64::from(seat.decisions), seat.wall_us, seat.longest_us];
        numbers.extend(seat.cpu_us);
        if seat.excused_us > 0 {
            numbers.extend([seat.excused_us, seat.longest_excused_us]);
        }
        numbers
    };
    json(&uses.iter().map(numbers).collect::<Vec<_>>())
}

fn seat_use(numbers: &[u64]) -> SeatUse {
    let number = |index: usize| numbers.get(index).copied();
    let has_cpu = matches!(numbers.len(), 4 | 6);
    let excused = if has_cpu { 4 } else { 3 };
    SeatUse {
        decisions: number(0).and_then(|n| u32::try_from(n).ok()).unwrap_or_default(),
        wall_us: number(1).unwrap_or_default(),
        longest_us: number(2).unwrap_or_default(),
        cpu_us: number(3).filter(|_| has_cpu),
        excused_us: number(excused).unwrap_or_default(),
        longest_excused_us: number(excused + 1).unwrap_or_default(),
    }
}

fn list<T: DeserializeOwned>(key: GameKey, text: &str) -> Result<Vec<T>, StoreError> {
    serde_json::from_str(text).map_err(|error| damaged(key, error))
}

fn damaged(key: GameKey, reason: impl std::fmt::Display) -> StoreError {
    let GameKey { block, rotation, .. } = key;
    StoreError::Damaged(format!("game {} of block {block}: {reason}", rotation + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_stored_without_what_was_not_measured_or_excused() {
        let used = |cpu_us, excused_us, longest_excused_us| SeatUse {
            decisions: 3,
            wall_us: 20,
            longest_us: 9,
            cpu_us,
            excused_us,
            longest_excused_us,
        };
        for (text, seat) in [
            ("[[3,20,9]]", used(None, 0, 0)),
            ("[[3,20,9,7]]", used(Some(7), 0, 0)),
            ("[[3,20,9,5,4]]", used(None, 5, 4)),
            ("[[3,20,9,7,5,4]]", used(Some(7), 5, 4)),
        ] {
            assert_eq!(uses_json(&[seat]), text);
            let numbers: Vec<Vec<u64>> = serde_json::from_str(text).unwrap();
            assert_eq!(seat_use(&numbers[0]), seat, "{text}");
        }
    }
}
