//! A sketch of the London board around a station, as text: the stations near it at their places on
//! the map, and the lines between them by kind.

use crate::terminal::{Ink, Tone};
use botyard_engine::scotland_yard::{Board, Station, StationSet, Transport};
use std::collections::{BTreeMap, BTreeSet};

/// The width of a sketch in characters.
const WIDTH: usize = 76;
/// The most columns that may be as long on the map as one line is high: a narrow surrounding is not
/// stretched further. Undistorted it would be 2.
const COLUMNS_PER_LINE: f64 = 5.0;
/// The picture of London is this many times as wide as high.
const PROPORTION: f64 = 1.33;
/// How many taxi rides the surroundings reach at least.
const RIDES: usize = 2;
/// The fewest stations of a sketch.
const FEWEST: usize = 8;

/// What a sketch shows.
pub(super) struct Scene<'a> {
    /// The board.
    pub board: &'a Board,
    /// The station in the middle of the surroundings.
    pub centre: Station,
    /// The pawns that are visible: their stations, their marks and their colours.
    pub pawns: &'a [(Station, char, Tone)],
    /// Stations to mark with a question mark.
    pub candidates: Option<&'a StationSet>,
    /// The height of the sketch in lines.
    pub height: usize,
}

/// Draws a scene, with an explanation below it.
pub(super) fn sketch(scene: &Scene<'_>, ink: Ink) -> String {
    let stations = surroundings(scene.board, scene.centre);
    let mut canvas = Canvas::new(WIDTH, scene.height);
    let places = places(scene, &stations, &mut canvas);
    for (&(from, to), kinds) in &lines(scene.board, &stations) {
        let ends = [places[&from], places[&to]];
        canvas.draw_line(ends, kinds);
    }
    let mut text = canvas.into_text(ink);
    text.push_str("  [n] middle; n/1 detective 1; n/X Mr. X; . taxi = bus # underground ~ ferry\n");
    let beyond = beyond(scene, &stations);
    if !beyond.is_empty() {
        text.push_str(&format!(
            "  beyond the sketch from {}: {}\n",
            scene.centre,
            beyond.join("; ")
        ));
    }
    text
}

/// Returns the stations in the rectangle around all stations within a few taxi rides.
fn surroundings(board: &Board, centre: Station) -> BTreeSet<Station> {
    let mut near = BTreeSet::from([centre]);
    for ride in 1.. {
        let next: Vec<Station> = near
            .iter()
            .flat_map(|&station| board.steps(station))
            .filter(|step| step.by == Transport::Taxi)
            .map(|step| step.to)
            .collect();
        let before = near.len();
        near.extend(next);
        if (ride >= RIDES && near.len() >= FEWEST) || near.len() == before {
            break;
        }
    }
    let places = || near.iter().map(|&station| board.coordinates(station));
    let least = places().fold((f64::MAX, f64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1)));
    let most = places().fold((f64::MIN, f64::MIN), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let is_inside = |station: &Station| {
        let (x, y) = board.coordinates(*station);
        (least.0..=most.0).contains(&x) && (least.1..=most.1).contains(&y)
    };
    board.stations().filter(is_inside).collect()
}

/// Writes the labels of the stations and returns their places: column and line of the middle of
/// each label.
fn places(
    scene: &Scene<'_>,
    stations: &BTreeSet<Station>,
    canvas: &mut Canvas,
) -> BTreeMap<Station, (i32, i32)> {
    let coordinates = |station: Station| {
        let (x, y) = scene.board.coordinates(station);
        (x * PROPORTION, y)
    };
    let all = || stations.iter().map(|&station| coordinates(station));
    let least = all().fold((f64::MAX, f64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1)));
    let most = all().fold((f64::MIN, f64::MIN), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let (across, down) = ((most.0 - least.0).max(1e-6), (most.1 - least.1).max(1e-6));
    // Room for half a label at each side.
    let (width, height) = ((canvas.width - 6) as f64, (canvas.height - 1) as f64);
    let down_scale = height / down;
    let across_scale = (width / across).min(down_scale * COLUMNS_PER_LINE);
    // The middle and its neighbours get their own places; others give way.
    let mut order: Vec<Station> = stations.iter().copied().collect();
    order.sort_by_key(|&station| {
        let is_neighbour = scene.board.neighbours(scene.centre).contains(&station);
        (station != scene.centre, !is_neighbour, station)
    });
    let mut places = BTreeMap::new();
    for station in order {
        let (x, y) = coordinates(station);
        let column = 3 + ((x - least.0) * across_scale).round() as i32;
        let line = ((y - least.1) * down_scale).round() as i32;
        let (label, tone) = label(scene, station);
        let length = label.chars().count() as i32;
        let start = canvas.free_place((column - length / 2, line), length);
        canvas.write(start, &label, tone);
        places.insert(station, (start.0 + length / 2, start.1));
    }
    places
}

fn label(scene: &Scene<'_>, station: Station) -> (String, Option<Tone>) {
    let mut label = station.to_string();
    let mut tone = None;
    if scene.candidates.is_some_and(|set| set.contains(station)) {
        label.push('?');
        tone = Some(Tone::Yellow);
    }
    for &(at, mark, colour) in scene.pawns {
        if at == station {
            label.push('/');
            label.push(mark);
            tone = Some(colour);
        }
    }
    if station == scene.centre {
        (format!("[{label}]"), Some(tone.unwrap_or(Tone::Bold)))
    } else {
        (label, tone)
    }
}

/// Returns the kinds of the lines between each two of the stations.
fn lines(
    board: &Board,
    stations: &BTreeSet<Station>,
) -> BTreeMap<(Station, Station), Vec<Transport>> {
    let mut lines: BTreeMap<(Station, Station), Vec<Transport>> = BTreeMap::new();
    for &from in stations {
        for step in board.steps(from) {
            if from < step.to && stations.contains(&step.to) {
                lines.entry((from, step.to)).or_default().push(step.by);
            }
        }
    }
    lines
}

/// Returns the steps from the middle that lead out of the sketch: `bus 52 86`.
fn beyond(scene: &Scene<'_>, stations: &BTreeSet<Station>) -> Vec<String> {
    let steps = scene.board.steps(scene.centre);
    Transport::ALL
        .into_iter()
        .filter_map(|kind| {
            let far: Vec<String> = steps
                .iter()
                .filter(|step| step.by == kind && !stations.contains(&step.to))
                .map(|step| step.to.to_string())
                .collect();
            (!far.is_empty()).then(|| format!("{} {}", kind.name(), far.join(" ")))
        })
        .collect()
}

/// The character and the colour of a kind of line, the colours as on the printed map.
const fn stroke(kind: Transport) -> (char, Tone) {
    match kind {
        Transport::Taxi => ('.', Tone::Yellow),
        Transport::Bus => ('=', Tone::Green),
        Transport::Underground => ('#', Tone::Red),
        Transport::Ferry => ('~', Tone::Blue),
    }
}

/// The characters of a sketch, line by line.
struct Canvas {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
struct Cell {
    character: char,
    tone: Option<Tone>,
    is_label: bool,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Canvas {
        let empty = Cell { character: ' ', tone: None, is_label: false };
        Canvas { width, height, cells: vec![empty; width * height] }
    }

    fn index(&self, (column, line): (i32, i32)) -> Option<usize> {
        let (column, line) = (usize::try_from(column).ok()?, usize::try_from(line).ok()?);
        (column < self.width && line < self.height).then_some(line * self.width + column)
    }

    /// Returns the free place for a label of this length that is nearest to the wanted one, or the
    /// wanted one in a crowd. A space stays free on both sides of each label.
    fn free_place(&self, (column, line): (i32, i32), length: i32) -> (i32, i32) {
        let is_free = |&(column, line): &(i32, i32)| {
            let fits = self.index((column, line)).is_some()
                && self.index((column + length - 1, line)).is_some();
            fits && (column - 1..=column + length)
                .all(|at| self.index((at, line)).is_none_or(|index| !self.cells[index].is_label))
        };
        let around = (-2..=2_i32).flat_map(|down| (-8..=8_i32).map(move |right| (right, down)));
        let mut around: Vec<(i32, i32)> = around.collect();
        around.sort_by_key(|(right, down)| right.abs() + 3 * down.abs());
        around
            .into_iter()
            .map(|(right, down)| (column + right, line + down))
            .find(is_free)
            .unwrap_or((column, line))
    }

    fn write(&mut self, (column, line): (i32, i32), text: &str, tone: Option<Tone>) {
        for (character, column) in text.chars().zip(column..) {
            if let Some(index) = self.index((column, line)) {
                self.cells[index] = Cell { character, tone, is_label: true };
            }
        }
    }

    /// Draws a line between two labels. Where lines of several kinds join two stations, their
    /// characters alternate.
    fn draw_line(&mut self, [(left, top), (right, bottom)]: [(i32, i32); 2], kinds: &[Transport]) {
        let (across, down) = (right - left, bottom - top);
        let steps = across.abs().max(2 * down.abs()).max(1);
        let mut drawn = 0;
        let mut last = None;
        for step in 1..steps {
            let share = f64::from(step) / f64::from(steps);
            let place = (
                left + (f64::from(across) * share).round() as i32,
                top + (f64::from(down) * share).round() as i32,
            );
            let Some(index) = self.index(place).filter(|&index| Some(index) != last) else {
                continue;
            };
            last = Some(index);
            // Labels stand free.
            let beside = [(place.0 - 1, place.1), place, (place.0 + 1, place.1)];
            let is_label =
                |at: (i32, i32)| self.index(at).is_some_and(|at| self.cells[at].is_label);
            if beside.into_iter().any(is_label) {
                continue;
            }
            let (character, tone) = stroke(kinds[drawn % kinds.len()]);
            drawn += 1;
            self.cells[index] = Cell { character, tone: Some(tone), is_label: false };
        }
    }

    fn into_text(self, ink: Ink) -> String {
        let mut text = String::new();
        for line in self.cells.chunks(self.width) {
            let end =
                line.iter().rposition(|cell| cell.character != ' ').map_or(0, |last| last + 1);
            text.push_str(if end > 0 { "  " } else { "" });
            for run in line[..end].chunk_by(|a, b| a.tone == b.tone) {
                let characters: String = run.iter().map(|cell| cell.character).collect();
                match run[0].tone {
                    Some(tone) => text.push_str(&ink.paint(tone, characters)),
                    None => text.push_str(&characters),
                }
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(board: &Board, centre: Station) -> String {
        let pawns = [(centre, '2', Tone::Cyan)];
        sketch(&Scene { board, centre, pawns: &pawns, candidates: None, height: 11 }, Ink::plain())
    }

    #[test]
    fn every_station_has_a_sketch_with_all_its_neighbours_that_fits_a_terminal() {
        let board = Board::london();
        for centre in board.stations() {
            let text = drawn(&board, centre);
            assert!(text.contains(&format!("[{centre}/2]")), "{centre}:\n{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{centre}:\n{text}");
            assert!(text.lines().count() <= 13, "{centre}:\n{text}");
            let words: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).collect();
            for neighbour in board.neighbours(centre) {
                let number = neighbour.to_string();
                assert!(words.contains(&number.as_str()), "{neighbour} near {centre}:\n{text}");
            }
        }
    }

    #[test]
    fn candidates_and_pawns_are_marked() {
        let board = Board::london();
        let [centre, other] = [67, 66].map(|number| Station::new(number).unwrap());
        let mut candidates = StationSet::empty(board.len());
        candidates.insert(other);
        let pawns = [(centre, '1', Tone::Cyan), (other, 'X', Tone::Red)];
        let candidates = Some(&candidates);
        let scene = Scene { board: &board, centre, pawns: &pawns, candidates, height: 16 };
        let text = sketch(&scene, Ink::plain());
        assert!(text.contains("[67/1]") && text.contains("66?/X"), "{text}");
        assert!(text.contains(". taxi") && text.contains('=') && text.contains('#'), "{text}");
        assert!(text.contains("beyond the sketch from 67:"), "{text}");
    }
}
