//! The bots of the tutorials in `docs/learn`: the pages quote the files in `docs/learn/code`, and the
//! files play as the pages say.

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
