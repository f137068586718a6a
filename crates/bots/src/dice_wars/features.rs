//! The features of the evaluations: the same few dozen numbers for each player on the map. A
//! position is seen as if the turn of the player to move were over and its new dice were still to
//! come: no random draw lies between a plan and its evaluation.
//!
//! Training and play use the same function, [`Features::of`], so they cannot differ. Seats matter
//! only by their order, counted from the player to move.

use arrayvec::ArrayVec;
use botyard_engine::dice_wars::{
    AreaSet, MAX_AREAS, MAX_DICE, MOST_NEW_DICE, Map, Position, win_probability,
};
use botyard_engine::{MAX_SEATS, Seat};

/// The features of one player. Counts of areas or dice are shares of the map's totals.
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
pub(super) enum Feature {
    /// The number of its areas.
    Areas,
    /// Its share of all dice on the map.
    Dice,
    /// Its dice, relative to the capacity of its areas.
    Density,
    /// Its largest region.
    Region,
    /// Its second largest region.
    SecondRegion,
    /// The share of its areas in its largest region.
    Unity,
    /// The number of its regions.
    Regions,
    /// Its reserve.
    Reserve,
    /// Its share of all players' new dice after their next turns.
    Income,
    /// The number of those that would not fit now.
    Overflow,
    /// Its areas that touch an enemy's.
    Border,
    /// The share of its areas on the border.
    BorderShare,
    /// The dice on its border, relative to the capacity of the border.
    BorderDensity,
    /// Border areas with one die or two.
    WeakBorder,
    /// Border areas with eight dice.
    FullBorder,
    /// Dice that could leave areas one step behind the border.
    SecondLine,
    /// Dice that could leave areas farther behind.
    Hinterland,
    /// The expected number of border areas lost if every enemy attacked before its next turn.
    Threat,
    /// The same for its largest region only.
    RegionThreat,
    /// The expected loss of the largest region beyond the areas that fall.
    SplitThreat,
    /// The same as `Threat`, by the player that moves next only.
    NextThreat,
    /// The expected number of border areas lost if every enemy attacked once, now or later.
    LateThreat,
    /// The dice on areas, weighted by the probability that the area falls before its next turn.
    DiceThreat,
    /// Enemy areas, weighted by the probability of its best attack on each.
    Reach,
    /// Its stacks at the border, weighted by the probability of each one's best attack.
    Strike,
    /// The largest expected gain of the largest region by one attack that joins it with others.
    Join,
    /// The number of pairs of neighbouring own and enemy areas.
    Edges,
    /// The sum over these pairs of own dice minus enemy dice.
    EdgeLead,
    /// The number of enemies that it touches.
    Enemies,
    /// The number of players that move before it, relative to all other players.
    Wait,
    /// Whether it is the player to move, whose turn counts as over and whose new dice are to come.
    Moved,
    /// Whether it moves next.
    Next,
    /// Its dice minus those of the strongest other player.
    DiceLead,
    /// Its largest region minus the largest of another player.
    RegionLead,
    /// Its areas minus those of the largest other player.
    AreaLead,
    /// Whether two players are left.
    TwoPlayers,
    /// Whether three players are left.
    ThreePlayers,
    /// The number of players beyond four, divided by four.
    ManyPlayers,
    /// All dice on the map, relative to the map's capacity.
    Fullness,
    /// The time without an attack, relative to the limit that ends the game.
    Quiet,
    /// The largest region that it would have with every area that it can win with an even chance.
    Potential,
    /// The share of its dice in its largest region.
    RegionDice,
    /// The share of its areas with one die.
    Bare,
    /// The share of its areas with six dice or more.
    Strong,
    /// The share of the other players with a larger income.
    Poorer,
    /// Its reserve, relative to its limit.
    ReserveFilled,
    /// The transfers per turn that the rules allow, relative to six.
    Transfers,
    /// Whether the defender loses dice by the rules.
    Wear,
}

/// The number of features.
pub const FEATURES: usize = Feature::Wear as usize + 1;

/// The number of features of the first version: those up to [`Feature::Quiet`]. Weights of that
/// version have no weights for the others.
pub(super) const FIRST_FEATURES: usize = Feature::Quiet as usize + 1;

/// The features of all players.
#[derive(Clone, Debug)]
pub struct Features {
    /// The players on the map, by seat.
    pub on_map: ArrayVec<Seat, MAX_SEATS>,
    /// Their features, in the same order.
    pub rows: [[f32; FEATURES]; MAX_SEATS],
}

/// A threat below this is ignored for splits.
const NOTABLE: f32 = 0.1;

/// The reserve that counts as 1.
const MUCH_RESERVE: f32 = 24.0;

/// The sums gathered for one player in one pass over the map.
#[derive(Clone, Copy, Default)]
struct Gathered {
    reach: f32,
    /// Enemy areas that it wins with an even chance or better.
    within_reach: AreaSet,
    border: AreaSet,
    enemies: u8,
    edges: i32,
    edge_lead: i32,
    dice: i32,
    region: AreaSet,
    second: u32,
    regions: u32,
    new_dice: i32,
}

impl Features {
    /// Computes the features of a position.
    pub fn of(map: &Map, position: &Position) -> Features {
        let on_map: ArrayVec<Seat, MAX_SEATS> =
            Seat::all(position.players()).filter(|&seat| position.is_on_map(seat)).collect();
        let waits = waits(position, &on_map);
        let mut gathered = [Gathered::default(); MAX_SEATS];
        // The probability of each area to fall before its owner moves, ever, and to the next
        // player.
        let mut soon = [0.0_f32; MAX_AREAS];
        let mut late = [0.0_f32; MAX_AREAS];
        let mut next = [0.0_f32; MAX_AREAS];
        let mut strikes = [0.0_f32; MAX_AREAS];
        for &seat in &on_map {
            let own = position.areas_of(seat);
            let wait = waits[seat.index()];
            for area in own {
                let around = map.neighbours(area) - own;
                if around.is_empty() {
                    continue;
                }
                let dice = position.dice(area);
                let mut holds = [1.0_f32; 3];
                let mut best = [0.0_f32; MAX_SEATS];
                let its = &mut gathered[seat.index()];
                its.border.insert(area);
                for from in around {
                    let enemy = position.owner(from);
                    let attackers = position.dice(from);
                    let chance = win_probability(attackers, dice) as f32;
                    let hold = if attackers >= 2 { 1.0 - chance } else { 1.0 };
                    holds[1] *= hold;
                    if waits[enemy.index()] < wait {
                        holds[0] *= hold;
                    }
                    if waits[enemy.index()] == 0 {
                        holds[2] *= hold;
                    }
                    best[enemy.index()] = best[enemy.index()].max(1.0 - hold);
                    strikes[from.index()] = strikes[from.index()].max(1.0 - hold);
                    its.enemies |= 1 << enemy.index();
                    its.edges += 1;
                    its.edge_lead += i32::from(dice) - i32::from(attackers);
                }
                soon[area.index()] = 1.0 - holds[0];
                late[area.index()] = 1.0 - holds[1];
                next[area.index()] = 1.0 - holds[2];
                for &enemy in &on_map {
                    let chance = best[enemy.index()];
                    gathered[enemy.index()].reach += chance;
                    if chance >= 0.5 {
                        gathered[enemy.index()].within_reach.insert(area);
                    }
                }
            }
        }
        let (mut all_dice, mut all_new) = (0, 0);
        let mut joins = [0.0_f32; MAX_SEATS];
        for &seat in &on_map {
            let its = &mut gathered[seat.index()];
            its.dice = position.dice_of(seat) as i32;
            let regions = regions(map, position.areas_of(seat));
            its.region = regions[0];
            its.second = regions.get(1).map_or(0, |region| region.len() as u32);
            its.regions = regions.len() as u32;
            let reserve = i32::from(position.reserve(seat));
            its.new_dice = (its.region.len() as i32 + reserve).min(MOST_NEW_DICE.into());
            all_dice += its.dice;
            all_new += its.new_dice;
            joins[seat.index()] = best_join(map, position, seat, &regions);
        }
        let areas = map.areas() as f32;
        let room = areas * f32::from(MAX_DICE);
        let others = (on_map.len() - 1).max(1) as f32;
        let most = |seat: Seat, of: &dyn Fn(Seat) -> i32| {
            on_map.iter().filter(|&&other| other != seat).map(|&other| of(other)).max().unwrap_or(0)
        };
        let mut rows = [[0.0; FEATURES]; MAX_SEATS];
        for (row, &seat) in rows.iter_mut().zip(&on_map) {
            let its = &gathered[seat.index()];
            let own = position.areas_of(seat);
            let count = own.len() as f32;
            let second_line = map.neighbours_of_all(its.border) & (own - its.border);
            let hinterland = own - its.border - second_line;
            let dice = |set: AreaSet| -> i32 {
                set.iter().map(|area| i32::from(position.dice(area))).sum()
            };
            let spare = |set: AreaSet| (dice(set) - set.len() as i32) as f32;
            let sum = |set: AreaSet, of: &[f32; MAX_AREAS]| -> f32 {
                set.iter().map(|area| of[area.index()]).sum()
            };
            let border = its.border.len() as f32;
            let weak = its.border.iter().filter(|&area| position.dice(area) <= 2).count();
            let wait = waits[seat.index()];
            let free = 8 * own.len() as i32 - its.dice;
            let mut set = |feature: Feature, value: f32| row[feature as usize] = value;
            set(Feature::Areas, count / areas);
            set(Feature::Dice, its.dice as f32 / all_dice as f32);
            set(Feature::Density, its.dice as f32 / (f32::from(MAX_DICE) * count));
            set(Feature::Region, its.region.len() as f32 / areas);
            set(Feature::SecondRegion, its.second as f32 / areas);
            set(Feature::Unity, its.region.len() as f32 / count);
            set(Feature::Regions, its.regions as f32 / 8.0);
            set(Feature::Reserve, f32::from(position.reserve(seat)) / MUCH_RESERVE);
            set(Feature::Income, its.new_dice as f32 / all_new as f32);
            set(Feature::Overflow, (its.new_dice - free).max(0) as f32 / areas);
            set(Feature::Border, border / areas);
            set(Feature::BorderShare, border / count);
            let border_room = f32::from(MAX_DICE) * border.max(1.0);
            set(Feature::BorderDensity, dice(its.border) as f32 / border_room);
            set(Feature::WeakBorder, weak as f32 / areas);
            set(Feature::FullBorder, (its.border & position.full()).len() as f32 / areas);
            set(Feature::SecondLine, 4.0 * spare(second_line) / room);
            set(Feature::Hinterland, 4.0 * spare(hinterland) / room);
            set(Feature::Threat, sum(its.border, &soon) / areas);
            set(Feature::RegionThreat, sum(its.border & its.region, &soon) / areas);
            set(Feature::SplitThreat, split_threat(map, its.region, its.border, &soon) / areas);
            set(Feature::NextThreat, if wait == 0 { 0.0 } else { sum(its.border, &next) / areas });
            set(Feature::LateThreat, sum(its.border, &late) / areas);
            let threatened: f32 = its
                .border
                .iter()
                .map(|area| soon[area.index()] * f32::from(position.dice(area)))
                .sum();
            set(Feature::DiceThreat, 4.0 * threatened / room);
            set(Feature::Reach, its.reach / areas);
            set(Feature::Strike, sum(its.border, &strikes) / areas);
            set(Feature::Join, joins[seat.index()] / areas);
            set(Feature::Edges, its.edges as f32 / (2.0 * areas));
            set(Feature::EdgeLead, its.edge_lead as f32 / room);
            set(Feature::Enemies, its.enemies.count_ones() as f32 / 4.0);
            set(Feature::Wait, f32::from(wait) / others);
            set(Feature::Moved, f32::from(u8::from(seat == position.to_move())));
            set(Feature::Next, f32::from(u8::from(wait == 0)));
            let dice_of = |seat: Seat| gathered[seat.index()].dice;
            let region_of = |seat: Seat| gathered[seat.index()].region.len() as i32;
            let areas_of = |seat: Seat| position.areas_of(seat).len() as i32;
            let dice_lead = dice_of(seat) - most(seat, &dice_of);
            set(Feature::DiceLead, dice_lead as f32 / all_dice as f32);
            set(Feature::RegionLead, (region_of(seat) - most(seat, &region_of)) as f32 / areas);
            set(Feature::AreaLead, (areas_of(seat) - most(seat, &areas_of)) as f32 / areas);
            set(Feature::TwoPlayers, f32::from(u8::from(on_map.len() == 2)));
            set(Feature::ThreePlayers, f32::from(u8::from(on_map.len() == 3)));
            set(Feature::ManyPlayers, on_map.len().saturating_sub(4) as f32 / 4.0);
            set(Feature::Fullness, all_dice as f32 / room);
            set(
                Feature::Quiet,
                (f32::from(position.quiet_turns()) / (8 * on_map.len()) as f32).min(1.0),
            );
            let potential = largest_around(map, its.region, own | its.within_reach);
            set(Feature::Potential, potential as f32 / areas);
            set(Feature::RegionDice, dice(its.region) as f32 / its.dice as f32);
            set(Feature::Bare, (own - position.ready()).len() as f32 / count);
            let strong = own.iter().filter(|&area| position.dice(area) >= 6).count();
            set(Feature::Strong, strong as f32 / count);
            let richer = |other: &&Seat| gathered[other.index()].new_dice > its.new_dice;
            set(Feature::Poorer, on_map.iter().filter(richer).count() as f32 / others);
            let limit = f32::from(position.reserve_limit(seat)).max(1.0);
            set(Feature::ReserveFilled, (f32::from(position.reserve(seat)) / limit).min(1.0));
            set(Feature::Transfers, f32::from(position.transfers_per_turn().min(12)) / 6.0);
            set(Feature::Wear, f32::from(u8::from(position.wear() > 0)));
        }
        Features { on_map, rows }
    }
}

/// Returns the number of players that move before each one's next turn; for the player to move, all
/// others.
fn waits(position: &Position, on_map: &[Seat]) -> [u8; MAX_SEATS] {
    let players = position.players();
    let mover = position.to_move().index();
    let mut waits = [0; MAX_SEATS];
    for &seat in on_map {
        let steps = |seat: Seat| (seat.index() + players - mover - 1) % players;
        let before = on_map.iter().filter(|&&other| steps(other) < steps(seat)).count();
        waits[seat.index()] = before as u8;
    }
    waits
}

/// Returns the connected regions of a set, the largest first, the others in any order.
fn regions(map: &Map, own: AreaSet) -> ArrayVec<AreaSet, MAX_AREAS> {
    let mut regions = ArrayVec::new();
    let mut rest = own;
    while let Some(area) = rest.first() {
        let region = map.region(area, rest);
        rest = rest - region;
        regions.push(region);
        let last = regions.len() - 1;
        if region.len() > regions[0].len() {
            regions.swap(0, last);
        } else if last >= 2 && region.len() > regions[1].len() {
            regions.swap(1, last);
        }
    }
    if regions.len() > 2 {
        // The first exchange may have left a smaller one at index 1.
        let second = (1..regions.len()).max_by_key(|&place| regions[place].len()).unwrap_or(1);
        regions.swap(1, second);
    }
    regions
}

/// Returns the best expected gain of areas by one attack that joins other regions to the largest.
fn best_join(map: &Map, position: &Position, seat: Seat, regions: &[AreaSet]) -> f32 {
    let [largest, others @ ..] = regions else { return 0.0 };
    if others.is_empty() {
        return 0.0;
    }
    let own = position.areas_of(seat);
    let apart = own - *largest;
    let bridges = (map.neighbours_of_all(*largest) & map.neighbours_of_all(apart)) - own;
    let mut best = 0.0_f32;
    for bridge in bridges {
        let around = map.neighbours(bridge);
        let joined: usize = others
            .iter()
            .filter(|region| region.intersects(around))
            .map(|region| region.len())
            .sum();
        let attackers = (around & own & position.ready()).iter();
        let dice = attackers.map(|area| position.dice(area)).max().unwrap_or(0);
        let chance = win_probability(dice, position.dice(bridge)) as f32;
        best = best.max(chance * (joined + 1) as f32);
    }
    best
}

/// Returns the number of areas of the part of `set` that contains the region.
fn largest_around(map: &Map, region: AreaSet, set: AreaSet) -> usize {
    region.first().map_or(0, |area| map.region(area, set).len())
}

/// Returns the expected number of areas of a region that are cut off, beyond those that fall.
fn split_threat(map: &Map, region: AreaSet, border: AreaSet, threat: &[f32; MAX_AREAS]) -> f32 {
    let mut sum = 0.0;
    for area in region & border {
        let chance = threat[area.index()];
        if chance < NOTABLE {
            continue;
        }
        let around = map.neighbours(area) & region;
        let Some(first) = around.first() else { continue };
        // Neighbours that touch each other stay together.
        if map.region(first, around) == around {
            continue;
        }
        let left = region - AreaSet::of(area);
        sum += chance * cut_off(map, left) as f32;
    }
    sum
}

/// Returns the number of areas outside the largest part of a set.
fn cut_off(map: &Map, set: AreaSet) -> usize {
    let (mut rest, mut largest) = (set, 0);
    while let Some(area) = rest.first() {
        let part = map.region(area, rest);
        largest = largest.max(part.len());
        rest = rest - part;
        if rest.len() <= largest {
            break;
        }
    }
    set.len() - largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::dice_wars::{Deal, Rules, generate_map};
    use botyard_engine::random::Stream;

    #[test]
    fn seats_are_told_apart_by_their_order_alone() {
        let rules = Rules::preset("sui-2021").unwrap();
        for seed in 0..20 {
            let mut stream = Stream::new(seed, "test");
            let map = generate_map(34, stream.rng());
            let deal = Deal::draw(&map, &rules, stream.rng());
            let features = Features::of(&map, &Position::start(&rules, &deal, Seat::new(1)));
            let turned = |seat: Seat| Seat::new((seat.index() + 1) % 4);
            let owners = deal.owners.iter().map(|&owner| turned(owner)).collect();
            let deal = Deal { owners, ..deal };
            let other = Features::of(&map, &Position::start(&rules, &deal, Seat::new(2)));
            for seat in 0..4 {
                let [one, turned] = [&features.rows[seat], &other.rows[(seat + 1) % 4]];
                // Sums over players may be taken in another order.
                let mut pairs = one.iter().zip(turned);
                assert!(pairs.all(|(one, turned)| (one - turned).abs() < 1e-5), "seed {seed}");
            }
        }
    }

    #[test]
    fn numbers_are_small() {
        let rules = Rules { players: 7, ..Rules::preset("classic").unwrap() };
        let mut stream = Stream::new(1, "test");
        for _ in 0..20 {
            let map = generate_map(31, stream.rng());
            let deal = Deal::draw(&map, &rules, stream.rng());
            let features = Features::of(&map, &Position::start(&rules, &deal, Seat::new(0)));
            assert_eq!(features.on_map.len(), 7);
            let numbers = features.rows.iter().flatten();
            assert!(numbers.clone().all(|number| number.is_finite() && number.abs() <= 4.0));
        }
    }
}
