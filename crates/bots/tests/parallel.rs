//! Searches with several threads, on draughts: with one thread they are the searches of a single
//! searcher; with more they find the same values where these do not depend on the table, and keep
//! their limits. That no thread outlives a search needs no test: the threads borrow the game.

use crate::in_memory::Match;
use botyard_bots::draughts::{DraughtsSearch, Positional};
use botyard_bots::{alpha_beta, mtdf_2007};
use botyard_engine::draughts::{Move, Movement, Position};
use botyard_search::two_sided::{
    Algorithm, Evaluator, ParallelSearcher, Root, Settings, TwoSidedSearcher,
};
use botyard_search::{Deadline, Limits};
use serde_json::json;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const RANDOM: &str = include_str!("../../engine/tests/data/draughts/perft_random.csv");

fn positions(count: usize) -> Vec<Position> {
    let fens = RANDOM.lines().skip(1).filter_map(|line| line.split(';').next());
    let found: Vec<Position> = fens.take(count).map(|fen| fen.parse().unwrap()).collect();
    assert_eq!(found.len(), count);
    found
}

fn game() -> DraughtsSearch<Positional> {
    DraughtsSearch::new(Movement::ENGLISH, Positional::default())
}

fn threads(settings: Settings, count: usize) -> ParallelSearcher<Position, Move> {
    ParallelSearcher::new(settings, NonZero::new(count).unwrap())
}

#[test]
fn one_thread_is_a_single_searcher() {
    let settings = Settings { table_mebibytes: 1, ..Settings::new(Algorithm::Mtdf) };
    let (mut one, mut single) = (threads(settings, 1), TwoSidedSearcher::new(settings));
    let limits = Limits::nodes(5_000);
    for position in positions(20) {
        let root = Root::new(position);
        // The tables are kept, so that later searches depend on earlier ones.
        assert_eq!(one.search(&game(), &root, &limits), single.search(&game(), &root, &limits));
    }
}

#[test]
fn exact_values_do_not_depend_on_the_number_of_threads() {
    for (number, position) in positions(60).into_iter().enumerate() {
        let (algorithm, depth) = (Algorithm::ALL[number % 4].1, 4 + number as u32 % 2);
        let value = |count| {
            let mut searcher = threads(Settings::exact(algorithm), count);
            let report = searcher.search(&game(), &Root::new(position), &Limits::depth(depth));
            (report.value, report.depth)
        };
        assert_eq!(value(1), value(2), "{position} {algorithm:?}");
        assert_eq!(value(1), value(4), "{position} {algorithm:?}");
    }
}

#[test]
fn the_main_thread_keeps_the_limit_of_nodes_and_finds_a_legal_move() {
    let settings = Settings { table_mebibytes: 1, ..Settings::new(Algorithm::Mtdf) };
    let mut searcher = threads(settings, 3);
    for position in positions(30) {
        let report = searcher.search(&game(), &Root::new(position), &Limits::nodes(3_000));
        assert!(report.nodes <= 3_000, "{}", report.nodes);
        assert!(position.moves(Movement::ENGLISH).contains(&report.best.unwrap()));
        let alone = searcher.main().search(&game(), &Root::new(position), &Limits::nodes(100));
        assert_eq!(alone.helper_nodes, 0);
    }
    // On a busy machine a helper may start only when a search is over.
    let root = Root::new(Position::START);
    let mut helps = || searcher.search(&game(), &root, &Limits::nodes(20_000)).helper_nodes > 0;
    assert!((0..500).any(|_| helps()));
}

/// Without its deadline, the search would take longer than anyone can wait.
#[test]
fn a_deadline_ends_all_threads() {
    let mut searcher = threads(Settings::new(Algorithm::Mtdf), 4);
    for milliseconds in [0, 1, 30] {
        let deadline = Deadline::at(Instant::now() + Duration::from_millis(milliseconds));
        let limits = Limits { deadline: Some(deadline), ..Limits::nodes(u64::MAX) };
        let report = searcher.search(&game(), &Root::new(Position::START), &limits);
        assert!(Position::START.moves(Movement::ENGLISH).contains(&report.best.unwrap()));
    }
}

/// Fails in every thread.
#[derive(Clone)]
struct Failing;

impl Evaluator<Position> for Failing {
    fn evaluate(&self, position: &Position) -> i32 {
        assert!(*position == Position::START, "no evaluation");
        0
    }
}

#[test]
fn a_search_that_panics_does_not_wait_for_its_helpers() {
    let game = DraughtsSearch::new(Movement::ENGLISH, Failing);
    let mut searcher = threads(Settings::new(Algorithm::Mtdf), 2);
    let root = Root::new(Position::START);
    let searched =
        catch_unwind(AssertUnwindSafe(|| searcher.search(&game, &root, &Limits::nodes(u64::MAX))));
    assert!(searched.is_err());
}

#[test]
fn a_bot_with_threads_plays_by_the_rules() {
    let (one, other) = (alpha_beta::bot(), mtdf_2007::bot());
    for preset in ["english", "janacek-2007"] {
        let mut contest = Match::new("draughts", preset, &[], &[&one, &other]);
        for (option, value) in [("threads", 2), ("nodes", 500), ("hash-mb", 1)] {
            contest.set(0, option, json!(value));
        }
        contest.set(1, "depth", json!(2));
        // The referee of the test kit refuses an illegal move.
        for seed in 0..2 {
            assert!(!contest.play(seed, &[0, 1]).moves.is_empty());
        }
    }
}
