//! Hints: what the strongest built-in bot would do in the person's place. The bot receives the
//! protocol lines of the person's seat, so it knows no more than the person; only its clock
//! differs.

use crate::dialogue::Question;
use botyard_bots::{Bot, Session, catalogue};
use botyard_protocol::{
    BotMessage, Clock, ClockKind, Move, RefereeMessage, Start, TimeControl, Turn, write_line,
};
use serde_json::Value;

/// The time limit of an advisor, in milliseconds.
const THINKING_MS: u64 = 1000;

/// Returns the name of the strongest built-in bot that plays a game.
pub fn strongest(game: &str) -> Option<&'static str> {
    catalogue::strongest(game).map(|bot| bot.name())
}

/// The move that a bot recommends.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The bot's name.
    pub bot: &'static str,
    /// The action.
    pub action: Value,
    /// The bot's evaluation of the move for the seat.
    pub score: Option<f64>,
}

/// Asks the strongest bot of a game. Returns `None` if there is none, or it has no move.
pub fn ask(start: &Start, question: &Question) -> Option<Advice> {
    let name = strongest(&start.game)?;
    let bot = catalogue::bot(name).ok()?;
    let Move { action, info, .. } = answer(&bot, start, question)?;
    let score = info.and_then(|info: Value| info.get("score")?.as_f64());
    question.legal.contains(&action).then_some(Advice { bot: name, action, score })
}

fn answer(bot: &Bot, start: &Start, question: &Question) -> Option<Move> {
    let mut session = Session::new(bot);
    let time = TimeControl {
        move_ms: Some(THINKING_MS),
        bank_ms: None,
        increment_ms: 0,
        ..start.time.clone()
    };
    let clock =
        Clock { kind: ClockKind::Wall, move_ms: Some(THINKING_MS), bank_ms: None, increment_ms: 0 };
    let start = Start { time, options: Default::default(), ..start.clone() };
    let turn = Turn {
        turn: question.turn,
        seat: question.seat.clone(),
        view: question.view.clone(),
        legal: Some(Value::Array(question.legal.clone())),
        clock,
    };
    let mut answered = Vec::new();
    for message in [RefereeMessage::Start(Box::new(start)), RefereeMessage::Turn(turn)] {
        let mut line = Vec::new();
        write_line(&mut line, &message);
        answered.clear();
        // Only `quit` breaks.
        let _ = session.answer(&line, &mut answered).ok()?;
    }
    // Log lines may precede the move.
    answered.split(|&byte| byte == b'\n').find_map(|line| match serde_json::from_slice(line) {
        Ok(BotMessage::Move(answer)) => Some(answer),
        _ => None,
    })
}
