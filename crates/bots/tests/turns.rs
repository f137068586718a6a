//! Alpha-beta on Scotland Yard: its values are those of minimax, its lines have these values, its
//! memory is bounded; and the bots that search in this way, or over joint moves, play legally, are
//! repeatable and behave as described.

use crate::in_memory::Match;
use botyard_agent::Bot;
use botyard_bots::scotland_yard::alpha_beta::{
    Aggregate, Closeness, HiddenGame, HiddenScene, OpenGame, SovaEvaluation, SovaReadings,
};
use botyard_bots::scotland_yard::{BoardTables, SimulationState};
use botyard_bots::{alpha_beta, alpha_beta_sova, mcts_sova, random};
use botyard_engine::scotland_yard::{ScotlandYard, Stage, State};
use botyard_engine::{Game, Seat, Stream, registry, rules};
use botyard_search::Limits;
use botyard_search::turns::{Chooser, Settings, TurnGame, TurnSearcher};
use serde_json::{Value, json};
use std::fmt::Debug;

const YARD: &str = "scotland-yard";

fn yard(preset: &str, changes: &[(&str, &str)]) -> ScotlandYard {
    let changes: Vec<_> =
        changes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    ScotlandYard::new(rules::resolve::<ScotlandYard>(Some(preset), &changes).unwrap()).unwrap()
}

/// Small boards with every rule that changes the shape of the tree: collisions, staying, several
/// agents, ways to be stuck, tickets and double moves.
const SMALL: [(&str, &[(&str, &str)]); 7] = [
    ("grid-5x5-2", &[]),
    ("grid-5x5-2", &[("board", "3x3"), ("limit", "4")]),
    ("grid-5x5-2", &[("board", "4x3"), ("agent_collision", "pre_move_strict")]),
    ("grid-5x5-2", &[("x_onto_detective", "illegal"), ("board", "3x3")]),
    ("grid-7x7-3", &[("board", "4x4")]),
    ("grid-15x15-3-stay", &[("board", "4x4"), ("detectives", "1")]),
    (
        "grid-5x5-2",
        &[
            ("board", "3x4"),
            ("detective_tickets", "2/0/0"),
            ("x_tickets", "3/0/0"),
            ("double", "2"),
        ],
    ),
];

/// States of random games in which a seat is to move.
fn states(game: &ScotlandYard, count: usize, seed: u64) -> Vec<State> {
    let mut stream = Stream::new(seed, "test");
    let (mut states, mut actions) = (Vec::new(), Vec::new());
    while states.len() < count {
        let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
        for ply in 0.. {
            game.actions(&state, &mut actions);
            let Some(&action) = botyard_engine::random::choose(stream.rng(), &actions) else {
                break;
            };
            if (ply + states.len()).is_multiple_of(3) {
                states.push(state.clone());
            }
            game.apply(&mut state, action);
        }
    }
    states.truncate(count);
    states
}

/// Computes a value by its definition: every step of every node, without pruning or memory.
fn minimax<G: TurnGame>(game: &G, position: &G::Position, horizon: u32) -> i32 {
    let Some(chooser) = game.chooser(position).filter(|_| game.turn(position) < horizon) else {
        return game.evaluate(position);
    };
    let mut values = Vec::new();
    game.for_each_move(position, |mv| {
        let (after, gain) = game.make(position, mv);
        values.push(gain + minimax(game, &after, horizon));
    });
    let values = values.into_iter();
    match chooser {
        Chooser::Maximiser => values.max().unwrap(),
        Chooser::Minimiser => values.min().unwrap(),
    }
}

/// Returns the gains along a line and the value of its end.
fn worth<G: TurnGame>(game: &G, root: &G::Position, line: &[G::Move]) -> i32 {
    let (mut position, mut gains) = (*root, 0);
    for &mv in line {
        let (after, gain) = game.make(&position, mv);
        (position, gains) = (after, gains + gain);
    }
    gains + game.evaluate(&position)
}

/// Returns a searcher with a table of this size, whose iterations are `step` turns deeper each.
fn searcher<M: Copy + Eq>(table_mebibytes: usize, step: u32) -> TurnSearcher<M> {
    TurnSearcher::new(Settings { table_mebibytes, step })
}

/// Compares searches with and without a table with minimax, at every depth up to `depth`. The table
/// is kept from one position to the next, as bots do.
fn same_as_minimax<G: TurnGame<Move: Debug>>(
    game: &G,
    root: &G::Position,
    depth: u32,
    searchers: &mut [TurnSearcher<G::Move>],
    at: &str,
) {
    let sign = match game.chooser(root).unwrap() {
        Chooser::Maximiser => 1,
        Chooser::Minimiser => -1,
    };
    for turns in 1..=depth {
        let horizon = game.turn(root) + turns;
        let truth = minimax(game, root, horizon);
        for (number, searcher) in searchers.iter_mut().enumerate() {
            let at = format!("{at}, {turns} turns, searcher {number}");
            let report = searcher.search(game, root, &Limits::depth(turns));
            assert_eq!((report.value, report.depth), (sign * truth, turns), "{at}");
            assert_eq!(worth(game, root, &report.line), truth, "{at}: {:?}", report.line);
            assert_eq!(report.line.first().copied(), report.best, "{at}");
            let mut values = Vec::new();
            searcher.begin(&Limits::depth(turns));
            assert!(searcher.values(game, root, turns, &mut values));
            let mut truths = Vec::new();
            game.for_each_move(root, |mv| {
                let (after, gain) = game.make(root, mv);
                truths.push(sign * (gain + minimax(game, &after, horizon)));
            });
            assert_eq!(values, truths, "{at}");
        }
    }
}

#[test]
fn values_are_those_of_minimax() {
    for (number, (preset, changes)) in SMALL.into_iter().enumerate() {
        let game = yard(preset, changes);
        let tables = BoardTables::new(&game).unwrap();
        let mut searchers = [searcher(1, 1), searcher(0, 2)];
        let mut hunters = [searcher(1, 1), searcher(0, 2)];
        for (index, state) in states(&game, 24, number as u64).into_iter().enumerate() {
            let position = *state.position();
            let at = format!("{preset} {changes:?} state {index}: {}", game.text(&state));
            let simulated = SimulationState::untracked(position);
            let rounds = 1 + index as u16 % 3;
            let sova = OpenGame::new(
                &tables,
                game.arena(),
                SovaEvaluation::new(&game, rounds, &position, SovaReadings::default()),
            );
            same_as_minimax(&sova, &simulated, 4, &mut searchers, &at);
            let closeness = Closeness::new(&position);
            let open_game = OpenGame::new(&tables, game.arena(), closeness);
            same_as_minimax(&open_game, &simulated, 3, &mut searchers, &at);
            let candidates = game.candidates(&state).set().iter().collect();
            let tracked = SimulationState { candidates, tracked: true, ..simulated };
            same_as_minimax(&open_game, &tracked, 3, &mut searchers, &at);
            if position.stage() == Stage::Detectives {
                for doubt in [Aggregate::Worst, Aggregate::Expected] {
                    let hidden_game = HiddenGame::new(&tables, game.arena(), closeness, doubt);
                    same_as_minimax(&hidden_game, &HiddenScene::new(tracked), 4, &mut hunters, &at);
                }
            }
        }
    }
}

/// On London, where distances depend on tickets.
#[test]
fn values_are_those_of_minimax_in_london() {
    let game = yard("bristol", &[("detectives", "2"), ("detective_tickets", "2/2/1")]);
    let tables = BoardTables::new(&game).unwrap();
    let mut searchers = [searcher(1, 1), searcher(0, 2)];
    for (index, state) in states(&game, 20, 7).into_iter().enumerate() {
        let (position, at) = (*state.position(), format!("state {index}"));
        let simulated = SimulationState::untracked(position);
        let sova = OpenGame::new(
            &tables,
            game.arena(),
            SovaEvaluation::new(&game, 2, &position, SovaReadings::default()),
        );
        same_as_minimax(&sova, &simulated, 2, &mut searchers, &at);
        let open_game = OpenGame::new(&tables, game.arena(), Closeness::new(&position));
        same_as_minimax(&open_game, &simulated, 2, &mut searchers, &at);
    }
}

/// A search that Sova 2021 could not run in 16 GB: three rounds of four agents on 15x15. A
/// table of 1 MiB gives the same result as one of 8.
#[test]
fn three_rounds_of_four_agents_fit_into_a_megabyte() {
    let game = yard("grid-15x15-4", &[]);
    let tables = BoardTables::new(&game).unwrap();
    let [mut small, mut large] = [1, 8].map(|mebibytes| searcher(mebibytes, 2));
    assert!(small.bytes() <= 1 << 20 && large.bytes() <= 8 << 20);
    for state in states(&game, 12, 3) {
        let position = *state.position();
        let open_game = OpenGame::new(
            &tables,
            game.arena(),
            SovaEvaluation::new(&game, 3, &position, SovaReadings::default()),
        );
        let turns = if position.stage() == Stage::Detectives { 5 } else { 6 };
        let [a, b] = [&mut small, &mut large].map(|searcher| {
            searcher.search(
                &open_game,
                &SimulationState::untracked(position),
                &Limits::depth(turns),
            )
        });
        assert_eq!((a.value, a.depth, b.depth), (b.value, turns, turns));
        assert!(a.nodes < 1_000_000, "{} nodes", a.nodes);
    }
}

#[test]
fn a_limit_of_nodes_is_kept_and_a_move_is_known() {
    let game = yard("grid-15x15-4", &[]);
    let tables = BoardTables::new(&game).unwrap();
    let mut searcher = searcher(1, 1);
    for (state, nodes) in states(&game, 8, 5).into_iter().zip([0, 1, 7, 50, 400, 999, 3000, 9000]) {
        let open_game = OpenGame::new(&tables, game.arena(), Closeness::new(state.position()));
        let simulated = SimulationState::untracked(*state.position());
        let report = searcher.search(&open_game, &simulated, &Limits::nodes(nodes));
        assert!(report.nodes <= nodes);
        assert_eq!(game.check(&state, report.best.unwrap()), Ok(()));
    }
}

fn presets() -> Vec<&'static str> {
    registry::info(YARD).unwrap().presets.iter().map(|(preset, _)| preset.name).collect()
}

/// Returns the bots with limits that make games quick and do not depend on the clock.
fn quick() -> Vec<(Bot, Vec<(&'static str, Value)>)> {
    let hunter = |hidden: &str| {
        let options = [("nodes", json!(300)), ("hash-mb", json!(1)), ("hidden", json!(hidden))];
        (alpha_beta::bot(), options.to_vec())
    };
    vec![
        (alpha_beta_sova::bot(), vec![("depth", json!(1)), ("hash-mb", json!(1))]),
        (mcts_sova::bot(), vec![("iterations", json!(20))]),
        (mcts_sova::bot(), vec![("iterations", json!(20)), ("reward", json!("shaped"))]),
        (mcts_sova::bot(), vec![("iterations", json!(20)), ("node", json!("ply"))]),
        (mcts_sova::bot(), vec![("iterations", json!(20)), ("unseen", json!("random"))]),
        (alpha_beta_sova::bot(), vec![("depth", json!(1)), ("unseen", json!("random"))]),
        hunter("determinize"),
        hunter("worst-case"),
        hunter("expected"),
    ]
}

fn contest<'a>(
    preset: &str,
    changes: &[(&str, &str)],
    bots: [(&'a Bot, &[(&'static str, Value)]); 2],
) -> Match<'a> {
    let mut contest = Match::new(YARD, preset, changes, &bots.map(|(bot, _)| bot));
    for (number, (_, options)) in bots.into_iter().enumerate() {
        for (option, value) in options {
            contest.set(number, option, value.clone());
        }
    }
    contest
}

/// Either side of one game, against random play; the harness panics at an illegal action.
fn legal(preset: &str, changes: &[(&str, &str)]) {
    let random = random::bot();
    for (bot, options) in &quick() {
        let mut contest = contest(preset, changes, [(bot, options), (&random, &[])]);
        for mr_x in [0, 1] {
            let mut seats = vec![1 - mr_x; contest.seats()];
            seats[0] = mr_x;
            contest.play(3, &seats);
        }
    }
}

#[test]
fn legal_under_every_preset() {
    presets().into_iter().for_each(|preset| legal(preset, &[]));
}

#[test]
fn legal_under_variants() {
    let variants: [(&str, &[(&str, &str)]); 6] = [
        ("ravensburger", &[("seats", "pawns")]),
        ("ravensburger", &[("stuck", "removed"), ("detective_tickets", "3/2/1")]),
        ("bristol", &[("stuck", "out"), ("detective_tickets", "4/1/0"), ("detectives", "3")]),
        ("grid-7x7-3", &[("order", "any"), ("seats", "sides")]),
        ("grid-5x5-2", &[("board", "3x4"), ("seats", "pawns"), ("double", "2")]),
        // Too large for the tables: the bots fall back to a rule of thumb.
        ("grid-5x5-2", &[("board", "20x20")]),
    ];
    for (preset, changes) in variants {
        legal(preset, changes);
    }
}

#[test]
fn a_game_can_be_repeated_and_hangs_on_the_seed() {
    for (bot, options) in &quick() {
        let mut contest = contest("grid-7x7-3", &[], [(bot, options), (bot, options)]);
        let once: Vec<_> = (0..5).map(|seed| contest.play(seed, &[0, 1])).collect();
        contest.send_legal = false;
        let again: Vec<_> = (0..5).map(|seed| contest.play(seed, &[0, 1])).collect();
        assert_eq!(once, again, "{}", bot.name());
        contest.set(1, "seed", json!(1));
        let other: Vec<_> = (0..5).map(|seed| contest.play(seed, &[0, 1])).collect();
        // A bot that averages over all candidates draws nothing.
        let draws = !options
            .iter()
            .any(|(_, value)| [json!("worst-case"), json!("expected")].contains(value));
        assert_eq!(once != other, draws, "{} {options:?}", bot.name());
    }
}

/// Between reveals the detectives of Sova 2021 follow the line they found, and search only
/// at its end; at every reveal they search.
#[test]
fn detectives_keep_to_their_plan_between_reveals() {
    let (random, sova) = (random::bot(), alpha_beta_sova::bot());
    // A table may cut the line short.
    let options = [("hash-mb", json!(0))];
    let mut contest = contest("grid-15x15-4", &[], [(&random, &[]), (&sova, &options)]);
    let (mut planned, mut searched) = (0, 0);
    for seed in 0..4 {
        let mut plan: Vec<Value> = Vec::new();
        let mut x_moves = 0;
        for line in contest.play(seed, &[0, 1]).moves {
            let said: Value = serde_json::from_str(&line).unwrap();
            let action = &said["action"];
            if action.get("detective").is_none() {
                x_moves += 1;
                continue;
            }
            let first = action["detective"] == 1;
            match said.get("info").and_then(|info| info["pv"].as_array()) {
                Some(line) => {
                    searched += 1;
                    let detectives = |step: &&Value| step.get("detective").is_some();
                    plan = line.iter().filter(detectives).cloned().collect();
                    assert_eq!(&plan.remove(0), action);
                }
                None => {
                    planned += 1;
                    assert!(!(first && x_moves % 3 == 0), "a reveal changes the plan: {line}");
                    assert!(!plan.is_empty(), "nothing was planned: {line}");
                    assert_eq!(&plan.remove(0), action);
                }
            }
        }
    }
    // Four agents and three rounds: one step in twelve is searched.
    assert!(planned > 8 * searched && searched > 10, "{planned} planned, {searched} searched");
}

/// The shares of table 5.1 of Sova 2021, as far as 40 games can tell: the agents catch few by tree
/// search against alpha-beta (22.4%), and most by alpha-beta (88.7 and 88.9%).
#[test]
fn alpha_beta_beats_the_tree_search_in_both_roles() {
    let (sova, mcts) = (alpha_beta_sova::bot(), mcts_sova::bot());
    let (quick, few) = ([("hash-mb", json!(1))], [("iterations", json!(1000))]);
    let share = |mr_x, detectives| detectives_win("grid-5x5-2", [mr_x, detectives], 40);
    assert!(share((&sova, &quick), (&mcts, &few)) <= 0.45);
    assert!(share((&mcts, &few), (&sova, &quick)) >= 0.75);
}

/// The tree search decides for all detectives in one search per round.
#[test]
fn a_joint_move_is_found_in_one_search() {
    let (random, sova) = (random::bot(), mcts_sova::bot());
    let options = [("iterations", json!(50))];
    let mut contest = contest("grid-7x7-3", &[], [(&random, &[]), (&sova, &options)]);
    for line in contest.play(2, &[0, 1]).moves {
        let said: Value = serde_json::from_str(&line).unwrap();
        if let Some(detective) = said["action"].get("detective") {
            assert_eq!(said.get("info").is_some(), detective == 1, "{line}");
        }
    }
}

/// Returns the detectives' share of the games with seeds from 0.
fn detectives_win(preset: &str, bots: [(&Bot, &[(&'static str, Value)]); 2], games: u64) -> f64 {
    let mut contest = contest(preset, &[], bots);
    let wins: f64 = (0..games)
        .map(|seed| contest.play(seed, &[0, 1]).outcome.scores[Seat::new(1).index()])
        .sum();
    wins / games as f64
}

/// In Sova 2021, random detectives catch its alpha-beta in 6.9% of the games. Ours, with the
/// same knowledge, is better on either side.
#[test]
fn alpha_beta_is_stronger_than_random_and_the_source() {
    const GAMES: u64 = 100;
    let (random, sova, ours) = (random::bot(), alpha_beta_sova::bot(), alpha_beta::bot());
    let quick = [("hash-mb", json!(1))];
    let nodes = [("hash-mb", json!(1)), ("nodes", json!(2000))];
    let share = |mr_x, detectives| detectives_win("grid-5x5-2", [mr_x, detectives], GAMES);
    assert!(share((&random, &[]), (&sova, &quick)) >= 0.9);
    assert!(share((&sova, &quick), (&random, &[])) <= 0.2);
    let both = share((&sova, &quick), (&sova, &quick));
    let as_detectives = share((&sova, &quick), (&ours, &nodes));
    let as_mr_x = share((&ours, &nodes), (&sova, &quick));
    assert!(as_mr_x + 0.1 < both && both < as_detectives, "{as_mr_x} {both} {as_detectives}");
}
