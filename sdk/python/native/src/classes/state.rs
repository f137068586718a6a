//! The class `State`.

use super::game::{Arrays, PyGame, arrays, check_counts};
use crate::encoding::NO_INDEX;
use crate::json;
use crate::setting::AnyGame;
use crate::state::AnyState;
use botyard_engine::Seat;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A state of a game.
#[pyclass(name = "State", module = "botyard.engine")]
pub struct PyState {
    game: Arc<dyn AnyGame>,
    // Never locked: a mutex makes the class `Sync`, and `get_mut` costs nothing.
    inner: Mutex<Box<dyn AnyState>>,
}

impl PyState {
    pub fn new(game: Arc<dyn AnyGame>, state: Box<dyn AnyState>) -> PyState {
        PyState { game, inner: Mutex::new(state) }
    }

    fn state(&mut self) -> &mut dyn AnyState {
        &mut **self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a seat; the one to move if none is given.
    fn seat(&mut self, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Seat> {
        match seat.filter(|seat| !seat.is_none()) {
            Some(seat) => json::seat(seat, self.game.seats()),
            None => self.state().seat_to_move().ok_or_else(|| {
                PyValueError::new_err("the game is over, so no seat is to move: name a seat")
            }),
        }
    }

    fn of(&self, state: Box<dyn AnyState>) -> PyState {
        PyState::new(Arc::clone(&self.game), state)
    }
}

#[pymethods]
impl PyState {
    #[new]
    #[pyo3(signature = (game, rules=None, seed=None, *, opening=None))]
    fn open(
        game: &Bound<'_, PyAny>,
        rules: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        opening: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyState> {
        let rules = rules.filter(|rules| !rules.is_none());
        let game = match game.extract::<PyRef<'_, PyGame>>() {
            Ok(_) if rules.is_some() => {
                return Err(PyValueError::new_err("rules: a Game has its rules; leave them out"));
            }
            Ok(game) => Arc::clone(&game.inner),
            Err(_) => {
                let name = game.extract::<String>()?;
                PyGame::new(&name, rules, "own")?.inner
            }
        };
        let opening = opening.filter(|opening| !opening.is_none());
        let state = game.open(opening, json::seed(seed)?)?;
        Ok(PyState::new(game, state))
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { inner: Arc::clone(&self.game) }
    }

    /// The names of the seats, in seat order.
    #[getter]
    fn seats(&self) -> Vec<String> {
        self.game.seats().to_vec()
    }

    /// The place of the seat to move in ``seats``; ``None`` when the game is over.
    #[getter]
    fn current_seat(&mut self) -> Option<usize> {
        self.state().seat_to_move().map(Seat::index)
    }

    /// Whether the game is over.
    #[getter]
    fn is_terminal(&mut self) -> bool {
        self.state().seat_to_move().is_none()
    }

    /// The number of actions so far, of all seats.
    #[getter]
    fn ply(&mut self) -> u32 {
        self.state().plies()
    }

    /// Returns the points of each seat; zeros while the game is in progress.
    fn returns(&mut self) -> Vec<f64> {
        let seats = self.game.seats().len();
        match self.state().outcome() {
            Some(outcome) => outcome.scores.to_vec(),
            None => vec![0.0; seats],
        }
    }

    /// Returns the points of each seat as rewards from -1 to 1; zeros while the game is in progress.
    fn rewards(&mut self) -> Vec<f64> {
        let seats = self.game.seats().len();
        let outcome = self.state().outcome();
        match outcome {
            Some(outcome) => {
                outcome.scores.iter().map(|&points| self.game.reward(points)).collect()
            }
            None => vec![0.0; seats],
        }
    }

    /// Returns ``scores``, ``ranks`` and ``reason`` of the end; ``None`` while the game is in progress.
    fn outcome(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.state().outcome().map(|outcome| json::to_python(py, &outcome)).transpose()
    }

    /// Returns the legal actions in the game's JSON, as in ``legal``; empty when the game is over.
    fn legal_actions(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.state().legal_actions(py)
    }

    /// Returns the index of each legal action, in the order of :meth:`legal_actions`.
    fn legal_indices(&mut self) -> Vec<u32> {
        self.state().indices().iter().copied().filter(|&index| index != NO_INDEX).collect()
    }

    /// Plays an action, and draws what the rules draw after it.
    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state().apply(action)
    }

    /// Plays the legal action with this index. Raises as :meth:`action_from_index`.
    fn apply_index(&mut self, index: usize) -> PyResult<()> {
        self.state().apply_index(index)
    }

    /// Returns the index of a legal action. Raises ``ValueError`` for any other.
    fn action_index(&mut self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.state().index_of(action)
    }

    /// Returns the legal action with this index.
    fn action_from_index(&mut self, py: Python<'_>, index: usize) -> PyResult<Py<PyAny>> {
        self.state().action_of(py, index)
    }

    /// Returns a legal action as people write it.
    fn action_text(&mut self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        self.state().action_text(action)
    }

    /// Returns all that a seat may know, in the game's JSON; by default of the seat to move.
    #[pyo3(signature = (seat=None))]
    fn view(&mut self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let seat = self.seat(seat)?;
        self.state().view(py, seat)
    }

    /// Returns the constant data of the game that a seat may know: call it before the first action.
    #[pyo3(signature = (seat=None))]
    fn setup(&mut self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let seat = self.seat(seat)?;
        self.state().setup(py, seat)
    }

    /// Returns the whole state as JSON, with all hidden information.
    fn full_state(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.state().whole(py)
    }

    /// Returns what a seat sees as ``observation_size`` numbers; by default of the seat to move.
    #[pyo3(signature = (seat=None))]
    fn observation<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let seat = self.seat(seat)?;
        let mut observation = vec![0.0; self.game.spec().observation()];
        self.state().observe(seat, &mut observation);
        Ok(observation.into_pyarray(py))
    }

    /// Returns an array of ``action_count`` truths: which indices are those of legal actions.
    fn action_mask<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.game.spec().actions];
        for &index in self.state().indices().iter().filter(|&&index| index != NO_INDEX) {
            mask[index as usize] = true;
        }
        mask.into_pyarray(py)
    }

    /// Returns a copy, which draws the same dice as this state, or with a seed those of the seed.
    #[pyo3(signature = (seed=None))]
    fn clone(&mut self, seed: Option<&Bound<'_, PyAny>>) -> PyResult<PyState> {
        let seed = seed.map(|seed| json::seed(Some(seed))).transpose()?;
        let copy = self.state().copy(seed);
        Ok(self.of(copy))
    }

    fn __copy__(&mut self) -> PyState {
        let copy = self.state().copy(None);
        self.of(copy)
    }

    fn __deepcopy__(&mut self, _memo: &Bound<'_, PyAny>) -> PyState {
        self.__copy__()
    }

    /// Returns a state drawn from those that a seat cannot tell apart, by default the seat to move.
    #[pyo3(signature = (seat=None, seed=None))]
    fn determinize(
        &mut self,
        seat: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyState> {
        let seat = self.seat(seat)?;
        let drawn = self.state().determinize(seat, json::seed(seed)?)?;
        Ok(self.of(drawn))
    }

    /// Plays random games from this state: see :meth:`Game.rollouts`. The state is unchanged.
    #[pyo3(signature = (games, seed=None, threads=1))]
    fn rollouts<'py>(
        &mut self,
        py: Python<'py>,
        games: usize,
        seed: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Arrays<'py>> {
        check_counts(games, threads)?;
        let seed = json::seed(seed)?;
        // A copy, so that other threads can use this state in the meantime.
        let state = Mutex::new(self.state().copy(None));
        let playouts = py.detach(|| {
            state
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner)
                .rollouts(games, seed, threads)
        });
        arrays(py, playouts)
    }

    /// Returns a hash of the whole state, as replays have it.
    fn state_hash(&mut self) -> String {
        self.state().hash()
    }

    fn __str__(&mut self) -> String {
        self.state().text()
    }

    fn __repr__(&mut self) -> String {
        let (name, ply) = (self.game.name(), self.state().plies());
        format!("<botyard.engine.State {name}, ply {ply}>")
    }
}
