//! The options of a bot: validation of the options offered in `hello`, and of the values set by a
//! match. Values are checked before a game starts, so that a typo ends a match immediately, not
//! after a thousand games.

use crate::messages::OptionSpec;
use crate::text::printable;
use serde_json::{Number, Value};
use std::collections::BTreeMap;

/// The error of an option that cannot be set or offered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The bot has no option of that name.
    #[error("there is no option \"{name}\"{}; {}", did_you_mean(.name, .known), list(.known))]
    Unknown {
        /// The name requested.
        name: String,
        /// The options of the bot.
        known: Vec<String>,
    },
    /// A value that the option does not allow.
    #[error("option {name}: expected {expected}, got \"{found}\"")]
    BadValue {
        /// The option.
        name: String,
        /// The values it allows.
        expected: String,
        /// The value requested, shortened.
        found: String,
    },
    /// An option without any valid value, or with an invalid default: a bug in the bot.
    #[error("the bot offers an option \"{name}\" that is invalid: {reason}")]
    BadSpec {
        /// The option, shortened.
        name: String,
        /// The contradiction.
        reason: String,
    },
}

fn did_you_mean(name: &str, known: &[String]) -> String {
    let name = name.to_lowercase();
    known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(&name, &candidate.to_lowercase()), candidate))
        .filter(|&(similarity, _)| similarity > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, near)| format!(" (did you mean {}?)", printable(near, 40)))
        .unwrap_or_default()
}

fn list(known: &[String]) -> String {
    if known.is_empty() {
        return "this bot has no options".to_owned();
    }
    let names: Vec<String> = known.iter().map(|name| printable(name, 40)).collect();
    format!("its options are {}", names.join(", "))
}

/// Parses the values of the chosen options, by name; the bot applies its defaults to the others.
///
/// # Errors
///
/// The first option that the bot does not have, with the nearest name, or whose value is invalid.
pub fn check_options(
    specs: &BTreeMap<String, OptionSpec>,
    chosen: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Value>, OptionError> {
    let check = |(name, text): (&String, &String)| match specs.get(name) {
        Some(spec) => Ok((name.clone(), spec.check(name, text)?)),
        None => Err(OptionError::Unknown {
            name: printable(name, 40),
            known: specs.keys().cloned().collect(),
        }),
    };
    chosen.iter().map(check).collect()
}

/// Validates the options that a bot offers: names that can be typed on a command line, bounds in
/// order, defaults within them.
///
/// # Errors
///
/// The first invalid option.
pub fn check_specs(specs: &BTreeMap<String, OptionSpec>) -> Result<(), OptionError> {
    specs.iter().try_for_each(|(name, spec)| {
        let typed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 40 || !name.chars().all(typed) {
            return Err(OptionError::BadSpec {
                name: printable(name, 40),
                reason: "a name is 1 to 40 letters, digits, '-', '_' and '.'".to_owned(),
            });
        }
        spec.check_itself().map_err(|reason| OptionError::BadSpec { name: name.clone(), reason })
    })
}

impl OptionSpec {
    /// Parses a value from a command line.
    ///
    /// # Errors
    ///
    /// [`OptionError::BadValue`]: a text that is not a value of this kind, or a value out of range.
    pub fn check(&self, name: &str, text: &str) -> Result<Value, OptionError> {
        let value = match self {
            OptionSpec::Int { .. } => text.parse::<i64>().ok().map(Value::from),
            OptionSpec::Float { .. } => {
                text.parse().ok().and_then(Number::from_f64).map(Value::Number)
            }
            OptionSpec::Bool { .. } => text.parse::<bool>().ok().map(Value::Bool),
            OptionSpec::Enum { .. } | OptionSpec::Text { .. } => Some(Value::from(text)),
        };
        value.filter(|value| self.accepts(value)).ok_or_else(|| self.bad_value(name, text))
    }

    /// Returns whether an option allows this value: for bots, to check the values in `start`.
    pub fn accepts(&self, value: &Value) -> bool {
        match self {
            OptionSpec::Int { min, max, .. } => {
                value.as_i64().is_some_and(|value| (*min..=*max).contains(&value))
            }
            OptionSpec::Float { min, max, .. } => {
                value.as_f64().is_some_and(|value| (*min..=*max).contains(&value))
            }
            OptionSpec::Enum { values, .. } => {
                value.as_str().is_some_and(|value| values.iter().any(|word| word == value))
            }
            OptionSpec::Bool { .. } => value.is_boolean(),
            OptionSpec::Text { .. } => value.is_string(),
        }
    }

    /// Returns the default.
    pub fn default_value(&self) -> Value {
        match self {
            OptionSpec::Int { default, .. } => Value::from(*default),
            OptionSpec::Float { default, .. } => Value::from(*default),
            OptionSpec::Bool { default, .. } => Value::from(*default),
            OptionSpec::Enum { default, .. } | OptionSpec::Text { default, .. } => {
                Value::from(default.as_str())
            }
        }
    }

    /// Returns the description, one line; empty if the bot gives none.
    pub fn about(&self) -> &str {
        match self {
            OptionSpec::Int { about, .. }
            | OptionSpec::Float { about, .. }
            | OptionSpec::Enum { about, .. }
            | OptionSpec::Bool { about, .. }
            | OptionSpec::Text { about, .. } => about,
        }
    }

    /// Describes the values that the option allows: `an integer from 1 to 9`.
    pub fn expected(&self) -> String {
        match self {
            OptionSpec::Int { min, max, .. } => format!("an integer from {min} to {max}"),
            OptionSpec::Float { min, max, .. } => format!("a number from {min} to {max}"),
            OptionSpec::Enum { values, .. } => {
                let words: Vec<String> = values.iter().map(|word| printable(word, 40)).collect();
                format!("one of {}", words.join(", "))
            }
            OptionSpec::Bool { .. } => "true or false".to_owned(),
            OptionSpec::Text { .. } => "a text".to_owned(),
        }
    }

    fn bad_value(&self, name: &str, found: &str) -> OptionError {
        OptionError::BadValue {
            name: printable(name, 40),
            expected: self.expected(),
            found: printable(found, 60),
        }
    }

    fn check_itself(&self) -> Result<(), String> {
        let nothing_fits = match self {
            OptionSpec::Int { min, max, .. } => min > max,
            OptionSpec::Float { min, max, .. } => min > max,
            OptionSpec::Enum { values, .. } => values.is_empty(),
            OptionSpec::Bool { .. } | OptionSpec::Text { .. } => false,
        };
        if nothing_fits {
            return Err(format!("no value is {}", self.expected()));
        }
        if !self.accepts(&self.default_value()) {
            return Err(format!("its default {} is not {}", self.default_value(), self.expected()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the options of an invented bot, as in its `hello`.
    fn specs() -> BTreeMap<String, OptionSpec> {
        serde_json::from_str(
            r#"{"depth": {"kind": "int", "min": 1, "max": 9, "default": 4},
                "c": {"kind": "float", "min": 0, "max": 10, "default": 1.5, "about": "exploration"},
                "algorithm": {"kind": "enum", "values": ["alpha-beta", "mtdf"], "default": "mtdf"},
                "ponder": {"kind": "bool", "default": false},
                "book": {"kind": "text", "default": ""}}"#,
        )
        .unwrap()
    }

    #[test]
    fn texts_are_parsed_as_values_or_refused_with_the_reason() {
        let no = |rest: &str| Err(format!("option {rest}"));
        let cases = [
            ("depth", "9", Ok("9")),
            ("depth", "10", no(r#"depth: expected an integer from 1 to 9, got "10""#)),
            ("depth", "4.0", no(r#"depth: expected an integer from 1 to 9, got "4.0""#)),
            ("depth", "", no(r#"depth: expected an integer from 1 to 9, got """#)),
            ("c", "0", Ok("0.0")),
            ("c", "1e1", Ok("10.0")),
            ("c", "-0.1", no(r#"c: expected a number from 0 to 10, got "-0.1""#)),
            ("c", "NaN", no(r#"c: expected a number from 0 to 10, got "NaN""#)),
            ("c", "inf", no(r#"c: expected a number from 0 to 10, got "inf""#)),
            ("algorithm", "alpha-beta", Ok(r#""alpha-beta""#)),
            ("algorithm", "MTDF", no(r#"algorithm: expected one of alpha-beta, mtdf, got "MTDF""#)),
            ("ponder", "true", Ok("true")),
            ("ponder", "yes", no(r#"ponder: expected true or false, got "yes""#)),
            ("book", "gambits.txt", Ok(r#""gambits.txt""#)),
        ];
        for (name, text, expected) in cases {
            let found = specs()[name].check(name, text);
            let found = found.map(|value| value.to_string()).map_err(|error| error.to_string());
            assert_eq!(found, expected.map(str::to_owned), "{name}={text}");
        }
    }

    #[test]
    fn chosen_options_are_set_and_unknown_ones_get_the_nearest_name() {
        let chosen = |name: &str| BTreeMap::from([(name.to_owned(), "3".to_owned())]);
        let set = check_options(&specs(), &chosen("depth")).unwrap();
        assert_eq!(set, BTreeMap::from([("depth".to_owned(), Value::from(3))]));
        let cases = [
            (
                specs(),
                "Dept",
                "there is no option \"Dept\" (did you mean depth?); \
                its options are algorithm, book, c, depth, ponder",
            ),
            (
                specs(),
                "x",
                "there is no option \"x\"; its options are algorithm, book, c, depth, ponder",
            ),
            (BTreeMap::new(), "depth", "there is no option \"depth\"; this bot has no options"),
        ];
        for (specs, name, expected) in cases {
            assert_eq!(check_options(&specs, &chosen(name)).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn invalid_options_are_refused() {
        assert_eq!(check_specs(&specs()), Ok(()));
        let cases = [
            (
                r#"{"n": {"kind": "int", "min": 2, "max": 1, "default": 1}}"#,
                "no value is an integer from 2 to 1",
            ),
            (
                r#"{"n": {"kind": "int", "min": 1, "max": 9, "default": 0}}"#,
                "its default 0 is not an integer from 1 to 9",
            ),
            (
                r#"{"n": {"kind": "float", "min": 1, "max": 2, "default": 2.5}}"#,
                "its default 2.5 is not a number from 1 to 2",
            ),
            (r#"{"n": {"kind": "enum", "values": [], "default": ""}}"#, "no value is one of "),
            (
                r#"{"n": {"kind": "enum", "values": ["a"], "default": "b"}}"#,
                "its default \"b\" is not one of a",
            ),
            (
                r#"{"a=b": {"kind": "bool", "default": true}}"#,
                "a name is 1 to 40 letters, digits, '-', '_' and '.'",
            ),
            (
                r#"{"": {"kind": "bool", "default": true}}"#,
                "a name is 1 to 40 letters, digits, '-', '_' and '.'",
            ),
        ];
        for (json, expected) in cases {
            let Err(OptionError::BadSpec { reason, .. }) =
                check_specs(&serde_json::from_str(json).unwrap())
            else {
                panic!("{json} was accepted")
            };
            assert_eq!(reason, expected, "{json}");
        }
    }
}
