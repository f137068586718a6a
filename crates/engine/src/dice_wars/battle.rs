//! Battles: random outcomes, and their exact probabilities, computed at compile time.
//!
//! Both sides roll all their dice; the attacker wins with strictly more pips. So a battle has two
//! outcomes, and with `a` dice against `d` the attacker wins in a fixed number of the 6^(a + d)
//! rolls.

use crate::random::{Rng, below};
use arrayvec::ArrayVec;

/// The largest number of dice on an area.
pub const MAX_DICE: u8 = 8;

/// The sides of a die.
pub const SIDES: u8 = 6;

const MOST: usize = MAX_DICE as usize;
const MOST_PIPS: usize = MOST * SIDES as usize;

/// `ROLLS[n][s]` rolls of n dice have the sum s.
const ROLLS: [[u64; MOST_PIPS + 1]; MOST + 1] = {
    let mut rolls = [[0; MOST_PIPS + 1]; MOST + 1];
    rolls[0][0] = 1;
    let mut dice = 1;
    while dice <= MOST {
        let mut sum = dice;
        while sum <= dice * SIDES as usize {
            let mut face = 1;
            while face <= SIDES as usize && face <= sum {
                rolls[dice][sum] += rolls[dice - 1][sum - face];
                face += 1;
            }
            sum += 1;
        }
        dice += 1;
    }
    rolls
};

/// The number of the 6^(attacker + defender) rolls that the attacker wins. Entries for more than
/// eight dice exist so that a masked index needs no bounds check; they are 0.
const WINS: [[u64; 16]; 16] = {
    let mut wins = [[0; 16]; 16];
    let mut attacker = 1;
    while attacker <= MOST {
        let mut defender = 1;
        while defender <= MOST {
            // Rolls of the defender below the attacker's sum.
            let (mut sum, mut below) = (1, 0);
            while sum <= MOST_PIPS {
                wins[attacker][defender] += ROLLS[attacker][sum] * below;
                below += ROLLS[defender][sum];
                sum += 1;
            }
            defender += 1;
        }
        attacker += 1;
    }
    wins
};

const fn all_rolls(dice: usize) -> u64 {
    (SIDES as u64).pow(dice as u32)
}

const WIN_PROBABILITY: [[f64; 16]; 16] = {
    let mut table = [[0.0; 16]; 16];
    let mut attacker = 1;
    while attacker <= MOST {
        let mut defender = 1;
        while defender <= MOST {
            let rolls = all_rolls(attacker + defender);
            table[attacker][defender] = WINS[attacker][defender] as f64 / rolls as f64;
            defender += 1;
        }
        attacker += 1;
    }
    table
};

/// `WIN_PROBABILITY` as a bound for 64 random bits, exact to 2^-64. The largest number means
/// certain victory.
const WIN_BELOW: [[u64; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut attacker = 1;
    while attacker <= MOST {
        let mut defender = 1;
        while defender <= MOST {
            let rolls = all_rolls(attacker + defender);
            let wins = WINS[attacker][defender];
            table[attacker][defender] = if wins == rolls {
                u64::MAX
            } else {
                (((wins as u128) << 64) / rolls as u128) as u64
            };
            defender += 1;
        }
        attacker += 1;
    }
    table
};

/// Returns the probability that the attacker wins, by the dice of both sides, 1 to 8 each; 0 for
/// other counts. It is exact up to rounding, and 1 if no roll can lose.
///
/// ```
/// use botyard_engine::dice_wars::win_probability;
/// assert!((win_probability(2, 1) - 0.837963).abs() < 1e-6);
/// assert_eq!(win_probability(8, 1), 1.0);
/// ```
#[inline]
pub const fn win_probability(attacker: u8, defender: u8) -> f64 {
    WIN_PROBABILITY[(attacker & 15) as usize][(defender & 15) as usize]
}

/// Returns the number of the 6^(attacker + defender) rolls that the attacker wins; 0 for other
/// numbers of dice than 1 to 8.
pub const fn winning_rolls(attacker: u8, defender: u8) -> u64 {
    WINS[(attacker & 15) as usize][(defender & 15) as usize]
}

/// Draws the winner of a battle with one random number, with the same probabilities as rolling all
/// dice. 1 to 8 dice on each side.
#[inline]
pub fn attacker_wins<R: Rng + ?Sized>(attacker: u8, defender: u8, rng: &mut R) -> bool {
    let bound = WIN_BELOW[(attacker & 15) as usize][(defender & 15) as usize];
    rng.next_u64() < bound || bound == u64::MAX
}

/// The faces of rolled dice, 1 to 6 each, in the order rolled.
pub type Faces = ArrayVec<u8, MOST>;

/// Rolls dice, at most eight.
pub fn roll<R: Rng + ?Sized>(dice: u8, rng: &mut R) -> Faces {
    (0..dice.min(MAX_DICE)).map(|_| 1 + below(rng, SIDES.into()) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Win probabilities of 2 to 8 dice against 1 to 8, to six decimals.
    const PRINTED: [[f64; 8]; 7] = [
        [0.837963, 0.443673, 0.152006, 0.035880, 0.006105, 0.000766, 0.000071, 0.000005],
        [0.972994, 0.778549, 0.453575, 0.191701, 0.060713, 0.014879, 0.002890, 0.000452],
        [0.997299, 0.939236, 0.742831, 0.459528, 0.220442, 0.083423, 0.025450, 0.006379],
        [0.999850, 0.987940, 0.909347, 0.718078, 0.463654, 0.242449, 0.103626, 0.036742],
        [0.999996, 0.998217, 0.975300, 0.883953, 0.699616, 0.466731, 0.259984, 0.121507],
        [1.0, 0.999801, 0.994663, 0.961536, 0.862377, 0.685165, 0.469139, 0.274376],
        [1.0, 0.999983, 0.999069, 0.989534, 0.947731, 0.843874, 0.673456, 0.471091],
    ];

    #[test]
    fn chances_are_those_that_are_printed() {
        for (attacker, row) in (2..).zip(PRINTED) {
            for (defender, printed) in (1..).zip(row) {
                let ours = win_probability(attacker, defender);
                assert!((ours - printed).abs() < 1e-6, "{attacker} against {defender}: {ours}");
            }
        }
    }

    #[test]
    fn counts_are_those_of_rolling_every_roll() {
        for (attacker, defender) in [(1, 1), (1, 3), (2, 2), (3, 2), (2, 4), (4, 3)] {
            let dice = usize::from(attacker + defender);
            let wins = (0..all_rolls(dice))
                .filter(|&roll| {
                    let faces = (0..dice).map(|die| roll / all_rolls(die) % 6 + 1);
                    let (mut sum, mut others) = (0, 0);
                    for (die, face) in faces.enumerate() {
                        if die < attacker.into() { sum += face } else { others += face }
                    }
                    sum > others
                })
                .count();
            assert_eq!(winning_rolls(attacker, defender), wins as u64, "{attacker}:{defender}");
        }
        assert_eq!(winning_rolls(7, 1), all_rolls(8), "seven dice have seven pips at least");
        assert_eq!(winning_rolls(0, 9) + winning_rolls(9, 1) + winning_rolls(255, 255), 0);
    }

    #[test]
    fn one_number_wins_as_often_as_dice_do() {
        let mut stream = Stream::new(1, "test");
        for (attacker, defender) in [(2, 1), (3, 3), (8, 8), (5, 7)] {
            let (mut by_number, mut by_dice) = (0, 0);
            const BATTLES: u32 = 40_000;
            for _ in 0..BATTLES {
                by_number += u32::from(attacker_wins(attacker, defender, stream.rng()));
                let pips = roll(attacker, stream.rng()).iter().sum::<u8>();
                by_dice += u32::from(pips > roll(defender, stream.rng()).iter().sum::<u8>());
            }
            let p = win_probability(attacker, defender);
            let deviation = (p * (1.0 - p) / f64::from(BATTLES)).sqrt();
            for wins in [by_number, by_dice] {
                let off = (f64::from(wins) / f64::from(BATTLES) - p).abs() / deviation;
                assert!(off < 4.0, "{attacker} against {defender}: {off} deviations off");
            }
        }
        assert!((0..1000).all(|_| attacker_wins(8, 1, stream.rng())));
        assert!((0..1000).all(|_| !attacker_wins(1, 6, stream.rng())));
    }
}
