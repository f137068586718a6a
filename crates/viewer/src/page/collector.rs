//! The positions of a game, collected line by line: for each decision what happened at it, and for
//! each perspective what it changed in the view.

use super::Course;
use super::track::Track;
use crate::film::{ViewError, number_of};
use crate::games;
use crate::perspective::Viewpoint;
use botyard_replay::{Event, Header, Line};
use serde_json::{Value, json};

/// Collects the positions of one game.
pub(super) struct Collector {
    game: String,
    /// The names of the seats.
    seats: Vec<String>,
    tracks: Vec<Track>,
    /// The decisions whose lines are complete, with their events.
    turns: Vec<Value>,
    /// The number of the decision whose lines are being read.
    turn: u32,
    is_open: bool,
    moment: Moment,
}

/// What was collected of a whole game.
pub(super) struct Collected {
    /// What each perspective saw.
    pub tracks: Vec<Track>,
    /// The decisions with their events.
    pub turns: Vec<Value>,
    /// The number of the last decision.
    pub turn: u32,
}

/// A decision that is being collected.
struct Moment {
    /// What the perspectives share of its events.
    events: Vec<Value>,
    /// For each track, the actions and chance outcomes.
    happened: Vec<Vec<Value>>,
}

impl Moment {
    fn new(tracks: usize) -> Moment {
        Moment { events: Vec::new(), happened: vec![Vec::new(); tracks] }
    }
}

impl Collector {
    pub(super) fn new(header: &Header, viewpoints: Vec<Viewpoint>) -> Collector {
        Collector {
            game: header.game.clone(),
            seats: header.seats.iter().map(|holder| holder.seat.clone()).collect(),
            moment: Moment::new(viewpoints.len()),
            tracks: viewpoints.into_iter().map(Track::new).collect(),
            turns: Vec::new(),
            turn: 0,
            is_open: false,
        }
    }

    /// Whether the opening was followed.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// The perspectives.
    pub(super) fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The number of decisions whose lines are complete.
    pub(super) fn complete(&self) -> usize {
        self.turns.len()
    }

    /// Follows a line. `next` is the next event that changes the game, which only a copy needs;
    /// `shown` is what the perspectives share of the event.
    ///
    /// # Errors
    ///
    /// The line contradicts the rules or the lines before it.
    pub(super) fn follow(
        &mut self,
        course: &mut Course,
        line: &Line,
        next: Option<&Event>,
        shown: Option<Value>,
    ) -> Result<(), ViewError> {
        let number = number_of(&line.event).unwrap_or(self.turn);
        if number > self.turn && self.is_open {
            self.complete_turn(course);
            self.turn = number;
        }
        course.follow(line, next)?;
        if matches!(line.event, Event::Chance(_)) && !self.is_open {
            self.is_open = true;
            for track in &mut self.tracks {
                let setup = course.setup(track.viewpoint);
                track.setup = games::geometry(&self.game, setup)
                    .map_err(|error| ViewError::Form { game: self.game.clone(), error })?;
            }
        }
        let recorded = match &line.event {
            Event::Chance(event) => Some((&event.outcome, event.seen.as_deref())),
            Event::Move(event, _) => Some((&event.action, event.seen.as_deref())),
            _ => None,
        };
        if let Some((full, seen)) = recorded {
            for (track, happened) in self.tracks.iter().zip(&mut self.moment.happened) {
                happened.push(track.viewpoint.event(full, seen, &self.seats));
            }
        }
        self.moment.events.extend(shown);
        Ok(())
    }

    /// The frames of a complete decision, one for each perspective, and the decision with its events.
    pub(super) fn position(&self, index: usize) -> (Vec<&Value>, &Value) {
        (self.tracks.iter().map(|track| track.frame(index)).collect(), &self.turns[index])
    }

    /// The same for the decision whose lines are being read.
    pub(super) fn unfinished_position(&self, course: &mut Course) -> (Vec<Value>, Value) {
        let both = self.tracks.iter().zip(&self.moment.happened);
        let frames = both.map(|(track, happened)| {
            track.frame_to(&course.shown(track.viewpoint), happened.clone())
        });
        (frames.collect(), json!([self.turn, self.moment.events]))
    }

    /// Ends the collection with the position after the last decision.
    pub(super) fn finish(mut self, course: &mut Course) -> Collected {
        self.complete_turn(course);
        Collected { tracks: self.tracks, turns: self.turns, turn: self.turn }
    }

    /// Records the position after a decision.
    fn complete_turn(&mut self, course: &mut Course) {
        let done = std::mem::replace(&mut self.moment, Moment::new(self.tracks.len()));
        for (track, happened) in self.tracks.iter_mut().zip(done.happened) {
            track.push(course.shown(track.viewpoint), happened);
        }
        self.turns.push(json!([self.turn, done.events]));
    }
}
