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
pub(crate) struct Answer {
    /// The number of the decision in the record.
    pub turn: u32,
    /// The seat that decided.
    pub seat: Seat,
    /// The action that was played.
    pub played: Value,
    /// The same as text, from nothing but what the seat knew.
    pub played_text: String,
    /// The answer of the bot, in the game's own JSON.
    pub best: Value,
    /// The same as text, from nothing but what the seat knew.
    pub best_text: String,
}

/// The answers that were given and not taken yet. Who takes them can end the game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers(Arc<Mutex<Shared>>);

#[derive(Debug, Default)]
struct Shared {
    waiting: VecDeque<Answer>,
    /// Whether no further answer is wanted.
    is_ended: bool,
}

impl Answers {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the oldest answer.
    pub(crate) fn take(&self) -> Option<Answer> {
        self.lock().waiting.pop_front()
    }

    /// Ends the game: nothing else is asked.
    pub(crate) fn end(&self) {
        self.lock().is_ended = true;
    }
}

/// A recorded game, at a decision to ask about or at its end.
pub(crate) struct RecordedTable {
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
    pub(crate) fn new(
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
    pub(crate) fn broken(&self) -> Option<&VerifyError> {
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
        if self.asked.is_empty() || self.answers.lock().is_ended {
            return Turn::Over;
        }
        self.table().turn()
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

    fn canonical_action(&mut self, action: &str) -> Result<String, ActionError> {
        self.playback.canonical_action(action)
    }

    /// Plays the recorded action if `action` is a legal one, whichever it is.
    fn play(&mut self, action: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let lines = Arc::clone(&self.lines);
        let (Some(Line { event: Event::Move(event, _), .. }), Turn::Seat(seat)) =
            (lines.get(self.followed), self.turn())
        else {
            return Err(ActionError::Illegal("the recorded game is over".to_string()));
        };
        let best = self.playback.canonical_action(action)?;
        let value = |json: &str| serde_json::from_str(json).unwrap_or_default();
        let played = event.action.get();
        let table = self.table();
        self.answers.lock().waiting.push_back(Answer {
            turn: event.turn,
            seat,
            played: value(played),
            played_text: table.own_action_text(played),
            best: value(&best),
            best_text: table.own_action_text(&best),
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

    /// Ends the game: what the referee would play for the seat is no answer of its bot.
    fn forfeit(&mut self, _seat: Seat) {
        self.asked.clear();
    }

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

    fn own_action_text(&self, action: &str) -> String {
        self.table().own_action_text(action)
    }

    fn chance_text(&self, chance: &str) -> String {
        self.table().chance_text(chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_replay::SoundReplay;
    use botyard_replay::registered_table;
    use std::path::Path;

    /// A kept replay at its first decision, with the actions that were played.
    fn recorded(name: &str) -> (RecordedTable, Answers, Vec<String>) {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/data");
        let record = SoundReplay::read(&data.join(name)).unwrap();
        let played = record.lines.iter().filter_map(|line| match &line.event {
            Event::Move(event, _) => Some(event.action.get().to_string()),
            _ => None,
        });
        let played = played.collect();
        let playback = Playback::new(&record.header, &registered_table).unwrap();
        let answers = Answers::default();
        let asked = record.decisions.iter().map(|(turn, _)| *turn);
        let mut table = RecordedTable::new(playback, record.lines, asked, answers.clone());
        table.open(&mut Stream::new(1, "opening"));
        (table, answers, played)
    }

    #[test]
    fn an_illegal_answer_is_refused_and_another_spelling_is_the_same_decision() {
        let (mut table, answers, played) = recorded("scotland-yard-retry.ndjson");
        let mut event = GameEvent::default();
        for refused in ["{\"castle\":\"queenside\"}", "{\"ticket\":\"taxi\",\"to\":999}", "[]"] {
            table.play(refused, &mut event).unwrap_err();
            assert_eq!(answers.take(), None, "{refused}");
        }
        let action: Value = serde_json::from_str(&played[0]).unwrap();
        let (to, ticket) = (&action["to"], &action["ticket"]);
        let other = format!("{{\"double\": false, \"to\": {to}, \"ticket\": {ticket}}}");
        assert_eq!(table.canonical_action(&other).as_ref(), Ok(&played[0]));
        table.play(&other, &mut event).unwrap();
        assert_eq!(event.full, played[0]);
        let answer = answers.take().unwrap();
        assert_eq!((&answer.best, &answer.best_text), (&action, &answer.played_text));
        assert_eq!(answer.best, answer.played);
    }

    #[test]
    fn texts_do_not_show_where_mr_x_is() {
        let (mut table, answers, _) = recorded("scotland-yard-retry.ndjson");
        let (mut event, mut catches) = (GameEvent::default(), 0);
        while let Turn::Seat(_) = table.turn() {
            let legal: Vec<String> = table.legal().iter().map(Value::to_string).collect();
            let catching =
                legal.iter().find(|action| table.action_text(action).contains("catches"));
            catches += u32::from(catching.is_some());
            table.play(catching.unwrap_or(&legal[0]), &mut event).unwrap();
            let answer = answers.take().unwrap();
            for text in [answer.best_text, answer.played_text] {
                let is_plain = text.starts_with("detective ") || text.starts_with("Mr. X: ");
                assert!(is_plain && !text.contains("catches"), "{text}");
            }
        }
        assert!(catches > 0, "no decision could have caught Mr. X");
    }

    #[test]
    fn the_game_is_over_when_a_bot_has_failed_or_no_answer_is_wanted() {
        for end in [
            |table: &mut RecordedTable, _: &Answers| table.forfeit(Seat::new(0)),
            |_: &mut RecordedTable, answers: &Answers| answers.end(),
        ] {
            let (mut table, answers, _) = recorded("draughts-retry.ndjson");
            assert_eq!((table.turn(), table.outcome()), (Turn::Seat(Seat::new(1)), None));
            end(&mut table, &answers);
            assert_eq!(table.turn(), Turn::Over);
            assert!(table.outcome().is_some());
        }
    }
}
