//! The games of an entrant, for pages.

use crate::files::{Json, Statements};
use botyard_league::PlayedGame;
use rusqlite::{Transaction, params};

/// A game of an entrant, for its page.
#[derive(Clone, Debug)]
pub(crate) struct GameOfEntrant {
    /// The ID.
    pub id: String,
    /// When it ended, in seconds since 1970.
    pub at: i64,
    /// The seat of the entrant.
    pub seat: usize,
    /// The number of its faults.
    pub faults: u32,
    /// The game.
    pub game: PlayedGame,
}

/// Which games of an entrant, of the newest first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChosenGames {
    /// Only those with a fault of it.
    pub only_faults: bool,
    /// Only those in which this entrant plays as well.
    pub against: Option<i64>,
    /// How many to leave out before.
    pub skipped: u32,
    /// How many at most.
    pub most: u32,
}

/// Returns games of an entrant, the newest first.
pub(crate) fn games_of(
    transaction: &Transaction<'_>,
    entrant: i64,
    chosen: ChosenGames,
) -> rusqlite::Result<Vec<GameOfEntrant>> {
    transaction.rows(
        "SELECT games.id, at, seat, faults, games.game FROM seats \
         JOIN games ON games.id = seats.game WHERE entrant = ?1 AND faults >= ?2 \
         AND (?3 IS NULL OR EXISTS (SELECT 1 FROM seats AS others \
         WHERE others.game = games.id AND others.entrant = ?3)) \
         ORDER BY at DESC, games.rowid DESC LIMIT ?4 OFFSET ?5",
        params![
            entrant,
            i64::from(chosen.only_faults),
            chosen.against,
            chosen.most,
            chosen.skipped
        ],
        |row| {
            let seat = usize::try_from(row.get::<_, i64>(2)?).unwrap_or_default();
            let Json(game) = row.get(4)?;
            Ok(GameOfEntrant { id: row.get(0)?, at: row.get(1)?, seat, faults: row.get(3)?, game })
        },
    )
}
