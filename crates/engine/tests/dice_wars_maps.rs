//! Maps of Dice Wars: maps of the 2021 SUI framework can be read, and generated maps keep their
//! invariants and have similar statistics.

use botyard_engine::dice_wars::{Area, AreaSet, Hex, Map, generate_map};
use botyard_engine::random::Stream;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Maps of the framework's generator, 34 areas each, one a line.
const RECORDED: &str = include_str!("data/dice-wars/sui2021_maps.jsonl");
/// The smallest number of cells of an area, and of a lake.
const FEWEST_CELLS: usize = 12;
/// The largest number of cells of an area.
const MOST_CELLS: usize = 18;

fn recorded() -> Vec<Map> {
    RECORDED.lines().map(|line| serde_json::from_str(line).expect("a map")).collect()
}

fn generated(areas: usize, seed: u64) -> Map {
    generate_map(areas, Stream::new(seed, "opening").rng())
}

fn cells(map: &Map) -> Vec<Vec<Hex>> {
    map.all().iter().map(|area| map.cells(area).to_vec()).collect()
}

/// Returns the connected pieces of a set of cells.
fn pieces(mut cells: BTreeSet<Hex>) -> Vec<Vec<Hex>> {
    let mut pieces = Vec::new();
    while let Some(first) = cells.pop_first() {
        let mut piece = vec![first];
        let mut seen = 0;
        while seen < piece.len() {
            let beside = piece[seen].neighbours();
            piece.extend(beside.into_iter().filter(|cell| cells.remove(cell)));
            seen += 1;
        }
        pieces.push(piece);
    }
    pieces
}

/// Returns the sizes of the pieces of sea that land encloses, in cells.
fn lakes(map: &Map) -> Vec<usize> {
    let land: BTreeSet<Hex> = cells(map).into_iter().flatten().collect();
    let (left, right, top, bottom) = extent(&land);
    let around = (top - 1..=bottom + 1)
        .flat_map(|y| (left - 2..=right + 2).filter_map(move |x| Hex::new(x, y)))
        .filter(|cell| !land.contains(cell));
    let is_outside = |cell: &Hex| cell.y() < top;
    pieces(around.collect())
        .iter()
        .filter(|piece| !piece.iter().any(is_outside))
        .map(Vec::len)
        .collect()
}

/// Returns the least and the greatest x, then y.
fn extent(cells: &BTreeSet<Hex>) -> (i16, i16, i16, i16) {
    let xs = || cells.iter().map(|cell| cell.x());
    let ys = || cells.iter().map(|cell| cell.y());
    (xs().min().unwrap(), xs().max().unwrap(), ys().min().unwrap(), ys().max().unwrap())
}

/// The statistics compared between generated maps and those of the framework.
#[derive(Debug, Default)]
struct Statistics {
    cells_of_area: f64,
    neighbours: f64,
    /// The share of the areas with this number of neighbours.
    neighbours_share: [f64; 11],
    /// The mean width in cells.
    width: f64,
    /// The mean height in cells.
    height: f64,
    /// The number of steps between the two areas that are farthest from each other.
    diameter: f64,
}

impl Statistics {
    fn of(maps: &[Map]) -> Statistics {
        let mut sums = Statistics::default();
        let per_map = 1.0 / maps.len() as f64;
        for map in maps {
            let per_area = per_map / map.areas() as f64;
            for area in map.all() {
                let neighbours = map.neighbours(area).len();
                sums.cells_of_area += map.cells(area).len() as f64 * per_area;
                sums.neighbours += neighbours as f64 * per_area;
                sums.neighbours_share[neighbours.min(10)] += per_area;
            }
            let land = cells(map).into_iter().flatten().collect();
            let (left, right, top, bottom) = extent(&land);
            sums.width += f64::from(right - left + 2) / 2.0 * per_map;
            sums.height += f64::from(bottom - top + 1) * per_map;
            let farthest = map.all().iter().map(|area| steps_to_everywhere(map, area)).max();
            sums.diameter += f64::from(farthest.unwrap()) * per_map;
        }
        sums
    }
}

/// Returns the number of steps from an area to the farthest one.
fn steps_to_everywhere(map: &Map, from: Area) -> u32 {
    let mut reached = AreaSet::of(from);
    let mut steps = 0;
    while reached != map.all() {
        reached = reached | map.neighbours_of_all(reached);
        steps += 1;
    }
    steps
}

/// Checks the invariants of a generated map.
fn keeps_its_promises(map: &Map, what: &str) {
    let cells = cells(map);
    for (area, cells) in (1..).zip(&cells) {
        assert!((FEWEST_CELLS..=MOST_CELLS).contains(&cells.len()), "{what}, area {area}");
        let pieces = pieces(cells.iter().copied().collect());
        assert_eq!(pieces.len(), 1, "{what}: area {area} is in pieces");
    }
    let smallest = lakes(map).into_iter().min();
    assert!(smallest.is_none_or(|cells| cells >= FEWEST_CELLS), "{what}: a hole of {smallest:?}");
    assert_eq!(map.region(Area::new(0), map.all()), map.all(), "{what}");
    assert_eq!(*map, Map::from_cells(cells).unwrap(), "{what}");
}

#[test]
fn recorded_maps_are_read_and_their_neighbours_are_those_of_their_cells() {
    let maps = recorded();
    assert_eq!(maps.len(), 30);
    for map in maps {
        assert_eq!(map.areas(), 34);
        assert_eq!(Map::from_cells(cells(&map)).unwrap(), map);
    }
}

#[test]
fn a_thousand_maps_are_like_those_of_the_framework() {
    let maps: Vec<Map> = (1..=1000).map(|seed| generated(34, seed)).collect();
    for (seed, map) in (1..).zip(&maps) {
        keeps_its_promises(map, &format!("seed {seed}"));
    }
    let (ours, theirs) = (Statistics::of(&maps), Statistics::of(&recorded()));
    let shown = format!("ours {ours:#.3?}\ntheirs {theirs:#.3?}");
    println!("{shown}");
    assert!((3.2..=3.6).contains(&ours.neighbours), "{shown}");
    assert!((ours.cells_of_area - theirs.cells_of_area).abs() < 0.25, "{shown}");
    assert!((ours.width - theirs.width).abs() < 1.5, "{shown}");
    assert!((ours.height - theirs.height).abs() < 1.5, "{shown}");
    assert!((ours.diameter - theirs.diameter).abs() < 1.0, "{shown}");
    for (ours, theirs) in ours.neighbours_share.iter().zip(theirs.neighbours_share) {
        assert!((ours - theirs).abs() < 0.03, "{shown}");
    }
}

#[test]
fn every_number_of_areas() {
    for areas in 2..=64 {
        for seed in 1..=5 {
            let map = generated(areas, seed);
            assert_eq!(map.areas(), areas);
            keeps_its_promises(&map, &format!("{areas} areas, seed {seed}"));
        }
    }
}

#[test]
fn areas_are_numbered_from_the_top() {
    let map = generated(34, 1);
    let row = |area: Area| {
        let cells = map.cells(area);
        cells.iter().map(|cell| f64::from(cell.y())).sum::<f64>() / cells.len() as f64
    };
    assert!(Area::all(34).map(row).is_sorted_by(|a, b| *a <= b + 0.01));
}

/// A generated map must never change: games are stored by their seeds.
#[test]
fn the_same_seed_gives_the_same_map_for_ever() {
    let digest = |map: &Map| -> String {
        let digest = Sha256::digest(serde_json::to_string(map).unwrap());
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let digests: BTreeMap<u64, String> =
        (1..=20).map(|seed| (seed, digest(&generated(34, seed)))).collect();
    assert_eq!(digests[&1], "0ee8779644062819");
    assert_eq!(digest(&generated(34, 1)), digests[&1]);
    assert_eq!(digests.values().collect::<BTreeSet<_>>().len(), 20, "seeds give different maps");
}

#[test]
#[should_panic(expected = "2 to 64 areas")]
fn one_area_is_no_map() {
    generated(1, 1);
}
