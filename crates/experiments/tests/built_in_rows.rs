//! The shipped experiments with the built-in bots: every row can be played.

use botyard_bots::catalogue;
use botyard_experiments::shipped::{all, find};
use botyard_experiments::{Asked, Experiment, RowPlan};
use botyard_runner::{BuiltIn, Programs};
use botyard_sandbox::Launcher;
use std::collections::BTreeSet;

/// The built-in bots, which are not started.
fn programs() -> Programs {
    let built_in = |bot: botyard_bots::Bot| BuiltIn {
        name: bot.name().to_string(),
        games: bot.games().map(String::from).collect(),
        options: bot.options().clone(),
        options_of_games: bot.options_of_games().collect(),
        has_program: false,
        other_games: bot.has_other_games(),
        needs_model: bot.needs_model(),
    };
    let launcher = Launcher { program: "botyard".into(), args: Vec::new() };
    let built_ins = catalogue::bots().into_iter().map(built_in).collect();
    Programs { built_ins, ..Programs::new(launcher) }
}

/// Every file is an experiment whose bots, options, rules and seats are there.
#[test]
fn every_row_of_every_file_can_be_played() {
    let programs = programs();
    for experiment in all().unwrap() {
        for row in &experiment.rows {
            let plan = RowPlan::new(&experiment, row, &Default::default(), &programs);
            let name = format!("{}, row {}", experiment.name, row.label);
            let plan = plan.unwrap_or_else(|error| panic!("{name}: {error:#}"));
            assert_eq!(plan.games, experiment.games_of(row), "{name}");
            assert!(row.is_by_time() || row.seconds_a_game < 3600.0, "{name}");
        }
    }
}

#[test]
fn the_example_in_the_documentation_is_an_experiment() {
    let page = include_str!("../../../docs/experiments.md");
    let (_, from) = page.split_once("```toml\n").unwrap();
    let (example, _) = from.split_once("```").unwrap();
    let experiment = Experiment::read("docs/experiments.md", example).unwrap();
    RowPlan::new(&experiment, &experiment.rows[0], &Default::default(), &programs()).unwrap();
    for experiment in all().unwrap() {
        assert!(page.contains(&format!("`{}`", experiment.name)), "{}", experiment.name);
    }
}

#[test]
fn line_ups_take_the_blocks_in_turn() {
    let experiment = find("dice-wars-baselines").unwrap();
    let asked = Asked { games: Some(46), ..Asked::default() };
    let plan = RowPlan::new(&experiment, &experiment.rows[0], &asked, &programs()).unwrap();
    let missing = plan.missing(&BTreeSet::from([1, 2, 21]));
    // Five line-ups, blocks of four games: the last block, of the second line-up, has two.
    let games: Vec<Vec<u32>> = missing.iter().map(|(_, numbers)| numbers.clone()).collect();
    let eight: Vec<u32> = (1..=8).collect();
    let ten: Vec<u32> = (1..=10).collect();
    let first = vec![3, 4, 6, 7, 8, 9, 10, 11, 12];
    assert_eq!(games.iter().map(Vec::len).sum::<usize>(), 43);
    assert_eq!(games, [first, ten, eight.clone(), eight.clone(), eight]);
    let mut numbers: Vec<u32> = missing
        .iter()
        .flat_map(|(of, numbers)| numbers.iter().map(|&number| of.number_in_row(number)))
        .collect();
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq((1..=46).filter(|n| ![1, 2, 21].contains(n))));
}
