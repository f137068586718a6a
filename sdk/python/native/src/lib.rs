//! `botyard._engine`: the rules of the games as a module of Python. `botyard/engine.py` shows it to
//! users, and `botyard/_engine.pyi` has its types.
//!
//! Nothing here knows a game by name but the folder [`encoding`]: a new game in the registry of
//! `botyard-engine` can be played at once.

#![deny(clippy::unwrap_used)]

mod classes;
mod encoding;
mod json;
mod play;
mod rollouts;
mod setting;
mod state;
mod threads;
mod vector;

use pyo3::prelude::*;

/// The rules of Botyard's games.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::classes::game::{PyGame, games};
    #[pymodule_export]
    use crate::classes::state::PyState;
    #[pymodule_export]
    use crate::classes::vector::PyVectorEnv;
}
