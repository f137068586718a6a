//! Connect Four: seven columns of holes, and a disc for each drop.
//!
//! IDs: `disc-N`, in the order in which the discs are dropped.

use super::{Drawing, Moment, Occasion, read};
use crate::board::Drawn;
use crate::frame::{Look, Scene};
use crate::games::Begun;
use crate::marks::{Spot, numbered};
use crate::svg::Element;
use botyard_engine::Seat;
use botyard_engine::connect_four::{Cell, Drop, End, State};
use botyard_protocol::Place;

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// The side of a cell.
const CELL: f64 = 64.0;
/// The height of the lines with the players.
const TOP: f64 = 52.0;

pub(super) const STYLE: &str = "\
.botyard .front{fill:var(--frame)}\
.botyard .hole{fill:var(--paper)}\
.botyard .disc circle{stroke:var(--ink);stroke-width:1}\
.botyard .disc .ring{fill:none;stroke:var(--on-player);stroke-width:2}\
.botyard .yellow circle.body{fill:var(--yellow-disc)}\
.botyard .red circle.body{fill:var(--red-disc)}\
.botyard .yellow .ring{visibility:hidden}\
.botyard .disc.last .body{stroke-width:4}\
.botyard .disc.won .body{stroke:var(--ink);stroke-width:7}";

/// The drawing of a game.
struct ConnectFour {
    seats: Vec<String>,
    /// Column and row of every disc, from 0, in the order in which they were dropped.
    discs: Vec<(usize, usize)>,
    /// The number of discs before the last moment.
    before: usize,
}

/// The middle of a cell; row 0 is the lowest.
fn middle(column: usize, row: usize) -> (f64, f64) {
    ((column as f64 + 0.5) * CELL, TOP + ((ROWS - 1 - row) as f64 + 0.5) * CELL)
}

fn colour(disc: usize) -> &'static str {
    ["yellow", "red"][disc % 2]
}

/// A disc around 0, 0.
fn disc(element: Element, size: f64) -> Element {
    let circle = |class, r| Element::new("circle").class(class).length("r", size * r);
    element.with(circle("body", 1.0)).with(circle("ring", 0.55))
}

/// Begins the drawing of a game.
pub(super) fn begin(occasion: &Occasion) -> Result<Begun, serde_json::Error> {
    let width = COLUMNS as f64 * CELL;
    let height = TOP + ROWS as f64 * CELL;
    let mut elements = Vec::new();
    for seat in occasion.all_seats() {
        let y = 14.0 + 24.0 * seat.index() as f64;
        let sample = Element::new("g")
            .class(format_args!("disc {}", colour(seat.index())))
            .set("transform", format_args!("translate(12 {y})"));
        elements.push(disc(sample, 9.0));
        let name = format!("{}: {}", occasion.seats[seat.index()], occasion.player(seat));
        elements.push(Element::words("seat", (30.0, y + 4.5), name));
    }
    elements.push(
        Element::new("rect")
            .class("front")
            .at(0.0, TOP)
            .length("width", width)
            .length("height", height - TOP)
            .set("rx", 10),
    );
    for column in 0..COLUMNS {
        for row in 0..ROWS {
            let (x, y) = middle(column, row);
            let hole = Element::new("circle").class("hole");
            elements.push(hole.length("cx", x).length("cy", y).length("r", CELL * 0.41));
        }
        let (x, _) = middle(column, 0);
        elements.push(Element::words("dim middle", (x, height + 18.0), column + 1));
    }
    elements.extend((0..COLUMNS * ROWS).map(|index| {
        let look = Look::hidden(format!("disc {}", colour(index)));
        disc(Element::changing("g", format_args!("disc-{}", index + 1), look), CELL * 0.41)
    }));
    let drawn = Drawn { width, height: height + 22.0, elements };
    let drawing = ConnectFour { seats: occasion.seats.to_vec(), discs: Vec::new(), before: 0 };
    Ok((Box::new(drawing), drawn))
}

impl ConnectFour {
    /// The row, from 1, of the first free cell of a column before the last moment; of a full one, the highest.
    fn free_row(&self, column: usize) -> usize {
        let before = self.discs[..self.before].iter();
        (before.filter(|(other, _)| other + 1 == column).count() + 1).min(ROWS)
    }

    /// The discs of the line of four or more that the last disc completes.
    fn line(&self, state: &State) -> Vec<usize> {
        let Some(&(column, row)) = self.discs.last() else { return Vec::new() };
        let mine = state.columns[column][row];
        let reach = |dx: isize, dy: isize| {
            (1..).map_while(move |n| {
                let x = column.checked_add_signed(dx * n)?;
                let y = row.checked_add_signed(dy * n)?;
                let cell = state.columns.get(x)?.get(y)?;
                (*cell == mine && mine != Cell::Empty).then_some((x, y))
            })
        };
        let lines = [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().map(|(dx, dy)| {
            [(column, row)].into_iter().chain(reach(dx, dy)).chain(reach(-dx, -dy)).collect()
        });
        let won: Vec<(usize, usize)> =
            lines.filter(|line: &Vec<_>| line.len() >= 4).flatten().collect();
        (0..self.discs.len()).filter(|&index| won.contains(&self.discs[index])).collect()
    }
}

impl Drawing for ConnectFour {
    fn scene(&mut self, moment: &Moment) -> Result<Scene, serde_json::Error> {
        let state: State = read(moment.view)?;
        self.before = self.discs.len();
        let mut scene = Scene::default();
        for (seat, action, by) in moment.moves() {
            let Drop { column } = read(action)?;
            let index = usize::from(column).saturating_sub(1);
            let row = self.discs.iter().filter(|(other, _)| *other == index).count();
            self.discs.push((index, row));
            scene.say(format!("{}: column {column}{by}.", name(&self.seats, seat)));
        }
        let won = match state.end {
            Some(End::FourInLine) => self.line(&state),
            _ => Vec::new(),
        };
        for (index, &(column, row)) in self.discs.iter().enumerate() {
            let id = format!("disc-{}", index + 1);
            if row >= ROWS || column >= COLUMNS {
                continue;
            }
            scene.place(&id, middle(column, row));
            let mark = if won.contains(&index) {
                " won"
            } else if index + 1 == self.discs.len() {
                " last"
            } else {
                continue;
            };
            scene.class(&id, format!("disc {}{mark}", colour(index)));
        }
        Ok(scene)
    }

    /// A column alone is the cell that a disc would have fallen into.
    fn spot(&self, place: &Place) -> Option<Spot> {
        let (column, row) = match place {
            Place::Numbers(numbers) => match numbers[..] {
                [column, row] => (usize::try_from(column).ok()?, usize::try_from(row).ok()?),
                [column] => {
                    let column = numbered(&Place::Number(column), COLUMNS)?;
                    (column, self.free_row(column))
                }
                _ => return None,
            },
            other => {
                let column = numbered(other, COLUMNS)?;
                (column, self.free_row(column))
            }
        };
        let is_there = (1..=COLUMNS).contains(&column) && (1..=ROWS).contains(&row);
        let at = || middle(column - 1, row - 1);
        is_there.then(|| Spot { at: at(), radius: CELL * 0.34, has_text: false })
    }
}

fn name(seats: &[String], seat: Seat) -> &str {
    seats.get(seat.index()).map_or("", String::as_str)
}
