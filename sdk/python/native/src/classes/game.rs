//! The class `Game`, and the list of games.

use super::state::PyState;
use crate::encoding::Kind;
use crate::json;
use crate::rollouts::Playouts;
use crate::setting::{AnyGame, Wanted, set_up};
use botyard_engine::registry;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::sync::Arc;

/// A game under one set of rules.
#[pyclass(name = "Game", module = "botyard.engine", frozen)]
pub struct PyGame {
    pub inner: Arc<dyn AnyGame>,
}

/// Random games as arrays: the plies and the points.
pub type Arrays<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray2<f64>>);

pub fn arrays<'py>(py: Python<'py>, playouts: Playouts) -> PyResult<Arrays<'py>> {
    let shape = [playouts.plies.len(), playouts.seats];
    let returns = playouts.returns.into_pyarray(py).reshape(shape)?;
    Ok((playouts.plies.into_pyarray(py), returns))
}

/// Checks numbers of games and threads.
pub fn check_counts(games: usize, threads: usize) -> PyResult<()> {
    if games == 0 || threads == 0 {
        return Err(PyValueError::new_err(format!(
            "expected at least one game and one thread, got {games} games and {threads} threads"
        )));
    }
    Ok(())
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (name, rules=None, *, encoding="own"))]
    pub fn new(name: &str, rules: Option<&Bound<'_, PyAny>>, encoding: &str) -> PyResult<PyGame> {
        let kind = match encoding {
            "own" => Kind::Own,
            "hashed" => Kind::Hashed,
            other => {
                return Err(PyValueError::new_err(format!(
                    "expected the encoding \"own\" or \"hashed\", got {other:?}"
                )));
            }
        };
        let wanted = match rules.filter(|rules| !rules.is_none()) {
            None => Wanted::Preset(None),
            Some(rules) => match rules.extract::<String>() {
                Ok(preset) => Wanted::Preset(Some(preset)),
                Err(_) => match json::of_python::<Value>(rules, name, "rules")? {
                    Value::Object(parameters) => Wanted::Parameters(parameters),
                    other => {
                        return Err(PyValueError::new_err(format!(
                            "expected rules as the name of a preset or a dictionary, got {other}"
                        )));
                    }
                },
            },
        };
        Ok(PyGame { inner: set_up(name, wanted, kind)? })
    }

    /// The name in the protocol: ``scotland-yard``.
    #[getter]
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    /// Every parameter of the rules, as in a ``start`` message.
    #[getter]
    fn rules(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.inner.rules(py)
    }

    /// The names of the seats, in seat order.
    #[getter]
    fn seats(&self) -> Vec<String> {
        self.inner.seats().to_vec()
    }

    /// Whether something is hidden from a seat or drawn after the opening.
    #[getter]
    fn has_secrets(&self) -> bool {
        self.inner.has_secrets()
    }

    /// The number of indices of actions: the length of a mask.
    #[getter]
    fn action_count(&self) -> usize {
        self.inner.spec().actions
    }

    /// The length of an observation.
    #[getter]
    fn observation_size(&self) -> usize {
        self.inner.spec().observation()
    }

    /// Whether all numbers of observations lie between 0 and 1: true of every game's own encoding.
    #[getter]
    fn is_bounded(&self) -> bool {
        self.inner.spec().bounded
    }

    /// The parts of an observation, by name: where each one is, and its shape.
    #[getter]
    fn observation_parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parts = PyDict::new(py);
        let mut start = 0;
        for (name, shape) in &self.inner.spec().parts {
            let length: usize = shape.iter().product();
            let slice = pyo3::types::PySlice::new(py, start as isize, (start + length) as isize, 1);
            parts.set_item(*name, (slice, pyo3::types::PyTuple::new(py, shape)?))?;
            start += length;
        }
        Ok(parts)
    }

    /// Opens a game. A seed gives the opening and the dice of the match's game with that seed.
    #[pyo3(signature = (seed=None, *, opening=None))]
    fn start(
        &self,
        seed: Option<&Bound<'_, PyAny>>,
        opening: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyState> {
        let opening = opening.filter(|opening| !opening.is_none());
        let state = self.inner.open(opening, json::seed(seed)?)?;
        Ok(PyState::new(Arc::clone(&self.inner), state))
    }

    /// Returns a state that ``seat`` sees as ``view``, which is JSON of a ``turn`` message.
    #[pyo3(signature = (view, seat, seed=None))]
    fn state_of_view(
        &self,
        view: &Bound<'_, PyAny>,
        seat: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyState> {
        let seat = json::seat(seat, self.inner.seats())?;
        let state = self.inner.state_of_view(view, seat, json::seed(seed)?)?;
        Ok(PyState::new(Arc::clone(&self.inner), state))
    }

    /// Returns points as a reward from -1, the least points of this game, to 1, the most.
    fn reward(&self, points: f64) -> f64 {
        self.inner.reward(points)
    }

    /// Plays games of uniformly random legal actions, without the interpreter.
    #[pyo3(signature = (games, seed=None, threads=1))]
    fn rollouts<'py>(
        &self,
        py: Python<'py>,
        games: usize,
        seed: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Arrays<'py>> {
        check_counts(games, threads)?;
        let seed = json::seed(seed)?;
        let playouts = py.detach(|| self.inner.rollouts(games, seed, threads));
        arrays(py, playouts)
    }

    fn __repr__(&self) -> String {
        format!("<botyard.engine.Game {}>", self.inner.name())
    }
}

/// Returns the description of every game by its name.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Py<PyAny>> {
    let names = registry::names();
    let described = names.iter().map(|name| {
        let info = registry::info(name).expect("listed games exist");
        (name.clone(), info.to_json())
    });
    json::to_python(py, &described.collect::<serde_json::Map<String, Value>>())
}
