//! The formats of a tournament, and which of them fit how many bots and seats.

use super::line_ups::{combinations, most_line_ups};

/// Who plays whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Every selection of as many bots as there are seats, or, where these are more than `tables`,
    /// so many tables a round, drawn so that all bots play and meet as evenly as can be.
    RoundRobin {
        /// The most tables of a round.
        tables: Option<u32>,
    },
    /// These bots against all the others.
    Gauntlet {
        /// The bots that are to be measured, by index.
        challengers: Vec<usize>,
    },
    /// So many rounds, in each of which bots of like score meet, none twice.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// Who loses is out. A pairing that is not decided is played on.
    Knockout,
}

/// A format that these bots cannot play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Too few bots.
    #[error("expected {seats} bots or more, one for each seat of the game, got {bots}")]
    FewBots {
        /// How many there are.
        bots: usize,
        /// How many seats the game has.
        seats: usize,
    },
    /// Pairs in a game of more seats.
    #[error(
        "{format} pairs bots for a game of two seats, and this one has {seats}; round-robin and gauntlet work for any number"
    )]
    Seats {
        /// The format.
        format: &'static str,
        /// How many seats the game has.
        seats: usize,
    },
    /// More rounds than there are opponents.
    #[error("expected 1 to {most} rounds, because no two of {bots} bots meet twice, got {rounds}")]
    Rounds {
        /// How many were asked for.
        rounds: u32,
        /// How many there can be.
        most: usize,
        /// How many bots there are.
        bots: usize,
    },
    /// A gauntlet without challengers, or without anybody for them to meet.
    #[error(
        "expected some bots as challengers and {needed} others or more, got {challengers} of {bots}"
    )]
    Challengers {
        /// How many challengers there are.
        challengers: usize,
        /// How many bots there are in all.
        bots: usize,
        /// How many others a game needs.
        needed: usize,
    },
    /// More line-ups than can be played.
    #[error(
        "{bots} bots make more than {} line-ups of {seats}; write how many tables a round is to have (tables = ...)",
        most_line_ups()
    )]
    LineUps {
        /// How many bots there are.
        bots: usize,
        /// How many seats the game has.
        seats: usize,
    },
    /// More tables than can be drawn.
    #[error(
        "expected at most {} tables in all rounds, got {tables} in each of {blocks}",
        most_line_ups()
    )]
    Tables {
        /// How many there are in a round.
        tables: usize,
        /// How many rounds there are.
        blocks: u32,
    },
}

impl Format {
    /// The word for it in files and tables.
    pub const fn name(&self) -> &'static str {
        match self {
            Format::RoundRobin { .. } => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Swiss { .. } => "swiss",
            Format::Knockout => "knockout",
        }
    }

    /// Whether the pairings depend on results, so that later games are not known before.
    pub const fn depends_on_results(&self) -> bool {
        matches!(self, Format::Swiss { .. } | Format::Knockout)
    }

    /// Whether so many bots can play it at a game of so many seats.
    ///
    /// # Errors
    ///
    /// What would have to be otherwise.
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
    fn what_cannot_be_played_is_refused_with_what_could() {
        let gauntlet = |challengers: &[usize]| Format::Gauntlet { challengers: challengers.into() };
        let all = Format::RoundRobin { tables: None };
        for (format, bots, seats, expected) in [
            (all.clone(), 1, 2, "expected 2 bots or more"),
            (all.clone(), 3, 4, "expected 4 bots or more"),
            (all.clone(), 60, 8, "write how many tables"),
            (gauntlet(&[]), 4, 2, "expected some bots as challengers"),
            (gauntlet(&[0, 1, 2]), 4, 4, "3 others or more, got 3 of 4"),
            (gauntlet(&[0]), 200, 8, "write how many tables"),
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
