//! The assignment of detectives to stations: Mr. X's, and those that he can go to next.

use super::board_tables::BoardTables;
use botyard_engine::scotland_yard::{Arena, Detective, MAX_DETECTIVES, Position, Station};

/// The target station of each detective in a round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Assignment {
    round: u16,
    targets: [Option<Station>; MAX_DETECTIVES],
}

/// The largest number of assigned stations: Mr. X's own and those he can go to next.
const MOST_TARGETS: usize = 16;
/// Sets of detectives.
const SETS: usize = 1 << MAX_DETECTIVES;
/// Greater than any sum of distances.
const IMPOSSIBLE: u16 = u16::MAX;

impl Assignment {
    /// Assigns stations to detectives so that the sum of their distances is least: Mr. X's station
    /// and those that he can go to next by fare. Uses dynamic programming over the stations, with
    /// the sets of detectives that are assigned. A detective without a station goes for Mr. X
    /// himself.
    pub fn new(tables: &BoardTables, arena: &Arena, position: &Position) -> Assignment {
        let mut targets = [position.mr_x(); MOST_TARGETS];
        let mut count = 1;
        let kinds = position.purse().tickets.kinds();
        for to in tables.neighbours(kinds, position.mr_x()).iter().take(MOST_TARGETS - 1) {
            targets[count] = to;
            count += 1;
        }
        let mut rows: [Option<&[u8]>; MAX_DETECTIVES] = [None; MAX_DETECTIVES];
        let mut everybody = 0usize;
        for detective in position.all_detectives() {
            if position.has_moved(detective) || !position.can_move(arena, detective) {
                continue;
            }
            if let Some(at) = position.pawns().get(detective) {
                let kinds = position.tickets_of(detective).kinds();
                rows[detective.index()] = Some(tables.row(kinds, at));
                everybody |= 1 << detective.index();
            }
        }
        let mut least = [IMPOSSIBLE; SETS];
        least[0] = 0;
        // The detective, from 1, with this station in the best assignment of a set; 0 for none.
        let mut chosen = [[0u8; SETS]; MOST_TARGETS];
        for (target, chosen) in targets[..count].iter().zip(&mut chosen) {
            let costs = rows.map(|row| row.map_or(0, |row| u16::from(row[target.index()])));
            // From larger sets to smaller ones, so that a station is assigned once.
            let mut set = everybody;
            while set != 0 {
                let mut members = set;
                while members != 0 {
                    let place = members.trailing_zeros() as usize;
                    members &= members - 1;
                    let sum = least[set & !(1 << place)].saturating_add(costs[place]);
                    if sum < least[set] {
                        least[set] = sum;
                        chosen[set] = place as u8 + 1;
                    }
                }
                set = (set - 1) & everybody;
            }
        }
        let mut assignment =
            Assignment { round: position.round(), targets: [None; MAX_DETECTIVES] };
        // With fewer stations than detectives, the largest set that has an assignment of least sum.
        let mut set = (0..SETS)
            .filter(|&set| least[set] != IMPOSSIBLE)
            .max_by_key(|&set| (set.count_ones(), std::cmp::Reverse(least[set])))
            .unwrap_or(0);
        for (target, chosen) in targets[..count].iter().zip(&chosen).rev() {
            if let Some(place) = chosen[set].checked_sub(1) {
                assignment.targets[usize::from(place)] = Some(*target);
                set &= !(1 << place);
            }
        }
        assignment
    }

    /// Returns the round it was made for.
    #[inline]
    pub fn round(&self) -> u16 {
        self.round
    }

    /// Returns the station of a detective, if it has one.
    #[inline]
    pub fn target(&self, detective: Detective) -> Option<Station> {
        self.targets[detective.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::scotland_yard::{ScotlandYard, Stage};
    use botyard_engine::{Game, Stream};

    /// Returns the least sum of distances over all assignments of distinct targets to these
    /// detectives.
    fn least_sum(rows: &[&[u8]], targets: &[Station], used: u32) -> u32 {
        let Some((row, rest)) = rows.split_first() else { return 0 };
        let free = (0..targets.len()).filter(|place| used >> place & 1 == 0);
        free.map(|place| {
            u32::from(row[targets[place].index()]) + least_sum(rest, targets, used | 1 << place)
        })
        .min()
        .unwrap()
    }

    #[test]
    fn agreements_have_the_least_sum_of_distances() {
        let game = ScotlandYard::new(ScotlandYard::preset("belej-2015").unwrap()).unwrap();
        let tables = BoardTables::new(&game).unwrap();
        let mut stream = Stream::new(1, "test");
        let mut compared = 0;
        for _ in 0..20 {
            let state = game.start(&game.draw_opening(stream.rng())).unwrap();
            let mut position = *state.position();
            while let Some(action) = position.random_action(game.arena(), stream.rng()) {
                position.apply(game.arena(), action);
                let begins = position.all_detectives().all(|d| !position.has_moved(d));
                if position.stage() != Stage::Detectives || !begins {
                    continue;
                }
                let fares = position.purse().tickets.kinds();
                let mut targets = vec![position.mr_x()];
                targets.extend(tables.neighbours(fares, position.mr_x()).iter());
                let able: Vec<Detective> = position
                    .all_detectives()
                    .filter(|&detective| position.can_move(game.arena(), detective))
                    .collect();
                if targets.len() < able.len() {
                    continue;
                }
                let rows: Vec<&[u8]> = able
                    .iter()
                    .map(|&detective| {
                        let kinds = position.tickets_of(detective).kinds();
                        tables.row(kinds, position.pawns().get(detective).unwrap())
                    })
                    .collect();
                let assignment = Assignment::new(&tables, game.arena(), &position);
                let given: Vec<Station> =
                    able.iter().map(|d| assignment.targets[d.index()].unwrap()).collect();
                let sum: u32 =
                    rows.iter().zip(&given).map(|(row, to)| u32::from(row[to.index()])).sum();
                assert_eq!(sum, least_sum(&rows, &targets, 0), "{position:?}");
                assert!((1..given.len()).all(|place| !given[..place].contains(&given[place])));
                compared += 1;
            }
        }
        assert!(compared > 50, "{compared}");
    }
}
