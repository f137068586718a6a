//! Messages as data: text, and the settings in it. A setting has no name until somebody names it: a
//! tournament names those of its file by their keys, and the front end all others by its own names. Text
//! from elsewhere (a path, the output of a compiler or a bot) is never changed.

use crate::settings::{Named, Setting};
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// A message in which settings are not named yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Setting(Named),
}

/// What a message is made of: text, a setting, or a message.
pub trait Piece {
    /// Appends it to a message.
    fn add_to(&self, message: &mut Message);
}

impl<T: Display + ?Sized> Piece for T {
    fn add_to(&self, message: &mut Message) {
        message.parts.push(Part::Text(self.to_string()));
    }
}

impl Piece for Named {
    fn add_to(&self, message: &mut Message) {
        message.parts.push(Part::Setting(self.clone()));
    }
}

impl Piece for Setting {
    fn add_to(&self, message: &mut Message) {
        message.parts.push(Part::Setting((*self).into()));
    }
}

impl Piece for Message {
    fn add_to(&self, message: &mut Message) {
        message.parts.extend(self.parts.iter().cloned());
    }
}

/// Makes a [`Message`](crate::Message) of pieces: text, numbers, settings, messages.
#[macro_export]
macro_rules! message {
    ($($piece:expr),* $(,)?) => {{
        let mut message = $crate::Message::default();
        $($crate::Piece::add_to(&$piece, &mut message);)*
        message
    }};
}

impl Message {
    /// Returns one message of several, with `separator` between them.
    pub fn joined(pieces: impl IntoIterator<Item = impl Piece>, separator: &str) -> Message {
        let mut joined = Message::default();
        for piece in pieces {
            if !joined.parts.is_empty() {
                separator.add_to(&mut joined);
            }
            piece.add_to(&mut joined);
        }
        joined
    }

    /// Returns the text with settings named by `name`.
    pub fn text(&self, name: impl Fn(&Named) -> String) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Setting(named) => name(named),
        };
        self.parts.iter().map(part).collect()
    }

    /// Returns the text with settings named as fields of the configuration.
    pub fn plain(&self) -> String {
        self.text(Named::field)
    }

    /// Returns the message with the settings that `name` knows as text.
    #[must_use]
    pub fn naming(self, name: impl Fn(&Named) -> Option<String>) -> Message {
        let part = |part| match part {
            Part::Setting(named) => name(&named).map_or(Part::Setting(named), Part::Text),
            text => text,
        };
        Message { parts: self.parts.into_iter().map(part).collect() }
    }

    /// Returns the settings that are not named yet.
    pub fn settings(&self) -> impl Iterator<Item = &Named> {
        self.parts.iter().filter_map(|part| match part {
            Part::Setting(named) => Some(named),
            Part::Text(_) => None,
        })
    }
}

impl<T: Display> From<T> for Message {
    fn from(text: T) -> Message {
        message![text]
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.plain())
    }
}
