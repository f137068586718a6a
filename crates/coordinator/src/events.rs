//! What the coordinator reports of itself: one line of JSON for each event.

use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

/// What receives events.
pub type Log = Arc<dyn Fn(&Event) + Send + Sync>;

/// An event: a refused call, an expired lease, the start or the end of the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What happened, in one word.
    pub name: &'static str,
    /// The worker, the tournament, the reason and so on.
    pub fields: Map<String, Value>,
}

impl Event {
    /// Makes an event without fields.
    pub fn new(name: &'static str) -> Event {
        Event { name, fields: Map::new() }
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Event {
        self.fields.insert(name.to_string(), value.into());
        self
    }
}

/// One line of JSON without its newline: `at`, `event`, and the fields.
impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = humantime::format_rfc3339_millis(SystemTime::now()).to_string();
        let mut line = Map::new();
        line.insert("at".into(), at.into());
        line.insert("event".into(), self.name.into());
        line.extend(self.fields.clone());
        write!(formatter, "{}", Value::Object(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_whatever_its_fields_contain() {
        let line = Event::new("refused").with("worker", "a\n\"b").with("game", 3).to_string();
        assert!(!line.contains('\n'));
        let read: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read["event"], "refused");
        assert_eq!((read["worker"].as_str(), read["game"].as_u64()), (Some("a\n\"b"), Some(3)));
    }
}
