//! Adjudicated games: `--draw`, `--resign` and `--egdb` of `match` and `test`, and the section of a
//! tournament file.

use crate::command::{Desk, events};
use std::fs;

const MATCH: [&str; 9] = [
    "match",
    "draughts",
    "alpha-beta:depth=2",
    "mtdf-2007:depth=2",
    "--seed",
    "4",
    "-n",
    "6",
    "-j1",
];

#[test]
fn games_end_by_reported_scores_and_verify() {
    let desk = Desk::new();
    let rules = [
        "--resign",
        "movecount=2",
        "score=1.5",
        "--draw",
        "movenumber=8",
        "movecount=3",
        "score=0.3",
    ];
    let out = ["--out", "r"];
    let said = desk.done(&[&MATCH[..], &rules, &out].concat());
    for expected in [
        "adjudicated by draw movenumber=8 movecount=3 score=0.3; resign movecount=2 score=1.5",
        "ended by: adjudicated_",
        "adjudicated by: ",
    ] {
        assert!(said.contains(expected), "{expected:?} is missing in\n{said}");
    }
    let mut adjudicated = 0;
    for replay in desk.replays("r") {
        let replay = replay.to_str().unwrap();
        let verified = desk.done(&["replay", "verify", replay]);
        let shown = desk.done(&["replay", "show", replay]);
        assert!(shown.contains("  adjudicated by: draw movenumber=8"), "{shown}");
        let is_adjudicated = verified.contains("adjudicated_");
        assert_eq!(shown.contains("\nadjudicated: "), is_adjudicated, "{shown}");
        adjudicated += u32::from(is_adjudicated);
    }
    assert!(adjudicated > 0);

    // The same games without the rules: no word of them, and the same decisions up to the end.
    desk.done(&[&MATCH[..], &["--out", "off"]].concat());
    for (on, off) in desk.replays("r").iter().zip(desk.replays("off")) {
        let lines = |path| {
            let text = fs::read_to_string(path).unwrap();
            let of_moves = text.lines().filter(|line| line.starts_with("{\"type\":\"move\""));
            let body = |line: &str| line.split(",\"info\"").next().unwrap().to_string();
            (text.contains("adjudicat"), of_moves.map(body).collect::<Vec<_>>())
        };
        let ((_, on), (mentions, off)) = (lines(on.clone()), lines(off));
        assert!(!mentions && off.starts_with(&on));
    }

    let said = desk.done(&[&MATCH[..], &rules, &["--json"]].concat());
    let events = events(&said);
    assert_eq!(events[0]["adjudication"]["resign"]["score"], 1.5);
    let reasons = &events.last().unwrap()["reasons"];
    let by_rule = |rule: &str| reasons[format!("adjudicated_{rule}")].as_u64().unwrap_or(0);
    assert_eq!(by_rule("draw") + by_rule("resign"), u64::from(adjudicated));
}

#[test]
fn games_end_by_endgame_tables() {
    let desk = Desk::new();
    fs::write(desk.path("start"), "{\"fen\":\"W:WK32,K31:BK1\"}\n").unwrap();
    let game = ["match", "draughts", "random", "random", "--opening", "start", "--fixed-seats"];
    let game = |egdb, out| [&game[..], &["--seed", "1", egdb, "--out", out]].concat();
    let ran = desk.run(&game("--egdb", "none"));
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(
        ran.stderr.contains("--egdb: there are no endgame tables; `botyard egdb build`"),
        "{ran:#?}"
    );
    desk.done(&["egdb", "build", "--pieces", "3", "--out", "three.egdb"]);
    let said = desk.done(&game("--egdb=three.egdb", "r"));
    assert!(said.contains("adjudicated_egdb after 1 move"), "{said}");
    let replay = desk.replays("r")[0].to_str().unwrap().to_string();
    let text = fs::read_to_string(&replay).unwrap();
    assert!(text.contains("\"adjudication\":{\"egdb\":{\"pieces\":3}}"), "{text}");
    assert!(text.contains("\"adjudicated\":\"egdb\""), "{text}");
    desk.done(&["replay", "verify", &replay, "--egdb", "three.egdb"]);
    desk.done(&["replay", "show", &replay]);
    desk.done(&["replay", "view", &replay, "-o", "page.html"]);
    let ran = desk.run(&["replay", "verify", &replay]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("which are needed to verify it"), "{ran:#?}");
    // A copy for a seat is not played through, so that it needs none.
    desk.done(&["replay", "export", &replay, "--seat", "black", "-o", "black.ndjson"]);
    desk.done(&["replay", "verify", "black.ndjson"]);
}

#[test]
fn a_tournament_keeps_to_the_endgame_tables_that_it_began_with() {
    let desk = Desk::new();
    let file = "game = \"draughts\"\nseed = 3\nblocks = 1\n[time]\nmove_ms = 30000\n\
                [adjudication]\negdb = true\n\
                [[bot]]\ncommand = \"random\"\n[[bot]]\ncommand = \"greedy\"\n";
    fs::write(desk.path("cup.toml"), file).unwrap();
    desk.done(&["egdb", "build", "--pieces", "3"]);
    desk.done(&["tournament", "run", "cup.toml"]);
    desk.done(&["tournament", "resume", "cup.tournament"]);
    desk.done(&["egdb", "build", "--pieces", "2"]);
    for args in [
        &["tournament", "resume", "cup.tournament"][..],
        &["tournament", "rejudge", "cup.tournament", "--reason", "test"],
        &["tournament", "extend", "cup.tournament"],
    ] {
        let ran = desk.run(args);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        let expected =
            "adjudication.egdb: the tournament began with endgame tables of up to 3 pieces";
        assert!(ran.stderr.contains(expected), "{ran:#?}");
    }
}

#[test]
fn a_rule_that_cannot_be_used_is_a_usage_error() {
    let desk = Desk::new();
    for (args, expected) in [
        (
            &["draughts", "random", "random", "--draw", "movecount=0", "score=1"][..],
            "movecount: expected",
        ),
        (&["draughts", "random", "random", "--draw", "movecount=2"], "score= is missing"),
        (
            &["draughts", "random", "random", "--resign", "movecount=2", "score=-1"],
            "score: expected",
        ),
        (
            &["draughts", "random", "random", "--resign", "movecount=2", "score=1", "twosided=x"],
            "twosided: expected",
        ),
        (&["draughts", "random", "random", "--resign", "2"], "expected movecount=N score=S"),
        (
            &["scotland-yard", "random", "random", "--resign", "movecount=2", "score=1"],
            "--resign: games can be adjudicated that have two seats",
        ),
        (
            &["dice-wars", "random", "random", "--draw", "movecount=2", "score=1"],
            "--draw: games can be",
        ),
        (&["connect-four", "random", "random", "--egdb=none.egdb"], "there is no file none.egdb"),
    ] {
        let ran = desk.run(&[&["match"], args].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {ran:#?}");
    }
}

#[test]
fn a_tournament_and_a_test_have_the_same_rules() {
    let desk = Desk::new();
    let file = |rule: &str| {
        format!(
            "game = \"draughts\"\nseed = 3\nblocks = 1\n[time]\nmove_ms = 30000\n[adjudication]\n{rule}\n\
             [[bot]]\nname = \"a\"\ncommand = \"alpha-beta\"\noptions.depth = 2\n\
             [[bot]]\nname = \"b\"\ncommand = \"mtdf-2007\"\noptions.depth = 2\n"
        )
    };
    for (rule, expected) in [
        ("resign = \"movecount=0 score=1\"", "line 7: adjudication.resign: movecount: expected"),
        ("resing = 1", "line 7"),
        ("egdb = true", "adjudication.egdb: there are no endgame tables"),
    ] {
        fs::write(desk.path("bad.toml"), file(rule)).unwrap();
        let ran = desk.run(&["tournament", "run", "bad.toml"]);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{expected}: {ran:#?}");
    }
    fs::write(desk.path("cup.toml"), file("resign = \"movecount=1 score=0.01\"")).unwrap();
    let said = desk.done(&["tournament", "run", "cup.toml"]);
    assert!(said.contains("\nadjudicated by: resign 2\n"), "{said}");
    let said = desk.done(&["tournament", "check", "cup.tournament"]);
    assert!(said.contains("no difference"), "{said}");

    let bots = ["test", "alpha-beta:depth=2", "mtdf-2007:depth=2"];
    let games = ["--game", "draughts", "--max-games", "2", "--seed", "1"];
    let rule = ["--resign", "movecount=1", "score=0.01"];
    let ran = desk.run(&[&bots[..], &games, &rule].concat());
    assert!(ran.stdout.contains("\nadjudicated by: resign "), "{ran:#?}");
}
