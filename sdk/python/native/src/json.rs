//! JSON of the protocol as objects of Python and back, and arguments of Python as our types.

use botyard_engine::random::SeedError;
use botyard_engine::rules::did_you_mean;
use botyard_engine::{Seat, Seed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// Returns what `json.loads` would make of the JSON of `value`.
pub fn to_python(py: Python<'_>, value: &impl Serialize) -> PyResult<Py<PyAny>> {
    // Through a JSON value, because Rust's pairs would become tuples.
    let value =
        serde_json::to_value(value).expect("a game's types are plain data with string keys");
    Ok(pythonize::pythonize(py, &value)?.unbind())
}

/// Reads JSON data of Python. `expected` says what it should be: `an action`.
pub fn of_python<T: DeserializeOwned>(
    value: &Bound<'_, PyAny>,
    game: &str,
    expected: &str,
) -> PyResult<T> {
    pythonize::depythonize(value).map_err(|error| {
        let got = value.repr().map_or_else(|_| "an object".to_string(), |text| text.to_string());
        PyValueError::new_err(format!("expected {expected} of {game}, got {got}: {error}"))
    })
}

/// Reads a seed: a number, a text as replays have it, or `None` for one that the system draws.
pub fn seed(value: Option<&Bound<'_, PyAny>>) -> PyResult<Seed> {
    match value.filter(|value| !value.is_none()) {
        None => Ok(Seed::Number(RandomState::new().hash_one("seed"))),
        Some(value) => value
            .str()?
            .to_string()
            .parse()
            .map_err(|error: SeedError| PyValueError::new_err(error.to_string())),
    }
}

/// Reads a seat: its name, or its place from 0.
pub fn seat(value: &Bound<'_, PyAny>, seats: &[String]) -> PyResult<Seat> {
    if let Ok(name) = value.extract::<String>() {
        let place = seats.iter().position(|seat| *seat == name);
        return place.map(Seat::new).ok_or_else(|| {
            let near = did_you_mean(&name, seats);
            PyValueError::new_err(format!(
                "there is no seat {name:?}{near}; the seats are {}",
                seats.join(", ")
            ))
        });
    }
    match value.extract::<usize>() {
        Ok(place) if place < seats.len() => Ok(Seat::new(place)),
        _ => Err(PyValueError::new_err(format!(
            "expected a seat, by name or as a number from 0 to {}, got {}; the seats are {}",
            seats.len() - 1,
            value.repr()?,
            seats.join(", ")
        ))),
    }
}
