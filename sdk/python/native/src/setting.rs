//! A game under one set of rules with its encoding: what all of its states share. And the same
//! without its type, for classes of Python.

use crate::encoding::{Encoding, Kind, Spec, encoding_of};
use crate::json;
use crate::play::Play;
use crate::rollouts::{Playouts, play_out};
use crate::state::{AnyState, TypedState};
use crate::vector::{AnyVector, TypedVector};
use botyard_engine::registry::{Visitor, visit};
use botyard_engine::rules::resolve;
use botyard_engine::{Game, RulesError, Seat, Seed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// A game under one set of rules, and its encoding.
pub struct Setting<G: Game> {
    pub game: G,
    pub encoding: Box<dyn Encoding<G>>,
}

impl<G: Game> Setting<G> {
    /// Returns the sizes of the encoding.
    pub fn spec(&self) -> &Spec {
        self.encoding.indexing().spec()
    }

    /// Returns points as a reward: the least points are -1, the most are 1.
    pub fn reward(&self, points: f64) -> f64 {
        2.0 * self.game.scores().share(points) - 1.0
    }
}

/// A [`Setting`] of any game.
pub trait AnyGame: Send + Sync {
    fn name(&self) -> &'static str;
    fn seats(&self) -> &[String];
    fn rules(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    fn spec(&self) -> &Spec;
    fn has_secrets(&self) -> bool;
    fn reward(&self, points: f64) -> f64;
    /// Opens a game: with this opening, or with one drawn from the seed.
    fn open(&self, opening: Option<&Bound<'_, PyAny>>, seed: Seed) -> PyResult<Box<dyn AnyState>>;
    /// Draws a state that `seat` sees as this view.
    fn state_of_view(
        &self,
        view: &Bound<'_, PyAny>,
        seat: Seat,
        seed: Seed,
    ) -> PyResult<Box<dyn AnyState>>;
    /// Opens games that are stepped together.
    fn vector(&self, games: usize, seed: Seed, threads: usize) -> Box<dyn AnyVector>;
    /// Plays random games.
    fn rollouts(&self, games: usize, seed: Seed, threads: usize) -> Playouts;
}

struct TypedGame<G: Game>(Arc<Setting<G>>);

impl<G: Game> AnyGame for TypedGame<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn seats(&self) -> &[String] {
        self.0.game.seats()
    }

    fn rules(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        json::to_python(py, self.0.game.rules())
    }

    fn spec(&self) -> &Spec {
        self.0.spec()
    }

    fn has_secrets(&self) -> bool {
        self.0.game.has_secrets()
    }

    fn reward(&self, points: f64) -> f64 {
        self.0.reward(points)
    }

    fn open(&self, opening: Option<&Bound<'_, PyAny>>, seed: Seed) -> PyResult<Box<dyn AnyState>> {
        let play = match opening {
            None => Play::open(&self.0.game, seed),
            Some(opening) => {
                let opening: G::Opening = json::of_python(opening, G::NAME, "an opening")?;
                let opened = Play::open_with(&self.0.game, &opening, seed);
                opened.map_err(|illegal| PyValueError::new_err(illegal.0))?
            }
        };
        Ok(Box::new(TypedState::new(Arc::clone(&self.0), play)))
    }

    fn state_of_view(
        &self,
        view: &Bound<'_, PyAny>,
        seat: Seat,
        seed: Seed,
    ) -> PyResult<Box<dyn AnyState>> {
        let view: G::View = json::of_python(view, G::NAME, "a view")?;
        let state = self.0.game.determinize(&view, seat, seed.stream("determinize").rng());
        let state = state.map_err(|illegal| PyValueError::new_err(illegal.0))?;
        let play = Play::continuing(&self.0.game, state, 0, seed);
        Ok(Box::new(TypedState::new(Arc::clone(&self.0), play)))
    }

    fn vector(&self, games: usize, seed: Seed, threads: usize) -> Box<dyn AnyVector> {
        Box::new(TypedVector::new(Arc::clone(&self.0), games, seed, threads))
    }

    fn rollouts(&self, games: usize, seed: Seed, threads: usize) -> Playouts {
        play_out(&self.0.game, games, seed, threads, |seed| Play::open(&self.0.game, seed))
    }
}

/// The rules that a caller asked for.
pub enum Wanted {
    /// A preset; `None` is the default one.
    Preset(Option<String>),
    /// A preset with changed parameters, or complete rules.
    Parameters(serde_json::Map<String, Value>),
}

/// Sets up a game by its name.
pub fn set_up(name: &str, wanted: Wanted, kind: Kind) -> PyResult<Arc<dyn AnyGame>> {
    struct SetUp(Wanted, Kind);
    impl Visitor for SetUp {
        type Output = Result<Arc<dyn AnyGame>, RulesError>;
        fn visit<G: Game>(self) -> Self::Output {
            let game = G::new(rules::<G>(self.0)?)?;
            let encoding = encoding_of(&game, self.1);
            Ok(Arc::new(TypedGame(Arc::new(Setting { game, encoding }))))
        }
    }
    visit(name, SetUp(wanted, kind))
        .map_err(|unknown| PyValueError::new_err(unknown.to_string()))?
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

fn rules<G: Game>(wanted: Wanted) -> Result<G::Rules, RulesError> {
    let mut parameters = match wanted {
        Wanted::Preset(preset) => return resolve::<G>(preset.as_deref(), &[]),
        Wanted::Parameters(parameters) => parameters,
    };
    let preset = match parameters.remove("preset") {
        None => {
            // As a `start` message has them: what is left out has its own default.
            if let Ok(complete) = serde_json::from_value(Value::Object(parameters.clone())) {
                return Ok(complete);
            }
            None
        }
        Some(Value::String(preset)) => Some(preset),
        Some(other) => {
            let message = format!("expected the name of a preset, got {other}");
            return Err(RulesError::bad_value("preset", message));
        }
    };
    let changes: Vec<(String, String)> =
        parameters.into_iter().map(|(key, value)| (key, value.to_string())).collect();
    resolve::<G>(preset.as_deref(), &changes)
}
