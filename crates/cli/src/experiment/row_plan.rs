//! A row of an experiment as a match: every row is what `botyard match --fixed-seats` would play, with
//! the experiment's seed, so that game N begins alike in all rows of the same board.

use super::definition::{Experiment, Row};
use super::results_file::RowConditions;
use crate::match_command::{Clock, FaultRule, Games, MatchArgs, Plan};
use anyhow::Context;
use botyard_engine::registry;

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

/// The match that a row is.
///
/// # Errors
///
/// Bots or options that there are not, and rules that make no game.
pub fn row_plan(experiment: &Experiment, row: &Row, asked: &Asked) -> anyhow::Result<Plan> {
    let plan = match_args(experiment, row, asked).and_then(|args| Plan::new(&args));
    plan.with_context(|| format!("{}, row {}", experiment.name, row.label))
}

fn match_args(experiment: &Experiment, row: &Row, asked: &Asked) -> anyhow::Result<MatchArgs> {
    let preset = experiment.preset_of(row);
    let changes = experiment.changes_of(row);
    let tables = registry::tables(&experiment.game, Some(preset), &changes)?;
    // A bot that is told to think for a time of its own is given more than that.
    let thinking = asked.move_ms.or(experiment.move_ms).filter(|_| row.is_by_time());
    let cap = experiment.cap_ms.max(thinking.map_or(0, |ms| ms.saturating_mul(2)));
    let one_at_a_time = experiment.timing.then_some(1);
    Ok(MatchArgs {
        game: experiment.game.clone(),
        bots: experiment.bots_of(row, tables().seats(), asked.move_ms),
        games: Games::Number(asked.games(experiment, row)),
        seed: Some(asked.seed()),
        rules: Some(preset.to_string()),
        rule: changes,
        opening: None,
        fixed_seats: true,
        option: Vec::new(),
        move_time: Some(cap),
        bank: None,
        increment: None,
        grace: 0,
        clock: Clock::Wall,
        concurrency: asked.concurrency.or(one_at_a_time),
        on_fault: FaultRule::Forfeit,
        restart: false,
        no_legal: false,
        out: None,
        json: true,
    })
}

/// What must be the same for games of a row to be added up.
pub fn row_conditions(
    experiment: &Experiment,
    row: &Row,
    plan: &Plan,
    asked: &Asked,
) -> RowConditions {
    RowConditions {
        label: row.label.clone(),
        rules: (plan.tables)().rules(),
        bots: experiment.bots_of(row, &plan.seats, asked.move_ms),
        cap_ms: plan.time.move_ms.unwrap_or_default(),
    }
}
