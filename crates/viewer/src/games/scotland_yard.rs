//! Scotland Yard: London with its lines, or a grid; the pawns, the stations at which Mr. X can be,
//! his travel log and the tickets.
//!
//! The candidates follow from the public log, so every perspective has them. Mr. X's pawn is drawn
//! where the view has his station, and nowhere else.
//!
//! IDs: `station-N`; `mr-x` and `detective-N`, the pawns; `last-seen`, the ring around the station
//! of the last reveal; `last-move`, the last step if both of its ends are seen; `log-N`,
//! `log-N-number` and `log-N-ticket`, the entries of the log; `tickets-0` of Mr. X and `tickets-N`
//! of detective N; `to-move-0` and `to-move-N`.

use super::{Drawing, Moment, Occasion, read};
use crate::board::Drawn;
use crate::frame::{Look, Scene};
use crate::games::Begun;
use crate::marks::{Spot, numbered};
use crate::svg::{Element, rounded};
use botyard_engine::scotland_yard::{
    Board, Detective, End, Mover, Rules, ScotlandYard, Shape, Station, Ticket, Tickets, Transport,
    View,
};
use botyard_engine::{Game, Seat};
use botyard_protocol::Place;
use serde::de::Error;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The width of London, of which the height follows.
const LONDON: f64 = 980.0;
/// The width of London in relation to its height.
const PROPORTIONS: f64 = 1.33;
/// The margin around the stations.
const MARGIN: f64 = 16.0;
/// The radius of a station.
const STATION: f64 = 11.5;
/// The greatest width of a grid.
const GRID: f64 = 760.0;
/// The largest cell.
const LARGEST_CELL: f64 = 84.0;
/// The smallest cell in which a number can be read.
const NUMBERED_CELL: f64 = 28.0;
/// The smallest width of a drawing, for the panel.
const NARROWEST: f64 = 480.0;
/// The side of an entry of the log.
const ENTRY: f64 = 37.0;
/// The most entries that are drawn: the last ones.
const MOST_ENTRIES: usize = 26;
/// How far from the middle of a station two pawns stand on it, in radii of a pawn.
const BESIDE: f64 = 0.9;
/// The height of a line of the panel.
const LINE: f64 = 24.0;

pub(super) const STYLE: &str = "\
.botyard .line{fill:none;stroke-linecap:round}\
.botyard .line.underground{stroke:var(--underground);stroke-width:6;stroke-dasharray:14 5;stroke-linecap:butt;opacity:.75}\
.botyard .line.bus{stroke:var(--bus);stroke-width:3.5}\
.botyard .line.taxi{stroke:var(--taxi);stroke-width:2}\
.botyard .line.ferry{stroke:var(--ferry);stroke-width:4;stroke-dasharray:2 7}\
.botyard .station circle,.botyard .station rect{fill:var(--paper);stroke:var(--taxi);stroke-width:1.6}\
.botyard .station.bus circle{stroke:var(--bus);stroke-width:2.6}\
.botyard .station.underground circle{stroke:var(--underground);stroke-width:3.2}\
.botyard .station rect{stroke:var(--rule);stroke-width:1}\
.botyard .station text{font-size:11px;text-anchor:middle;font-weight:600}\
.botyard .station.cell text{fill:var(--dim);font-weight:400;text-anchor:start}\
.botyard .station.candidate circle,.botyard .station.candidate rect{fill:var(--candidate);\
stroke:var(--candidate-edge);stroke-width:3}\
.botyard .path{fill:none;stroke:var(--mark);stroke-width:7;stroke-linecap:round;opacity:.85}\
.botyard .seen{fill:none;stroke:var(--mr-x);stroke-width:3;stroke-dasharray:5 4}\
.botyard .pawn circle{stroke:var(--paper);stroke-width:2}\
.botyard .pawn text{text-anchor:middle;font-weight:700;fill:var(--on-player)}\
.botyard .detective-1 circle{fill:var(--player-2)}.botyard .detective-2 circle{fill:var(--player-4)}\
.botyard .detective-3 circle{fill:var(--player-3)}.botyard .detective-4 circle{fill:var(--player-7)}\
.botyard .detective-5 circle{fill:var(--player-1)}\
.botyard .pawn.mr-x circle{fill:var(--mr-x)}.botyard .pawn.mr-x text{fill:var(--mr-x-ink)}\
.botyard .pawn.mr-x.unseen{opacity:.6}\
.botyard .to-move{fill:var(--mark)}\
.botyard .entry rect{fill:var(--panel);stroke:var(--rule);stroke-width:1}\
.botyard .entry.taxi rect{fill:var(--taxi)}.botyard .entry.bus rect{fill:var(--bus)}\
.botyard .entry.underground rect{fill:var(--underground)}.botyard .entry.black rect{fill:var(--mr-x)}\
.botyard .entry.reveal rect{stroke:var(--ink);stroke-width:2.5}\
.botyard .entry text{text-anchor:middle}\
.botyard .entry text.number{font-size:9px;fill:var(--dim)}\
.botyard .entry text.ticket{font-size:11px;font-weight:700}\
.botyard .entry.used text{fill:var(--on-player)}\
.botyard .entry.used text.number{fill:var(--on-player)}\
.botyard .entry.black text,.botyard .entry.black text.number{fill:var(--mr-x-ink)}";

/// The drawing of a game.
struct Yard {
    game: ScotlandYard,
    places: Places,
    /// Where the board begins: a narrow one is in the middle of its drawing.
    left: f64,
    /// How many entries of the log are drawn.
    entries: usize,
    /// Where the detectives and Mr. X were at the moment before, as far as it was seen.
    before: Stations,
}

#[derive(Clone, Debug, Default)]
struct Stations {
    mr_x: Option<Station>,
    detectives: Vec<Option<Station>>,
}

/// Where stations are drawn.
#[derive(Clone, Copy)]
struct Places {
    width: f64,
    height: f64,
    /// The side of a cell of a grid.
    cell: Option<f64>,
}

impl Places {
    fn of(board: &Board) -> Places {
        match board.shape() {
            Shape::London => Places { width: LONDON, height: LONDON / PROPORTIONS, cell: None },
            Shape::Grid(grid, _) => {
                let (columns, rows) = (f64::from(grid.width()), f64::from(grid.height()));
                let cell = (GRID / columns.max(rows)).min(LARGEST_CELL);
                Places { width: columns * cell, height: rows * cell, cell: Some(cell) }
            }
        }
    }

    /// The middle of a station.
    fn middle(self, board: &Board, station: Station) -> (f64, f64) {
        let (x, y) = board.coordinates(station);
        let edge = self.cell.map_or(MARGIN, |cell| cell / 2.0);
        (edge + x * (self.width - 2.0 * edge), edge + y * (self.height - 2.0 * edge))
    }

    /// The radius of a pawn.
    fn pawn(self) -> f64 {
        self.cell.map_or(STATION + 3.5, |cell| (cell * 0.32).min(22.0))
    }
}

/// A pawn around 0, 0.
fn pawn(element: Element, letter: impl std::fmt::Display, radius: f64) -> Element {
    let size = rounded(radius * 1.1);
    element.with(Element::new("circle").length("r", radius)).with(
        Element::new("text")
            .length("y", radius * 0.4)
            .set("style", format_args!("font-size:{size}px"))
            .text(letter),
    )
}

/// The class of a station or a cell.
fn class(board: &Board, station: Station, is_candidate: bool) -> String {
    let kinds = board.kinds(station);
    let kind = if matches!(board.shape(), Shape::Grid(..)) {
        " cell"
    } else if kinds.has(Transport::Underground) {
        " underground"
    } else if kinds.has(Transport::Bus) {
        " bus"
    } else {
        ""
    };
    format!("station{kind}{}", if is_candidate { " candidate" } else { "" })
}

/// The lines of London, each kind as one path. Lines between the same stations are drawn side by
/// side.
fn lines(board: &Board, places: Places) -> Vec<Element> {
    let mut between: BTreeMap<(Station, Station), Vec<Transport>> = BTreeMap::new();
    for (from, to, by) in board.edges() {
        between.entry((from, to)).or_default().push(by);
    }
    let mut paths: BTreeMap<Transport, String> = BTreeMap::new();
    for ((from, to), kinds) in between {
        let ((a, b), (c, d)) = (places.middle(board, from), places.middle(board, to));
        let length = ((c - a).powi(2) + (d - b).powi(2)).sqrt().max(1.0);
        let (across, down) = ((b - d) / length, (c - a) / length);
        for (index, kind) in kinds.iter().enumerate() {
            let aside = 4.6 * (index as f64 - (kinds.len() - 1) as f64 / 2.0);
            let (x, y) = (across * aside, down * aside);
            let place = |x, y| format!("{} {}", rounded(x), rounded(y));
            let path = paths.entry(*kind).or_default();
            // Writing to a string cannot fail.
            let _ = write!(path, "M{}L{}", place(a + x, b + y), place(c + x, d + y));
        }
    }
    let order = [Transport::Underground, Transport::Ferry, Transport::Bus, Transport::Taxi];
    let drawn = order.into_iter().filter_map(|kind| {
        let path = paths.remove(&kind)?;
        let class = format!("line {}", kind.name());
        Some(Element::new("path").class(class).set("d", path))
    });
    drawn.collect()
}

fn station(board: &Board, places: Places, station: Station) -> Element {
    let (x, y) = places.middle(board, station);
    let look = Look::shown(class(board, station, false));
    let group = Element::changing("g", format_args!("station-{station}"), look);
    match places.cell {
        None => group
            .with(Element::new("circle").length("cx", x).length("cy", y).length("r", STATION))
            .with(Element::new("text").at(x, y + 4.0).text(station)),
        Some(cell) => {
            let (left, top) = (x - cell / 2.0, y - cell / 2.0);
            let square = Element::new("rect").at(left + 1.0, top + 1.0);
            let square = square.length("width", cell - 2.0).length("height", cell - 2.0);
            let group = group.with(square.set("rx", 3));
            if cell < NUMBERED_CELL {
                return group;
            }
            group.with(Element::new("text").at(left + 5.0, top + 14.0).text(station))
        }
    }
}

/// The setup without the edges of a grid, which follow from its width and height.
pub(super) fn geometry(mut setup: Value) -> Result<Value, serde_json::Error> {
    if let Value::Object(fields) = &mut setup
        && fields.get("width").is_some_and(Value::is_number)
    {
        fields.remove("edges");
    }
    Ok(setup)
}

/// Begins the drawing of a game.
pub(super) fn begin(occasion: &Occasion) -> Result<Begun, serde_json::Error> {
    let rules: Rules = read(occasion.rules)?;
    let entries = usize::from(rules.last_x_move()).min(MOST_ENTRIES);
    let detectives = usize::from(rules.detectives);
    let game = ScotlandYard::new(rules).map_err(serde_json::Error::custom)?;
    let board = game.board();
    let places = Places::of(board);
    let width = places.width.max(NARROWEST);
    let left = (width - places.width) / 2.0;
    let radius = places.pawn();
    let mut elements = Vec::new();
    if places.cell.is_none() {
        elements.extend(lines(board, places));
    }
    let stations = board.stations().map(|number| station(board, places, number));
    let path = Element::changing("polyline", "last-move", Look::hidden("path"));
    // Cells fill the board, so a path under them would not be seen.
    match places.cell {
        Some(_) => elements.extend(stations.chain([path])),
        None => elements.extend([path].into_iter().chain(stations)),
    }
    let seen = Element::changing("circle", "last-seen", Look::hidden("seen"));
    elements.push(seen.length("r", radius + 3.0));
    for detective in Detective::all(detectives) {
        let look = Look::hidden(format!("pawn detective-{detective}"));
        let element = Element::changing("g", format_args!("detective-{detective}"), look);
        elements.push(pawn(element, detective, radius));
    }
    let mr_x = Element::changing("g", "mr-x", Look::hidden("pawn mr-x"));
    elements.push(pawn(mr_x, "X", radius));
    let map = Element::new("g").set("transform", format_args!("translate({} 0)", rounded(left)));
    let mut elements = vec![map.with_all(elements)];

    let top = places.height + 14.0;
    let is_wide = width > 900.0;
    let per_line = if is_wide { 13 } else { (width / (ENTRY + 2.0)) as usize };
    let log_height = 22.0 + (ENTRY + 2.0) * entries.div_ceil(per_line) as f64;
    elements.push(Element::words("dim", (0.0, top + 12.0), "Mr. X's travel log"));
    for entry in 0..entries {
        let x = (ENTRY + 2.0) * (entry % per_line) as f64;
        let y = top + 20.0 + (ENTRY + 2.0) * (entry / per_line) as f64;
        elements.push(log_entry(entry, x, y));
    }
    let right = if is_wide { 530.0 } else { 0.0 };
    let below = if is_wide { top } else { top + log_height + 6.0 };
    for line in 0..=detectives {
        let y = below + LINE * (line as f64 + 0.5);
        elements.extend(panel_line(occasion, line, (right, y)));
    }
    let mut height = (below + LINE * (detectives + 1) as f64).max(top + log_height);
    if places.cell.is_none() {
        elements.extend(legend(height + 14.0));
        height += 24.0;
    }
    let drawn = Drawn { width, height, elements };
    let before = Stations::default();
    Ok((Box::new(Yard { game, places, left, entries, before }), drawn))
}

/// An entry of the log.
fn log_entry(entry: usize, x: f64, y: f64) -> Element {
    let id = format!("log-{}", entry + 1);
    let text = |part: &str, class: &str, dy: f64| {
        let element = Element::changing("text", format_args!("{id}-{part}"), Look::shown(class));
        element.at(x + ENTRY / 2.0, y + dy)
    };
    let square = Element::new("rect").at(x, y).length("width", ENTRY).length("height", ENTRY);
    Element::changing("g", &id, Look::shown("entry"))
        .with(square.set("rx", 4))
        .with(text("number", "number", 10.5))
        .with(text("ticket", "ticket", 26.0))
}

/// A line of the panel: Mr. X, or a detective.
fn panel_line(occasion: &Occasion, line: usize, (x, y): (f64, f64)) -> Vec<Element> {
    let icon = |class: String| {
        let place = format!("translate({} {})", rounded(x + 22.0), rounded(y));
        Element::new("g").class(class).set("transform", place)
    };
    let seat = Seat::new(line.min(occasion.seats.len() - 1));
    let (icon, who) = match line {
        0 => (pawn(icon("pawn mr-x".into()), "X", 9.5), "Mr. X".to_string()),
        _ => (pawn(icon(format!("pawn detective-{line}")), line, 9.5), format!("detective {line}")),
    };
    // Where one seat moves all detectives, its player is named once.
    let is_named = line == 0 || occasion.seats.len() > 2 || line == 1;
    let who = match is_named {
        true => format!("{who}: {}", botyard_protocol::printable(&occasion.player(seat), 18)),
        false => who,
    };
    let id = format!("tickets-{line}");
    let tickets = Element::changing("text", id, Look::shown("tickets")).at(x + 265.0, y + 4.5);
    let look = Look::hidden("to-move");
    let dot = Element::changing("circle", format_args!("to-move-{line}"), look);
    let dot = dot.length("cx", x + 5.0).length("cy", y).length("r", 5.0);
    vec![dot, icon, Element::words("name", (x + 38.0, y + 4.5), who), tickets]
}

/// What the lines and marks of London mean.
fn legend(y: f64) -> Vec<Element> {
    let mut elements = Vec::new();
    let mut x = 0.0;
    let kinds = [
        ("taxi", "taxi (T)", 104.0),
        ("bus", "bus (B)", 98.0),
        ("underground", "underground (U)", 156.0),
        ("ferry", "ferry", 84.0),
    ];
    for (kind, words, width) in kinds {
        let line = format!("M{x} {y}h30");
        elements.push(Element::new("path").class(format_args!("line {kind}")).set("d", line));
        elements.push(Element::words("dim", (x + 36.0, y + 4.5), words));
        x += width;
    }
    elements.push(Element::words("dim", (x, y + 4.5), "black ticket (X)"));
    x += 122.0;
    let station = Element::group("station candidate");
    let circle = Element::new("circle").length("cx", x + 10.0).length("cy", y).length("r", 8.0);
    elements.push(station.with(circle));
    elements.push(Element::words("dim", (x + 24.0, y + 4.5), "Mr. X can be here"));
    x += 160.0;
    let seen = Element::new("circle").class("seen").length("cx", x + 10.0).length("cy", y);
    elements.push(seen.length("r", 8.0));
    elements.push(Element::words("dim", (x + 26.0, y + 4.5), "his last shown station"));
    elements
}

/// A ticket as one letter.
fn letter(ticket: Ticket) -> &'static str {
    match ticket {
        Ticket::Taxi => "T",
        Ticket::Bus => "B",
        Ticket::Underground => "U",
        Ticket::Black => "X",
    }
}

fn counts(tickets: Option<Tickets>) -> String {
    match tickets {
        None => "unlimited".to_string(),
        Some(Tickets { taxi, bus, underground }) => {
            format!("T {taxi}, B {bus}, U {underground}")
        }
    }
}

impl Yard {
    fn middle(&self, station: Station) -> (f64, f64) {
        self.places.middle(self.game.board(), station)
    }

    /// The place of a pawn: the middle of its station, or on this side of it where Mr. X and the
    /// detective who caught him are both.
    fn beside(&self, station: Station, caught: Option<Station>, side: f64) -> (f64, f64) {
        let (x, y) = self.middle(station);
        let aside = if caught == Some(station) { BESIDE * side * self.places.pawn() } else { 0.0 };
        (x + aside, y)
    }

    /// Describes a step, and marks it if both of its ends are seen.
    fn step(&self, action: &Value, by: &str, scene: &mut Scene) {
        let ticket = action["ticket"].as_str().unwrap_or("?");
        let to = action["to"].as_u64().and_then(|to| Station::new(u16::try_from(to).ok()?));
        let to = to.filter(|&to| self.game.board().has(to));
        let detective = action["detective"].as_u64();
        let who = detective.map_or("Mr. X".to_string(), |number| format!("Detective {number}"));
        let double = if action["double"] == true { ", first half of a double move" } else { "" };
        scene.say(match to {
            Some(to) => format!("{who}: {ticket} to {to}{double}{by}."),
            None => format!("{who}: {ticket}{double}{by}."),
        });
        let from = match detective {
            None => self.before.mr_x,
            Some(number) => {
                let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
                self.before.detectives.get(index).copied().flatten()
            }
        };
        if let Some((from, to)) = from.zip(to) {
            scene.path("last-move", [self.middle(from), self.middle(to)]);
        }
    }

    fn log(&self, view: &View, scene: &mut Scene) {
        let past = view.log.len().saturating_sub(self.entries);
        for entry in 0..self.entries {
            let number = past + entry;
            let id = format!("log-{}", entry + 1);
            scene.text(format_args!("{id}-number"), number + 1);
            let move_number = u16::try_from(number + 1).unwrap_or(u16::MAX);
            let is_reveal = self.game.arena().reveals(move_number);
            let reveal = if is_reveal { " reveal" } else { "" };
            let Some(shown) = view.log.get(number) else {
                scene.class(&id, format!("entry{reveal}"));
                continue;
            };
            scene.class(&id, format!("entry used {}{reveal}", shown.ticket));
            let ticket = letter(shown.ticket);
            scene.text(
                format_args!("{id}-ticket"),
                match shown.station {
                    Some(station) => format!("{ticket} {station}"),
                    None => ticket.to_string(),
                },
            );
        }
    }
}

impl Drawing for Yard {
    fn scene(&mut self, moment: &Moment) -> Result<Scene, serde_json::Error> {
        let view: View = read(moment.view)?;
        let mut scene = Scene::default();
        for (_, action, by) in moment.moves() {
            self.step(action, by, &mut scene);
        }
        let board = self.game.board();
        let candidates = self.game.candidates_in(&view);
        for station in candidates.set().iter() {
            scene.class(format_args!("station-{station}"), class(board, station, true));
        }
        let shown =
            view.log.iter().rev().find(|entry| entry.reveal).and_then(|entry| entry.station);
        if let Some(station) = shown {
            scene.place("last-seen", self.middle(station));
        }
        let caught = view.mr_x.station.filter(|&station| {
            view.detectives.iter().any(|detective| detective.station == Some(station))
        });
        if let Some(station) = view.mr_x.station {
            scene.place("mr-x", self.beside(station, caught, 1.0));
            let is_public =
                view.log.last().is_some_and(|last| last.reveal) || view.over == Some(End::Caught);
            scene.class("mr-x", if is_public { "pawn mr-x" } else { "pawn mr-x unseen" });
        }
        for (detective, its) in Detective::all(view.detectives.len()).zip(&view.detectives) {
            if let Some(station) = its.station {
                let place = self.beside(station, caught, -1.0);
                scene.place(format_args!("detective-{detective}"), place);
            }
            let mut text = counts(its.tickets);
            if its.station.is_none() {
                text.push_str(", off the board");
            }
            scene.text(format_args!("tickets-{detective}"), text);
        }
        let mr_x = &view.mr_x;
        let mut purse = counts(mr_x.tickets);
        if mr_x.black > 0 || mr_x.double > 0 {
            let _ = write!(purse, ", X {}, double {}", mr_x.black, mr_x.double);
        }
        scene.text("tickets-0", purse);
        self.log(&view, &mut scene);
        let still = |its: usize| view.detectives.get(its).is_some_and(|its| !its.moved);
        for line in 0..=view.detectives.len() {
            let is_to_move = match view.to_move {
                None => false,
                Some(Mover::MrX) => line == 0,
                Some(Mover::Detectives) => line > 0 && still(line - 1),
                Some(Mover::Detective(detective)) => line == usize::from(detective.number()),
            };
            if is_to_move {
                scene.show(format_args!("to-move-{line}"));
            }
        }
        self.before = Stations {
            mr_x: view.mr_x.station,
            detectives: view.detectives.iter().map(|its| its.station).collect(),
        };
        Ok(scene)
    }

    fn spot(&self, place: &Place) -> Option<Spot> {
        let number = u16::try_from(numbered(place, usize::from(u16::MAX))?).ok()?;
        let station = Station::new(number).filter(|&station| self.game.board().has(station))?;
        let (x, y) = self.middle(station);
        Some(Spot { at: (self.left + x, y), radius: self.places.pawn(), has_text: true })
    }
}
