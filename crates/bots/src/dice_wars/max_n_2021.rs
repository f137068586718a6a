//! The policy `max-n-2021`: a student's bot of 2021 that looks one attack ahead for every player
//! with Max-N (Luckhardt and Irani 1986: each player maximises its own part of the value).
//!
//! Transfers are those of [`Baseline::STEI_ADT`](super::Baseline::STEI_ADT): first supply, as long
//! as two are left, and retreats in the end.

use super::hold::win_and_hold_probability;
use super::policy::Policy;
use super::retreat::retreat;
use super::supply::supply;
use crate::agent::AgentRng;
use arrayvec::ArrayVec;
use botyard_engine::dice_wars::{Action, Area, MAX_DICE, Map, Position};
use botyard_engine::{MAX_SEATS, Seat};

/// Attacks are considered that are won and held with this probability at least, and all with eight
/// dice.
const LEAST_PROBABILITY: f64 = 0.5;
/// So many transfers are kept for retreats.
const KEPT_TRANSFERS: u8 = 2;

/// Max-N, one attack deep for every player.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxN2021 {
    /// The turn, as the number of those that have ended, in which there are only retreats.
    retreating_in: Option<u16>,
}

/// How many areas the largest region of each player has.
type Value = [u8; MAX_SEATS];

impl Policy for MaxN2021 {
    fn new_game(&mut self) {
        self.retreating_in = None;
    }

    fn choose(&mut self, map: &Map, position: &Position, _rng: &mut AgentRng) -> Action {
        if position.transfers_left() > KEPT_TRANSFERS
            && let Some((from, to)) = supply(map, position)
        {
            return Action::Transfer(from, to);
        }
        let turn = Some(position.turns());
        if self.retreating_in != turn {
            let players: ArrayVec<Seat, MAX_SEATS> = players_from(position).collect();
            if let (Some((from, to)), _) = search(map, position, &players) {
                return Action::Attack(from, to);
            }
        }
        match retreat(map, position) {
            Some((from, to)) => {
                self.retreating_in = turn;
                Action::Transfer(from, to)
            }
            None => Action::EndTurn,
        }
    }
}

/// The players on the map in the order of their turns, the one to move first.
fn players_from(position: &Position) -> impl Iterator<Item = Seat> {
    let (players, first) = (position.players(), position.to_move().index());
    let seats = (0..players).map(move |turn| Seat::new((first + turn) % players));
    let on_map: ArrayVec<Seat, MAX_SEATS> =
        seats.filter(|&seat| position.is_on_map(seat)).collect();
    on_map.into_iter()
}

/// The attack that is best for the first of these players, who attack once each and always win, and
/// the value that it leads to. Of equal ones the first.
fn search(map: &Map, position: &Position, players: &[Seat]) -> (Option<(Area, Area)>, Value) {
    let Some((&seat, others)) = players.split_first() else { return (None, value(map, position)) };
    let own = position.areas_of(seat);
    let mut best: Option<((Area, Area), Value)> = None;
    position.for_each_attack_of(map, seat, |from, to| {
        if position.dice(from) < MAX_DICE
            && win_and_hold_probability(map, position, from, to, own) < LEAST_PROBABILITY
        {
            return;
        }
        let mut after = *position;
        after.attack_won(from, to);
        let (_, value) = search(map, &after, others);
        if best.is_none_or(|(_, most)| value[seat.index()] > most[seat.index()]) {
            best = Some(((from, to), value));
        }
    });
    match best {
        Some((attack, value)) => (Some(attack), value),
        None => (None, search(map, position, others).1),
    }
}

fn value(map: &Map, position: &Position) -> Value {
    let mut value = [0; MAX_SEATS];
    for seat in Seat::all(position.players()) {
        value[seat.index()] = position.largest_region(map, seat) as u8;
    }
    value
}
