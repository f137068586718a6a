//! The face of a game: positions drawn from views, and moves as people type them. A face knows only
//! what the protocol sends to the person's seats, so it cannot reveal anything else.
//!
//! A [`GameFace`] has the types of its game. [`Face`] is the same behind JSON, as the referee sends it; a [`TypedFace`] is
//! one for the other, and parses every view and every event once. A game without its own face is played by
//! numbers: see [`Plain`].

use crate::dialogue::Question;
use crate::plain::Plain;
use crate::terminal::Ink;
use botyard_engine::{Game, Information, NoCopy};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The meaning of a typed line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen<A> {
    /// One of the legal actions.
    pub action: A,
    /// Text to read as the line for the following decision.
    pub then: Option<String>,
}

impl<A> Chosen<A> {
    /// Returns a single action.
    pub(crate) fn only(action: A) -> Chosen<A> {
        Chosen { action, then: None }
    }
}

/// An event as the person's seats observed it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen<W, R> {
    /// All of it.
    Whole(W),
    /// A copy without the hidden parts.
    Redacted(R),
}

impl<W: DeserializeOwned, R: DeserializeOwned> Seen<W, R> {
    fn parse(json: &Value) -> Option<Seen<W, R>> {
        let whole = W::deserialize(json).map(Seen::Whole);
        whole.or_else(|_| R::deserialize(json).map(Seen::Redacted)).ok()
    }
}

impl<W> Seen<W, NoCopy> {
    /// Returns an event of a kind that is never redacted.
    pub(crate) fn whole(&self) -> &W {
        match self {
            Seen::Whole(whole) => whole,
            Seen::Redacted(never) => match *never {},
        }
    }
}

/// An action as the person's seats observed it.
pub(crate) type SeenAction<G> =
    Seen<<G as Game>::Action, <<G as Game>::Information as Information<G>>::Action>;

/// A chance event as the person's seats observed it.
pub(crate) type SeenChance<G> =
    Seen<<G as Game>::Chance, <<G as Game>::Information as Information<G>>::Chance>;

/// An event of a game.
pub(crate) enum Happened<G: Game> {
    /// A seat has decided.
    Moved {
        /// The name of the seat.
        seat: String,
        /// What it has decided.
        action: SeenAction<G>,
    },
    /// A chance event.
    Drawn(SeenChance<G>),
}

/// A position as a seat of the person sees it, before its decision or at the end of the game.
pub(crate) struct Sight<G: Game> {
    /// The name of the seat.
    pub seat: String,
    /// Its view.
    pub view: G::View,
    /// Every legal action; none at the end of the game.
    pub legal: Vec<G::Action>,
    /// The events of the game so far.
    pub past: Vec<Happened<G>>,
}

// Derived, they would need games that can be cloned.
impl<G: Game> Clone for Happened<G> {
    fn clone(&self) -> Happened<G> {
        match self {
            Happened::Moved { seat, action } => {
                Happened::Moved { seat: seat.clone(), action: action.clone() }
            }
            Happened::Drawn(chance) => Happened::Drawn(chance.clone()),
        }
    }
}

impl<G: Game> Clone for Sight<G> {
    fn clone(&self) -> Sight<G> {
        let Sight { seat, view, legal, past } = self;
        Sight { seat: seat.clone(), view: view.clone(), legal: legal.clone(), past: past.clone() }
    }
}

/// The face of one game. It is chosen by the game's name: see `faces.rs`. Texts end with a newline unless they are a
/// single line.
pub(crate) trait GameFace: Sized {
    /// The game.
    type Game: Game;

    /// Makes the face of a game with this setup.
    fn new(game: Self::Game, setup: <Self::Game as Game>::Setup) -> Self;

    /// Draws the position before a decision. `None`: it is not one of this game.
    fn position(&self, sight: &Sight<Self::Game>, ink: Ink) -> Option<String>;

    /// Draws the position at the end of the game. `views` has the final views of all seats, in seat order. `None`: the
    /// game's own text is shown.
    fn final_position(
        &self,
        sight: &Sight<Self::Game>,
        _views: &[<Self::Game as Game>::View],
        ink: Ink,
    ) -> Option<String> {
        self.position(sight, ink)
    }

    /// Describes an action.
    fn words(&self, seat: &str, action: &SeenAction<Self::Game>) -> String;

    /// Describes a chance event. `None`: its JSON is shown.
    fn drawn(&self, _chance: &SeenChance<Self::Game>) -> Option<String> {
        None
    }

    /// Lists the legal moves as they are typed.
    fn choices(&self, sight: &Sight<Self::Game>) -> String;

    /// Returns the legal moves as they are typed, for completion. Each list has all moves in one
    /// form; the first list has the preferred form.
    fn completions(&self, sight: &Sight<Self::Game>) -> Vec<Vec<String>>;

    /// Returns the commands of the game, for completion: see [`GameFace::on_request`].
    fn commands(&self) -> &'static [&'static str] {
        &[]
    }

    /// Parses a typed move.
    ///
    /// # Errors
    ///
    /// What was expected and what is legal, if the line is not a legal move or may be several.
    fn read(
        &self,
        line: &str,
        sight: &Sight<Self::Game>,
    ) -> Result<Chosen<<Self::Game as Game>::Action>, String>;

    /// Returns the output of a command of the game. `None`: the line is not such a command.
    fn on_request(&self, _line: &str, _sight: &Sight<Self::Game>, _ink: Ink) -> Option<String> {
        None
    }

    /// Explains how to type moves.
    fn help(&self) -> String;
}

/// Shows a game to a person, whatever game it is. It receives the events of the game, and the decisions of the person's
/// seats one after the other.
pub(crate) trait Face {
    /// Receives that a seat has decided, and describes it.
    fn moved(&mut self, seat: &str, seen_by_seat: &Value) -> String;

    /// Receives a chance event, and describes it.
    fn drawn(&mut self, seen_by_seat: &Value) -> String;

    /// Receives the decision that is due, which all that follows is about.
    fn ask(&mut self, question: &Question);

    /// Draws the position.
    fn position(&self, ink: Ink) -> String;

    /// Draws the position at the end of the game: `seat` is the person's, the seat with this index, and `views` has the
    /// final views of all seats. `None`: the game's own text is shown.
    fn final_position(&self, seat: &str, index: usize, views: &[Value], ink: Ink)
    -> Option<String>;

    /// Describes an action of a seat.
    fn words(&self, seat: &str, action: &Value) -> String;

    /// Lists the legal moves as they are typed.
    fn choices(&self) -> String;

    /// Returns the legal moves as they are typed: see [`GameFace::completions`].
    fn completions(&self) -> Vec<Vec<String>>;

    /// Returns the commands of the game.
    fn commands(&self) -> &'static [&'static str];

    /// Parses a typed move.
    ///
    /// # Errors
    ///
    /// What was expected and what is legal.
    fn read(&self, line: &str) -> Result<Chosen<Value>, String>;

    /// Returns the output of a command of the game. `None`: the line is not such a command.
    fn on_request(&self, line: &str, ink: Ink) -> Option<String>;

    /// Explains how to type moves.
    fn help(&self) -> String;
}

/// A [`Face`] for a [`GameFace`]. What does not follow from its types is shown as [`Plain`] shows it.
pub(crate) struct TypedFace<F: GameFace> {
    face: F,
    past: Vec<Happened<F::Game>>,
    /// The decision that is due, if its view and actions are those of the game.
    sight: Option<Sight<F::Game>>,
    plain: Plain,
}

impl<F: GameFace> TypedFace<F> {
    /// Makes the face of a game that has just begun.
    pub(crate) fn new(face: F) -> TypedFace<F> {
        TypedFace { face, past: Vec::new(), sight: None, plain: Plain::default() }
    }

    fn sight(&self, seat: &str, view: &Value, legal: &[Value]) -> Option<Sight<F::Game>> {
        let action = <F::Game as Game>::Action::deserialize;
        Some(Sight {
            seat: seat.to_string(),
            view: <F::Game as Game>::View::deserialize(view).ok()?,
            legal: legal.iter().map(action).collect::<Result<_, _>>().ok()?,
            past: self.past.clone(),
        })
    }
}

impl<F: GameFace> Face for TypedFace<F> {
    fn moved(&mut self, seat: &str, seen_by_seat: &Value) -> String {
        let Some(action) = Seen::parse(seen_by_seat) else {
            return self.plain.words(seat, seen_by_seat);
        };
        let words = self.face.words(seat, &action);
        self.past.push(Happened::Moved { seat: seat.to_string(), action });
        words
    }

    fn drawn(&mut self, seen_by_seat: &Value) -> String {
        let Some(chance) = Seen::parse(seen_by_seat) else {
            return self.plain.drawn(seen_by_seat);
        };
        let words = self.face.drawn(&chance);
        self.past.push(Happened::Drawn(chance));
        words.unwrap_or_else(|| self.plain.drawn(seen_by_seat))
    }

    fn ask(&mut self, question: &Question) {
        self.sight = self.sight(&question.seat, &question.view, &question.legal);
        self.plain.ask(question);
    }

    fn position(&self, ink: Ink) -> String {
        let own = self.sight.as_ref().and_then(|sight| self.face.position(sight, ink));
        own.unwrap_or_else(|| self.plain.position(ink))
    }

    fn final_position(
        &self,
        seat: &str,
        index: usize,
        views: &[Value],
        ink: Ink,
    ) -> Option<String> {
        let sight = self.sight(seat, views.get(index)?, &[])?;
        let view = <F::Game as Game>::View::deserialize;
        let views = views.iter().map(view).collect::<Result<Vec<_>, _>>().ok()?;
        self.face.final_position(&sight, &views, ink)
    }

    fn words(&self, seat: &str, action: &Value) -> String {
        match Seen::parse(action) {
            Some(action) => self.face.words(seat, &action),
            None => self.plain.words(seat, action),
        }
    }

    fn choices(&self) -> String {
        match &self.sight {
            Some(sight) => self.face.choices(sight),
            None => self.plain.choices(),
        }
    }

    fn completions(&self) -> Vec<Vec<String>> {
        match &self.sight {
            Some(sight) => self.face.completions(sight),
            None => self.plain.completions(),
        }
    }

    fn commands(&self) -> &'static [&'static str] {
        self.face.commands()
    }

    fn read(&self, line: &str) -> Result<Chosen<Value>, String> {
        let Some(sight) = &self.sight else { return self.plain.read(line) };
        let Chosen { action, then } = self.face.read(line, sight)?;
        // The action in the referee's own JSON.
        let legal = sight.legal.iter().position(|legal| *legal == action);
        let json = legal.and_then(|index| self.plain.legal().get(index));
        match json {
            Some(json) => Ok(Chosen { action: json.clone(), then }),
            None => Err(format!("{line:?} is not possible; legal moves:\n{}", self.choices())),
        }
    }

    fn on_request(&self, line: &str, ink: Ink) -> Option<String> {
        self.face.on_request(line, self.sight.as_ref()?, ink)
    }

    fn help(&self) -> String {
        match &self.sight {
            Some(_) => self.face.help(),
            None => self.plain.help(),
        }
    }
}
