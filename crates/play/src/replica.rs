//! A game whose rules are a program, played once more from what the referee records: a table beside the
//! person, which knows what they may type, and how the position looks.
//!
//! It knows what is hidden, too. So it shows a text of the position only in games that hide nothing.

use botyard_engine::registry;
use botyard_replay::{Playback, ReplayReader, registered_table};
use botyard_runner::play::{Recording, RecordingReader};
use serde_json::Value;
use std::io::BufReader;

/// A game as the referee has recorded it so far.
pub struct Replica {
    recording: Recording,
    followed: Option<Followed>,
}

struct Followed {
    reader: ReplayReader<BufReader<RecordingReader>>,
    playback: Playback,
    hides: bool,
}

impl Replica {
    /// Makes the replica of a game that is being recorded.
    pub fn new(recording: Recording) -> Replica {
        Replica { recording, followed: None }
    }

    /// Plays what was recorded since the last call. Returns the game at its position.
    ///
    /// # Errors
    ///
    /// The recording contradicts the rules, or has not begun.
    fn follow(&mut self) -> Result<&mut Followed, String> {
        if self.followed.is_none() {
            let reader = ReplayReader::new(BufReader::new(self.recording.reader()))
                .map_err(|error| error.to_string())?;
            let header = reader.header().clone();
            let playback =
                Playback::new(&header, &registered_table).map_err(|error| error.to_string())?;
            let hides = registry::info(&header.game).map_or(true, |game| game.hidden);
            self.followed = Some(Followed { reader, playback, hides });
        }
        let followed = self.followed.as_mut().ok_or("the game has not begun")?;
        while let Some(line) = followed.reader.next_complete().map_err(|error| error.to_string())? {
            followed.playback.follow(&line).map_err(|error| error.to_string())?;
        }
        Ok(followed)
    }

    /// Returns the position as text; `None` if the game hides something, or the text would be JSON.
    pub fn text(&mut self) -> Option<String> {
        let Followed { playback, hides, .. } = self.follow().ok()?;
        if *hides {
            return None;
        }
        let (text, state) = (playback.table().text(), playback.table().state());
        let fields = state.as_object().into_iter().flatten();
        let fields: String = fields.map(|(name, value)| format!("{name}: {value}\n")).collect();
        (!text.is_empty() && text != fields).then_some(text)
    }

    /// Returns whether the game reads texts of people, and not JSON alone.
    pub fn reads_texts(&mut self) -> bool {
        self.follow().is_ok_and(|its| its.playback.table().read_action("").is_some())
    }

    /// Returns the action that a person means by a text, which is legal for the seat whose turn it is: what the
    /// program of the game reads in it, or else the JSON itself.
    ///
    /// # Errors
    ///
    /// The reason why it is none, for the person.
    pub fn action(&mut self, text: &str) -> Result<Value, String> {
        let playback = &mut self.follow()?.playback;
        let text = text.trim();
        // Where texts are read, JSON that no one would write otherwise is understood, too.
        let is_json =
            text.starts_with(['[', '{', '"']) && serde_json::from_str::<Value>(text).is_ok();
        let action = match playback.table().read_action(text) {
            Some(Ok(action)) => action,
            Some(Err(reason)) if !is_json => return Err(reason),
            _ => text.to_string(),
        };
        let legal = playback.canonical_action(&action).map_err(|error| error.to_string())?;
        serde_json::from_str(&legal).map_err(|error| error.to_string())
    }
}
