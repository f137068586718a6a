//! The course's bots against their originals: recorded games of the 2021 framework have every
//! decision of the originals, with their names.

use botyard_agent::AgentRng;
use botyard_bots::dice_wars::{AttackRule, Baseline, Policy, for_each_defensive_transfer};
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Area, AreaSet, Deal, Map, Player, Position, Rules};
use rand_xoshiro::rand_core::SeedableRng;
use serde::Deserialize;
use std::collections::BTreeMap;

const GAMES: &str = include_str!("../../engine/tests/data/dice-wars/sui2021_games.jsonl");

/// The originals, and the least number of their 100 decisions in which the policy takes exactly the
/// same one; the rest are equally good. Ties are not random: the originals take the first in the
/// framework's order of neighbours, which is not ours.
const ORIGINALS: [(&str, Baseline, u32); 8] = [
    ("dt.rand", Baseline::RAND, 0),
    ("dt.sdc", Baseline::SDC, 90),
    ("dt.ste", Baseline::STE, 99),
    ("dt.stei", Baseline::STEI, 99),
    ("kb.sdc_pre_at", Baseline::SDC_AT, 90),
    ("kb.stei_at", Baseline::STEI_AT, 88),
    ("kb.stei_dt", Baseline::STEI_DT, 97),
    ("kb.stei_adt", Baseline::STEI_ADT, 92),
];

#[derive(Deserialize)]
struct Recorded {
    ais: Vec<String>,
    setup: Vec<RecordedArea>,
    log: Vec<Event>,
}

#[derive(Deserialize)]
struct RecordedArea {
    adj: AreaSet,
    owner: Player,
    dice: u8,
}

/// See the text beside the data: attacks, transfers and ends of turns.
#[derive(Deserialize)]
#[serde(untagged)]
enum Event {
    Attack(Tag<'a'>, Area, Area, u32, u32, Player, u8),
    Transfer(Tag<'t'>, Area, Area, u8, u8),
    EndTurn(Tag<'e'>, Player, Vec<(Area, u8)>, u8),
}

/// The first letter of an event.
#[derive(Deserialize)]
#[serde(try_from = "char")]
struct Tag<const LETTER: char>;

impl<const LETTER: char> TryFrom<char> for Tag<LETTER> {
    type Error = &'static str;

    fn try_from(letter: char) -> Result<Self, Self::Error> {
        if letter == LETTER { Ok(Tag) } else { Err("another event") }
    }
}

impl Recorded {
    fn start(&self) -> (Map, Position) {
        let neighbours: Vec<AreaSet> = self.setup.iter().map(|area| area.adj).collect();
        let map = Map::new(&neighbours, Vec::new()).unwrap();
        let deal = Deal {
            owners: self.setup.iter().map(|area| area.owner.0).collect(),
            dice: self.setup.iter().map(|area| area.dice).collect(),
        };
        let players = self.ais.len() as u8;
        let rules = Rules { players, ..Rules::preset("sui-2021").unwrap() };
        (map, Position::start(&rules, &deal, Seat::new(0)))
    }
}

impl Event {
    fn action(&self) -> Action {
        match *self {
            Event::Attack(_, from, to, ..) => Action::Attack(from, to),
            Event::Transfer(_, from, to, ..) => Action::Transfer(from, to),
            Event::EndTurn(..) => Action::EndTurn,
        }
    }

    fn apply(&self, map: &Map, position: &mut Position) {
        match *self {
            Event::Attack(_, from, to, attacker, defender, owner, dice) => {
                position.attack(from, to, attacker > defender);
                assert_eq!((position.owner(to), position.dice(to)), (owner.0, dice));
            }
            Event::Transfer(_, from, to, left, there) => {
                position.transfer(from, to);
                assert_eq!((position.dice(from), position.dice(to)), (left, there));
            }
            Event::EndTurn(_, player, ref grown, reserve) => {
                assert_eq!(position.to_move(), player.0);
                let placed: Vec<Area> = grown
                    .iter()
                    .flat_map(|&(area, dice)| (position.dice(area)..dice).map(move |_| area))
                    .collect();
                position.end_turn();
                position.reinforce(map, &placed);
                assert_eq!(position.reserve(player.0), reserve);
            }
        }
    }
}

/// Returns whether two actions are equally good for a bot, so that only the order of ties decides.
fn are_equal(rule: AttackRule, map: &Map, position: &Position, one: Action, other: Action) -> bool {
    const ROUNDING: f64 = 1e-12;
    match (one, other) {
        _ if one == other => true,
        (Action::Attack(..), Action::Attack(..)) => {
            let mut values = Vec::new();
            rule.for_each_attack(map, position, |from, to, value| {
                if [one, other].contains(&Action::Attack(from, to)) {
                    values.push(value);
                }
            });
            matches!(values[..], [one, other] if (one - other).abs() < ROUNDING)
        }
        (Action::Transfer(from, to), Action::Transfer(other_from, other_to)) => {
            let border = position.border_of(map, position.to_move());
            if !border.contains(from) {
                // Supply: any transfer from the same area to the border.
                return from == other_from && border.contains(to) && border.contains(other_to);
            }
            let mut saved = Vec::new();
            for_each_defensive_transfer(map, position, |from, to, dice| {
                if [one, other].contains(&Action::Transfer(from, to)) {
                    saved.push(dice);
                }
            });
            matches!(saved[..], [one, other] if (one - other).abs() < ROUNDING)
        }
        _ => false,
    }
}

#[test]
fn policies_decide_as_their_originals_did() {
    let mut decisions: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for (line, json) in GAMES.lines().enumerate() {
        let game: Recorded = serde_json::from_str(json).unwrap();
        let (map, mut position) = game.start();
        let mut rng = AgentRng::seed_from_u64(1);
        let mut policies: Vec<Option<(&str, Baseline)>> = game
            .ais
            .iter()
            .map(|name| ORIGINALS.iter().find(|original| original.0 == name))
            .map(|original| original.map(|&(name, baseline, _)| (name, baseline)))
            .collect();
        for event in &game.log {
            let action = event.action();
            if let Some((name, baseline)) = &mut policies[position.to_move().index()] {
                let ours = baseline.choose(&map, &position, &mut rng);
                assert!(
                    are_equal(baseline.attacks(), &map, &position, ours, action),
                    "game {}, {name}: expected {action}, got {ours}",
                    line + 1
                );
                let (all, same) = decisions.entry(name).or_default();
                *all += 1;
                *same += u32::from(ours == action);
            }
            event.apply(&map, &mut position);
        }
    }
    for (name, _, floor) in ORIGINALS {
        let (all, same) = decisions[name];
        println!("{name}: the same in {same} of {all}");
        assert!(all >= 200 && 100 * same >= floor * all, "{name}: {same} of {all}");
    }
}
