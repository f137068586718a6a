//! A game as one perspective sees it: the first view, and what changes at each decision.

use super::patch::patch;
use crate::perspective::Viewpoint;
use botyard_replay::Header;
use serde_json::{Value, json};

/// A position as a perspective sees it.
#[derive(Default)]
pub(super) struct Shown {
    /// The view.
    pub view: Value,
    /// The drawing that the program of the game has made, as JSON; an object with `error` if it cannot be
    /// shown, and `null` if there is none.
    pub drawing: Value,
}

/// A perspective of a page.
pub(super) struct Track {
    pub viewpoint: Viewpoint,
    /// The constant data of the game; `null` before the opening.
    pub setup: Value,
    /// The position after the last decision that was recorded.
    last: Shown,
    /// For each decision, the patch of the view, the actions and chance outcomes, and the patch of the
    /// drawing.
    frames: Vec<Value>,
}

impl Track {
    pub(super) fn new(viewpoint: Viewpoint) -> Track {
        Track { viewpoint, setup: Value::Null, last: Shown::default(), frames: Vec::new() }
    }

    /// Records the position after a decision, and what happened at it.
    pub(super) fn push(&mut self, position: Shown, happened: Vec<Value>) {
        self.frames.push(self.frame_to(&position, happened));
        self.last = position;
    }

    /// What leads from the last recorded position to another one.
    pub(super) fn frame_to(&self, position: &Shown, happened: Vec<Value>) -> Value {
        let change = patch(&self.last.view, &position.view).unwrap_or_default();
        match patch(&self.last.drawing, &position.drawing) {
            Some(drawing) => json!([change, happened, drawing]),
            None if happened.is_empty() => json!([change]),
            None => json!([change, happened]),
        }
    }

    /// What was recorded for a decision.
    pub(super) fn frame(&self, index: usize) -> &Value {
        &self.frames[index]
    }

    fn is_like(&self, other: &Track) -> bool {
        self.setup == other.setup && self.frames == other.frames
    }
}

/// Describes the perspectives and the different tracks.
///
/// Perspectives that see the same share a track, except that the whole truth of a game of a
/// copy is what its seat saw.
pub(super) fn described(tracks: Vec<Track>, header: &Header) -> (Value, Value) {
    let hidden = tracks.iter().any(|track| !track.is_like(&tracks[0]));
    let mut different: Vec<Track> = Vec::new();
    let mut perspectives = Vec::new();
    for track in tracks {
        let shown = match track.viewpoint {
            Viewpoint::Seat(_) => hidden || header.view_of.is_some(),
            Viewpoint::Spectator => hidden,
            Viewpoint::Truth => true,
        };
        if !shown {
            continue;
        }
        let (key, label) = named(track.viewpoint, header);
        let players = players(track.viewpoint, header);
        let index = different.iter().position(|other| other.is_like(&track));
        let index = index.unwrap_or_else(|| {
            different.push(track);
            different.len() - 1
        });
        perspectives.push(json!({ "key": key, "label": label, "track": index, "texts": players }));
    }
    let tracks: Vec<Value> = different
        .into_iter()
        .map(|track| json!({ "setup": track.setup, "frames": track.frames }))
        .collect();
    (json!(perspectives), json!(tracks))
}

/// The key and the label of a perspective.
pub(super) fn named(viewpoint: Viewpoint, header: &Header) -> (String, String) {
    match viewpoint {
        Viewpoint::Seat(seat) => {
            let seat = &header.seats[seat.index()].seat;
            (seat.clone(), format!("What {seat} saw"))
        }
        Viewpoint::Spectator => ("*".to_string(), "What all seats saw".to_string()),
        Viewpoint::Truth => ("**".to_string(), "The whole truth".to_string()),
    }
}

/// The players whose own texts and times are seen. A bot with several seats may know more from
/// another seat, so none of its texts are known to one of them.
pub(super) fn players(viewpoint: Viewpoint, header: &Header) -> Vec<usize> {
    let numbered = || header.players.iter().enumerate();
    match viewpoint {
        Viewpoint::Truth => numbered().map(|(index, _)| index).collect(),
        Viewpoint::Spectator => Vec::new(),
        Viewpoint::Seat(seat) => {
            let seat = &header.seats[seat.index()].seat;
            let own = numbered().filter(|(_, player)| player.seats == [seat.clone()]);
            own.map(|(index, _)| index).collect()
        }
    }
}
