//! The operations that a contained program can and cannot do, by tier, from a table in a file: a
//! contained program tries each operation, which works or is refused.

use crate::host::{CHECKER, TIERS, TREES, can, launch, place, run};
use botyard_sandbox::Exit;
use std::collections::BTreeMap;

/// An operation and its result in each tier: `works`, `refused`, or `either`. `either` is for more
/// threads than allowed, which tier A can count only if the referee is root.
const TABLE: &str = include_str!("data/tiers.tsv");

fn table() -> Vec<(&'static str, [&'static str; 3])> {
    let rows = TABLE.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [operation, a, b, c] = cells[..] else { panic!("four cells expected: {line:?}") };
        (operation, [a, b, c])
    });
    rows.collect()
}

#[test]
fn every_operation_works_or_is_refused_as_in_the_table() {
    for (column, tier) in TIERS.into_iter().enumerate() {
        if !can(tier, &format!("{} operations", table().len())) {
            continue;
        }
        let place = place();
        let own = std::process::id().to_string();
        let args = ["all", place.path().to_str().unwrap(), &own];
        let ran = run(&launch(tier, place.path(), CHECKER, &args));
        assert_eq!(ran.exit, Some(Exit::Code(0)), "tier {tier}: {ran:?}");
        let found: BTreeMap<&str, &str> =
            ran.stdout.lines().filter_map(|line| line.split_once('\t')).collect();
        let mut wrong = Vec::new();
        for (operation, expected) in table() {
            let found = found.get(operation).copied().unwrap_or("not tried");
            if expected[column] != "either" && !found.starts_with(expected[column]) {
                wrong.push(format!("{operation}: expected {}, {found}", expected[column]));
            }
        }
        assert_eq!(found.len(), table().len(), "operations in the checker and in the table");
        assert!(wrong.is_empty(), "tier {tier}:\n{}", wrong.join("\n"));
        assert_eq!(std::fs::read(place.path().join("referee.txt")).unwrap(), b"the referee's");
    }
}

#[test]
fn a_program_without_children_has_threads_and_no_second_process() {
    for tier in TREES.into_iter().filter(|&tier| can(tier, "programs without children")) {
        let place = place();
        for (operation, children, expected) in [
            ("start a process", true, "works"),
            ("start a process", false, "refused"),
            ("leave an orphan", false, "refused"),
            ("start a thread", false, "works"),
            ("start 8 threads", false, "works"),
        ] {
            let own = std::process::id().to_string();
            let args = [operation, place.path().to_str().unwrap(), &own];
            let mut launch = launch(tier, place.path(), CHECKER, &args);
            launch.children = children;
            let ran = run(&launch);
            let (_, found) = ran.stdout.split_once('\t').expect("a result");
            assert!(found.starts_with(expected), "tier {tier}: {operation}: {ran:?}");
        }
    }
}
