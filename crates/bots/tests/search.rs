//! The search, on draughts: agreement of its algorithms, results that it must find, and guarantees.

use botyard_bots::draughts::{DraughtsSearch, Janacek2007, Positional};
use botyard_engine::draughts::{Jump, Move, Movement, Position};
use botyard_search::two_sided::{
    Algorithm, DrawRules, Evaluator, FirstGuess, Root, Settings, TwoSidedSearcher,
};
use botyard_search::value::{DRAW, WIN, decided_in};
use botyard_search::{Limits, Report, TranspositionTable};

const RANDOM: &str = include_str!("../../engine/tests/data/draughts/perft_random.csv");

fn positions(count: usize) -> Vec<Position> {
    let fens = RANDOM.lines().skip(1).filter_map(|line| line.split(';').next());
    let found: Vec<Position> = fens.take(count).map(|fen| fen.parse().unwrap()).collect();
    assert_eq!(found.len(), count);
    found
}

/// A game of draughts and its searcher.
struct Draughts<E> {
    game: DraughtsSearch<E>,
    searcher: TwoSidedSearcher<Position, Move>,
}

impl<E: Evaluator<Position>> Draughts<E> {
    fn new(movement: Movement, evaluator: E, settings: Settings) -> Draughts<E> {
        let game = DraughtsSearch::new(movement, evaluator);
        Draughts { game, searcher: TwoSidedSearcher::new(settings) }
    }

    fn search(&mut self, root: &Root<'_, Position>, limits: &Limits) -> Report<Move> {
        self.searcher.search(&self.game, root, limits)
    }
}

fn searcher<E: Evaluator<Position>>(evaluator: E, settings: Settings) -> Draughts<E> {
    Draughts::new(Movement::ENGLISH, evaluator, settings)
}

fn value<E: Evaluator<Position>>(
    movement: Movement,
    evaluator: E,
    settings: Settings,
    position: Position,
    depth: u32,
) -> i32 {
    let mut searcher = Draughts::new(movement, evaluator, settings);
    let report = searcher.search(&Root::new(position), &Limits::depth(depth));
    assert!(report.depth == depth || decided_in(report.value).is_some());
    report.value
}

/// The value of a position at a fixed depth is that of minimax for every algorithm, with or without
/// a table and move ordering.
#[test]
fn all_algorithms_find_the_same_value() {
    for (number, position) in positions(200).into_iter().enumerate() {
        let depth = 3 + number as u32 % 3;
        let grain = [1, 4, 10][number % 3];
        let evaluator = Positional { grain };
        let movement = Movement::ENGLISH;
        let truth =
            value(movement, evaluator, Settings::exact(Algorithm::Minimax), position, depth);
        let (_, first_guess) = FirstGuess::ALL[number % 4];
        let guess_offset = [0, 50, -300][number % 3];
        for (_, algorithm) in Algorithm::ALL {
            let exact = Settings { first_guess, guess_offset, ..Settings::exact(algorithm) };
            let refined = Settings { table_mebibytes: 1, ..exact };
            let plain = Settings { table_mebibytes: 0, ordering: false, step: 1, ..exact };
            for settings in [refined, plain] {
                let found = value(movement, evaluator, settings, position, depth);
                assert_eq!(found, truth, "{position} depth {depth} {settings:?}");
            }
        }
    }
}

/// The same under rules in which captures are optional or take one piece at a time, and without
/// quiescence search.
#[test]
fn all_algorithms_find_the_same_value_under_other_rules() {
    let optional = Movement { compulsory_capture: false, ..Movement::ENGLISH };
    let one_piece = Movement { jump: Jump::OnePiece, ..Movement::ENGLISH };
    for position in positions(30) {
        for (movement, quiescence) in [(optional, true), (one_piece, true), (one_piece, false)] {
            let with = |algorithm| Settings { quiescence, ..Settings::exact(algorithm) };
            let truth = value(movement, Janacek2007, with(Algorithm::Minimax), position, 4);
            for algorithm in [Algorithm::AlphaBeta, Algorithm::Pvs, Algorithm::Mtdf] {
                let found = value(movement, Janacek2007, with(algorithm), position, 4);
                assert_eq!(found, truth, "{position} {algorithm:?} {movement:?}");
            }
        }
    }
}

#[test]
fn never_a_node_too_many_and_always_a_move() {
    for (_, algorithm) in Algorithm::ALL {
        for nodes in [0, 1, 2, 10, 100, 1_000, 10_000] {
            let mut searcher = searcher(Positional::default(), Settings::new(algorithm));
            let position = Position::START;
            let report = searcher.search(&Root::new(position), &Limits::nodes(nodes));
            assert!(report.nodes <= nodes, "{algorithm:?}: {} of {nodes}", report.nodes);
            let best = report.best.expect("there always is a move");
            assert!(position.moves(Movement::ENGLISH).contains(&best));
        }
    }
}

/// An aborted iteration changes nothing: the move is that of the last complete one.
#[test]
fn the_last_finished_iteration_counts() {
    for (_, algorithm) in Algorithm::ALL {
        let settings = Settings::new(algorithm);
        let root = Root::new(Position::START);
        let cut = searcher(Positional::default(), settings).search(&root, &Limits::nodes(20_000));
        // The same depths are searched on the way to a limit of the same parity.
        let whole =
            searcher(Positional::default(), settings).search(&root, &Limits::depth(cut.depth));
        assert!(cut.depth > 0 && whole.nodes < cut.nodes, "{algorithm:?}");
        assert_eq!((cut.best, cut.value), (whole.best, whole.value), "{algorithm:?}");
        assert_eq!(cut.iterations, whole.iterations);
    }
}

#[test]
fn the_same_search_twice_is_the_same() {
    for (_, algorithm) in Algorithm::ALL {
        for position in positions(10) {
            let search = || {
                searcher(Positional::default(), Settings::new(algorithm))
                    .search(&Root::new(position), &Limits::nodes(5_000))
            };
            assert_eq!(search(), search(), "{position} {algorithm:?}");
        }
    }
}

/// Forward pruning leaves most of the tree out, but still finds a near win.
#[test]
fn pruning_saves_nodes_and_misses_no_win() {
    let search = |pruning, position, depth| {
        let settings = Settings { pruning, ..Settings::new(Algorithm::Mtdf) };
        let limits = Limits::depth(depth);
        searcher(Positional::default(), settings).search(&Root::new(position), &limits)
    };
    for position in positions(60) {
        let [all, pruned] = [false, true].map(|pruning| search(pruning, position, 9));
        if decided_in(all.value).is_some_and(|plies| plies <= 4) {
            assert_eq!((pruned.best, pruned.value), (all.best, all.value), "{position}");
        }
    }
    let [all, pruned] = [false, true].map(|pruning| search(pruning, Position::START, 13).nodes);
    assert!(2 * pruned < all, "{pruned} of {all}");
}

/// Positions with a known winner and number of plies.
#[test]
fn wins_that_are_known() {
    for (fen, plies) in [
        // A capture of the last piece.
        ("W:W18:B14", 1),
        ("B:WK18:BK14,K2", 1),
    ] {
        let position: Position = fen.parse().unwrap();
        for (_, algorithm) in Algorithm::ALL {
            let mut searcher = searcher(Positional::default(), Settings::new(algorithm));
            let report = searcher.search(&Root::new(position), &Limits::depth(7));
            assert_eq!(decided_in(report.value), Some(plies), "{fen} {algorithm:?}");
        }
    }
}

/// A repeated position is worth a draw: the side that is behind repeats, the other avoids it.
#[test]
fn repetition_is_a_draw() {
    // Black, a king behind, shuffles in the double corner.
    let root: Position = "B:BK1:WK14,K22".parse().unwrap();
    let only = root.moves(Movement::ENGLISH);
    let draws = DrawRules { repetition: true, quiet_plies: 80 };
    let mut searcher = searcher(
        Positional::default(),
        Settings { draws, ..Settings::exact(Algorithm::AlphaBeta) },
    );
    let game = |position: &Position| position.key();
    // Every move repeats a position of three plies ago.
    for mv in &only {
        let again = game(&root.make(*mv));
        let earlier = [again, 1, 2];
        let report =
            searcher.search(&Root { position: root, earlier: &earlier }, &Limits::depth(1));
        let fresh = searcher.search(&Root::new(root), &Limits::depth(1));
        assert!(fresh.value < DRAW, "behind: {}", fresh.value);
        assert_eq!((report.best, report.value), (Some(*mv), DRAW), "the draw is taken");
    }
}

#[test]
fn lack_of_progress_is_a_draw() {
    let position: Position = "B:BK18,K23:WK1".parse().unwrap();
    let earlier: Vec<u64> = (1..=9).collect();
    let draws = DrawRules { repetition: false, quiet_plies: 10 };
    let mut searcher =
        searcher(Positional::default(), Settings { draws, ..Settings::exact(Algorithm::Mtdf) });
    let root = Root { position, earlier: &earlier };
    assert_eq!(searcher.search(&root, &Limits::depth(5)).value, DRAW);
    assert!(searcher.search(&Root::new(position), &Limits::depth(5)).value > DRAW);
}

#[test]
fn who_cannot_move_has_lost() {
    let mut searcher = searcher(Positional::default(), Settings::new(Algorithm::Pvs));
    let position: Position = "B:W9,14:B5".parse().unwrap();
    let report = searcher.search(&Root::new(position), &Limits::depth(3));
    assert_eq!((report.best, report.value), (None, -WIN));
}

#[test]
fn the_memory_of_the_table_is_what_was_asked_for() {
    assert_eq!(TranspositionTable::new(64).bytes(), 64 << 20);
}

/// The principal variation consists of legal moves.
#[test]
fn the_principal_variation_is_legal() {
    let settings = Settings::new(Algorithm::Mtdf);
    for position in positions(20) {
        let report = searcher(Positional::default(), settings)
            .search(&Root::new(position), &Limits::nodes(20_000));
        let mut position = position;
        assert_eq!(report.line.first(), report.best.as_ref());
        for mv in report.line {
            assert!(position.moves(Movement::ENGLISH).contains(&mv));
            position = position.make(mv);
        }
    }
}

/// A move that an unfinished iteration prefers is better than that of the iteration before, when
/// both are searched to the depth of the unfinished one.
#[test]
fn an_unfinished_iteration_changes_a_move_only_for_a_better_one() {
    let settings = Settings { table_mebibytes: 4, ..Settings::exact(Algorithm::Mtdf) };
    let mut changed = 0;
    for position in positions(80) {
        for nodes in [1000, 2500] {
            let [kept, finished] = [true, false].map(|unfinished| {
                let settings = Settings { unfinished, ..settings };
                searcher(Positional::default(), settings)
                    .search(&Root::new(position), &Limits::nodes(nodes))
            });
            assert_eq!((kept.depth, kept.value), (finished.depth, finished.value));
            if kept.best == finished.best {
                continue;
            }
            changed += 1;
            let [better, worse] = [kept, finished].map(|report| {
                let after = position.make(report.best.unwrap());
                let depth = report.depth + settings.step - 1;
                -value(Movement::ENGLISH, Positional::default(), settings, after, depth)
            });
            assert!(better > worse, "{position}, {nodes} nodes: {better}, {worse}");
        }
    }
    assert!(changed > 0);
}

/// The reserve is used only when the iteration that the limits cut off is worse than the one before.
#[test]
fn the_reserve_is_for_values_that_fall() {
    let settings = Settings { table_mebibytes: 4, ..Settings::exact(Algorithm::Mtdf) };
    let mut used = 0;
    for position in positions(150) {
        let root = Root::new(position);
        for nodes in [300, 700, 1500, 3000] {
            let limits = Limits::nodes(nodes);
            let short = searcher(Positional::default(), settings).search(&root, &limits);
            // It suffices for the iteration that the limits cut off.
            let reserve = Limits::nodes(1_000_000);
            let Draughts { game, mut searcher } = searcher(Positional::default(), settings);
            let found = searcher.search_with_reserve(&game, &root, &limits, &reserve);
            if found.nodes == short.nodes {
                assert_eq!(found, short, "{position}");
                continue;
            }
            used += 1;
            assert_eq!(
                (found.depth, short.nodes),
                (short.depth + settings.step, nodes),
                "{position}"
            );
            assert!(found.value <= short.value - settings.fall, "{position}: {found:?}");
        }
    }
    assert!((1..300).contains(&used), "{used} of 600 used");
}

/// Two kings beat one, even one in the double corner, against any defence.
#[test]
fn two_kings_beat_one() {
    for fen in ["B:BK18,K23:WK1", "B:BK2,K4:WK32", "W:WK6,K29:BK28"] {
        let mut position: Position = fen.parse().unwrap();
        let stronger = position.turn();
        let mut sides = [(); 2].map(|()| {
            searcher(
                Positional::default(),
                Settings { table_mebibytes: 4, ..Settings::new(Algorithm::Mtdf) },
            )
        });
        let mut plies = 0;
        while position.can_move() {
            let side = usize::from(position.turn() == stronger);
            let report = sides[side].search(&Root::new(position), &Limits::nodes(30_000));
            position = position.make(report.best.unwrap());
            plies += 1;
            assert!(plies < 40, "{fen}: no end in sight in {position}");
        }
        assert_ne!(position.turn(), stronger, "{fen}");
    }
}
