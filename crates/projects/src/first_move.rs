//! The lines of a game up to its first move, as the referee writes them: the input of a project's unit
//! test, and of a bot in a debugger.

use botyard_engine::registry::{self, UnknownGame};
use botyard_engine::{GameEvent, Seed, Turn};
use botyard_protocol::{
    Clock, ClockKind, Limits, OnFault, Player, RefereeMessage, TimeControl, write_line,
};
use botyard_replay::briefing::{Briefing, REFEREE_VERSION, write_hello};
use std::collections::BTreeMap;

/// The time for the move, in milliseconds.
const MOVE_MS: u64 = 1000;

/// Returns the lines for the seat that moves first: `hello`, `start`, `turn`, `quit`.
///
/// # Errors
///
/// There is no such game.
pub(crate) fn lines(game: &str) -> Result<String, UnknownGame> {
    registry::info(game)?;
    let mut out = Vec::new();
    write_hello(&mut out, REFEREE_VERSION, &Limits::default());
    // The default rules of a game can be played.
    if let Ok(tables) = registry::tables(game, None, &[]) {
        let mut table = tables();
        let seed = Seed::from(1);
        table.open(&mut seed.stream("opening"));
        let mut chance = seed.stream("chance");
        let mut event = GameEvent::default();
        while table.turn() == Turn::Chance {
            table.draw(&mut chance, &mut event);
        }
        if let Turn::Seat(seat) = table.turn() {
            let seats = table.seats().to_vec();
            let name = seats.get(seat.index()).cloned().unwrap_or_default();
            let others = seats.iter().filter(|other| **other != name).cloned().collect();
            let time = TimeControl {
                kind: ClockKind::Wall,
                move_ms: Some(MOVE_MS),
                bank_ms: None,
                increment_ms: 0,
                grace_ms: 0,
                on_fault: OnFault::Forfeit,
            };
            let briefing = Briefing {
                game_id: "first-move".into(),
                game: registry::plain_name(game).to_string(),
                rules: table.rules(),
                seats,
                players: vec![
                    Player { name: "mine".into(), seats: vec![name.clone()] },
                    Player { name: "others".into(), seats: others },
                ],
                time,
            };
            briefing.write_start(&mut out, 0, &BTreeMap::new(), None, &*table);
            let (mut view, mut legal) = (Vec::new(), Vec::new());
            table.write_view(seat, &mut view);
            table.write_legal(&mut legal);
            let clock = Clock {
                kind: ClockKind::Wall,
                move_ms: Some(MOVE_MS),
                bank_ms: None,
                increment_ms: 0,
            };
            botyard_protocol::write_turn_line(&mut out, 1, &name, &view, Some(&legal), &clock);
        }
    }
    write_line(&mut out, &RefereeMessage::Quit);
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_has_lines_up_to_its_first_move() {
        for game in registry::names() {
            let lines = lines(&game).unwrap();
            let types: Vec<String> = lines
                .lines()
                .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
                .map(|message| message["type"].as_str().unwrap().to_string())
                .collect();
            assert_eq!(types, ["hello", "start", "turn", "quit"], "{game}");
        }
        assert!(lines("chess").is_err());
    }
}
