//! The differences between two versions of a tournament file, key by key, with the lines of the new
//! one and the remedies in a tournament that has begun.

use super::section::line_of;
use std::collections::BTreeMap;
use std::fmt;
use toml::de::{DeTable, DeValue};

/// The remedy for a difference in a tournament that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// More games, or a late bot: `extend` adopts it.
    Extend,
    /// Another version of this bot: `update` adopts it.
    Update(String),
    /// The number of simultaneous games, which every run may choose.
    Run,
    /// None: the finished games would belong to another tournament.
    Nothing,
}

/// A difference between two versions of a tournament file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Its line in the new version, from 1; 0 if it is not there.
    pub line: usize,
    /// The key, such as `time.move_ms`.
    pub key: String,
    /// The old value, as TOML; `None` if there was none.
    pub before: Option<String>,
    /// The new value.
    pub after: Option<String>,
    /// The remedy.
    pub remedy: Remedy,
}

impl fmt::Display for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => {}
            line => write!(f, "line {line}: ")?,
        }
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, "{} was {before} and is {after}", self.key),
            (None, Some(after)) => write!(f, "{} = {after} is new", self.key),
            (Some(before), None) => write!(f, "{} = {before} is gone", self.key),
            (None, None) => write!(f, "{} differs", self.key),
        }
    }
}

/// A value with its line.
type Found = (String, usize);

/// Returns the differences, in the order of the keys; empty if only comments or the layout differ.
/// A text that is not TOML has no keys.
pub fn file_changes(before: &str, after: &str) -> Vec<FileChange> {
    let (before, after) = (values(before), values(after));
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let value = |found: Option<&Found>| found.map(|(value, _)| value.clone());
    let changes = keys.into_iter().filter_map(|key| {
        let (old, new) = (value(before.get(key)), value(after.get(key)));
        if old == new {
            return None;
        }
        let line = after.get(key).map_or(0, |(_, line)| *line);
        let remedy = remedy(key, old.as_deref(), new.as_deref(), [&before, &after]);
        Some(FileChange { line, key: key.clone(), before: old, after: new, remedy })
    });
    let mut changes: Vec<FileChange> = changes.collect();
    changes.sort_by_key(|change| change.line);
    changes
}

fn remedy(
    key: &str,
    before: Option<&str>,
    after: Option<&str>,
    files: [&BTreeMap<String, Found>; 2],
) -> Remedy {
    if key.starts_with("bot ") {
        let [was_there, is_there] = files.map(|file| bot_of(key, file));
        return match (was_there, is_there) {
            (Some(name), Some(_)) if is_time_of(&name, key) => Remedy::Nothing,
            (Some(name), Some(_)) => Remedy::Update(name),
            (None, Some(_)) => Remedy::Extend,
            // No longer a bot of the file.
            (_, None) => Remedy::Nothing,
        };
    }
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u64>().ok());
    match key {
        "blocks" | "rounds" if number(after) > Some(number(before).unwrap_or(1)) => Remedy::Extend,
        "challengers" => Remedy::Extend,
        "run.concurrency" => Remedy::Run,
        _ => Remedy::Nothing,
    }
}

/// Returns whether a key is a time of the bot of this name: with another one its games would be others.
fn is_time_of(name: &str, key: &str) -> bool {
    let times = ["move_ms", "bank_ms", "increment_ms"];
    times.iter().any(|time| key == format!("bot {name}.{time}"))
}

/// Returns the name of the bot that a key belongs to. Names may have dots.
fn bot_of(key: &str, file: &BTreeMap<String, Found>) -> Option<String> {
    let mut dots = key.match_indices('.').map(|(at, _)| &key[..at]);
    let bot = dots.rfind(|bot| file.contains_key(&format!("{bot}.command")))?;
    bot.strip_prefix("bot ").map(String::from)
}

/// Reads every value of a file by its key; those of a bot by its name.
fn values(text: &str) -> BTreeMap<String, Found> {
    let (table, _) = DeTable::parse_recoverable(text);
    let mut found = BTreeMap::new();
    let mut add = |prefix: &str, table: &DeTable<'_>| {
        flatten(prefix, table, text, &mut found);
    };
    let mut rest = DeTable::new();
    let mut bots: Vec<(String, &DeTable<'_>)> = Vec::new();
    for (key, value) in table.get_ref() {
        match value.get_ref() {
            DeValue::Array(entries) if key.get_ref() == "bot" => {
                for entry in entries {
                    if let DeValue::Table(bot) = entry.get_ref() {
                        bots.push((name_of(bot, &bots), bot));
                    }
                }
            }
            _ => drop(rest.insert(key.clone(), value.clone())),
        }
    }
    add("", &rest);
    for (name, bot) in bots {
        add(&format!("bot {name}."), bot);
    }
    found
}

/// Returns a bot's name as in the file; a second one of the same name gets a number.
fn name_of(bot: &DeTable<'_>, before: &[(String, &DeTable<'_>)]) -> String {
    let text = |key: &str| match bot.get(key)?.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    };
    let name = text("name").or_else(|| text("command")).unwrap_or_default();
    let is_taken = |name: &str| before.iter().any(|(other, _)| other == name);
    if !is_taken(&name) {
        return name;
    }
    (2u32..).map(|number| format!("{name}#{number}")).find(|name| !is_taken(name)).unwrap_or(name)
}

fn flatten(prefix: &str, table: &DeTable<'_>, text: &str, into: &mut BTreeMap<String, Found>) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) => flatten(&format!("{name}."), inner, text, into),
            value => {
                let line = line_of(text, key.span().start);
                into.insert(name, (in_words(value), line));
            }
        }
    }
}

fn in_words(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.as_str().to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(values) => {
            let values: Vec<String> =
                values.iter().map(|value| in_words(value.get_ref())).collect();
            format!("[{}]", values.join(", "))
        }
        DeValue::Table(table) => {
            let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
                let key: &std::borrow::Cow<'_, str> = key.get_ref();
                format!("{key} = {}", in_words(value.get_ref()))
            };
            format!("{{ {} }}", table.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "game = \"draughts\"\nblocks = 4\n[time]\nmove_ms = 100\n[run]\nconcurrency = 1\n\
        [[bot]]\nname = \"anna\"\ncommand = \"python3 a.py\"\noptions = { depth = 3 }\n\
        [[bot]]\ncommand = \"random\"\n";

    #[test]
    fn every_key_that_differs_is_named_with_its_line_and_what_adopts_it() {
        let after = "# more\ngame = \"draughts\"\nblocks = 8\n[time]\nmove_ms = 200\n[run]\nconcurrency = 2\n\
            [[bot]]\nname = \"anna\"\ncommand = \"python3 a.py\"\noptions = { depth = 4 }\n\
            [[bot]]\nname = \"dora\"\ncommand = \"greedy\"\n";
        let reported: Vec<(String, Remedy)> = (file_changes(BEFORE, after).into_iter())
            .map(|change| (change.to_string(), change.remedy))
            .collect();
        let expected = [
            ("bot random.command = \"random\" is gone", Remedy::Nothing),
            ("line 3: blocks was 4 and is 8", Remedy::Extend),
            ("line 5: time.move_ms was 100 and is 200", Remedy::Nothing),
            ("line 7: run.concurrency was 1 and is 2", Remedy::Run),
            ("line 11: bot anna.options.depth was 3 and is 4", Remedy::Update("anna".into())),
            ("line 13: bot dora.name = \"dora\" is new", Remedy::Extend),
            ("line 14: bot dora.command = \"greedy\" is new", Remedy::Extend),
        ];
        assert_eq!(reported, expected.map(|(text, remedy)| (text.to_string(), remedy)));
        assert_eq!(file_changes(BEFORE, &format!("# only a comment\n\n{BEFORE}")), []);
    }

    #[test]
    fn fewer_blocks_are_adopted_by_nothing() {
        let fewer = BEFORE.replace("blocks = 4", "blocks = 3");
        let [change] = &file_changes(BEFORE, &fewer)[..] else { panic!("one difference") };
        assert_eq!(change.remedy, Remedy::Nothing);
        let [change] = &file_changes(&BEFORE.replace("blocks = 4\n", ""), BEFORE)[..] else {
            panic!("one difference")
        };
        assert_eq!(change.remedy, Remedy::Extend);
    }
}
