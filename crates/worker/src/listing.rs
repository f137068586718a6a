//! The tournaments of a store, as text and as JSON.

use botyard_league::plain_table::table_of_numbers;
use botyard_queue::{Listed, Queue, Status};
use botyard_runner::Error;
use serde_json::{Value, json};
use std::time::{Duration, UNIX_EPOCH};

/// Returns a tournament, or all of them if `id` is `None`, with their states.
///
/// # Errors
///
/// The store has no tournament of this ID, or cannot be read.
pub fn chosen(queue: &Queue, id: Option<&str>) -> Result<Vec<(Listed, Status)>, Error> {
    let listed = queue.tournaments()?;
    if let Some(id) = id
        && !listed.iter().any(|it| it.id == id)
    {
        let known: Vec<&str> = listed.iter().map(|it| it.id.as_str()).collect();
        return Err(Error::usage(match known.is_empty() {
            true => format!("there is no tournament {id:?}: the store is empty"),
            false => format!("there is no tournament {id:?}; there are {}", known.join(", ")),
        }));
    }
    let chosen = listed.into_iter().filter(|it| id.is_none_or(|id| it.id == id));
    chosen.map(|it| Ok((it.clone(), queue.status(&it.id)?))).collect()
}

/// Returns an entry of the list as JSON.
pub fn as_json(listed: &Listed) -> Value {
    json!({
        "tournament": listed.id,
        "name": listed.name,
        "game": listed.game,
        "state": listed.hold.as_str(),
        "created_at": listed.created_at,
    })
}

/// Returns the list as a table.
pub fn in_words(listed: &[(Listed, Status)]) -> String {
    let mut table = table_of_numbers(&["tournament", "game", "state", "blocks", "submitted"]);
    for (it, status) in listed {
        let blocks = status.blocks;
        let known = blocks.ready + blocks.leased + blocks.done + blocks.void;
        table.add_row([
            it.id.clone(),
            it.game.clone(),
            it.hold.as_str().to_string(),
            format!("{} of {known}", blocks.done),
            date(it.created_at),
        ]);
    }
    format!("{table}\n")
}

/// Formats a time in milliseconds since 1970.
fn date(at: i64) -> String {
    let since = Duration::from_millis(u64::try_from(at).unwrap_or_default());
    let at = UNIX_EPOCH.checked_add(since);
    at.map_or(String::new(), |at| humantime::format_rfc3339_seconds(at).to_string())
}
