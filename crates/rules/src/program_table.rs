//! A table over a rules program: what the referee asks of a game, asked of the program.

use crate::dialogue::Dialogue;
use crate::messages::{Answer, Request, ability};
use crate::position::{Frame, Position, copies, setups};
use crate::program_game::{Resolved, Running};
use botyard_engine::json_values::whole;
use botyard_engine::random::Rng;
use botyard_engine::{
    ActionError, GameEvent, Outcome, Scores, Seat, Stream, Table, TableFault, Turn,
};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// The reason of the outcome of a game that the referee ended because a bot failed.
const FORFEIT: &str = "forfeit";

/// How many legal actions an error lists.
const SHOWN: usize = 10;

/// Why an action is refused when no seat has the turn.
const NO_TURN: &str = "it is no seat's turn";

/// A game over a rules program.
///
/// A failure of the program ends the game: [`Table::fault`] says why, and nothing else that the table
/// returns means anything then.
pub struct ProgramTable {
    resolved: Arc<Resolved>,
    inner: RefCell<Inner>,
}

#[derive(Default)]
struct Inner {
    /// The program, while a game is in progress.
    running: Option<Running>,
    fault: Option<TableFault>,
    position: Position,
    setups: Vec<String>,
    /// The seats of bots that failed.
    forfeited: Vec<Seat>,
    /// How long the program had computed before this game.
    waited_before: Duration,
}

/// What a request is about, for the event that follows it.
#[derive(Clone, Copy)]
enum Asked<'a> {
    Opening(Option<&'a RawValue>),
    /// The action is in the event.
    Action,
    Chance(Option<&'a RawValue>),
    Forfeit,
}

/// What became of a request for a position.
enum Replied {
    Position,
    /// The reason, in the words of the program.
    Refused(String),
}

impl ProgramTable {
    pub(crate) fn new(resolved: Arc<Resolved>) -> ProgramTable {
        ProgramTable { resolved, inner: RefCell::default() }
    }

    fn seat_name(&self, seat: Seat) -> &str {
        &self.resolved.seats[seat.index()]
    }

    fn can(&self, ability: &str) -> bool {
        self.resolved.shared.hello.can(ability)
    }

    /// Takes a program for a new game, under the rules of this table.
    fn begin(&mut self) -> Result<(), TableFault> {
        let inner = self.inner.get_mut();
        if inner.fault.take().is_some() {
            inner.running = None;
        }
        inner.forfeited.clear();
        inner.waited_before = Duration::ZERO;
        let mut running = match inner.running.take() {
            Some(running) => running,
            None => self.resolved.shared.take()?,
        };
        if running.rules != self.resolved.rules {
            let rules = serde_json::from_str(&self.resolved.rules).expect("it was read as JSON");
            let answer =
                running.dialogue.ask(&Request { rules: Some(rules), ..Request::new("new") })?;
            let resolved = self.resolved.shared.resolved(&answer);
            match resolved {
                Ok((rules, seats, _))
                    if rules == self.resolved.rules && seats == self.resolved.seats => {}
                _ => return Err(running.dialogue.unexpected("the same rules and seats again")),
            }
            running.rules.clone_from(&self.resolved.rules);
        }
        inner.waited_before = running.dialogue.waited();
        inner.running = Some(running);
        Ok(())
    }

    /// Asks for a position, and fills the event with what happened.
    fn ask(
        &mut self,
        request: &Request<'_>,
        asked: Asked<'_>,
        game_event: &mut GameEvent,
    ) -> Result<Replied, TableFault> {
        let inner = self.inner.get_mut();
        inner.dialogue()?.send(request)?;
        inner.receive(&self.resolved, asked, game_event)
    }

    /// Asks for something that changes no state. `None` after a failure.
    fn look<T>(
        &self,
        request: &Request<'_>,
        read: impl FnOnce(&Answer<'_>) -> Result<T, String>,
    ) -> Option<T> {
        let mut inner = self.inner.borrow_mut();
        if inner.fault.is_some() {
            return None;
        }
        let looked = inner.dialogue().and_then(|dialogue| {
            let looked = read(&dialogue.ask(request)?);
            looked.map_err(|expected| dialogue.unexpected(&expected))
        });
        looked.map_err(|fault| inner.fault = Some(fault)).ok()
    }

    fn fail(&mut self, fault: TableFault) {
        self.inner.get_mut().fault.get_or_insert(fault);
    }

    /// Opens a game.
    fn open_by(
        &mut self,
        request: &Request<'_>,
        asked: Asked<'_>,
    ) -> Result<GameEvent, ActionError> {
        let mut game_event = GameEvent::default();
        let opened = self.begin().and_then(|()| self.ask(request, asked, &mut game_event));
        match opened {
            Ok(Replied::Position) => {}
            Ok(Replied::Refused(reason)) => match asked {
                Asked::Opening(Some(_)) => return Err(ActionError::Illegal(reason)),
                _ => self.fail(self.unexpected("an opening drawn from the bits")),
            },
            Err(fault) => self.fail(fault),
        }
        Ok(game_event)
    }

    fn unexpected(&self, expected: &str) -> TableFault {
        let inner = self.inner.borrow();
        match &inner.running {
            Some(running) => running.dialogue.unexpected(expected),
            None => TableFault(format!("expected {expected}, but the rules program does not run")),
        }
    }

    /// Asks the program whether an action that it does not list is legal. Returns the action in its own form.
    fn checked(&self, seat: Seat, action: &str) -> Result<String, ActionError> {
        let raw = json(action, "the action")?;
        let request = Request {
            seat: Some(self.seat_name(seat).into()),
            action: Some(raw),
            ..Request::new("check")
        };
        let checked = self.look(&request, |answer| match &*answer.kind {
            "legal" => Ok(Ok(answer.action.map_or(action, RawValue::get).to_string())),
            "refused" => Ok(Err(reason(answer))),
            _ => Err("\"legal\" or \"refused\"".into()),
        });
        checked.unwrap_or_else(|| Ok(action.to_string())).map_err(ActionError::Illegal)
    }

    /// Plays an action in this form. One that the program refuses changes nothing.
    fn play_as(
        &mut self,
        seat: Seat,
        own: String,
        game_event: &mut GameEvent,
    ) -> Result<(), ActionError> {
        let request = Request {
            seat: Some(self.resolved.seats[seat.index()].as_str().into()),
            action: Some(json(&own, "the action")?),
            ..Request::new("play")
        };
        let inner = self.inner.get_mut();
        let sent = inner.dialogue().and_then(|dialogue| dialogue.send(&request));
        let full = std::mem::replace(&mut game_event.full, own);
        let replied = sent.and_then(|()| inner.receive(&self.resolved, Asked::Action, game_event));
        match replied {
            Ok(Replied::Position) => {}
            Ok(Replied::Refused(reason)) if !self.lists_actions() => {
                game_event.full = full;
                return Err(ActionError::Illegal(reason));
            }
            Ok(Replied::Refused(_)) => {
                let fault = self.unexpected("a position, as it listed this action as legal");
                self.fail(fault);
            }
            Err(fault) => self.fail(fault),
        }
        Ok(())
    }

    /// Returns a listed action that equals this one, as JSON or in the words of the program.
    ///
    /// # Errors
    ///
    /// The reason why an action that is not listed is refused.
    fn listed(&self, action: &str) -> Result<String, String> {
        if let Some(listed) = self.inner.borrow().position.listed(action) {
            return Ok(listed.to_string());
        }
        if self.can(ability::CHECK)
            && let Turn::Seat(seat) = self.turn()
            && let Ok(raw) = serde_json::from_str::<&RawValue>(action)
        {
            let request = Request {
                seat: Some(self.seat_name(seat).into()),
                action: Some(raw),
                ..Request::new("check")
            };
            // A program may take true for 1. The list decides: no bot can void a game by an action
            // that is nearly legal.
            let checked = self.look(&request, |answer| match &*answer.kind {
                "refused" => Ok(Err(reason(answer))),
                "legal" => Ok(Ok(answer.action.map(|action| action.get().to_string()))),
                _ => Err("\"refused\" or \"legal\"".into()),
            });
            match checked {
                Some(Ok(own)) => {
                    let inner = self.inner.borrow();
                    if let Some(listed) =
                        own.and_then(|own| Some(inner.position.listed(&own)?.into()))
                    {
                        return Ok(listed);
                    }
                }
                Some(Err(reason)) => return Err(reason),
                None => return Err(String::new()),
            }
        }
        let inner = self.inner.borrow();
        let legal = inner.position.actions();
        let mut text = format!("{action} is not one of the {} legal actions: ", legal.len());
        let is_cut = legal.len() > SHOWN;
        for (place, listed) in legal.take(SHOWN).enumerate() {
            let _ = write!(text, "{}{listed}", if place > 0 { ", " } else { "" });
        }
        if is_cut {
            text.push_str(", ...");
        }
        Err(text)
    }

    /// Returns the whole state as the program writes it; `null` after a failure.
    fn state_text(&self) -> String {
        let state = self.look(&Request::new("state"), |answer| match answer.state {
            Some(state) if answer.kind == "state" => Ok(state.get().to_string()),
            _ => Err("\"state\" with the state".into()),
        });
        state.unwrap_or_else(|| "null".into())
    }

    /// Whether the game is over because a bot failed, without the program.
    fn was_ended(&self) -> bool {
        !self.inner.borrow().forfeited.is_empty() && !self.can(ability::FORFEIT)
    }
}

impl Inner {
    /// Returns the dialogue with the program.
    fn dialogue(&mut self) -> Result<&mut Dialogue, TableFault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        Ok(&mut self.running.as_mut().expect("open() comes before everything else").dialogue)
    }

    /// Reads the position that was asked for, and fills the event with what happened.
    fn receive(
        &mut self,
        resolved: &Resolved,
        asked: Asked<'_>,
        game_event: &mut GameEvent,
    ) -> Result<Replied, TableFault> {
        let Inner { running, position, setups: by_seat, .. } = self;
        let dialogue = &mut running.as_mut().expect("it was asked just now").dialogue;
        let answer = dialogue.answer()?;
        if answer.kind == "refused" {
            return Ok(Replied::Refused(reason(&answer)));
        }
        let frame = resolved.frame();
        let read = position
            .read(&answer, dialogue.last_answer(), &frame)
            .and_then(|()| read_event(&answer, &frame, asked, by_seat, game_event));
        match read {
            Ok(()) => {
                position.keep(dialogue.answer_line());
                Ok(Replied::Position)
            }
            Err(expected) => {
                *position = Position::default();
                Err(dialogue.unexpected(&expected))
            }
        }
    }
}

/// Reads what happened before a position.
fn read_event(
    answer: &Answer<'_>,
    frame: &Frame<'_>,
    asked: Asked<'_>,
    by_seat: &mut Vec<String>,
    game_event: &mut GameEvent,
) -> Result<(), String> {
    game_event.seen = copies(answer.seen, frame)?;
    let full = match asked {
        Asked::Opening(given) => {
            *by_seat = setups(answer, frame)?;
            answer.opening.or(given).map_or("{}", RawValue::get)
        }
        Asked::Action => match answer.action {
            Some(action) => action.get(),
            None => return Ok(()),
        },
        Asked::Chance(given) => match answer.chance.or(given) {
            Some(chance) => chance.get(),
            None => return Err("the drawn outcome as \"chance\"".into()),
        },
        Asked::Forfeit => "",
    };
    game_event.full.clear();
    game_event.full.push_str(full);
    Ok(())
}

/// Reads the JSON of a game.
fn json<'a>(text: &'a str, what: &str) -> Result<&'a RawValue, ActionError> {
    serde_json::from_str(text)
        .map_err(|error| ActionError::Illegal(format!("{what} is not JSON: {error}")))
}

/// Returns the reason of a refusal.
fn reason(answer: &Answer<'_>) -> String {
    answer.message.as_deref().unwrap_or("refused without a reason").to_string()
}

/// Returns 256 bits of a stream as hexadecimal digits.
fn random_bits(stream: &mut Stream) -> String {
    let mut bytes = [0; 32];
    stream.rng().fill_bytes(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Table for ProgramTable {
    fn game(&self) -> &'static str {
        self.resolved.shared.name
    }

    fn fault(&self) -> Option<TableFault> {
        self.inner.borrow().fault.clone()
    }

    fn rules_time(&self) -> Option<Duration> {
        let inner = self.inner.borrow();
        let waited = inner.running.as_ref().map_or(Duration::ZERO, |it| it.dialogue.waited());
        Some(waited.saturating_sub(inner.waited_before))
    }

    fn lists_actions(&self) -> bool {
        self.inner.borrow().position.legal().is_some()
    }

    fn rules(&self) -> Value {
        serde_json::from_str(&self.resolved.rules).unwrap_or_default()
    }

    fn seats(&self) -> &[String] {
        &self.resolved.seats
    }

    fn has_secrets(&self) -> bool {
        let hello = &self.resolved.shared.hello;
        hello.hidden || hello.chance
    }

    fn scores(&self) -> Scores {
        self.resolved.scores
    }

    fn open(&mut self, stream: &mut Stream) -> GameEvent {
        let request = Request { random: Some(random_bits(stream).into()), ..Request::new("open") };
        self.open_by(&request, Asked::Opening(None)).unwrap_or_default()
    }

    fn open_with(&mut self, opening: &str) -> Result<GameEvent, ActionError> {
        let raw = json(opening, "the opening")?;
        let request = Request { opening: Some(raw), ..Request::new("open") };
        self.open_by(&request, Asked::Opening(Some(raw)))
    }

    fn setup(&self, seat: Seat) -> String {
        self.inner.borrow().setups.get(seat.index()).cloned().unwrap_or_else(|| "{}".to_string())
    }

    fn turn(&self) -> Turn {
        let inner = self.inner.borrow();
        match inner.fault {
            Some(_) => Turn::Over,
            None => inner.position.turn.unwrap_or(Turn::Over),
        }
    }

    fn write_view(&self, seat: Seat, into: &mut Vec<u8>) {
        if self.turn() == Turn::Seat(seat) {
            into.extend_from_slice(self.inner.borrow().position.view().as_bytes());
            return;
        }
        let request = Request { seat: Some(self.seat_name(seat).into()), ..Request::new("view") };
        let written = self.look(&request, |answer| match answer.view {
            Some(view) if answer.kind == "view" => {
                into.extend_from_slice(view.get().as_bytes());
                Ok(())
            }
            _ => Err("\"view\" with the view".into()),
        });
        if written.is_none() {
            into.extend_from_slice(b"null");
        }
    }

    fn write_legal(&mut self, into: &mut Vec<u8>) {
        let legal = self.inner.get_mut().position.legal();
        into.extend_from_slice(legal.unwrap_or("[]").as_bytes());
    }

    fn legal(&mut self) -> Vec<Value> {
        let legal = self.inner.get_mut().position.legal();
        legal.and_then(|legal| serde_json::from_str(legal).ok()).unwrap_or_default()
    }

    fn canonical_action(&mut self, action: &str) -> Result<String, ActionError> {
        let Turn::Seat(seat) = self.turn() else {
            return Err(ActionError::Illegal(NO_TURN.into()));
        };
        if self.lists_actions() {
            return self.listed(action).map_err(ActionError::Illegal);
        }
        // As it was written first: to the program, 2.0 may be another action than 2.
        match (self.checked(seat, action), whole(action)) {
            (Err(refused), Cow::Owned(whole)) => self.checked(seat, &whole).map_err(|_| refused),
            (checked, _) => checked,
        }
    }

    fn play(&mut self, action: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let Turn::Seat(seat) = self.turn() else {
            return Err(ActionError::Illegal(NO_TURN.into()));
        };
        if !self.lists_actions() {
            let given = action.trim();
            return match (self.play_as(seat, given.to_string(), game_event), whole(given)) {
                (Err(refused), Cow::Owned(whole)) => {
                    self.play_as(seat, whole, game_event).map_err(|_| refused)
                }
                (played, _) => played,
            };
        }
        match self.listed(action) {
            Ok(own) => self.play_as(seat, own, game_event),
            Err(_) if self.fault().is_some() => Ok(()),
            Err(reason) => Err(ActionError::Illegal(reason)),
        }
    }

    fn draw(&mut self, stream: &mut Stream, game_event: &mut GameEvent) {
        let request =
            Request { random: Some(random_bits(stream).into()), ..Request::new("chance") };
        match self.ask(&request, Asked::Chance(None), game_event) {
            Ok(Replied::Position) => {}
            Ok(Replied::Refused(_)) => {
                let fault = self.unexpected("an outcome drawn from the bits");
                self.fail(fault);
            }
            Err(fault) => self.fail(fault),
        }
    }

    fn play_chance(&mut self, chance: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let raw = json(chance, "the outcome")?;
        let request = Request { chance: Some(raw), ..Request::new("chance") };
        match self.ask(&request, Asked::Chance(Some(raw)), game_event) {
            Ok(Replied::Position) => {}
            Ok(Replied::Refused(reason)) => return Err(ActionError::Illegal(reason)),
            Err(fault) => self.fail(fault),
        }
        Ok(())
    }

    fn forfeit(&mut self, seat: Seat) {
        self.inner.get_mut().forfeited.push(seat);
        if self.can(ability::FORFEIT) {
            let name = self.resolved.seats[seat.index()].clone();
            let request = Request { seat: Some(name.into()), ..Request::new("forfeit") };
            match self.ask(&request, Asked::Forfeit, &mut GameEvent::default()) {
                Ok(Replied::Position) => {}
                Ok(Replied::Refused(_)) => {
                    let fault = self.unexpected("a position");
                    self.fail(fault);
                }
                Err(fault) => self.fail(fault),
            }
            return;
        }
        let seats = self.resolved.seats.len();
        let scores = self.resolved.scores;
        let mut outcome = Outcome::winners(seats, FORFEIT, |other| other != seat);
        for points in &mut outcome.scores {
            *points = if *points > 0.0 { scores.most } else { scores.least };
        }
        self.inner.get_mut().position.end(outcome);
    }

    fn pass(&self) -> String {
        self.inner.borrow().position.pass().to_string()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.inner.borrow().position.outcome.clone()
    }

    fn state_hash(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.state_text().as_bytes());
        if self.was_ended() {
            for seat in &self.inner.borrow().forfeited {
                hash.update([b'f', seat.index() as u8]);
            }
        }
        hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn state(&self) -> Value {
        serde_json::from_str(&self.state_text()).unwrap_or_default()
    }

    fn text(&self) -> String {
        if self.can(ability::TEXT) {
            let text = self.look(&Request::new("text"), |answer| match &answer.text {
                Some(text) if answer.kind == "text" => Ok(text.to_string()),
                _ => Err("\"text\" with the text".into()),
            });
            return text.unwrap_or_default();
        }
        match self.state() {
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
            }
            other => format!("{other}\n"),
        }
    }

    fn picture(&self, seat: Option<Seat>) -> Option<String> {
        if !self.can(ability::DRAW) {
            return None;
        }
        let seat = seat.map(|seat| self.seat_name(seat).into());
        self.look(&Request { seat, ..Request::new("draw") }, |answer| match &answer.svg {
            Some(svg) if answer.kind == "picture" => Ok(svg.to_string()),
            _ => Err("\"picture\" with an SVG document as \"svg\"".into()),
        })
    }

    fn read_action(&self, text: &str) -> Option<Result<String, String>> {
        if !self.can(ability::PARSE) {
            return None;
        }
        let request = Request { text: Some(text.into()), ..Request::new("parse") };
        self.look(&request, |answer| match (&*answer.kind, answer.action, &answer.message) {
            ("action", Some(action), _) => Ok(Ok(action.get().to_string())),
            ("refused", _, Some(message)) => Ok(Err(message.to_string())),
            _ => Err("\"action\" with the action, or \"refused\" with a message".into()),
        })
    }

    fn action_text(&self, action: &str) -> String {
        action.to_string()
    }

    fn chance_text(&self, chance: &str) -> String {
        chance.to_string()
    }
}

impl Drop for ProgramTable {
    fn drop(&mut self) {
        let inner = self.inner.get_mut();
        if let (Some(running), None) = (inner.running.take(), &inner.fault) {
            self.resolved.shared.take_back(running);
        }
    }
}
