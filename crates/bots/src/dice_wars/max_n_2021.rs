//! The policy `max-n-2021`: the bot of Doležel et al. (2021), which looks one attack ahead for every
//! player with Max-N (Luckhardt and Irani 1986: each player maximises its own part of the value).
//!
//! Transfers are those of [`Baseline::STEI_ADT`](super::Baseline::STEI_ADT): first to the border,
//! until two transfers are left, and finally retreats.
//!
//! It follows the report: a simulated attack wins if the attacker has more dice, and loses otherwise
//! (section 3.2); every player makes one attack (3.4); retreats end the turn (4). The report's
//! program departs from its text in three points. With all three as in the program, and every
//! simulated attack as in the report, none of 774 decisions differed:
//!
//! | | here and in the report | the program |
//! | --- | --- | --- |
//! | after a retreat | only retreats, until the turn ends | searches attacks again |
//! | order of the players in the search | from the player to move | from the game's first living player; a rotation of the list is not undone |
//! | depth | four players, one attack each | three players |

use super::aggressive_transfer::aggressive_transfer;
use super::defensive_transfer::defensive_transfer;
use super::evaluation::{Evaluator, Shares};
use super::hold_probability::win_and_hold_probability;
use super::largest_region::LargestRegion;
use super::policy::Policy;
use arrayvec::ArrayVec;
use botyard_agent::AgentRng;
use botyard_engine::Seat;
use botyard_engine::dice_wars::{Action, Area, MAX_DICE, Map, Position};

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
pub struct MaxN2021<E = LargestRegion> {
    /// The evaluation of leaves.
    evaluator: E,
    /// The turn in which it only retreats, as the number of turns that have ended before it.
    retreating_in: Option<u16>,
}

impl<E> MaxN2021<E> {
    /// Evaluates leaves by `evaluator`; the report's bot by [`LargestRegion`] (3.3).
    pub const fn new(evaluator: E) -> MaxN2021<E> {
        MaxN2021 { evaluator, retreating_in: None }
    }
}

impl<E: Evaluator> Policy for MaxN2021<E> {
    fn check(&self, map: &Map, position: &Position) -> Result<(), String> {
        self.evaluator.check(map, position)
    }

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
            && let (Some((from, to)), _) =
                search(&self.evaluator, map, position, &next_players(position))
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

/// Returns the best attack for the first of these players, who attack once each and win if they
/// have more dice, and the value that it leads to. Among attacks of equal value the likeliest one is
/// taken: the report has no rule for them, and the first one found would make the bot weaker than it
/// was.
fn search<E: Evaluator>(
    evaluator: &E,
    map: &Map,
    position: &Position,
    players: &[Seat],
) -> (Option<(Area, Area)>, Shares) {
    let Some((&seat, others)) = players.split_first() else {
        return (None, evaluator.shares(map, position));
    };
    let own = position.areas_of(seat);
    let mut best: Option<((Area, Area), Shares, f64)> = None;
    position.for_each_attack_of(map, seat, |from, to| {
        let probability = win_and_hold_probability(map, position, from, to, own);
        if probability < LEAST_PROBABILITY && position.dice(from) < MAX_DICE {
            return;
        }
        let mut after = *position;
        after.attack(from, to, position.dice(from) > position.dice(to));
        let (_, value) = search(evaluator, map, &after, others);
        let share = value[seat.index()];
        let is_better = best.is_none_or(|(_, most, likeliest)| {
            let largest = most[seat.index()];
            share > largest || share == largest && probability > likeliest
        });
        if is_better {
            best = Some(((from, to), value, probability));
        }
    });
    match best {
        Some((attack, value, _)) => (Some(attack), value),
        None => (None, search(evaluator, map, position, others).1),
    }
}
