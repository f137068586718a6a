//! Options of `mcts` in the games of a generation, as a manifest has them: a table of names and
//! values.

use botyard_agent::Options;
use botyard_bots::mcts;
use botyard_engine::Game;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_protocol::{OptionError, OptionSpec};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The options that a side can have in games to learn from. The iterations and the network are
/// those of the generation, for both sides.
const NAMES: [&str; 9] =
    ["c", "coalition", "determinization", "filter", "final", "model", "playout", "prior", "reward"];

/// Options of `mcts` for one side. Those that are not set have the values that were the defaults
/// when the first weights were made, so that the manifests of these weights still hold.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct MctsOptions(BTreeMap<String, Value>);

impl MctsOptions {
    /// Makes the options from texts `NAME=VALUE`, as on a command line.
    ///
    /// # Errors
    ///
    /// If a text is not of this form, there is no such option, or it does not have such a value.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<MctsOptions, String> {
        let specs = specs();
        let parse = |text: &str| {
            let Some((name, value)) = text.split_once('=') else {
                return Err(format!("expected NAME=VALUE, got {text:?}"));
            };
            let value = spec(&specs, name)?.check(name, value);
            Ok((name.to_owned(), value.map_err(|error| error.to_string())?))
        };
        Ok(MctsOptions(texts.into_iter().map(parse).collect::<Result<_, String>>()?))
    }

    /// Returns the values of all options.
    ///
    /// # Errors
    ///
    /// If an option does not exist, or does not have its value.
    pub fn resolve(&self) -> Result<Options, String> {
        let specs = specs();
        for name in self.0.keys() {
            spec(&specs, name)?;
        }
        let first = [
            ("determinization", json!("fleeing")),
            ("filter", json!(true)),
            ("model", json!(true)),
            ("reward", json!("shaped")),
        ];
        let mut values: BTreeMap<String, Value> =
            first.into_iter().map(|(name, value)| (name.into(), value)).collect();
        values.extend(self.0.clone());
        Options::resolve(&specs, &values).map_err(|error| error.to_string())
    }
}

fn specs() -> BTreeMap<String, OptionSpec> {
    mcts::bot().options_at(ScotlandYard::NAME)
}

/// Returns the specification of an option that a side can have.
fn spec<'a>(specs: &'a BTreeMap<String, OptionSpec>, name: &str) -> Result<&'a OptionSpec, String> {
    specs.get(name).filter(|_| NAMES.contains(&name)).ok_or_else(|| {
        let known = NAMES.map(String::from).to_vec();
        OptionError::Unknown { name: name.into(), known }.to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_the_bot() {
        let set = MctsOptions::parse(["model=false", "c=0.25"]).unwrap();
        let table = toml::from_str("model = false\nc = 0.25").unwrap();
        assert_eq!(set, table);
        let options = set.resolve().unwrap();
        assert!(!options.bool("model") && options.bool("filter"));
        assert_eq!((options.float("c"), options.text("reward")), (0.25, "shaped"));
        for (text, message) in [
            ("model", "expected NAME=VALUE, got \"model\""),
            ("modal=false", "modal"),
            ("iterations=3", "iterations"),
            ("model=maybe", "model"),
        ] {
            let error = MctsOptions::parse([text]).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        let number: MctsOptions = toml::from_str("model = 1").unwrap();
        assert!(number.resolve().unwrap_err().contains("model"));
    }
}
