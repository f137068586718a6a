//! The London map and grids; distances against a simple search.

use botyard_engine::game::Game;
use botyard_engine::random::{Stream, below, choose};
use botyard_engine::scotland_yard::{
    Allowance, Board, Distances, Grid, GridMoves, Kinds, ScotlandYard, Starts, Station, Ticket,
    Tickets, Transport,
};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

fn station(number: u16) -> Station {
    Station::new(number).unwrap()
}

fn grid(width: u16, height: u16, moves: GridMoves) -> Arc<Board> {
    Arc::new(Board::grid(Grid::new(width, height).unwrap(), moves))
}

fn edges_by_kind(board: &Board) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for (_, _, kind) in board.edges() {
        *counts.entry(kind.name()).or_default() += 1;
    }
    counts
}

#[test]
fn london_has_199_stations_and_467_edges() {
    let london = Board::london();
    assert_eq!(london.len(), 199);
    assert_eq!(london.edges().count(), 467);
    let kinds = [("taxi", 345), ("bus", 99), ("underground", 20), ("ferry", 3)];
    assert_eq!(edges_by_kind(&london), kinds.into());
}

#[test]
fn the_early_board_has_one_taxi_line_more() {
    let (london, classic) = (Board::london(), Board::london_classic());
    let known: HashSet<_> = london.edges().collect();
    let added: Vec<_> = classic.edges().filter(|edge| !known.contains(edge)).collect();
    assert_eq!(added, [(station(13), station(14), Transport::Taxi)]);
    assert_eq!(classic.edges().count(), 468);
}

#[test]
fn a_detective_has_13_moves_at_128_and_2_to_13_anywhere() {
    let london = Board::london();
    let ticket_moves =
        |station| london.steps(station).iter().filter(|step| step.by != Transport::Ferry).count();
    assert_eq!(ticket_moves(station(128)), 13);
    let counts: Vec<usize> = london.stations().map(ticket_moves).collect();
    assert_eq!(counts.iter().min(), Some(&2));
    assert_eq!(counts.iter().max(), Some(&13));
    let busiest: Vec<u16> = london
        .stations()
        .filter(|&station| ticket_moves(station) == 13)
        .map(Station::number)
        .collect();
    assert_eq!(busiest, [67, 128, 140, 153]);
}

#[test]
fn every_edge_runs_both_ways_and_lists_are_sorted() {
    let boards = [
        Board::london(),
        Board::london_classic(),
        grid(3, 4, GridMoves::Orthogonal),
        grid(100, 2, GridMoves::KingOrStay),
    ];
    for board in boards {
        for from in board.stations() {
            let steps = board.steps(from);
            assert!(steps.is_sorted_by_key(|step| (step.by, step.to)));
            assert!(board.neighbours(from).is_sorted_by(|a, b| a < b));
            for step in steps {
                assert!(board.steps(step.to).iter().any(|b| b.to == from && b.by == step.by));
                assert!(board.neighbours(from).contains(&step.to));
                assert!(board.kinds(from).has(step.by));
                assert!(board.joins(from, step.by.ticket(), step.to));
                assert!(board.joins(from, Ticket::Black, step.to));
            }
        }
    }
}

#[test]
fn london_is_connected_by_taxi_and_ten_moves_across_without_ferries() {
    let london = Board::london();
    let distances = Distances::of(&london);
    let mut diameter = 0;
    for from in london.stations() {
        for to in london.stations() {
            let by_taxi = Kinds::only(Transport::Taxi);
            assert!(distances.with_kinds(by_taxi, from, to).is_some(), "{from} to {to}");
            diameter = diameter.max(distances.with_kinds(Kinds::FARES, from, to).unwrap());
        }
    }
    assert_eq!(diameter, 10);
}

#[test]
fn stations_are_drawn_where_the_data_says_and_stop_what_the_data_says() {
    let london = Board::london();
    let lines = include_str!("../data/scotland-yard/stations.csv").lines().skip(1);
    let mut count = 0;
    for (station, line) in london.stations().zip(lines) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[0], station.to_string());
        let (x, y) = london.coordinates(station);
        assert_eq!((x, y), (fields[1].parse().unwrap(), fields[2].parse().unwrap()));
        assert!((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y));
        // The ferry may be missing from the list; the transports with tickets are complete.
        for kind in [Transport::Taxi, Transport::Bus, Transport::Underground] {
            let listed = fields[3].split('|').any(|name| name == kind.name());
            assert_eq!(listed, london.kinds(station).has(kind), "{station} {kind:?}");
        }
        count += 1;
    }
    assert_eq!(count, 199);
}

#[test]
fn grids_have_the_edges_of_their_moves() {
    for (width, height) in [(2, 2), (5, 5), (3, 7), (100, 100)] {
        let (w, h) = (usize::from(width), usize::from(height));
        let orthogonal = (w - 1) * h + w * (h - 1);
        let board = grid(width, height, GridMoves::Orthogonal);
        assert_eq!(board.len(), w * h);
        assert_eq!(board.edges().count(), orthogonal);
        let king = grid(width, height, GridMoves::KingOrStay);
        assert_eq!(king.edges().count(), orthogonal + 2 * (w - 1) * (h - 1) + w * h);
    }
    let board = grid(5, 4, GridMoves::Orthogonal);
    let cell_8: Vec<u16> = board.neighbours(station(8)).iter().map(|s| s.number()).collect();
    assert_eq!(cell_8, [3, 7, 9, 13], "row by row from 1");
    assert_eq!(board.coordinates(station(20)), (1.0, 1.0));
    for (width, height) in [(1, 5), (5, 1), (101, 5), (0, 0)] {
        assert_eq!(Grid::new(width, height), None);
    }
}

#[test]
fn start_cards_are_those_of_the_editions() {
    let london = Board::london();
    for (starts, mr_x, detectives, shared) in [
        (Starts::Classic18, 18, 18, 18),
        (Starts::Modern29, 13, 16, 0),
        (Starts::Bristol26, 12, 14, 0),
        (Starts::Random, 199, 199, 199),
    ] {
        let (x, d) = (starts.of_mr_x(&london), starts.of_detectives(&london));
        assert_eq!((x.len(), d.len()), (mr_x, detectives), "{}", starts.name());
        assert_eq!(x.iter().filter(|station| d.contains(station)).count(), shared);
        assert!(x.is_sorted_by(|a, b| a < b) && d.is_sorted_by(|a, b| a < b));
        assert!(x.iter().chain(&d).all(|&station| london.has(station)));
        assert_eq!(serde_json::to_value(starts).unwrap(), starts.name());
    }
}

#[test]
fn openings_are_drawn_from_the_cards_without_replacement() {
    for preset in ScotlandYard::PRESETS {
        let game = ScotlandYard::new(ScotlandYard::preset(preset.name).unwrap()).unwrap();
        let mut stream = Stream::new(3, "test");
        let mut seen = HashSet::new();
        for _ in 0..2000 {
            let opening = game.draw_opening(stream.rng());
            assert!(game.mr_x_cards().contains(&opening.mr_x));
            assert!(opening.detectives.iter().all(|s| game.detective_cards().contains(s)));
            let mut all: Vec<Station> = opening.detectives.clone();
            all.push(opening.mr_x);
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{}", preset.name);
            seen.insert(opening.mr_x);
        }
        assert!(seen.len() > game.mr_x_cards().len() * 9 / 10, "{}: every card comes", preset.name);
    }
}

/// Breadth-first search over stations and tickets left, without bounds or tables.
fn brute_force(board: &Board, held: Tickets, from: Station, to: Station) -> Option<u16> {
    let mut seen = HashSet::from([(from, held)]);
    let mut queue = VecDeque::from([(from, held, 0)]);
    while let Some((at, tickets, steps)) = queue.pop_front() {
        if at == to {
            return Some(steps);
        }
        for step in board.steps(at) {
            let mut left = tickets;
            let count = match step.by {
                Transport::Taxi => &mut left.taxi,
                Transport::Bus => &mut left.bus,
                Transport::Underground => &mut left.underground,
                Transport::Ferry => continue,
            };
            if *count == 0 {
                continue;
            }
            *count -= 1;
            if seen.insert((step.to, left)) {
                queue.push_back((step.to, left, steps + 1));
            }
        }
    }
    None
}

#[test]
fn distances_with_few_tickets_are_exact() {
    let mut stream = Stream::new(11, "test");
    let boards = [
        (Board::london(), 2500),
        (Board::london_classic(), 200),
        (grid(6, 5, GridMoves::Orthogonal), 300),
        (grid(5, 7, GridMoves::KingOrStay), 300),
    ];
    let (mut reached, mut longer, mut out_of_reach) = (0, 0, 0);
    for (board, cases) in boards {
        let distances = Distances::of(&board);
        let stations: Vec<Station> = board.stations().collect();
        for _ in 0..cases {
            let from = *choose(stream.rng(), &stations).unwrap();
            let to = *choose(stream.rng(), &stations).unwrap();
            let mut few = |most: u32| below(stream.rng(), most + 1) as u16;
            let held = Tickets::new(few(7), few(3), few(2));
            let allowance = Allowance::Limited(held);
            let exact = distances.exact(&board, allowance, from, to);
            assert_eq!(exact, brute_force(&board, held, from, to), "{from} to {to} with {held}");
            let bound = distances.with_kinds(allowance.kinds(), from, to);
            match (bound, exact) {
                (Some(bound), Some(exact)) if bound == exact => reached += 1,
                (Some(bound), Some(exact)) => {
                    assert!(bound < exact);
                    longer += 1;
                }
                (_, None) => out_of_reach += 1,
                (None, Some(_)) => panic!("{from} to {to}: the table says there is no way"),
            }
        }
    }
    assert!(
        reached > 500 && longer > 50 && out_of_reach > 500,
        "{reached} {longer} {out_of_reach}"
    );
}

#[test]
fn unlimited_tickets_are_as_good_as_many() {
    let board = Board::london();
    let distances = Distances::of(&board);
    let many = Allowance::limited(20, 20, 20);
    for from in board.stations().step_by(7) {
        for to in board.stations() {
            let unlimited = distances.exact(&board, Allowance::Unlimited, from, to);
            assert_eq!(unlimited, distances.exact(&board, many, from, to));
            assert_eq!(unlimited, distances.with_kinds(Kinds::FARES, from, to));
            // Ferries can only shorten a distance.
            assert!(distances.with_kinds(Kinds::ALL, from, to) <= unlimited);
        }
    }
}
