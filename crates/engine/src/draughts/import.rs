//! Import of games from PDN archives. Plays them through these rules: every move must be legal, and
//! if the last one ends the game, the result must agree.
//!
//! People agree on draws, resign, and play on through repetitions. So the draw rules are disabled
//! for these records, and a game that is not over has the result of the record.

use super::colour::Colour;
use super::notation::{PdnGame, PdnResult, RecordedMove, read_english_pdn, variant_of};
use super::position::Position;
use super::rules::{self, Ballots, MOST_PLIES, Rules};
use crate::outcome::Outcome;
use crate::record::{RECORDED, Record, RecordError, RecordedEvent, Records};
use crate::seat::Seat;
use serde_json::{Map, Value, json};
use std::fmt;

/// Imports every game of the file: a record, or the error found.
pub(super) fn import(text: &str) -> Records {
    let games = read_english_pdn(text).map_err(|variant| variant.to_string())?;
    let imported = (1u32..).zip(games).map(|(number, game)| {
        let failed = |(ply, message)| RecordError { game: number.to_string(), ply, message };
        let game =
            game.map_err(|error| failed((error.ply, format!("{}: {}", error.place, error.kind))))?;
        record(number, &game).map_err(|(ply, mut message)| {
            // What was left out before may be the reason.
            if let Some(note) = game.notes.first() {
                message.push_str(&format!("; left out before, {}: {}", note.place, note.kind));
            }
            failed((ply, message))
        })
    });
    Ok(imported.collect())
}

/// Returns the rules of the records: English draughts without automatic draws.
fn rules() -> Rules {
    Rules {
        draw_repetitions: 0,
        draw_quiet_plies: 0,
        max_plies: MOST_PLIES,
        ballots: Ballots::None,
        ..rules::preset("english").expect("a listed preset")
    }
}

/// Replays a game under the rules; an error has the ply, from 1.
fn record(number: u32, game: &PdnGame) -> Result<Record, (Option<u32>, String)> {
    let rules = rules();
    if let Some(kind) = game.tag("GameType")
        && let Some(variant) = variant_of(kind)
    {
        let place = in_tag(game, "GameType");
        let message = format!("{place}: expected 21, English draughts; got {kind:?}, {variant}");
        return Err((None, message));
    }
    let mut position = Position::start(rules.first_mover);
    let mut opening = Map::new();
    if let Some(fen) = game.tag("FEN") {
        position =
            fen.parse().map_err(|error| (None, format!("{}: {error}", in_tag(game, "FEN"))))?;
        opening.insert("fen".into(), json!(position.to_string()));
    }
    if game.moves.len() > usize::from(MOST_PLIES) {
        return Err((
            None,
            format!("expected at most {MOST_PLIES} plies, got {}", game.moves.len()),
        ));
    }
    let mut events = Vec::with_capacity(game.moves.len());
    for (ply, mv) in (1..).zip(&game.moves) {
        let found = mv.text.find(&position, rules.movement());
        let found = found.map_err(|why| (Some(ply), located(mv, &why)))?;
        events.push(RecordedEvent::Action(json!(found)));
        position = position.make(found);
    }
    let mut checks = game.moves.len() as u64;
    if !position.can_move() && game.result != PdnResult::Unknown {
        // A side that cannot move has lost, whatever the recorded result is.
        let expected = PdnResult::won_by(position.turn().other(), Colour::Black);
        if game.result != expected {
            let message = format!(
                "{} cannot move after the last move: expected the result {expected}, got {}",
                position.turn().name(),
                game.result
            );
            let message = game.moves.last().map_or(message.clone(), |last| located(last, &message));
            return Err((Some(game.moves.len() as u32), message));
        }
        checks += 1;
    }
    Ok(Record {
        id: number.to_string(),
        players: ["Black", "White"].map(|colour| player(game, colour)).into(),
        tags: game.tags.clone(),
        notes: game.notes.iter().map(ToString::to_string).collect(),
        rules: crate::json::value(&rules),
        opening: Value::Object(opening),
        events,
        result: result(game.result),
        checks,
    })
}

/// Returns a message with the place of a move.
fn located(mv: &RecordedMove, why: &dyn fmt::Display) -> String {
    mv.place.map_or_else(|| why.to_string(), |place| format!("{place}: {why}"))
}

/// Returns a tag and its place, for a message.
fn in_tag(game: &PdnGame, name: &str) -> String {
    game.tag_place(name).map_or_else(|| name.to_string(), |place| format!("{place}: {name}"))
}

/// Returns the name of a side's player; empty if it is not known.
fn player(game: &PdnGame, colour: &str) -> String {
    let name = game.tag(colour).map_or("", str::trim);
    if name.starts_with('?') { String::new() } else { name.to_string() }
}

/// Converts a result to an outcome. The first seat is the first mover's.
fn result(result: PdnResult) -> Option<Outcome> {
    let won_by = |winner| Outcome::winners(2, RECORDED, |seat| seat == winner);
    match result {
        PdnResult::FirstWon => Some(won_by(Seat::new(0))),
        PdnResult::SecondWon => Some(won_by(Seat::new(1))),
        PdnResult::Drawn => Some(Outcome::draw(2, RECORDED)),
        PdnResult::Unknown => None,
    }
}
