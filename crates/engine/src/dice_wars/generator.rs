//! Random maps: areas of 12 to 18 hexagons that grow one after another from the coast, on a grid of
//! which two fifths of the cells stay sea.
//!
//! Invariants: the map and every area are connected; an area has 12 to 18 cells; no piece of sea
//! enclosed by land is smaller than the smallest area; areas are numbered from the top to the
//! bottom.
//!
//! In their statistics (cells per area, neighbours per area, extent, number of areas from end to
//! end) the maps are like those of the 2021 SUI framework. There, gaps between growing areas stay
//! as small holes; here a gap becomes part of the area that encloses it. Land without holes has
//! more borders, so areas here keep some distance from each other where possible, which gives them
//! as few neighbours as there.

use super::area::{Area, AreaSet, MAX_AREAS};
use super::hex::Hex;
use super::map::Map;
use crate::random::{Rng, below};
use arrayvec::ArrayVec;
use std::sync::OnceLock;

/// The smallest number of cells of an area.
const FEWEST_CELLS: usize = 12;
/// The largest number of cells of an area.
const MOST_CELLS: usize = 18;
/// The square of the grid's height in cells, per area; the width is eight sevenths of the height.
/// The framework has 32 by 28 cells for 34 areas.
const SQUARED_HEIGHT_PER_AREA: usize = 23;
/// The maximum number of divisions of a cell's weight by three.
const MOST_THIRDS: u32 = 12;

/// Draws a map of this number of areas. The same stream always gives the same map.
///
/// # Panics
///
/// If `areas` is not 2 to [`MAX_AREAS`].
pub fn generate_map<R: Rng + ?Sized>(areas: usize, rng: &mut R) -> Map {
    assert!((2..=MAX_AREAS).contains(&areas), "a map has 2 to {MAX_AREAS} areas, not {areas}");
    // Building a grid takes longer than drawing many of the areas, and the grid is the same for
    // every map of this size.
    static GRIDS: [OnceLock<Grid>; MAX_AREAS + 1] = [const { OnceLock::new() }; MAX_AREAS + 1];
    let grid = GRIDS[areas].get_or_init(|| Grid::for_areas(areas));
    // Starts again if no more area can grow anywhere. This is rare, and never repeats for long.
    loop {
        let mut land = Land::new(grid);
        while land.areas.len() < areas {
            let Some(start) = land.draw_start(rng) else { break };
            let size = FEWEST_CELLS + below(rng, (MOST_CELLS - FEWEST_CELLS + 1) as u32) as usize;
            land.grow(start, size, rng);
        }
        if land.areas.len() == areas {
            return land.into_map();
        }
    }
}

/// A cell, as an index into the lists of a [`Grid`].
type Cell = usize;

/// The cells that land may cover, row by row; surrounded by sea.
struct Grid {
    hexes: Vec<Hex>,
    /// The neighbours of each cell; fewer than six at the edge.
    neighbours: Vec<ArrayVec<Cell, 6>>,
    /// The remoteness of each cell: 0 in the middle, 2 in the middle of an edge, 4 in a corner.
    remoteness: Vec<u32>,
}

impl Grid {
    /// Returns the grid with room for this number of areas and for the sea between them.
    fn for_areas(areas: usize) -> Grid {
        let height = (areas * SQUARED_HEIGHT_PER_AREA).isqrt() as i16 + 1;
        let width = height * 8 / 7;
        let hexes: Vec<Hex> = (0..height)
            .flat_map(|y| (0..width).filter_map(move |column| Hex::new(2 * column + y % 2, y)))
            .collect();
        let place = |hex: &Hex| -> Option<Cell> {
            let (x, y) = (hex.x(), hex.y());
            let inside = (0..2 * width).contains(&x) && (0..height).contains(&y);
            inside.then(|| (y * width + x / 2) as Cell)
        };
        let neighbours =
            hexes.iter().map(|hex| hex.neighbours().iter().filter_map(place).collect());
        // Twice the sum of the squares of both distances from the middle, each 1 at the edge.
        let remoteness = |hex: &Hex| {
            let (last_x, last_y) = (i64::from(2 * width - 1), i64::from(height - 1));
            let across = (2 * i64::from(hex.x()) - last_x) * last_y;
            let down = (2 * i64::from(hex.y()) - last_y) * last_x;
            (2 * (across * across + down * down) / (last_x * last_y).pow(2)) as u32
        };
        let remoteness = hexes.iter().map(remoteness).collect();
        Grid { neighbours: neighbours.collect(), remoteness, hexes }
    }

    /// Returns whether the cell touches the open sea.
    fn is_edge(&self, cell: Cell) -> bool {
        self.neighbours[cell].len() < 6
    }
}

/// The land so far.
struct Land<'a> {
    grid: &'a Grid,
    /// The area of each cell of the grid.
    area_of: Vec<Option<Area>>,
    /// The number of land cells around each cell of the grid.
    land_around: Vec<u8>,
    /// Cells from which an area found no room to grow.
    is_barren: Vec<bool>,
    areas: Vec<Growth>,
}

/// The cells of an area, and the areas that it touches.
#[derive(Default)]
struct Growth {
    cells: ArrayVec<Cell, MOST_CELLS>,
    neighbours: AreaSet,
    /// The cells that were free when the area first touched them, in this order, each with the
    /// number of its neighbours in the area.
    fringe: Vec<(Cell, u32)>,
}

impl<'a> Land<'a> {
    fn new(grid: &'a Grid) -> Land<'a> {
        let cells = grid.hexes.len();
        Land {
            grid,
            area_of: vec![None; cells],
            land_around: vec![0; cells],
            is_barren: vec![false; cells],
            areas: Vec::new(),
        }
    }

    /// Draws the cell from which the next area grows: any cell at first, then a free one that
    /// touches the land; `None` if there is none. Cells that stick out of the land have larger
    /// weights, as have those beside areas with few neighbours and those near the middle of the
    /// grid.
    fn draw_start<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Cell> {
        let cells = 0..self.grid.hexes.len();
        if self.areas.is_empty() {
            return Some(below(rng, cells.len() as u32) as usize);
        }
        let starts: Vec<(Cell, u32)> = cells
            .filter(|&cell| self.land_around[cell] > 0)
            .filter(|&cell| self.area_of[cell].is_none() && !self.is_barren[cell])
            .map(|cell| {
                let touched = self.areas_around(cell).collect::<AreaSet>();
                let neighbours = |area: Area| self.areas[area.index()].neighbours.len() as u32;
                let neighbours: u32 = touched.iter().map(neighbours).sum();
                let land = u32::from(self.land_around[cell]);
                let thirds = neighbours + land + self.grid.remoteness[cell];
                (cell, 3u32.pow(MOST_THIRDS.saturating_sub(thirds)))
            })
            .collect();
        draw_weighted(&starts, rng)
    }

    /// Grows an area of this number of cells from a free cell. Without room it becomes smaller. If
    /// it is too small to be an area, nothing changes, except that no area will grow from that cell
    /// again.
    fn grow<R: Rng + ?Sized>(&mut self, start: Cell, size: usize, rng: &mut R) {
        let mut growth = Growth::default();
        let mut refused = Vec::new();
        if self.take(&mut growth, start) {
            while growth.cells.len() < size {
                let candidates = self.candidates(&growth, &refused);
                let Some(cell) = draw_weighted(&candidates, rng) else { break };
                if !self.take(&mut growth, cell) {
                    refused.push(cell);
                }
            }
        }
        if growth.cells.len() < FEWEST_CELLS {
            for &cell in &growth.cells {
                self.vacate(cell);
            }
            self.is_barren[start] = true;
            return;
        }
        let area = Area::new(self.areas.len());
        for neighbour in growth.neighbours {
            self.areas[neighbour.index()].neighbours.insert(area);
        }
        self.areas.push(growth);
    }

    /// Returns the free cells around a growing area, each with its weight. Neighbours in the area
    /// increase the weight, so that areas are compact; neighbours in other areas decrease it.
    fn candidates(&self, growth: &Growth, refused: &[Cell]) -> Vec<(Cell, u32)> {
        let is_open = |cell: Cell| self.area_of[cell].is_none() && !refused.contains(&cell);
        let weighed = |&(cell, contacts): &(Cell, u32)| {
            let others = u32::from(self.land_around[cell]) - contacts;
            (cell, contacts.pow(3) * 3u32.pow(6 - others))
        };
        growth.fringe.iter().filter(|(cell, _)| is_open(*cell)).map(weighed).collect()
    }

    /// Adds a free cell to a growing area, together with the sea that it encloses if that is too
    /// small for an area. Returns `false`, and adds nothing, if the area would become too large.
    fn take(&mut self, growth: &mut Growth, cell: Cell) -> bool {
        let area = Area::new(self.areas.len());
        self.area_of[cell] = Some(area);
        let enclosed = self.enclosed_by(cell);
        self.area_of[cell] = None;
        if growth.cells.len() + 1 + enclosed.len() > MOST_CELLS {
            return false;
        }
        let before = growth.cells.len();
        growth.cells.push(cell);
        growth.cells.extend(enclosed);
        for &cell in &growth.cells[before..] {
            self.occupy(cell, area);
        }
        for &cell in &growth.cells[before..] {
            growth.neighbours = growth.neighbours | self.areas_around(cell).collect();
            for &beside in &self.grid.neighbours[cell] {
                if self.area_of[beside].is_none() {
                    match growth.fringe.iter_mut().find(|(known, _)| *known == beside) {
                        Some((_, contacts)) => *contacts += 1,
                        None => growth.fringe.push((beside, 1)),
                    }
                }
            }
        }
        growth.neighbours.remove(area);
        true
    }

    fn occupy(&mut self, cell: Cell, area: Area) {
        self.area_of[cell] = Some(area);
        for &beside in &self.grid.neighbours[cell] {
            self.land_around[beside] += 1;
        }
    }

    fn vacate(&mut self, cell: Cell) {
        self.area_of[cell] = None;
        for &beside in &self.grid.neighbours[cell] {
            self.land_around[beside] -= 1;
        }
    }

    /// Returns the cells of each piece of sea beside a land cell that is enclosed by land and has
    /// fewer cells than an area.
    fn enclosed_by(&self, cell: Cell) -> Vec<Cell> {
        let mut enclosed: Vec<Cell> = Vec::new();
        for &beside in &self.grid.neighbours[cell] {
            if self.area_of[beside].is_none() && !enclosed.contains(&beside) {
                enclosed.extend(self.pond(beside).into_iter().flatten());
            }
        }
        enclosed
    }

    /// Returns the piece of sea that a cell is in, if land encloses it and it is too small for an
    /// area.
    fn pond(&self, cell: Cell) -> Option<ArrayVec<Cell, FEWEST_CELLS>> {
        let mut pond: ArrayVec<Cell, FEWEST_CELLS> = [cell].into_iter().collect();
        let mut seen = 0;
        while seen < pond.len() {
            if self.grid.is_edge(pond[seen]) {
                return None;
            }
            for &beside in &self.grid.neighbours[pond[seen]] {
                if self.area_of[beside].is_none() && !pond.contains(&beside) {
                    pond.push(beside);
                    if pond.is_full() {
                        return None;
                    }
                }
            }
            seen += 1;
        }
        Some(pond)
    }

    /// Returns the areas of the land cells around a cell.
    fn areas_around(&self, cell: Cell) -> impl Iterator<Item = Area> {
        self.grid.neighbours[cell].iter().filter_map(|&beside| self.area_of[beside])
    }

    fn into_map(self) -> Map {
        let cells_of = |growth: &Growth| -> Vec<Hex> {
            let mut cells: Vec<Hex> =
                growth.cells.iter().map(|&cell| self.grid.hexes[cell]).collect();
            cells.sort_by_key(|cell| (cell.y(), cell.x()));
            cells
        };
        let mut areas: Vec<(Vec<Hex>, usize)> = self.areas.iter().map(cells_of).zip(0..).collect();
        areas.sort_by_cached_key(|(cells, _)| (mean(cells, Hex::y), mean(cells, Hex::x)));
        let mut renumbered = [Area::new(0); MAX_AREAS];
        for (&(_, grown), area) in areas.iter().zip(Area::all(self.areas.len())) {
            renumbered[grown] = area;
        }
        let neighbours = |&(_, grown): &(Vec<Hex>, usize)| -> AreaSet {
            let neighbours = self.areas[grown].neighbours.iter();
            neighbours.map(|neighbour| renumbered[neighbour.index()]).collect()
        };
        let neighbours: Vec<AreaSet> = areas.iter().map(neighbours).collect();
        Map::known(&neighbours, areas.into_iter().map(|(cells, _)| cells).collect())
    }
}

/// Returns the mean of a coordinate over some cells, in hundredths.
fn mean(cells: &[Hex], coordinate: impl Fn(Hex) -> i16) -> i32 {
    let sum: i32 = cells.iter().map(|&cell| i32::from(coordinate(cell))).sum();
    sum * 100 / cells.len() as i32
}

/// Draws one of the cells, with probabilities proportional to their weights; `None` if there are
/// none.
fn draw_weighted<R: Rng + ?Sized>(cells: &[(Cell, u32)], rng: &mut R) -> Option<Cell> {
    let total: u32 = cells.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return None;
    }
    let mut left = below(rng, total);
    for &(cell, weight) in cells {
        match left.checked_sub(weight) {
            Some(rest) => left = rest,
            None => return Some(cell),
        }
    }
    unreachable!("the drawn number is below the sum of the weights")
}
