//! The person's side of one game on pages: publishes what they show of the [`Dialogue`] with the referee, and answers
//! with what they send.

use crate::command::{Order, Request};
use crate::desk::Desk;
use crate::estimates::Estimates;
use crate::perspectives::Perspectives;
use crate::published::Recorded;
use crate::remarks::Remarks;
use crate::review::Reviewing;
use botyard_engine::registry;
use botyard_play::hint::{self, Advice};
use botyard_play::{Dialogue, Heard, Question, Replica};
use botyard_protocol::{Fault, printable};
use botyard_runner::play::{Left, News, PlayPlan, Recording};
use botyard_runner::words::fault_in_words;
use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use serde_json::{Value, json};
use std::thread;

/// What stands for the evidence of a fault, which may reveal what is hidden.
const WITHHELD: &str = "the reason is not shown, because the game hides information";

/// What stands for the evidence of a fault of another's bot.
const NOT_OFFERED: &str = "the reason is shown to the team of the bot";

/// The end of a session.
pub(crate) enum Leaving {
    /// The game is over, or could not be played.
    Over,
    /// The game was void for this reason, and is repeated.
    Void(String),
    /// The person takes back the last decision.
    Undo,
    /// The person begins another game.
    Next(Box<PlayPlan>),
    /// A signal arrived.
    Interrupted,
}

/// The advice for the decision with this number, if a bot has any.
type Advised = (u32, Option<Advice>);

/// A hint for one decision.
enum Hint {
    Thinking,
    Given(Option<Advice>),
}

/// The person's side of one game.
pub(crate) struct Session<'a> {
    plan: &'a PlayPlan,
    desk: &'a mut Desk,
    recording: Recording,
    perspectives: Perspectives,
    /// What reads typed actions, once they are needed.
    replica: Option<Replica>,
    /// The number of recorded decisions at the start of a resumed game, which are shown at once.
    recorded: usize,
    dialogue: Dialogue<'a>,
    hint: Option<Hint>,
    /// The channel from the threads that ask bots.
    advice: (Sender<Advised>, Receiver<Advised>),
    /// Faults of bots, in words.
    faults: Vec<String>,
    remarks: Remarks,
    estimates: Estimates,
    /// Whether the evidence of faults may reveal what is hidden.
    hides: bool,
    /// Why the game is void, if it is.
    void: Option<String>,
    /// Why the game could not be played.
    problem: Option<String>,
    /// The name of the saved replay, once the game is over.
    saved: Option<String>,
    /// Whether pages may show the replay.
    has_replay: bool,
    review: Option<Reviewing>,
}

impl<'a> Session<'a> {
    /// Makes the session of a game of which this number of decisions is on record. `void`: why the
    /// attempt before was void.
    pub(crate) fn new(
        plan: &'a PlayPlan,
        desk: &'a mut Desk,
        recording: Recording,
        recorded: usize,
        void: Option<String>,
    ) -> Session<'a> {
        desk.turn_over();
        let hides = registry::info(desk.name).map_or(true, |game| game.hidden);
        let reason = void.map(|reason| desk.void_in_words(&reason));
        let faults = reason
            .map(|reason| format!("the game was void and is resumed, because {reason}"))
            .into_iter()
            .collect();
        Session {
            perspectives: Perspectives::new(plan, recording.clone()),
            replica: None,
            remarks: Remarks::new(hides, desk.offers.remarks),
            estimates: Estimates::new(hides, desk.offers.remarks),
            hides,
            plan,
            desk,
            recording,
            recorded,
            dialogue: Dialogue::new(plan),
            hint: None,
            advice: unbounded(),
            faults,
            void: None,
            problem: None,
            saved: None,
            has_replay: false,
            review: None,
        }
    }

    /// Whether the game has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.dialogue.is_over()
    }

    /// Returns why the game is void; empty if it is not.
    pub(crate) fn void_reason(&mut self) -> String {
        self.void.take().unwrap_or_default()
    }

    /// Plays until the game is over or the person leaves.
    pub(crate) fn run(&mut self, news: &Receiver<News>, grown: &Receiver<()>) -> Leaving {
        let (requests, signals) = (self.desk.requests.clone(), self.desk.signals.clone());
        let advice = self.advice.1.clone();
        loop {
            self.publish();
            let idle = self.desk.idle();
            select! {
                recv(news) -> received => match received {
                    Ok(received) => self.handle(received),
                    Err(_) => return Leaving::Over,
                },
                // The recording is read before anything is published.
                recv(grown) -> _ => {}
                recv(advice) -> advised => {
                    if let Ok((turn, advice)) = advised {
                        self.advised(turn, advice);
                    }
                }
                recv(requests) -> request => {
                    let Ok(request) = request else { return Leaving::Interrupted };
                    if let Some(leaving) = self.answer_page(request) {
                        return leaving;
                    }
                }
                recv(signals) -> _ => return Leaving::Interrupted,
                recv(idle) -> _ => return Leaving::Interrupted,
            }
        }
    }

    /// Shows the end of the game until the person leaves.
    pub(crate) fn rest(&mut self, left: &Left) -> Leaving {
        let name = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
        self.saved = left.replay.as_ref().map(name);
        if let Some(error) = &left.failed {
            self.problem = Some(self.desk.in_words(error));
        } else if !self.is_over() && self.problem.is_none() {
            self.problem = Some("the game has no end".to_string());
        }
        self.dialogue.drop_question();
        self.publish();
        if self.is_over() {
            let own = self.plan.own_seats().next().and_then(|own| self.plan.seats.get(own));
            let seat = own.filter(|_| !self.desk.offers.whole_replay).cloned();
            self.desk.publish_replay(Recorded { bytes: self.recording.to_vec(), seat });
            self.has_replay = true;
            self.publish();
        }
        self.desk.ended();
        let (requests, signals) = (self.desk.requests.clone(), self.desk.signals.clone());
        loop {
            let idle = self.desk.idle();
            let review = self.review.as_ref().map_or_else(never, Reviewing::news);
            select! {
                recv(review) -> news => {
                    if let Some(review) = &mut self.review {
                        review.hear(news);
                    }
                    self.publish();
                }
                recv(requests) -> request => {
                    let Ok(request) = request else { return Leaving::Interrupted };
                    if let Some(leaving) = self.answer_page(request) {
                        return leaving;
                    }
                }
                recv(signals) -> _ => return Leaving::Interrupted,
                recv(idle) -> _ => return Leaving::Interrupted,
            }
        }
    }

    /// Publishes what pages show now.
    fn publish(&mut self) {
        if let Err(problem) = self.perspectives.follow() {
            self.problem.get_or_insert(problem);
        }
        let to_move = self.dialogue.question().map(|question| question.seat.as_str());
        if self.perspectives.choose(to_move, self.dialogue.is_over()) {
            self.desk.turn_over();
        }
        let is_held = self.is_held();
        // The last position that was published may have changed.
        let from = self.desk.published_positions().saturating_sub(1);
        let shown = if is_held { None } else { self.perspectives.shown(from) };
        let state = self.state(is_held);
        self.desk.publish(&state, from, shown);
    }

    /// Whether a resumed game has not reached the end of its record.
    fn is_held(&self) -> bool {
        !self.is_over() && self.problem.is_none() && self.perspectives.turn() < self.recorded
    }

    fn state(&mut self, is_held: bool) -> Value {
        let phase = match () {
            () if self.is_over() => "over",
            () if self.problem.is_some() => "problem",
            () if self.dialogue.start().is_none() || is_held => "starting",
            () => "playing",
        };
        let own: Vec<usize> = self.plan.own_seats().collect();
        let seats: Vec<Value> = (0..)
            .zip(&self.plan.seats)
            .map(|(index, seat)| {
                let player = self.plan.holder_name(index);
                json!({ "seat": seat, "player": player, "own": own.contains(&index) })
            })
            .collect();
        // Behind a curtain, the legal actions are hidden as well.
        let question = self.dialogue.question().filter(|_| self.perspectives.is_shown());
        let asked = question.map(|question| {
            // Where actions are not listed, the person types one.
            let typed = question.legal.is_empty().then(|| {
                let replica =
                    self.replica.get_or_insert_with(|| Replica::new(self.recording.clone()));
                if replica.reads_texts() { "text" } else { "json" }
            });
            let Question { turn, seat, legal, .. } = question;
            json!({ "turn": turn, "seat": seat, "legal": legal, "typed": typed })
        });
        let hint = question.zip(self.hint.as_ref()).map(|(question, hint)| match hint {
            Hint::Thinking => json!({ "turn": question.turn, "thinking": true }),
            Hint::Given(None) => json!({ "turn": question.turn }),
            Hint::Given(Some(Advice { bot, action, score })) => {
                json!({ "turn": question.turn, "bot": bot, "action": action, "score": score })
            }
        });
        json!({
            "phase": phase,
            "game": self.desk.number(),
            "name": registry::plain_name(self.desk.name),
            "seats": seats,
            "levels": self.desk.levels(),
            "offers": { "undo": self.desk.offers.undo, "hints": self.desk.offers.hints },
            "question": asked,
            "curtain": self.perspectives.curtain(),
            "hint": hint,
            "faults": self.faults,
            "remarks": self.remarks.as_json(),
            "estimates": self.estimates.as_json(),
            "has_resigned": self.dialogue.has_resigned(),
            "can_undo": self.may_undo().is_ok(),
            "saved": self.saved,
            "has_replay": self.has_replay,
            "can_review": self.has_replay && self.desk.reviewer().is_some(),
            "review": self.review.as_ref().map(Reviewing::as_json),
            "problem": self.problem,
        })
    }

    fn handle(&mut self, news: News) {
        let Some(heard) = self.dialogue.hear(news) else { return };
        match heard {
            Heard::Asked => {
                self.desk.touch();
                self.hint = None;
            }
            Heard::Moved { turn, seat, info, .. } => {
                self.remarks.moved(turn, info.as_deref());
                self.estimates.moved(turn, &seat, info.as_deref());
            }
            Heard::Failed { fault, fatal } => self.faults.push(self.fault(&fault, fatal)),
            Heard::Refused(message) => self.faults.push(format!("the referee says: {message}")),
            Heard::Logged { player, text } => self.remarks.logged(&player, &text),
            Heard::Void(reason) => self.void = Some(reason),
            // The recording has them.
            Heard::Started | Heard::Drawn { .. } | Heard::Ended { .. } => {}
        }
    }

    fn fault(&self, fault: &Fault, fatal: bool) -> String {
        if !self.hides && self.desk.offers.evidence {
            return fault_in_words(fault, fatal);
        }
        let mut fault = fault.clone();
        fault.message = if self.hides { WITHHELD } else { NOT_OFFERED }.to_string();
        fault.got = None;
        fault_in_words(&fault, fatal)
    }

    fn advised(&mut self, turn: u32, advice: Option<Advice>) {
        if self.dialogue.question().is_some_and(|question| question.turn == turn) {
            self.hint = Some(Hint::Given(advice));
        }
    }

    /// Carries out the command of a page and answers it.
    fn answer_page(&mut self, request: Request) -> Option<Leaving> {
        self.desk.touch();
        let Request { command, answer } = request;
        let is_new = matches!(command.order, Order::New { .. });
        let done = match command.game {
            Some(game) if game != self.desk.number() && !is_new => {
                Err("the page shows an earlier position; it is renewed at once".to_string())
            }
            _ => self.carry_out(command.order),
        };
        let (answered, leaving) = match done {
            Ok(leaving) => (Ok(()), leaving),
            Err(reason) => (Err(reason), None),
        };
        // A page that was closed receives no answer.
        let _ = answer.send(answered);
        leaving
    }

    /// Carries out a command.
    ///
    /// # Errors
    ///
    /// It is not possible now.
    fn carry_out(&mut self, order: Order) -> Result<Option<Leaving>, String> {
        match order {
            Order::Play { turn, action } => {
                let question = self.asked(Some(turn))?;
                if question.legal.is_empty() {
                    return self.carry_out(Order::Type { turn, text: action.to_string() });
                }
                if !question.legal.contains(&action) {
                    return Err(format!(
                        "{} is illegal; expected one of {} legal actions",
                        printable(&action.to_string(), 200),
                        question.legal.len()
                    ));
                }
                self.hint = None;
                self.dialogue.play(action);
            }
            Order::Type { turn, text } => {
                self.asked(Some(turn))?;
                let recording = self.recording.clone();
                let replica = self.replica.get_or_insert_with(|| Replica::new(recording));
                let action = replica.action(&text).map_err(|reason| printable(&reason, 1000))?;
                self.hint = None;
                self.dialogue.play(action);
            }
            Order::Undo => {
                self.may_undo()?;
                self.desk.start_again()?;
                return Ok(Some(Leaving::Undo));
            }
            Order::Hint { turn } => self.ask_for_hint(turn)?,
            Order::Review => {
                self.begin_review()?;
                self.publish();
            }
            Order::Resign => {
                self.asked(None)?;
                self.hint = None;
                self.dialogue.resign();
            }
            Order::Look { seat } => {
                self.perspectives.look(&seat)?;
                self.desk.turn_over();
            }
            Order::New { seats, level } => {
                return Ok(Some(Leaving::Next(self.desk.plan(seats, level)?)));
            }
        }
        Ok(None)
    }

    /// Returns the decision that is due, if pages show it.
    fn asked(&self, turn: Option<u32>) -> Result<&Question, String> {
        let question = self.dialogue.question().filter(|_| self.perspectives.is_shown());
        let question = question.ok_or("it is not your turn")?;
        match turn {
            Some(turn) if turn != question.turn => Err(format!(
                "decision {turn} is not due; decision {} of {} is",
                question.turn, question.seat
            )),
            _ => Ok(question),
        }
    }

    fn may_undo(&self) -> Result<(), String> {
        let undo = match () {
            () if !self.desk.offers.undo => Err("undo is not available in this game"),
            () if self.problem.is_some() => Err("the game is over"),
            () => self.dialogue.may_undo(),
        };
        undo.map_err(String::from)
    }

    /// Begins the review of the game that is over, on a thread of its own.
    fn begin_review(&mut self) -> Result<(), String> {
        let reviewer = self.desk.reviewer().filter(|_| self.has_replay);
        let reviewer = reviewer.ok_or("there is no review of this game now")?;
        if self.review.as_ref().is_none_or(Reviewing::has_failed) {
            let own = self.plan.own_seats().filter_map(|own| self.plan.seats.get(own).cloned());
            let (own, kept) = (own.collect(), self.saved.clone());
            self.review = Some(Reviewing::begin(reviewer, self.recording.to_vec(), own, kept));
        }
        Ok(())
    }

    /// Asks a strong bot, on a thread of its own.
    fn ask_for_hint(&mut self, turn: u32) -> Result<(), String> {
        if !self.desk.offers.hints {
            return Err("hints are not available in this game".to_string());
        }
        let question = self.asked(Some(turn))?.clone();
        let Some(start) = self.dialogue.start().cloned() else { return Ok(()) };
        if matches!(self.hint, Some(Hint::Thinking)) {
            return Ok(());
        }
        self.hint = Some(Hint::Thinking);
        let sender = self.advice.0.clone();
        thread::spawn(move || {
            let advice = hint::ask(&start, &question);
            // The game may be over.
            let _ = sender.send((question.turn, advice));
        });
        Ok(())
    }
}
