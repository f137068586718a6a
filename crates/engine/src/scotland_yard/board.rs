//! The board: a graph whose edges belong to means of transport. The London map is read from data
//! files; a grid is computed. A board has stations and edges, but no pawns.

use super::station::Station;
use super::ticket::{Kinds, Ticket, Transport};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

const EDGES: &str = include_str!("../../data/scotland-yard/edges.csv");
const VARIANTS: &str = include_str!("../../data/scotland-yard/edge_variants.csv");
const STATIONS: &str = include_str!("../../data/scotland-yard/stations.csv");
/// The number of stations on the London map.
const LONDON_STATIONS: usize = 199;

/// The width and height of a grid in cells, 2 to 100 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    width: u16,
    height: u16,
}

impl Grid {
    /// Makes a grid of this size; `None` where a side is not 2 to 100.
    pub const fn new(width: u16, height: u16) -> Option<Grid> {
        if width < 2 || width > 100 || height < 2 || height > 100 {
            return None;
        }
        Some(Grid { width, height })
    }

    /// Returns the number of cells from left to right.
    pub const fn width(self) -> u16 {
        self.width
    }

    /// Returns the number of cells from top to bottom.
    pub const fn height(self) -> u16 {
        self.height
    }

    /// Returns the column and row of a cell, each from 0.
    pub const fn column_and_row(self, station: Station) -> (u16, u16) {
        let index = station.index() as u16;
        (index % self.width, index / self.width)
    }
}

/// The steps that a grid allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GridMoves {
    /// One cell up, down, left or right; a pawn may not stay.
    Orthogonal,
    /// To one of the eight neighbours, as a king at chess, or staying: an edge from the cell to
    /// itself.
    KingOrStay,
}

/// The kind and the size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The London map.
    London,
    /// Cells.
    Grid(Grid, GridMoves),
}

/// An edge as seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The other end.
    pub to: Station,
    /// The means of transport.
    pub by: Transport,
}

/// A board.
///
/// ```
/// use botyard_engine::scotland_yard::{Board, Station};
/// let london = Board::london();
/// let piccadilly = Station::new(67).unwrap();
/// assert_eq!(london.steps(piccadilly).len(), 13);
/// ```
#[derive(Debug)]
pub struct Board {
    shape: Shape,
    // Compressed rows: the steps of station i are steps[step_rows[i]..step_rows[i + 1]].
    step_rows: Vec<u32>,
    steps: Vec<Step>,
    neighbour_rows: Vec<u32>,
    neighbours: Vec<Station>,
    kinds: Vec<Kinds>,
}

impl Board {
    /// Returns the London map as printed today: 199 stations, 467 edges.
    pub fn london() -> Arc<Board> {
        static LONDON: LazyLock<Arc<Board>> =
            LazyLock::new(|| Arc::new(Board::new(Shape::London, LONDON_STATIONS, london_edges())));
        Arc::clone(&LONDON)
    }

    /// Returns the London map of the boards of 1983 and 1984.
    pub fn london_classic() -> Arc<Board> {
        static CLASSIC: LazyLock<Arc<Board>> = LazyLock::new(|| {
            let edges = london_edges().chain(edges_in(VARIANTS, |variant| variant == "classic"));
            Arc::new(Board::new(Shape::London, LONDON_STATIONS, edges))
        });
        Arc::clone(&CLASSIC)
    }

    /// Computes a grid. Its cells are numbered row by row from 1 at the top left.
    pub fn grid(grid: Grid, moves: GridMoves) -> Board {
        let (width, height) = (i32::from(grid.width), i32::from(grid.height));
        let edges = (0..height).flat_map(move |row| {
            (0..width).flat_map(move |column| {
                // Each edge once, from the end with the lower number.
                let ahead: &[(i32, i32)] = match moves {
                    GridMoves::Orthogonal => &[(1, 0), (0, 1)],
                    GridMoves::KingOrStay => &[(0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
                };
                ahead.iter().filter_map(move |&(right, down)| {
                    let (there, below) = (column + right, row + down);
                    let inside = (0..width).contains(&there) && below < height;
                    let cell = |column, row| Station::from_index((row * width + column) as usize);
                    inside.then(|| (cell(column, row), cell(there, below), Transport::Taxi))
                })
            })
        });
        Board::new(Shape::Grid(grid, moves), (width * height) as usize, edges)
    }

    fn new(
        shape: Shape,
        stations: usize,
        edges: impl Iterator<Item = (Station, Station, Transport)>,
    ) -> Board {
        let mut rows: Vec<Vec<Step>> = vec![Vec::new(); stations];
        for (a, b, by) in edges {
            rows[a.index()].push(Step { to: b, by });
            if a != b {
                rows[b.index()].push(Step { to: a, by });
            }
        }
        let mut board = Board {
            shape,
            step_rows: vec![0],
            steps: Vec::new(),
            neighbour_rows: vec![0],
            neighbours: Vec::new(),
            kinds: Vec::with_capacity(stations),
        };
        for mut row in rows {
            row.sort_unstable_by_key(|step| (step.by, step.to));
            let mut neighbours: Vec<Station> = row.iter().map(|step| step.to).collect();
            neighbours.sort_unstable();
            neighbours.dedup();
            board
                .kinds
                .push(row.iter().fold(Kinds::NONE, |kinds, step| kinds.with(Kinds::only(step.by))));
            board.steps.extend(row);
            board.step_rows.push(board.steps.len() as u32);
            board.neighbours.extend(neighbours);
            board.neighbour_rows.push(board.neighbours.len() as u32);
        }
        board
    }

    /// Returns the kind and the size of the board.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the number of stations.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether the board has no stations. Never true.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Returns whether the board has this station.
    #[inline]
    pub fn has(&self, station: Station) -> bool {
        station.index() < self.len()
    }

    /// Returns all stations in ascending order.
    pub fn stations(&self) -> impl DoubleEndedIterator<Item = Station> + ExactSizeIterator + use<> {
        (0..self.len()).map(Station::from_index)
    }

    /// Returns the edges at a station, sorted by kind and then by the other end.
    ///
    /// # Panics
    ///
    /// If the board has no such station.
    #[inline]
    pub fn steps(&self, station: Station) -> &[Step] {
        let row = station.index();
        &self.steps[self.step_rows[row] as usize..self.step_rows[row + 1] as usize]
    }

    /// Returns the neighbours by any means of transport, each once, in ascending order.
    ///
    /// # Panics
    ///
    /// If the board has no such station.
    #[inline]
    pub fn neighbours(&self, station: Station) -> &[Station] {
        let row = station.index();
        &self.neighbours[self.neighbour_rows[row] as usize..self.neighbour_rows[row + 1] as usize]
    }

    /// Returns the means of transport that stop at a station.
    ///
    /// # Panics
    ///
    /// If the board has no such station.
    #[inline]
    pub fn kinds(&self, station: Station) -> Kinds {
        self.kinds[station.index()]
    }

    /// Returns whether an edge that `ticket` pays for joins the two stations.
    ///
    /// # Panics
    ///
    /// If the board does not have `from`.
    pub fn joins(&self, from: Station, ticket: Ticket, to: Station) -> bool {
        let paid = ticket.pays_for();
        self.steps(from).iter().any(|step| step.to == to && paid.has(step.by))
    }

    /// Returns every edge once, the lower station first, sorted by stations and then by kind.
    pub fn edges(&self) -> impl Iterator<Item = (Station, Station, Transport)> + '_ {
        self.stations().flat_map(|from| {
            let mut ahead: Vec<Step> =
                self.steps(from).iter().copied().filter(|step| step.to >= from).collect();
            ahead.sort_unstable_by_key(|step| (step.to, step.by));
            ahead.into_iter().map(move |step| (from, step.to, step.by))
        })
    }

    /// Returns the coordinates for drawing a station: (0, 0) at the top left, (1, 1) at the bottom
    /// right. A picture of London has its right proportions at 1.33 times as wide as high.
    ///
    /// # Panics
    ///
    /// If the board has no such station.
    pub fn coordinates(&self, station: Station) -> (f64, f64) {
        assert!(self.has(station), "the board has no station {station}");
        match self.shape {
            Shape::Grid(grid, _) => {
                let (column, row) = grid.column_and_row(station);
                let share = |place: u16, size: u16| f64::from(place) / f64::from(size - 1);
                (share(column, grid.width), share(row, grid.height))
            }
            Shape::London => {
                static LONDON: LazyLock<Vec<(f64, f64)>> =
                    LazyLock::new(|| STATIONS.lines().skip(1).map(place).collect());
                LONDON[station.index()]
            }
        }
    }
}

fn london_edges() -> impl Iterator<Item = (Station, Station, Transport)> {
    EDGES.lines().skip(1).map(edge)
}

/// Reads the edges that a variant adds, from lines of `variant,a,b,kind,op`.
fn edges_in(
    text: &str,
    wanted: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (Station, Station, Transport)> {
    text.lines().skip(1).filter_map(move |line| {
        let (variant, rest) = line.split_once(',')?;
        let rest = rest.strip_suffix(",add")?;
        wanted(variant).then(|| edge(rest))
    })
}

/// Reads the coordinates in `id,x,y,kinds`.
fn place(line: &str) -> (f64, f64) {
    let mut fields = line.split(',').skip(1);
    let mut next = || fields.next()?.parse().ok();
    next().zip(next()).expect("stations.csv has a line per station; a test reads them all")
}

/// Reads `a,b,kind`.
fn edge(line: &str) -> (Station, Station, Transport) {
    let mut fields = line.trim().split(',');
    let mut next = || {
        let mut station = || Station::new(fields.next()?.parse().ok()?);
        let (a, b) = (station()?, station()?);
        let kind = fields.next()?;
        let by = Transport::ALL.into_iter().find(|transport| transport.name() == kind)?;
        Some((a, b, by))
    };
    next().expect("the embedded lists of edges are well formed; a test counts them")
}
