//! Wrong usage: exit code 2, and the right usage on standard error.

use crate::command::Desk;

#[test]
fn wrong_usage_is_answered_with_what_to_write() {
    let desk = Desk::new();
    std::fs::write(desk.path("mine.py"), "").unwrap();
    std::fs::write(desk.path("bad.json"), "{\"mr_x\": \n").unwrap();
    std::fs::write(desk.path("other.json"), "{\"white\": [1]}\n").unwrap();
    std::fs::create_dir(desk.path("full")).unwrap();
    std::fs::create_dir(desk.path("sh bots")).unwrap();
    std::fs::write(desk.path("sh bots/my bot"), "").unwrap();
    std::fs::write(desk.path("full/old.ndjson"), "").unwrap();
    let game = &["match", "scotland-yard", "greedy", "random"][..];
    let cases: &[(&[&str], &[&str], &str)] = &[
        (&[], &[], "Usage: botyard"),
        (&["mtach"], &[], "'match'"),
        (&["match"], &[], "Usage: botyard match"),
        (&["match", "scotland-yard"], &[], "<BOT>"),
        (&["match", "scotland-yrad", "greedy", "random"], &[], "did you mean scotland-yard?"),
        (&["match", "chess", "greedy", "random"], &[], "the games are scotland-yard"),
        (&["match", "scotland-yard", "gredy", "random"], &[], "did you mean greedy?"),
        (
            &["match", "scotland-yard", "greedy"],
            &[],
            "2 seats (mr-x, detectives): expected a bot for each, got 1",
        ),
        (&["match", "scotland-yard", "greedy", "mine.py"], &[], "did you mean ./mine.py?"),
        (&["match", "scotland-yard", "greedy", "./mine.py"], &[], "try `chmod +x ./mine.py`"),
        (&["match", "scotland-yard", "greedy", "./yours.py"], &[], "there is no file ./yours.py"),
        (&["match", "scotland-yard", "greedy", "./full"], &[], "is a directory"),
        (
            &["match", "scotland-yard", "greedy", "sh bots/my bot"],
            &[],
            "/sh; quote it: 'sh bots/my bot'",
        ),
        (
            &["match", "scotland-yard", "greedy", "~/no-such-bot"],
            &[],
            "commands run without a shell, which would replace ~",
        ),
        (&["match", "scotland-yard", "greedy", "random:sed=1"], &[], "did you mean seed?"),
        (game, &["--games", "0"], "expected a number from 1 to 10000000"),
        (game, &["--games", "many"], "invalid value 'many'"),
        (game, &["--game", "2"], "'--games'"),
        (game, &["--seed", "-1"], "unexpected argument"),
        (game, &["--rules", "bristl"], "did you mean bristol?"),
        (game, &["--rule", "detectives"], "expected KEY=VALUE, such as detectives=4"),
        (game, &["--rule", "detective=3"], "did you mean detectives?"),
        (game, &["--rule", "detectives=many"], "rule detectives: "),
        (game, &["--rule", "detectives=9"], "detectives"),
        (game, &["--rule", "seats=pawns"], "6 seats (mr-x, detective-1"),
        (game, &["--clock", "sun"], "[possible values: wall, cpu]"),
        (game, &["--sandbox", "iron"], "[possible values: auto, strict, none]"),
        (game, &["--memory", "1"], "1 is not in 8..="),
        (game, &["--read", "no/such/file"], "--read no/such/file: "),
        (game, &["--on-fault", "ignore"], "forfeit, retry, substitute"),
        (game, &["--move-time", "0"], "expected a time per move of at least 1 ms"),
        (game, &["--move-time", "0.5"], "no whole number of milliseconds: is it 0.5s?"),
        (
            game,
            &["--move-time", "gredy=40"],
            "--move-time gredy=40: no bot of this match is called",
        ),
        (game, &["--bank", "gredy=40"], "did you mean greedy?"),
        (game, &["--move-time", "9", "greedy=1", "greedy=2"], "one time for greedy, got two"),
        (game, &["--move-time", "greedy=soon"], "greedy: expected milliseconds"),
        (game, &["--move-time", "greedy=0"], "greedy: expected a time per move of at least 1 ms"),
        (game, &["--bank", "5 min"], "such as 500ms, 1.5s or 2m"),
        (game, &["--start-time", "2h"], "such as 500ms, 1.5s or 2m"),
        (game, &["--setup-time", "61m"], "expected 1 to 3600000 ms, got 3660000 ms"),
        (&["check", "greedy", "--move-time", "0s"], &[], "expected 1 to 86400000 ms, got 0 ms"),
        (game, &["--bank", "0"], "see --move-time, --bank, --increment and --grace"),
        (game, &["--opening", "none.json"], "none.json cannot be read"),
        (game, &["--opening", "bad.json"], "got the end of the file (opening 1)"),
        (game, &["--opening", "other.json"], "other.json, line 1, opening 1: not an opening"),
        (game, &["--out", "full"], "the directory full is not empty"),
        (game, &["--out", "mine.py"], "mine.py is not a directory"),
        (game, &["--option", "x"], "expected BOT:KEY=VALUE"),
        (game, &["--option", "x:y=1"], "the bots are greedy, random"),
        (game, &["--concurrency", "0"], "0 is not in 1..="),
        (game, &["--freeze", "--ponder"], "cannot be used with '--ponder'"),
        (&["games", "scotland-yrad"], &[], "did you mean scotland-yard?"),
        (&["schema", "scotland-yard-veiw"], &[], "did you mean scotland-yard-view?"),
        (&["bridge"], &[], "Usage: botyard bridge"),
        (&["bridge", "hub"], &[], "<COMMAND>..."),
        (&["bridge", "hub", "--option", "x", "./engine"], &[], "expected NAME=VALUE"),
        (&["bridge", "dxp"], &[], "<HOST:PORT>"),
        (&["bridge", "dxp", "--listen", "1", "host:2"], &[], "cannot be used with"),
        (&["bridge", "uci", "./engine"], &[], "similar subcommand exists: 'uci-like'"),
        (&["replay"], &[], "Usage: botyard replay"),
        (&["replay", "verify"], &[], "<FILE>"),
        (&["import", "scotland-yrad", "mine.py", "--check"], &[], "did you mean scotland-yard?"),
        (&["bot", "gredy"], &[], "did you mean greedy?"),
    ];
    for (args, more, expected) in cases {
        let args = [*args, *more].concat();
        let ran = desk.run(&args);
        let line = format!("botyard {}", args.join(" "));
        assert_eq!(ran.code, Some(2), "{line}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{line}: expected {expected:?}: {ran:#?}");
        assert_eq!(ran.stdout, "", "{line}: errors go to standard error");
    }
    assert!(!desk.path("replays").exists(), "nothing is made before all is known to be right");
}

#[test]
fn what_the_host_cannot_do_has_a_code_of_its_own() {
    let desk = Desk::new();
    let args = ["match", "scotland-yard", "greedy", "random", "--out", "/proc/self/replays"];
    let ran = desk.run(&args);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("replays cannot be written to /proc/self/replays"), "{ran:#?}");
}

#[test]
fn the_help_of_every_verb_has_an_example() {
    let desk = Desk::new();
    for verb in ["match", "games", "bots", "schema", "replay", "import", "perft"] {
        let help = desk.done(&[verb, "--help"]);
        assert!(help.contains("Example"), "{verb}: {help}");
        assert!(help.contains(&format!("botyard {verb}")), "{verb}: {help}");
    }
    let help = desk.done(&["--help"]);
    assert!(help.contains("match") && !help.contains("\n  bot "), "{help}");
    assert!(desk.done(&["--version"]).starts_with("botyard "));
}
