//! Dealing: the owners and the dice of all areas at the start of a game.

use super::area::{Area, AreaSet, MAX_AREAS};
use super::battle::MAX_DICE;
use super::map::Map;
use super::rules::{Ownership, Rules, StartDice};
use crate::random::{Rng, below, choose, shuffle};
use crate::seat::{MAX_SEATS, Seat};
use arrayvec::ArrayVec;

/// The areas of each player and the dice on each area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The owner of each area.
    pub owners: ArrayVec<Seat, MAX_AREAS>,
    /// The dice on each area, 1 to 8.
    pub dice: ArrayVec<u8, MAX_AREAS>,
}

/// The areas of each player.
type Shares = [AreaSet; MAX_SEATS];

impl Deal {
    /// Deals the areas of a map and the first dice. The map must have at least one area per player.
    pub fn draw<R: Rng + ?Sized>(map: &Map, rules: &Rules, rng: &mut R) -> Deal {
        let players = usize::from(rules.players);
        let shares = match rules.ownership {
            Ownership::ConnectedEven => connected_even(map, players, rng),
            Ownership::Connected => connected(map, players, rng),
            Ownership::Scattered => scattered(map, players, rng),
        };
        let mut owners: ArrayVec<Seat, MAX_AREAS> =
            map.all().iter().map(|_| Seat::new(0)).collect();
        for (seat, share) in Seat::all(players).zip(shares) {
            for area in share {
                owners[area.index()] = seat;
            }
        }
        Deal { owners, dice: deal_dice(map, &shares[..players], rules, rng) }
    }
}

/// Returns the areas in random order.
fn shuffled<R: Rng + ?Sized>(areas: AreaSet, rng: &mut R) -> ArrayVec<Area, MAX_AREAS> {
    let mut areas: ArrayVec<Area, MAX_AREAS> = areas.iter().collect();
    shuffle(rng, &mut areas);
    areas
}

fn draw_area<R: Rng + ?Sized>(areas: AreaSet, rng: &mut R) -> Option<Area> {
    let areas: ArrayVec<Area, MAX_AREAS> = areas.iter().collect();
    choose(rng, &areas).copied()
}

/// Deals any areas to the players in turn.
fn scattered<R: Rng + ?Sized>(map: &Map, players: usize, rng: &mut R) -> Shares {
    let mut shares = [AreaSet::EMPTY; MAX_SEATS];
    for (place, area) in shuffled(map.all(), rng).into_iter().enumerate() {
        shares[place % players].insert(area);
    }
    shares
}

/// Deals one area to each player, then to the players in turn a free area that touches their own
/// region. A player without such an area is skipped.
fn connected<R: Rng + ?Sized>(map: &Map, players: usize, rng: &mut R) -> Shares {
    let mut shares = [AreaSet::EMPTY; MAX_SEATS];
    let mut free = map.all();
    for (share, area) in shares[..players].iter_mut().zip(shuffled(free, rng)) {
        share.insert(area);
        free.remove(area);
    }
    while !free.is_empty() {
        for share in &mut shares[..players] {
            if let Some(area) = draw_area(map.neighbours_of_all(*share) & free, rng) {
                share.insert(area);
                free.remove(area);
            }
        }
    }
    shares
}

/// The number of attempts at an even partition before a nearly even one is accepted.
const ATTEMPTS: usize = 100;

/// The number of spanning trees that are searched for a branch of the right size.
const TREES: usize = 25;

/// Deals connected regions whose sizes differ by at most one. Not every map has such regions; then
/// takes the most even of many regions grown at random.
fn connected_even<R: Rng + ?Sized>(map: &Map, players: usize, rng: &mut R) -> Shares {
    // The players that get one area more are drawn.
    let mut sizes: ArrayVec<usize, MAX_SEATS> = (0..players)
        .map(|player| map.areas() / players + usize::from(player < map.areas() % players))
        .collect();
    shuffle(rng, &mut sizes);
    let even = (0..ATTEMPTS).find_map(|_| partition(map, &sizes, rng));
    even.unwrap_or_else(|| {
        let grown = (0..ATTEMPTS).map(|_| connected(map, players, rng));
        grown.min_by_key(|shares| unevenness(&shares[..players])).expect("there are some attempts")
    })
}

/// Returns the difference between the largest and the smallest share.
fn unevenness(shares: &[AreaSet]) -> usize {
    let sizes = shares.iter().map(|share| share.len());
    sizes.clone().max().unwrap_or(0) - sizes.min().unwrap_or(0)
}

/// Partitions the map into connected regions of these sizes, which sum to the areas of the map;
/// `None` if the attempt fails or the map has no such regions.
///
/// Cuts off one region after another: a branch of the wanted size from a random spanning tree of
/// the remaining areas, so that the rest stays connected.
fn partition<R: Rng + ?Sized>(map: &Map, sizes: &[usize], rng: &mut R) -> Option<Shares> {
    let mut shares = [AreaSet::EMPTY; MAX_SEATS];
    let mut rest = map.all();
    let (last, others) = sizes.split_last()?;
    for (share, &size) in shares.iter_mut().zip(others) {
        *share = (0..TREES).find_map(|_| branch(map, rest, size, rng))?;
        rest = rest - *share;
    }
    debug_assert_eq!(rest.len(), *last);
    shares[others.len()] = rest;
    Some(shares)
}

/// Returns a branch of `size` areas of a random spanning tree of `within`, which must be connected,
/// or the complement of a branch if that has the size. `None` if this tree has neither.
fn branch<R: Rng + ?Sized>(
    map: &Map,
    within: AreaSet,
    size: usize,
    rng: &mut R,
) -> Option<AreaSet> {
    // In the order in which the tree grows: each area with its parent's index in this list.
    let mut tree: ArrayVec<(Area, usize), MAX_AREAS> = ArrayVec::new();
    let mut reached = AreaSet::of(draw_area(within, rng)?);
    tree.push((reached.first()?, 0));
    while tree.len() < within.len() {
        let parent = below(rng, tree.len() as u32) as usize;
        let around = (map.neighbours(tree[parent].0) & within) - reached;
        if let Some(area) = draw_area(around, rng) {
            tree.push((area, parent));
            reached.insert(area);
        }
    }
    let mut branches: ArrayVec<AreaSet, MAX_AREAS> =
        tree.iter().map(|&(area, _)| AreaSet::of(area)).collect();
    for place in (1..tree.len()).rev() {
        let parent = tree[place].1;
        branches[parent] = branches[parent] | branches[place];
    }
    let found: ArrayVec<AreaSet, { 2 * MAX_AREAS }> = branches[1..]
        .iter()
        .flat_map(|&branch| [branch, within - branch])
        .filter(|part| part.len() == size)
        .collect();
    choose(rng, &found).copied()
}

fn deal_dice<R: Rng + ?Sized>(
    map: &Map,
    shares: &[AreaSet],
    rules: &Rules,
    rng: &mut R,
) -> ArrayVec<u8, MAX_AREAS> {
    let per_area = u32::from(rules.dice_per_area);
    let (areas, players) = (map.areas() as u32, shares.len() as u32);
    let first = if rules.start_dice == StartDice::Flat { rules.dice_per_area } else { 1 };
    let mut dice: ArrayVec<u8, MAX_AREAS> = map.all().iter().map(|_| first).collect();
    match rules.start_dice {
        StartDice::Flat => {}
        StartDice::Equal => {
            for &share in shares {
                fill_up(&mut dice, share, per_area * areas / players + 1, rng);
            }
        }
        StartDice::Split => {
            let mut left = (per_area * areas).saturating_sub(below(rng, 6));
            for (&share, sharers) in shares.iter().zip((1..=players).rev()) {
                // The rest, divided by the number of players still to serve, rounded to the
                // nearest.
                let its = (2 * left + sharers) / (2 * sharers);
                left -= its;
                fill_up(&mut dice, share, its, rng);
            }
        }
        StartDice::InTurn => {
            for (place, _) in (areas..per_area * areas).enumerate() {
                lay_one(&mut dice, shares[place % shares.len()], rng);
            }
        }
    }
    dice
}

/// Places dice on a player's areas until it has this number, or all are full.
fn fill_up<R: Rng + ?Sized>(dice: &mut [u8], areas: AreaSet, total: u32, rng: &mut R) {
    for _ in areas.len() as u32..total {
        lay_one(dice, areas, rng);
    }
}

/// Places a die on an area with fewer than eight, if there is one.
fn lay_one<R: Rng + ?Sized>(dice: &mut [u8], areas: AreaSet, rng: &mut R) {
    let open = areas.iter().filter(|area| dice[area.index()] < MAX_DICE).collect();
    if let Some(area) = draw_area(open, rng) {
        dice[area.index()] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::presets::preset;
    use super::*;
    use crate::random::Stream;

    /// Returns a grid of squares, 6 by 5.
    fn grid() -> Map {
        let neighbours = |index: usize| {
            let (x, y) = (index % 6, index / 6);
            let mut around = AreaSet::EMPTY;
            for (other_x, other_y) in
                [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)]
            {
                if other_x < 6 && other_y < 5 {
                    around.insert(Area::new(6 * other_y + other_x));
                }
            }
            around
        };
        Map::new(&(0..30).map(neighbours).collect::<Vec<_>>(), Vec::new()).unwrap()
    }

    /// One area in the middle and twelve around it that do not touch each other.
    fn star() -> Map {
        let hub = AreaSet::of(Area::new(0));
        let mut neighbours = vec![hub; 13];
        neighbours[0] = AreaSet::first_areas(13) - hub;
        Map::new(&neighbours, Vec::new()).unwrap()
    }

    fn deals(map: &Map, name: &str, players: u8) -> Vec<(Shares, Deal)> {
        let rules = Rules { players, ..preset(name).unwrap() };
        let mut stream = Stream::new(players.into(), name);
        let draw = |_| {
            let deal = Deal::draw(map, &rules, stream.rng());
            let mut shares = [AreaSet::EMPTY; MAX_SEATS];
            for (area, owner) in Area::all(map.areas()).zip(&deal.owners) {
                shares[owner.index()].insert(area);
            }
            assert!(deal.dice.iter().all(|dice| (1..=MAX_DICE).contains(dice)));
            (shares, deal)
        };
        (0..50).map(draw).collect()
    }

    fn is_connected(map: &Map, share: AreaSet) -> bool {
        share.first().is_some_and(|area| map.region(area, share) == share)
    }

    fn dice(deal: &Deal, share: AreaSet) -> u32 {
        share.iter().map(|area| u32::from(deal.dice[area.index()])).sum()
    }

    #[test]
    fn fair_4_deals_even_regions_and_dice() {
        let map = grid();
        for players in 2..=8 {
            for (shares, deal) in deals(&map, "fair-4", players) {
                let shares = &shares[..players.into()];
                assert!(shares.iter().all(|&share| is_connected(&map, share)), "{deal:?}");
                assert!(unevenness(shares) <= usize::from(30 % players != 0), "{deal:?}");
                let each = 60 / u32::from(players) + 1;
                assert!(shares.iter().all(|&share| dice(&deal, share) == each), "{deal:?}");
            }
        }
    }

    #[test]
    fn even_regions_are_as_even_as_the_map_allows() {
        for (shares, _) in deals(&star(), "fair-4", 4) {
            let mut sizes = shares[..4].iter().map(|share| share.len()).collect::<Vec<_>>();
            sizes.sort_unstable();
            assert_eq!(sizes, [1, 1, 1, 10]);
        }
    }

    #[test]
    fn sui_2021_deals_regions_that_grew() {
        let map = grid();
        let mut uneven = 0;
        for (shares, deal) in deals(&map, "sui-2021", 4) {
            assert!(shares[..4].iter().all(|&share| is_connected(&map, share)), "{deal:?}");
            assert!(
                shares[..4]
                    .iter()
                    .all(|&share| dice(&deal, share) == 16.min(8 * share.len() as u32))
            );
            uneven += usize::from(unevenness(&shares[..4]) > 1);
        }
        assert!(uneven > 25, "{uneven} of 50");
    }

    #[test]
    fn the_others_deal_in_turn() {
        let map = grid();
        for (shares, deal) in deals(&map, "sui-2020", 4) {
            assert_eq!(unevenness(&shares[..4]), 1);
            assert!(deal.dice.iter().all(|&dice| dice == 3));
        }
        let mut totals = AreaSet::EMPTY;
        for (shares, deal) in deals(&map, "sui-2019", 4) {
            let all = shares[..4].iter().map(|&share| dice(&deal, share));
            assert!(all.clone().max().unwrap() - all.clone().min().unwrap() <= 1, "{deal:?}");
            totals.insert(Area::new((90 - all.sum::<u32>()) as usize));
        }
        assert_eq!(totals, AreaSet::first_areas(6), "0 to 5 dice are missing");
        for (shares, deal) in deals(&map, "classic", 7) {
            assert_eq!(
                map.all().iter().map(|area| u32::from(deal.dice[area.index()])).sum::<u32>(),
                90
            );
            for share in &shares[..7] {
                assert!((8..=9).contains(&(dice(&deal, *share) - share.len() as u32)));
            }
        }
    }
}
