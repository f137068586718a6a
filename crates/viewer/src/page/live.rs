//! A game that is still being played, as positions that a page adds one after the other.
//!
//! What a perspective does not see is left out here, and not in the page: a page for spectators has
//! it neither in its source nor in what follows.

use super::collector::Collector;
use super::html::{self, Document};
use super::track;
use super::{Course, Page, about, described, title, viewpoints};
use crate::film::ViewError;
use crate::perspective::{Perspective, Viewpoint, hides};
use botyard_replay::{Event, Header, Line, MakeTable, ReadError, ReplayReader, VerifyError};
use serde_json::{Value, json};
use std::io::BufRead;

/// What stands for the evidence of a fault, which may reveal what was hidden.
const WITHHELD: &str = "not shown to spectators";

/// A game that is followed line by line.
pub struct LiveGame {
    header: Header,
    course: Course,
    collector: Collector,
    /// The players whose own texts and times are shown; `None` for all.
    texts: Option<Vec<usize>>,
    is_over: bool,
}

impl LiveGame {
    /// Begins to follow a game.
    ///
    /// With [`Perspective::Truth`] a page has all perspectives, and shows hidden information only
    /// when the reader asks for it. With another one it has nothing else. In a game without hidden
    /// information, spectators see everything but the seed.
    ///
    /// # Errors
    ///
    /// The game cannot be set up, has no such seat, or the replay is a copy for a seat.
    pub fn new(
        header: &Header,
        make_table: MakeTable,
        perspective: Perspective,
    ) -> Result<LiveGame, ViewError> {
        let mut header = header.clone();
        if let Some(seat) = header.view_of {
            return Err(VerifyError::Copy { seat }.into());
        }
        let course = Course::begin(&header, make_table)?;
        let (shown, texts) = match perspective.in_game(&header)? {
            Viewpoint::Truth => (viewpoints(&header)?, None),
            Viewpoint::Spectator if !hides(&header) => (viewpoints(&header)?, None),
            one => (vec![one], Some(track::players(one, &header))),
        };
        if perspective != Perspective::Truth {
            // From the seed follows what was drawn, and what will be.
            header.seed = None;
        }
        if let Some(texts) = &texts {
            for (index, player) in header.players.iter_mut().enumerate() {
                if !texts.contains(&index) {
                    player.options.clear();
                }
            }
        }
        let collector = Collector::new(&header, shown);
        Ok(LiveGame { header, course, collector, texts, is_over: false })
    }

    /// Follows a line of the replay after its header.
    ///
    /// # Errors
    ///
    /// The line contradicts the rules or the lines before it. The game must not be used afterwards.
    pub fn follow(&mut self, line: &Line) -> Result<(), ViewError> {
        let shown = described(&line.event, &self.header).and_then(|event| self.visible(event));
        self.collector.follow(&mut self.course, line, None, shown)?;
        self.is_over = matches!(line.event, Event::End(..));
        Ok(())
    }

    /// Follows a recorded game, of which a seat watches, and makes its page.
    pub(super) fn recorded<R: BufRead>(
        mut self,
        reader: ReplayReader<R>,
        seat: &str,
        stderr: Vec<(usize, String)>,
        analyses: Vec<Value>,
    ) -> Result<Page, ViewError> {
        let mut unfinished = false;
        for line in reader {
            match line {
                Ok(line) => self.follow(&line)?,
                Err(ReadError::Truncated { .. }) if self.collector.is_open() => unfinished = true,
                Err(error) => return Err(VerifyError::Read(error).into()),
            }
        }
        if !self.collector.is_open() {
            return Err(VerifyError::Read(ReadError::Truncated { line: 1 }).into());
        }
        let collected = self.collector.finish(&mut self.course);
        self.header.view_of = Some(seat.to_string());
        Ok(super::recorded(&self.header, collected, unfinished, stderr, analyses))
    }

    /// Whether the end was followed.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The number of positions whose events are complete.
    pub fn complete(&self) -> usize {
        self.collector.complete()
    }

    /// The positions from an index, as JSON. The last one is that of the decision whose lines are
    /// being read, and may change; there is none before the opening.
    pub fn positions(&mut self, from: usize) -> Vec<String> {
        if !self.collector.is_open() {
            return Vec::new();
        }
        let complete = self.complete();
        let mut positions: Vec<String> = (from..complete)
            .map(|index| {
                let (frames, turn) = self.collector.position(index);
                json!({ "n": index, "turn": turn, "frames": frames }).to_string()
            })
            .collect();
        let (frames, turn) = self.collector.unfinished_position(&mut self.course);
        positions.push(json!({ "n": complete, "turn": turn, "frames": frames }).to_string());
        positions
    }

    /// What a page says of the game as a whole, without its positions.
    pub fn about(&self) -> Value {
        let mut data = about(&self.header);
        let tracks = self.collector.tracks();
        let perspectives = tracks.iter().enumerate().map(|(index, its)| {
            let (key, label) = track::named(its.viewpoint, &self.header);
            let texts = match &self.texts {
                Some(texts) => texts.clone(),
                None => track::players(its.viewpoint, &self.header),
            };
            json!({ "key": key, "label": label, "track": index, "texts": texts })
        });
        data["perspectives"] = perspectives.collect();
        let tracks = tracks.iter().map(|its| json!({ "setup": its.setup, "frames": [] }));
        data["tracks"] = tracks.collect();
        data["unfinished"] = json!(false);
        for key in ["turns", "stderr", "analyses"] {
            data[key] = json!([]);
        }
        data
    }

    /// The title of the page.
    pub fn title(&self) -> String {
        title(&self.header)
    }

    /// Makes the page of a game: what [`about`](LiveGame::about) returned, with `live` as its member
    /// of that name, and the JSON of the positions so far.
    pub fn page(
        title: &str,
        about: &Value,
        live: &Value,
        positions: &[impl AsRef<str>],
    ) -> Document {
        let mut data = about.clone();
        data["live"] = live.clone();
        let mut text = data.to_string();
        // An object with members ends in a brace.
        text.pop();
        text.push_str(",\"positions\":[");
        for (index, position) in positions.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(position.as_ref());
        }
        text.push_str("]}");
        html::live_game(title, &text)
    }

    /// Makes the page of a list of games. `list.js` says what its data are.
    pub fn list(title: &str, data: &Value) -> Document {
        html::list_of_games(title, &data.to_string())
    }

    /// Makes the page on which a person plays. `play.js` says what its data are.
    pub fn play(title: &str, data: &Value) -> Document {
        html::game_to_play(title, &data.to_string())
    }

    /// An event without what only others than the shown players may know.
    fn visible(&self, mut event: Value) -> Option<Value> {
        let Some(texts) = &self.texts else { return Some(event) };
        let is_own = |player: Option<usize>| player.is_some_and(|player| texts.contains(&player));
        let of_seat = |seat: Option<u64>| {
            let holder = self.header.seats.get(usize::try_from(seat?).ok()?)?;
            self.header.players.iter().position(|player| player.name == holder.player)
        };
        let kind = event["k"].as_str().unwrap_or_default().to_string();
        let own = match kind.as_str() {
            "log" => is_own(event["p"].as_u64().and_then(|index| usize::try_from(index).ok())),
            _ => is_own(of_seat(event["s"].as_u64())),
        };
        if own {
            return Some(event);
        }
        let object = event.as_object_mut()?;
        match kind.as_str() {
            "log" => return None,
            "end" => {
                if let Some(total) = object.get_mut("total_us").and_then(Value::as_object_mut) {
                    for (index, holder) in self.header.seats.iter().enumerate() {
                        if !is_own(of_seat(Some(index as u64))) {
                            total.remove(&holder.seat);
                        }
                    }
                }
            }
            _ => {
                for key in ["info", "marks", "got", "us", "cpu", "bank", "excused"] {
                    object.remove(key);
                }
                if object.contains_key("message") {
                    object.insert("message".to_string(), json!(WITHHELD));
                }
            }
        }
        Some(event)
    }
}
