//! States, actions and chance outcomes as plain text.

use super::action::Action;
use super::area::Area;
use super::chance::{Chance, Roll};
use super::drawing::{draw, letter};
use super::map::Map;
use super::player::Player;
use super::position::{Position, Stage};
use super::state::State;
use crate::seat::Seat;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Formats a state: the players with their areas, and the map if its cells are known.
pub(super) fn state(state: &State) -> String {
    let (map, position) = (state.map(), state.position());
    let player = Player(position.to_move());
    let turn = match position.stage() {
        Stage::Action => format!("player {player} to move"),
        Stage::Battle { from, to } => format!("player {player} attacks {to} from {from}"),
        Stage::Reinforcement => format!("player {player} gets new dice"),
        Stage::Over(end) => format!("over: {}", end.reason()),
    };
    let turns = counted(position.turns().into(), "turn");
    let attacks = counted(position.battles(), "attack");
    let mut text = format!("after {turns} and {attacks}; {turn}\n");
    let drawing = draw(map, |area| (position.owner(area), position.dice(area)));
    for seat in Seat::all(position.players()) {
        let mut line = one_player(map, position, seat);
        // A drawing shows them already.
        if drawing.is_none() && position.is_on_map(seat) {
            line.push_str(&format!("; area:dice {}", stacks(position, seat)));
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {line}");
    }
    text + &drawing.map(|drawn| format!("\n{drawn}")).unwrap_or_default()
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn one_player(map: &Map, position: &Position, seat: Seat) -> String {
    let areas = position.areas_of(seat);
    let mut text = format!("player {} ({})", Player(seat), letter(seat));
    if let Some(place) = position.place(seat) {
        let how = if areas.is_empty() { "off the map" } else { "has forfeited" };
        text.push_str(&format!(" {how}, place {place}"));
    }
    if areas.is_empty() {
        return text;
    }
    format!(
        "{text} {}, region of {}, {} and {} in reserve",
        counted(areas.len() as u32, "area"),
        position.largest_region(map, seat),
        dice(position.dice_of(seat)),
        position.reserve(seat),
    )
}

/// Returns the areas of a player with their dice.
fn stacks(position: &Position, seat: Seat) -> String {
    let areas = position.areas_of(seat).iter();
    areas.map(|area| format!("{area}:{}", position.dice(area))).collect::<Vec<_>>().join(" ")
}

fn dice(count: u32) -> String {
    if count == 1 { "1 die".to_string() } else { format!("{count} dice") }
}

/// Formats an action.
pub(super) fn action(before: &State, action: Action) -> String {
    let position = before.position();
    let player = Player(position.to_move());
    match action {
        Action::Attack(from, to) => format!(
            "player {player}: attack {from} -> {to}, {} against {} of player {}",
            position.dice(from),
            position.dice(to),
            Player(position.owner(to))
        ),
        Action::Transfer(from, to) => {
            let moved = dice(position.transferred(from, to).into());
            format!("player {player}: transfer {from} -> {to}, {moved}")
        }
        Action::EndTurn => format!("player {player}: end of the turn"),
    }
}

/// Formats a chance outcome.
pub(super) fn chance(before: &State, chance: &Chance) -> String {
    let position = before.position();
    match chance {
        Chance::Battle { attacker, defender } => {
            let result = match position.stage() {
                Stage::Battle { to, .. } if attacker.pips() > defender.pips() => {
                    format!(": player {} takes area {to}", Player(position.to_move()))
                }
                Stage::Battle { to, .. } => {
                    format!(": player {} keeps area {to}", Player(position.owner(to)))
                }
                _ => String::new(),
            };
            format!("{} against {}{result}", rolled(attacker), rolled(defender))
        }
        Chance::Reinforcement { placed } if placed.is_empty() => "no new dice".to_string(),
        Chance::Reinforcement { placed } => {
            let mut counts: BTreeMap<Area, u32> = BTreeMap::new();
            for &area in placed {
                *counts.entry(area).or_default() += 1;
            }
            let where_to = counts.iter().map(|(area, dice)| match dice {
                1 => area.to_string(),
                dice => format!("{area} (+{dice})"),
            });
            let where_to = where_to.collect::<Vec<_>>().join(", ");
            format!("new {} on {where_to}", if placed.len() == 1 { "die" } else { "dice" })
        }
    }
}

fn rolled(roll: &Roll) -> String {
    match roll {
        Roll::Sum(sum) => sum.to_string(),
        Roll::Faces(faces) => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            format!("{} ({})", roll.pips(), faces.join("+"))
        }
    }
}
