//! The bots of the tutorials in `docs/learn`: the pages quote the files in `docs/learn/code`, and the
//! files play as the pages say. Also the matches that two pages of `docs/do` quote.

use crate::command::{Desk, events, events_of, repository, script};
use botyard_league::tournament_file::TournamentFile;
use serde_json::Value;
use std::fs;

/// The bots of `first-bot.md`, in the order of the page.
const BOTS: [&str; 6] =
    ["random_bot", "chaser", "planner", "noisy_bot", "crashing_bot", "draughts_bot"];

fn read(file: &str) -> String {
    fs::read_to_string(repository("docs/learn").join(file)).unwrap()
}

/// Returns the fenced blocks of a page in this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    blocks.map(str::to_string).collect()
}

/// Returns the events of a match between a bot of the tutorial and another bot.
fn play(game: &[&str], bot: &str, other: &str, games: &str) -> Vec<Value> {
    let bot = script("python3", &format!("docs/learn/code/{bot}.py"), "");
    let args = ["match", game[0], bot.as_str(), other, "--seed", "1", "-n", games, "--json"];
    events(&Desk::new().done(&[&args[..], &game[1..]].concat()))
}

const GRID: &[&str] = &["scotland-yard", "--rules", "grid-5x5-2"];
const DRAUGHTS: &[&str] = &["draughts"];

#[test]
fn the_pages_quote_the_files() {
    let files = BOTS.map(|bot| read(&format!("code/{bot}.py")));
    assert_eq!(blocks(&read("first-bot.md"), "python"), files);
    assert_eq!(blocks(&read("small-class.md"), "toml"), [read("code/class.toml")]);
}

#[test]
fn the_bots_play_without_a_fault() {
    let matches =
        [(GRID, "random_bot"), (GRID, "chaser"), (GRID, "planner"), (DRAUGHTS, "draughts_bot")];
    for (game, bot) in matches {
        let events = play(game, bot, "random", "4");
        let ended = events_of(&events, "game_ended");
        assert_eq!(ended.len(), 4, "{bot}");
        for game in ended {
            assert_eq!(game["outcome"]["kind"], "completed", "{bot}: {game}");
            assert_eq!(game["faults"], serde_json::json!([]), "{bot}: {game}");
        }
    }
}

/// Both sides play the same game every time; 200 games have 71%, and the first 40 have 65%.
#[test]
fn the_last_version_beats_greedy() {
    let events = play(GRID, "planner", "greedy", "40");
    let ended = events_of(&events, "match_ended");
    let share = ended[0]["bots"][0]["share"].as_f64().unwrap();
    assert!(share > 0.6, "{share}");
}

/// The strategies: a page with its game, the beginning of its bots' names, and the number of steps.
const STRATEGIES: [(&str, &str, usize); 3] =
    [("scotland-yard", "yard", 5), ("draughts", "draughts", 5), ("dice-wars", "dice", 6)];

#[test]
fn the_strategy_pages_quote_the_files() {
    for (game, name, steps) in STRATEGIES {
        let page = read(&format!("strategy-{game}.md"));
        let file = |step| read(&format!("code/strategy/{name}_{step}.py"));
        assert_eq!(blocks(&page, "python"), (1..=steps).map(file).collect::<Vec<_>>(), "{game}");
        for command in blocks(&page, "sh").iter().filter(|block| block.contains("botyard match")) {
            assert!(command.contains(&format!("match {game} ")), "{command}");
        }
    }
}

/// Plays games of a step of a strategy and returns its share. No bot is at fault.
fn share_of_step((game, name): (&str, &str), step: usize, other: &str, games: &str) -> f64 {
    let kit = repository("sdk/python/src/botyard");
    let bot = script("python3", &format!("docs/learn/code/strategy/{name}_{step}.py"), "");
    let bot = bot.replacen("python3 ", &format!("python3 '{}' ", kit.display()), 1);
    let other = match other.parse::<usize>() {
        Ok(other) => bot.replace(&format!("{name}_{step}.py"), &format!("{name}_{other}.py")),
        Err(_) => other.to_string(),
    };
    let (bot, other) = (format!("new={bot}"), format!("old={other}"));
    let args = ["match", game, &bot, &other, "--seed", "1", "-n", games, "--json"];
    let events = events(&Desk::new().done(&args));
    for ended in events_of(&events, "game_ended") {
        assert_eq!(ended["faults"], serde_json::json!([]), "{game}, step {step}: {ended}");
    }
    events_of(&events, "match_ended")[0]["bots"][0]["share"].as_f64().unwrap()
}

/// The games are the first of those in the tables of the pages.
#[test]
fn the_steps_of_the_strategies_play_without_a_fault_and_get_stronger() {
    for (game, name, steps) in STRATEGIES {
        for step in 1..=steps {
            share_of_step((game, name), step, "random", "2");
        }
    }
    for (game, name, step, other, games, least) in [
        ("scotland-yard", "yard", 2, "1", "20", 0.8),
        ("scotland-yard", "yard", 3, "random", "20", 0.8),
        ("scotland-yard", "yard", 5, "greedy", "40", 0.65),
        ("draughts", "draughts", 2, "random", "20", 0.8),
        ("draughts", "draughts", 3, "2", "20", 0.6),
        ("draughts", "draughts", 4, "random", "20", 0.8),
        ("draughts", "draughts", 5, "greedy", "6", 0.6),
        ("dice-wars", "dice", 3, "2", "20", 0.7),
        ("dice-wars", "dice", 6, "greedy", "20", 0.6),
    ] {
        let share = share_of_step((game, name), step, other, games);
        assert!(share >= least, "{game}, step {step} against {other}: {share}");
    }
}

/// The first command of these pages prints what they quote, but for times and the tier of the sandbox.
#[test]
fn the_pages_of_matches_quote_what_is_printed() {
    for name in ["run-a-match", "is-it-better"] {
        let page = fs::read_to_string(repository(&format!("docs/do/{name}.md"))).unwrap();
        let command = blocks(&page, "sh").remove(0);
        let printed = Desk::new().done(&command.split_whitespace().skip(1).collect::<Vec<_>>());
        for line in blocks(&page, "text").remove(0).lines() {
            if line.contains("sandbox tier") || line.contains("moves per second") {
                continue;
            }
            let ends = ["  -  ", "  mean move"].into_iter().filter_map(|end| line.find(end));
            let quoted = &line[..ends.min().unwrap_or(line.len())];
            assert!(printed.contains(quoted), "{name}: {quoted}\n{printed}");
        }
    }
}

#[test]
fn the_mistakes_are_the_faults_that_the_page_shows() {
    for (bot, fault) in [("noisy_bot", "protocol"), ("crashing_bot", "crash")] {
        let events = play(GRID, bot, "greedy", "2");
        let first = events_of(&events, "game_ended")[0];
        assert_eq!(first["faults"][0]["kind"], fault, "{bot}: {first}");
    }
}

#[test]
fn the_class_can_be_hosted() {
    let file = TournamentFile::read("page", "page", &read("code/class.toml"));
    file.unwrap_or_else(|problems| panic!("{problems}"));
    for student in ["anna", "ben", "carla", "dario"] {
        assert!(repository("examples/class/submissions").join(student).join("bot.py").is_file());
    }
}
