//! The game of a rules program: its description, its rules, and tables for it.

use crate::dialogue::Dialogue;
use crate::messages::{Answer, CHANCE, GivenPreset, GivenSeats, Hello, OVER, Request, RulesLimits};
use crate::messages::{STANDARD, ability};
use crate::position::Frame;
use crate::program_table::ProgramTable;
use crate::transport::Transport;
use botyard_engine::registry::{self, GameInfo, LoadedGame, SetupError, TableMaker};
use botyard_engine::{MAX_SEATS, Preset, RulesError, Scores, TableFault};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Starts the program of a game. The error says in words why it does not start.
pub type StartProgram = Arc<dyn Fn() -> Result<Box<dyn Transport>, String> + Send + Sync>;

/// The longest name of a seat, in characters.
const LONGEST_SEAT: usize = 40;

/// The most programs of all games that a thread keeps for its next game.
const MOST_IDLE: usize = 4;

/// The next [`Shared::id`].
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The programs that this thread keeps for its next game, the last used one last. A contained
    /// program ends with the thread that started it, so no other thread may have it.
    static IDLE: RefCell<Vec<(u64, Running)>> = const { RefCell::new(Vec::new()) };
}

/// How points are awarded where the program does not say it.
const SCORING: &str = "points as the game awards them; more points are a better place.";

/// Why the program in a bundle is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The program fails, or does not follow the protocol.
    #[error(transparent)]
    Program(#[from] TableFault),
    /// It follows the protocol, but its game cannot be played here.
    #[error("{0}")]
    Unplayable(String),
}

/// A game whose rules are a program.
#[derive(Clone)]
pub struct ProgramGame {
    shared: Arc<Shared>,
    info: GameInfo,
}

/// What all tables of a game share.
pub(crate) struct Shared {
    /// The name in the registry, with the digest.
    pub name: &'static str,
    /// The description.
    pub hello: Hello,
    start: StartProgram,
    limits: RulesLimits,
    presets: Vec<GivenPreset>,
    /// The key of this game's programs among those that a thread keeps.
    id: u64,
}

/// A running program between two games.
pub(crate) struct Running {
    /// The dialogue with it.
    pub dialogue: Dialogue,
    /// The rules that were chosen last, as it wrote them.
    pub rules: String,
}

/// A game under one set of rules.
pub(crate) struct Resolved {
    /// What all tables of the game share.
    pub shared: Arc<Shared>,
    /// The resolved rules, as the program wrote them.
    pub rules: String,
    /// The seats' names.
    pub seats: Vec<String>,
    /// The points that a seat can have.
    pub scores: Scores,
}

impl Resolved {
    /// Returns what positions of the game are checked against.
    pub(crate) fn frame(&self) -> Frame<'_> {
        let hello = &self.shared.hello;
        Frame {
            seats: &self.seats,
            scores: self.scores,
            chance: hello.chance,
            hidden: hello.hidden,
        }
    }
}

impl ProgramGame {
    /// Asks a program for its game, resolves every preset, and adds the game to the registry under
    /// `name` with this digest. `about` is the line about the game in its `game.toml`, `presets` are the
    /// additional sets of rules there. Returns the name in the registry.
    ///
    /// # Errors
    ///
    /// The program fails, or its game cannot be played here.
    pub fn load(
        (name, digest): (&str, &str),
        about: &str,
        presets: Vec<GivenPreset>,
        start: StartProgram,
        limits: RulesLimits,
    ) -> Result<&'static str, GameError> {
        let game = ProgramGame::new((name, digest), about, presets, start, limits)?;
        let name = game.shared.name;
        registry::load(name, Box::new(game));
        Ok(name)
    }

    /// Asks a program for its game without adding it to the registry: see [`ProgramGame::load`].
    ///
    /// # Errors
    ///
    /// As in [`ProgramGame::load`].
    pub fn new(
        (name, digest): (&str, &str),
        about: &str,
        presets: Vec<GivenPreset>,
        start: StartProgram,
        limits: RulesLimits,
    ) -> Result<ProgramGame, GameError> {
        let transport = start().map_err(TableFault)?;
        let (dialogue, hello) = Dialogue::begin(transport, limits)?;
        check_hello(&hello, name)?;
        let mut all = hello.presets.clone();
        all.extend(presets);
        if all.is_empty() {
            let about = String::from("the only rules");
            all.push(GivenPreset { name: STANDARD.into(), about, rules: Map::new() });
        }
        let shared = Arc::new(Shared {
            name: registry::name_with_digest(name, digest).leak(),
            hello,
            start,
            limits,
            presets: all,
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        });
        shared.take_back(Running { dialogue, rules: String::new() });
        let mut resolved = Vec::new();
        for preset in &shared.presets {
            let under = shared.resolve(&Value::Object(preset.rules.clone())).map_err(|error| {
                GameError::Unplayable(format!("its preset {}: {error}", preset.name))
            })?;
            resolved.push(under);
        }
        let info = info(name, about, &shared, &resolved);
        Ok(ProgramGame { shared, info })
    }

    /// Returns the description that the program gave.
    pub fn hello(&self) -> &Hello {
        &self.shared.hello
    }

    /// Returns the name in the registry, with the digest.
    pub fn name(&self) -> &'static str {
        self.shared.name
    }

    fn rules_of(
        &self,
        preset: Option<&str>,
        changes: &[(String, String)],
    ) -> Result<Value, RulesError> {
        let presets = &self.shared.presets;
        let found = match preset {
            None => presets.first(),
            Some(name) => presets.iter().find(|preset| preset.name == name),
        };
        let found = found.ok_or_else(|| RulesError::UnknownPreset {
            game: self.info.name.to_string(),
            name: preset.unwrap_or_default().to_string(),
            known: presets.iter().map(|preset| preset.name.clone()).collect(),
        })?;
        Ok(with_changes(found.rules.clone(), changes))
    }

    /// Checks that a rule is one of those that are known, or of those that the schema describes, which may
    /// be left out where they have their default.
    fn check_rule(&self, key: &str, mut known: Vec<String>) -> Result<(), RulesError> {
        let described = self.info.rules_schema.get("properties").and_then(Value::as_object);
        known.extend(described.into_iter().flat_map(Map::keys).cloned());
        if known.iter().any(|known| known == part_of(key)) {
            return Ok(());
        }
        known.sort_unstable();
        known.dedup();
        let game = self.info.name.to_string();
        Err(RulesError::UnknownRule { game, name: key.to_string(), known })
    }
}

/// Returns rules with changes as a user writes them: the path of a rule, with dots, and a value, which
/// is a text unless it is JSON.
pub fn with_changes(rules: Map<String, Value>, changes: &[(String, String)]) -> Value {
    let mut rules = Value::Object(rules);
    for (key, value) in changes {
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str()));
        let mut place = &mut rules;
        for part in key.split('.') {
            if !place.is_object() {
                *place = Value::Object(Map::new());
            }
            place = &mut place[part];
        }
        *place = value;
    }
    rules
}

impl LoadedGame for ProgramGame {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn tables(
        &self,
        preset: Option<&str>,
        changes: &[(String, String)],
    ) -> Result<TableMaker, SetupError> {
        let resolved = match self.shared.resolve(&self.rules_of(preset, changes)?) {
            Err(SetupError::Rules(RulesError::BadValue { rule, message })) => {
                let known = self.info.presets.iter().flat_map(|(_, rules)| rules.as_object());
                let known = known.flat_map(Map::keys).cloned().collect();
                self.check_rule(&rule, known)?;
                // The user may have changed a part of it.
                let part = changes.iter().map(|(key, _)| key).find(|key| part_of(key) == rule);
                let rule = part.unwrap_or(&rule).clone();
                return Err(RulesError::BadValue { rule, message }.into());
            }
            resolved => resolved?,
        };
        let rules: Map<String, Value> = serde_json::from_str(&resolved.rules).unwrap_or_default();
        for (key, _) in changes {
            self.check_rule(key, rules.keys().cloned().collect())?;
        }
        Ok(maker(resolved))
    }

    fn tables_with_rules(&self, rules: &Value) -> Result<TableMaker, SetupError> {
        Ok(maker(self.shared.resolve(rules)?))
    }
}

/// Returns the rule that a dotted key is a part of.
fn part_of(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

fn maker(resolved: Resolved) -> TableMaker {
    let resolved = Arc::new(resolved);
    Box::new(move || Box::new(ProgramTable::new(Arc::clone(&resolved))))
}

impl Shared {
    /// Returns a running program: one that waits, or a new one.
    pub(crate) fn take(&self) -> Result<Running, TableFault> {
        let waiting = IDLE.with_borrow_mut(|idle| {
            // One that was killed while it waited has failed at nothing that it was asked.
            idle.retain(|(_, running)| running.dialogue.is_running());
            let at = idle.iter().rposition(|(game, _)| *game == self.id)?;
            Some(idle.remove(at).1)
        });
        if let Some(running) = waiting {
            return Ok(running);
        }
        let transport = (self.start)().map_err(TableFault)?;
        let (dialogue, hello) = Dialogue::begin(transport, self.limits)?;
        if hello != self.hello {
            return Err(dialogue.unexpected("the same description as at its first start"));
        }
        Ok(Running { dialogue, rules: String::new() })
    }

    /// Keeps a running program for the next game.
    pub(crate) fn take_back(&self, running: Running) {
        // The thread may be ending.
        let _ = IDLE.try_with(|idle| {
            let mut idle = idle.borrow_mut();
            idle.push((self.id, running));
            if idle.len() > MOST_IDLE {
                idle.remove(0);
            }
        });
    }

    /// Resolves rules.
    fn resolve(self: &Arc<Self>, rules: &Value) -> Result<Resolved, SetupError> {
        let mut running = self.take()?;
        let text = rules.to_string();
        let raw: &RawValue = serde_json::from_str(&text).expect("it was just written");
        let answer = running.dialogue.ask(&Request { rules: Some(raw), ..Request::new("new") })?;
        if answer.kind == "refused" {
            let message = answer.message.as_deref().unwrap_or("refused without a reason");
            let error = match &answer.rule {
                Some(rule) => RulesError::bad_value(rule, message),
                None => RulesError::Refused(message.to_string()),
            };
            self.take_back(running);
            return Err(error.into());
        }
        let resolved = self.resolved(&answer);
        let (rules, seats, scores) = match resolved {
            Ok(resolved) => resolved,
            Err(expected) => return Err(running.dialogue.unexpected(&expected).into()),
        };
        running.rules.clone_from(&rules);
        self.take_back(running);
        Ok(Resolved { shared: Arc::clone(self), rules, seats, scores })
    }

    /// Reads the answer to `new`. The error says what was expected instead.
    pub(crate) fn resolved(
        &self,
        answer: &Answer<'_>,
    ) -> Result<(String, Vec<String>, Scores), String> {
        read_rules(&self.hello, answer)
    }
}

/// Reads an answer to `new`, of the program with this description: the resolved rules as it wrote
/// them, the seats' names and the points that a seat can have.
///
/// # Errors
///
/// What was expected instead, as the end of a sentence.
pub fn read_rules(
    hello: &Hello,
    answer: &Answer<'_>,
) -> Result<(String, Vec<String>, Scores), String> {
    if answer.kind != "rules" {
        return Err("\"rules\" or \"refused\"".into());
    }
    let rules = answer.rules.map(RawValue::get).filter(|rules| rules.starts_with('{'));
    let rules = rules.ok_or("an object with every rule as \"rules\"")?;
    let seats = match (&answer.seats, &hello.seats) {
        (Some(seats), _) => seats.clone(),
        (None, GivenSeats::Names(names)) => names.clone(),
        (None, GivenSeats::Range(..)) => {
            return Err("the names of the seats as \"seats\"".into());
        }
    };
    let (least, most) = hello.seats.range();
    if !(least..=most).contains(&seats.len()) {
        return Err(format!("{least} to {most} seats as in its \"hello\", not {}", seats.len()));
    }
    check_seats(&seats)?;
    let scores = answer.scores.unwrap_or(hello.scores);
    check_scores(scores)?;
    Ok((rules.to_string(), seats, scores))
}

/// Checks a description. `name` is the name in `game.toml`.
///
/// # Errors
///
/// What was expected instead, as [`GameError::Unplayable`].
pub fn check_hello(hello: &Hello, name: &str) -> Result<(), GameError> {
    let wrong = |message: String| Err(GameError::Unplayable(message));
    if hello.name != name {
        return wrong(format!(
            "expected the name {name} of game.toml in its \"hello\", got {:?}",
            hello.name
        ));
    }
    if !hello.seats.is_possible() {
        let (least, most) = hello.seats.range();
        return wrong(format!("expected 1 to {MAX_SEATS} seats, got {least} to {most}"));
    }
    if let GivenSeats::Names(names) = &hello.seats {
        check_seats(names)
            .map_err(|expected| GameError::Unplayable(format!("expected {expected}")))?;
    }
    check_scores(hello.scores)
        .map_err(|expected| GameError::Unplayable(format!("expected {expected}")))?;
    if hello.seats.range().1 > 2 && !hello.can(ability::FORFEIT) {
        return wrong(format!(
            "expected the ability {:?} in its \"hello\", as the game can have more than two seats: \
             what happens to the others when one bot fails?",
            ability::FORFEIT
        ));
    }
    let mut names: Vec<&str> = hello.presets.iter().map(|preset| preset.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return wrong(format!("two presets have the name {}", twice[0]));
    }
    Ok(())
}

fn check_seats(seats: &[String]) -> Result<(), String> {
    for (place, seat) in seats.iter().enumerate() {
        let is_name = !seat.is_empty()
            && seat.chars().count() <= LONGEST_SEAT
            && !seat.chars().any(char::is_control);
        if !is_name || seat == CHANCE || seat == OVER {
            return Err(format!(
                "names of seats with 1 to {LONGEST_SEAT} characters, other than {CHANCE} and {OVER}, not {seat:?}"
            ));
        }
        if seats[..place].contains(seat) {
            return Err(format!("different names of seats, not {seat:?} twice"));
        }
    }
    Ok(())
}

fn check_scores(scores: Scores) -> Result<(), String> {
    let Scores { least, most, sum } = scores;
    let are_finite = least.is_finite() && most.is_finite() && sum.is_none_or(f64::is_finite);
    match are_finite && least < most {
        true => Ok(()),
        false => Err(format!("\"least\" below \"most\" in \"scores\", not {least} and {most}")),
    }
}

/// The parts that have JSON Schemas.
const PARTS: [&str; 9] = [
    "rules",
    "opening",
    "setup",
    "view",
    "action",
    "chance",
    "seen-opening",
    "seen-action",
    "seen-chance",
];

/// Returns the description for the registry, whose texts stay in memory as the game does.
fn info(name: &str, about: &str, shared: &Shared, resolved: &[Resolved]) -> GameInfo {
    let hello = &shared.hello;
    let keep = |text: &str| -> &'static str { text.to_string().leak() };
    let presets = shared.presets.iter().zip(resolved).map(|(preset, under)| {
        let rules = serde_json::from_str(&under.rules).unwrap_or_default();
        (Preset { name: keep(&preset.name), about: keep(&preset.about) }, rules)
    });
    let (least, most) = hello.seats.range();
    let schema = |part: &&'static str| Some((*part, hello.schemas.get(*part)?.clone()));
    GameInfo {
        name: keep(name),
        about: keep(about),
        presets: presets.collect(),
        seats_rule: hello.seats_rule.as_deref().map(keep),
        seats_alike: hello.seats_alike,
        seats: least..=most,
        chance: hello.chance,
        hidden: hello.hidden,
        simultaneous: hello.simultaneous,
        scores: resolved.first().map_or(hello.scores, |under| under.scores),
        scoring: hello.scoring.as_deref().map_or(SCORING, keep),
        rules_schema: hello.schemas.get("rules").cloned().unwrap_or_default(),
        schemas: PARTS.iter().filter_map(schema).collect(),
    }
}
