//! A [`Game`] that answers the requests of the rules protocol.

use crate::messages::{
    CHANCE, GivenPreset, GivenSeats, Hello, MOST_LEGAL, MOST_PLAYOUTS, OVER, RULES_PROTOCOL,
    Request, ability,
};
use crate::playout::play_out;
use crate::transport::Transport;
use botyard_engine::registry::{self, GameInfo};
use botyard_engine::{
    Game, Information, RulesError, Seat, Seed, Seen, Stream, Turn, json_values, json_words, rules,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::ControlFlow;
use std::time::Duration;

/// The abilities of every served game.
const ABILITIES: [&str; 6] = [
    ability::CHECK,
    ability::FORFEIT,
    ability::TEXT,
    ability::LOAD,
    ability::DETERMINIZE,
    ability::PLAYOUT,
];

/// A game that answers the requests of the rules protocol, one line each. It does no input and output:
/// [`serve`](crate::serve) does it on the standard streams.
pub struct Served<G: Game> {
    version: &'static str,
    picture: Option<Picture<G>>,
    game: Option<G>,
    state: Option<G::State>,
    /// Whether a seat has forfeited in this game. Only then is its `pass` asked for.
    has_forfeit: bool,
    /// A buffer.
    actions: Vec<G::Action>,
}

/// Draws the state of a game as an SVG document: as far as a seat may see it, or all of it.
pub type Picture<G> = fn(&G, &<G as Game>::State, Option<Seat>) -> String;

/// Why a request is refused.
struct Refusal {
    rule: Option<String>,
    message: String,
}

impl<G: Game> Served<G> {
    /// Makes a game that was not asked yet. `version` is that of the program.
    pub fn new(version: &'static str) -> Served<G> {
        Served {
            version,
            picture: None,
            game: None,
            state: None,
            has_forfeit: false,
            actions: Vec::new(),
        }
    }

    /// Makes a game with drawings that was not asked yet.
    pub fn with_picture(version: &'static str, picture: Picture<G>) -> Served<G> {
        Served { picture: Some(picture), ..Served::new(version) }
    }

    /// Appends the answer to a request, a line without its newline, to `into`. Breaks at `quit`, which
    /// has no answer.
    pub fn answer(&mut self, request: &[u8], into: &mut Vec<u8>) -> ControlFlow<()> {
        let begun = into.len();
        let answered = match serde_json::from_slice(request) {
            Ok(Request { kind, .. }) if kind == "quit" => return ControlFlow::Break(()),
            Ok(request) => self.write_answer(&request, into),
            Err(error) => {
                let text = String::from_utf8_lossy(request);
                let expected = json_words::expected("a request", &error, &text, "the line's end");
                Err(expected.into())
            }
        };
        if let Err(Refusal { rule, message }) = answered {
            into.truncate(begun);
            begin(into, "refused");
            if let Some(rule) = rule {
                field(into, "rule", &rule);
            }
            field(into, "message", &message);
            into.push(b'}');
        }
        ControlFlow::Continue(())
    }

    fn write_answer(&mut self, request: &Request<'_>, into: &mut Vec<u8>) -> Result<(), Refusal> {
        match &*request.kind {
            "hello" => {
                let mut hello = hello::<G>(self.version);
                hello.abilities.extend(self.picture.map(|_| ability::DRAW.into()));
                write(into, &hello);
            }
            "new" => self.choose_rules(request, into)?,
            "open" => self.open(request, into)?,
            "play" => self.play(request, into)?,
            "chance" => self.apply_chance(request, into)?,
            "forfeit" => {
                let seat = self.seat(request)?;
                let (game, state) = playing(&self.game, &mut self.state)?;
                game.forfeit(state, seat);
                self.has_forfeit = true;
                begin(into, "position");
                self.write_position(into)?;
            }
            "load" => {
                self.game()?;
                self.state = Some(read::<G, _>(request.state, "a state")?);
                begin(into, "position");
                self.write_position(into)?;
            }
            "check" => self.check(request, into)?,
            "view" => {
                let seat = self.seat(request)?;
                let (game, state) = playing(&self.game, &mut self.state)?;
                one_field(into, "view", &game.view(state, seat));
            }
            "state" => one_field(into, "state", playing(&self.game, &mut self.state)?.1),
            "text" => {
                let (game, state) = playing(&self.game, &mut self.state)?;
                one_field(into, "text", &game.text(state));
            }
            "draw" if self.picture.is_some() => {
                let seat = request.seat.is_some().then(|| self.seat(request)).transpose()?;
                let (game, state) = playing(&self.game, &mut self.state)?;
                let svg = self.picture.map(|picture| picture(game, state, seat));
                begin(into, "picture");
                field(into, "svg", &svg);
                into.push(b'}');
            }
            "determinize" => {
                let seat = self.seat(request)?;
                let view = read::<G, _>(request.view, "a view")?;
                let mut stream = stream(request)?;
                let state = self.game()?.determinize(&view, seat, stream.rng());
                one_field(into, "state", &state.map_err(|illegal| illegal.0)?);
            }
            "playout" => self.play_out(request, into)?,
            _ => into.extend_from_slice(b"{\"type\":\"unknown\"}"),
        }
        Ok(())
    }

    fn choose_rules(&mut self, request: &Request<'_>, into: &mut Vec<u8>) -> Result<(), Refusal> {
        let game = G::new(resolved::<G>(request.rules)?)?;
        begin(into, "rules");
        field(into, "rules", game.rules());
        field(into, "seats", game.seats());
        field(into, "scores", &game.scores());
        into.push(b'}');
        self.game = Some(game);
        self.state = None;
        Ok(())
    }

    fn open(&mut self, request: &Request<'_>, into: &mut Vec<u8>) -> Result<(), Refusal> {
        let game = self.game()?;
        let opening = match request.opening {
            Some(_) => read::<G, _>(request.opening, "an opening")?,
            None => game.draw_opening(stream(request)?.rng()),
        };
        let state = game.start(&opening).map_err(|illegal| illegal.0)?;
        begin(into, "position");
        field(into, "opening", &opening);
        write_setups(into, game, &state);
        write_seen::<G, _>(into, game, |seat| G::Information::seen_opening(game, &opening, seat));
        self.state = Some(state);
        self.has_forfeit = false;
        self.write_position(into)
    }

    fn play(&mut self, request: &Request<'_>, into: &mut Vec<u8>) -> Result<(), Refusal> {
        let action = self.legal_action(request)?;
        let (game, state) = playing(&self.game, &mut self.state)?;
        begin(into, "position");
        field_unless_same(into, "action", &action, request.action);
        write_seen::<G, _>(into, game, |seat| {
            G::Information::seen_action(game, state, action, seat)
        });
        game.apply(state, action);
        self.write_position(into)
    }

    fn check(&mut self, request: &Request<'_>, into: &mut Vec<u8>) -> Result<(), Refusal> {
        let action = self.legal_action(request)?;
        begin(into, "legal");
        field_unless_same(into, "action", &action, request.action);
        into.push(b'}');
        Ok(())
    }

    fn apply_chance(&mut self, request: &Request<'_>, into: &mut Vec<u8>) -> Result<(), Refusal> {
        let (game, state) = playing(&self.game, &mut self.state)?;
        let chance = match request.chance {
            Some(_) => {
                let chance = read::<G, _>(request.chance, "a chance outcome")?;
                game.check_chance(state, &chance).map_err(|illegal| illegal.0)?;
                chance
            }
            None if game.turn(state) == Turn::Chance => game.draw(state, stream(request)?.rng()),
            None => return Err("nothing is drawn now".to_string().into()),
        };
        begin(into, "position");
        field(into, "chance", &chance);
        write_seen::<G, _>(into, game, |seat| {
            G::Information::seen_chance(game, state, &chance, seat)
        });
        game.apply_chance(state, &chance);
        self.write_position(into)
    }

    /// Plays random games to their end, from the state of the request or of the game in progress, which
    /// stays as it is.
    fn play_out(&mut self, request: &Request<'_>, into: &mut Vec<u8>) -> Result<(), Refusal> {
        let count = request.count.unwrap_or(1);
        if !(1..=MOST_PLAYOUTS).contains(&count) {
            return Err(format!("expected 1 to {MOST_PLAYOUTS} playouts, got {count}").into());
        }
        let given = request.state.map(|_| read::<G, G::State>(request.state, "a state"));
        let given = given.transpose()?;
        let game = self.game.as_ref().ok_or_else(|| "expected \"new\" first".to_string())?;
        let begin_with = given.as_ref().or(self.state.as_ref());
        let begin_with = begin_with.ok_or_else(|| "expected \"open\" first".to_string())?;
        let mut stream = stream(request)?;
        let mut state = begin_with.clone();
        let playouts: Vec<_> = (0..count)
            .map(|_| {
                state.clone_from(begin_with);
                let outcome = play_out(game, &mut state, &mut self.actions, stream.rng());
                outcome.map(|outcome| outcome.scores)
            })
            .collect();
        one_field(into, "playouts", &playouts);
        Ok(())
    }

    /// Reads the action of a request, and checks that it is legal now for the seat.
    fn legal_action(&mut self, request: &Request<'_>) -> Result<G::Action, Refusal> {
        let seat = self.seat(request)?;
        let (game, state) = playing(&self.game, &mut self.state)?;
        if game.turn(state) != Turn::Seat(seat) {
            return Err(format!("it is not the turn of {}", game.seats()[seat.index()]).into());
        }
        let action =
            request.action.ok_or_else(|| "expected an action in the request".to_string())?;
        let action = json_values::read_action::<G>(action.get()).map_err(|why| why.to_string())?;
        game.check(state, action).map_err(|illegal| illegal.0)?;
        Ok(action)
    }

    /// Ends a position with whose turn it is and what follows from that.
    fn write_position(&mut self, into: &mut Vec<u8>) -> Result<(), Refusal> {
        let (game, state) = playing(&self.game, &mut self.state)?;
        match game.turn(state) {
            Turn::Chance => field(into, "to_move", CHANCE),
            Turn::Over => {
                field(into, "to_move", OVER);
                field(into, "outcome", &game.outcome(state));
            }
            Turn::Seat(seat) => {
                field(into, "to_move", &game.seats()[seat.index()]);
                game.actions(state, &mut self.actions);
                if self.actions.len() <= MOST_LEGAL {
                    field(into, "legal", &self.actions);
                }
                if self.has_forfeit {
                    field(into, "pass", &game.pass(state));
                }
                field(into, "view", &game.view(state, seat));
            }
        }
        into.push(b'}');
        Ok(())
    }

    fn game(&self) -> Result<&G, Refusal> {
        self.game.as_ref().ok_or_else(|| "expected \"new\" first".to_string().into())
    }

    /// Returns the seat that a request names.
    fn seat(&self, request: &Request<'_>) -> Result<Seat, Refusal> {
        let seats = self.game()?.seats();
        let named = request.seat.as_deref().unwrap_or_default();
        let place = seats.iter().position(|seat| seat == named);
        place.map(Seat::new).ok_or_else(|| {
            format!("expected one of the seats {} as \"seat\", got {named:?}", seats.join(", "))
                .into()
        })
    }
}

impl<G: Game> Transport for Served<G> {
    fn exchange(
        &mut self,
        request: &[u8],
        answer: &mut Vec<u8>,
        _limit: Duration,
    ) -> Result<(), String> {
        answer.clear();
        match self.answer(request, answer) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err("expected an answer, got none to \"quit\"".into()),
        }
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal { rule: None, message }
    }
}

impl From<RulesError> for Refusal {
    fn from(error: RulesError) -> Refusal {
        match error {
            RulesError::BadValue { rule, message } => Refusal { rule: Some(rule), message },
            RulesError::UnknownRule { ref name, .. } => {
                Refusal { rule: Some(name.clone()), message: error.to_string() }
            }
            _ => error.to_string().into(),
        }
    }
}

/// Returns the game and the state of the game in progress.
fn playing<'a, G: Game>(
    game: &'a Option<G>,
    state: &'a mut Option<G::State>,
) -> Result<(&'a G, &'a mut G::State), Refusal> {
    let playing = game.as_ref().zip(state.as_mut());
    playing.ok_or_else(|| "expected \"open\" first".to_string().into())
}

/// Returns the description of a game.
fn hello<G: Game>(version: &str) -> Hello {
    let info: GameInfo = registry::info_of::<G>();
    let presets = info.presets.iter().map(|(preset, rules)| GivenPreset {
        name: preset.name.into(),
        about: preset.about.into(),
        rules: rules.as_object().cloned().unwrap_or_default(),
    });
    let schemas = info.schemas.iter().map(|(part, schema)| (part.to_string(), schema.clone()));
    let mut schemas: serde_json::Map<String, Value> = schemas.collect();
    if !info.rules_schema.is_null() {
        schemas.insert("rules".into(), info.rules_schema);
    }
    Hello {
        kind: "hello".into(),
        rules_protocol: RULES_PROTOCOL,
        name: G::NAME.into(),
        seats: GivenSeats::Range(*G::SEATS.start(), *G::SEATS.end()),
        seats_rule: G::SEATS_RULE.map(Into::into),
        seats_alike: G::SEATS_ALIKE,
        version: Some(version.into()),
        hidden: info.hidden,
        chance: info.chance,
        simultaneous: G::SIMULTANEOUS,
        scores: info.scores,
        scoring: Some(G::SCORING.into()),
        presets: presets.collect(),
        schemas,
        abilities: ABILITIES.map(Into::into).into(),
    }
}

/// Reads rules. A rule that is not there has the value of the default rules, and an error names the
/// rule.
fn resolved<G: Game>(given: Option<&RawValue>) -> Result<G::Rules, Refusal> {
    let given = given.map_or("{}", RawValue::get);
    if let Ok(rules) = serde_json::from_str(given) {
        return Ok(rules);
    }
    let object: serde_json::Map<String, Value> = serde_json::from_str(given)
        .map_err(|error| format!("the rules: {}", json_words::explained(&error)))?;
    let changes: Vec<_> =
        object.into_iter().map(|(rule, value)| (rule, value.to_string())).collect();
    Ok(rules::resolve::<G>(None, &changes)?)
}

/// Reads a value of the game from a request.
fn read<G: Game, T: DeserializeOwned>(
    given: Option<&RawValue>,
    expected: &'static str,
) -> Result<T, Refusal> {
    let given = given.ok_or_else(|| format!("expected {expected} in the request"))?;
    Ok(json_values::read::<G, T>(given.get(), expected).map_err(|error| error.to_string())?)
}

/// Returns the stream of random numbers that a request's bits are the key of.
fn stream(request: &Request<'_>) -> Result<Stream, Refusal> {
    let digits = request.random.as_deref().unwrap_or_default();
    let seed: Result<Seed, _> = format!("key:{digits}").parse();
    let seed = seed.map_err(|_| {
        format!("expected 64 lower-case hexadecimal digits as \"random\", got {digits:?}")
    })?;
    Ok(seed.stream("rules"))
}

/// Writes the set-up, by seat where seats know something else than the first.
fn write_setups<G: Game>(into: &mut Vec<u8>, game: &G, start: &G::State) {
    let setups = Seat::all(game.seats().len()).map(|seat| {
        let mut setup = Vec::new();
        write(&mut setup, &game.setup(start, seat));
        setup
    });
    let setups: Vec<Vec<u8>> = setups.collect();
    let Some((first, others)) = setups.split_first() else { return };
    into.extend_from_slice(b",\"setup\":");
    into.extend_from_slice(first);
    let mut object = Object::new("setups");
    for (setup, name) in others.iter().zip(&game.seats()[1..]) {
        if setup != first {
            object.key(into, name);
            into.extend_from_slice(setup);
        }
    }
    object.end(into);
}

/// Writes the redacted copies of an event.
fn write_seen<G: Game, T: Serialize>(into: &mut Vec<u8>, game: &G, seen: impl Fn(Seat) -> Seen<T>) {
    if !G::Information::HIDDEN {
        return;
    }
    let mut object = Object::new("seen");
    for (place, name) in game.seats().iter().enumerate() {
        if let Seen::Redacted(copy) = seen(Seat::new(place)) {
            object.key(into, name);
            write(into, &copy);
        }
    }
    object.end(into);
}

/// A field with an object by seat, which is not written if the object is empty.
struct Object {
    name: &'static str,
    is_begun: bool,
}

impl Object {
    fn new(name: &'static str) -> Object {
        Object { name, is_begun: false }
    }

    fn key(&mut self, into: &mut Vec<u8>, key: &str) {
        if self.is_begun {
            into.push(b',');
        } else {
            key_of(into, self.name);
            into.push(b'{');
            self.is_begun = true;
        }
        write(into, key);
        into.push(b':');
    }

    fn end(self, into: &mut Vec<u8>) {
        if self.is_begun {
            into.push(b'}');
        }
    }
}

/// Begins an answer of this type.
fn begin(into: &mut Vec<u8>, kind: &str) {
    into.extend_from_slice(b"{\"type\":\"");
    into.extend_from_slice(kind.as_bytes());
    into.push(b'"');
}

/// Writes an answer whose only field has the name of its type.
fn one_field<T: Serialize + ?Sized>(into: &mut Vec<u8>, name: &'static str, value: &T) {
    begin(into, name);
    field(into, name, value);
    into.push(b'}');
}

fn key_of(into: &mut Vec<u8>, name: &'static str) {
    into.extend_from_slice(b",\"");
    into.extend_from_slice(name.as_bytes());
    into.extend_from_slice(b"\":");
}

fn field<T: Serialize + ?Sized>(into: &mut Vec<u8>, name: &'static str, value: &T) {
    key_of(into, name);
    write(into, value);
}

/// Writes a field unless the value is written as it was given.
fn field_unless_same<T: Serialize>(
    into: &mut Vec<u8>,
    name: &'static str,
    value: &T,
    given: Option<&RawValue>,
) {
    let before = into.len();
    key_of(into, name);
    let start = into.len();
    write(into, value);
    if given.is_some_and(|given| given.get().as_bytes() == &into[start..]) {
        into.truncate(before);
    }
}

fn write<T: Serialize + ?Sized>(into: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(into, value).expect("a game's types are plain data with string keys");
}
