//! The line-ups of an extended tournament: with more blocks, late bots, and versions that replaced
//! others. Every stage adds what is missing after the stages before it, so existing blocks keep
//! their numbers and bots.

use super::format::{Format, FormatError};
use super::line_ups::{all_line_ups, combinations, gauntlet};
use super::tournament_schedule::Block;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The bots and the number of games of a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// The bots that play, by index.
    pub bots: Vec<usize>,
    /// The challengers of a gauntlet among them.
    pub challengers: Vec<usize>,
    /// The total number of blocks per line-up.
    pub blocks: u32,
    /// The total number of rounds of a Swiss tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
}

/// The blocks that a stage adds.
#[derive(Clone, Debug)]
struct Part {
    /// The line-ups of the bots of the stage, each with the number of its earlier blocks.
    line_ups: Vec<(Vec<usize>, u32)>,
    /// The number of blocks that each has afterwards.
    blocks: u32,
}

/// The blocks of all stages.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    parts: Vec<Part>,
    /// The bots of the last stage. Other bots play no more games.
    bots: Vec<usize>,
}

impl Stages {
    /// Makes the stages of a round robin or a gauntlet in a game of this number of `seats`.
    ///
    /// # Errors
    ///
    /// A format that the bots cannot play.
    pub(super) fn new(
        format: &Format,
        seats: usize,
        stages: &[Stage],
    ) -> Result<Stages, FormatError> {
        let mut done: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
        let mut parts = Vec::new();
        for stage in stages {
            let format = match format {
                Format::Gauntlet { .. } => {
                    let place = |bot| stage.bots.iter().position(|other| other == bot);
                    let challengers = stage.challengers.iter().filter_map(place).collect();
                    Format::Gauntlet { challengers }
                }
                format => format.clone(),
            };
            let line_ups = line_ups(&format, stage.bots.len(), seats)?;
            let bots = |line_up: Vec<usize>| line_up.into_iter().map(|bot| stage.bots[bot]);
            let line_ups = line_ups.into_iter().map(|line_up| bots(line_up).collect());
            let line_ups = line_ups.map(|line_up: Vec<usize>| {
                let mut key = line_up.clone();
                key.sort_unstable();
                let all = done.entry(key).or_default();
                let before = *all;
                *all = before.max(stage.blocks);
                (line_up, before)
            });
            parts.push(Part { line_ups: line_ups.collect(), blocks: stage.blocks });
        }
        let bots = stages.last().map_or(Vec::new(), |stage| stage.bots.clone());
        Ok(Stages { parts, bots })
    }

    /// Returns whether all of these bots still play.
    pub(super) fn plays(&self, bots: &[usize]) -> bool {
        bots.iter().all(|bot| self.bots.contains(bot))
    }

    /// Returns the blocks between bots that still play.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block> + Send + '_ {
        let all = self.parts.iter().flat_map(|part| {
            (0..part.blocks).flat_map(move |repeat| {
                let missing = part.line_ups.iter().filter(move |(_, before)| *before <= repeat);
                missing.map(move |(line_up, _)| (line_up, repeat))
            })
        });
        let all = (1..).zip(all).filter(|(_, (line_up, _))| self.plays(line_up));
        all.map(|(number, (line_up, repeat))| Block { number, line_up: line_up.clone(), repeat })
    }

    /// Returns the number of blocks.
    pub(super) fn count(&self) -> u64 {
        let of_part = |part: &Part| {
            let played = part.line_ups.iter().filter(|(line_up, _)| self.plays(line_up));
            played.map(|(_, before)| u64::from(part.blocks.saturating_sub(*before))).sum::<u64>()
        };
        self.parts.iter().map(of_part).sum()
    }
}

/// Returns the line-ups of a format that has the same ones in every round.
fn line_ups(format: &Format, bots: usize, seats: usize) -> Result<Vec<Vec<usize>>, FormatError> {
    format.check(bots, seats)?;
    match format {
        Format::Gauntlet { challengers } => Ok(gauntlet(bots, seats, challengers)),
        Format::RoundRobin { tables } => {
            let all = combinations(bots, seats);
            match tables {
                Some(tables) if all.is_none_or(|all| all > *tables as usize) => {
                    Err(FormatError::NotExtended { format: "round-robin with drawn tables" })
                }
                _ => Ok(all_line_ups(bots, seats)),
            }
        }
        Format::Swiss { .. } | Format::Knockout => {
            Err(FormatError::NotExtended { format: format.name() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const ALL: Format = Format::RoundRobin { tables: None };

    fn stage(bots: &[usize], blocks: u32) -> Stage {
        Stage { bots: bots.to_vec(), blocks, ..Stage::default() }
    }

    fn blocks(format: &Format, stages: &[Stage]) -> Vec<Block> {
        let stages = Stages::new(format, 2, stages).unwrap();
        let blocks: Vec<Block> = stages.blocks().collect();
        assert_eq!(blocks.len() as u64, stages.count());
        blocks
    }

    #[test]
    fn more_blocks_are_those_of_a_tournament_that_began_with_them() {
        let bots = [0, 1, 2, 3];
        let longer = blocks(&ALL, &[stage(&bots, 5)]);
        assert_eq!(blocks(&ALL, &[stage(&bots, 2), stage(&bots, 5)]), longer);
        assert_eq!(blocks(&ALL, &[stage(&bots, 2)]), longer[..12]);
    }

    #[test]
    fn one_who_comes_late_meets_all_others_and_no_block_changes() {
        let before = blocks(&ALL, &[stage(&[0, 1, 2], 2)]);
        let after = blocks(&ALL, &[stage(&[0, 1, 2], 2), stage(&[0, 1, 2, 3], 2)]);
        assert_eq!(after[..6], before);
        let new: Vec<(u32, &[usize], u32)> =
            after[6..].iter().map(|it| (it.number, &it.line_up[..], it.repeat)).collect();
        assert!(new.iter().all(|(_, line_up, _)| line_up.contains(&3)), "{new:?}");
        assert_eq!(
            new.iter().map(|(number, ..)| *number).collect::<Vec<_>>(),
            [7, 8, 9, 10, 11, 12]
        );
        let met: BTreeSet<(Vec<usize>, u32)> =
            after.iter().map(|it| (it.line_up.clone(), it.repeat)).collect();
        assert_eq!(met.len(), 12, "six pairs play two blocks each");
    }

    #[test]
    fn a_new_version_plays_everything_again_and_the_old_one_nothing_more() {
        let before = blocks(&ALL, &[stage(&[0, 1, 2], 2)]);
        let after = blocks(&ALL, &[stage(&[0, 1, 2], 2), stage(&[3, 1, 2], 2)]);
        let kept: Vec<&Block> = before.iter().filter(|it| !it.line_up.contains(&0)).collect();
        assert_eq!(after.iter().take(2).collect::<Vec<_>>(), kept);
        assert!(after[2..].iter().all(|it| it.line_up.contains(&3)));
        assert_eq!((after.len(), after[2].number), (6, 7));
    }

    #[test]
    fn a_challenger_may_come_late_too() {
        let gauntlet = Format::Gauntlet { challengers: vec![0] };
        let with = |bots: &[usize], challengers: &[usize]| Stage {
            challengers: challengers.to_vec(),
            ..stage(bots, 1)
        };
        let found = blocks(&gauntlet, &[with(&[0, 1, 2], &[0]), with(&[0, 1, 2, 3], &[0, 3])]);
        let line_ups: Vec<&[usize]> = found.iter().map(|it| &it.line_up[..]).collect();
        assert_eq!(line_ups, [[0, 1], [0, 2], [3, 1], [3, 2]]);
    }

    #[test]
    fn pairings_that_follow_from_results_or_a_draw_are_not_extended() {
        for format in
            [Format::Swiss { rounds: 2 }, Format::Knockout, Format::RoundRobin { tables: Some(2) }]
        {
            let error = Stages::new(&format, 2, &[stage(&[0, 1, 2, 3], 1)]).unwrap_err();
            assert!(error.to_string().contains("run a new tournament"), "{error}");
        }
    }
}
