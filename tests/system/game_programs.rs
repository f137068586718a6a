//! Games whose rules are programs, in the verbs that take a game: bots play them by the list of legal
//! actions or with a copy of the program, and neither side reads the files of the other.

use crate::command::{Desk, Ran, events, events_of, repository};
use crate::sandbox::tier_here;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;

/// A directory with these games.
fn desk(games: &[&str]) -> Desk {
    let desk = Desk::new();
    for game in games {
        let to = desk.path(Path::new(game).file_name().unwrap().to_str().unwrap());
        fs::create_dir(&to).unwrap();
        for file in ["game.toml", "game.py"] {
            fs::copy(repository(game).join(file), to.join(file)).unwrap();
        }
    }
    desk
}

const NIM: &str = "tests/games/nim";
const KUHN: &str = "tests/games/kuhn-poker";
const TIC_TAC_TOE: &str = "examples/games/tic-tac-toe";

fn refused(desk: &Desk, args: &[&str]) -> String {
    let ran = desk.run(args);
    assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
    ran.stderr
}

/// Changes a file of a game, in which this text must be.
fn edit(desk: &Desk, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(desk.path(file)).unwrap();
    assert!(text.contains(from), "{file}: {text}");
    fs::write(desk.path(file), text.replace(from, to)).unwrap();
}

/// Returns the points of the bots at the end of a match, one for a game.
fn points(printed: &str) -> Vec<f64> {
    let events = events(printed);
    let ended = events_of(&events, "match_ended");
    assert!(events_of(&events, "fault").is_empty(), "{printed}");
    let bots = ended[0]["bots"].as_array().unwrap();
    let number = |bot: &Value, name: &str| bot[name].as_f64().expect("a number");
    bots.iter().map(|bot| number(bot, "share") * number(bot, "games")).collect()
}

/// Returns the recorded decisions of all replays in a directory: the seat and the action.
fn decisions(desk: &Desk, directory: &str) -> Vec<Vec<Value>> {
    let lines = |path| events(&fs::read_to_string(path).unwrap());
    desk.replays(directory).iter().map(lines).collect()
}

#[test]
fn random_plays_by_the_list_of_legal_actions() {
    let desk = desk(&[TIC_TAC_TOE]);
    let args = ["match", "./tic-tac-toe", "random", "random", "-n", "8", "--seed", "1", "--json"];
    let played = desk.done(&args);
    assert_eq!(points(&played).iter().sum::<f64>().round(), 8.0);
    assert_eq!(points(&desk.done(&args)), points(&played), "the same seed");
    let error = refused(&desk, &["match", "./tic-tac-toe", "greedy", "random"]);
    assert!(error.contains("does not play tic-tac-toe"), "{error}");
    assert!(error.contains("the bots for tic-tac-toe are random"), "{error}");
}

#[test]
fn what_is_no_game_is_refused_with_what_to_write() {
    let desk = desk(&[TIC_TAC_TOE]);
    fs::create_dir(desk.path("empty")).unwrap();
    for verb in [&["match"][..], &["games"], &["play"]] {
        let bots: &[&str] = if verb[0] == "match" { &["random", "random"] } else { &[] };
        for (game, expected) in [
            ("tic-tac-toe", "for the game in the directory tic-tac-toe, write ./tic-tac-toe"),
            ("./empty", "there is no file game.toml in "),
            ("./none", "expected a directory with a game.toml"),
        ] {
            let error = refused(&desk, &[verb, &[game], bots].concat());
            assert!(error.contains(expected), "{verb:?} {game}: {error}");
        }
    }
    let error = refused(&desk, &["import", "./tic-tac-toe", "records.txt"]);
    assert!(error.contains("has no importer"), "{error}");
    let error = refused(&desk, &["games", "./tic-tac-toe", "--facets"]);
    assert!(error.contains("whose rules are a program"), "{error}");
}

/// In a directory with `games`, every verb that takes the name of a game takes those of its bundles.
#[test]
fn games_in_a_directory_of_games_have_names() {
    let desk = desk(&[TIC_TAC_TOE]);
    fs::create_dir(desk.path("games")).unwrap();
    fs::rename(desk.path("tic-tac-toe"), desk.path("games/three")).unwrap();
    let listed = desk.done(&["games"]);
    assert!(listed.contains("Three in a row") && listed.contains("games/three"), "{listed}");
    assert!(desk.done(&["games", "tic-tac-toe"]).contains("digest"));
    desk.done(&["new", "fox", "--language", "python", "--game", "tic-tac-toe"]);
    desk.done(&["match", "tic-tac-toe", "./fox", "random", "-n", "2"]);
    let checked = desk.done(&["check", "./fox", "--game", "tic-tac-toe"]);
    assert!(checked.contains("tic-tac-toe"), "{checked}");
    let bots = ["./fox", "random"].map(|bot| format!("[[bot]]\ncommand = \"{bot}\"\n")).concat();
    let tournament = format!("game = \"tic-tac-toe\"\n{bots}");
    fs::write(desk.path("class.toml"), tournament).unwrap();
    desk.done(&["tournament", "run", "class.toml"]);

    let error = refused(&desk, &["match", "tic-tac-to", "random", "random"]);
    assert!(error.contains("did you mean tic-tac-toe?"), "{error}");
    let error = refused(&desk, &["import", "tic-tac-toe", "games.pdn"]);
    assert!(error.contains("has no importer"), "{error}");
    let copy = |from: &str| {
        fs::copy(desk.path("games/three").join(from), desk.path("games/four").join(from))
    };
    fs::create_dir(desk.path("games/four")).unwrap();
    copy("game.toml").unwrap();
    let error = refused(&desk, &["match", "tic-tac-toe", "random", "random"]);
    assert!(error.contains("games/four") && error.contains("games/three"), "{error}");
    assert!(desk.done(&["games"]).contains("write the path"), "the list says it too");
}

#[test]
fn a_game_is_described_with_its_bots() {
    let desk = desk(&[TIC_TAC_TOE, NIM]);
    let text = desk.done(&["games", "./nim"]);
    for expected in ["nim: Take from one of the heaps", "three-heaps", "Kind: 2 seats", "digest "] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let json: Value = serde_json::from_str(&desk.done(&["games", "./nim", "--json"])).unwrap();
    assert_eq!(json["presets"][0]["rules"]["heaps"], serde_json::json!([3, 4, 5]));
    assert_eq!(json["digest"].as_str().map(str::len), Some(32));
    let names = |game: &str| -> Vec<String> {
        let bots = desk.done(&["bots", "--game", game, "--json"]);
        let bots: Vec<Value> = serde_json::from_str(&bots).unwrap();
        bots.iter().map(|bot| bot["name"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names("./tic-tac-toe"), ["random"]);
    assert_eq!(names("./nim"), ["random", "level", "mcts"], "it may be a model");
    let error = refused(&desk, &["bots", "mcts", "--game", "./tic-tac-toe"]);
    assert!(error.contains("model = true"), "{error}");
    let table = desk.done(&["bots"]);
    let row = |bot: &str| table.lines().find(|line| line.starts_with(bot)).unwrap().to_string();
    assert!(row("random ").ends_with("yes") && row("mcts ").ends_with("model"), "{table}");
    assert!(row("greedy ").ends_with('-'), "{table}");
}

#[test]
fn mcts_needs_the_program_as_a_model() {
    let desk = desk(&[TIC_TAC_TOE]);
    let error = refused(&desk, &["match", "./tic-tac-toe", "mcts", "random"]);
    assert!(error.contains("`model = true` in its game.toml"), "{error}");
    // The game allows it, but its program has no `load`.
    let manifest = desk.path("tic-tac-toe/game.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, format!("{text}model = true\n")).unwrap();
    let error = refused(&desk, &["match", "./tic-tac-toe", "mcts", "random", "-n", "1"]);
    assert!(error.contains("lacks the ability \"load\""), "{error}");
}

#[test]
fn mcts_beats_random_with_a_copy_of_the_program() {
    let desk = desk(&[NIM]);
    for bot in ["mcts:iterations=300", "mcts:iterations=300,tree=flat"] {
        let args = ["match", "./nim", bot, "random", "-n", "8", "--seed", "3", "--json"];
        let points = points(&desk.done(&args));
        assert!(points[0] >= 5.0, "{bot}: {points:?}");
    }
}

/// With heaps of 1 and 2, taking one from the larger heap is the only action that wins (Bouton 1901).
#[test]
fn mcts_finds_the_winning_action_of_nim() {
    let desk = desk(&[NIM]);
    let args = ["match", "./nim", "mcts:iterations=300", "random", "-n", "1", "--seed", "1"];
    desk.done(&[&args[..], &["--rule", "heaps=[1,2]", "--out", "games"]].concat());
    let game = &decisions(&desk, "games")[0];
    let first = game.iter().find(|line| line["type"] == "move").unwrap();
    assert_eq!(first["action"], serde_json::json!({ "heap": 1, "take": 1 }));
    assert!(first["info"]["nodes"].as_u64() >= Some(300), "{first}");
}

/// A player who faces a bet folds the jack and calls with the king: anything else is dominated (Kuhn 1950).
/// The bot finds it only if it draws the other's card, which its view does not show.
#[test]
fn mcts_plays_a_game_with_hidden_cards_and_chance() {
    let desk = desk(&[KUHN]);
    let args =
        ["match", "./kuhn-poker", "mcts:iterations=400", "random", "-n", "12", "--seed", "5"];
    desk.done(&[&args[..], &["--out", "games"]].concat());
    let mut faced = 0;
    for game in decisions(&desk, "games") {
        let of = |kind: &str| game.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
        let dealt = of("chance").last().unwrap()["outcome"].clone();
        let seats = game[0]["seats"].as_array().unwrap();
        let own = |seat: &Value| {
            let held = seats.iter().find(|held| held["seat"] == *seat).unwrap();
            held["player"].as_str().unwrap().starts_with("mcts")
        };
        let mut last = Value::Null;
        for decision in of("move") {
            let card = dealt[decision["seat"].as_str().unwrap()].as_str().unwrap();
            if last == "bet" && own(&decision["seat"]) && card != "Q" {
                let expected = if card == "K" { "bet" } else { "pass" };
                assert_eq!(decision["action"], expected, "{card}");
                faced += 1;
            }
            last = decision["action"].clone();
        }
    }
    assert!(faced > 0, "the bot has faced a bet with the jack or the king");
}

/// Types lines into a game against random, and returns what was printed.
fn typed(desk: &Desk, args: &[&str], lines: &[&str]) -> String {
    let mut child = desk.command(&[&["play", "--against", "random:seed=1"], args].concat());
    let mut child = child.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut keyboard = child.stdin.take().unwrap();
    writeln!(keyboard, "{}\nquit", lines.join("\n")).unwrap();
    drop(keyboard);
    let ran = crate::command::finish(child);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    ran.stdout
}

#[test]
fn a_person_plays_by_numbers_words_texts_and_json() {
    let desk = desk(&[NIM, "tests/games/hex", "examples/games/connect6"]);
    let kit = repository("examples/games/connect6/botyard");
    fs::create_dir(desk.path("connect6/botyard")).unwrap();
    for file in fs::read_dir(kit).unwrap().map(|file| file.unwrap().path()) {
        if file.is_file() {
            let name = file.file_name().unwrap();
            fs::copy(&file, desk.path("connect6/botyard").join(name)).unwrap();
        }
    }
    // The third action takes the whole first heap.
    for line in ["3", "Heap 0 take 3", r#"{"take": 3, "heap": 0}"#] {
        let printed = typed(&desk, &["./nim", "--as", "first"], &[line]);
        assert!(printed.contains("  heaps: 3 4 5\n"), "{printed}");
        assert!(printed.contains("    1  first: heap 0 take 3\n"), "{printed}");
    }
    // Hex has a text, and reads places in capitals, which are not as in the list.
    let small = ["./hex", "--as", "red", "--rules", "small"];
    let printed = typed(&desk, &small, &["z9", "B2", "help"]);
    assert!(printed.contains("\n  . . .\n   . . .\n    . . .\n    1  a1\n"), "{printed}");
    assert!(printed.contains("expected a free cell such as a1, got 'z9'"), "{printed}");
    assert!(printed.contains("    1  red: b2\n") && printed.contains("\n   . r "), "{printed}");
    // The actions of Connect6 are not listed.
    let lines = ["[1,2]", "[24]"];
    let printed = typed(&desk, &["./connect6", "--as", "black", "--rule", "size=7"], &lines);
    assert!(printed.contains("expected a list of 1 different points"), "{printed}");
    assert!(printed.contains("    1  black: 24\n"), "{printed}");
}

#[test]
fn a_new_bot_plays_a_game_and_is_checked_in_it() {
    let desk = desk(&[TIC_TAC_TOE]);
    desk.done(&["new", "class/fox", "--language", "python", "--game", "./tic-tac-toe"]);
    let page = fs::read_to_string(desk.path("class/fox/README.md")).unwrap();
    assert!(page.contains("botyard match ../../tic-tac-toe ./ random"), "{page}");
    let line = fs::read_to_string(desk.path("class/fox/first_move.ndjson")).unwrap();
    assert!(line.contains(r#""game":"tic-tac-toe""#), "{line}");
    let args = ["match", "./tic-tac-toe", "class/fox", "random", "-n", "2", "--json"];
    assert_eq!(points(&desk.done(&args)).iter().sum::<f64>().round(), 2.0);
    let checked = desk.run(&["check", "class/fox", "--game", "./tic-tac-toe"]);
    assert_eq!(checked.code, Some(0), "{checked:#?}");
    assert!(checked.stdout.contains("plays tic-tac-toe\n"), "{checked:#?}");
    assert!(checked.stdout.contains(" 0 failed"), "{checked:#?}");
}

#[test]
fn a_game_is_built_by_its_commands() {
    let desk = desk(&[TIC_TAC_TOE]);
    fs::rename(desk.path("tic-tac-toe/game.py"), desk.path("tic-tac-toe/source.py")).unwrap();
    let ran = desk.run(&["match", "./tic-tac-toe", "random", "random"]);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    edit(&desk, "tic-tac-toe/game.toml", "run =", "build = [\"cp source.py game.py\"]\nrun =");
    let built = desk.done(&["build", "./tic-tac-toe"]);
    assert!(built.contains("to play the game, write ./tic-tac-toe"), "{built}");
    desk.done(&["match", "./tic-tac-toe", "random", "random", "-n", "1"]);
}

/// A bot that logs what it can read of this file, and plays the first legal action.
fn reader(desk: &Desk, name: &str, file: &str) -> String {
    let text = format!(
        "import json, sys
def look():
    try:
        text = open({file:?}).read()
    except OSError as error:
        return 'refused: ' + type(error).__name__
    try:
        open({file:?}, 'a').close()
    except OSError:
        return 'read %d' % len(text)
    return 'written'
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        print('{{\"type\":\"hello\",\"protocol\":1,\"name\":\"reader\",\"games\":[]}}', flush=True)
    elif message['type'] == 'start':
        print(json.dumps({{'type': 'log', 'text': look()}}))
        print('{{\"type\":\"ready\"}}', flush=True)
    elif message['type'] == 'turn':
        print(json.dumps({{'type': 'move', 'turn': message['turn'], 'action': message['legal'][0]}}), flush=True)
    elif message['type'] == 'quit':
        break
"
    );
    fs::create_dir_all(desk.path(name)).unwrap();
    fs::write(desk.path(&format!("{name}/bot.py")), text).unwrap();
    format!("python3 {name}/bot.py")
}

/// Returns what the first bot of a match has logged.
fn logged(desk: &Desk, game: &str, bot: &str, more: &[&str]) -> String {
    let out = format!("out-{}", desk.path("").read_dir().unwrap().count());
    desk.done(
        &[&["match", game, bot, "random", "-n", "1", "--fixed-seats", "--out", &out], more]
            .concat(),
    );
    let replay = &decisions(desk, &out)[0];
    let log = replay.iter().find(|line| line["type"] == "log").expect("it logs");
    log["text"].as_str().unwrap().to_string()
}

#[test]
fn bots_read_a_game_only_if_it_may_be_their_model_and_never_write_it() {
    let desk = desk(&[NIM]);
    if tier_here(&desk) == "none" {
        return;
    }
    let file = desk.path("nim/game.py");
    let beside = reader(&desk, "bot", file.to_str().unwrap());
    let size = fs::read_to_string(&file).unwrap().len();
    assert_eq!(logged(&desk, "./nim", &beside, &[]), format!("read {size}"));
    edit(&desk, "nim/game.toml", "model = true", "model = false");
    let seen = logged(&desk, "./nim", &beside, &[]);
    assert!(seen.starts_with("refused"), "{seen}");
    // Also a bot in whose own directory the game is.
    fs::copy(desk.path("bot/bot.py"), desk.path("bot.py")).unwrap();
    let seen = logged(&desk, "./nim", "python3 bot.py", &[]);
    assert!(seen.starts_with("refused"), "{seen}");
    // The bot reads what it may: without a sandbox, where its user may read the file, it does.
    let own = desk.path("bot/bot.py");
    let own = reader(&desk, "bot", own.to_str().unwrap());
    assert!(logged(&desk, "./nim", &own, &[]).starts_with("read"), "its own file");
}

#[test]
fn the_program_of_a_game_reads_no_bot() {
    let desk = desk(&[NIM]);
    if tier_here(&desk) == "none" {
        return;
    }
    reader(&desk, "bot", "/nowhere");
    let bot = desk.path("bot/bot.py");
    // The program plays only if it cannot read the bot.
    let look = |what: &str| {
        let test = format!(
            "import sys\ntry:\n    open({what:?}).close()\n    sys.exit('it was read')\nexcept OSError:\n    pass\n"
        );
        let text = fs::read_to_string(repository(NIM).join("game.py")).unwrap();
        fs::write(desk.path("nim/game.py"), format!("{test}{text}")).unwrap();
        desk.run(&["match", "./nim", "python3 bot/bot.py", "random", "-n", "1"])
    };
    let hidden = look(bot.to_str().unwrap());
    assert_eq!(hidden.code, Some(0), "{hidden:#?}");
    let own = look(desk.path("nim/game.toml").to_str().unwrap());
    assert_eq!(own.code, Some(3), "{own:#?}");
    assert!(own.stderr.contains("it was read"), "{own:#?}");
}

/// The seed of Python's hashes is drawn at each start, unless the environment sets it.
#[test]
fn a_program_has_the_same_environment_at_each_start() {
    let desk = desk(&[NIM]);
    let refusal = "{'type': 'refused', 'message': str(hash('nim')) + ' ' + str(__import__('os').environ.get('TZ'))}";
    edit(
        &desk,
        "nim/game.py",
        "answer = {\"type\": \"rules\", \"rules\": rules}",
        &format!("answer = {refusal}"),
    );
    let starts: Vec<Ran> = (0..3).map(|_| desk.run(&["games", "./nim"])).collect();
    assert!(starts[0].stderr.contains(" UTC"), "{:#?}", starts[0]);
    assert!(starts.iter().all(|start| start.stderr == starts[0].stderr), "{starts:#?}");
}
