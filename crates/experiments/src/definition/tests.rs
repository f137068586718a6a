//! What a definition says, and what is refused in one.

use super::*;

const GOOD: &str = r#"
name = "small-1"
title = "A small one"
source = "unpublished"
about = "What it is about."
unclear = ""
game = "scotland-yard"
preset = "grid-5x5-2"
games = 10
move_ms = 100

[rules]
limit = 30

[[row]]
label = "A/B"
bots = { mr-x = "random", detectives = "mcts-sova:time={time}" }
rules = { x_onto_detective = "illegal", reveals = [3, 8] }
seconds_a_game = 2.5
figures = [{ statistic = "win-percent", seat = "detectives", value = 50, games = 100 }]

[[row]]
label = "B/A"
bots = { mr-x = "mcts-sova:time={time}", detectives = "random" }
preset = "grid-7x7-3"
games = 4
seconds_a_game = 1.0
figures = [{ statistic = "seconds-a-search", seat = "mr-x", more_than = 180 }]
"#;

#[test]
fn rows_take_what_they_do_not_say_from_the_experiment() {
    let read = Experiment::read("small.toml", GOOD).unwrap();
    let [first, second] = &read.rows[..] else { panic!("two rows") };
    let seats = ["mr-x".to_string(), "detectives".to_string()];
    assert_eq!(first.line_ups(&seats), [["random", "mcts-sova:time={time}"]]);
    assert_eq!(second.line_ups(&seats), [["mcts-sova:time={time}", "random"]]);
    assert_eq!(read.timed("mcts-sova:time={time}", None), "mcts-sova:time=100");
    assert_eq!(read.timed("mcts-sova:time={time}", Some(7)), "mcts-sova:time=7");
    assert_eq!((read.games_of(first), read.games_of(second)), (10, 4));
    assert_eq!((read.preset_of(first), read.preset_of(second)), ("grid-5x5-2", "grid-7x7-3"));
    let changes: Vec<String> =
        read.changes_of(first).iter().map(|(rule, value)| format!("{rule}={value}")).collect();
    assert_eq!(changes, ["limit=30", "reveals=[3,8]", "x_onto_detective=illegal"]);
    assert_eq!(read.seconds(), 10.0 * 2.5 + 4.0);
    assert_eq!(read.row("b/a").unwrap().label, "B/A");
    assert!(read.row("B/C").unwrap_err().contains("its rows are A/B, B/A"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (right, wrong, expected) in [
        ("title = ", "titel = ", "unknown field `titel`"),
        ("games = 10", "", "missing field `games`"),
        ("games = 10", "games = \"ten\"", "expected u32"),
        ("games = 10", "games = 0", "row \"A/B\", games: expected 1 to"),
        ("name = \"small-1\"", "name = \"Small 1\"", "name: expected lower-case letters"),
        ("about = \"What it is about.\"", "about = \" \"", "about: expected text"),
        ("scotland-yard", "scotland-yart", "did you mean scotland-yard?"),
        ("preset = \"grid-5x5-2\"", "preset = \"grid-5x5\"", "did you mean grid-5x5-2?"),
        ("limit = 30", "limt = 30", "did you mean limit?"),
        ("limit = 30", "limit = 0", "rule limit: 0 is out of range"),
        ("label = \"B/A\"", "label = \"a/b\"", "row 2: expected a unique label"),
        ("bots = { mr-x", "bots = { mrx", "there is no seat \"mrx\" (did you mean mr-x?)"),
        ("move_ms = 100", "", "{time} is replaced by move_ms, which is not set"),
        ("move_ms = 100", "move_ms = 0", "expected 1 or more, got 0"),
        ("move_ms = 100", "move_ms = 100\nbank_ms = 0", "bank_ms: expected 1 or more, got 0"),
        ("move_ms = 100", "move_ms = 100\nincrement_ms = 5", "expected bank_ms beside it"),
        (
            "seat = \"detectives\"",
            "seat = \"detectives\", bot = \"random\"",
            "as every seat keeps its bot, got both",
        ),
        ("value = 50", "value = 150", "expected a figure from 0 to 100, got 150"),
        ("value = 50", "value = 50, more_than = 3", "expected value or more_than, got both"),
        ("games = 100 }", "games = 0 }", "expected games of 1 or more, got 0"),
        ("games = 100 }", "peaks = [7] }", "expected peaks only for mean-winning-round"),
        ("\"win-percent\"", "\"wins\"", "unknown variant `wins`, expected one of"),
        ("seat = \"detectives\"", "seat = \"thief\"", "there is no seat \"thief\""),
        ("seconds_a_game = 2.5", "seconds_a_game = -1.0", "seconds_a_game: expected 0 or more"),
        ("[[row]]", "[[rows]]", "unknown field `rows`"),
    ] {
        assert!(GOOD.contains(right), "{right}");
        let text = GOOD.replacen(right, wrong, 1);
        let error = Experiment::read("small.toml", &text).expect_err(wrong).to_string();
        assert!(error.starts_with("small.toml"), "{error}");
        assert!(error.contains(expected), "{wrong}: {error}");
    }
    let error = Experiment::read("small.toml", "name = \"x\"\ngames = ten\n").unwrap_err();
    assert!(error.to_string().contains("line 2"), "{error}");
}

#[test]
fn a_row_without_a_bot_for_every_seat_is_refused() {
    let text = GOOD.replace("mr-x = \"random\", ", "");
    let error = Experiment::read("small.toml", &text).unwrap_err().to_string();
    assert!(error.contains("a bot for each of 2 seats (mr-x, detectives), got none for mr-x"));
    let text = &GOOD[..GOOD.find("[[row]]").unwrap()];
    let error = Experiment::read("small.toml", &format!("row = []\n{text}")).unwrap_err();
    assert!(error.to_string().contains("expected a [[row]] or more"), "{error}");
}

const POSITIONS: &str = r#"
name = "positions-1"
title = "A search of positions"
source = "unpublished"
about = "What it is about."
unclear = ""
game = "draughts"
preset = "english"
games = 2
openings = ["W:W18:B15", "11-15 23-19", '{"ballot":12}']

[rules]
max_plies = 1

[[row]]
label = "first"
bot = "mtdf-2007:depth=2"
seconds_a_game = 0.1
figures = [{ statistic = "nodes-a-search" }]

[[row]]
label = "second"
bot = "mtdf-2007:depth=3"
seconds_a_game = 0.1
figures = [
    { statistic = "nodes-ratio", to = "first" },
    { statistic = "score-a-search", seat = "white", value = -0.5 },
]
"#;

#[test]
fn a_row_of_positions_has_one_bot_and_figures_of_all_its_searches() {
    let read = Experiment::read("positions.toml", POSITIONS).unwrap();
    let seats = ["black".to_string(), "white".to_string()];
    assert_eq!(read.rows[0].line_ups(&seats), [["mtdf-2007:depth=2"; 2]]);
    let figures = |row: &Row| row.figures.iter().map(Published::in_words).collect::<Vec<_>>();
    assert_eq!(figures(&read.rows[0]), ["nodes a search"]);
    assert_eq!(figures(&read.rows[1]), ["nodes / those of first", "white: score"]);
    for (right, wrong, expected) in [
        ("W:W18:B15", "W:W18:B99", "openings: opening 1, \"W:W18:B99\": "),
        ("11-15 23-19", "11-14 23-19", "opening 2, \"11-14 23-19\": "),
        ("W:W18:B15", "1\\n2", "expected one opening, got 2"),
        ("\"first\" },", "\"frist\" },", "did you mean first?"),
        ("nodes-ratio\", to = \"first\"", "nodes-ratio\"", "the row to compare with, got none"),
        ("nodes-ratio", "nodes-a-search", "expected `to` only with a ratio, got \"first\""),
        ("statistic = \"nodes-a-search\"", "statistic = \"win-percent\"", "a seat or a bot"),
        (
            "bot = \"mtdf-2007:depth=2\"",
            "bot = \"random\"\nbots = { black = \"random\" }",
            "a bot for each seat or one for all, got both",
        ),
        (
            "bot = \"mtdf-2007:depth=2\"",
            "bot = \"random\"\nentrants = [\"random\"]",
            "bots for the seats or entrants, got both",
        ),
    ] {
        assert!(POSITIONS.contains(right), "{right}");
        let text = POSITIONS.replacen(right, wrong, 1);
        let error = Experiment::read("positions.toml", &text).expect_err(wrong).to_string();
        assert!(error.contains(expected), "{wrong}: {error}");
    }
}

const ENTRANTS: &str = r#"
name = "dice-1"
title = "Four of six"
source = "unpublished"
about = "What it is about."
unclear = ""
game = "dice-wars"
preset = "sui-2021"
games = 24

[[row]]
label = "all"
always = ["dw-sdc"]
entrants = ["dw-stei", "dw-ste", "dw-rand", "random"]
seconds_a_game = 0.1
figures = [{ statistic = "win-percent", bot = "dw-sdc", value = 40, games = 100 }]
"#;

#[test]
fn entrants_make_every_line_up_once() {
    let read = Experiment::read("dice.toml", ENTRANTS).unwrap();
    let seats: Vec<String> = (1..=4).map(|number| format!("player-{number}")).collect();
    let line_ups = read.rows[0].line_ups(&seats);
    assert_eq!(
        line_ups,
        [
            ["dw-sdc", "dw-stei", "dw-ste", "dw-rand"],
            ["dw-sdc", "dw-stei", "dw-ste", "random"],
            ["dw-sdc", "dw-stei", "dw-rand", "random"],
            ["dw-sdc", "dw-ste", "dw-rand", "random"],
        ]
    );
}

#[test]
fn entrants_that_make_no_line_up_are_refused() {
    for (right, wrong, expected) in [
        ("always = [", "bots = { player-1 = \"random\" }\nalways = [", "got both"),
        (", \"dw-ste\", \"dw-rand\", \"random\"", "", "got 1 of 2"),
        ("[\"dw-sdc\"]", "[\"a\", \"b\", \"c\", \"d\"]", "got 4 of 8"),
        ("\"dw-ste\"", "\"dw-sdc\"", "expected every bot once, got dw-sdc again"),
        ("bot = \"dw-sdc\"", "bot = \"dw-sdd\"", "(did you mean dw-sdc?) is in this row"),
        ("bot = \"dw-sdc\",", "", "expected a seat or a bot"),
        (
            "bot = \"dw-sdc\"",
            "bot = \"dw-sdc\", seat = \"player-5\"",
            "there is no seat \"player-5\"",
        ),
    ] {
        assert!(ENTRANTS.contains(right), "{right}");
        let text = ENTRANTS.replacen(right, wrong, 1);
        let error = Experiment::read("dice.toml", &text).expect_err(wrong).to_string();
        assert!(error.contains(expected), "{wrong}: {error}");
    }
}

#[test]
fn a_row_may_search_the_decisions_of_a_row_with_as_many_games() {
    const ROW: &str = r#"
[[row]]
label = "C"
decisions_of = "A/B"
bot = "mcts-sova:iterations=5"
seconds_a_game = 1.0
figures = [{ statistic = "seconds-a-search", seat = "detectives" }]
"#;
    let read = |row: &str| Experiment::read("small.toml", &format!("{GOOD}{row}"));
    assert_eq!(read(ROW).unwrap().rows[2].decisions_of.as_deref(), Some("A/B"));
    for (right, wrong, expected) in [
        ("\"A/B\"", "\"B/A\"", "decisions_of: expected a row with as many games, got \"B/A\""),
        ("\"A/B\"", "\"A/A\"", "small-1 has no row \"A/A\""),
        ("seconds-a-search", "nodes-a-search", "expected figures of the seconds of searches alone"),
        ("bot = ", "bots.mr-x = \"random\"\nbots.detectives = ", "expected `bot`, which searches"),
    ] {
        let error = read(&ROW.replace(right, wrong)).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}
