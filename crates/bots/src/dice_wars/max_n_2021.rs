//! The policy `max-n-2021`: a student's bot of 2021 that looks one attack ahead for every player
//! with Max-N (Luckhardt and Irani 1986: each player maximises its own part of the value).
//!
//! Transfers are those of [`Baseline::STEI_ADT`](super::Baseline::STEI_ADT): first to the border,
//! until two transfers are left, and finally retreats.
//!
//! It was written from the student's description. Against the student's program it decides otherwise
//! in 14% of positions, because of four readings of that description. With all four as in the
//! program, none of 774 decisions differed:
//!
//! | | here | the program |
//! | --- | --- | --- |
//! | after a retreat | only retreats, until the turn ends | searches attacks again |
//! | order of the players in the search | from the player to move | from the game's first living player; a rotation of the list is not undone |
//! | depth | four players, one attack each | three players |
//! | a simulated attack | always wins | wins only with more dice than the defender |
//!
//! The readings stay: results and recorded games under this name depend on them.

use super::aggressive_transfer::aggressive_transfer;
use super::defensive_transfer::defensive_transfer;
use super::hold_probability::win_and_hold_probability;
use super::policy::Policy;
use arrayvec::ArrayVec;
use botyard_agent::AgentRng;
use botyard_engine::dice_wars::{Action, Area, MAX_DICE, Map, Position};
use botyard_engine::{MAX_SEATS, Seat};

/// The least probability to win and hold of attacks that are considered; attacks with eight dice
/// always are.
const LEAST_PROBABILITY: f64 = 0.5;
/// The number of transfers reserved for retreats.
const KEPT_TRANSFERS: u8 = 2;

/// The number of players that attack in the search, next to move first: games of the course have
/// four, and the time more than doubles with every further player.
const MOST_PLAYERS: usize = 4;

/// Max-N, one attack deep for every player.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxN2021 {
    /// The turn in which it only retreats, as the number of turns that have ended before it.
    retreating_in: Option<u16>,
}

/// The size of each player's largest region.
type Value = [u8; MAX_SEATS];

impl Policy for MaxN2021 {
    fn new_game(&mut self) {
        self.retreating_in = None;
    }

    fn choose(&mut self, map: &Map, position: &Position, _rng: &mut AgentRng) -> Action {
        if position.transfers_left() > KEPT_TRANSFERS
            && let Some((from, to)) = aggressive_transfer(map, position)
        {
            return Action::Transfer(from, to);
        }
        let turn = Some(position.turns());
        if self.retreating_in != turn
            && let (Some((from, to)), _) = search(map, position, &next_players(position))
        {
            return Action::Attack(from, to);
        }
        match defensive_transfer(map, position) {
            Some((from, to)) => {
                self.retreating_in = turn;
                Action::Transfer(from, to)
            }
            None => Action::EndTurn,
        }
    }
}

/// Returns the players who attack in the search, in the order of their turns, the one to move
/// first.
fn next_players(position: &Position) -> ArrayVec<Seat, MOST_PLAYERS> {
    let (players, first) = (position.players(), position.to_move().index());
    let seats = (0..players).map(|turn| Seat::new((first + turn) % players));
    seats.filter(|&seat| position.is_on_map(seat)).take(MOST_PLAYERS).collect()
}

/// Returns the best attack for the first of these players, who attack once each and always win, and
/// the value that it leads to. Among equal regions the likeliest attack is taken. The original's
/// tie-break is not known, but regions alone would make it weaker than it was.
fn search(map: &Map, position: &Position, players: &[Seat]) -> (Option<(Area, Area)>, Value) {
    let Some((&seat, others)) = players.split_first() else { return (None, value(map, position)) };
    let own = position.areas_of(seat);
    let mut best: Option<((Area, Area), Value, f64)> = None;
    position.for_each_attack_of(map, seat, |from, to| {
        let probability = win_and_hold_probability(map, position, from, to, own);
        if probability < LEAST_PROBABILITY && position.dice(from) < MAX_DICE {
            return;
        }
        let mut after = *position;
        after.attack_won(from, to);
        let (_, value) = search(map, &after, others);
        let region = value[seat.index()];
        let is_better = best.is_none_or(|(_, most, likeliest)| {
            let largest = most[seat.index()];
            region > largest || region == largest && probability > likeliest
        });
        if is_better {
            best = Some(((from, to), value, probability));
        }
    });
    match best {
        Some((attack, value, _)) => (Some(attack), value),
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
