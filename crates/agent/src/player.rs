//! A bot that plays one game, with the game's type erased: the protocol loop passes `start` and
//! `turn` messages to it.

use crate::agent::{Agent, AgentRng, Choice};
use crate::bot::SEED;
use crate::decision::{Decision, TurnError};
use crate::json_agent::{JsonAgent, JsonDecision};
use crate::options::Options;
use crate::time_budget::TimeBudget;
use botyard_engine::random::choose;
use botyard_engine::{Game, Seat, Stream};
use botyard_protocol::{BotMessage, Start, Turn, write_line, write_move_line};
use botyard_search::Reading;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::Value;
use serde_json::value::RawValue;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The reasons why a game cannot start or continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The rules in `start` are not rules of the game.
    #[error("expected rules of {game} in the `start` message, but {message}")]
    Rules {
        /// The game's name.
        game: &'static str,
        /// The error in the rules.
        message: String,
    },
    /// Options that are valid individually, but with which the bot cannot play.
    #[error("{0}")]
    Options(String),
    /// A seat that the game does not have.
    #[error("{game} under these rules has the seats {}, got {got:?}", .seats.join(", "))]
    UnknownSeat {
        /// The game's name.
        game: &'static str,
        /// The seats it has.
        seats: Vec<String>,
        /// The seat received.
        got: String,
    },
    /// A `turn` for a seat that the bot does not hold, or before a `start`.
    #[error("turn {turn}: asked to decide for {seat:?}, a seat that this bot does not hold")]
    NotMySeat {
        /// The number of the decision.
        turn: u32,
        /// The seat.
        seat: String,
    },
    /// The agent could not decide.
    #[error(transparent)]
    Turn(#[from] TurnError),
}

/// What happens if an agent returns an error or panics.
#[derive(Clone, Copy)]
pub(crate) enum OnFailure<'a> {
    /// The program ends.
    Exit,
    /// The game continues, and the failure is reported.
    Continue(&'a dyn Fn(&str)),
}

/// Calls an agent, and returns the message of a panic. The agent is used again: what a panic has left
/// half-done in it is its own.
fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        format!("panic: {}", text.unwrap_or_default())
    })
}

/// A bot that plays one game: at most one instance at a time.
pub(crate) trait Player {
    /// Starts a game; abandons one that is still in progress.
    fn start(
        &mut self,
        start: &Start<&RawValue>,
        options: &Options,
        on_failure: OnFailure<'_>,
    ) -> Result<(), PlayError>;

    /// Makes a decision, and appends its `log` lines and the `move` line.
    fn turn(
        &mut self,
        turn: &Turn<&RawValue>,
        began: Reading,
        on_failure: OnFailure<'_>,
        answer: &mut Vec<u8>,
    ) -> Result<(), PlayError>;
}

/// Creates an agent from the bot's options, or returns why it cannot.
type Maker<G> = Box<dyn Fn(&Options) -> Result<Box<dyn Agent<G>>, String>>;

pub(crate) struct TypedPlayer<G: Game> {
    make: Maker<G>,
    /// The JSON of the last game's rules, and the game under them: boards and distance tables are
    /// built once for all games under the same rules.
    game: Option<(Value, G)>,
    seated: Option<Seated<G>>,
    json: Json,
}

/// A game in progress.
struct Seated<G: Game> {
    agent: Box<dyn Agent<G>>,
    seats: Vec<Seat>,
    seed: u64,
}

/// Scratch memory for an answer.
#[derive(Default)]
struct Json {
    action: Vec<u8>,
    info: Vec<u8>,
}

impl<G: Game> TypedPlayer<G> {
    pub(crate) fn new(
        make: impl Fn(&Options) -> Result<Box<dyn Agent<G>>, String> + 'static,
    ) -> TypedPlayer<G> {
        TypedPlayer { make: Box::new(make), game: None, seated: None, json: Json::default() }
    }

    /// Ensures that `self.game` has these rules.
    fn set_up(&mut self, rules: &Value) -> Result<(), PlayError> {
        if self.game.as_ref().is_some_and(|(last, _)| last == rules) {
            return Ok(());
        }
        let error = |message| PlayError::Rules { game: G::NAME, message };
        let typed = serde_json::from_value(rules.clone()).map_err(|e| error(e.to_string()))?;
        let game = G::new(typed).map_err(|e| error(e.to_string()))?;
        self.game = Some((rules.clone(), game));
        Ok(())
    }
}

fn seat_named<G: Game>(game: &G, name: &str) -> Option<Seat> {
    game.seats().iter().position(|seat| seat == name).map(Seat::new)
}

impl<G: Game> Player for TypedPlayer<G> {
    fn start(
        &mut self,
        start: &Start<&RawValue>,
        options: &Options,
        on_failure: OnFailure<'_>,
    ) -> Result<(), PlayError> {
        self.seated = None;
        self.set_up(&start.rules)?;
        let (_, game) = self.game.as_ref().expect("set_up leaves a game or an error");
        let mut seats = Vec::new();
        for name in &start.you {
            seats.push(seat_named(game, name).ok_or_else(|| PlayError::UnknownSeat {
                game: G::NAME,
                seats: game.seats().to_vec(),
                got: name.clone(),
            })?);
        }
        let mut agent = (self.make)(options).map_err(PlayError::Options)?;
        match on_failure {
            OnFailure::Exit => agent.new_game(game, &seats),
            OnFailure::Continue(report) => {
                let prepared = caught(|| agent.new_game(game, &seats));
                prepared.unwrap_or_else(|panic| report(&format!("new_game() failed: {panic}")));
            }
        }
        self.seated = Some(Seated { agent, seats, seed: seed_of(start, options) });
        Ok(())
    }

    fn turn(
        &mut self,
        turn: &Turn<&RawValue>,
        began: Reading,
        on_failure: OnFailure<'_>,
        answer: &mut Vec<u8>,
    ) -> Result<(), PlayError> {
        let stranger = || PlayError::NotMySeat { turn: turn.turn, seat: turn.seat.clone() };
        let (Some((_, game)), Some(seated)) = (&self.game, &mut self.seated) else {
            return Err(stranger());
        };
        let seat = seat_named(game, &turn.seat)
            .filter(|seat| seated.seats.contains(seat))
            .ok_or_else(stranger)?;
        let budget = TimeBudget::new(turn.clock, began);
        let decision = Decision::from_json(game, turn.turn, seat, turn.view, turn.legal, budget);
        let mut rng = rng_of(seated.seed, turn.turn);
        let agent = &mut seated.agent;
        let chosen = chosen(
            turn.turn,
            on_failure,
            &mut rng,
            |rng| agent.choose(game, &decision, rng),
            |rng| Ok(choose(rng, decision.legal()?).copied()),
        );
        self.json.write(turn.turn, decision.logged(), chosen, answer)
    }
}

/// Creates an agent of games of which only the messages are known, or returns why it cannot.
type JsonMaker = Box<dyn Fn(&Options) -> Result<Box<dyn JsonAgent>, String>>;

/// A player of games of which only the messages are known.
pub(crate) struct JsonPlayer {
    make: JsonMaker,
    seated: Option<JsonSeated>,
    json: Json,
}

/// A game in progress.
struct JsonSeated {
    agent: Box<dyn JsonAgent>,
    seats: Vec<String>,
    seed: u64,
}

impl JsonPlayer {
    pub(crate) fn new(
        make: impl Fn(&Options) -> Result<Box<dyn JsonAgent>, String> + 'static,
    ) -> JsonPlayer {
        JsonPlayer { make: Box::new(make), seated: None, json: Json::default() }
    }
}

impl Player for JsonPlayer {
    fn start(
        &mut self,
        start: &Start<&RawValue>,
        options: &Options,
        on_failure: OnFailure<'_>,
    ) -> Result<(), PlayError> {
        self.seated = None;
        let mut agent = (self.make)(options).map_err(PlayError::Options)?;
        match on_failure {
            OnFailure::Exit => agent.new_game(start).map_err(PlayError::Options)?,
            OnFailure::Continue(report) => {
                let prepared = caught(|| agent.new_game(start)).and_then(|prepared| prepared);
                prepared.unwrap_or_else(|reason| report(&format!("new_game() failed: {reason}")));
            }
        }
        let seats = start.you.clone();
        self.seated = Some(JsonSeated { agent, seats, seed: seed_of(start, options) });
        Ok(())
    }

    fn turn(
        &mut self,
        turn: &Turn<&RawValue>,
        began: Reading,
        on_failure: OnFailure<'_>,
        answer: &mut Vec<u8>,
    ) -> Result<(), PlayError> {
        let seated = self.seated.as_mut().filter(|seated| seated.seats.contains(&turn.seat));
        let Some(JsonSeated { agent, seed, .. }) = seated else {
            return Err(PlayError::NotMySeat { turn: turn.turn, seat: turn.seat.clone() });
        };
        let decision = JsonDecision::new(turn, TimeBudget::new(turn.clock, began));
        let mut rng = rng_of(*seed, turn.turn);
        let chosen = chosen(
            turn.turn,
            on_failure,
            &mut rng,
            |rng| agent.choose(&decision, rng),
            |rng| Ok(choose(rng, &decision.legal()?).map(|action| (*action).to_owned())),
        );
        self.json.write(turn.turn, decision.logged(), chosen, answer)
    }
}

/// Returns the seed of a bot's random numbers in a game.
fn seed_of(start: &Start<&RawValue>, options: &Options) -> u64 {
    let seed = u64::try_from(options.int(SEED)).expect("the option's least value is 0");
    let purpose = format!("bot in {} at {}", start.game_id, start.you.join(", "));
    Stream::new(seed, &purpose).next_seed()
}

/// Returns the generator of a decision.
fn rng_of(seed: u64, turn: u32) -> AgentRng {
    AgentRng::seed_from_u64(seed.wrapping_add(u64::from(turn)))
}

/// Lets an agent choose, or, if it fails and the game is to continue, plays an action of `any`.
fn chosen<A>(
    turn: u32,
    on_failure: OnFailure<'_>,
    rng: &mut AgentRng,
    choose: impl FnOnce(&mut AgentRng) -> Result<Choice<A>, TurnError>,
    any: impl FnOnce(&mut AgentRng) -> Result<Option<A>, TurnError>,
) -> Result<Choice<A>, TurnError> {
    let OnFailure::Continue(report) = on_failure else { return choose(rng) };
    let failure = match caught(|| choose(rng)) {
        Ok(Ok(choice)) => return Ok(choice),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => format!("turn {turn}: {panic}"),
    };
    report(&format!("choose() failed; playing a legal action: {failure}"));
    any(rng)?.map(Choice::from).ok_or(TurnError::NothingLegal { turn })
}

impl Json {
    /// Appends the lines for the log, and the move, if one was chosen.
    fn write<A: serde::Serialize>(
        &mut self,
        turn: u32,
        logged: Vec<String>,
        chosen: Result<Choice<A>, TurnError>,
        answer: &mut Vec<u8>,
    ) -> Result<(), PlayError> {
        for text in logged {
            write_line(answer, &BotMessage::Log { text });
        }
        let choice = chosen?;
        rewrite(&mut self.action, &choice.action);
        let info = choice.info.map(|info| {
            rewrite(&mut self.info, &info);
            self.info.as_slice()
        });
        write_move_line(answer, turn, &self.action, info);
        Ok(())
    }
}

fn rewrite<T: serde::Serialize>(into: &mut Vec<u8>, value: &T) {
    into.clear();
    serde_json::to_writer(into, value).expect("actions and infos are plain data");
}
