//! The person's side of the protocol, whatever shows the game: answers the referee's lines as a bot would, keeps the
//! decision that is due, and sends what the person decides.

use botyard_protocol::{
    BotHello, BotMessage, EndOutcome, Fault, Move, PROTOCOL, RefereeMessage, Start, printable,
    write_line,
};
use botyard_runner::play::{Line, News, PlayPlan};
use serde_json::Value;
use std::io::Write;
use std::net::Shutdown;

/// How much of a message of the referee is shown, in characters.
const MESSAGE_CHARACTERS: usize = 1000;

/// A decision of the person, from the referee's `turn` message.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The number of the decision.
    pub turn: u32,
    /// The seat to move.
    pub seat: String,
    /// The view of the seat.
    pub view: Value,
    /// Every legal action.
    pub legal: Vec<Value>,
}

/// What is to be shown to the person.
#[derive(Debug)]
pub enum Heard {
    /// The game begins: [`Dialogue::start`] has it.
    Started,
    /// The person is to decide: [`Dialogue::question`] has what.
    Asked,
    /// A seat has decided.
    Moved {
        /// The number of the decision, from 1.
        turn: u32,
        /// The name of the seat.
        seat: String,
        /// The action as the person's seats observed it.
        seen_by_seat: Value,
        /// What the bot said about it, as JSON; `None` in games that hide anything.
        info: Option<String>,
    },
    /// A chance event.
    Drawn {
        /// The number of the last decision before it, 0 before the first.
        turn: u32,
        /// The event as the person's seats observed it.
        seen_by_seat: Value,
    },
    /// A text of another player's bot for the log. May contain control characters.
    Logged {
        /// The bot's name.
        player: String,
        /// The text.
        text: String,
    },
    /// A bot has committed a fault.
    Failed {
        /// The fault.
        fault: Fault,
        /// Whether the seat is forfeited.
        fatal: bool,
    },
    /// The referee has refused what the person sent, for this reason, which is printable.
    Refused(String),
    /// The game is over, and nothing is redacted any more.
    Ended {
        /// The outcome.
        outcome: EndOutcome,
        /// The final position as text.
        text: String,
        /// The final views of all seats, in seat order.
        views: Vec<Value>,
    },
    /// The game is void, for this reason, as the end of a sentence.
    Void(String),
}

/// The person's side of one game.
pub struct Dialogue<'a> {
    plan: &'a PlayPlan,
    answers: Option<Line>,
    start: Option<Start>,
    question: Option<Question>,
    /// The number of the person's decisions so far.
    decisions: u32,
    has_resigned: bool,
    is_over: bool,
}

impl<'a> Dialogue<'a> {
    /// Makes the dialogue of a game that has not begun.
    pub fn new(plan: &'a PlayPlan) -> Dialogue<'a> {
        Dialogue {
            plan,
            answers: None,
            start: None,
            question: None,
            decisions: 0,
            has_resigned: false,
            is_over: false,
        }
    }

    /// The message that began the game.
    pub fn start(&self) -> Option<&Start> {
        self.start.as_ref()
    }

    /// The decision that is due, if it is the person's.
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Whether the person has resigned.
    pub fn has_resigned(&self) -> bool {
        self.has_resigned
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Handles what comes from the referee, and answers it unless the person has to. Returns what is to be shown.
    pub fn hear(&mut self, news: News) -> Option<Heard> {
        match news {
            News::Connected(stream) => {
                self.answers = Some(stream);
                None
            }
            News::Line(line) => self.line(&line),
            News::Moved { turn, seat, seen_by_seat, info } => {
                self.decisions += u32::from(self.plan.own_seats().any(|own| own == seat));
                let seat = self.plan.seats.get(seat).cloned().unwrap_or_default();
                Some(Heard::Moved { turn, seat, seen_by_seat, info })
            }
            News::Drawn { turn, seen_by_seat } => Some(Heard::Drawn { turn, seen_by_seat }),
            News::Logged { player, text } => {
                (player != self.plan.name).then_some(Heard::Logged { player, text })
            }
            // A person who has resigned is not shown the referee's fault for it.
            News::Failed { .. } if self.has_resigned => None,
            News::Failed { fault, fatal } => Some(Heard::Failed { fault, fatal }),
            News::Ended { outcome, text, views } => {
                self.is_over = true;
                self.question = None;
                Some(Heard::Ended { outcome, text, views })
            }
            News::Void(reason) => {
                self.question = None;
                Some(Heard::Void(reason))
            }
        }
    }

    /// Handles a line from the referee.
    fn line(&mut self, line: &[u8]) -> Option<Heard> {
        match serde_json::from_slice::<RefereeMessage>(line).ok()? {
            RefereeMessage::Hello(_) => {
                self.answer(&BotMessage::Hello(BotHello {
                    protocol: PROTOCOL,
                    name: self.plan.name.clone(),
                    version: None,
                    author: None,
                    games: Vec::new(),
                    options: Default::default(),
                }));
                None
            }
            RefereeMessage::Start(start) => {
                self.start = Some(*start);
                self.answer(&BotMessage::Ready);
                Some(Heard::Started)
            }
            RefereeMessage::Turn(turn) => {
                let legal = turn.legal.and_then(|legal| legal.as_array().cloned());
                self.question = Some(Question {
                    turn: turn.turn,
                    seat: turn.seat,
                    view: turn.view,
                    legal: legal.unwrap_or_default(),
                });
                Some(Heard::Asked)
            }
            RefereeMessage::Error(_) if self.has_resigned => None,
            RefereeMessage::Error(error) => {
                Some(Heard::Refused(printable(&error.message, MESSAGE_CHARACTERS)))
            }
            RefereeMessage::End(_) | RefereeMessage::Quit => None,
        }
    }

    /// Sends a message to the referee. If the referee has closed the connection, the game is over,
    /// and the end follows as news.
    fn answer(&self, message: &BotMessage) {
        let mut line = Vec::new();
        write_line(&mut line, message);
        if let Some(mut stream) = self.answers.as_ref() {
            let _ = stream.write_all(&line);
        }
    }

    /// Plays an action, if a decision is due.
    pub fn play(&mut self, action: Value) {
        if let Some(Question { turn, .. }) = self.question.take() {
            self.answer(&BotMessage::Move(Move { turn, action, info: None }));
        }
    }

    /// Resigns. The person's process closes its output, so the referee forfeits its seats.
    pub fn resign(&mut self) {
        self.answer(&BotMessage::Log { text: "resigns".to_string() });
        if let Some(stream) = &self.answers {
            // If the relay is gone, the game has ended already.
            let _ = stream.shutdown(Shutdown::Write);
        }
        self.has_resigned = true;
        self.question = None;
    }

    /// Checks that a decision can be taken back.
    ///
    /// # Errors
    ///
    /// Why not, in words.
    pub fn may_undo(&self) -> Result<(), &'static str> {
        match () {
            () if self.is_over || self.has_resigned => Err("the game is over"),
            () if self.decisions == 0 => Err("you have not made a decision yet"),
            () => Ok(()),
        }
    }

    /// Waits for no decision any more, because the game could not be played to its end.
    pub fn drop_question(&mut self) {
        self.question = None;
    }
}
