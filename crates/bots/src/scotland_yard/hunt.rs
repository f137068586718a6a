//! How detectives move in playouts: at random, each towards Mr. X, together towards the stations
//! where he can go next, or towards where he can be as far as they know.

use super::atlas::{Atlas, UNREACHABLE};
use super::percent::Percent;
use super::scene::Scene;
use super::station_bits::StationBits;
use botyard_engine::random::{Rng, below};
use botyard_engine::scotland_yard::{
    Action, Arena, Detective, MAX_DETECTIVES, Position, Station, Ticket,
};

/// How detectives move in playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hunt {
    /// Uniformly at random.
    Random,
    /// Each to the nearest station to Mr. X's ("independent approach", Belej 2015).
    Independent,
    /// Each to the station that was assigned to it of those where Mr. X is or can go next, such
    /// that the sum of the distances is least ("cooperating", Belej 2015).
    Cooperating,
    /// Each onto a station where Mr. X can be as far as they know, or to the nearest of these: as
    /// detectives do who do not see him.
    Searching,
}

impl Hunt {
    /// All of them, by the names used in options.
    pub const ALL: [(&'static str, Hunt); 4] = [
        ("random", Hunt::Random),
        ("independent", Hunt::Independent),
        ("cooperating", Hunt::Cooperating),
        ("searching", Hunt::Searching),
    ];
}

/// What the detectives agreed on for the round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    round: u16,
    targets: [Option<Station>; MAX_DETECTIVES],
}

impl Hunt {
    /// A step of the detectives', or with this probability a random one. `None` unless it is their
    /// part of the round.
    #[inline]
    pub fn step<R: Rng + ?Sized>(
        self,
        atlas: &Atlas,
        arena: &Arena,
        scene: &Scene,
        random: Percent,
        agreement: &mut Agreement,
        rng: &mut R,
    ) -> Option<Action> {
        let position = &scene.position;
        if self == Hunt::Random {
            return position.random_action(arena, rng);
        }
        let detective = scene.detective_to_move(arena)?;
        if random.happens(rng) {
            return random_step(arena, position, detective, rng);
        }
        let target = match self {
            Hunt::Random | Hunt::Independent => position.mr_x(),
            Hunt::Cooperating => {
                if agreement.round != position.round() {
                    *agreement = agree(atlas, arena, position);
                }
                agreement.targets[detective.index()].unwrap_or(position.mr_x())
            }
            Hunt::Searching => {
                return search(atlas, arena, scene, detective, rng);
            }
        };
        // A capture is never left out for the sake of an agreement.
        let capture = position.mr_x();
        let row = atlas.row(position.tickets_of(detective).kinds(), target);
        nearest_step(arena, position, detective, rng, |to| {
            if to == capture { 0 } else { 1 + u32::from(row[to.index()]) }
        })
    }
}

/// A random step of a detective's.
#[inline]
pub fn random_step<R: Rng + ?Sized>(
    arena: &Arena,
    position: &Position,
    detective: Detective,
    rng: &mut R,
) -> Option<Action> {
    nearest_step(arena, position, detective, rng, |_| 0)
}

/// The step of a detective's for which `far` is least, equal ones by lot; `None` where it has none.
#[inline]
fn nearest_step<R: Rng + ?Sized>(
    arena: &Arena,
    position: &Position,
    detective: Detective,
    rng: &mut R,
    far: impl Fn(Station) -> u32,
) -> Option<Action> {
    let (mut best, mut least, mut equal): (Option<(Ticket, Station)>, _, _) = (None, u32::MAX, 0);
    position.for_each_step(arena, detective, |ticket, to| {
        let far = far(to);
        if best.is_none() || far < least {
            (best, least, equal) = (Some((ticket, to)), far, 1);
        } else if far == least {
            equal += 1;
            if below(rng, equal) == 0 {
                best = Some((ticket, to));
            }
        }
        true
    });
    best.map(|(ticket, to)| Action::Detective { detective, ticket, to })
}

/// The step of a detective's that does not see Mr. X: onto a station where he can be, or nearer to
/// one.
#[inline]
fn search<R: Rng + ?Sized>(
    atlas: &Atlas,
    arena: &Arena,
    scene: &Scene,
    detective: Detective,
    rng: &mut R,
) -> Option<Action> {
    let position = &scene.position;
    let at = position.pawns().get(detective)?;
    let kinds = position.tickets_of(detective).kinds();
    // Those within reach first: everything else is farther.
    let beside = atlas.neighbours(kinds, at).and(scene.candidates);
    if !beside.is_empty() {
        let step =
            nearest_step(arena, position, detective, rng, |to| u32::from(!beside.contains(to)));
        return step;
    }
    let goal = nearest_goal(atlas.row(kinds, at), scene.candidates, rng);
    let row = atlas.row(kinds, goal.unwrap_or(at));
    nearest_step(arena, position, detective, rng, |to| u32::from(row[to.index()]))
}

/// The nearest of these stations, equal ones by lot; `None` where there are none.
#[inline]
fn nearest_goal<R: Rng + ?Sized>(row: &[u8], goals: StationBits, rng: &mut R) -> Option<Station> {
    let (mut best, mut least, mut equal) = (None, UNREACHABLE, 0);
    for goal in goals.iter() {
        let far = row[goal.index()];
        if best.is_none() || far < least {
            (best, least, equal) = (Some(goal), far, 1);
        } else if far == least {
            equal += 1;
            if below(rng, equal) == 0 {
                best = Some(goal);
            }
        }
    }
    best
}

/// How many stations are assigned at most: Mr. X's own and where he can go next.
const MOST_TARGETS: usize = 16;
/// Sets of detectives.
const SETS: usize = 1 << MAX_DETECTIVES;
/// No sum of distances is as great.
const IMPOSSIBLE: u16 = u16::MAX;

/// Assigns a station to each detective such that the sum of their distances is least: Mr. X's and
/// those that he can go to next by fare. By dynamic programming over the stations, for each set of
/// detectives that have theirs. Who gets none goes for Mr. X himself.
fn agree(atlas: &Atlas, arena: &Arena, position: &Position) -> Agreement {
    let mut targets = [position.mr_x(); MOST_TARGETS];
    let mut count = 1;
    let kinds = position.purse().tickets.kinds();
    for to in atlas.neighbours(kinds, position.mr_x()).iter().take(MOST_TARGETS - 1) {
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
            rows[detective.index()] = Some(atlas.row(kinds, at));
            everybody |= 1 << detective.index();
        }
    }
    let mut least = [IMPOSSIBLE; SETS];
    least[0] = 0;
    // Which detective got this station in the best assignment of a set, from 1; 0 for none.
    let mut chosen = [[0u8; SETS]; MOST_TARGETS];
    for (target, chosen) in targets[..count].iter().zip(&mut chosen) {
        let costs = rows.map(|row| row.map_or(0, |row| u16::from(row[target.index()])));
        // From larger sets to smaller ones, so that a station is given once.
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
    let mut agreement = Agreement { round: position.round(), targets: [None; MAX_DETECTIVES] };
    // With fewer stations than detectives, the largest set that has an assignment of least sum.
    let mut set = (0..SETS)
        .filter(|&set| least[set] != IMPOSSIBLE)
        .max_by_key(|&set| (set.count_ones(), std::cmp::Reverse(least[set])))
        .unwrap_or(0);
    for (target, chosen) in targets[..count].iter().zip(&chosen).rev() {
        if let Some(place) = chosen[set].checked_sub(1) {
            agreement.targets[usize::from(place)] = Some(*target);
            set &= !(1 << place);
        }
    }
    agreement
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::scotland_yard::{ScotlandYard, Stage};
    use botyard_engine::{Game, Stream};

    /// The least sum of distances over all ways to give each of these detectives a target of its
    /// own.
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
        let atlas = Atlas::new(&game).unwrap();
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
                targets.extend(atlas.neighbours(fares, position.mr_x()).iter());
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
                        atlas.row(kinds, position.pawns().get(detective).unwrap())
                    })
                    .collect();
                let agreement = agree(&atlas, game.arena(), &position);
                let given: Vec<Station> =
                    able.iter().map(|d| agreement.targets[d.index()].unwrap()).collect();
                let sum: u32 =
                    rows.iter().zip(&given).map(|(row, to)| u32::from(row[to.index()])).sum();
                assert_eq!(sum, least_sum(&rows, &targets, 0), "{position:?}");
                assert!((1..given.len()).all(|place| !given[..place].contains(&given[place])));
                compared += 1;
            }
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn every_step_is_legal() {
        for preset in ScotlandYard::PRESETS {
            let game = ScotlandYard::new(ScotlandYard::preset(preset.name).unwrap()).unwrap();
            let atlas = Atlas::new(&game).unwrap();
            let mut stream = Stream::new(3, "test");
            for (name, hunt) in Hunt::ALL {
                let state = game.start(&game.draw_opening(stream.rng())).unwrap();
                let candidates = game.candidates(&state).set().iter().collect();
                let mut scene = Scene { position: *state.position(), candidates, tracked: true };
                let mut agreement = Agreement::default();
                loop {
                    let often = Percent::new(20);
                    let arena = game.arena();
                    let step = match scene.position.stage() {
                        Stage::Detectives => {
                            hunt.step(&atlas, arena, &scene, often, &mut agreement, stream.rng())
                        }
                        _ => scene.position.random_action(arena, stream.rng()),
                    };
                    let Some(step) = step else { break };
                    let legal = scene.position.check(arena, step);
                    assert!(legal.is_ok(), "{}, {name}: {legal:?}", preset.name);
                    scene.apply(&atlas, arena, step);
                    // What playouts keep track of always has the truth in it.
                    if !matches!(scene.position.stage(), Stage::Over(_)) {
                        assert!(scene.candidates.contains(scene.position.mr_x()));
                    }
                }
                assert!(matches!(scene.position.stage(), Stage::Over(_)), "{name}");
            }
        }
    }
}
