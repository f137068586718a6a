//! Valid tournament files, and the errors for invalid ones.

use super::*;

const GOOD: &str = r#"
name = "class of 2026"
game = "scotland-yard"
rules = "bristol"
seed = 18446744073709551615
format = "round-robin"
blocks = 10
openings = "starts.json"

[rule]
detectives = 4
reveals = [3, 8]
x_onto_detective = "illegal"

[time]
move_ms = 200
on_fault = "retry"

[run]
concurrency = 2
restart = true
legal = false

[gate]
against = ["random"]
blocks = 2
score = 0.25
checks = true
[[bot]]
name = "anna"
student_id = "s 0815"
command = "python3 bot.py --fast"
directory = "anna"
options = { depth = 3, book = "own.txt" }

[[bot]]
command = "greedy:seed=7"
"#;

fn read(text: &str) -> Result<TournamentFile, String> {
    TournamentFile::read("class.toml", "class", text).map_err(|problems| problems.to_string())
}

#[test]
fn everything_that_can_be_said_is_read() {
    let file = read(GOOD).unwrap();
    assert_eq!((file.name.as_str(), file.game.value.as_str()), ("class of 2026", "scotland-yard"));
    assert_eq!((file.game.line, file.rules.unwrap().line), (3, 4));
    assert_eq!((file.seed, file.blocks), (Some(u64::MAX), 10));
    assert_eq!(file.format.value, Format::RoundRobin { tables: None });
    let pair = |key: &str, value: &str| (key.to_string(), value.to_string());
    let rule =
        [pair("detectives", "4"), pair("reveals", "[3,8]"), pair("x_onto_detective", "illegal")];
    assert_eq!(file.rule, rule);
    assert_eq!((file.time.move_ms, file.time.bank_ms), (Some(200), None));
    let run = Run { concurrency: Some(2), restart: true, legal: false, ..Run::default() };
    assert_eq!(file.run, run);
    let contained =
        format!("{GOOD}\n[sandbox]\nmode = \"strict\"\nmemory_mib = 512\nread = [\"/opt\"]\n");
    let sandbox = read(&contained).unwrap().sandbox;
    assert_eq!((sandbox.mode.as_deref(), sandbox.memory_mib), (Some("strict"), Some(512)));
    assert_eq!((sandbox.read, sandbox.processes), (vec!["/opt".to_string()], None));
    let gate = file.gate.unwrap();
    assert_eq!((gate.against, gate.blocks, gate.score), (vec!["random".to_string()], 2, 0.25));
    assert!(gate.checks);
    let without = read(&GOOD.replace("checks = true", "")).unwrap().gate.unwrap();
    assert!(!without.checks, "a file of an earlier version means what it meant");
    let [anna, greedy] = &file.bots[..] else { panic!("two bots") };
    assert_eq!(anna.options, [pair("book", "own.txt"), pair("depth", "3")]);
    assert_eq!((anna.directory.as_deref(), anna.line), (Some("anna"), 29));
    assert_eq!((greedy.called(), greedy.line), ("greedy:seed=7", 36));
    assert_eq!((anna.student_id.as_deref(), greedy.student_id.as_deref()), (Some("s 0815"), None));
}

#[test]
fn the_id_of_a_student_is_a_short_text_of_a_bot_with_a_name() {
    let of = |lines: &str| {
        read(&format!(
            "game = \"draughts\"\n[[bot]]\ncommand = \"b\"\n[[bot]]\ncommand = \"a\"\n{lines}\n"
        ))
    };
    for (lines, line, expected) in [
        ("student_id = \"7\"", 6, "student_id needs a name of the bot"),
        ("name = \"a\"\nstudent_id = \"\"", 7, "student_id: expected 1 to 60 characters"),
        ("name = \"a\"\nstudent_id = \"\\u202e7\"", 7, "student_id: expected 1 to 60 characters"),
        ("name = \"a\"\nstudent_id = 7", 7, "bot.student_id: expected a text in quotes, got 7"),
    ] {
        let error = of(lines).unwrap_err();
        assert!(error.contains(&format!("line {line}: {expected}")), "{lines}: {error}");
    }
    // One student may enter several bots.
    of("name = \"a\"\nstudent_id = \"7\"\n[[bot]]\nname = \"c\"\nstudent_id = \"7\"\ncommand = \"c\"")
        .unwrap();
}

#[test]
fn a_bot_with_a_name_may_have_times_of_its_own() {
    let of = |lines: &str| {
        let others = "game = \"draughts\"\n[[bot]]\ncommand = \"b\"\n[[bot]]\ncommand = \"a\"";
        read(&format!("{others}\n{lines}\n")).map(|file| [0, 1].map(|bot| file.bots[bot].time))
    };
    let own = BotTimes { move_ms: Some(40), bank_ms: Some(9), increment_ms: Some(0) };
    let lines = "name = \"x\"\nmove_ms = 40\nbank_ms = 9\nincrement_ms = 0";
    assert_eq!(of(lines), Ok([BotTimes::default(), own]));
    for (lines, line, expected) in [
        ("move_ms = 40", 4, "a bot with times of its own needs a name"),
        ("name = \"x\"\nmove_ms = 0", 7, "bot.move_ms: expected a number from 1 to 3600000, got 0"),
    ] {
        let error = of(lines).unwrap_err();
        assert!(error.contains(&format!("line {line}: {expected}")), "{lines}: {error}");
    }
}

#[test]
fn a_short_file_is_enough() {
    let short = "game = \"draughts\"\n[[bot]]\ncommand = \"a\"\n[[bot]]\ncommand = \"b\"\n";
    let file = read(short).unwrap();
    assert_eq!((file.name.as_str(), file.seed, file.blocks), ("class", None, 1));
    assert_eq!((file.time, file.run, file.gate), (Time::default(), Run::default(), None));
}

#[test]
fn formats_have_keys_of_their_own() {
    let formatted = |lines: &str| {
        read(&GOOD.replace("format = \"round-robin\"", lines)).map(|file| file.format.value)
    };
    assert_eq!(formatted("format = \"knockout\""), Ok(Format::Knockout));
    assert_eq!(formatted("format = \"swiss\"\nrounds = 5"), Ok(Format::Swiss { rounds: 5 }));
    assert_eq!(formatted("tables = 9"), Ok(Format::RoundRobin { tables: Some(9) }));
    let gauntlet = formatted("format = \"gauntlet\"\nchallengers = [\"greedy:seed=7\"]");
    assert_eq!(gauntlet, Ok(Format::Gauntlet { challengers: vec![1] }));
    for (lines, expected) in [
        (
            "format = \"swis\"",
            "line 6: format: expected one of round-robin, gauntlet, swiss, knockout, got \"swis\" (did you mean swiss?)",
        ),
        ("format = \"swiss\"", "line 6: a Swiss tournament needs its rounds"),
        ("format = \"gauntlet\"", "a gauntlet needs its challengers"),
        (
            "format = \"gauntlet\"\nchallengers = [\"ana\"]",
            "line 7: challengers: no bot is called \"ana\" (did you mean anna?)",
        ),
        ("rounds = 5", "line 6: rounds belongs to format = \"swiss\"; the format is round-robin"),
    ] {
        let error = formatted(lines).expect_err(lines);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (right, wrong, expected) in [
        (
            "blocks = 10",
            "block = 10",
            "class.toml, line 7: the file has no key \"block\" (did you mean blocks?)",
        ),
        (
            "move_ms = 200",
            "move = 200",
            "line 16: [time] has no key \"move\" (did you mean move_ms?)",
        ),
        ("directory = \"anna\"", "dir = \"anna\"", "line 33: [bot] has no key \"dir\""),
        (
            "blocks = 10",
            "blocks = \"ten\"",
            "line 7: blocks: expected a number from 1 to 1000000, got \"ten\"",
        ),
        ("blocks = 10", "blocks = 0", "got 0"),
        (
            "move_ms = 200",
            "ponder = true\nfreeze = true",
            "line 16: time.ponder and time.freeze exclude each other",
        ),
        ("seed = 18446744073709551615", "seed = -1", "line 5: seed: expected a number"),
        (
            "score = 0.25",
            "score = 25",
            "line 27: gate.score: expected a number from 0 to 1, got 25",
        ),
        ("against = [\"random\"]", "", "line 24: gate.against is missing"),
        (
            "against = [\"random\"]",
            "against = \"random\"",
            "line 25: gate.against: expected a list of texts",
        ),
        ("restart = true", "restart = 1", "line 21: run.restart: expected true or false, got 1"),
        ("on_fault = \"retry\"", "on_fault = \"retri\"", "(did you mean retry?)"),
        ("game = \"scotland-yard\"", "", "game is missing"),
        ("name = \"anna\"", "name = \"\"", "line 30: name: expected 1 to 60 characters"),
        ("command = \"greedy:seed=7\"", "", "line 36: the bot has no command"),
        (
            "command = \"greedy:seed=7\"",
            "name = \"anna\"\ncommand = \"x\"",
            "line 36: two bots are called \"anna\": the first one is in line 29",
        ),
        ("[time]", "[[time]]", "line 15: time: expected a table: [time]"),
        ("[gate]", "[gate", "line 24: "),
        ("[gate]", "[sandbox]\nmode = \"stict\"\n[gate]", "(did you mean strict?)"),
        (
            "[gate]",
            "[sandbox]\nend = \"x\"\n[gate]",
            "line 25: sandbox.end belongs to sandbox.command",
        ),
    ] {
        assert!(GOOD.contains(right), "{right}");
        let error = read(&GOOD.replacen(right, wrong, 1)).expect_err(wrong);
        assert!(error.contains(expected), "{wrong}: {error}");
    }
}

#[test]
fn all_of_it_is_told_in_the_order_of_the_lines() {
    let text = GOOD.replace("blocks = 10", "blocks = 0").replace("legal = false", "legl = false");
    let text = text.replace("seed = 1", "sed = 1").replace("score = 0.25", "score = 2.5");
    let error = read(&text).unwrap_err();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 4, "{error}");
    for (line, number) in lines.iter().zip(["5", "7", "22", "27"]) {
        assert!(line.starts_with(&format!("class.toml, line {number}: ")), "{line}");
    }
}
