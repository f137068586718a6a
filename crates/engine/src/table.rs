//! A game behind JSON, for a referee: whose turn it is, what each seat may see and which actions
//! are legal, for any game.

use crate::game::{Game, OpeningError, Preset, Turn};
use crate::information::{Information, Seen};
use crate::json;
use crate::json_values;
use crate::notation::Notation;
use crate::outcome::{Outcome, Scores};
use crate::random::Stream;
use crate::seat::Seat;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;

/// The reason why an action, an opening or a chance outcome was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The JSON does not have the game's form.
    #[error("not {expected} of {game}: {message}")]
    Malformed {
        /// The game's name.
        game: &'static str,
        /// What it should have been: `an action`, `an opening`, `a chance outcome`.
        expected: &'static str,
        /// The reason, in terms of the JSON.
        message: String,
    },
    /// The JSON is well formed, but the rules do not allow it now.
    #[error("{0}")]
    Illegal(String),
}

/// Why a game cannot continue: the program that has its rules failed, or does not follow the rules
/// protocol. It is never a bot's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TableFault(pub String);

/// An event of a game as JSON: in full, and redacted for the seats that may not know everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameEvent {
    /// The action, opening or chance outcome in the game's own, canonical JSON.
    pub full: String,
    /// For each seat from which something is hidden, the redacted copy.
    pub seen: Vec<(Seat, Value)>,
}

/// A game in progress, of any kind: JSON in, JSON out.
///
/// Begin with [`Table::open`] or [`Table::open_with`]; then follow [`Table::turn`]. Methods that
/// need a game in progress panic before that.
pub trait Table: Send {
    /// Returns the name of the game in the registry.
    fn game(&self) -> &'static str;

    /// Returns why the game cannot continue, if its rules have failed since it was opened. Then
    /// nothing else that this table says means anything. The default is for rules that are compiled
    /// in, which do not fail.
    fn fault(&self) -> Option<TableFault> {
        None
    }

    /// Returns how long the rules have computed in this game. `None`, the default, for rules that are
    /// compiled in.
    fn rules_time(&self) -> Option<Duration> {
        None
    }

    /// Returns whether the legal actions of the seat whose turn it is are listed. Where there are too
    /// many to list, [`Table::write_legal`] writes an empty list.
    fn lists_actions(&self) -> bool {
        true
    }

    /// Returns the resolved rules.
    fn rules(&self) -> Value;

    /// Returns the names of the seats, in seat order.
    fn seats(&self) -> &[String];

    /// Returns whether knowledge of one game helps in another that begins alike: see
    /// [`Game::has_secrets`].
    fn has_secrets(&self) -> bool {
        true
    }

    /// Returns the points that a seat can have: see [`Game::scores`].
    fn scores(&self) -> Scores {
        Scores::ONE_POINT
    }

    /// Draws the opening and sets up the first state.
    fn open(&mut self, stream: &mut Stream) -> GameEvent;

    /// Sets up the first state from a given opening.
    ///
    /// # Errors
    ///
    /// JSON that is not an opening of this game.
    fn open_with(&mut self, opening: &str) -> Result<GameEvent, ActionError>;

    /// Returns the named sets of openings: see [`Notation::OPENING_SETS`].
    fn opening_sets(&self) -> &'static [Preset] {
        &[]
    }

    /// Returns the openings of a named set, as JSON; `None` for any other name.
    fn opening_set(&self, _name: &str) -> Option<Vec<String>> {
        None
    }

    /// Reads openings in the game's own notation, into JSON: see [`Notation::read_openings`].
    fn read_openings(&self, _text: &str) -> Option<Result<Vec<String>, OpeningError>> {
        None
    }

    /// Returns the class of a start, right after it was opened: see [`Game::start_class`].
    fn start_class(&self) -> Option<u8> {
        None
    }

    /// Returns the constant data of this game, as far as `seat` may know it, as JSON: see
    /// [`Game::setup`].
    fn setup(&self, seat: Seat) -> String;

    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// Appends what `seat` may know of the state, as JSON.
    fn write_view(&self, seat: Seat, into: &mut Vec<u8>);

    /// Appends the legal actions of the seat whose turn it is, as a JSON array.
    fn write_legal(&mut self, into: &mut Vec<u8>);

    /// The same list as values, which is slower.
    fn legal(&mut self) -> Vec<Value>;

    /// Returns an action of the seat whose turn it is in the game's own, canonical JSON, without
    /// playing it. The default accepts what equals one of [`Table::legal`] as JSON, and returns it
    /// as it is.
    ///
    /// # Errors
    ///
    /// As in [`Table::play`].
    fn canonical_action(&mut self, action: &str) -> Result<String, ActionError> {
        let legal = self.legal();
        match serde_json::from_str::<Value>(action) {
            Ok(value) if legal.contains(&value) => Ok(action.to_string()),
            _ => Err(ActionError::Illegal(format!(
                "{action} is not one of the {} legal actions",
                legal.len()
            ))),
        }
    }

    /// Plays an action of the seat whose turn it is, and writes the event to `game_event`, whose
    /// memory is reused. A refused action changes nothing.
    ///
    /// # Errors
    ///
    /// JSON that is not an action, and actions that are not legal now.
    fn play(&mut self, action: &str, game_event: &mut GameEvent) -> Result<(), ActionError>;

    /// Draws the outcome of a chance turn and applies it.
    fn draw(&mut self, stream: &mut Stream, game_event: &mut GameEvent);

    /// Applies a recorded outcome of a chance turn.
    ///
    /// # Errors
    ///
    /// JSON that is not a chance outcome, and outcomes that cannot be drawn now.
    fn play_chance(&mut self, chance: &str, game_event: &mut GameEvent) -> Result<(), ActionError>;

    /// Forfeits a seat whose bot has failed permanently: see [`Game::forfeit`].
    fn forfeit(&mut self, seat: Seat);

    /// Returns the action that is played for a forfeited seat on its turn.
    fn pass(&self) -> String;

    /// Returns the outcome of the game; `None` while it is in progress.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns a hash of the whole state, as 16 hexadecimal digits.
    fn state_hash(&self) -> String;

    /// Returns the whole state as JSON, with all hidden information.
    fn state(&self) -> Value;

    /// Returns the state as plain text, with all hidden information.
    fn text(&self) -> String;

    /// Returns the position in the game's own notation: see [`Notation::position`].
    fn position(&self) -> Option<String> {
        None
    }

    /// Returns the state as an SVG document of the game's own, as far as `seat` may see it, or with
    /// all hidden information; `None` if the game draws none.
    ///
    /// The document comes from the author of the game: clean it before showing it.
    fn picture(&self, _seat: Option<Seat>) -> Option<String> {
        None
    }

    /// Returns the action, as JSON, that a person means by this text; the reason if it is none;
    /// `None` if the game reads no text.
    fn read_action(&self, _text: &str) -> Option<Result<String, String>> {
        None
    }

    /// Formats an action before it is played; returns the JSON itself if it is not an action.
    fn action_text(&self, action: &str) -> String;

    /// Formats an action of the seat whose turn it is, before it is played, from nothing but what
    /// that seat knows: see [`Game::own_action_text`]. The default is the JSON itself.
    fn own_action_text(&self, action: &str) -> String {
        action.to_string()
    }

    /// Formats a chance outcome before it is applied; returns the JSON itself if it is not one.
    fn chance_text(&self, chance: &str) -> String;
}

/// A [`Table`] for a [`Game`].
pub struct TypedTable<G: Game> {
    game: Arc<G>,
    state: Option<G::State>,
    actions: Vec<G::Action>,
}

impl<G: Game> TypedTable<G> {
    /// Makes a table without a game in progress. Many tables may share one `game`.
    pub fn new(game: Arc<G>) -> TypedTable<G> {
        TypedTable { game, state: None, actions: Vec::new() }
    }

    /// Returns the state of the game in progress.
    ///
    /// # Panics
    ///
    /// Before the game was opened.
    pub fn typed_state(&self) -> &G::State {
        self.state.as_ref().expect("open() or open_with() comes before everything else")
    }

    fn typed_state_mut(&mut self) -> &mut G::State {
        self.state.as_mut().expect("open() or open_with() comes before everything else")
    }

    fn begin(&mut self, opening: &G::Opening) -> Result<GameEvent, ActionError> {
        let state = self.game.start(opening).map_err(|illegal| ActionError::Illegal(illegal.0))?;
        self.state = Some(state);
        let mut game_event = GameEvent::default();
        rewrite(&mut game_event.full, opening);
        let game = &self.game;
        fill_seen::<G, _>(&mut game_event, game, |seat| {
            G::Information::seen_opening(game, opening, seat)
        });
        Ok(game_event)
    }

    /// Reads an action, and checks that it is legal now.
    fn legal_action(&self, action: &str) -> Result<G::Action, ActionError> {
        let action = json_values::read_action::<G>(action)?;
        let checked = self.game.check(self.typed_state(), action);
        checked.map_err(|illegal| ActionError::Illegal(illegal.0))?;
        Ok(action)
    }

    fn go_on(&mut self, chance: &G::Chance, game_event: &mut GameEvent) {
        rewrite(&mut game_event.full, chance);
        let game = Arc::clone(&self.game);
        let state = self.typed_state_mut();
        fill_seen::<G, _>(game_event, &game, |seat| {
            G::Information::seen_chance(&game, state, chance, seat)
        });
        game.apply_chance(state, chance);
    }
}

impl<G: Game> Table for TypedTable<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> Value {
        json::value(self.game.rules())
    }

    fn seats(&self) -> &[String] {
        self.game.seats()
    }

    fn has_secrets(&self) -> bool {
        self.game.has_secrets()
    }

    fn scores(&self) -> Scores {
        self.game.scores()
    }

    fn open(&mut self, stream: &mut Stream) -> GameEvent {
        let opening = self.game.draw_opening(stream.rng());
        self.begin(&opening).expect("a drawn opening can be played")
    }

    fn open_with(&mut self, opening: &str) -> Result<GameEvent, ActionError> {
        let opening: G::Opening = json_values::read::<G, _>(opening, "an opening")?;
        self.begin(&opening)
    }

    fn opening_sets(&self) -> &'static [Preset] {
        G::Notation::OPENING_SETS
    }

    fn opening_set(&self, name: &str) -> Option<Vec<String>> {
        Some(G::Notation::opening_set(name)?.iter().map(json::text).collect())
    }

    fn read_openings(&self, text: &str) -> Option<Result<Vec<String>, OpeningError>> {
        let openings = G::Notation::read_openings(&self.game, text)?;
        Some(openings.map(|openings| openings.iter().map(json::text).collect()))
    }

    fn start_class(&self) -> Option<u8> {
        self.game.start_class(self.typed_state())
    }

    fn setup(&self, seat: Seat) -> String {
        json::text(&self.game.setup(self.typed_state(), seat))
    }

    fn turn(&self) -> Turn {
        self.game.turn(self.typed_state())
    }

    fn write_view(&self, seat: Seat, into: &mut Vec<u8>) {
        append(into, &self.game.view(self.typed_state(), seat));
    }

    fn write_legal(&mut self, into: &mut Vec<u8>) {
        let mut actions = std::mem::take(&mut self.actions);
        self.game.actions(self.typed_state(), &mut actions);
        append(into, &actions);
        self.actions = actions;
    }

    fn legal(&mut self) -> Vec<Value> {
        let mut json = Vec::new();
        self.write_legal(&mut json);
        serde_json::from_slice(&json).expect("what was just written is a JSON array")
    }

    fn canonical_action(&mut self, action: &str) -> Result<String, ActionError> {
        self.legal_action(action).map(|action| json::text(&action))
    }

    fn play(&mut self, action: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let action = self.legal_action(action)?;
        let game = Arc::clone(&self.game);
        let state = self.typed_state_mut();
        rewrite(&mut game_event.full, &action);
        fill_seen::<G, _>(game_event, &game, |seat| {
            G::Information::seen_action(&game, state, action, seat)
        });
        game.apply(state, action);
        Ok(())
    }

    fn draw(&mut self, stream: &mut Stream, game_event: &mut GameEvent) {
        let chance = self.game.draw(self.typed_state(), stream.rng());
        self.go_on(&chance, game_event);
    }

    fn play_chance(&mut self, chance: &str, game_event: &mut GameEvent) -> Result<(), ActionError> {
        let chance: G::Chance = json_values::read::<G, _>(chance, "a chance outcome")?;
        self.game
            .check_chance(self.typed_state(), &chance)
            .map_err(|illegal| ActionError::Illegal(illegal.0))?;
        self.go_on(&chance, game_event);
        Ok(())
    }

    fn forfeit(&mut self, seat: Seat) {
        let game = Arc::clone(&self.game);
        game.forfeit(self.typed_state_mut(), seat);
    }

    fn pass(&self) -> String {
        json::text(&self.game.pass(self.typed_state()))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(self.typed_state())
    }

    fn state_hash(&self) -> String {
        let digest = Sha256::digest(json::text(self.typed_state()).as_bytes());
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn state(&self) -> Value {
        json::value(self.typed_state())
    }

    fn text(&self) -> String {
        self.game.text(self.typed_state())
    }

    fn position(&self) -> Option<String> {
        G::Notation::position(&self.game, self.typed_state())
    }

    fn action_text(&self, action: &str) -> String {
        match serde_json::from_str(action) {
            Ok(typed) => self.game.action_text(self.typed_state(), typed),
            Err(_) => action.to_string(),
        }
    }

    fn own_action_text(&self, action: &str) -> String {
        match serde_json::from_str(action) {
            Ok(typed) => self.game.own_action_text(self.typed_state(), typed),
            Err(_) => action.to_string(),
        }
    }

    fn chance_text(&self, chance: &str) -> String {
        match serde_json::from_str(chance) {
            Ok(typed) => self.game.chance_text(self.typed_state(), &typed),
            Err(_) => chance.to_string(),
        }
    }
}

fn append<T: serde::Serialize>(into: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(into, value).expect("a game's types are plain data with string keys");
}

/// Replaces `text` by the JSON of `value`, reusing its memory.
fn rewrite<T: serde::Serialize>(text: &mut String, value: &T) {
    let mut bytes = std::mem::take(text).into_bytes();
    bytes.clear();
    append(&mut bytes, value);
    *text = String::from_utf8(bytes).expect("JSON is UTF-8");
}

/// Writes the redacted copies of an event into `game_event`.
fn fill_seen<G: Game, T: serde::Serialize>(
    game_event: &mut GameEvent,
    game: &G,
    seen: impl Fn(Seat) -> Seen<T>,
) {
    game_event.seen.clear();
    if !G::Information::HIDDEN {
        return;
    }
    for seat in Seat::all(game.seats().len()) {
        if let Seen::Redacted(copy) = seen(seat) {
            game_event.seen.push((seat, json::value(&copy)));
        }
    }
}
