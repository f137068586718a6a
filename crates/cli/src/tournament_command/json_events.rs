//! A tournament as lines of JSON for a program to read: `tournament_started`, `bot_rejected`,
//! `game_started`, `game_ended` and `game_void` in the order in which things happen, `tournament_ended`. Fields may be
//! added; none changes its meaning.

use crate::text::out;
use botyard_engine::Seed;
use botyard_league::schedule::{GameKey, ScheduledGame};
use botyard_league::store::{Definition, Rejected, StoredGame};
use botyard_runner::{Error, Plan, PlayedGame};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Prints one.
///
/// # Errors
///
/// Those of the output.
pub fn tell(event: Value) -> Result<(), Error> {
    out(&format!("{event}\n")).map_err(Error::Output)
}

/// A bot was not let in.
pub fn bot_rejected(rejected: &Rejected) -> Value {
    json!({"type": "bot_rejected", "bot": rejected.entrant, "reason": rejected.reason})
}

/// The hash of the secret from which the games of the gate and all others are drawn, before the first one.
pub fn secret_drawn(commitment: &str) -> Value {
    json!({"type": "secret_drawn", "secret_sha256": commitment})
}

/// Before the first game of a run. The seed is text: a number in JSON keeps 53 bits only. A secret is not
/// told yet, only its hash.
pub fn tournament_started(
    plan: &Plan,
    definition: &Definition,
    (format, games, played_before): (&str, u64, u64),
    directory: &Path,
) -> Value {
    json!({
        "type": "tournament_started",
        "version": env!("CARGO_PKG_VERSION"),
        "name": definition.name,
        "game": definition.game,
        "rules": (plan.tables)().rules(),
        "seats": plan.seats,
        "bots": definition.entrants,
        "rejected": definition.rejected,
        "format": format,
        "games": games,
        "played_before": played_before,
        "seed": number_in_json(definition.draws.seed),
        "secret_sha256": definition.commitment,
        "concurrency": plan.concurrency,
        "time_control": plan.time,
        "limits": plan.limits,
        "legal": plan.send_legal,
        "restart": plan.restart,
        "sandbox": plan.tier.as_str(),
        "freeze": plan.freeze,
        "pin": !plan.cores.is_empty(),
        "directory": directory,
    })
}

/// A seed that is a number, as text; `null` where games are drawn from a secret.
fn number_in_json(seed: Seed) -> Value {
    match seed {
        Seed::Number(number) => number.to_string().into(),
        Seed::Key(_) => Value::Null,
    }
}

/// Which game it is, and who sits where.
fn game_entry(plan: &Plan, game: &ScheduledGame, key: GameKey) -> Map<String, Value> {
    let seats = plan.seats.iter().zip(&game.seats);
    let seats: Map<String, Value> =
        seats.map(|(seat, &bot)| (seat.clone(), plan.bots[bot].name.clone().into())).collect();
    let mut entry = Map::new();
    entry.insert("game_id".into(), game.id.clone().into());
    entry.insert("generation".into(), key.generation.into());
    entry.insert("block".into(), key.block.into());
    entry.insert("rotation".into(), key.rotation.into());
    entry.insert("seats".into(), seats.into());
    entry
}

/// A game begins.
pub fn game_started(plan: &Plan, game: &ScheduledGame, key: GameKey) -> Value {
    let mut event = game_entry(plan, game, key);
    event.insert("type".into(), "game_started".into());
    event.insert("seed".into(), number_in_json(game.seed));
    event.into()
}

/// A game has ended, and is in the store: with its result as `game_ended`, without one, because the host
/// failed, as `game_void`.
pub fn game_ended(plan: &Plan, played: &PlayedGame, stored: &StoredGame, again: bool) -> Value {
    let mut event = game_entry(plan, &played.game, stored.key);
    let times = plan.seats.iter().zip(&stored.game.uses);
    let times: Map<String, Value> = times.map(|(seat, used)| (seat.clone(), json!(used))).collect();
    for (key, value) in [
        ("type", json!(if stored.is_scored() { "game_ended" } else { "game_void" })),
        ("outcome", json!(played.report.outcome)),
        ("faults", json!(played.report.faults)),
        ("plies", json!(played.report.turns)),
        ("times", times.into()),
        ("elapsed_us", json!(u64::try_from(played.elapsed.as_micros()).unwrap_or(u64::MAX))),
        ("replay", json!(stored.game.replay)),
        ("host", json!(played.report.host)),
        ("attempt", json!(stored.attempts)),
        ("start_repeats", json!(played.report.start_repeats())),
        ("played_again", json!(again)),
    ] {
        event.insert(key.into(), value);
    }
    event.into()
}

/// The end of a run.
pub fn tournament_ended(interrupted: bool, scored: u64, missing: u64, standings: Value) -> Value {
    json!({
        "type": "tournament_ended",
        "interrupted": interrupted,
        "games": scored,
        "missing": missing,
        "standings": standings,
    })
}
