//! The formats of a tournament, and the numbers of bots and seats that they support.

use super::line_ups::{combinations, most_line_ups};

/// The format: which bots meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Every selection of as many bots as there are seats. If there are more than `tables`, that
    /// many tables per round are drawn so that all bots play and meet as evenly as possible.
    RoundRobin {
        /// The maximum number of tables per round.
        tables: Option<u32>,
    },
    /// These bots against all the others.
    Gauntlet {
        /// The challengers, by index.
        challengers: Vec<usize>,
    },
    /// A fixed number of rounds, in each of which bots with similar scores meet, none twice.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
    /// The loser of a pairing is eliminated. A tied pairing gets extra blocks.
    Knockout,
}

/// A format that these bots cannot play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Too few bots.
    #[error("expected {seats} bots or more, one for each seat of the game, got {bots}")]
    FewBots {
        /// The number of bots.
        bots: usize,
        /// The number of seats of the game.
        seats: usize,
    },
    /// A format of pairings for a game of more than two seats.
    #[error(
        "{format} pairs bots for a game of two seats, and this one has {seats}; round-robin and gauntlet work for any number"
    )]
    Seats {
        /// The format.
        format: &'static str,
        /// The number of seats of the game.
        seats: usize,
    },
    /// More rounds than opponents.
    #[error("expected 1 to {most} rounds, because no two of {bots} bots meet twice, got {rounds}")]
    Rounds {
        /// The number of rounds requested.
        rounds: u32,
        /// The maximum number of rounds.
        most: usize,
        /// The number of bots.
        bots: usize,
    },
    /// A gauntlet without challengers, or with too few opponents for them.
    #[error(
        "expected some bots as challengers and {needed} others or more, got {challengers} of {bots}"
    )]
    Challengers {
        /// The number of challengers.
        challengers: usize,
        /// The number of all bots.
        bots: usize,
        /// The number of opponents that a game needs.
        needed: usize,
    },
    /// More line-ups than the limit.
    #[error(
        "{bots} bots make more than {} line-ups of {seats}; set the number of tables per round (tables = ...)",
        most_line_ups()
    )]
    LineUps {
        /// The number of bots.
        bots: usize,
        /// The number of seats of the game.
        seats: usize,
    },
    /// Late bots or new versions in a format whose pairings do not allow them.
    #[error(
        "a {format} takes neither late bots nor new versions: later pairings follow from earlier ones; run a new tournament"
    )]
    NotExtended {
        /// The format.
        format: &'static str,
    },
    /// More tables than the limit.
    #[error(
        "expected at most {} tables in all rounds, got {tables} in each of {blocks}",
        most_line_ups()
    )]
    Tables {
        /// The number of tables per round.
        tables: usize,
        /// The number of rounds.
        blocks: u32,
    },
}

impl Format {
    /// Returns its name in files and tables.
    pub const fn name(&self) -> &'static str {
        match self {
            Format::RoundRobin { .. } => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Swiss { .. } => "swiss",
            Format::Knockout => "knockout",
        }
    }

    /// Returns whether pairings depend on results, so that later games are not known in advance.
    pub const fn depends_on_results(&self) -> bool {
        matches!(self, Format::Swiss { .. } | Format::Knockout)
    }

    /// Checks whether this number of bots can play the format in a game of this number of seats.
    ///
    /// # Errors
    ///
    /// The requirement that is not met.
    pub fn check(&self, bots: usize, seats: usize) -> Result<(), FormatError> {
        if bots < seats.max(2) {
            return Err(FormatError::FewBots { bots, seats: seats.max(2) });
        }
        match self {
            Format::RoundRobin { tables: Some(_) } => Ok(()),
            Format::RoundRobin { tables: None } => {
                let few = combinations(bots, seats).is_some_and(|all| all <= most_line_ups());
                if few { Ok(()) } else { Err(FormatError::LineUps { bots, seats }) }
            }
            Format::Gauntlet { challengers } => {
                let (others, needed) = (bots - challengers.len().min(bots), seats - 1);
                if challengers.is_empty() || others < needed.max(1) {
                    let challengers = challengers.len();
                    return Err(FormatError::Challengers { challengers, bots, needed });
                }
                let all = combinations(others, needed)
                    .and_then(|each| each.checked_mul(challengers.len()));
                let few = all.is_some_and(|all| all <= most_line_ups());
                if few { Ok(()) } else { Err(FormatError::LineUps { bots, seats }) }
            }
            Format::Swiss { .. } | Format::Knockout if seats != 2 => {
                Err(FormatError::Seats { format: self.name(), seats })
            }
            Format::Swiss { rounds } => {
                let most = bots - usize::from(bots.is_multiple_of(2));
                let fits = (1..=most).contains(&(*rounds as usize));
                if fits { Ok(()) } else { Err(FormatError::Rounds { rounds: *rounds, most, bots }) }
            }
            Format::Knockout => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_formats_are_refused_with_the_requirement() {
        let gauntlet = |challengers: &[usize]| Format::Gauntlet { challengers: challengers.into() };
        let all = Format::RoundRobin { tables: None };
        for (format, bots, seats, expected) in [
            (all.clone(), 1, 2, "expected 2 bots or more"),
            (all.clone(), 3, 4, "expected 4 bots or more"),
            (all.clone(), 60, 8, "set the number of tables"),
            (gauntlet(&[]), 4, 2, "expected some bots as challengers"),
            (gauntlet(&[0, 1, 2]), 4, 4, "3 others or more, got 3 of 4"),
            (gauntlet(&[0]), 200, 8, "set the number of tables"),
            (Format::Swiss { rounds: 3 }, 8, 4, "swiss pairs bots for a game of two seats"),
            (Format::Knockout, 8, 3, "knockout pairs bots"),
            (Format::Swiss { rounds: 8 }, 8, 2, "expected 1 to 7 rounds"),
            (Format::Swiss { rounds: 0 }, 8, 2, "expected 1 to 7 rounds"),
        ] {
            let error = format.check(bots, seats).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
        for (format, bots, seats) in [
            (all, 60, 2),
            (Format::RoundRobin { tables: Some(30) }, 60, 8),
            (gauntlet(&[0]), 2, 2),
            (Format::Swiss { rounds: 7 }, 7, 2),
            (Format::Knockout, 3, 2),
        ] {
            assert_eq!(format.check(bots, seats), Ok(()), "{format:?}");
        }
    }
}
