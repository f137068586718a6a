//! Maps: the neighbourhood of areas, and the cells that they consist of.
//!
//! The rules use only the neighbourhood. Cells are for drawing the map, and a map may be given
//! without them.

use super::area::{Area, AreaSet, MAX_AREAS};
use super::hex::Hex;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A connected map of 2 to 64 areas.
///
/// In JSON `{"areas": [{"id": 1, "adjacent": [2, 3], "cells": [[17, 13]]}, ...]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(try_from = "WrittenMap", into = "WrittenMap")]
pub struct Map {
    areas: usize,
    neighbours: [AreaSet; MAX_AREAS],
    cells: Vec<Vec<Hex>>,
}

/// The reason why data are not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// Too few areas, or too many.
    #[error("expected 2 to {MAX_AREAS} areas, got {0}")]
    Areas(usize),
    /// The areas are not numbered 1, 2, 3, ...
    #[error("area {0} is missing: areas are numbered from 1 without a gap, each once")]
    Missing(Area),
    /// Cells are listed for another number of areas.
    #[error("expected the cells of {areas} areas (or of none), got those of {cells}")]
    CellLists {
        /// The number of areas.
        areas: usize,
        /// The number of lists of cells.
        cells: usize,
    },
    /// A neighbour that is not on the map.
    #[error("area {area} has the neighbour {neighbour}, and the map ends with area {last}")]
    NoSuchNeighbour {
        /// The area.
        area: Area,
        /// Its neighbour.
        neighbour: Area,
        /// The last area of the map.
        last: Area,
    },
    /// An area that touches itself.
    #[error("area {0} is its own neighbour")]
    OwnNeighbour(Area),
    /// A neighbourhood that is not mutual.
    #[error(
        "area {area} has the neighbour {neighbour}, and area {neighbour} has no neighbour {area}"
    )]
    OneWay {
        /// The area.
        area: Area,
        /// Its neighbour.
        neighbour: Area,
    },
    /// A map that is not connected.
    #[error("area {0} cannot be reached from area 1")]
    Apart(Area),
    /// Areas that overlap.
    #[error("the cell {cell} is in area {first} and again in area {second}")]
    SharedCell {
        /// The cell.
        cell: Hex,
        /// One of the areas.
        first: Area,
        /// The other one, or the same.
        second: Area,
    },
}

impl Map {
    /// Makes a map from the neighbours of each area, in the order of the areas. `cells` are the
    /// cells of each area in the same order, or an empty list if they are not known.
    ///
    /// # Errors
    ///
    /// Fewer than 2 areas or more than 64; a neighbourhood that is not mutual; an area that is its
    /// own neighbour or cannot be reached; a cell in two areas. The error names the area.
    pub fn new(neighbours: &[AreaSet], cells: Vec<Vec<Hex>>) -> Result<Map, MapError> {
        let areas = neighbours.len();
        if !(2..=MAX_AREAS).contains(&areas) {
            return Err(MapError::Areas(areas));
        }
        if !cells.is_empty() && cells.len() != areas {
            return Err(MapError::CellLists { areas, cells: cells.len() });
        }
        let all = AreaSet::first_areas(areas);
        for area in all {
            let its = neighbours[area.index()];
            if let Some(neighbour) = (its - all).first() {
                let last = Area::new(areas - 1);
                return Err(MapError::NoSuchNeighbour { area, neighbour, last });
            }
            if its.contains(area) {
                return Err(MapError::OwnNeighbour(area));
            }
            for neighbour in its {
                if !neighbours[neighbour.index()].contains(area) {
                    return Err(MapError::OneWay { area, neighbour });
                }
            }
        }
        no_cell_twice(&cells)?;
        let mut map = Map { areas, neighbours: [AreaSet::EMPTY; MAX_AREAS], cells };
        map.neighbours[..areas].copy_from_slice(neighbours);
        match (all - map.region(Area::new(0), all)).first() {
            Some(area) => Err(MapError::Apart(area)),
            None => Ok(map),
        }
    }

    /// Makes a map from neighbours and cells that are known to be valid.
    pub(super) fn known(neighbours: &[AreaSet], cells: Vec<Vec<Hex>>) -> Map {
        debug_assert!(
            Map::from_cells(cells.clone())
                .is_ok_and(|map| map.neighbours[..map.areas] == *neighbours),
            "neighbours are those of the cells, and areas do not overlap"
        );
        let mut map =
            Map { areas: neighbours.len(), neighbours: [AreaSet::EMPTY; MAX_AREAS], cells };
        map.neighbours[..neighbours.len()].copy_from_slice(neighbours);
        map
    }

    /// Makes a map from the cells of each area; areas are neighbours where their cells are.
    ///
    /// # Errors
    ///
    /// As [`Map::new`].
    pub fn from_cells(cells: Vec<Vec<Hex>>) -> Result<Map, MapError> {
        if !(2..=MAX_AREAS).contains(&cells.len()) {
            return Err(MapError::Areas(cells.len()));
        }
        let area_of = no_cell_twice(&cells)?;
        let mut neighbours = vec![AreaSet::EMPTY; cells.len()];
        for (&cell, &area) in &area_of {
            for other in cell.neighbours().iter().filter_map(|cell| area_of.get(cell)) {
                if *other != area {
                    neighbours[area.index()].insert(*other);
                }
            }
        }
        Map::new(&neighbours, cells)
    }

    /// Returns the number of areas, 2 to 64.
    #[inline]
    pub const fn areas(&self) -> usize {
        self.areas
    }

    /// Returns all areas.
    #[inline]
    pub const fn all(&self) -> AreaSet {
        AreaSet::first_areas(self.areas)
    }

    /// Returns the areas that touch this one; empty for an area that is not on the map.
    #[inline]
    pub const fn neighbours(&self, area: Area) -> AreaSet {
        self.neighbours[area.index()]
    }

    /// Returns whether two areas touch.
    #[inline]
    pub const fn adjacent(&self, one: Area, other: Area) -> bool {
        self.neighbours(one).contains(other)
    }

    /// Returns whether both maps have the same neighbourhood.
    pub fn has_neighbourhood_of(&self, other: &Map) -> bool {
        self.areas == other.areas && self.neighbours == other.neighbours
    }

    /// Returns the areas that touch an area of the set; they may be in the set.
    #[inline]
    pub fn neighbours_of_all(&self, areas: AreaSet) -> AreaSet {
        areas.iter().fold(AreaSet::EMPTY, |around, area| around | self.neighbours(area))
    }

    /// Returns the areas that can be reached from `area` without leaving `within`, including
    /// `area`; empty if `area` is not in `within`.
    #[inline]
    pub fn region(&self, area: Area, within: AreaSet) -> AreaSet {
        let mut region = AreaSet::of(area) & within;
        let mut frontier = region;
        while let Some(area) = frontier.first() {
            frontier.remove(area);
            let new = (self.neighbours(area) & within) - region;
            region = region | new;
            frontier = frontier | new;
        }
        region
    }

    /// Returns the cells of an area; empty if they are not known.
    pub fn cells(&self, area: Area) -> &[Hex] {
        self.cells.get(area.index()).map_or(&[], Vec::as_slice)
    }
}

/// Returns the area of each cell.
fn no_cell_twice(cells: &[Vec<Hex>]) -> Result<HashMap<Hex, Area>, MapError> {
    let mut area_of = HashMap::new();
    for (area, cells) in Area::all(cells.len()).zip(cells) {
        for &cell in cells {
            if let Some(first) = area_of.insert(cell, area) {
                return Err(MapError::SharedCell { cell, first, second: area });
            }
        }
    }
    Ok(area_of)
}

/// A map in JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Map"))]
struct WrittenMap {
    /// The areas, each once.
    areas: Vec<WrittenArea>,
}

/// An area in JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MapArea"))]
struct WrittenArea {
    /// Its number.
    id: Area,
    /// The areas that touch it.
    #[serde(alias = "adj")]
    adjacent: AreaSet,
    /// Its hexagons, for drawing the map; not known for every map.
    #[serde(default, alias = "hexes", skip_serializing_if = "Vec::is_empty")]
    cells: Vec<Hex>,
}

impl TryFrom<WrittenMap> for Map {
    type Error = MapError;

    fn try_from(mut written: WrittenMap) -> Result<Map, MapError> {
        let count = written.areas.len();
        if !(2..=MAX_AREAS).contains(&count) {
            return Err(MapError::Areas(count));
        }
        written.areas.sort_by_key(|area| area.id);
        if let Some((area, _)) =
            Area::all(count).zip(&written.areas).find(|(area, written)| *area != written.id)
        {
            return Err(MapError::Missing(area));
        }
        let neighbours: Vec<AreaSet> = written.areas.iter().map(|area| area.adjacent).collect();
        let cells = written.areas.into_iter().map(|area| area.cells).collect::<Vec<_>>();
        // Without any cells, a map that was read equals one that was made.
        let known = cells.iter().any(|cells| !cells.is_empty());
        Map::new(&neighbours, if known { cells } else { Vec::new() })
    }
}

impl From<Map> for WrittenMap {
    fn from(map: Map) -> WrittenMap {
        let area = |area| WrittenArea {
            id: area,
            adjacent: map.neighbours(area),
            cells: map.cells(area).to_vec(),
        };
        WrittenMap { areas: map.all().iter().map(area).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &str) -> String {
        serde_json::from_str::<Map>(json).expect_err(json).to_string()
    }

    #[test]
    fn both_spellings_are_read_and_one_is_written() {
        let map: Map = serde_json::from_str(
            r#"{"seed": 1, "areas": [{"id": 2, "adj": [1], "hexes": [[2, 0]]},
                {"id": 1, "adjacent": [2], "cells": [[0, 0]]}]}"#,
        )
        .unwrap();
        assert_eq!(
            serde_json::to_string(&map).unwrap(),
            r#"{"areas":[{"id":1,"adjacent":[2],"cells":[[0,0]]},{"id":2,"adjacent":[1],"cells":[[2,0]]}]}"#
        );
        assert_eq!(
            map,
            Map::from_cells(vec![vec![Hex::ORIGIN], vec![Hex::new(2, 0).unwrap()]]).unwrap()
        );
    }

    #[test]
    fn cells_may_be_unknown() {
        let json = r#"{"areas":[{"id":1,"adjacent":[2]},{"id":2,"adjacent":[1]}]}"#;
        let map: Map = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&map).unwrap(), json);
        assert!(map.cells(Area::new(1)).is_empty());
        let one = AreaSet::of(Area::new(0));
        let other = AreaSet::of(Area::new(1));
        assert_eq!(map, Map::new(&[other, one], Vec::new()).unwrap());
    }

    #[test]
    fn what_is_no_map_is_refused_with_the_area() {
        for (json, why) in [
            (r#"{"areas": []}"#, "expected 2 to 64 areas, got 0"),
            (r#"{"areas": [{"id": 1, "adj": []}]}"#, "got 1"),
            (r#"{"areas": [{"id": 1, "adj": [3]}, {"id": 3, "adj": [1]}]}"#, "area 2 is missing"),
            (r#"{"areas": [{"id": 1, "adj": [1]}, {"id": 1, "adj": [1]}]}"#, "area 2 is missing"),
            (r#"{"areas": [{"id": 1, "adj": [2, 7]}, {"id": 2, "adj": [1]}]}"#, "neighbour 7"),
            (
                r#"{"areas": [{"id": 1, "adj": [2]}, {"id": 2, "adj": [1, 2]}]}"#,
                "area 2 is its own",
            ),
            (r#"{"areas": [{"id": 1, "adj": [2]}, {"id": 2, "adj": []}]}"#, "no neighbour 1"),
            (r#"{"areas": [{"id": 1, "adj": []}, {"id": 2, "adj": []}]}"#, "area 2 cannot"),
            (
                r#"{"areas": [{"id": 1, "adj": [2], "cells": [[0, 0]]},
                    {"id": 2, "adj": [1], "cells": [[2, 0], [0, 0]]}]}"#,
                "[0, 0] is in area 1 and again in area 2",
            ),
            (r#"{"areas": [{"id": 1}, {"id": 2, "adj": [1]}]}"#, "missing field `adjacent`"),
        ] {
            let message = refused(json);
            assert!(message.contains(why), "{json}: {message}");
        }
        let all = AreaSet::first_areas(64);
        let complete: Vec<_> = Area::all(64).map(|area| all - AreaSet::of(area)).collect();
        assert_eq!(Map::new(&complete, Vec::new()).unwrap().areas(), 64);
        assert_eq!(
            Map::new(&complete, vec![Vec::new()]).unwrap_err(),
            MapError::CellLists { areas: 64, cells: 1 }
        );
        assert_eq!(
            Map::new(&[complete, vec![all]].concat(), Vec::new()).unwrap_err(),
            MapError::Areas(65)
        );
    }

    #[test]
    fn regions_stay_within() {
        // A path of five areas.
        let ends = |index: usize| {
            let before = index.checked_sub(1).map(Area::new);
            let after = (index < 4).then(|| Area::new(index + 1));
            before.into_iter().chain(after).collect::<AreaSet>()
        };
        let map = Map::new(&(0..5).map(ends).collect::<Vec<_>>(), Vec::new()).unwrap();
        let within: AreaSet = [0, 1, 3, 4].into_iter().map(Area::new).collect();
        assert_eq!(map.region(Area::new(0), within), [0, 1].into_iter().map(Area::new).collect());
        assert_eq!(map.region(Area::new(2), within), AreaSet::EMPTY);
        assert_eq!(map.neighbours_of_all(within), map.all());
        assert!(
            map.adjacent(Area::new(3), Area::new(4)) && !map.adjacent(Area::new(0), Area::new(4))
        );
    }
}
