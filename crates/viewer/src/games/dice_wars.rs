//! Dice Wars: hexagonal cells grouped in areas with borders, the dice on them, the last attack with
//! its rolls, and a line for each player.
//!
//! IDs: of area N `area-N`, `outline-N`, `dice-N`, `label-N` and `more-N` (new dice); `attack` and
//! `attack-head`, the way of the last attack or transfer; of its sides `attacker-die-N`,
//! `attacker-die-N-face`, `attacker-title`, `attacker-sum`, and the same of the `defender`; of a
//! player `player-N`, `player-N-areas`, `player-N-dice`, `player-N-region`, `player-N-reserve`;
//! `to-move`.

use super::{Drawing, Moment, Occasion, read};
use crate::board::Drawn;
use crate::frame::{Look, Scene};
use crate::games::Begun;
use crate::marks::{Spot, numbered};
use crate::svg::{Element, rounded};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{
    Action, Area, Chance, Hex, MAX_DICE, Map, Roll, Setup, View, letter, win_probability,
};
use botyard_protocol::Place;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;
use std::fmt::Write;

/// The width of the drawing.
const WIDTH: f64 = 700.0;
/// The greatest height of a map.
const MAP_HEIGHT: f64 = 560.0;
/// The largest side of a hexagon.
const LARGEST_SIDE: f64 = 26.0;
/// How far below the middle of an area its dice are written.
const DICE: f64 = 2.0;
/// How far below it its label is: clear of the dice.
const LABEL: f64 = 15.5;
/// The height of a line of the panel.
const LINE: f64 = 24.0;
/// The height of the strip with the rolls.
const ROLLS: f64 = 78.0;
/// The side of a rolled die.
const DIE: f64 = 26.0;

pub(super) const STYLE: &str = "\
.botyard .area{stroke:var(--border);stroke-width:1.6;stroke-linejoin:round;fill-rule:evenodd}\
.botyard .outline{fill:none;stroke:none}\
.botyard .outline.from,.botyard .outline.to{stroke:var(--ink);stroke-width:5;stroke-linejoin:round}\
.botyard .outline.to{stroke-dasharray:7 5}\
.botyard .road{stroke:var(--rule);stroke-width:3;fill:none}\
.botyard .player-1{fill:var(--player-1)}.botyard .player-2{fill:var(--player-2)}\
.botyard .player-3{fill:var(--player-3)}.botyard .player-4{fill:var(--player-4)}\
.botyard .player-5{fill:var(--player-5)}.botyard .player-6{fill:var(--player-6)}\
.botyard .player-7{fill:var(--player-7)}.botyard .player-8{fill:var(--player-8)}\
.botyard text.dice{fill:var(--on-player);font-size:19px;font-weight:700;text-anchor:middle}\
.botyard text.label{fill:var(--on-player);font-size:10.5px;text-anchor:middle;paint-order:stroke;stroke-width:3;\
stroke-linejoin:round}\
.botyard text.player-1{stroke:var(--player-1)}.botyard text.player-2{stroke:var(--player-2)}\
.botyard text.player-3{stroke:var(--player-3)}.botyard text.player-4{stroke:var(--player-4)}\
.botyard text.player-5{stroke:var(--player-5)}.botyard text.player-6{stroke:var(--player-6)}\
.botyard text.player-7{stroke:var(--player-7)}.botyard text.player-8{stroke:var(--player-8)}\
.botyard text.more{fill:var(--on-player);font-size:11.5px;font-weight:700}\
.botyard .path{fill:none;stroke:var(--ink);stroke-width:3.5;stroke-linecap:round;opacity:.75}\
.botyard .head{fill:var(--ink)}\
.botyard .swatch{stroke:var(--border);stroke-width:1}\
.botyard text.on{fill:var(--on-player);font-weight:700;text-anchor:middle}\
.botyard .die{stroke:var(--border);stroke-width:1.2}\
.botyard .out{opacity:.45}";

/// The drawing of a game.
struct DiceWars {
    seats: Vec<String>,
    shapes: Vec<Shape>,
    /// Where the panel begins.
    panel: f64,
    /// The owners and dice of the moment before.
    before: Option<(Vec<usize>, Vec<u8>)>,
}

/// How an area is drawn.
struct Shape {
    /// Its outline, as the attribute `d` of a path.
    outline: String,
    /// Where its dice are written.
    middle: (f64, f64),
}

/// A corner of a cell: half widths to the right, and quarters of the height downwards.
type Corner = (i32, i32);

/// The corners of a cell, clockwise from the top.
fn corners(cell: Hex) -> [Corner; 6] {
    let (x, y) = (i32::from(cell.x()), 3 * i32::from(cell.y()));
    [(x, y - 2), (x + 1, y - 1), (x + 1, y + 1), (x, y + 2), (x - 1, y + 1), (x - 1, y - 1)]
}

/// The closed loops around cells. Sides between two of the cells are inside, so they cancel.
fn loops(cells: &[Hex]) -> Vec<Vec<Corner>> {
    let mut sides: BTreeSet<(Corner, Corner)> = BTreeSet::new();
    for &cell in cells {
        let around = corners(cell);
        for side in 0..6 {
            let (from, to) = (around[side], around[(side + 1) % 6]);
            if !sides.remove(&(to, from)) {
                sides.insert((from, to));
            }
        }
    }
    // Three cells meet in a corner, so at most one side of the outline begins there.
    let mut next: BTreeMap<Corner, Corner> = sides.into_iter().collect();
    let mut loops = Vec::new();
    while let Some((&start, _)) = next.iter().next() {
        let mut corners = Vec::new();
        let mut at = start;
        while let Some(to) = next.remove(&at) {
            corners.push(at);
            at = to;
        }
        loops.push(corners);
    }
    loops
}

/// How many of a cell's neighbours are in the same area, up to two cells away.
fn depth(cell: Hex, cells: &BTreeSet<Hex>) -> usize {
    let near: BTreeSet<Hex> = cell.neighbours().into_iter().collect();
    let far: BTreeSet<Hex> = near.iter().flat_map(|cell| cell.neighbours()).collect();
    3 * near.intersection(cells).count() + far.intersection(cells).count()
}

/// The scale of a map: the side of a hexagon, and the place of the cell at 0, 0.
#[derive(Clone, Copy)]
struct Scale {
    side: f64,
    left: f64,
    top: f64,
}

impl Scale {
    fn of(cells: impl Iterator<Item = Hex> + Clone) -> Option<(Scale, f64)> {
        let corners = || cells.clone().flat_map(corners);
        let (left, right) = (corners().map(|c| c.0).min()?, corners().map(|c| c.0).max()?);
        let (top, bottom) = (corners().map(|c| c.1).min()?, corners().map(|c| c.1).max()?);
        let (across, down) = (f64::from(right - left), f64::from(bottom - top));
        let half = 3f64.sqrt() / 2.0;
        let fitting = ((WIDTH - 6.0) / (across * half)).min(MAP_HEIGHT / (down / 2.0));
        let side = fitting.min(LARGEST_SIDE);
        let scale = Scale {
            side,
            left: (WIDTH - across * half * side) / 2.0 - f64::from(left) * half * side,
            top: 3.0 - f64::from(top) / 2.0 * side,
        };
        Some((scale, down / 2.0 * side + 6.0))
    }

    fn place(self, (x, y): Corner) -> (f64, f64) {
        let across = f64::from(x) * 3f64.sqrt() / 2.0;
        (self.left + across * self.side, self.top + f64::from(y) / 2.0 * self.side)
    }

    fn shape(self, cells: &[Hex]) -> Shape {
        let mut outline = String::new();
        for corners in loops(cells) {
            for (index, corner) in corners.into_iter().enumerate() {
                let (x, y) = self.place(corner);
                let command = if index == 0 { 'M' } else { 'L' };
                // Writing to a string cannot fail.
                let _ = write!(outline, "{command}{} {}", rounded(x), rounded(y));
            }
            outline.push('Z');
        }
        let set: BTreeSet<Hex> = cells.iter().copied().collect();
        let sum = |of: fn(Hex) -> i16| cells.iter().map(|&cell| f64::from(of(cell))).sum::<f64>();
        let count = cells.len() as f64;
        let (x, y) = (sum(Hex::x) / count, sum(Hex::y) / count);
        let far =
            |cell: Hex| (f64::from(cell.x()) - x).abs() + 1.7 * (f64::from(cell.y()) - y).abs();
        let rank = |&&cell: &&Hex| {
            let nearness = far(cell);
            (depth(cell, &set) as f64 - 1.5 * nearness, -nearness)
        };
        let best = cells.iter().max_by(|one, other| {
            rank(one).partial_cmp(&rank(other)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let middle = best
            .map_or((0.0, 0.0), |cell| self.place((i32::from(cell.x()), 3 * i32::from(cell.y()))));
        Shape { outline, middle }
    }
}

/// The shapes of all areas and the height of the map. A map without cells is a ring of circles.
fn shapes(map: &Map) -> (Vec<Shape>, f64) {
    let cells = map.all().iter().flat_map(|area| map.cells(area).iter().copied());
    let all_have_cells = map.all().iter().all(|area| !map.cells(area).is_empty());
    if let (true, Some((scale, height))) = (all_have_cells, Scale::of(cells)) {
        let shapes = map.all().iter().map(|area| scale.shape(map.cells(area)));
        return (shapes.collect(), height);
    }
    let height = MAP_HEIGHT;
    let (across, down) = (WIDTH / 2.0 - 32.0, height / 2.0 - 32.0);
    let radius = (TAU * across.min(down) / map.areas() as f64 / 2.4).min(28.0);
    let shape = |area: Area| {
        let angle = TAU * area.index() as f64 / map.areas() as f64 - TAU / 4.0;
        let (x, y) = (WIDTH / 2.0 + across * angle.cos(), height / 2.0 + down * angle.sin());
        let (left, y, r) = (rounded(x - radius), rounded(y), rounded(radius));
        let (d, minus) = (rounded(2.0 * r), rounded(-2.0 * r));
        let outline = format!("M{left} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 {minus} 0Z");
        Shape { outline, middle: (x, y) }
    };
    (map.all().iter().map(shape).collect(), height)
}

/// The roads of a map without cells.
fn roads(map: &Map, shapes: &[Shape]) -> Element {
    let mut lines = String::new();
    for one in map.all() {
        for other in map.neighbours(one).iter().filter(|other| *other > one) {
            let ((a, b), (c, d)) = (shapes[one.index()].middle, shapes[other.index()].middle);
            let _ = write!(lines, "M{} {}L{} {}", rounded(a), rounded(b), rounded(c), rounded(d));
        }
    }
    Element::new("path").class("road").set("d", lines)
}

/// The shapes of the areas, the roads of a map without cells, and the odds of battles: the
/// probability that 1 to 8 dice win against 1 to 8.
pub(super) fn geometry(setup: Value) -> Result<Value, serde_json::Error> {
    let Setup { map, .. } = read(&setup)?;
    let (shapes, height) = shapes(&map);
    let areas = map.all().iter().zip(&shapes).map(|(area, shape)| {
        let (x, y) = shape.middle;
        let near: Vec<usize> = map.neighbours(area).iter().map(|area| area.index() + 1).collect();
        json!({ "d": shape.outline, "x": rounded(x), "y": rounded(y), "near": near })
    });
    let with_roads = map.all().iter().any(|area| map.cells(area).is_empty());
    let odds = |attacker: u8| {
        let odds = (1..=MAX_DICE).map(|defender| win_probability(attacker, defender));
        odds.map(|odds| (odds * 1e4).round() / 1e4).collect::<Vec<f64>>()
    };
    Ok(json!({
        "width": WIDTH,
        "height": rounded(height),
        "areas": areas.collect::<Vec<Value>>(),
        "roads": with_roads,
        "odds": (1..=MAX_DICE).map(odds).collect::<Vec<_>>(),
    }))
}

/// Begins the drawing of a game.
pub(super) fn begin(occasion: &Occasion) -> Result<Begun, serde_json::Error> {
    let Setup { map, .. } = read(&occasion.setup)?;
    let (shapes, height) = shapes(&map);
    let mut elements = Vec::new();
    if map.all().iter().any(|area| map.cells(area).is_empty()) {
        elements.push(roads(&map, &shapes));
    }
    for area in map.all() {
        let look = Look::shown("area");
        let path = Element::changing("path", format_args!("area-{area}"), look);
        elements.push(path.set("d", &shapes[area.index()].outline));
    }
    for area in map.all() {
        let look = Look::shown("outline");
        let path = Element::changing("path", format_args!("outline-{area}"), look);
        elements.push(path.set("d", &shapes[area.index()].outline));
    }
    elements.push(Element::changing("polyline", "attack", Look::hidden("path")));
    let head = Element::changing("circle", "attack-head", Look::hidden("head"));
    elements.push(head.length("r", 6.0));
    for area in map.all() {
        let (x, y) = shapes[area.index()].middle;
        let text = |id: String, class: &str| Element::changing("text", id, Look::shown(class));
        // The label is drawn first: where borders are near, it has an edge in the colour of its area.
        elements.push(text(format!("label-{area}"), "label").at(x, y + LABEL));
        elements.push(text(format!("dice-{area}"), "dice").at(x, y + DICE));
        elements.push(text(format!("more-{area}"), "more").at(x + 8.0, y + DICE - 7.0));
    }
    elements.extend(rolls(height + 8.0));
    let top = height + ROLLS + 12.0;
    elements.extend(panel(occasion, top));
    let height = top + LINE * (occasion.seats.len() + 1) as f64;
    let drawn = Drawn { width: WIDTH, height, elements };
    let drawing = DiceWars { seats: occasion.seats.to_vec(), shapes, panel: top, before: None };
    Ok((Box::new(drawing), drawn))
}

/// The dice of an attack: a line for each side.
fn rolls(top: f64) -> Vec<Element> {
    let mut elements = Vec::new();
    for (line, side) in ["attacker", "defender"].into_iter().enumerate() {
        let y = top + 36.0 * line as f64;
        let title = Element::changing("text", format_args!("{side}-title"), Look::shown("title"));
        elements.push(title.at(0.0, y + 18.0));
        for die in 0..MAX_DICE {
            let x = 170.0 + 33.0 * f64::from(die);
            let id = format!("{side}-die-{}", die + 1);
            let square = Element::changing("rect", &id, Look::hidden("die")).at(x, y);
            elements.push(square.length("width", DIE).length("height", DIE).set("rx", 5));
            let face = Element::changing("text", format_args!("{id}-face"), Look::shown("on"));
            elements.push(face.at(x + DIE / 2.0, y + 18.0));
        }
        let sum = Element::changing("text", format_args!("{side}-sum"), Look::shown("strong"));
        elements.push(sum.at(170.0 + 33.0 * f64::from(MAX_DICE) + 6.0, y + 18.0));
    }
    elements
}

const COLUMNS: [(&str, f64); 4] =
    [("areas", 420.0), ("dice", 490.0), ("region", 570.0), ("reserve", 660.0)];

/// A line for each player.
fn panel(occasion: &Occasion, top: f64) -> Vec<Element> {
    let mut elements = Vec::new();
    for (title, x) in COLUMNS {
        elements.push(Element::words("dim end", (x, top + 14.0), title));
    }
    let look = Look::hidden("panel");
    elements.push(
        Element::changing("rect", "to-move", look)
            .at(-4.0, 0.0)
            .length("width", WIDTH + 8.0)
            .length("height", LINE)
            .set("rx", 5),
    );
    for seat in occasion.all_seats() {
        let number = seat.index() + 1;
        let y = top + LINE * number as f64;
        let swatch = Element::new("rect").class(format_args!("swatch player-{number}"));
        let swatch = swatch.at(2.0, y + 2.0).length("width", 20.0).length("height", 20.0);
        let name = format!("{}: {}", occasion.seats[seat.index()], occasion.player(seat));
        let line = Element::changing("g", format_args!("player-{number}"), Look::shown("player"));
        elements.push(
            line.with(swatch.set("rx", 4))
                .with(Element::words("on", (12.0, y + 16.5), letter(seat)))
                .with(Element::words("name", (32.0, y + 16.5), name))
                .with_all(COLUMNS.map(|(title, x)| {
                    let id = format!("player-{number}-{title}");
                    Element::changing("text", id, Look::shown("end")).at(x, y + 16.5)
                })),
        );
    }
    elements
}

impl DiceWars {
    fn name(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or("", String::as_str)
    }

    /// Marks two areas and the way between them.
    fn mark(&self, from: Area, to: Area, scene: &mut Scene) {
        scene.class(format_args!("outline-{from}"), "outline from");
        scene.class(format_args!("outline-{to}"), "outline to");
        let places = [from, to].map(|area| self.shapes.get(area.index()).map(|shape| shape.middle));
        if let [Some((a, b)), Some((c, d))] = places {
            // Between the numbers, so that they stay legible.
            let far = ((c - a).powi(2) + (d - b).powi(2)).sqrt().max(1.0);
            let at = |way: f64| (a + (c - a) * way / far, b + (d - b) * way / far);
            let (start, end) = (far.min(20.0), (far - 24.0).max(far / 2.0));
            scene.path("attack", [at(start), at(end)]);
            scene.place("attack-head", at(end));
        }
    }

    /// Shows the roll of a side.
    fn roll(&self, side: &str, owner: Option<usize>, roll: &Roll, scene: &mut Scene) {
        let class = owner.map_or("die".to_string(), |owner| format!("die player-{}", owner + 1));
        if let Roll::Faces(faces) = roll {
            for (number, face) in (1..).zip(faces) {
                scene.show(format_args!("{side}-die-{number}"));
                scene.class(format_args!("{side}-die-{number}"), &class);
                scene.text(format_args!("{side}-die-{number}-face"), face);
            }
        }
        scene.text(format_args!("{side}-sum"), format_args!("= {}", roll.pips()));
    }

    fn owner_before(&self, area: Area) -> Option<usize> {
        self.before.as_ref()?.0.get(area.index()).copied()
    }
}

impl Drawing for DiceWars {
    fn scene(&mut self, moment: &Moment) -> Result<Scene, serde_json::Error> {
        let view: View = read(moment.view)?;
        let owners: Vec<usize> = view.owners.iter().map(|player| player.number() - 1).collect();
        let mut scene = Scene::default();
        let mut battle = None;
        for (seat, action, by) in moment.moves() {
            let name = self.name(seat);
            match read(action)? {
                Action::Attack(from, to) => {
                    battle = Some((from, to));
                    self.mark(from, to, &mut scene);
                    scene.say(format!("{name} attacks {to} from {from}{by}."));
                }
                Action::Transfer(from, to) => {
                    self.mark(from, to, &mut scene);
                    scene.say(format!("{name} moves dice from {from} to {to}{by}."));
                }
                Action::EndTurn => scene.say(format!("{name} ends its turn{by}.")),
            }
        }
        for chance in moment.chances() {
            match read(chance)? {
                Chance::Battle { attacker, defender } => {
                    let (one, other) = (attacker.pips(), defender.pips());
                    let (from, to) = battle.unzip();
                    let owner = |area: Option<Area>| self.owner_before(area?);
                    for (side, area, roll) in
                        [("attacker", from, &attacker), ("defender", to, &defender)]
                    {
                        let title = area.map(|area| format!("{side}, area {area}"));
                        scene.text(format_args!("{side}-title"), title.unwrap_or(side.to_string()));
                        self.roll(side, owner(area), roll, &mut scene);
                    }
                    let end = if one > other { "It takes the area" } else { "It fails" };
                    scene.say(format!("{end}, {one} against {other}."));
                }
                Chance::Reinforcement { placed } => {
                    let mut more: BTreeMap<Area, u8> = BTreeMap::new();
                    for &area in &placed {
                        *more.entry(area).or_default() += 1;
                    }
                    for (area, dice) in more {
                        scene.text(format_args!("more-{area}"), format_args!("+{dice}"));
                    }
                    scene.say(match placed.len() {
                        0 => "No new dice.".to_string(),
                        1 => "1 new die.".to_string(),
                        dice => format!("{dice} new dice."),
                    });
                }
            }
        }
        for (area, (&owner, &dice)) in Area::all(owners.len()).zip(owners.iter().zip(&view.dice)) {
            let player = Seat::new(owner);
            scene.class(format_args!("area-{area}"), format!("area player-{}", owner + 1));
            scene.text(format_args!("dice-{area}"), dice);
            scene.class(format_args!("label-{area}"), format!("label player-{}", owner + 1));
            scene.text(format_args!("label-{area}"), format_args!("{} {area}", letter(player)));
        }
        for seat in Seat::all(view.reserves.len().min(self.seats.len())) {
            let (index, number) = (seat.index(), seat.index() + 1);
            let held = || owners.iter().zip(&view.dice).filter(|(owner, _)| **owner == index);
            let dice: u32 = held().map(|(_, &dice)| u32::from(dice)).sum();
            let id = |title| format!("player-{number}-{title}");
            scene.text(id("areas"), held().count());
            scene.text(id("dice"), dice);
            scene.text(id("region"), view.regions[index]);
            scene.text(id("reserve"), view.reserves[index]);
            if view.places[index].is_some() {
                scene.class(format_args!("player-{number}"), "player out");
            }
            if view.over.is_none() && view.to_move.number() == number {
                scene.place("to-move", (0.0, self.panel + LINE * number as f64));
            }
        }
        self.before = Some((owners, view.dice.to_vec()));
        Ok(scene)
    }

    fn spot(&self, place: &Place) -> Option<Spot> {
        let area = numbered(place, self.shapes.len())?;
        Some(Spot { at: self.shapes[area - 1].middle, radius: 20.0, has_text: true })
    }
}
