//! The rule of thumb at draughts: the move after which the position is evaluated best, once the
//! captures that follow are played.

use crate::draughts::{Positional, SearchAgent};
use botyard_agent::{Agent, Options};
use botyard_engine::draughts::Draughts;
use botyard_search::Limits;
use botyard_search::two_sided::{Algorithm, Settings};

/// Makes an agent for one game.
pub(super) fn agent(_options: &Options) -> Box<dyn Agent<Draughts>> {
    let settings = Settings { table_mebibytes: 0, ..Settings::exact(Algorithm::AlphaBeta) };
    Box::new(SearchAgent::new(settings, Positional::default(), Limits::depth(1)))
}
