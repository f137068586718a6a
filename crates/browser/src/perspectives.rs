//! What each of the person's seats has seen of a game, and which of it pages show.
//!
//! A person with several seats may be several people at one table. If their seats see different
//! things, pages show nothing between the turn of one seat and that of the next, until the next
//! person asks for it.

use botyard_replay::{Line, ReplayReader, registered_table};
use botyard_runner::play::{PlayPlan, Recording, RecordingReader};
use botyard_viewer::{LiveGame, Perspective};
use serde_json::{Value, json};
use std::io::BufReader;
use std::sync::Arc;

/// The game as the person's seats have seen it.
pub(crate) struct Perspectives {
    recording: Recording,
    reader: Option<ReplayReader<BufReader<RecordingReader>>>,
    /// The names of the person's seats.
    seats: Vec<String>,
    /// What each of them has seen, once the game has begun.
    games: Vec<LiveGame>,
    /// Whether the seats may have seen different things.
    has_secrets: bool,
    shown: Shown,
}

/// What pages show.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shown {
    /// Nothing.
    Nothing,
    /// What all seats of the person have seen alike, as this one saw it.
    Alike(usize),
    /// What this seat saw, because its person asked for it, or there is no other.
    Own(usize),
    /// Nothing, until the person of this seat asks for it.
    Curtain(usize),
}

impl Perspectives {
    /// Follows a recording.
    pub(crate) fn new(plan: &PlayPlan, recording: Recording) -> Perspectives {
        let seats: Vec<String> =
            plan.own_seats().filter_map(|seat| plan.seats.get(seat).cloned()).collect();
        let table = (plan.tables)();
        let hides = botyard_engine::registry::info(table.game()).map_or(true, |game| game.hidden);
        let has_secrets = hides && seats.len() > 1;
        let shown = if has_secrets { Shown::Nothing } else { Shown::Own(0) };
        Perspectives { recording, reader: None, seats, games: Vec::new(), has_secrets, shown }
    }

    /// Reads what was recorded since the last call.
    ///
    /// # Errors
    ///
    /// The recording contradicts the rules.
    pub(crate) fn follow(&mut self) -> Result<(), String> {
        if self.reader.is_none() {
            // The header is written as a whole.
            if self.recording.is_empty() {
                return Ok(());
            }
            let reader = ReplayReader::new(BufReader::new(self.recording.reader()))
                .map_err(|error| error.to_string())?;
            for seat in &self.seats {
                let perspective = Perspective::Seat(seat);
                let game = LiveGame::new(reader.header(), &registered_table, perspective);
                self.games.push(game.map_err(|error| error.to_string())?);
            }
            self.reader = Some(reader);
        }
        let Some(reader) = &mut self.reader else { return Ok(()) };
        let mut line: Option<Line> = reader.next_complete().map_err(|error| error.to_string())?;
        while let Some(read) = line {
            for game in &mut self.games {
                game.follow(&read).map_err(|error| error.to_string())?;
            }
            line = reader.next_complete().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The number of decisions so far.
    pub(crate) fn turn(&self) -> usize {
        self.games.first().map_or(0, LiveGame::complete)
    }

    /// Decides what pages show, when this seat is to move, if any of the person's is. Returns
    /// whether that has changed.
    pub(crate) fn choose(&mut self, to_move: Option<&str>, is_over: bool) -> bool {
        if !self.has_secrets {
            return false;
        }
        let before = self.shown.clone();
        let asked = to_move.and_then(|seat| self.seats.iter().position(|own| own == seat));
        if let Shown::Alike(_) = self.shown
            && !is_over
            && !self.all_agree()
        {
            self.shown = Shown::Nothing;
        }
        self.shown = match (self.shown.clone(), asked) {
            // Nothing of a game that is over is hidden from its players.
            (Shown::Nothing | Shown::Curtain(_), _) if is_over => Shown::Own(0),
            (shown @ (Shown::Own(_) | Shown::Alike(_)), None) => shown,
            (Shown::Own(own) | Shown::Alike(own), Some(asked))
                if own == asked || self.agree(own, asked) =>
            {
                self.shown.clone()
            }
            (Shown::Curtain(of), Some(asked)) if of == asked => Shown::Curtain(of),
            (_, Some(asked)) if self.all_agree() => Shown::Alike(asked),
            (_, Some(asked)) => Shown::Curtain(asked),
            (Shown::Nothing | Shown::Curtain(_), None) => {
                if self.all_agree() {
                    Shown::Alike(0)
                } else {
                    Shown::Nothing
                }
            }
        };
        self.shown != before
    }

    /// The seat whose person has to take over.
    pub(crate) fn curtain(&self) -> Option<&str> {
        match self.shown {
            Shown::Curtain(of) => self.seats.get(of).map(String::as_str),
            _ => None,
        }
    }

    /// Shows what a seat sees, because its person has taken over.
    ///
    /// # Errors
    ///
    /// Another seat is to take over, or none.
    pub(crate) fn look(&mut self, seat: &str) -> Result<(), String> {
        match self.shown {
            Shown::Curtain(of) if self.seats.get(of).is_some_and(|its| its == seat) => {
                self.shown = Shown::Own(of);
                Ok(())
            }
            _ => Err(format!("it is not the turn of {seat} to take over")),
        }
    }

    /// Whether pages show a seat's perspective at all.
    pub(crate) fn is_shown(&self) -> bool {
        matches!(self.shown, Shown::Own(_) | Shown::Alike(_))
    }

    /// The game without its positions, and the positions from an index, of what pages show. `None`:
    /// nothing is shown, or the game has not begun.
    pub(crate) fn shown(&mut self, from: usize) -> Option<(Value, Vec<Arc<str>>)> {
        let (Shown::Own(of) | Shown::Alike(of)) = self.shown else { return None };
        let game = self.games.get_mut(of)?;
        let positions: Vec<Arc<str>> = game.positions(from).into_iter().map(Arc::from).collect();
        if positions.is_empty() {
            return None;
        }
        let mut about = game.about();
        about["own"] = json!(self.seats);
        Some((about, positions))
    }

    /// Whether two seats have seen the same of a game that has begun.
    fn agree(&mut self, one: usize, other: usize) -> bool {
        let mut seen = |seat: usize| {
            let game = self.games.get_mut(seat)?;
            let positions = game.positions(0);
            let setup = game.about()["tracks"].take();
            (!positions.is_empty()).then_some((positions, setup))
        };
        let first = seen(one);
        first.is_some() && first == seen(other)
    }

    fn all_agree(&mut self) -> bool {
        (1..self.seats.len()).all(|seat| self.agree(0, seat))
    }
}
