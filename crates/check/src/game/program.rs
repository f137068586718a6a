//! A rules program under examination. Its answers are read as the referee reads them, except that a
//! wrong outcome or distribution is kept as a problem, so that one fault does not hide the others.

use crate::game::check::GameCheck;
use botyard_engine::random::{Rng, Stream};
use botyard_engine::{Outcome, Scores, Seat, TableFault, Turn};
use botyard_protocol::printable;
use botyard_referee::Interrupt;
use botyard_rules::position::{Frame, Position, check_chances, checked_outcome, copies, setups};
use botyard_rules::{
    Answer, CHANCE, Dialogue, GivenPreset, Hello, OVER, Request, RulesLimits, StartProgram,
    check_hello, read_rules,
};
use botyard_runner::Error;
use serde_json::Value;
use serde_json::value::RawValue;
use std::time::{Duration, Instant};

/// The longest message about a finding, in characters.
const MESSAGE_CHARACTERS: usize = 1500;

/// The most bytes of the lines that are kept for comparisons.
const MOST_LOGGED: usize = 64 << 20;

/// A game to check.
pub struct Subject {
    /// The name that its program must give.
    pub name: String,
    /// The sets of rules besides those of the program.
    pub presets: Vec<GivenPreset>,
    /// Starts its program.
    pub start: StartProgram,
    /// The limits of the program.
    pub limits: RulesLimits,
}

/// Resolved rules, and what follows from them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    /// The name of the preset, with changes.
    pub name: String,
    /// The rules, as the program wrote them.
    pub rules: String,
    /// The seats' names.
    pub seats: Vec<String>,
    /// The points that a seat can have.
    pub scores: Scores,
}

impl Setting {
    /// Returns the seats.
    pub(crate) fn all_seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<> {
        Seat::all(self.seats.len())
    }

    /// Returns the name of a seat.
    pub(crate) fn seat_name(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or("", String::as_str)
    }
}

/// How a game begins.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    /// With an opening drawn from these bits.
    Random(String),
    /// With this opening.
    Opening(String),
    /// In this state.
    State(String),
}

/// What happens in a game.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A seat's decision.
    Action(Seat, String),
    /// An outcome of chance is drawn from these bits.
    Draw(String),
    /// This outcome of chance.
    Outcome(String),
    /// The bot of a seat has failed.
    Forfeit(Seat),
}

/// What the program answered after an event.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The whole event.
    pub full: String,
    /// What seats see of it instead.
    pub seen: Vec<(Seat, Value)>,
    /// Whose turn it is.
    pub turn: Turn,
    /// The legal actions, if they are listed.
    pub legal: Option<Vec<String>>,
    /// The view of the seat whose turn it is.
    pub view: String,
    /// The action that is played for a seat that has forfeited.
    pub pass: Option<String>,
    /// The outcomes of chance.
    pub chances: Option<Vec<(f64, String)>>,
    /// The outcome of the game, unless it is wrong.
    pub outcome: Option<Outcome>,
    /// After the opening: what never changes, by seat.
    pub setups: Vec<String>,
}

impl Step {
    /// Returns what a seat sees of the event.
    pub(crate) fn copy(&self, seat: Seat) -> Value {
        let own = self.seen.iter().find(|(to, _)| *to == seat);
        own.map_or_else(|| json(&self.full), |(_, copy)| copy.clone())
    }

    /// Returns whether the position is the same, whatever happened before it.
    pub(crate) fn is_same_position(&self, other: &Step) -> bool {
        let values = |list: &Option<Vec<String>>| {
            list.as_ref().map(|list| list.iter().map(|item| json(item)).collect::<Vec<_>>())
        };
        let chances = |step: &Step| {
            let listed = step.chances.as_ref()?;
            Some(listed.iter().map(|(p, outcome)| (*p, json(outcome))).collect::<Vec<_>>())
        };
        self.turn == other.turn
            && values(&self.legal) == values(&other.legal)
            && json(&self.view) == json(&other.view)
            && self.pass.as_deref().map(json) == other.pass.as_deref().map(json)
            && self.outcome == other.outcome
            && chances(self) == chances(other)
    }
}

/// Returns a text of JSON as a value.
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns a text for a finding, on one line, and shortened if it is long.
pub(crate) fn shown(text: &str) -> String {
    printable(text, MESSAGE_CHARACTERS)
}

/// Returns 256 bits as hexadecimal digits.
pub(crate) fn bits(stream: &mut Stream) -> String {
    let mut bytes = [0; 32];
    stream.rng().fill_bytes(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A fault of the program.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The check that it belongs to, unless it belongs to the one that is being made.
    pub check: Option<GameCheck>,
    /// Where it was found.
    pub place: String,
    /// What was expected and what came.
    pub message: String,
    /// Whether the host may be the reason.
    pub is_busy: bool,
}

/// Why a check stops.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A fault of the program.
    Fault(Box<Fault>),
    /// An interrupt, or a failure of the host.
    Run(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Run(error)
    }
}

/// A request and its answer.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The request.
    pub request: String,
    /// The answer.
    pub answer: String,
}

/// The slowest answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slowest {
    /// How long it took.
    pub time: Duration,
    /// To which request.
    pub request: String,
}

/// A program, running or not.
pub(crate) struct Program<'a> {
    subject: &'a Subject,
    interrupt: &'a Interrupt,
    dialogue: Option<Dialogue>,
    hello: Option<Hello>,
    /// The rules that were chosen last.
    rules: Option<String>,
    /// The lines since [`Program::log`] was called.
    logged: Option<(Vec<Line>, usize)>,
    /// Where a fault is found that is found next.
    pub place: String,
    /// Wrong outcomes and distributions.
    pub problems: Vec<Fault>,
    /// The slowest answer.
    pub slowest: Slowest,
    /// Requests so far.
    pub requests: u64,
    /// Time waited for positions so far.
    pub waited: Duration,
}

impl<'a> Program<'a> {
    pub(crate) fn new(subject: &'a Subject, interrupt: &'a Interrupt) -> Program<'a> {
        Program {
            subject,
            interrupt,
            dialogue: None,
            hello: None,
            rules: None,
            logged: None,
            place: String::new(),
            problems: Vec::new(),
            slowest: Slowest::default(),
            requests: 0,
            waited: Duration::ZERO,
        }
    }

    /// Starts it, unless it runs, and returns its description.
    pub(crate) fn start(&mut self) -> Result<Hello, Stop> {
        if let (Some(_), Some(hello)) = (&self.dialogue, &self.hello) {
            return Ok(hello.clone());
        }
        if self.interrupt.is_raised() {
            return Err(Stop::Run(Error::Interrupted));
        }
        self.rules = None;
        let transport = (self.subject.start)().map_err(|error| self.fault(None, error))?;
        let begun = Dialogue::begin(transport, self.subject.limits);
        let (dialogue, hello) = begun.map_err(|fault| self.fault(None, fault.0))?;
        check_hello(&hello, &self.subject.name)
            .map_err(|error| self.fault(None, error.to_string()))?;
        self.dialogue = Some(dialogue);
        self.hello = Some(hello.clone());
        Ok(hello)
    }

    /// Returns whether it has an ability.
    pub(crate) fn can(&self, ability: &str) -> bool {
        self.hello.as_ref().is_some_and(|hello| hello.can(ability))
    }

    /// Kills the process. The next request goes to a new one.
    pub(crate) fn stop(&mut self) {
        self.dialogue = None;
    }

    /// Returns a fault of this program.
    pub(crate) fn fault(&self, check: Option<GameCheck>, message: impl Into<String>) -> Stop {
        if self.interrupt.is_raised() {
            return Stop::Run(Error::Interrupted);
        }
        let message = shown(&message.into());
        Stop::Fault(Box::new(Fault { check, place: self.place.clone(), message, is_busy: false }))
    }

    /// Returns the fault of a program whose last answer is not what was expected.
    pub(crate) fn unexpected(&self, check: Option<GameCheck>, expected: &str) -> Stop {
        let message = self.dialogue.as_ref().map_or(String::new(), |it| it.unexpected(expected).0);
        self.fault(check, message)
    }

    /// Keeps the lines from now on.
    pub(crate) fn log(&mut self) {
        self.logged = Some((Vec::new(), 0));
    }

    /// Returns the lines since [`Program::log`] was called.
    pub(crate) fn logged(&mut self) -> Vec<Line> {
        self.logged.take().unwrap_or_default().0
    }

    /// Writes a line and returns the answer.
    pub(crate) fn line(&mut self, line: &str) -> Result<String, Stop> {
        self.start()?;
        self.exchange(self.time_for_an_answer(), |dialogue| dialogue.ask_line(line).map(|_| ()))
    }

    fn exchange(
        &mut self,
        limit: Duration,
        ask: impl FnOnce(&mut Dialogue) -> Result<(), TableFault>,
    ) -> Result<String, Stop> {
        let Some(dialogue) = &mut self.dialogue else {
            return Err(self.fault(None, "the program does not run"));
        };
        let begun = Instant::now();
        let asked = ask(dialogue);
        let took = begun.elapsed();
        self.requests += 1;
        if took > self.slowest.time {
            let request = printable(dialogue.last_request(), 120);
            self.slowest = Slowest { time: took, request };
        }
        if let Err(fault) = asked {
            self.stop();
            let check = (took >= limit).then_some(GameCheck::Time);
            let mut stop = self.fault(check, fault.0);
            if let Stop::Fault(fault) = &mut stop {
                fault.is_busy = fault.message.contains("host is too busy");
            }
            return Err(stop);
        }
        let (request, answer) = (dialogue.last_request(), dialogue.last_answer().to_string());
        if let Some((lines, size)) = &mut self.logged
            && *size < MOST_LOGGED
        {
            *size += request.len() + answer.len();
            lines.push(Line { request: request.to_string(), answer: answer.clone() });
        }
        if self.requests.is_multiple_of(64) && self.interrupt.is_raised() {
            return Err(Stop::Run(Error::Interrupted));
        }
        Ok(answer)
    }

    /// Returns the time within which the program must answer.
    pub(crate) fn time_for_an_answer(&self) -> Duration {
        Duration::from_millis(self.subject.limits.answer_ms)
    }

    /// Writes a request and returns the answer.
    pub(crate) fn ask(&mut self, request: &Request<'_>) -> Result<String, Stop> {
        self.start()?;
        self.exchange(self.time_for_an_answer(), |dialogue| dialogue.ask(request).map(|_| ()))
    }

    /// Asks for something that is read from the answer of this type.
    pub(crate) fn read<T>(
        &mut self,
        request: &Request<'_>,
        expected: &str,
        read: impl FnOnce(&Answer<'_>) -> Option<T>,
    ) -> Result<T, Stop> {
        let line = self.ask(request)?;
        let answer: Answer<'_> = serde_json::from_str(&line).unwrap_or_default();
        read(&answer).ok_or_else(|| self.unexpected(None, expected))
    }

    /// Resolves rules. The inner error is the reason for a refusal.
    pub(crate) fn resolve(
        &mut self,
        name: &str,
        rules: &str,
    ) -> Result<Result<Setting, String>, Stop> {
        let hello = self.start()?;
        let line = self.ask(&Request { rules: Some(raw(rules)), ..Request::new("new") })?;
        let answer: Answer<'_> = serde_json::from_str(&line).unwrap_or_default();
        if answer.kind == "refused" {
            self.rules = None;
            return Ok(Err(answer.message.unwrap_or_default().into_owned()));
        }
        let (rules, seats, scores) = read_rules(&hello, &answer)
            .map_err(|expected| self.unexpected(Some(GameCheck::Rules), &expected))?;
        self.rules = Some(rules.clone());
        Ok(Ok(Setting { name: name.to_string(), rules, seats, scores }))
    }

    /// Chooses rules, unless they were chosen last.
    pub(crate) fn choose(&mut self, setting: &Setting) -> Result<(), Stop> {
        self.start()?;
        if self.rules.as_ref() == Some(&setting.rules) {
            return Ok(());
        }
        match self.resolve(&setting.name, &setting.rules)? {
            Ok(_) => Ok(()),
            Err(_) => Err(self.unexpected(Some(GameCheck::Rules), "the same rules again")),
        }
    }

    /// Begins a game. The inner error is the reason for a refusal.
    pub(crate) fn open(
        &mut self,
        setting: &Setting,
        start: &Start,
    ) -> Result<Result<Step, String>, Stop> {
        self.choose(setting)?;
        let request = match start {
            Start::Random(bits) => {
                Request { random: Some(bits.as_str().into()), ..Request::new("open") }
            }
            Start::Opening(opening) => {
                Request { opening: Some(raw(opening)), ..Request::new("open") }
            }
            Start::State(state) => Request { state: Some(raw(state)), ..Request::new("load") },
        };
        let given = match start {
            Start::Opening(opening) => Some(opening.as_str()),
            _ => None,
        };
        self.step(setting, &request, |answer| {
            Ok(answer.opening.map(RawValue::get).or(given).unwrap_or("{}").to_string())
        })
    }

    /// Lets an event happen. The inner error is the reason for a refusal.
    pub(crate) fn apply(
        &mut self,
        setting: &Setting,
        event: &Event,
    ) -> Result<Result<Step, String>, Stop> {
        match event {
            Event::Action(seat, action) => {
                let request = Request {
                    seat: Some(setting.seat_name(*seat).into()),
                    action: Some(raw(action)),
                    ..Request::new("play")
                };
                self.step(setting, &request, |answer| {
                    Ok(answer.action.map_or(action.as_str(), RawValue::get).to_string())
                })
            }
            Event::Draw(bits) => {
                let request =
                    Request { random: Some(bits.as_str().into()), ..Request::new("chance") };
                self.step(setting, &request, |answer| {
                    let drawn = answer.chance.ok_or("the drawn outcome as \"chance\"")?;
                    Ok(drawn.get().to_string())
                })
            }
            Event::Outcome(outcome) => {
                let request = Request { chance: Some(raw(outcome)), ..Request::new("chance") };
                self.step(setting, &request, |answer| {
                    Ok(answer.chance.map_or(outcome.as_str(), RawValue::get).to_string())
                })
            }
            Event::Forfeit(seat) => {
                let request = Request {
                    seat: Some(setting.seat_name(*seat).into()),
                    ..Request::new("forfeit")
                };
                self.step(setting, &request, |_| Ok(String::new()))
            }
        }
    }

    fn step(
        &mut self,
        setting: &Setting,
        request: &Request<'_>,
        full: impl FnOnce(&Answer<'_>) -> Result<String, String>,
    ) -> Result<Result<Step, String>, Stop> {
        let begun = Instant::now();
        let line = self.ask(request)?;
        self.waited += begun.elapsed();
        let answer: Answer<'_> = serde_json::from_str(&line).unwrap_or_default();
        if answer.kind == "refused" {
            return Ok(Err(answer.message.unwrap_or_default().into_owned()));
        }
        let is_load = request.state.is_some();
        let is_open = request.kind == "open";
        let (chance, hidden) =
            self.hello.as_ref().map_or((false, false), |hello| (hello.chance, hello.hidden));
        if answer.seen.is_some() && !hidden {
            let expected = "\"hidden\":true in its \"hello\", before something is hidden";
            return Err(self.unexpected(Some(GameCheck::Hidden), expected));
        }
        let frame = Frame { seats: &setting.seats, scores: setting.scores, chance, hidden };
        let read = self.position(answer, &line, &frame, is_open && !is_load).and_then(
            |(mut step, answer)| {
                step.full = full(&answer)?;
                Ok(step)
            },
        );
        match read {
            Ok(step) => Ok(Ok(step)),
            Err(expected) => Err(self.unexpected(None, &expected)),
        }
    }

    /// Reads a position. What is wrong with its outcome or its distribution becomes a problem.
    fn position<'b>(
        &mut self,
        mut answer: Answer<'b>,
        line: &str,
        frame: &Frame<'_>,
        is_open: bool,
    ) -> Result<(Step, Answer<'b>), String> {
        let mut chances = None;
        if answer.to_move.as_deref() == Some(CHANCE)
            && let Some(listed) = answer.chances
        {
            match check_chances(listed) {
                Ok(()) => {
                    let listed: Vec<(f64, &RawValue)> =
                        serde_json::from_str(listed.get()).unwrap_or_default();
                    let owned =
                        |(probability, it): (f64, &RawValue)| (probability, it.get().to_string());
                    chances = Some(listed.into_iter().map(owned).collect());
                }
                Err(expected) => {
                    answer.chances = None;
                    self.problem(GameCheck::Chances, &expected);
                }
            }
        }
        let mut position = Position::default();
        match &answer.outcome {
            Some(outcome)
                if answer.kind == "position" && answer.to_move.as_deref() == Some(OVER) =>
            {
                position.turn = Some(Turn::Over);
                match checked_outcome(outcome, frame).and_then(checked_places) {
                    Ok(outcome) => position.outcome = Some(outcome),
                    Err(expected) => self.problem(GameCheck::Scores, &expected),
                }
            }
            _ => {
                position.read(&answer, line, frame)?;
                position.keep(&mut line.to_string());
            }
        }
        let turn = position.turn.unwrap_or(Turn::Over);
        let actions = || position.actions().map(str::to_string).collect();
        let step = Step {
            full: String::new(),
            seen: copies(answer.seen, frame)?,
            turn,
            legal: position.legal().map(|_| actions()),
            view: position.view().to_string(),
            pass: Some(position.pass().to_string()).filter(|pass| !pass.is_empty()),
            chances,
            outcome: position.outcome.clone(),
            setups: if is_open { setups(&answer, frame)? } else { Vec::new() },
        };
        Ok((step, answer))
    }

    fn problem(&mut self, check: GameCheck, expected: &str) {
        if let Stop::Fault(fault) = self.unexpected(Some(check), expected) {
            self.problems.push(*fault);
        }
    }

    /// Asks for the view of a seat.
    pub(crate) fn view(&mut self, setting: &Setting, seat: Seat) -> Result<String, Stop> {
        let request =
            Request { seat: Some(setting.seat_name(seat).into()), ..Request::new("view") };
        self.read(&request, "\"view\" with the view", |answer| {
            let view = answer.view.filter(|_| answer.kind == "view")?;
            Some(view.get().to_string())
        })
    }

    /// Asks for the state.
    pub(crate) fn state(&mut self) -> Result<String, Stop> {
        self.read(&Request::new("state"), "\"state\" with the state", |answer| {
            let state = answer.state.filter(|_| answer.kind == "state")?;
            Some(state.get().to_string())
        })
    }

    /// Asks whether an action is legal, and returns it in the game's own form if that is another. The
    /// inner error is the reason if it is not legal.
    pub(crate) fn check(
        &mut self,
        setting: &Setting,
        seat: Seat,
        action: &str,
    ) -> Result<Result<Option<String>, String>, Stop> {
        let request = Request {
            seat: Some(setting.seat_name(seat).into()),
            action: Some(raw(action)),
            ..Request::new("check")
        };
        self.read(&request, "\"legal\" or \"refused\"", |answer| match &*answer.kind {
            "legal" => Some(Ok(answer.action.map(|own| own.get().to_string()))),
            "refused" => Some(Err(answer.message.clone().unwrap_or_default().into_owned())),
            _ => None,
        })
    }

    /// Begins a game as before, and lets the same events happen. Returns the last step.
    pub(crate) fn go_to(
        &mut self,
        setting: &Setting,
        start: &Start,
        events: &[Event],
    ) -> Result<Step, Stop> {
        let again = "the same answer as before, when it was no refusal";
        let mut step = self.open(setting, start)?;
        for event in events {
            if step.is_err() {
                break;
            }
            step = self.apply(setting, event)?;
        }
        step.map_err(|_| self.unexpected(Some(GameCheck::Repeat), again))
    }
}

/// Checks that places are places: each is one more than the number of better seats, and a seat in the
/// first place has the most points.
fn checked_places(outcome: Outcome) -> Result<Outcome, String> {
    for (seat, &rank) in outcome.ranks.iter().enumerate() {
        let better = outcome.ranks.iter().filter(|other| **other < rank).count();
        if usize::from(rank) != better + 1 {
            return Err("places such as 1, 2, 2, 4: each is one more than the better ones".into());
        }
        let score = outcome.scores.get(seat).copied().unwrap_or_default();
        if rank == 1 && outcome.scores.iter().any(|other| *other > score) {
            return Err("the most points for the seat in the first place".into());
        }
    }
    Ok(outcome)
}

/// Returns a text of JSON as it is.
pub(crate) fn raw(text: &str) -> &RawValue {
    serde_json::from_str(text).unwrap_or(RawValue::NULL)
}
