//! Reads a table of a TOML file key by key, and reports values of the wrong kind or out of range,
//! and unknown keys. It defines no keys itself.

use super::Placed;
use super::problems::Problems;
use botyard_engine::rules::did_you_mean;
use serde_json::Value;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table of a file, every key of which must be read.
pub(super) struct Section<'a, 'i> {
    table: &'a DeTable<'i>,
    text: &'i str,
    name: String,
    /// Its first line.
    pub line: usize,
    asked: Vec<String>,
}

/// Returns the line of a position in a text, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// Returns the line of a key, such as `sandbox.read`, in the text of a file that has it.
pub fn line_of_key(text: &str, key: &str) -> Option<usize> {
    let (whole, _) = DeTable::parse_recoverable(text);
    let (mut table, mut line) = (Some(whole.get_ref()), None);
    for part in key.split('.') {
        let (found, value) = table?.iter().find(|(found, _)| found.get_ref() == part)?;
        line = Some(line_of(text, found.span().start));
        table = value.get_ref().as_table();
    }
    line
}

impl<'a, 'i> Section<'a, 'i> {
    /// Returns the whole file.
    pub(super) fn whole(table: &'a DeTable<'i>, text: &'i str) -> Section<'a, 'i> {
        Section { table, text, name: String::new(), line: 1, asked: Vec::new() }
    }

    fn get(&mut self, key: &str) -> Option<(&'a DeValue<'i>, usize)> {
        self.asked.push(key.to_string());
        // A table has few keys: a linear search is fast enough.
        let (found, value) = self.table.iter().find(|(found, _)| found.get_ref() == key)?;
        Some((value.get_ref(), line_of(self.text, found.span().start)))
    }

    /// Returns whether the key exists, with a value of any kind.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.keys().any(|found| found.get_ref() == key)
    }

    /// Returns the line of a key; that of the section if the key does not exist.
    pub(super) fn line_of(&self, key: &str) -> usize {
        let found = self.table.iter().find(|(found, _)| found.get_ref() == key);
        found.map_or(self.line, |(found, _)| line_of(self.text, found.span().start))
    }

    /// Returns the key as named in messages.
    fn called(&self, key: &str) -> String {
        match self.name.as_str() {
            "" => key.to_string(),
            name => format!("{name}.{key}"),
        }
    }

    fn wrong(
        &self,
        key: &str,
        line: usize,
        expected: &str,
        got: &DeValue<'_>,
        into: &mut Problems,
    ) {
        let got = match got {
            DeValue::String(text) => format!("{text:?}"),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.as_str().to_string(),
            DeValue::Boolean(flag) => flag.to_string(),
            other => format!("a value of type {}", other.type_str()),
        };
        into.add(line, format!("{}: expected {expected}, got {got}", self.called(key)));
    }

    /// Returns a text.
    pub(super) fn text(&mut self, key: &str, into: &mut Problems) -> Option<String> {
        let (value, line) = self.get(key)?;
        let text = value.as_str();
        if text.is_none() {
            self.wrong(key, line, "a text in quotes", value, into);
        }
        text.map(String::from)
    }

    /// Returns a text with its line.
    pub(super) fn placed_text(&mut self, key: &str, into: &mut Problems) -> Option<Placed<String>> {
        let line = self.line_of(key);
        self.text(key, into).map(|value| Placed { value, line })
    }

    /// Returns a whole number in a range.
    pub(super) fn number(
        &mut self,
        key: &str,
        range: RangeInclusive<u64>,
        into: &mut Problems,
    ) -> Option<u64> {
        let (value, line) = self.get(key)?;
        let number = value
            .as_integer()
            .and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok())
            .filter(|number| range.contains(number));
        if number.is_none() {
            let expected = format!("a number from {} to {}", range.start(), range.end());
            self.wrong(key, line, &expected, value, into);
        }
        number
    }

    /// Returns a share, 0 to 1.
    pub(super) fn share(&mut self, key: &str, into: &mut Problems) -> Option<f64> {
        let (value, line) = self.get(key)?;
        let text = match value {
            DeValue::Float(number) => Some(number.as_str()),
            DeValue::Integer(number) => Some(number.as_str()),
            _ => None,
        };
        let share = text.and_then(|text| text.parse().ok());
        let share = share.filter(|share| (0.0..=1.0).contains(share));
        if share.is_none() {
            self.wrong(key, line, "a number from 0 to 1", value, into);
        }
        share
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, key: &str, into: &mut Problems) -> Option<bool> {
        let (value, line) = self.get(key)?;
        let flag = value.as_bool();
        if flag.is_none() {
            self.wrong(key, line, "true or false", value, into);
        }
        flag
    }

    /// One of these words.
    pub(super) fn word(
        &mut self,
        key: &str,
        known: &[&str],
        into: &mut Problems,
    ) -> Option<String> {
        let line = self.line_of(key);
        let text = self.text(key, into)?;
        if known.contains(&text.as_str()) {
            return Some(text);
        }
        let names: Vec<String> = known.iter().map(|word| word.to_string()).collect();
        into.add(
            line,
            format!(
                "{}: expected one of {}, got {text:?}{}",
                self.called(key),
                known.join(", "),
                did_you_mean(&text, &names)
            ),
        );
        None
    }

    /// Returns a list of texts.
    pub(super) fn texts(&mut self, key: &str, into: &mut Problems) -> Option<Vec<String>> {
        let (value, line) = self.get(key)?;
        let texts: Option<Vec<String>> = value.as_array().and_then(|list| {
            list.iter().map(|item| item.get_ref().as_str().map(String::from)).collect()
        });
        if texts.is_none() {
            self.wrong(key, line, "a list of texts, as in [\"a\", \"b\"]", value, into);
        }
        texts
    }

    /// Returns the keys and values of a table, as written on the command line.
    pub(super) fn pairs(&mut self, key: &str, into: &mut Problems) -> Vec<(String, String)> {
        let Some((value, line)) = self.get(key) else { return Vec::new() };
        let Some(table) = value.as_table() else {
            self.wrong(key, line, &format!("a table: [{key}]"), value, into);
            return Vec::new();
        };
        let pair = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
            let key: &toml::de::DeString<'_> = key.get_ref();
            (key.to_string(), command_line_text(value.get_ref()))
        };
        table.iter().map(pair).collect()
    }

    /// Returns a table.
    pub(super) fn section(&mut self, key: &str, into: &mut Problems) -> Option<Section<'a, 'i>> {
        let (value, line) = self.get(key)?;
        match value.as_table() {
            Some(table) => Some(self.inner(table, key, line)),
            None => {
                self.wrong(key, line, &format!("a table: [{key}]"), value, into);
                None
            }
        }
    }

    /// Returns a list of tables.
    pub(super) fn sections(&mut self, key: &str, into: &mut Problems) -> Vec<Section<'a, 'i>> {
        let Some((value, line)) = self.get(key) else { return Vec::new() };
        let tables: Option<Vec<(&DeTable<'i>, usize)>> = value.as_array().and_then(|list| {
            let table = |item: &'a Spanned<DeValue<'i>>| {
                let begin = line_of(self.text, item.span().start);
                Some((item.get_ref().as_table()?, begin))
            };
            list.iter().map(table).collect()
        });
        match tables {
            Some(tables) => {
                tables.into_iter().map(|(table, line)| self.inner(table, key, line)).collect()
            }
            None => {
                self.wrong(key, line, &format!("tables: [[{key}]]"), value, into);
                Vec::new()
            }
        }
    }

    fn inner(&self, table: &'a DeTable<'i>, key: &str, line: usize) -> Section<'a, 'i> {
        Section { table, text: self.text, name: self.called(key), line, asked: Vec::new() }
    }

    /// Reports all keys that were not read.
    pub(super) fn finish(self, into: &mut Problems) {
        for key in self.table.keys() {
            let name = key.get_ref();
            if !self.asked.iter().any(|asked| asked == name) {
                let place = match self.name.as_str() {
                    "" => "the file".to_string(),
                    section => format!("[{section}]"),
                };
                into.add(
                    line_of(self.text, key.span().start),
                    format!(
                        "{place} has no key {name:?}{}; its keys are {}",
                        did_you_mean(name, &self.asked),
                        self.asked.join(", ")
                    ),
                );
            }
        }
    }
}

/// Formats a value as on the command line: strings without quotes, all else as JSON.
fn command_line_text(value: &DeValue<'_>) -> String {
    match value.as_str() {
        Some(text) => text.to_string(),
        None => json(value).to_string(),
    }
}

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Value::String(number.to_string()), Value::from),
        DeValue::Float(number) => number.as_str().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Array(list) => list.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => table
            .iter()
            .map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref())))
            .collect(),
    }
}
