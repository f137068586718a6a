//! States, actions and what is drawn, as plain text for someone who watches.

use super::action::Action;
use super::area::Area;
use super::chance::{Chance, Roll};
use super::hex::Hex;
use super::map::Map;
use super::player::Player;
use super::position::{Position, Stage};
use super::state::State;
use crate::seat::Seat;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The players with their areas, and the map where its cells are known.
pub(super) fn state(state: &State) -> String {
    let (map, position) = (state.map(), state.position());
    let player = Player(position.to_move());
    let turn = match position.stage() {
        Stage::Action => format!("player {player} to move"),
        Stage::Battle { from, to } => format!("player {player} attacks {to} from {from}"),
        Stage::Reinforcement => format!("player {player} gets new dice"),
        Stage::Over(end) => format!("over: {}", end.reason()),
    };
    let mut text =
        format!("after {} and {}; {turn}\n", counted(position.turns().into(), "turn"), {
            counted(position.battles(), "attack")
        });
    for seat in Seat::all(position.players()) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", one_player(map, position, seat));
    }
    text + &board(map, position)
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The letter of a player's cells.
fn letter(seat: Seat) -> char {
    char::from(b'a' + seat.index() as u8)
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
    let stacks: Vec<String> =
        areas.iter().map(|area| format!("{area}:{}", position.dice(area))).collect();
    format!(
        "{text} {}, region of {}, {} and {} in reserve; area:dice {}",
        counted(areas.len() as u32, "area"),
        position.largest_region(map, seat),
        counted(position.dice_of(seat), "die").replace("dies", "dice"),
        position.reserve(seat),
        stacks.join(" ")
    )
}

/// The map with an owner's letter in each cell, and in the middle of each area its number and its
/// dice; nothing where the cells are not known.
fn board(map: &Map, position: &Position) -> String {
    let areas = || map.all().iter().filter(|&area| !map.cells(area).is_empty());
    let cells = || areas().flat_map(|area| map.cells(area));
    let Some(left) = cells().map(|cell| cell.x()).min() else { return String::new() };
    let mut rows: BTreeMap<i16, Vec<char>> = BTreeMap::new();
    let mut put = |hex: Hex, text: &str| {
        let row = rows.entry(hex.y()).or_default();
        let column = usize::from(hex.x().abs_diff(left));
        if row.len() < column + text.len() {
            row.resize(column + text.len(), ' ');
        }
        for (slot, letter) in row[column..].iter_mut().zip(text.chars()) {
            *slot = letter;
        }
    };
    for area in areas() {
        let owner = letter(position.owner(area));
        for &cell in map.cells(area) {
            put(cell, &format!("{owner} "));
        }
    }
    for area in areas() {
        put(middle(map, area), &format!("{area}:{} ", position.dice(area))[..4]);
    }
    let lines = rows.values().map(|row| row.iter().collect::<String>());
    lines.map(|line| format!("  {}\n", line.trim_end())).collect()
}

/// The cell in the middle of an area where its label begins: one with a cell of the area to its
/// right, if there is such.
fn middle(map: &Map, area: Area) -> Hex {
    let cells = map.cells(area);
    let count = cells.len().max(1) as i32;
    let sum = |part: fn(Hex) -> i16| cells.iter().map(|&cell| i32::from(part(cell))).sum::<i32>();
    let (x, y) = (sum(Hex::x), sum(Hex::y));
    // A label is as wide as two cells, so its middle is one to the right.
    let distance = |cell: &Hex| {
        let right = cell.neighbours()[0];
        let from_middle = ((i32::from(cell.x()) + 1) * count - x).abs()
            + 2 * (i32::from(cell.y()) * count - y).abs();
        (!cells.contains(&right), from_middle)
    };
    cells.iter().copied().min_by_key(distance).unwrap_or_default()
}

/// An action in words.
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
            let moved = position.dice(from).saturating_sub(1).min(8 - position.dice(to).min(8));
            let dice = counted(moved.into(), "die").replace("dies", "dice");
            format!("player {player}: transfer {from} -> {to}, {dice}")
        }
        Action::EndTurn => format!("player {player}: end of the turn"),
    }
}

/// What was drawn, in words.
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
            let mut counts: HashMap<Area, u32> = HashMap::new();
            for &area in placed {
                *counts.entry(area).or_default() += 1;
            }
            let mut counts: Vec<(Area, u32)> = counts.into_iter().collect();
            counts.sort_unstable();
            let where_to = counts.iter().map(|(area, dice)| match dice {
                1 => area.to_string(),
                dice => format!("{area} (+{dice})"),
            });
            let dice = counted(placed.len() as u32, "new die").replace("dies", "dice");
            format!("{dice} on {}", where_to.collect::<Vec<_>>().join(", "))
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
