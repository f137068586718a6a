//! The games with their presets and rules, as text and as JSON. Everything comes from the registry;
//! no game is known by name.

use crate::installed_games::{InstalledGame, InstalledGames};
use crate::message;
use crate::message::Message;
use crate::settings::{PRESET, RULE};
use crate::words::wrapped;
use botyard_engine::registry::GameInfo;
use botyard_engine::{RuleDescription, Scores};
use botyard_league::scale::Scale;
use serde_json::{Value, json};

/// Lists games, with their kinds and the numbers of their presets.
pub fn list_of_games(games: &[GameInfo]) -> String {
    let width = games.iter().map(|game| game.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for game in games {
        text.push_str(&wrapped(&format!("{:width$}  ", game.name), game.about));
        text.push_str(&wrapped(&" ".repeat(width + 2), &game.kind()));
        let default = game.presets.first().map_or("", |(preset, _)| preset.name);
        let rules = match game.presets.len() {
            1 => format!("1 preset: {default}"),
            presets => format!("{presets} presets, default {default}"),
        };
        text.push_str(&wrapped(&" ".repeat(width + 2), &rules));
    }
    text
}

/// Lists the games of directories of games, with where each is; empty if there is none.
pub fn list_of_installed(installed: &InstalledGames) -> String {
    let games = &installed.games;
    let width = games.iter().map(|game| game.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for InstalledGame { name, about, directory, flaw } in games {
        let about = flaw.as_deref().unwrap_or(about);
        text.push_str(&wrapped(&format!("{name:width$}  "), about));
        text.push_str(&wrapped(&" ".repeat(width + 2), &directory.display().to_string()));
    }
    text
}

/// Describes a game: its presets, and each rule with its value in the default preset and in presets
/// that differ.
pub fn game_in_words(game: &GameInfo) -> Message {
    let mut text = wrapped(&format!("{}: ", game.name), game.about);
    text.push('\n');
    text.push_str(&wrapped("Kind: ", &game.kind()));
    text.push_str(&wrapped("Points and places: ", game.scoring));
    if let Some(Scores { least, most, .. }) = Scale::new(game.scores).range() {
        text.push_str(&wrapped("", &format!("Points are from {least} to {most}.")));
    }
    let about = message![text, "\nPresets (", PRESET, " PRESET); the first is the default:\n\n"];
    let mut presets = String::new();
    let width = game.presets.iter().map(|(preset, _)| preset.name.len()).max().unwrap_or(0);
    for (preset, _) in &game.presets {
        presets.push_str(&wrapped(&format!("  {:width$}  ", preset.name), preset.about));
    }
    let rules = game.rule_descriptions();
    if rules.is_empty() {
        return message![about, presets, "\nThe rules have no parameters.\n"];
    }
    let rules = rules.iter().map(|rule| rule_in_words(rule, game.seats_rule));
    message![
        about,
        presets,
        "\nRules (",
        RULE,
        " KEY=VALUE), with the value in the default preset and in presets that differ:\n",
        rules.collect::<String>()
    ]
}

fn rule_in_words(rule: &RuleDescription, seats_rule: Option<&str>) -> String {
    let default = rule.values.first().map_or("", |(value, _)| value);
    let mut text = format!("\n  {}={default}\n", rule.name);
    if let Some(about) = &rule.about {
        text.push_str(&wrapped("      ", about));
    }
    if seats_rule == Some(&rule.name) {
        text.push_str(&wrapped("      ", "A match sets this rule to the number of its bots."));
    }
    for line in &rule.accepts {
        text.push_str(&wrapped("        ", line));
    }
    for (value, presets) in rule.values.iter().skip(1) {
        text.push_str(&wrapped("      ", &format!("{value} in {}", presets.join(", "))));
    }
    text
}

/// Returns the description of a game with the range of its points in a league.
pub fn game_as_json(game: &GameInfo) -> Value {
    let mut all = game.to_json();
    if let Some(points) = Scale::new(game.scores).range() {
        all["points"] = json!(points);
    }
    all
}
