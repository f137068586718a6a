//! A table on which a recorded game is played again. It asks about some decisions only, and plays
//! the recorded action whatever the answer is.

use botyard_engine::{ActionError, GameEvent, Outcome, Scores, Seat, Stream, Table, Turn};
use botyard_replay::{Event, Line, Playback, VerifyError};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The reason for the end of a record.
const REASON: &str = "record_ended";

/// An answer, with what the record has at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The number of the decision in the record.
    pub turn: u32,
    /// The seat that decided.
    pub seat: Seat,
    /// The action that was played.
    pub played: Value,
    /// The same as text.
    pub played_text: String,
    /// The answer of the bot.
    pub best: Value,
    /// The same as text.
    pub best_text: String,
}

/// The answers that were given and not taken yet.
#[derive(Clone, Debug, Default)]
pub struct Answers(Arc<Mutex<VecDeque<Answer>>>);

impl Answers {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Answer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the oldest answer.
    pub fn take(&self) -> Option<Answer> {
        self.lock().pop_front()
    }
}

/// A recorded game, at a decision to ask about or at its end.
pub struct RecordedTable {
    playback: Playback,
    lines: Arc<[Line]>,
    /// The number of lines that were followed.
    followed: usize,
    /// The numbers of the decisions to ask about, in order.
    asked: VecDeque<u32>,
    answers: Answers,
    /// Why the record could not be followed.
    broken: Option<VerifyError>,
}

impl RecordedTable {
    /// Makes the table of a record before its opening.
    pub fn new(
        playback: Playback,
        lines: Arc<[Line]>,
        asked: impl IntoIterator<Item = u32>,
        answers: Answers,
    ) -> RecordedTable {
        let asked = asked.into_iter().collect();
        RecordedTable { playback, lines, followed: 0, asked, answers, broken: None }
    }

    /// Follows the record to the next decision to ask about, or to its end.
    fn advance(&mut self) {
        while let Some(line) = self.lines.get(self.followed) {
            if self.is_asked(line) {
                return;
            }
            self.follow_one();
        }
        self.asked.clear();
    }

    fn is_asked(&self, line: &Line) -> bool {
        matches!(&line.event, Event::Move(event, _) if self.asked.front() == Some(&event.turn))
    }

    fn follow_one(&mut self) {
        let lines = Arc::clone(&self.lines);
        let Some(line) = lines.get(self.followed) else { return };
        self.followed += 1;
        // The record was followed before, so this is not expected.
        if let Err(error) = self.playback.follow(line) {
            self.followed = lines.len();
            self.broken = Some(error);
        }
    }

    /// Returns why the record could not be followed to its end.
    pub fn broken(&self) -> Option<&VerifyError> {
        self.broken.as_ref()
    }

    fn table(&self) -> &dyn Table {
        self.playback.table()
    }
}

impl Table for RecordedTable {
    fn game(&self) -> &'static str {
        self.table().game()
    }

    fn rules(&self) -> Value {
        self.table().rules()
    }

    fn seats(&self) -> &[String] {
        self.table().seats()
    }

    fn has_secrets(&self) -> bool {
        self.table().has_secrets()
    }

    fn scores(&self) -> Scores {
        self.table().scores()
    }

    fn open(&mut self, _stream: &mut Stream) -> GameEvent {
        self.follow_one();
        self.advance();
        GameEvent::default()
    }

    fn open_with(&mut self, _opening: &str) -> Result<GameEvent, ActionError> {
        Err(ActionError::Illegal("a recorded game has its own opening".to_string()))
    }

    fn setup(&self, seat: Seat) -> String {
        self.table().setup(seat)
    }

    fn turn(&self) -> Turn {
        if self.asked.is_empty() { Turn::Over } else { self.table().turn() }
    }

    fn write_view(&self, seat: Seat, into: &mut Vec<u8>) {
        self.table().write_view(seat, into);
    }

    fn write_legal(&mut self, into: &mut Vec<u8>) {
        self.playback.write_legal(into);
    }

    fn legal(&mut self) -> Vec<Value> {
        self.playback.legal()
    }

    fn play(&mut self, action: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let lines = Arc::clone(&self.lines);
        let (Some(Line { event: Event::Move(event, _), .. }), Turn::Seat(seat)) =
            (lines.get(self.followed), self.turn())
        else {
            return Err(ActionError::Illegal("the recorded game is over".to_string()));
        };
        let value = |json: &str| serde_json::from_str(json).unwrap_or_default();
        let played = event.action.get();
        let table = self.table();
        self.answers.lock().push_back(Answer {
            turn: event.turn,
            seat,
            played: value(played),
            played_text: table.action_text(played),
            best: value(action),
            best_text: table.action_text(action),
        });
        game_event.full = played.to_string();
        game_event.seen.clear();
        self.asked.pop_front();
        self.follow_one();
        self.advance();
        Ok(())
    }

    fn draw(&mut self, _stream: &mut Stream, _game_event: &mut GameEvent) {}

    fn play_chance(
        &mut self,
        _chance: &str,
        _game_event: &mut GameEvent,
    ) -> Result<(), ActionError> {
        Err(ActionError::Illegal("nothing is drawn in a recorded game".to_string()))
    }

    fn forfeit(&mut self, _seat: Seat) {}

    fn pass(&self) -> String {
        self.table().pass()
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.turn() == Turn::Over).then(|| Outcome::draw(self.seats().len(), REASON))
    }

    fn state_hash(&self) -> String {
        self.table().state_hash()
    }

    fn state(&self) -> Value {
        self.table().state()
    }

    fn text(&self) -> String {
        self.table().text()
    }

    fn action_text(&self, action: &str) -> String {
        self.table().action_text(action)
    }

    fn chance_text(&self, chance: &str) -> String {
        self.table().chance_text(chance)
    }
}
