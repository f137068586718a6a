//! A row of an experiment as matches. Where every seat has its bot the row is what `botyard match
//! --fixed-seats` would play with the experiment's seed, so that game N begins alike in all rows of the
//! same board. Where bots take turns at the seats it is a `botyard match` for every line-up.

use super::definition::{Experiment, Row};
use super::results_file::{Conditions, ResultsFile, RowConditions};
use botyard_engine::registry;
use botyard_league::schedule::Draws;
use botyard_runner::{
    Config, ContainmentConfig, Error, Games, GivenSeed, Plan, Programs, RunConfig, StartConfig,
    TimeConfig,
};
use std::collections::BTreeSet;
use std::path::Path;

/// What the user asks for beside the experiment itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Games a row, where not as many as the experiment has.
    pub games: Option<u32>,
    /// The time of a move in milliseconds, where not the experiment's.
    pub move_ms: Option<u64>,
    /// Games at a time.
    pub concurrency: Option<u16>,
    /// The seed, where not [`Asked::SEED`].
    pub seed: Option<u64>,
}

impl Asked {
    /// The seed where none is asked for: always the same, so that everybody sees the same starts.
    pub const SEED: u64 = 1;

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(Self::SEED)
    }

    /// How many games a row has.
    pub fn games(&self, experiment: &Experiment, row: &Row) -> u32 {
        self.games.unwrap_or_else(|| experiment.games_of(row))
    }
}

/// A row as it is played: a match for each of its line-ups, and who takes which game.
pub struct RowPlan {
    /// How many games it has.
    pub games: u32,
    /// A match for each line-up, with the line-up as the row has it.
    matches: Vec<(Plan, Vec<String>)>,
}

impl RowPlan {
    /// The row as a plan.
    ///
    /// # Errors
    ///
    /// Bots or options that there are not, and rules that make no game.
    pub fn new(
        experiment: &Experiment,
        row: &Row,
        asked: &Asked,
        programs: &Programs,
    ) -> Result<RowPlan, Error> {
        row_plan(experiment, row, asked, programs)
            .map_err(|error| error.within(format!("{}, row {}", experiment.name, row.label)))
    }

    /// The first of its matches, for what is the same in all of them.
    pub fn any(&self) -> &Plan {
        &self.matches[0].0
    }

    /// The matches with the games that are missing of each, by their numbers there.
    pub fn missing(&self, there: &BTreeSet<u32>) -> Vec<(RowMatch<'_>, Vec<u32>)> {
        let all = (0..self.matches.len()).map(|index| RowMatch { row: self, index });
        let mut missing: Vec<(RowMatch<'_>, Vec<u32>)> = all.map(|m| (m, Vec::new())).collect();
        for number in (1..=self.games).filter(|number| !there.contains(number)) {
            let (index, in_match) = self.place(number);
            missing[index].1.push(in_match);
        }
        missing.retain(|(_, numbers)| !numbers.is_empty());
        missing
    }

    /// The match that a game of the row is in, and its number there. The line-ups take the blocks in
    /// turn, so that they are all there however many games are played.
    fn place(&self, number: u32) -> (usize, u32) {
        let (length, line_ups) = (self.block_length(), self.matches.len() as u32);
        let (block, in_block) = ((number - 1) / length, (number - 1) % length);
        ((block % line_ups) as usize, block / line_ups * length + in_block + 1)
    }

    fn block_length(&self) -> u32 {
        self.any().schedule.block_length()
    }
}

/// The match of one line-up of a row.
#[derive(Clone, Copy)]
pub struct RowMatch<'a> {
    row: &'a RowPlan,
    index: usize,
}

impl<'a> RowMatch<'a> {
    /// The match.
    pub fn plan(self) -> &'a Plan {
        &self.row.matches[self.index].0
    }

    /// Its bots, as the row has them.
    pub fn line_up(self) -> &'a [String] {
        &self.row.matches[self.index].1
    }

    /// The number in the row of a game of the match.
    pub fn number_in_row(self, in_match: u32) -> u32 {
        let (length, line_ups) = (self.row.block_length(), self.row.matches.len() as u32);
        let (block, in_block) = ((in_match - 1) / length, (in_match - 1) % length);
        (block * line_ups + self.index as u32) * length + in_block + 1
    }
}

fn row_plan(
    experiment: &Experiment,
    row: &Row,
    asked: &Asked,
    programs: &Programs,
) -> Result<RowPlan, Error> {
    let changes = experiment.changes_of(row);
    let preset = experiment.preset_of(row);
    let tables = registry::tables(&experiment.game, Some(preset), &changes).map_err(Error::host)?;
    let mut matches = Vec::new();
    for (number, line_up) in (1..).zip(row.line_ups(tables().seats())) {
        // Line-ups do not share their starts: more of them are seen.
        let draws = Draws::numbered(asked.seed(), &experiment.game);
        let draws = match row.has_fixed_seats() {
            true => draws,
            false => draws.part(&format!("line-up {number}")),
        };
        let config = config(experiment, row, &line_up, draws, asked);
        matches.push((Plan::new(&config, programs)?, line_up.into_iter().cloned().collect()));
    }
    Ok(RowPlan { games: asked.games(experiment, row), matches })
}

fn config(
    experiment: &Experiment,
    row: &Row,
    line_up: &[&String],
    draws: Draws,
    asked: &Asked,
) -> Config {
    // A bot that is told to think for a time of its own is given more than that.
    let thinking = asked.move_ms.or(experiment.move_ms).filter(|_| row.is_by_time());
    let cap = experiment.cap_ms.max(thinking.map_or(0, |ms| ms.saturating_mul(2)));
    let one_at_a_time = experiment.timing.then_some(1);
    let bots = line_up.iter().map(|bot| experiment.timed(bot, asked.move_ms)).collect();
    Config {
        start: StartConfig {
            seed: Some(GivenSeed::Draws(draws)),
            rules: Some(experiment.preset_of(row).to_string()),
            changes: experiment.changes_of(row),
            openings: None,
        },
        games: Games::Number(asked.games(experiment, row)),
        fixed_seats: row.has_fixed_seats(),
        time: TimeConfig {
            move_ms: Some(cap),
            bank_ms: experiment.bank_ms,
            increment_ms: experiment.increment_ms,
            ..TimeConfig::default()
        },
        running: RunConfig {
            concurrency: asked.concurrency.or(one_at_a_time),
            ..RunConfig::default()
        },
        // Built-in bots, and figures that are compared with those of earlier runs.
        containment: ContainmentConfig::none(),
        ..Config::new(&experiment.game, bots)
    }
}

/// What must be the same for games of a row to be added up.
pub fn row_conditions(
    experiment: &Experiment,
    row: &Row,
    plan: &RowPlan,
    asked: &Asked,
) -> RowConditions {
    let any = plan.any();
    let timed = |bot: &&String| experiment.timed(bot, asked.move_ms);
    let bots = match row.has_fixed_seats() {
        true => row.line_ups(&any.seats).concat().iter().map(timed).collect(),
        false => row.all_bots().map(|bot| timed(&bot)).collect(),
    };
    RowConditions {
        label: row.label.clone(),
        rules: (any.tables)().rules(),
        bots,
        always: row.always.len(),
        cap_ms: any.time.move_ms.unwrap_or_default(),
        bank_ms: any.time.bank_ms,
        increment_ms: any.time.increment_ms,
    }
}

/// The file of results. Its conditions are those of the rows that are played; a later run may play
/// others.
///
/// # Errors
///
/// Rows that cannot be played, a file with other conditions, and what the host cannot do.
pub fn open_results(
    directory: &Path,
    experiment: &Experiment,
    plans: &[(&Row, RowPlan)],
    asked: &Asked,
    programs: &Programs,
) -> Result<ResultsFile, Error> {
    let mut conditions = Vec::new();
    for row in &experiment.rows {
        let planned = plans.iter().find(|(planned, _)| planned.label == row.label);
        conditions.push(match planned {
            Some((_, plan)) => row_conditions(experiment, row, plan, asked),
            None => row_conditions(
                experiment,
                row,
                &RowPlan::new(experiment, row, asked, programs)?,
                asked,
            ),
        });
    }
    let conditions = Conditions::new(&experiment.name, asked.seed(), conditions);
    ResultsFile::open(directory, &conditions)
}
