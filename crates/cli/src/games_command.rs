//! `botyard games`: lists the games, or describes the rules of one. Everything comes from the
//! registry; this module knows no game by name.

use crate::failure::Failure;
use crate::text::done;
use botyard_engine::RuleDescription;
use botyard_engine::Scores;
use botyard_engine::registry::{self, GameInfo};
use botyard_league::scale::Scale;
use botyard_runner::words::wrapped;
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::ExitCode;

/// `botyard games`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard games
  botyard games scotland-yard")]
pub struct GamesArgs {
    /// Game to describe, with its presets and rules [default: list all games]
    pub game: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints the list, or the description of one game.
pub fn run(args: &GamesArgs) -> anyhow::Result<ExitCode> {
    let names = match &args.game {
        Some(name) => vec![name.clone()],
        None => registry::names(),
    };
    let mut games = Vec::new();
    for name in names {
        games.push(registry::info(&name).map_err(Failure::usage)?);
    }
    done(&match (&args.game, args.json) {
        (Some(_), false) => games.iter().map(one_game).collect(),
        (None, false) => list(&games),
        (Some(_), true) => games.iter().map(|game| json_line(&game_as_json(game))).collect(),
        (None, true) => json_line(&games.iter().map(game_as_json).collect::<Value>()),
    })
}

fn json_line(json: &Value) -> String {
    format!("{json:#}\n")
}

fn game_as_json(game: &GameInfo) -> Value {
    let mut all = game.to_json();
    if let Some(points) = Scale::new(game.scores).range() {
        all["points"] = json!(points);
    }
    all
}

fn list(games: &[GameInfo]) -> String {
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
    let example = games.first().map_or("GAME", |game| game.name);
    text.push_str(&format!("\n`botyard games {example}` shows its presets and every rule.\n"));
    text
}

/// The presets of a game, and each rule with its value in the default preset and in presets that
/// differ.
fn one_game(game: &GameInfo) -> String {
    let mut text = wrapped(&format!("{}: ", game.name), game.about);
    text.push('\n');
    text.push_str(&wrapped("Kind: ", &game.kind()));
    text.push_str(&wrapped("Points and places: ", game.scoring));
    if let Some(Scores { least, most, .. }) = Scale::new(game.scores).range() {
        text.push_str(&wrapped("", &format!("Points are from {least} to {most}.")));
    }
    text.push_str("\nPresets (--rules PRESET); the first is the default:\n\n");
    let width = game.presets.iter().map(|(preset, _)| preset.name.len()).max().unwrap_or(0);
    for (preset, _) in &game.presets {
        text.push_str(&wrapped(&format!("  {:width$}  ", preset.name), preset.about));
    }
    text.push_str(
        "\nRules (--rule KEY=VALUE), with the value in the default preset and in presets that differ:\n",
    );
    for rule in game.rule_descriptions() {
        text.push_str(&one_rule(&rule, game.seats_rule));
    }
    let _ = write!(
        text,
        "\nRules in full, with views and actions: docs/games/{name}.md\n\
         JSON Schemas: botyard schema {name}-rules (-opening, -setup, -view, -action, -chance)\n",
        name = game.name
    );
    text
}

fn one_rule(rule: &RuleDescription, seats_rule: Option<&str>) -> String {
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
