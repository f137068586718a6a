//! The lookup tables of a board for playouts: distances as bytes, row by row, and the stations that
//! one step leads to as sets.

use super::station_bits::StationBits;
use botyard_engine::scotland_yard::{Kinds, Position, ScotlandYard, Station};

/// The distance of a station that cannot be reached.
pub const UNREACHABLE: u8 = u8::MAX;

/// The tables of one board of at most 256 stations.
#[derive(Debug)]
pub struct BoardTables {
    stations: usize,
    distances: Box<[u8]>,
    neighbours: Box<[StationBits]>,
}

/// The number of sets of kinds that a detective's tickets can pay for.
const FARE_SETS: usize = 8;

impl BoardTables {
    /// Makes the tables of a game's board, which takes some milliseconds; `None` if it has more
    /// than [`StationBits::MOST`] stations.
    pub fn new(game: &ScotlandYard) -> Option<BoardTables> {
        let board = game.board();
        let stations = board.len();
        if stations > StationBits::MOST {
            return None;
        }
        let fares = (0..FARE_SETS).map(|bits| Kinds::from_bits(bits as u8));
        let mut distances = Vec::with_capacity(FARE_SETS * stations * stations);
        for kinds in fares {
            for from in board.stations() {
                distances.extend(board.stations().map(|to| {
                    let moves = game.distances().with_kinds(kinds, from, to);
                    moves.map_or(UNREACHABLE, |moves| moves.min(254) as u8)
                }));
            }
        }
        let mut neighbours = Vec::with_capacity(Kinds::COUNT * stations);
        for kinds in (0..Kinds::COUNT).map(|bits| Kinds::from_bits(bits as u8)) {
            neighbours.extend(board.stations().map(|from| {
                let steps = board.steps(from).iter();
                steps.filter(|step| kinds.has(step.by)).map(|step| step.to).collect::<StationBits>()
            }));
        }
        Some(BoardTables { stations, distances: distances.into(), neighbours: neighbours.into() })
    }

    /// Returns the number of stations of the board.
    pub fn stations(&self) -> usize {
        self.stations
    }

    /// Returns the least number of moves by these kinds (ferries never count) from a station to
    /// every station, by its index, or [`UNREACHABLE`]; distances are symmetric.
    #[inline]
    pub fn row(&self, kinds: Kinds, from: Station) -> &[u8] {
        let row = usize::from(kinds.bits()) % FARE_SETS * self.stations + from.index();
        &self.distances[row * self.stations..][..self.stations]
    }

    /// Returns the stations that one step by these kinds leads to, free or not.
    #[inline]
    pub fn neighbours(&self, kinds: Kinds, from: Station) -> StationBits {
        self.neighbours[usize::from(kinds.bits()) * self.stations + from.index()]
    }

    /// Returns the stations that one step by these kinds leads to from any of `from`.
    #[inline]
    pub fn spread(&self, kinds: Kinds, from: StationBits) -> StationBits {
        let row = &self.neighbours[usize::from(kinds.bits()) * self.stations..][..self.stations];
        from.iter().fold(StationBits::default(), |set, station| set.or(row[station.index()]))
    }

    /// Returns the distances of the detectives to every station, with their tickets.
    #[inline]
    pub fn detective_distances<'a>(&'a self, position: &Position) -> DetectiveDistances<'a> {
        let mut rows: [&[u8]; 5] = [&[]; 5];
        let mut count = 0;
        for detective in position.all_detectives() {
            if let Some(at) = position.pawns().get(detective) {
                rows[count] = self.row(position.tickets_of(detective).kinds(), at);
                count += 1;
            }
        }
        DetectiveDistances { rows, count }
    }
}

/// The distances of detectives to every station.
pub struct DetectiveDistances<'a> {
    rows: [&'a [u8]; 5],
    count: usize,
}

impl DetectiveDistances<'_> {
    /// Returns the distances of all detectives to a station as one number, whose order compares the
    /// nearest detective first, then the second nearest, and so on.
    #[inline]
    pub fn key(&self, station: Station) -> u64 {
        self.key_within(station, u8::MAX)
    }

    /// Returns the key with all distances from `horizon` on as equal.
    #[inline]
    pub fn key_within(&self, station: Station, horizon: u8) -> u64 {
        let mut far = [horizon; 5];
        for (far, row) in far.iter_mut().zip(&self.rows[..self.count]) {
            *far = row[station.index()].min(horizon);
        }
        // A sorting network for five.
        for (low, high) in [(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)]
        {
            let (a, b) = (far[low], far[high]);
            far[low] = a.min(b);
            far[high] = a.max(b);
        }
        far.iter().fold(0, |key, &moves| key << 8 | u64::from(moves))
    }

    /// Returns the number of moves that the nearest detective needs.
    #[inline]
    pub fn nearest(&self, station: Station) -> u8 {
        let rows = self.rows[..self.count].iter();
        rows.map(|row| row[station.index()]).min().unwrap_or(UNREACHABLE)
    }

    /// Returns the number of moves of the nearest detective, from a [`DetectiveDistances::key`].
    #[inline]
    pub(crate) const fn nearest_of(key: u64) -> u8 {
        (key >> 32) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::Game;
    use botyard_engine::scotland_yard::State;

    fn game(preset: &str) -> ScotlandYard {
        ScotlandYard::new(ScotlandYard::preset(preset).unwrap()).unwrap()
    }

    fn station(number: u16) -> Station {
        Station::new(number).unwrap()
    }

    #[test]
    fn tables_say_what_the_board_says() {
        for preset in ["ravensburger", "grid-5x5-2", "grid-15x15-3-stay"] {
            let game = game(preset);
            let tables = BoardTables::new(&game).unwrap();
            for from in game.board().stations().step_by(7) {
                for kinds in (0..Kinds::COUNT).map(|bits| Kinds::from_bits(bits as u8)) {
                    for to in game.board().stations() {
                        let fares = Kinds::from_bits(kinds.bits() & Kinds::FARES.bits());
                        let moves = game.distances().with_kinds(fares, from, to);
                        let byte = moves.map_or(UNREACHABLE, |moves| moves as u8);
                        assert_eq!(tables.row(kinds, from)[to.index()], byte);
                        let step = game
                            .board()
                            .steps(from)
                            .iter()
                            .any(|step| step.to == to && kinds.has(step.by));
                        assert_eq!(tables.neighbours(kinds, from).contains(to), step);
                    }
                }
            }
        }
    }

    #[test]
    fn keys_compare_the_nearest_detectives_first() {
        // A 5x5 grid; detectives at 3 and 11.
        let game = game("grid-5x5-2");
        let opening = serde_json::from_str(r#"{"mr_x":13,"detectives":[3,11]}"#).unwrap();
        let state: State = game.start(&opening).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        let rows = tables.detective_distances(state.position());
        let distances = |number| {
            let key = rows.key(station(number)).to_be_bytes();
            [key[3], key[4], key[5], key[6], key[7]]
        };
        assert_eq!(distances(8), [1, 3, 255, 255, 255]);
        assert_eq!(distances(14), [3, 3, 255, 255, 255]);
        assert!(rows.key(station(14)) > rows.key(station(8)));
        assert_eq!(rows.nearest(station(8)), 1);
        assert_eq!(DetectiveDistances::nearest_of(rows.key(station(14))), 3);
    }
}
