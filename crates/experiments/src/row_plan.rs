//! A row of an experiment as matches. If every seat has its bot, the row is one match with fixed
//! seats and the experiment's seed, so that game N has the same start in all rows on the same
//! board. If bots take turns at the seats, it is one match per line-up.

use super::definition::{Experiment, Row};
use super::results_file::{Conditions, ResultsFile, RowConditions};
use botyard_engine::registry;
use botyard_league::schedule::Draws;
use botyard_runner::{
    ConcurrencyLimit, Config, ContainmentConfig, Error, Games, GivenSeed, Plan, Programs, Replays,
    RunConfig, StartConfig, TimeConfig,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The user's choices besides the experiment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Games per row, if not the experiment's number.
    pub games: Option<u32>,
    /// The time limit per move in milliseconds, if not the experiment's.
    pub move_ms: Option<u64>,
    /// The number of games played at once.
    pub concurrency: Option<u16>,
    /// The seed, if not [`Asked::SEED`].
    pub seed: Option<u64>,
}

impl Asked {
    /// The default seed. It is fixed so that everyone plays the same starts.
    pub const SEED: u64 = 1;

    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(Self::SEED)
    }

    /// Returns the number of games of a row.
    pub fn games(&self, experiment: &Experiment, row: &Row) -> u32 {
        self.games.unwrap_or_else(|| experiment.games_of(row))
    }
}

/// The plan of a row: a match for each line-up, and the match of each game.
pub struct RowPlan {
    /// The number of games.
    pub games: u32,
    /// The match of each line-up, with the line-up as written in the row.
    matches: Vec<(Plan, Vec<String>)>,
}

impl RowPlan {
    /// Makes the plan of a row.
    ///
    /// # Errors
    ///
    /// A bot or an option does not exist, or the rules are invalid.
    pub fn new(
        experiment: &Experiment,
        row: &Row,
        asked: &Asked,
        programs: &Programs,
    ) -> Result<RowPlan, Error> {
        row_plan(experiment, row, asked, programs)
            .map_err(|error| error.within(format!("{}, row {}", experiment.name, row.label)))
    }

    /// Shares a limit on games at once with other rows.
    pub(crate) fn share_limit(&mut self, limit: &Arc<ConcurrencyLimit>) {
        self.matches.iter_mut().for_each(|(plan, _)| plan.limit = Some(Arc::clone(limit)));
    }

    /// Has replays written to new directories under this one, one for each match.
    ///
    /// # Errors
    ///
    /// The host fails.
    pub(crate) fn write_replays(&mut self, directory: &Path) -> Result<(), Error> {
        for (number, (plan, _)) in (1..).zip(&mut self.matches) {
            let directory = directory.join(number.to_string());
            fs::create_dir_all(&directory).map_err(Error::host)?;
            plan.replays = Replays::Own(directory);
        }
        Ok(())
    }

    /// Returns the first match, for properties common to all.
    pub fn any(&self) -> &Plan {
        &self.matches[0].0
    }

    /// Returns the matches, each with the numbers of its missing games.
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

    /// Returns the match of a game of the row, and the game's number there. Line-ups take blocks in
    /// turn, so that all are played, whatever the number of games.
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
    /// Returns the plan of the match.
    pub fn plan(self) -> &'a Plan {
        &self.row.matches[self.index].0
    }

    /// Returns its bots, as written in the row.
    pub fn line_up(self) -> &'a [String] {
        &self.row.matches[self.index].1
    }

    /// Returns the number in the row of a game of the match.
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
    let openings = experiment.read_openings(&mut *tables()).map_err(Error::usage)?;
    let mut matches = Vec::new();
    for (number, line_up) in (1..).zip(row.line_ups(tables().seats())) {
        // Line-ups have different starts, so that more starts are played.
        let draws = Draws::numbered(asked.seed(), &experiment.game);
        let draws = match row.has_fixed_seats() {
            true => draws,
            false => draws.part(&format!("line-up {number}")),
        };
        let config = config(experiment, row, &line_up, draws, asked);
        let mut plan = Plan::new(&config, programs)?;
        plan.schedule.openings.clone_from(&openings);
        matches.push((plan, line_up.into_iter().cloned().collect()));
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
    // A bot that thinks for a given time gets a larger limit than that.
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
        // The bots are built in, and figures are compared with those of earlier runs.
        containment: ContainmentConfig::none(),
        ..Config::new(&experiment.game, bots)
    }
}

/// Returns what must be equal for games of a row to be added up.
pub(crate) fn row_conditions(
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
        openings: any.schedule.openings.clone(),
    }
}

/// Opens the results file. Its conditions are those of the played rows; a later run may play
/// others.
///
/// # Errors
///
/// A row cannot be played, the file has other conditions, or the host fails.
pub(crate) fn open_results(
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
