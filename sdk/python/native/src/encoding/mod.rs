//! Encodings: a game as arrays of fixed sizes. An observation is a vector of numbers made from what
//! a seat may know, and every action has an index below a fixed number.
//!
//! A game has an encoding of its own in a file of this folder, or else the one of [`hashed`], which
//! suits every game.

mod connect_four;
mod dice_wars;
mod draughts;
mod hashed;
mod liars_dice;
mod scotland_yard;

use botyard_engine::connect_four::ConnectFour;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::draughts::Draughts;
use botyard_engine::liars_dice::LiarsDice;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_engine::{Game, PerfectInformation, Seat};
use std::any::Any;

/// The index of an action that has none: it is legal, but no mask shows it.
pub const NO_INDEX: u32 = u32::MAX;

/// The sizes of an encoding.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The parts of an observation, in order: a name and a shape each.
    pub parts: Vec<(&'static str, Vec<usize>)>,
    /// The number of indices of actions.
    pub actions: usize,
    /// Whether all numbers of observations lie in 0..=1.
    pub bounded: bool,
}

impl Spec {
    fn new(actions: usize, parts: Vec<(&'static str, Vec<usize>)>) -> Spec {
        Spec { parts, actions, bounded: true }
    }

    /// Returns the length of an observation.
    pub fn observation(&self) -> usize {
        self.parts.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum()
    }
}

/// An observation that is being written, part by part. All numbers are 0 at first.
pub struct Writer<'a>(&'a mut [f32]);

impl<'a> Writer<'a> {
    /// Returns the next `length` numbers.
    #[inline]
    fn next(&mut self, length: usize) -> &'a mut [f32] {
        let (next, rest) = std::mem::take(&mut self.0).split_at_mut(length);
        self.0 = rest;
        next
    }

    /// Writes a number as a part of its own.
    #[inline]
    fn number(&mut self, value: f32) {
        self.next(1)[0] = value;
    }

    /// Writes a part of `length` numbers that is 1 at `place` and 0 elsewhere; 0 everywhere without a
    /// place.
    #[inline]
    fn one_hot(&mut self, length: usize, place: Option<usize>) {
        let part = self.next(length);
        if let Some(place) = place {
            part[place] = 1.0;
        }
    }
}

/// Returns a part of a whole in 0..=1; 0 if there is no whole.
fn fraction(part: impl Into<f64>, whole: impl Into<f64>) -> f32 {
    let whole = whole.into();
    if whole > 0.0 { (part.into() / whole).min(1.0) as f32 } else { 0.0 }
}

/// Indices of actions. They depend on the legal actions and on whose turn it is alone.
pub trait Indexing<G: Game>: Send + Sync {
    /// Returns the sizes.
    fn spec(&self) -> &Spec;

    /// Replaces `into` by the index of each legal action of `seat`, or [`NO_INDEX`]. No two have the
    /// same index.
    fn indices(&self, seat: Seat, legal: &[G::Action], into: &mut Vec<u32>);
}

/// An encoding of a game with hidden information: it gets the view and never the state, so it cannot
/// show what the view hides.
pub trait ViewEncoding<G: Game>: Indexing<G> {
    /// Writes what `seat` sees.
    fn observe(&self, game: &G, view: &G::View, seat: Seat, into: &mut Writer<'_>);
}

/// An encoding of a game of perfect information, whose views show the whole state. It reads the
/// state, which is faster than making a view.
pub trait StateEncoding<G: Game<Information = PerfectInformation>>: Indexing<G> {
    /// Writes what `seat` sees.
    fn observe(&self, game: &G, state: &G::State, seat: Seat, into: &mut Writer<'_>);
}

/// An encoding of either kind.
pub trait Encoding<G: Game>: Send + Sync {
    /// Returns the indices of actions.
    fn indexing(&self) -> &dyn Indexing<G>;

    /// Writes what `seat` sees to an array of the specified length.
    fn observe(&self, game: &G, state: &G::State, seat: Seat, into: &mut [f32]);
}

struct OfViews<E>(E);

impl<G: Game, E: ViewEncoding<G>> Encoding<G> for OfViews<E> {
    fn indexing(&self) -> &dyn Indexing<G> {
        &self.0
    }

    fn observe(&self, game: &G, state: &G::State, seat: Seat, into: &mut [f32]) {
        into.fill(0.0);
        self.0.observe(game, &game.view(state, seat), seat, &mut Writer(into));
    }
}

struct OfStates<E>(E);

impl<G, E> Encoding<G> for OfStates<E>
where
    G: Game<Information = PerfectInformation>,
    E: StateEncoding<G>,
{
    fn indexing(&self) -> &dyn Indexing<G> {
        &self.0
    }

    fn observe(&self, game: &G, state: &G::State, seat: Seat, into: &mut [f32]) {
        into.fill(0.0);
        self.0.observe(game, state, seat, &mut Writer(into));
    }
}

/// The choice of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The game's own, if it has one.
    Own,
    /// The one that suits every game.
    Hashed,
}

/// Returns the encoding of a game under its rules.
pub fn encoding_of<G: Game>(game: &G, kind: Kind) -> Box<dyn Encoding<G>> {
    own(game)
        .filter(|_| kind == Kind::Own)
        .unwrap_or_else(|| Box::new(OfViews(hashed::Hashed::new())))
}

fn own<G: Game>(game: &G) -> Option<Box<dyn Encoding<G>>> {
    let any: &dyn Any = game;
    if let Some(game) = any.downcast_ref::<ScotlandYard>() {
        same_game::<G, ScotlandYard>(OfViews(scotland_yard::Encoding::new(game)))
    } else if let Some(game) = any.downcast_ref::<Draughts>() {
        same_game::<G, Draughts>(OfStates(draughts::Encoding::new(game)))
    } else if let Some(game) = any.downcast_ref::<DiceWars>() {
        same_game::<G, DiceWars>(OfStates(dice_wars::Encoding::new(game)))
    } else if any.is::<ConnectFour>() {
        same_game::<G, ConnectFour>(OfStates(connect_four::Encoding::new()))
    } else if let Some(game) = any.downcast_ref::<LiarsDice>() {
        same_game::<G, LiarsDice>(OfViews(liars_dice::Encoding::new(game)))
    } else {
        None
    }
}

/// Returns an encoding of `H` as one of `G`, which is the same type.
fn same_game<G: Game, H: Game>(
    encoding: impl Encoding<H> + 'static,
) -> Option<Box<dyn Encoding<G>>> {
    let encoding: Box<dyn Encoding<H>> = Box::new(encoding);
    let any: Box<dyn Any> = Box::new(encoding);
    any.downcast::<Box<dyn Encoding<G>>>().ok().map(|encoding| *encoding)
}
