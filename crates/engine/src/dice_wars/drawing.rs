//! Drawings of maps as plain text for a terminal: one line per row of cells, two characters per
//! cell, borders of `|` and `_`. Each player's areas have a fill character. Each area is labelled
//! with its number and, below it, its owner and its dice.

use super::area::Area;
use super::map::Map;
use crate::seat::Seat;

/// The width in characters beyond which a map is not drawn: it would not fit a terminal.
const WIDEST: i16 = 120;
/// The height in lines beyond which a map is not drawn.
const HIGHEST: i16 = 100;

/// Returns the letter of a seat in a drawing: `A` for the first.
pub const fn letter(seat: Seat) -> char {
    [b'A', b'B', b'C', b'D', b'E', b'F', b'G', b'H'][seat.index()] as char
}

/// Returns the character that fills a seat's areas in a drawing.
const fn fill(seat: Seat) -> char {
    [b'.', b'+', b':', b'\'', b'=', b'*', b'o', b'%'][seat.index()] as char
}

/// Draws the map, with the owner of each area and its dice; each line ends with a line feed.
///
/// `None` if the map has no cells, if it is larger than 120 columns by 100 lines, or if an area has
/// no room for its label. Maps of [`super::generate_map`] can always be drawn.
pub fn draw(map: &Map, holding: impl Fn(Area) -> (Seat, u8)) -> Option<String> {
    let plan = Plan::of(map)?;
    let mut canvas = plan.outlines(&holding);
    for area in map.all() {
        let (owner, dice) = holding(area);
        let number = area.to_string();
        let holder = format!("{}{dice}", letter(owner));
        if let Some((column, line)) = plan.place(area, &[&number, &holder], &canvas) {
            canvas.write((column, line), &number);
            canvas.write((column, line + 1), &holder);
        } else {
            let label = number + &holder;
            canvas.write(plan.place(area, &[&label], &canvas)?, &label);
        }
    }
    Some(canvas.into_text())
}

/// A character's column and line. Line 0 is above the topmost cells.
type Place = (i16, i16);

/// The area that each character belongs to.
struct Plan<'a> {
    map: &'a Map,
    left: i16,
    top: i16,
    width: i16,
    height: i16,
    area_of: Vec<Option<Area>>,
}

impl<'a> Plan<'a> {
    fn of(map: &'a Map) -> Option<Plan<'a>> {
        let cells = || map.all().iter().flat_map(|area| map.cells(area));
        let (left, right) = (cells().map(|c| c.x()).min()?, cells().map(|c| c.x()).max()?);
        let (top, bottom) = (cells().map(|c| c.y()).min()?, cells().map(|c| c.y()).max()?);
        // Coordinates of cells are too small to overflow here. One more column is for the coast on
        // the right, one more line for the coast at the top.
        let (width, height) = (right - left + 3, bottom - top + 2);
        if width > WIDEST || height > HIGHEST {
            return None;
        }
        let area_of = vec![None; width as usize * height as usize];
        let mut plan = Plan { map, left, top, width, height, area_of };
        for area in map.all() {
            for place in plan.places_of(area) {
                let index = plan.index(place);
                plan.area_of[index] = Some(area);
            }
        }
        Some(plan)
    }

    /// Returns the two characters of each cell of an area.
    fn places_of(&self, area: Area) -> impl Iterator<Item = Place> + use<'a> {
        let (left, top) = (self.left, self.top);
        self.map.cells(area).iter().flat_map(move |cell| {
            let (column, line) = (cell.x() - left, cell.y() - top + 1);
            [(column, line), (column + 1, line)]
        })
    }

    fn index(&self, (column, line): Place) -> usize {
        line as usize * self.width as usize + column as usize
    }

    fn area(&self, (column, line): Place) -> Option<Area> {
        let inside = (0..self.width).contains(&column) && (0..self.height).contains(&line);
        if inside { self.area_of[self.index((column, line))] } else { None }
    }

    /// Draws the borders, and the fill between them.
    fn outlines(&self, holding: &impl Fn(Area) -> (Seat, u8)) -> Canvas {
        let character = |(column, line): Place| {
            let here = self.area((column, line));
            if here != self.area((column - 1, line)) {
                '|'
            } else if here != self.area((column, line + 1)) {
                '_'
            } else {
                here.map_or(' ', |area| fill(holding(area).0))
            }
        };
        let places = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        Canvas { width: self.width, characters: places.map(character).collect() }
    }

    /// Finds the best place for a label of several lines in an area: as near to its middle as
    /// possible, and on borders only if any other place is far away. `None` if there is no room.
    fn place(&self, area: Area, lines: &[&str], canvas: &Canvas) -> Option<Place> {
        let count = self.places_of(area).count() as i32;
        let middle = self.places_of(area).fold((0, 0), |sum, (column, line)| {
            (sum.0 + i32::from(column), sum.1 + i32::from(line))
        });
        let width = lines.iter().map(|text| text.len()).max().unwrap_or(0) as i16;
        let cost = |&(column, line): &Place| {
            // In fractions of a column; a line is as high as two columns are wide.
            let across =
                2 * count * i32::from(column) + count * i32::from(width - 1) - 2 * middle.0;
            let down =
                2 * count * i32::from(line) + count * (lines.len() as i32 - 1) - 2 * middle.1;
            let (across, down) = (i64::from(across), 2 * i64::from(down));
            let borders = written((column, line), lines).filter(|&at| canvas.at(at) == '_').count();
            across * across + down * down + borders as i64 * i64::from(8 * count * count)
        };
        let fits = |&place: &Place| {
            written(place, lines).all(|at| self.area(at) == Some(area) && canvas.at(at) != '|')
        };
        self.places_of(area).filter(fits).min_by_key(cost)
    }
}

/// Returns the places of the characters of a label.
fn written<'a>((column, line): Place, lines: &'a [&str]) -> impl Iterator<Item = Place> + 'a {
    lines
        .iter()
        .zip(line..)
        .flat_map(move |(text, line)| (column..column + text.len() as i16).map(move |c| (c, line)))
}

/// The characters of a drawing, line by line.
struct Canvas {
    width: i16,
    characters: Vec<char>,
}

impl Canvas {
    fn at(&self, (column, line): Place) -> char {
        self.characters[line as usize * self.width as usize + column as usize]
    }

    /// Writes a text and clears fill characters on both sides of it.
    fn write(&mut self, (column, line): Place, text: &str) {
        let first = line as usize * self.width as usize + column as usize;
        for (character, letter) in self.characters[first..].iter_mut().zip(text.chars()) {
            *character = letter;
        }
        for beside in [first.checked_sub(1), Some(first + text.len())].into_iter().flatten() {
            if let Some(character) = self.characters.get_mut(beside)
                && !['|', '_'].contains(character)
            {
                *character = ' ';
            }
        }
    }

    fn into_text(self) -> String {
        let mut text = String::new();
        for line in self.characters.chunks(self.width as usize) {
            text.push_str(line.iter().collect::<String>().trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice_wars::generate_map;
    use crate::random::Stream;

    fn holding(area: Area) -> (Seat, u8) {
        (Seat::new(area.index() % 3), (area.number() % 8 + 1) as u8)
    }

    #[test]
    fn a_small_map_looks_like_this() {
        let map = generate_map(7, Stream::new(1, "opening").rng());
        assert_eq!(format!("\n{}", draw(&map, holding).unwrap()), SEVEN_AREAS);
    }

    const SEVEN_AREAS: &str = "
            __________
            |.........|
____         |.. 1 ..._|__
|+++|      ___|. A2 ..|:::|
_|+++|     |...|_______|:::|
| 2 ++|_____|.....|:: 3 :::_|
_|B3___|+++|. 4 ...|: C4___|
|++_|_|+++++| A5_...|::_|
 |_| |+ 5 +++|_|.|__.|_|____
      | B6 ++_|.....|_|6 :::|
       |++___| 7 ..._| C7 ::_|
        |_|___|A8 ._|::_____|
           |......_| |_|
            |_____|
";

    #[test]
    fn every_area_of_a_drawn_map_has_its_label_and_a_terminal_has_room() {
        for (areas, columns) in [(2, 24), (34, 66), (64, 92)] {
            for seed in 1..=50 {
                let map = generate_map(areas, Stream::new(seed, "opening").rng());
                let text = draw(&map, holding).unwrap();
                assert!(text.lines().all(|line| line.len() <= columns), "{text}");
                let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
                for area in map.all() {
                    let (owner, dice) = holding(area);
                    let holder = format!("{}{dice}", letter(owner));
                    let both = [area.to_string(), holder.clone()];
                    let apart = both.iter().all(|word| words.contains(&word.as_str()));
                    let label = format!("{area}{holder}");
                    assert!(apart || words.contains(&label.as_str()), "{label} in\n{text}");
                }
            }
        }
    }

    #[test]
    fn maps_without_cells_or_room_are_not_drawn() {
        let cells = |cells| format!(r#","cells":{cells}"#);
        let row = "[[0,0],[2,0],[4,0]]";
        for (first, second, is_drawn) in [
            (String::new(), String::new(), false),
            (cells(row), String::new(), false),
            (cells(row), cells("[[9000,8000],[9002,8000]]"), false),
            (cells(row), cells("[[6,0]]"), false),
            (cells(row), cells("[[6,0],[8,0]]"), true),
        ] {
            let json = format!(
                r#"{{"areas":[{{"id":1,"adjacent":[2]{first}}},{{"id":2,"adjacent":[1]{second}}}]}}"#
            );
            let map: Map = serde_json::from_str(&json).unwrap();
            assert_eq!(draw(&map, holding).is_some(), is_drawn, "{json}");
        }
    }
}
