//! The example bots of the kits play against `random` in the sandbox, over series with fixed seeds, and
//! the kits' own tests pass. A kit in another language adds its rows to [`SERIES`] and two tests.

use crate::command::{BOTYARD, Desk, events, events_of, repository};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A series of games of an example bot against `random`.
struct Series {
    language: &'static str,
    /// The program and its arguments; words that begin with `sdk/` are files of the repository, and words
    /// that begin with `built` are in the directory that `sdk/LANGUAGE/build` compiles the bots into.
    bot: &'static str,
    game: &'static str,
    options: &'static [&'static str],
    games: &'static str,
    /// The least share of the points, which a bot that plays as well as `random` reaches with a
    /// probability below [`BY_CHANCE`]. 0: the bot need not win.
    least: f64,
}

/// The probability below which no series passes by chance.
const BY_CHANCE: f64 = 0.01;

const SERIES: &[Series] = &[
    Series {
        language: "c",
        bot: "built/legal",
        game: "connect-four",
        options: &[],
        games: "6",
        least: 0.0,
    },
    Series {
        language: "c",
        bot: "built/legal",
        game: "draughts",
        options: &["--clock", "cpu"],
        games: "6",
        least: 0.0,
    },
    Series {
        language: "javascript",
        bot: "node sdk/javascript/botyard sdk/javascript/examples/detective.mjs",
        game: "scotland-yard",
        options: &[],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "javascript",
        bot: "node sdk/javascript/botyard sdk/javascript/examples/detective.mjs",
        game: "scotland-yard",
        options: &["--rules", "grid-15x15-3-stay", "--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "javascript",
        bot: "node sdk/javascript/botyard sdk/javascript/examples/draughts_two_ply.mjs",
        game: "draughts",
        options: &["--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "javascript",
        bot: "node sdk/javascript/botyard sdk/javascript/examples/dice_wars_rule.mjs",
        game: "dice-wars",
        options: &["--clock", "cpu"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "javascript",
        bot: "node sdk/javascript/botyard sdk/javascript/examples/legal.mjs",
        game: "liars-dice",
        options: &["--no-legal", "--rule", "players=2"],
        games: "6",
        least: 0.0,
    },
    Series {
        language: "go",
        bot: "built/detective",
        game: "scotland-yard",
        options: &[],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "go",
        bot: "built/detective",
        game: "scotland-yard",
        options: &["--rules", "grid-15x15-3-stay", "--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "go",
        bot: "built/draughts_two_ply",
        game: "draughts",
        options: &["--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "go",
        bot: "built/dice_wars_rule",
        game: "dice-wars",
        options: &["--clock", "cpu"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "go",
        bot: "built/legal",
        game: "liars-dice",
        options: &["--no-legal", "--rule", "players=2"],
        games: "6",
        least: 0.0,
    },
    Series {
        language: "python",
        bot: "python3 sdk/python/src/botyard sdk/python/examples/detective.py",
        game: "scotland-yard",
        options: &[],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "python",
        bot: "python3 sdk/python/src/botyard sdk/python/examples/detective.py",
        game: "scotland-yard",
        options: &["--rules", "grid-15x15-3-stay", "--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "python",
        bot: "python3 sdk/python/src/botyard sdk/python/examples/draughts_two_ply.py",
        game: "draughts",
        options: &["--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "python",
        bot: "python3 sdk/python/src/botyard sdk/python/examples/dice_wars_rule.py",
        game: "dice-wars",
        options: &["--clock", "cpu"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "python",
        bot: "python3 sdk/python/src/botyard sdk/python/examples/legal.py",
        game: "liars-dice",
        options: &["--no-legal", "--rule", "players=2"],
        games: "6",
        least: 0.0,
    },
    Series {
        language: "cpp",
        bot: "built/detective",
        game: "scotland-yard",
        options: &[],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "cpp",
        bot: "built/draughts_two_ply",
        game: "draughts",
        options: &["--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "cpp",
        bot: "built/dice_wars_rule",
        game: "dice-wars",
        options: &["--clock", "cpu"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "cpp",
        bot: "built/legal",
        game: "liars-dice",
        options: &["--no-legal", "--rule", "players=2"],
        games: "6",
        least: 0.0,
    },
    Series {
        language: "java",
        bot: "java -cp built Detective",
        game: "scotland-yard",
        options: &[],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "java",
        bot: "java -cp built DraughtsTwoPly",
        game: "draughts",
        options: &["--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "java",
        bot: "java -cp built DiceWarsRule",
        game: "dice-wars",
        options: &["--clock", "cpu"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "java",
        bot: "java -cp built Legal",
        game: "liars-dice",
        options: &["--no-legal", "--rule", "players=2"],
        games: "6",
        least: 0.0,
    },
    Series {
        language: "rust",
        bot: "built/detective",
        game: "scotland-yard",
        options: &[],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "rust",
        bot: "built/draughts_two_ply",
        game: "draughts",
        options: &["--no-legal"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "rust",
        bot: "built/dice_wars_rule",
        game: "dice-wars",
        options: &["--clock", "cpu"],
        games: "20",
        least: 0.8,
    },
    Series {
        language: "rust",
        bot: "built/one_ply",
        game: "liars-dice",
        options: &["--no-legal", "--rule", "players=2"],
        games: "6",
        least: 0.0,
    },
];

fn beat_random(language: &str) {
    let series = SERIES.iter().filter(|series| series.language == language);
    let place = Desk::new();
    let built = place.path("built");
    let built = if language == "rust" { rust_examples() } else { built };
    if language != "rust" && series.clone().any(|series| series.bot.contains("built")) {
        let script = repository(&format!("sdk/{language}/build"));
        let ran = Command::new("sh").arg(script).arg(&built).output().unwrap();
        assert!(ran.status.success(), "{language}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    let mut played = 0;
    for Series { bot, game, options, games, least, .. } in series {
        let word = |word: &str| match word.strip_prefix("built") {
            Some(file) => format!("'{}{file}'", built.display()),
            None if word.starts_with("sdk/") => format!("'{}'", repository(word).display()),
            None => word.to_string(),
        };
        let bot = bot.split(' ').map(word).collect::<Vec<_>>().join(" ");
        let desk = Desk::new();
        let args = ["match", game, &bot, "random", "-n", games, "--seed", "1", "--json"];
        let out = desk.done(&[args.as_slice(), options].concat());
        let events = events(&out);
        for event in events_of(&events, "game_ended") {
            assert_eq!(event["faults"], serde_json::json!([]), "{bot}: {event}");
        }
        let ended = events_of(&events, "match_ended")[0];
        let share = ended["bots"][0]["share"].as_f64().unwrap();
        assert!(share >= *least, "{bot} at {game}: {share}, expected at least {least}");
        played += 1;
    }
    assert!(played > 0, "no series of {language}");
}

/// Compiles the examples of the crate `agent`, and returns their directory. They are written where Cargo
/// writes those of these tests, with the features of the workspace: those of the crate alone would compile what it
/// depends on once more.
pub fn rust_examples() -> PathBuf {
    let manifest = repository("Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--offline", "--workspace", "--examples", "--manifest-path"])
        .arg(manifest);
    let ran = cargo.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    Path::new(BOTYARD).parent().unwrap().join("examples")
}

/// Runs the tests of a kit, which need nothing but the language.
fn tests_pass(directory: &str, program: &str, args: &[&str]) {
    let ran = Command::new(program).args(args).current_dir(repository(directory)).output().unwrap();
    let [out, errors] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(ran.status.success(), "{program}: {out}{errors}");
}

/// Where games can be drawn, the share of equal bots varies less.
#[test]
fn no_series_is_won_by_chance() {
    for Series { bot, game, games, least, .. } in SERIES.iter().filter(|row| row.least > 0.0) {
        let games: i32 = games.parse().unwrap();
        let needed = (f64::from(games) * least - 1e-9).ceil() as i32;
        // The number of ways to win `won` of the games, and the share of all that win enough.
        let ways =
            |won: i32| (0..won).fold(1.0, |ways, n| ways * f64::from(games - n) / f64::from(n + 1));
        let by_chance = (needed..=games).map(ways).sum::<f64>() / 2_f64.powi(games);
        assert!(by_chance < BY_CHANCE, "{bot} at {game}: {by_chance}");
    }
}

#[test]
#[ignore = "compiles the examples; `.ci/run` runs it"]
fn rust_examples_beat_random() {
    beat_random("rust");
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn javascript_tests_pass() {
    tests_pass("sdk/javascript", "node", &["--test"]);
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn javascript_examples_beat_random() {
    beat_random("javascript");
}

#[test]
#[ignore = "needs go, which not everybody has; `.ci/run` runs it"]
fn go_tests_pass() {
    tests_pass("sdk/go", "go", &["test", "-count=1", "./..."]);
}

#[test]
#[ignore = "needs go, which not everybody has; `.ci/run` runs it"]
fn go_examples_beat_random() {
    beat_random("go");
}

#[test]
fn python_tests_pass() {
    tests_pass("sdk/python/tests", "python3", &["-B", "-m", "unittest"]);
}

#[test]
fn python_examples_beat_random() {
    beat_random("python");
}

#[test]
#[ignore = "needs g++ and nlohmann/json, which not everybody has; `.ci/run` runs it"]
fn cpp_tests_pass() {
    tests_pass("sdk/cpp", "sh", &["test"]);
}

#[test]
#[ignore = "needs g++ and nlohmann/json, which not everybody has; `.ci/run` runs it"]
fn cpp_examples_beat_random() {
    beat_random("cpp");
}

#[test]
#[ignore = "needs java and javac, which not everybody has; `.ci/run` runs it"]
fn java_tests_pass() {
    tests_pass("sdk/java", "sh", &["test"]);
}

#[test]
#[ignore = "needs java and javac, which not everybody has; `.ci/run` runs it"]
fn java_examples_beat_random() {
    beat_random("java");
}

#[test]
#[ignore = "needs a C compiler, cc; `.ci/run` runs it"]
fn c_tests_pass() {
    tests_pass("sdk/c", "sh", &["test"]);
}

/// Its example chooses among the legal actions: it need not win, but make no fault and pass the check.
#[test]
#[ignore = "needs a C compiler, cc; `.ci/run` runs it"]
fn c_examples_play_legally() {
    beat_random("c");
    let desk = Desk::new();
    let built = desk.path("built");
    let ran = Command::new("sh").arg(repository("sdk/c/build")).arg(&built).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    for game in ["connect-four", "draughts"] {
        desk.done(&["check", "built/legal", "--game", game]);
    }
}
