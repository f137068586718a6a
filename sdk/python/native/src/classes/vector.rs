//! The class `VectorEnv`.

use super::game::{PyGame, check_counts};
use crate::json;
use crate::setting::AnyGame;
use crate::vector::{AnyVector, IllegalIndex, Rows};
use numpy::{AllowTypeChange, IntoPyArray, PyArray1, PyArray2, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex, PoisonError};

/// Games that are stepped together.
#[pyclass(name = "VectorEnv", module = "botyard.engine")]
pub struct PyVectorEnv {
    game: Arc<dyn AnyGame>,
    // Never locked: see `PyState`.
    inner: Mutex<Box<dyn AnyVector>>,
    observations: Py<PyArray2<f32>>,
    masks: Py<PyArray2<bool>>,
    seats: Py<PyArray1<i8>>,
    rewards: Py<PyArray2<f32>>,
    dones: Py<PyArray1<bool>>,
    /// What Python sees of these arrays, in this order: a mask that a user changed would stay changed.
    read_only: Py<PyTuple>,
}

/// Returns a read-only view of an array.
fn read_only<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let view = array.call_method0("view")?;
    view.call_method1("setflags", (false,))?;
    Ok(view)
}

impl PyVectorEnv {
    /// Calls `work` with the games and their rows, without holding the interpreter.
    fn with_rows<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyVector, Rows<'_>) -> T + Send,
    ) -> PyResult<T> {
        let borrow =
            |_| PyRuntimeError::new_err("another thread is using the arrays of this VectorEnv");
        let mut observations = self.observations.bind(py).try_readwrite().map_err(borrow)?;
        let mut masks = self.masks.bind(py).try_readwrite().map_err(borrow)?;
        let mut seats = self.seats.bind(py).try_readwrite().map_err(borrow)?;
        let mut rewards = self.rewards.bind(py).try_readwrite().map_err(borrow)?;
        let mut dones = self.dones.bind(py).try_readwrite().map_err(borrow)?;
        let rows = Rows {
            observations: observations.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            seats: seats.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            dones: dones.as_slice_mut()?,
        };
        let games = &mut **self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        Ok(py.detach(|| work(games, rows)))
    }

    fn games(&mut self) -> &mut dyn AnyVector {
        &mut **self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyVectorEnv {
    #[new]
    #[pyo3(signature = (game, num_envs, seed=None, threads=1))]
    fn new(
        py: Python<'_>,
        game: PyRef<'_, PyGame>,
        num_envs: usize,
        seed: Option<&Bound<'_, PyAny>>,
        threads: usize,
    ) -> PyResult<PyVectorEnv> {
        check_counts(num_envs, threads)?;
        let seed = json::seed(seed)?;
        let game = Arc::clone(&game.inner);
        let (spec, seats) = (game.spec(), game.seats().len());
        let observations = PyArray2::zeros(py, [num_envs, spec.observation()], false);
        let masks = PyArray2::zeros(py, [num_envs, spec.actions], false);
        let seats_to_move = PyArray1::zeros(py, num_envs, false);
        let rewards = PyArray2::zeros(py, [num_envs, seats], false);
        let dones = PyArray1::zeros(py, num_envs, false);
        let all: [&Bound<'_, PyAny>; 5] = [&observations, &masks, &seats_to_move, &rewards, &dones];
        let views = all.map(read_only).into_iter().collect::<PyResult<Vec<_>>>()?;
        let mut env = PyVectorEnv {
            inner: Mutex::new(game.vector(num_envs, seed, threads)),
            observations: observations.unbind(),
            masks: masks.unbind(),
            seats: seats_to_move.unbind(),
            rewards: rewards.unbind(),
            dones: dones.unbind(),
            read_only: PyTuple::new(py, views)?.unbind(),
            game,
        };
        env.with_rows(py, |games, rows| games.reset(seed, rows))?;
        Ok(env)
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { inner: Arc::clone(&self.game) }
    }

    /// The number of games.
    #[getter]
    fn num_envs(&mut self) -> usize {
        self.games().games()
    }

    /// The observations of the last step.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read_only.bind(py).get_item(0)
    }

    /// The masks of the last step.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read_only.bind(py).get_item(1)
    }

    /// The seats to move of the last step.
    #[getter]
    fn seats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read_only.bind(py).get_item(2)
    }

    /// The rewards of the last step.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read_only.bind(py).get_item(3)
    }

    /// Which games the last step ended.
    #[getter]
    fn dones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read_only.bind(py).get_item(4)
    }

    /// Begins all games again.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let seed = json::seed(seed)?;
        self.with_rows(py, |games, rows| games.reset(seed, rows))?;
        Ok(self.read_only.bind(py).clone())
    }

    /// Plays an action in each game, given by indices.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyArrayLike1<'py, i64, AllowTypeChange>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let actions = actions.as_array();
        let games = self.games().games();
        if actions.len() != games {
            return Err(PyValueError::new_err(format!(
                "expected an index of an action for each of {games} games, got {}",
                actions.len()
            )));
        }
        let actions = actions.to_vec();
        self.with_rows(py, |games, rows| games.step(&actions, rows))?.map_err(
            |IllegalIndex { game, index }| {
                PyValueError::new_err(format!(
                    "game {game}: index {index} is not that of a legal action; masks[{game}] shows \
                     those that are; no game was changed"
                ))
            },
        )?;
        Ok(self.read_only.bind(py).clone())
    }

    /// Returns the index of a uniformly random legal action of each game.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut actions = vec![0; self.games().games()];
        self.games().random_actions(&mut actions);
        actions.into_pyarray(py)
    }

    /// Returns the number of actions so far in each game.
    fn plies<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let mut plies = vec![0; self.games().games()];
        self.games().plies(&mut plies);
        plies.into_pyarray(py)
    }

    /// Returns the seed of each game in progress: ``game.start(seed)`` opens the same game.
    fn seeds(&mut self) -> Vec<String> {
        self.games().seeds().iter().map(ToString::to_string).collect()
    }

    fn __repr__(&mut self) -> String {
        let name = self.game.name();
        format!("<botyard.engine.VectorEnv {name}, {} games>", self.games().games())
    }
}
