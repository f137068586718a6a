//! Listings: games with their rules, bots, schemas; what pages quote of them.

use crate::command::{Desk, repository};
use serde_json::Value;
use std::fs;

#[test]
fn the_games_are_listed_with_every_rule_and_preset() {
    let desk = Desk::new();
    assert!(desk.done(&["games"]).contains("scotland-yard"));
    let shown = desk.done(&["games", "scotland-yard"]);
    let json: Value =
        serde_json::from_str(&desk.done(&["games", "scotland-yard", "--json"])).unwrap();
    let presets = json["presets"].as_array().unwrap();
    for preset in presets {
        let name = preset["name"].as_str().unwrap();
        assert!(shown.contains(&format!("\n  {name}  ")), "{name} is missing in\n{shown}");
    }
    for rule in presets[0]["rules"].as_object().unwrap().keys() {
        assert!(shown.contains(&format!("\n  {rule}=")), "{rule} is missing in\n{shown}");
    }
    assert!(shown.contains("docs/games/scotland-yard.md"));
}

/// The presets and parameters on the pages of games; `UPDATE_PAGES` replaces them.
#[test]
fn the_pages_of_games_quote_their_rules() {
    for game in ["scotland-yard", "draughts", "dice-wars"] {
        let shown = Desk::new().done(&["games", game]);
        let (_, rules) = shown.split_once("\n\n").unwrap();
        let begin = rules.find("Presets").unwrap();
        let rules = rules[begin..].split("\nRules in full").next().unwrap();
        let path = repository(&format!("docs/games/{game}.md"));
        let page = fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once("```text rules\n").unwrap();
        let (quoted, after) = rest.split_once("```").unwrap();
        if std::env::var_os("UPDATE_PAGES").is_some() {
            fs::write(&path, format!("{before}```text rules\n{rules}```{after}")).unwrap();
        } else {
            assert_eq!(quoted, rules, "{game}: regenerate the page with UPDATE_PAGES=1");
        }
    }
}

/// The kind of each game, as text and as JSON.
#[test]
fn the_kind_of_every_game_is_listed() {
    let desk = Desk::new();
    let shown = desk.done(&["games"]);
    let json: Value = serde_json::from_str(&desk.done(&["games", "--json"])).unwrap();
    let games = json.as_array().unwrap();
    for (name, words, seats, flags) in [
        ("draughts", "2 seats, perfect information, no chance, sequential", [2, 2], [false; 3]),
        ("liars-dice", "hidden information, chance, sequential", [2, 6], [true, true, false]),
    ] {
        let game = games.iter().find(|game| game["name"] == name).unwrap();
        assert_eq!(game["seats"], Value::from(seats.to_vec()), "{name}");
        let said = ["hidden", "chance", "simultaneous"].map(|flag| game[flag].as_bool().unwrap());
        assert_eq!(said, flags, "{name}");
        let scores = &game["scores"];
        let said = ["least", "most", "sum"].map(|field| scores[field].as_f64());
        assert_eq!(said, [Some(0.0), Some(1.0), Some(1.0)], "{name}");
        // The text is wrapped to several lines.
        let line = desk.done(&["games", name]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains(words) && line.contains("constant-sum, 0 to 1 point"), "{line}");
    }
    assert!(shown.contains("perfect information") && shown.contains("hidden information"));
}

/// What games have besides their rules, as a table, as text and as JSON.
#[test]
fn the_facets_of_every_game_are_listed() {
    let desk = Desk::new();
    let shown = desk.done(&["games", "--facets"]);
    let json: Value = serde_json::from_str(&desk.done(&["games", "--facets", "--json"])).unwrap();
    let (table, _) = shown.split_once("\n\n").unwrap();
    for (line, game) in table.lines().skip(1).zip(json.as_array().unwrap()) {
        assert!(line.starts_with(game["name"].as_str().unwrap()), "{line}");
    }
    assert_eq!(table.lines().count(), 1 + botyard_engine::registry::names().len());
    let args = ["games", "connect-four", "--facets"];
    let one: Value = serde_json::from_str(&desk.done(&[&args[..], &["--json"]].concat())).unwrap();
    assert_eq!(one["facets"]["bots"]["lacks"], serde_json::json!(["rust"]));
    assert_eq!((&one["facets"]["picture"], &one["facets"]["face"]), (&true.into(), &false.into()));
    let shown = desk.done(&args);
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(shown.contains("5 of 6") && words.join(" ").contains("lacks rust"), "{shown}");
}

#[test]
fn a_rule_as_it_is_listed_can_be_set() {
    let desk = Desk::new();
    let shown = desk.done(&["games", "scotland-yard"]);
    let rules: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' ') && line.contains('='))
        .collect();
    assert!(rules.len() > 10, "{rules:?}");
    let mut args = vec!["match", "scotland-yard", "random", "random"];
    for rule in &rules {
        args.extend(["--rule", rule]);
    }
    desk.done(&args);
}

#[test]
fn the_bots_are_listed_with_their_options() {
    let desk = Desk::new();
    let shown = desk.done(&["bots"]);
    let json: Value = serde_json::from_str(&desk.done(&["bots", "--json"])).unwrap();
    for bot in json.as_array().unwrap() {
        assert!(shown.contains(bot["name"].as_str().unwrap()));
        assert!(bot["options"]["seed"].is_object());
    }
    assert!(shown.contains("random") && shown.contains("greedy"));
}

#[test]
fn options_are_listed_by_game_and_those_for_research_apart() {
    let desk = Desk::new();
    let shown = desk.done(&["bots", "mcts"]);
    let (options, research) = shown.split_once("Options for research").unwrap();
    assert!(options.contains("iterations:") && !options.contains("coalition"), "{options}");
    let (_, at_yard) = research.split_once("(scotland-yard):").unwrap();
    assert!(at_yard.contains("coalition: a number from 0 to 1"), "{at_yard}");
    let draughts = desk.done(&["bots", "mcts", "--game", "draughts"]);
    assert!(draughts.contains("iterations:") && !draughts.contains("coalition"), "{draughts}");
    let players = desk.done(&["bots", "--game", "draughts"]);
    assert!(players.contains("mtdf-2007") && !players.contains("dw-ste"), "{players}");
    for (arguments, reason) in [
        (&["bots", "mtcs"][..], "did you mean mcts?"),
        (&["bots", "--game", "drafts"], "drafts"),
        (&["bots", "mtdf-2007", "--game", "dice-wars"], "\"mtdf-2007\" does not play dice-wars"),
        (
            &["match", "draughts", "mcts:coalition=0.5", "random"],
            "coalition is an option of mcts at scotland-yard",
        ),
    ] {
        let ran = desk.run(arguments);
        assert!(ran.code != Some(0) && ran.stderr.contains(reason), "{ran:#?}");
    }
}

/// A row for each bot, with a `yes` below each game that its `hello` names.
#[test]
fn the_table_of_bots_says_what_they_say_of_themselves() {
    let desk = Desk::new();
    let shown = desk.done(&["bots"]);
    let json: Value = serde_json::from_str(&desk.done(&["bots", "--json"])).unwrap();
    let (table, _) = shown.split_once("\n\n").unwrap();
    let mut lines = table.lines();
    let games: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    let (others, games) = games.split_last().unwrap();
    assert_eq!(*others, "others");
    assert_eq!(games, botyard_engine::registry::names());
    for (line, bot) in lines.zip(json.as_array().unwrap()) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(cells[0], bot["name"]);
        let others = match (&bot["other_games"], &bot["needs_model"]) {
            (Value::Bool(true), Value::Bool(true)) => "model",
            (Value::Bool(true), _) => "yes",
            _ => "-",
        };
        assert_eq!(cells.last(), Some(&others), "{line}");
        let played = games.iter().zip(&cells[1..]).filter(|&(_, &cell)| cell == "yes");
        let played: Vec<&str> = played.map(|(&game, _)| game).collect();
        let mut said: Vec<&str> =
            bot["games"].as_array().unwrap().iter().map(|game| game.as_str().unwrap()).collect();
        said.sort_by_key(|said| games.iter().position(|game| game == said));
        assert_eq!(played, said, "{line}");
    }
}

#[test]
fn every_schema_that_is_listed_is_printed() {
    let desk = Desk::new();
    let listed = desk.done(&["schema"]);
    let names: Vec<&str> = listed.lines().collect();
    for expected in ["referee-turn", "bot-move", "scotland-yard-view", "scotland-yard-action"] {
        assert!(names.contains(&expected), "{expected} is missing in {names:?}");
    }
    for name in names {
        let schema: Value = serde_json::from_str(&desk.done(&["schema", name])).unwrap();
        assert!(schema["$schema"].is_string(), "{name}");
    }
}

#[test]
fn a_built_in_bot_answers_as_the_protocol_says() {
    let desk = Desk::new();
    let mut command = desk.command(&["bot", "random"]);
    command.stdin(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let hello = "{\"type\":\"hello\",\"protocol\":1,\"referee\":{\"name\":\"x\",\"version\":\"1\"},\
         \"limits\":{\"line_bytes\":65536,\"nesting\":64,\"stdout_bytes\":1,\"stderr_bytes\":1,\
         \"start_ms\":1,\"setup_ms\":1,\"quit_ms\":1}}\n{\"type\":\"quit\"}\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), hello.as_bytes()).unwrap();
    let ran = crate::command::finish(child);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&answer["type"], &answer["name"]), (&"hello".into(), &"random".into()));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let desk = Desk::new();
    let (read, write) = rustix::pipe::pipe().unwrap();
    drop(read);
    let mut command = desk.command(&["games", "scotland-yard"]);
    let ran = crate::command::finish(command.stdout(write).spawn().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
}
