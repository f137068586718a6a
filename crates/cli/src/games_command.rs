//! `botyard games`: lists the games, or describes the rules of one. Everything comes from the registry;
//! this module knows no game by name.

use crate::failure::Failure;
use crate::text::out;
use botyard_engine::Scores;
use botyard_engine::registry::{self, GameInfo};
use botyard_league::scale::Scale;
use botyard_runner::words::wrapped;
use clap::Args;
use serde_json::{Map, Value, json};
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
///
/// # Errors
///
/// An unknown game, and an output that cannot be written.
pub fn run(args: &GamesArgs) -> anyhow::Result<ExitCode> {
    let names = match &args.game {
        Some(name) => vec![name.clone()],
        None => registry::names(),
    };
    let mut games = Vec::new();
    for name in names {
        games.push(registry::info(&name).map_err(Failure::usage)?);
    }
    out(&match (&args.game, args.json) {
        (Some(_), false) => games.iter().map(one_game).collect(),
        (None, false) => list(&games),
        (Some(_), true) => games.iter().map(|game| json_line(&game_as_json(game))).collect(),
        (None, true) => json_line(&games.iter().map(game_as_json).collect::<Value>()),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn json_line(json: &Value) -> String {
    format!("{json:#}\n")
}

fn game_as_json(game: &GameInfo) -> Value {
    let presets: Vec<Value> = game
        .presets
        .iter()
        .map(
            |(preset, rules)| json!({ "name": preset.name, "about": preset.about, "rules": rules }),
        )
        .collect();
    let mut all = json!({ "name": game.name, "about": game.about, "scoring": game.scoring, "presets": presets });
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

/// The presets of a game, and each rule with its value in the default preset and in presets that differ.
fn one_game(game: &GameInfo) -> String {
    let mut text = wrapped(&format!("{}: ", game.name), game.about);
    text.push('\n');
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
    let Some((_, default)) = game.presets.first() else { return text };
    let schema = game.schemas.iter().find(|(name, _)| *name == "rules").map(|(_, schema)| schema);
    for name in default.as_object().into_iter().flat_map(Map::keys) {
        text.push_str(&one_rule(game, name, schema.unwrap_or(&Value::Null)));
    }
    let _ = write!(
        text,
        "\nRules in full, with views and actions: docs/games/{name}.md\n\
         JSON Schemas: botyard schema {name}-rules (-opening, -setup, -view, -action, -chance)\n",
        name = game.name
    );
    text
}

fn one_rule(game: &GameInfo, name: &str, schema: &Value) -> String {
    let mut values: Vec<(String, Vec<&str>)> = Vec::new();
    for (preset, rules) in &game.presets {
        let value = as_typed(&rules[name]);
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, presets)) => presets.push(preset.name),
            None => values.push((value, vec![preset.name])),
        }
    }
    let default = values.first().map_or("", |(value, _)| value);
    let mut text = format!("\n  {name}={default}\n");
    let property = &schema["properties"][name];
    if let Some(about) = property["description"].as_str() {
        text.push_str(&wrapped("      ", about));
    }
    if game.seats_rule == Some(name) {
        text.push_str(&wrapped("      ", "A match sets this rule to the number of its bots."));
    }
    for line in values_in_words(property, schema) {
        text.push_str(&wrapped("        ", &line));
    }
    for (value, presets) in values.iter().skip(1) {
        text.push_str(&wrapped("      ", &format!("{value} in {}", presets.join(", "))));
    }
    text
}

/// The values of a rule: each word with its meaning, or one line for other types.
fn values_in_words(property: &Value, schema: &Value) -> Vec<String> {
    let definition = definition(property, schema);
    let variants = definition["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
    if !variants.is_empty() && variants.iter().all(|variant| variant.get("const").is_some()) {
        let word = |variant: &Value| match variant["description"].as_str() {
            Some(about) => format!("{}: {about}", as_typed(&variant["const"])),
            None => as_typed(&variant["const"]),
        };
        return variants.iter().map(word).collect();
    }
    let kind = kind(definition, schema);
    if kind.is_empty() { Vec::new() } else { vec![kind] }
}

/// The definition that a property refers to, or the property itself.
fn definition<'a>(property: &'a Value, schema: &'a Value) -> &'a Value {
    let name = property["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    name.map_or(property, |name| &schema["$defs"][name])
}

/// A value as it is written after `--rule KEY=`: a string without its quotes.
fn as_typed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The values of a rule in words, as far as its schema says.
fn kind(property: &Value, schema: &Value) -> String {
    let property = definition(property, schema);
    if let Some(word) = property.get("const") {
        return as_typed(word);
    }
    if let Some(words) = property["enum"].as_array() {
        return words.iter().map(as_typed).collect::<Vec<_>>().join(", ");
    }
    let variants = property["oneOf"].as_array().or(property["anyOf"].as_array());
    if let Some(variants) = variants {
        let kinds = variants.iter().map(|variant| kind(variant, schema));
        return kinds.filter(|kind| !kind.is_empty()).collect::<Vec<_>>().join(", or ");
    }
    match property["type"].as_str().unwrap_or_default() {
        "boolean" => "true or false".to_string(),
        "integer" => format!("a whole number{}", bounds(property)),
        "number" => format!("a number{}", bounds(property)),
        // The description explains the pattern.
        "string" => property["description"].as_str().unwrap_or("a string").to_string(),
        "array" => format!("a list, each {}", kind(&property["items"], schema)),
        "object" => {
            let fields = property["properties"].as_object();
            let names: Vec<&str> =
                fields.into_iter().flat_map(Map::keys).map(String::as_str).collect();
            format!("an object with {}", names.join(", "))
        }
        _ => String::new(),
    }
}

/// The bounds of a number, unless they are only those of its integer type.
fn bounds(property: &Value) -> String {
    let most = property["maximum"].as_u64().filter(|&most| !TYPE_BOUNDS.contains(&most));
    match (property["minimum"].as_u64(), most) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least @ 1..), None) => format!(", {least} or more"),
        _ => String::new(),
    }
}

/// The maxima of the integer types, which schemas give where the rules have no maximum.
const TYPE_BOUNDS: [u64; 3] = [u8::MAX as u64, u16::MAX as u64, u32::MAX as u64];
