//! A [`Game`] that answers the requests of the rules protocol.

use botyard_engine::Game;
use std::marker::PhantomData;

/// A game that answers the requests of the rules protocol, one line each.
pub struct Served<G>(PhantomData<G>);

impl<G: Game> Served<G> {
    /// Makes a game that was not asked yet.
    pub fn new(_version: &'static str) -> Served<G> {
        Served(PhantomData)
    }
}
