//! States without their game's type, for the class `State` of Python.

use crate::encoding::NO_INDEX;
use crate::json;
use crate::play::Play;
use crate::rollouts::{Playouts, play_out};
use crate::setting::Setting;
use botyard_engine::{Game, Outcome, Seat, Seed, Turn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// A state of any game.
pub trait AnyState: Send {
    /// Returns the seat to move; `None` when the game is over.
    fn seat_to_move(&self) -> Option<Seat>;
    fn plies(&self) -> u32;
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the legal actions as a list of their JSON.
    fn legal_actions(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    /// Returns the index of each legal action, in the same order; [`NO_INDEX`] for one without.
    fn indices(&mut self) -> &[u32];
    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()>;
    fn apply_index(&mut self, index: usize) -> PyResult<()>;
    fn index_of(&mut self, action: &Bound<'_, PyAny>) -> PyResult<usize>;
    fn action_of(&mut self, py: Python<'_>, index: usize) -> PyResult<Py<PyAny>>;
    fn action_text(&mut self, action: &Bound<'_, PyAny>) -> PyResult<String>;
    fn view(&self, py: Python<'_>, seat: Seat) -> PyResult<Py<PyAny>>;
    fn setup(&self, py: Python<'_>, seat: Seat) -> PyResult<Py<PyAny>>;
    /// Returns the whole state as JSON, with all hidden information.
    fn whole(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    fn observe(&self, seat: Seat, into: &mut [f32]);
    /// Returns a copy, which draws from the same stream or from that of another seed.
    fn copy(&self, seed: Option<Seed>) -> Box<dyn AnyState>;
    fn determinize(&self, seat: Seat, seed: Seed) -> PyResult<Box<dyn AnyState>>;
    fn hash(&self) -> String;
    fn text(&self) -> String;
    /// Plays random games from this state.
    fn rollouts(&self, games: usize, seed: Seed, threads: usize) -> Playouts;
}

/// A state of a game, with the list of its legal actions once it was asked for.
pub struct TypedState<G: Game> {
    setting: Arc<Setting<G>>,
    play: Play<G>,
    legal: Vec<G::Action>,
    indices: Vec<u32>,
    is_listed: bool,
}

impl<G: Game> TypedState<G> {
    pub fn new(setting: Arc<Setting<G>>, play: Play<G>) -> TypedState<G> {
        TypedState { setting, play, legal: Vec::new(), indices: Vec::new(), is_listed: false }
    }

    fn list(&mut self) {
        if self.is_listed {
            return;
        }
        let game = &self.setting.game;
        game.actions(&self.play.state, &mut self.legal);
        let seat = self.seat_to_move().unwrap_or(Seat::new(0));
        self.setting.encoding.indexing().indices(seat, &self.legal, &mut self.indices);
        self.is_listed = true;
    }

    fn play(&mut self, action: G::Action) {
        self.play.apply(&self.setting.game, action);
        self.is_listed = false;
    }

    /// Reads a legal action.
    fn read(&self, action: &Bound<'_, PyAny>) -> PyResult<G::Action> {
        let action: G::Action = json::of_python(action, G::NAME, "an action")?;
        match self.setting.game.check(&self.play.state, action) {
            Ok(()) => Ok(action),
            Err(illegal) => Err(PyValueError::new_err(illegal.0)),
        }
    }

    fn at_index(&mut self, index: usize) -> PyResult<G::Action> {
        self.list();
        let place =
            self.indices.iter().position(|&other| other as usize == index && other != NO_INDEX);
        let spec = self.setting.spec();
        match place {
            Some(place) => Ok(self.legal[place]),
            None if self.legal.is_empty() => {
                Err(PyValueError::new_err("the game is over: there is no legal action"))
            }
            None if index >= spec.actions => Err(PyIndexError::new_err(format!(
                "expected an index of an action below {}, got {index}",
                spec.actions
            ))),
            None => Err(PyValueError::new_err(format!(
                "index {index} is not that of a legal action; legal_indices() has {} of them",
                self.indices.len()
            ))),
        }
    }
}

impl<G: Game> AnyState for TypedState<G> {
    fn seat_to_move(&self) -> Option<Seat> {
        match self.setting.game.turn(&self.play.state) {
            Turn::Seat(seat) => Some(seat),
            Turn::Chance | Turn::Over => None,
        }
    }

    fn plies(&self) -> u32 {
        self.play.plies
    }

    fn outcome(&self) -> Option<Outcome> {
        self.setting.game.outcome(&self.play.state)
    }

    fn legal_actions(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.list();
        json::to_python(py, &self.legal)
    }

    fn indices(&mut self) -> &[u32] {
        self.list();
        &self.indices
    }

    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let action = self.read(action)?;
        self.play(action);
        Ok(())
    }

    fn apply_index(&mut self, index: usize) -> PyResult<()> {
        let action = self.at_index(index)?;
        self.play(action);
        Ok(())
    }

    fn index_of(&mut self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        let wanted = self.read(action)?;
        self.list();
        let place = self.legal.iter().position(|action| *action == wanted);
        match place.map(|place| self.indices[place]) {
            Some(index) if index != NO_INDEX => Ok(index as usize),
            _ => Err(PyValueError::new_err(format!(
                "{} is legal but has no index",
                self.setting.game.action_text(&self.play.state, wanted)
            ))),
        }
    }

    fn action_of(&mut self, py: Python<'_>, index: usize) -> PyResult<Py<PyAny>> {
        let action = self.at_index(index)?;
        json::to_python(py, &action)
    }

    fn action_text(&mut self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let action = self.read(action)?;
        Ok(self.setting.game.action_text(&self.play.state, action))
    }

    fn view(&self, py: Python<'_>, seat: Seat) -> PyResult<Py<PyAny>> {
        json::to_python(py, &self.setting.game.view(&self.play.state, seat))
    }

    fn setup(&self, py: Python<'_>, seat: Seat) -> PyResult<Py<PyAny>> {
        json::to_python(py, &self.setting.game.setup(&self.play.state, seat))
    }

    fn whole(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        json::to_python(py, &self.play.state)
    }

    fn observe(&self, seat: Seat, into: &mut [f32]) {
        self.setting.encoding.observe(&self.setting.game, &self.play.state, seat, into);
    }

    fn copy(&self, seed: Option<Seed>) -> Box<dyn AnyState> {
        let mut play = self.play.clone();
        if let Some(seed) = seed {
            play.reseed(seed);
        }
        let (legal, indices) = (self.legal.clone(), self.indices.clone());
        let setting = Arc::clone(&self.setting);
        Box::new(TypedState { setting, play, legal, indices, is_listed: self.is_listed })
    }

    fn determinize(&self, seat: Seat, seed: Seed) -> PyResult<Box<dyn AnyState>> {
        let game = &self.setting.game;
        let view = game.view(&self.play.state, seat);
        let state = game.determinize(&view, seat, seed.stream("determinize").rng());
        let state = state.map_err(|illegal| PyValueError::new_err(illegal.0))?;
        let play = Play::continuing(game, state, self.play.plies, seed);
        Ok(Box::new(TypedState::new(Arc::clone(&self.setting), play)))
    }

    fn hash(&self) -> String {
        let json = serde_json::to_vec(&self.play.state);
        let json = json.expect("states are plain data with string keys");
        Sha256::digest(json)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn text(&self) -> String {
        self.setting.game.text(&self.play.state)
    }

    fn rollouts(&self, games: usize, seed: Seed, threads: usize) -> Playouts {
        let here = &self.play;
        play_out(&self.setting.game, games, seed, threads, |seed| {
            let mut play = here.clone();
            play.plies = 0;
            play.reseed(seed);
            play
        })
    }
}
