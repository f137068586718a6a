//! Battles along a ring of fields, each held by a player with one to six men. On its turn, a player
//! attacks from a field into a neighbouring one of another player, any number of times. The
//! stronger side usually wins, and a battle has two outcomes. Then its turn ends and a few men
//! arrive on random fields of its own.

use super::below;
use botyard_search::Player;
use botyard_search::SearchRng;
use botyard_search::multiplayer::{Actor, Depth, MultiplayerGame};
use rand_xoshiro::rand_core::SeedableRng;
use std::ops::RangeInclusive;

pub const FIELDS: usize = 12;
const MOST_MEN: u8 = 6;
/// The number of men that arrive at the end of a turn.
const ARRIVING: usize = 2;
const WIN: i32 = 10_000;

/// The game with this many players.
#[derive(Clone, Copy, Debug)]
pub struct Frontier {
    players: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Deciding,
    /// An attack from this field into that one.
    Battle(u8, u8),
    Arrival,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    owners: [u8; FIELDS],
    men: [u8; FIELDS],
    to_move: u8,
    turn: u32,
    stage: Stage,
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Attack(u8, u8),
    EndTurn,
}

impl Frontier {
    pub fn new(players: usize) -> Frontier {
        Frontier { players }
    }

    /// Returns a position with every field assigned to a player.
    pub fn deal(&self, seed: u64) -> Front {
        let mut rng = SearchRng::seed_from_u64(seed);
        Front {
            owners: std::array::from_fn(|field| (field * self.players / FIELDS) as u8),
            men: std::array::from_fn(|_| 1 + below(&mut rng, u32::from(MOST_MEN)) as u8),
            to_move: 0,
            turn: 0,
            stage: Stage::Deciding,
        }
    }

    fn fields(&self, front: &Front, player: usize) -> usize {
        front.owners.iter().filter(|&&owner| usize::from(owner) == player).count()
    }

    fn strength(&self, front: &Front, player: usize) -> i32 {
        let own = (0..FIELDS).filter(|&field| usize::from(front.owners[field]) == player);
        own.map(|field| 4 + i32::from(front.men[field])).sum()
    }

    fn next(&self, front: &mut Front) {
        front.stage = Stage::Deciding;
        front.turn += 1;
        loop {
            front.to_move = (front.to_move + 1) % self.players as u8;
            if self.fields(front, front.to_move.into()) > 0 {
                return;
            }
        }
    }
}

/// Returns the probability of winning, in percent.
fn chance(attacker: u8, defender: u8) -> u32 {
    (50 + 10 * i32::from(attacker) - 12 * i32::from(defender)).clamp(3, 97) as u32
}

impl MultiplayerGame for Frontier {
    type Position = Front;
    type Move = Order;

    fn players(&self) -> usize {
        self.players
    }

    fn actor(&self, front: &Front) -> Actor {
        let over = front.owners.iter().all(|&owner| owner == front.owners[0]);
        match front.stage {
            _ if over => Actor::Over,
            Stage::Deciding => Actor::Player(Player::new(front.to_move.into())),
            Stage::Battle(..) => Actor::Chance,
            Stage::Arrival => Actor::DenseChance,
        }
    }

    fn turn(&self, front: &Front) -> u32 {
        front.turn
    }

    fn for_each_move(&self, front: &Front, mut f: impl FnMut(Order)) {
        for from in 0..FIELDS {
            if front.owners[from] != front.to_move || front.men[from] < 2 {
                continue;
            }
            for to in [(from + 1) % FIELDS, (from + FIELDS - 1) % FIELDS] {
                if front.owners[to] != front.to_move {
                    f(Order::Attack(from as u8, to as u8));
                }
            }
        }
        f(Order::EndTurn);
    }

    fn make(&self, front: &Front, order: Order) -> Front {
        let stage = match order {
            Order::Attack(from, to) => Stage::Battle(from, to),
            Order::EndTurn => Stage::Arrival,
        };
        Front { stage, ..*front }
    }

    fn for_each_outcome(&self, front: &Front, mut f: impl FnMut(u32, Front)) {
        let Stage::Battle(from, to) = front.stage else { return };
        let (from, to) = (usize::from(from), usize::from(to));
        let chance = chance(front.men[from], front.men[to]);
        let mut after = *front;
        after.stage = Stage::Deciding;
        after.men[from] = 1;
        f(100 - chance, after);
        after.men[to] = front.men[from] - 1;
        after.owners[to] = front.to_move;
        f(chance, after);
    }

    fn sample(&self, front: &Front, rng: &mut SearchRng) -> Front {
        let mut after = *front;
        for _ in 0..ARRIVING {
            let field = below(rng, FIELDS as u32) as usize;
            if after.owners[field] == front.to_move {
                after.men[field] = MOST_MEN.min(after.men[field] + 1);
            }
        }
        self.next(&mut after);
        after
    }

    fn range(&self) -> RangeInclusive<i32> {
        0..=WIN
    }

    fn most_sum(&self) -> Option<i32> {
        Some(WIN)
    }

    fn value(&self, front: &Front, player: Player) -> i32 {
        let all: i32 = (0..self.players).map(|player| self.strength(front, player)).sum();
        WIN * self.strength(front, player.index()) / all
    }

    fn bounds(&self, front: &Front, player: Player, depth: Depth) -> RangeInclusive<i32> {
        // At the horizon only a battle or an arrival changes anything.
        if depth.left == 0 && front.stage == Stage::Deciding {
            let value = self.value(front, player);
            return value..=value;
        }
        self.range()
    }

    fn key(&self, front: &Front) -> u64 {
        let mut key = u64::from(front.turn) << 8 | u64::from(front.to_move);
        let stage = match front.stage {
            Stage::Deciding => 0,
            Stage::Battle(from, to) => 1 + u64::from(from) * 16 + u64::from(to),
            Stage::Arrival => 999,
        };
        for word in
            front.owners.iter().chain(&front.men).map(|&byte| u64::from(byte)).chain([stage])
        {
            key = (key.rotate_left(25) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        key ^ key >> 32
    }

    fn move_id(&self, order: Order) -> u32 {
        match order {
            Order::Attack(from, to) => u32::from(from) * 16 + u32::from(to),
            Order::EndTurn => 999,
        }
    }

    fn promise(&self, front: &Front, order: Order) -> i32 {
        match order {
            Order::Attack(from, to) => {
                chance(front.men[usize::from(from)], front.men[usize::from(to)]) as i32 - 50
            }
            Order::EndTurn => 0,
        }
    }

    fn hand_over(&self, front: &Front, player: Player) -> Option<Front> {
        let to_move = player.index() as u8;
        (self.fields(front, player.index()) > 0).then_some(Front {
            to_move,
            stage: Stage::Deciding,
            turn: front.turn + 1,
            ..*front
        })
    }
}
