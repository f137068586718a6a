//! Descriptions of the parameters of a game's rules: meaning, accepted values, and the values in
//! the presets. All of it comes from the presets and the JSON Schema of the rules.

use crate::registry::GameInfo;
use serde_json::{Map, Value};

/// One parameter of a game's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDescription {
    /// Its name.
    pub name: String,
    /// Its meaning.
    pub about: Option<String>,
    /// The values that it accepts, as text: one entry with its meaning per word, if the values are
    /// words; otherwise one entry for all. Empty if the schema does not say.
    pub accepts: Vec<String>,
    /// The values in the presets, as written after `NAME=`, each with the names of its presets. The
    /// first is that of the default preset.
    pub values: Vec<(String, Vec<&'static str>)>,
}

impl GameInfo {
    /// Returns every parameter of the rules, in alphabetical order.
    pub fn rule_descriptions(&self) -> Vec<RuleDescription> {
        let Some((_, default)) = self.presets.first() else { return Vec::new() };
        let schema = &self.rules_schema;
        let describe = |name: &String| {
            let property = &schema["properties"][name];
            RuleDescription {
                name: name.clone(),
                about: property["description"].as_str().map(String::from),
                accepts: accepts(property, schema),
                values: self.values_of(name),
            }
        };
        default.as_object().into_iter().flat_map(Map::keys).map(describe).collect()
    }

    fn values_of(&self, rule: &str) -> Vec<(String, Vec<&'static str>)> {
        let mut values: Vec<(String, Vec<&'static str>)> = Vec::new();
        for (preset, rules) in &self.presets {
            let value = as_typed(&rules[rule]);
            match values.iter_mut().find(|(known, _)| *known == value) {
                Some((_, presets)) => presets.push(preset.name),
                None => values.push((value, vec![preset.name])),
            }
        }
        values
    }
}

/// Returns the values that a rule accepts: each word with its meaning if they are words, otherwise
/// one line.
fn accepts(property: &Value, schema: &Value) -> Vec<String> {
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

/// Returns the definition that a property refers to, or the property itself.
fn definition<'a>(property: &'a Value, schema: &'a Value) -> &'a Value {
    let name = property["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    name.map_or(property, |name| &schema["$defs"][name])
}

/// Formats a value as written after `--rule NAME=`: strings without quotes.
fn as_typed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Describes the values that a rule accepts, as far as its schema says.
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
        // A pattern is for programs; the description is for people.
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

/// Returns the bounds of a number, unless they are only those of the integer type.
fn bounds(property: &Value) -> String {
    let most = property["maximum"].as_u64().filter(|&most| !TYPE_BOUNDS.contains(&most));
    match (property["minimum"].as_u64(), most) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least @ 1..), None) => format!(", {least} or more"),
        _ => String::new(),
    }
}

/// The greatest values of the integer types, which schemas give where rules set no bound.
const TYPE_BOUNDS: [u64; 3] = [u8::MAX as u64, u16::MAX as u64, u32::MAX as u64];

#[cfg(test)]
mod tests {
    use crate::registry;

    #[test]
    fn every_rule_of_every_game_is_described() {
        for game in registry::names() {
            let info = registry::info(&game).unwrap();
            let described = info.rule_descriptions();
            let default = info.presets[0].1.as_object().unwrap();
            assert!(described.iter().map(|rule| &rule.name).eq(default.keys()), "{game}");
            for rule in described {
                assert!(rule.about.is_some(), "{game}: {}", rule.name);
                let presets: usize = rule.values.iter().map(|(_, presets)| presets.len()).sum();
                assert_eq!(presets, info.presets.len(), "{game}: {}", rule.name);
                assert_eq!(rule.values[0].1[0], info.presets[0].0.name);
            }
        }
    }

    #[test]
    fn values_are_described_by_words_or_bounds() {
        let info = registry::info("draughts").unwrap();
        let described = info.rule_descriptions();
        let rule = |name: &str| described.iter().find(|rule| rule.name == name).unwrap();
        let jump = rule("jump");
        assert!(jump.accepts.iter().any(|word| word.starts_with("one_piece: ")), "{jump:?}");
        assert!(jump.values.iter().any(|(_, presets)| presets.contains(&"janacek-2007")));
    }
}
