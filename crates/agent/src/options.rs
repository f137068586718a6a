//! The option values of a match, validated against the options declared by the bot. Parsing them
//! from a command line is the referee's task.

use botyard_protocol::{OptionError, OptionSpec};
use serde_json::Value;
use std::collections::BTreeMap;

/// A bot's options in one game: every declared option with the value set by the match, or its
/// default.
///
/// The getters are for the author of the bot: asking for an option that the bot did not declare
/// with that kind is a bug in the bot, and panics.
#[derive(Clone, Debug, PartialEq)]
pub struct Options(BTreeMap<String, Value>);

impl Options {
    /// Applies the values set by a match.
    ///
    /// # Errors
    ///
    /// Unknown options, and values that the options do not allow.
    pub fn resolve(
        specs: &BTreeMap<String, OptionSpec>,
        set: &BTreeMap<String, Value>,
    ) -> Result<Options, OptionError> {
        let mut values: BTreeMap<String, Value> =
            specs.iter().map(|(name, spec)| (name.clone(), spec.default_value())).collect();
        for (name, value) in set {
            let Some(spec) = specs.get(name) else {
                let known = specs.keys().cloned().collect();
                return Err(OptionError::Unknown { name: name.clone(), known });
            };
            if !spec.accepts(value) {
                return Err(OptionError::BadValue {
                    name: name.clone(),
                    expected: spec.expected(),
                    found: value.to_string(),
                });
            }
            values.insert(name.clone(), value.clone());
        }
        Ok(Options(values))
    }

    /// Returns the value of an `int` option.
    ///
    /// # Panics
    ///
    /// If the bot did not declare such an option.
    pub fn int(&self, name: &str) -> i64 {
        self.get(name)
            .as_i64()
            .unwrap_or_else(|| panic!("option {name} was not declared as an int"))
    }

    /// Returns the value of a `float` option.
    ///
    /// # Panics
    ///
    /// If the bot did not declare such an option.
    pub fn float(&self, name: &str) -> f64 {
        self.get(name)
            .as_f64()
            .unwrap_or_else(|| panic!("option {name} was not declared as a float"))
    }

    /// Returns the value of a `bool` option.
    ///
    /// # Panics
    ///
    /// If the bot did not declare such an option.
    pub fn bool(&self, name: &str) -> bool {
        self.get(name)
            .as_bool()
            .unwrap_or_else(|| panic!("option {name} was not declared as a bool"))
    }

    /// Returns the value of an `enum` or `text` option.
    ///
    /// # Panics
    ///
    /// If the bot did not declare such an option.
    pub fn text(&self, name: &str) -> &str {
        self.get(name)
            .as_str()
            .unwrap_or_else(|| panic!("option {name} was not declared as an enum or text"))
    }

    fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or_else(|| panic!("option {name} was not declared"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn specs() -> BTreeMap<String, OptionSpec> {
        let about = String::new;
        BTreeMap::from([
            ("depth".into(), OptionSpec::Int { min: 1, max: 9, default: 3, about: about() }),
            ("c".into(), OptionSpec::Float { min: 0.0, max: 2.0, default: 1.0, about: about() }),
            (
                "playouts".into(),
                OptionSpec::Enum {
                    values: vec!["random".into(), "greedy".into()],
                    default: "random".into(),
                    about: about(),
                },
            ),
            ("book".into(), OptionSpec::Bool { default: true, about: about() }),
            ("file".into(), OptionSpec::Text { default: String::new(), about: about() }),
        ])
    }

    #[test]
    fn set_or_default() {
        let set = BTreeMap::from([
            ("c".to_string(), json!(2)),
            ("playouts".to_string(), json!("greedy")),
            ("book".to_string(), json!(false)),
        ]);
        let options = Options::resolve(&specs(), &set).unwrap();
        assert_eq!(options.int("depth"), 3);
        assert_eq!(options.float("c"), 2.0);
        assert_eq!(options.text("playouts"), "greedy");
        assert!(!options.bool("book"));
        assert_eq!(options.text("file"), "");
    }

    #[test]
    fn refused_values() {
        for (name, value, reason) in [
            ("depht", json!(3), "did you mean depth?"),
            ("depth", json!(0), "option depth: expected an integer from 1 to 9, got \"0\""),
            ("depth", json!(10), "got \"10\""),
            ("depth", json!(2.5), "got \"2.5\""),
            ("depth", json!("3"), "expected an integer from 1 to 9"),
            ("c", json!(-0.1), "a number from 0 to 2"),
            ("c", json!(null), "got \"null\""),
            ("playouts", json!("none"), "one of random, greedy"),
            ("book", json!(1), "true or false"),
            ("file", json!([]), "a text"),
        ] {
            let set = BTreeMap::from([(name.to_string(), value)]);
            let error = Options::resolve(&specs(), &set).unwrap_err().to_string();
            assert!(error.contains(reason), "{name}: {error}");
        }
    }
}
