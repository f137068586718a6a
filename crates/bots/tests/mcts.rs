//! Monte Carlo tree search: results in small games, repeatability, bounds, and the legality of the
//! bots that search with it.

use crate::in_memory::Match;
use botyard_agent::{AgentRng, Bot, Options};
use botyard_bots::{catalogue, evasive, greedy, mcts, mcts_belej, random};
use botyard_engine::game::NoFields;
use botyard_engine::scotland_yard::{ScotlandYard, State};
use botyard_engine::{Game, Turn, registry, rules};
use botyard_search::mcts::{Final, GameSimulation, Settings, TreeSearcher, Trees};
use botyard_search::{Limits, Report};
use botyard_testkit::dice::{Dice, DiceAction, DiceRules, DiceState};
use botyard_testkit::hand::{Hand, HandAction};
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const YARD: &str = "scotland-yard";

fn search<G: Game<State: Sync>>(
    game: &G,
    state: &G::State,
    settings: Settings,
    iterations: u64,
    seed: u64,
) -> Report<G::Action, f64> {
    let mut rng = AgentRng::seed_from_u64(seed);
    let Turn::Seat(seat) = game.turn(state) else { panic!("no seat is to move") };
    let view = game.view(state, seat);
    let simulation = GameSimulation::new(game, &view, seat, &mut rng).unwrap();
    TreeSearcher::new(settings).search(&simulation, &Limits::iterations(iterations), &mut rng)
}

fn yard(preset: &str, changes: &[(&str, &str)]) -> ScotlandYard {
    let changes: Vec<_> =
        changes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    ScotlandYard::new(rules::resolve::<ScotlandYard>(Some(preset), &changes).unwrap()).unwrap()
}

/// Returns a grid on which Mr. X is always visible: nothing is hidden and nothing drawn.
fn open_grid() -> ScotlandYard {
    yard("grid-5x5-2", &[("board", "4x4"), ("reveals", "every 1"), ("limit", "3")])
}

/// Returns whether Mr. X escapes with best play on both sides.
fn escapes(game: &ScotlandYard, state: &State) -> bool {
    let seat = match game.turn(state) {
        Turn::Seat(seat) => seat,
        _ => return game.outcome(state).unwrap().scores[0] == 1.0,
    };
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    let wanted = seat.index() == 0;
    let finds = actions.into_iter().any(|action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        escapes(game, &next) == wanted
    });
    finds == wanted
}

/// Positions of the open grid in which it is the detectives' turn, or Mr. X's.
fn open_positions(game: &ScotlandYard, count: usize, mr_x: bool) -> Vec<State> {
    let mut rng = AgentRng::seed_from_u64(9);
    let mut found = Vec::new();
    while found.len() < count {
        let mut state = game.start(&game.draw_opening(&mut rng)).unwrap();
        let mut actions = Vec::new();
        // One round until Mr. X's station is known, or only his own step.
        for _ in 0..if mr_x { 3 } else { 1 } {
            game.actions(&state, &mut actions);
            if let Some(&action) = botyard_engine::random::choose(&mut rng, &actions) {
                game.apply(&mut state, action);
            }
        }
        let turn = game.turn(&state);
        if matches!(turn, Turn::Seat(seat) if (seat.index() == 0) == mr_x) {
            found.push(state);
        }
    }
    found
}

/// Without hidden information the search finds the value that minimax proves, and an action that
/// keeps it.
#[test]
fn comes_to_what_minimax_proves() {
    let game = open_grid();
    for mr_x in [false, true] {
        let mut wins = 0;
        for (number, state) in open_positions(&game, 12, mr_x).into_iter().enumerate() {
            let settings = Settings { exploration: 0.5, ..Settings::default() };
            let report = search(&game, &state, settings, 20_000, number as u64);
            let truth = escapes(&game, &state);
            let own = f64::from(u8::from(truth == mr_x));
            wins += own as usize;
            let value = report.value;
            assert!((value - own).abs() < 0.2, "{state:?}: {value}, by minimax {own}");
            let mut next = state.clone();
            game.apply(&mut next, report.best.unwrap());
            assert_eq!(escapes(&game, &next), truth, "{state:?}: {:?}", report.best);
        }
        assert!((1..12).contains(&wins), "{wins} of 12 positions are won: no test");
    }
}

/// Returns the value of the last seat's last turn at Pig, which depends only on the die.
fn pig_value(game: &Dice, state: &DiceState) -> f64 {
    match game.turn(state) {
        Turn::Over => game.outcome(state).unwrap().scores[2],
        Turn::Chance => {
            let mut faces = Vec::new();
            game.chances(state, &mut faces);
            faces
                .into_iter()
                .map(|(probability, face)| {
                    let mut next = state.clone();
                    game.apply_chance(&mut next, &face);
                    probability * pig_value(game, &next)
                })
                .sum()
        }
        Turn::Seat(_) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let mut best: f64 = 0.0;
            for action in actions {
                // A position that is won by holding need not be searched through endless rolls.
                if best < 1.0 {
                    let mut next = state.clone();
                    game.apply(&mut next, action);
                    best = best.max(pig_value(game, &next));
                }
            }
            best
        }
    }
}

#[test]
fn comes_to_the_expectation_where_there_is_chance() {
    let game = Dice::new(DiceRules { target: 20, rounds: 1 }).unwrap();
    for (banked, stake) in [([9, 5, 4], 0), ([9, 5, 4], 5), ([9, 5, 4], 6), ([12, 3, 0], 8)] {
        let state =
            DiceState { round: 1, to_move: 2, rolling: false, stake, banked, dropped: Vec::new() };
        let value = pig_value(&game, &state);
        let report = search(&game, &state, Settings::default(), 20_000, 1);
        let found = report.value;
        assert!((found - value).abs() < 0.04, "{state:?}: {found}, exactly {value}");
        let mut held = state.clone();
        game.apply(&mut held, DiceAction::Hold);
        let hold = pig_value(&game, &held);
        let best = if hold < value { DiceAction::Roll } else { DiceAction::Hold };
        assert_eq!(report.best, Some(best), "{state:?}: holding {hold}, playing on {value}");
    }
}

#[test]
fn depends_on_the_seed_and_the_number_of_threads_alone() {
    let game = yard("grid-7x7-3", &[]);
    let mut rng = AgentRng::seed_from_u64(4);
    let state = game.start(&game.draw_opening(&mut rng)).unwrap();
    for trees in [Trees::Single, Trees::PerPlayer] {
        for threads in [1, 2, 3] {
            let settings = Settings { trees, threads, ..Settings::default() };
            let report = |seed| search(&game, &state, settings, 1001, seed);
            let first = report(1);
            assert_eq!(first.playouts, 1001);
            assert_eq!(first.root.iter().map(|tried| tried.visits).sum::<u64>(), 1001);
            assert_eq!(report(1), first, "{settings:?}");
            assert_ne!(report(2), first, "{settings:?}");
        }
    }
}

#[test]
fn the_trees_stop_growing_when_memory_is_full() {
    let game = yard("bristol", &[]);
    let mut rng = AgentRng::seed_from_u64(4);
    let state = game.start(&game.draw_opening(&mut rng)).unwrap();
    for trees in [Trees::Single, Trees::PerPlayer] {
        for (threads, max_nodes) in [(1, 200), (2, 200), (1, 1)] {
            let settings = Settings { trees, threads, max_nodes, ..Settings::default() };
            let report = search(&game, &state, settings, 3000, 1);
            // Roots and their children always exist, because one of them is played.
            assert!(
                report.nodes <= max_nodes.max(60) as u64,
                "{settings:?}: {} nodes",
                report.nodes
            );
            assert_eq!(report.playouts, 3000);
            let mut legal = Vec::new();
            game.actions(&state, &mut legal);
            assert_eq!(report.root.len(), legal.len(), "{settings:?}");
        }
        let room = search(&game, &state, Settings { trees, ..Settings::default() }, 3000, 1);
        assert!(room.nodes > 400, "{} nodes without a bound: no test", room.nodes);
    }
}

/// A report has the tried actions, and its best action is the one that the rule of choice selects.
#[test]
fn what_a_report_says() {
    let game = open_grid();
    for (number, state) in open_positions(&game, 6, true).into_iter().enumerate() {
        for (_, final_choice) in Final::ALL {
            let settings = Settings { final_choice, ..Settings::default() };
            let report = search(&game, &state, settings, 500, number as u64);
            assert_eq!(report.best, Some(report.root[0].mv));
            assert_eq!(report.line[0], report.root[0].mv);
            assert!(report.depth >= 1 && report.nodes > report.root.len() as u64);
            let worth = |place: usize| {
                let tried = report.root[place];
                match final_choice {
                    Final::Visits => tried.visits as f64,
                    Final::Value => tried.value,
                    Final::Secure => tried.value - 1.0 / (tried.visits as f64).sqrt(),
                }
            };
            assert!((1..report.root.len()).all(|place| worth(place) <= worth(0)), "{report:?}");
        }
    }
}

fn presets() -> Vec<&'static str> {
    registry::info(YARD).unwrap().presets.iter().map(|(preset, _)| preset.name).collect()
}

/// Sets of options that together cover every value of every option that changes the play.
fn variants() -> Vec<Vec<(&'static str, Value)>> {
    vec![
        vec![],
        vec![("playout", json!("random")), ("determinization", json!("uniform"))],
        vec![("playout", json!("independent")), ("determinization", json!("categories"))],
        vec![("playout", json!("cooperating"))],
        vec![("playout", json!("searching")), ("model", json!(true)), ("threads", json!(2))],
        vec![("playout", json!("believing"))],
        vec![("coalition", json!(0.25))],
        vec![("filter", json!(true)), ("reward", json!("win")), ("final", json!("value"))],
        vec![("final", json!("secure")), ("memory-mb", json!(1))],
        vec![("prior", json!(0)), ("determinization", json!("fleeing"))],
        vec![("c", json!(2))],
        vec![("cutoff", json!("0"))],
        vec![("cutoff", json!("none"))],
        vec![("cutoff", json!("2")), ("reward", json!("win")), ("model", json!(true))],
    ]
}

/// [`Match::play`] panics at the first illegal answer.
#[test]
fn legal_under_every_preset() {
    let (mcts, belej, evasive) = (mcts::bot(), mcts_belej::bot(), evasive::bot());
    let bots = [&mcts, &belej, &evasive];
    let variants = variants();
    let pawns: [(&str, &[(&str, &str)]); 3] = [
        ("ravensburger", &[("seats", "pawns")]),
        ("ravensburger", &[("stuck", "removed"), ("detective_tickets", "3/2/1")]),
        ("grid-5x5-2", &[("board", "20x20")]),
    ];
    let plain = presets().into_iter().map(|preset| (preset, &[][..]));
    for (number, (preset, changes)) in plain.chain(pawns).enumerate() {
        let mut contest = Match::new(YARD, preset, changes, &bots);
        contest.set(1, "iterations", json!(10));
        contest.set(0, "iterations", json!(10));
        for (option, value) in &variants[number % variants.len()] {
            contest.set(0, option, value.clone());
        }
        for (seed, (mr_x, detectives)) in [(0, 0), (0, 1), (2, 0), (1, 2)].into_iter().enumerate() {
            let mut seats = vec![detectives; contest.seats()];
            seats[0] = mr_x;
            contest.play(seed as u64, &seats);
        }
    }
}

#[test]
fn every_option_plays_and_a_game_can_be_repeated() {
    let (mcts, evasive) = (mcts::bot(), evasive::bot());
    for options in variants() {
        let play = |seats: &[usize]| {
            let mut contest = Match::new(YARD, "nijssen", &[], &[&mcts, &evasive]);
            contest.set(0, "iterations", json!(30));
            for (option, value) in &options {
                contest.set(0, option, value.clone());
            }
            contest.play(5, seats)
        };
        for seats in [[1, 0], [0, 0]] {
            let played = play(&seats);
            assert_eq!(play(&seats), played, "{options:?}");
        }
    }
}

/// Where a network judges, for Mr. X, and on London for the detectives.
#[test]
fn where_the_best_reward_is_win() {
    let (mcts, evasive) = (mcts::bot(), evasive::bot());
    let play = |preset: &str, as_mr_x: bool, options: &[(&str, &str)]| {
        let mut contest = Match::new(YARD, preset, &[], &[&mcts, &evasive]);
        contest.set(0, "iterations", json!(100));
        for (option, value) in options {
            contest.set(0, option, json!(value));
        }
        let mut seats = vec![usize::from(as_mr_x); contest.seats()];
        seats[0] = usize::from(!as_mr_x);
        contest.play(5, &seats)
    };
    for (preset, as_mr_x, cutoff, best) in [
        ("nijssen", false, "0", "win"),
        ("nijssen", false, "none", "shaped"),
        ("grid-15x15-4", false, "0", "shaped"),
        ("nijssen", true, "0", "win"),
        ("nijssen", true, "none", "shaped"),
        ("grid-15x15-4", true, "0", "win"),
    ] {
        let of = |reward| play(preset, as_mr_x, &[("cutoff", cutoff), ("reward", reward)]);
        let other = if best == "win" { "shaped" } else { "win" };
        assert_eq!(of("best"), of(best), "{preset}, cutoff {cutoff}");
        assert_ne!(of("best"), of(other), "{preset}, cutoff {cutoff}");
    }
}

#[test]
fn options_are_checked() {
    let bot = mcts::bot();
    for (name, value, reason) in [
        ("c", json!(-1), "a number from 0 to 10"),
        ("playout", json!("greedy"), "one of best, random, independent, cooperating, searching"),
        ("determinization", json!("none"), "one of uniform, categories, fleeing, learned"),
        ("final", json!("mean"), "one of visits, value, secure"),
        ("reward", json!("loss"), "one of best, win, shaped"),
        ("threads", json!(0), "an integer from 1 to 64"),
        ("cutoff", json!("5"), "one of none, 0, 1, 2, 3, 4, 6"),
        ("iteration", json!(5), "did you mean iterations?"),
    ] {
        let set = BTreeMap::from([(name.to_string(), value)]);
        let error = Options::resolve(&bot.options_at(YARD), &set).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
}

#[test]
fn info_tells_what_was_found() {
    let (mcts, belej) = (mcts::bot(), mcts_belej::bot());
    let mut contest = Match::new(YARD, "belej-2015", &[], &[&mcts, &belej]);
    contest.set(0, "iterations", json!(50));
    contest.set(1, "iterations", json!(50));
    let played = contest.play(2, &[0, 1]);
    let moves: Vec<Value> =
        played.moves.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let searched: Vec<&Value> = moves.iter().filter(|mv| !mv["info"].is_null()).collect();
    for mv in &searched {
        let info = &mv["info"];
        assert_eq!(info["nodes"], 50, "{mv}");
        assert_eq!(info["pv"][0], mv["action"], "{mv}");
        assert!(info["depth"].as_u64().unwrap() >= 1, "{mv}");
        assert!((0.0..=1.0).contains(&info["score"].as_f64().unwrap()), "{mv}");
        assert!(info["text"].as_str().unwrap().contains(" visits, "), "{mv}");
    }
    // Both sides have searched, and the plan of a round is searched once.
    let of_detectives = |mv: &&&Value| !mv["action"]["detective"].is_null();
    let thought = searched.iter().filter(of_detectives).count();
    let all = moves.iter().filter(|mv| !mv["action"]["detective"].is_null()).count();
    assert!(thought > 0 && thought * 3 < all, "{thought} of {all}");
    assert!(searched.len() > thought);
}

#[test]
fn plays_draughts_by_the_rules_alone() {
    let (mcts, random) = (mcts::bot(), random::bot());
    let mut contest = Match::new("draughts", "english", &[], &[&mcts, &random]);
    contest.set(0, "iterations", json!(100));
    let points: f64 = (0..6)
        .map(|seed| {
            let own = seed as usize % 2;
            let mut seats = [1, 1];
            seats[own] = 0;
            contest.play(seed, &seats).outcome.scores[own]
        })
        .sum();
    assert!(points >= 4.5, "{points} of 6 against random moves");
}

/// Returns the detectives' share of the games with seeds from 0.
fn caught(
    preset: &str,
    mr_x: &Bot,
    detectives: &Bot,
    options: &[(&str, Value)],
    games: u64,
) -> f64 {
    let mut contest = Match::new(YARD, preset, &[], &[mr_x, detectives]);
    for (number, bot) in [mr_x, detectives].into_iter().enumerate() {
        for (option, value) in options {
            if bot.options().contains_key(*option) {
                contest.set(number, option, value.clone());
            }
        }
    }
    let lost: f64 = (0..games).map(|seed| contest.play(seed, &[0, 1]).outcome.scores[1]).sum();
    lost / games as f64
}

/// With very few iterations it is already better than the other bots on either side.
#[test]
fn stronger_than_greedy_on_either_side() {
    let (mcts, greedy) = (mcts::bot(), greedy::bot());
    let few = [("iterations", json!(100))];
    let both_greedy = caught("ravensburger", &greedy, &greedy, &few, 60);
    let mr_x = caught("ravensburger", &mcts, &greedy, &few, 20);
    let detectives = caught("ravensburger", &greedy, &mcts, &few, 20);
    let shares = format!("{mr_x} < {both_greedy} < {detectives}");
    assert!(mr_x + 0.2 < both_greedy && both_greedy + 0.05 < detectives, "{shares}");
}

#[test]
fn in_the_catalogue() {
    for name in ["mcts", "mcts-belej", "evasive"] {
        assert_eq!(catalogue::bot(name).map(|bot| bot.name()), Ok(name));
    }
}

/// A guess wins as much as it loses, so taking 40 chips is best. A search that branches by the
/// hider's real action "knows" the hand when it guesses, and asks.
#[test]
fn what_another_does_unseen_is_not_known_later() {
    let game = Hand::default();
    let start = game.start(&NoFields {}).unwrap();
    let report = search(&game, &start, Settings::default(), 20_000, 1);
    assert_eq!(report.best, Some(HandAction::Take), "{:?}", report.root);
    // As shares of the range from -100 to 100: 40 chips are 0.7, and a guess is worth 0.5.
    let value = |action| report.root.iter().find(|tried| tried.mv == action).unwrap().value;
    assert!((value(HandAction::Take) - 0.7).abs() < 1e-6, "{:?}", report.root);
    assert!((value(HandAction::Ask) - 0.5).abs() < 0.1, "{:?}", report.root);
    // The hider knows where it puts the coin: it can distinguish its own actions.
    let mut asked = start;
    game.apply(&mut asked, HandAction::Ask);
    for trees in [Trees::Single, Trees::PerPlayer] {
        let report = search(&game, &asked, Settings { trees, ..Settings::default() }, 2000, 3);
        assert_eq!(report.root.len(), 2, "{trees:?}: {:?}", report.root);
    }
}
