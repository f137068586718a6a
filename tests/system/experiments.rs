//! `botyard experiment`: small experiments with real bots; their output, saved results, and
//! resuming them.

use crate::command::{Desk, events, events_of, finish, repository};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};

/// Two short rows with reproducible games.
pub const SMALL: &str = r#"
name = "small"
title = "A small one"
source = "unpublished"
about = "Two random players, and a search of a few playouts."
unclear = "Everything."
game = "scotland-yard"
preset = "grid-5x5-2"
games = 6
label = "Mr. X / agents"

[[row]]
label = "random/random"
bots = { mr-x = "random:seed=1", detectives = "random:seed=2" }
seconds_a_game = 0.01
figures = [
    { statistic = "win-percent", seat = "detectives", value = 82, games = 1000 },
    { statistic = "mean-winning-round", seat = "detectives", peaks = [7, 13] },
]

[[row]]
label = "random/search"
bots = { mr-x = "random:seed=1", detectives = "mcts-sova:iterations=50,seed=3" }
seconds_a_game = 0.1
figures = [
    { statistic = "win-percent", seat = "detectives", value = 0.5, games = 1000 },
    { statistic = "seconds-a-search", seat = "detectives", more_than = 60 },
]
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    std::fs::write(desk.path("small.toml"), SMALL).unwrap();
    desk
}

fn read(desk: &Desk, path: &str) -> String {
    std::fs::read_to_string(desk.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the lines of a CSV file, by column. Only the last cell may be quoted.
fn csv(desk: &Desk, path: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let text = read(desk, path);
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let cells = |line: &str| {
        let cells: Vec<String> = line.splitn(names.len(), ',').map(String::from).collect();
        assert_eq!(cells.len(), names.len(), "{line}");
        names.iter().map(|name| name.to_string()).zip(cells).collect()
    };
    lines.map(cells).collect()
}

#[test]
fn what_is_shipped_is_listed_and_shown() {
    let desk = Desk::new();
    let list = desk.done(&["experiment", "list"]);
    let json: Value = serde_json::from_str(&desk.done(&["experiment", "list", "--json"])).unwrap();
    let names: Vec<&str> =
        json.as_array().unwrap().iter().map(|known| known["name"].as_str().unwrap()).collect();
    for expected in [
        "sova-5.1",
        "sova-5.2",
        "sova-5.3",
        "sova-5.4",
        "sova-5.5",
        "sova-5.6",
        "sova-time",
        "belej-5.1",
        "belej-t50",
        "belej-time",
    ] {
        assert!(names.contains(&expected), "{expected}: {names:?}");
    }
    for name in names {
        assert!(list.lines().any(|line| line.starts_with(name)), "{name} is missing in\n{list}");
        let shown = desk.done(&["experiment", "show", name]);
        assert!(shown.contains("Source: ") && shown.contains("row"), "{shown}");
    }
    let shown = desk.done(&["experiment", "show", "sova-5.1"]);
    for published in ["22.4", "88.9", "88.7", "63.3"] {
        assert!(shown.contains(published), "{published} is missing in\n{shown}");
    }
}

/// Returns the text with another number after each `option=`.
fn with_number(text: &str, option: &str, number: u32) -> String {
    let mut parts = text.split(option);
    let mut changed = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        changed.push_str(&format!("{option}{number}{rest}"));
    }
    changed
}

/// One game of each of the first two rows, with short searches.
#[test]
fn every_experiment_that_is_shipped_can_be_played() {
    let desk = Desk::new();
    let mut played = 0;
    for entry in std::fs::read_dir(repository("experiments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace("mcts-belej:", "mcts-belej:iterations=1,");
        let text = text.replace("\"dice\"", "\"dice:nodes=1\"");
        let quick = with_number(&with_number(&text, "iterations=", 20), "nodes=", 50);
        std::fs::write(desk.path("quick.toml"), &quick).unwrap();
        let out = format!("out-{played}");
        let mut args = vec!["experiment", "run", "quick.toml", "--games", "1", "--out", &out];
        let rows: Vec<&str> = quick.split("[[row]]\nlabel = \"").skip(1).take(2).collect();
        rows.iter().for_each(|row| args.extend(["--row", row.split('"').next().unwrap()]));
        if rows.iter().any(|row| row.contains("{time}")) {
            args.extend(["--move-time", "1"]);
        }
        let printed = desk.done(&args);
        assert!(!printed.contains("not counted"), "{}: {printed}", path.display());
        let lines = read(&desk, &format!("{out}/games.ndjson")).lines().count();
        assert_eq!(lines, 1 + rows.len(), "{}: {printed}", path.display());
        played += 1;
    }
    assert!(played > 15, "{played}");
}

#[test]
fn figures_are_printed_beside_the_published_ones_and_saved() {
    let desk = desk();
    let ran = desk.done(&["experiment", "run", "small.toml", "--out", "out"]);
    for expected in ["random/random", "random/search", "82", "even", "odd", "ours is higher"] {
        assert!(ran.contains(expected), "{expected:?} is missing in\n{ran}");
    }
    assert!(!ran.contains("artial") && !ran.contains('\u{1b}'), "{ran}");
    let lines = csv(&desk, "out/results.csv");
    let figure = |row: &str, statistic: &str, starts: &str| {
        let same = |line: &&std::collections::BTreeMap<String, String>| {
            line["row"] == row && line["statistic"] == statistic && line["starts"] == starts
        };
        lines.iter().find(same).unwrap_or_else(|| panic!("{row}, {statistic}, {starts}"))
    };
    let all = figure("random/random", "win-percent", "all");
    assert_eq!((all["number"].as_str(), all["source"].as_str()), ("6", "82"));
    let number = |line: &std::collections::BTreeMap<String, String>| -> u32 {
        line["number"].parse().unwrap()
    };
    let parts =
        ["even", "odd"].map(|starts| number(figure("random/random", "win-percent", starts)));
    assert_eq!(parts.iter().sum::<u32>(), 6);
    let share: f64 = all["ours"].parse().unwrap();
    let (low, high): (f64, f64) = (all["low_95"].parse().unwrap(), all["high_95"].parse().unwrap());
    assert!(low <= share && share <= high && low >= 0.0 && high <= 100.0);
    // The mean and its count are over the games that the detectives won.
    let wins = (share * 6.0 / 100.0).round() as u32;
    let round = figure("random/random", "mean-winning-round", "all");
    assert_eq!((number(round), round["source_peaks"].as_str()), (wins, "7 13"));
    let counts = round["distribution"].split(' ').map(|count| count.split_once(':').unwrap().1);
    assert_eq!(counts.map(|count| count.parse::<u32>().unwrap()).sum::<u32>(), wins);
    assert!(ran.contains("random/random: detectives win in round") && ran.contains("results.svg"));
    let drawing = read(&desk, "out/results.svg");
    assert!(drawing.starts_with("<svg ") && drawing.contains("win in round, "), "{drawing}");
    let search = figure("random/search", "seconds-a-search", "all");
    assert!(number(search) > 0 && search["source_more_than"] == "60", "{search:?}");
    assert_eq!(figure("random/search", "win-percent", "all")["verdict"], "higher");
    assert_eq!((all["seed"].as_str(), all["move_ms"].as_str()), ("1", ""));
    assert_eq!(all["bots"], "random:seed=1 - random:seed=2");
    let markdown = read(&desk, "out/results.md");
    assert!(markdown.starts_with("# small: A small one\n"), "{markdown}");
    assert!(markdown.contains("| random/search |"), "{markdown}");
    assert!(markdown.contains("](results.svg)") && markdown.contains("7, 13 |"), "{markdown}");
    assert_eq!(read(&desk, "out/games.ndjson").lines().count(), 1 + 12);
}

/// Games of rows with fixed seats have the same names.
#[test]
fn the_decisions_of_two_rows_are_searched_again() {
    let desk = Desk::new();
    let again = ["random/random", "random/search"].map(|of| {
        format!(
            "[[row]]\nlabel = \"again {of}\"\ndecisions_of = \"{of}\"\nseconds_a_game = 0.1\n\
             bot = \"mcts-sova:iterations=5\"\n\
             figures = [{{ statistic = \"seconds-a-search\", seat = \"detectives\" }}]\n"
        )
    });
    std::fs::write(desk.path("again.toml"), format!("{SMALL}\n{}", again.concat())).unwrap();
    desk.done(&["experiment", "run", "again.toml", "--games", "2", "--out", "out"]);
    let games: Vec<Value> = events(&read(&desk, "out/games.ndjson"));
    let mut rows: Vec<&str> = games.iter().filter_map(|game| game["row"].as_str()).collect();
    rows.sort_unstable();
    let expected = ["again random/random", "again random/search", "random/random", "random/search"];
    assert_eq!(rows, expected.map(|row| [row, row]).concat());
}

#[test]
fn a_run_goes_on_where_it_was() {
    let desk = desk();
    let run = |games: &str, out: &str| {
        desk.done(&["experiment", "run", "small.toml", "--games", games, "--out", out])
    };
    run("2", "steps");
    // A game that was being written when a run was killed is played again.
    let path = desk.path("steps/games.ndjson");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 20]).unwrap();
    let ran = run("6", "steps");
    assert!(ran.contains("3 games played before"), "{ran}");
    run("6", "once");
    let without_times = |out: &str| -> Vec<Value> {
        let mut games: Vec<Value> = events(&read(&desk, &format!("{out}/games.ndjson")));
        for game in &mut games {
            game.as_object_mut().unwrap().remove("searches");
        }
        games.sort_by_key(|game| (game["row"].to_string(), game["number"].as_u64()));
        games
    };
    assert_eq!(without_times("steps"), without_times("once"));
    let again = run("6", "steps");
    assert!(again.contains("12 games played before"), "{again}");
    let refused = desk.run(&[
        "experiment",
        "run",
        "small.toml",
        "--games",
        "6",
        "--seed",
        "2",
        "--out",
        "steps",
    ]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(refused.stderr.contains("--seed was 1 and is now 2"), "{refused:#?}");
}

#[test]
fn events_for_a_program_tell_games_and_figures() {
    let desk = desk();
    let args =
        ["experiment", "run", "small.toml", "--games", "3", "--row", "RANDOM/random", "--json"];
    let events = events(&desk.done(&args));
    assert_eq!(events_of(&events, "experiment_started").len(), 1);
    let games = events_of(&events, "game_ended");
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(|game| game["row"] == "random/random" && game["even"].is_u64()));
    let [row] = events_of(&events, "row_ended")[..] else { panic!("one row") };
    assert_eq!((&row["games_counted"], &row["partial"]), (&3.into(), &false.into()));
    let won: f64 = games.iter().filter_map(|game| game["points"]["detectives"].as_f64()).sum();
    assert!((row["figures"][0]["ours"].as_f64().unwrap() - 100.0 * won / 3.0).abs() < 1e-9);
    let figures = row["figures"].as_array().unwrap();
    let with_peaks = |figure: &&Value| figure["source_peaks"] == serde_json::json!([7, 13]);
    let rounds = &figures.iter().find(with_peaks).unwrap()["distribution"];
    let counts = rounds.as_object().unwrap().values().filter_map(Value::as_f64);
    assert_eq!(counts.sum::<f64>(), won);
    let [ended] = events_of(&events, "experiment_ended")[..] else { panic!("one end") };
    assert_eq!((&ended["interrupted"], &ended["whole"]), (&false.into(), &true.into()));
}

#[test]
fn an_interrupted_run_prints_what_was_played_as_partial() {
    let desk = desk();
    let args = ["experiment", "run", "small.toml", "--games", "1000000", "--json", "--out", "out"];
    let mut child = desk.command(&args).spawn().expect("botyard starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    for _ in 0..4 {
        stdout.read_line(&mut text).expect("a line");
    }
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, Signal::INT).expect("botyard runs");
    stdout.read_to_string(&mut text).expect("text");
    let ran = finish(child);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let events = events(&text);
    let rows = events_of(&events, "row_ended");
    assert_eq!((rows.len(), &rows[0]["partial"]), (2, &true.into()));
    assert_eq!(events_of(&events, "experiment_ended")[0]["interrupted"], true);
    let games = events_of(&events, "game_ended").len();
    assert_eq!(rows[0]["games_counted"], games);
    assert_eq!(read(&desk, "out/games.ndjson").lines().count(), 1 + games);
    let markdown = read(&desk, "out/results.md");
    assert!(markdown.contains("PARTIAL") && markdown.contains("random/random (partial)"));
}

#[test]
fn wrong_usage_says_what_would_be_right() {
    let desk = desk();
    std::fs::write(desk.path("bad.toml"), SMALL.replace("games = 6", "game_s = 6")).unwrap();
    std::fs::write(desk.path("bot.toml"), SMALL.replace("mcts-sova:", "mcts-sovo:")).unwrap();
    for (args, expected) in [
        (&["belej-5.2"][..], "did you mean belej-5.1?"),
        (&["none.toml"], "none.toml cannot be read"),
        (&["bad.toml"], "unknown field `game_s`"),
        (&["bot.toml"], "did you mean mcts-sova?"),
        (&["small.toml", "--row", "random/serach"], "did you mean random/search?"),
        (&["small.toml", "--move-time", "5"], "--move-time: no bot of small has a time limit"),
        (&["small.toml", "--games", "0"], "0 is not in 1..="),
        (&["small.toml", "--out", "small.toml"], "small.toml is not a directory"),
    ] {
        let ran = desk.run(&[&["experiment", "run"], args].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {ran:#?}");
    }
}

/// Every search of a position finds the same value, whatever its algorithm, order and table.
#[test]
fn searches_of_the_same_positions_find_the_same_values() {
    let desk = Desk::new();
    for (name, games) in
        [("janacek-searches", "3"), ("janacek-first-guess", "3"), ("horak-chance", "1")]
    {
        let args = ["experiment", "run", name, "--games", games, "--json"];
        let events = events(&desk.done(&args));
        let rows = events_of(&events, "row_ended");
        assert!(rows.len() > 4, "{name}");
        let mut values = std::collections::BTreeMap::new();
        for game in events_of(&events, "game_ended") {
            let searches = game["searches"].as_object().unwrap().values();
            let value: f64 = searches.clone().map(|its| its["score"].as_f64().unwrap()).sum();
            let count: u64 = searches.map(|its| its["count"].as_u64().unwrap()).sum();
            let first = *values.entry(game["number"].as_u64()).or_insert((value, count));
            assert_eq!((value, count), first, "{name}, {}", game["row"]);
        }
        for row in &rows[1..] {
            let ratio = &row["figures"][1];
            assert!(ratio["statistic"] == "nodes-ratio" && ratio["ours"].is_f64(), "{row}");
        }
    }
}
