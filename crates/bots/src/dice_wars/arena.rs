//! Games between policies in one process, without referee, clock or JSON, for tests, benchmarks and
//! training. Measured strengths are those of refereed matches, because rules and openings are the
//! engine's.
//!
//! Seats differ much in value, so policies meet in blocks: one start, played once for every
//! rotation of the entrants around the seats. A block is a function of the rules, its seed and the
//! entrants.

use super::policy::Policy;
use arrayvec::ArrayVec;
use botyard_agent::AgentRng;
use botyard_engine::dice_wars::{Action, DiceWars, Map, Position, Rules, State};
use botyard_engine::random::{Rng, shuffle};
use botyard_engine::{Game, MAX_SEATS, RulesError, Seat, Stream};
use rand_xoshiro::rand_core::SeedableRng;

/// An arena for games under one set of rules.
#[derive(Clone, Debug)]
pub struct Arena {
    game: DiceWars,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The entrant that had each seat.
    pub seats: ArrayVec<usize, MAX_SEATS>,
    /// The position at the end.
    pub end: Position,
}

impl Played {
    /// Returns the seat that won alone, if one did.
    pub fn winner(&self) -> Option<Seat> {
        let outcome = self.end.outcome()?;
        outcome.scores.iter().position(|&score| score == 1.0).map(Seat::new)
    }
}

impl Arena {
    /// Makes an arena with these rules.
    ///
    /// # Errors
    ///
    /// If a value is out of range, or parameters contradict each other.
    pub fn new(rules: Rules) -> Result<Arena, RulesError> {
        DiceWars::new(rules).map(|game| Arena { game })
    }

    /// Returns the game that is played.
    pub const fn game(&self) -> &DiceWars {
        &self.game
    }

    /// Returns the number of players of a game.
    pub fn players(&self) -> usize {
        self.game.seats().len()
    }

    /// Draws the start of the block with this seed: its map and its deal.
    pub fn start(&self, seed: u64) -> State {
        let opening = self.game.draw_opening(Stream::new(seed, "arena opening").rng());
        let start = self.game.start(&opening);
        start.unwrap_or_else(|illegal| unreachable!("an opening that the game drew: {illegal}"))
    }

    /// Plays a block: one game for every rotation. `line_up` has the entrant of each seat in the
    /// first rotation; an entrant may have several seats.
    ///
    /// # Panics
    ///
    /// If the line-up does not have one entrant for every seat.
    pub fn play_block<P: Policy>(
        &self,
        seed: u64,
        entrants: &mut [P],
        line_up: &[usize],
    ) -> ArrayVec<Played, MAX_SEATS> {
        assert_eq!(line_up.len(), self.players(), "a line-up has an entrant for every seat");
        let start = self.start(seed);
        let mut stream = Stream::new(seed, "arena games");
        let mut seats: ArrayVec<usize, MAX_SEATS> = line_up.iter().copied().collect();
        let mut block = ArrayVec::new();
        for _ in line_up {
            let end = play_game(&start, entrants, &seats, stream.next_seed());
            block.push(Played { seats: seats.clone(), end });
            seats.rotate_left(1);
        }
        block
    }

    /// Plays a block for every selection of as many entrants as there are seats, in random order,
    /// `times` times over, each on a new map. The seeds of the blocks follow from `seed`.
    ///
    /// # Panics
    ///
    /// If there are fewer entrants than seats.
    pub fn play_selections<P: Policy>(
        &self,
        seed: u64,
        times: u32,
        entrants: &mut [P],
    ) -> Vec<Tally> {
        let selections = selections(entrants.len(), self.players());
        assert!(!selections.is_empty(), "expected at least as many entrants as seats");
        let mut tallies = vec![Tally::default(); entrants.len()];
        let mut stream = Stream::new(seed, "arena selections");
        for _ in 0..times {
            for selection in &selections {
                let mut line_up = selection.clone();
                shuffle(stream.rng(), &mut line_up);
                for played in self.play_block(stream.next_seed(), entrants, &line_up) {
                    count(&mut tallies, &played);
                }
            }
        }
        tallies
    }
}

/// Plays a game to its end. `seats` has the entrant of each seat; dice and policies draw from the
/// seed.
pub fn play_game<P: Policy>(
    start: &State,
    entrants: &mut [P],
    seats: &[usize],
    seed: u64,
) -> Position {
    let mut stream = Stream::new(seed, "arena game");
    let mut dice = AgentRng::seed_from_u64(stream.next_seed());
    let mut choices = AgentRng::seed_from_u64(stream.next_seed());
    entrants.iter_mut().for_each(Policy::new_game);
    let mut position = *start.position();
    while !position.is_over() {
        let entrant = &mut entrants[seats[position.to_move().index()]];
        let action = entrant.choose(start.map(), &position, &mut choices);
        play(start.map(), &mut position, action, &mut dice);
    }
    position
}

/// Plays an action and the chance outcomes that follow.
#[inline]
pub fn play<R: Rng + ?Sized>(map: &Map, position: &mut Position, action: Action, rng: &mut R) {
    match action {
        Action::Attack(from, to) => {
            position.attack_at_random(from, to, rng);
        }
        Action::Transfer(from, to) => position.transfer(from, to),
        Action::EndTurn => position.end_turn_at_random(map, rng),
    }
}

/// The games and wins of an entrant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games played.
    pub games: u32,
    /// The number of games won alone.
    pub wins: u32,
}

impl Tally {
    /// Returns the share of its games that it won, in percent; 0 without games.
    pub fn percent(&self) -> f64 {
        100.0 * f64::from(self.wins) / f64::from(self.games.max(1))
    }
}

/// Adds a game to the tallies of the entrants, once per seat.
pub fn count(tallies: &mut [Tally], played: &Played) {
    let winner = played.winner();
    for (seat, &entrant) in Seat::all(played.seats.len()).zip(&played.seats) {
        tallies[entrant].games += 1;
        tallies[entrant].wins += u32::from(winner == Some(seat));
    }
}

/// Returns all selections of `taken` out of `count` things, in order.
fn selections(count: usize, taken: usize) -> Vec<Vec<usize>> {
    if taken == 0 {
        return vec![Vec::new()];
    }
    (taken..=count)
        .flat_map(|last| {
            let mut rest = selections(last - 1, taken - 1);
            rest.iter_mut().for_each(|selection| selection.push(last - 1));
            rest
        })
        .collect()
}
