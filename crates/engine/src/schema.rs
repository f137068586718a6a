//! JSON Schemas of the types of a game, by `schemars`: the feature `schema`. Without it the crate does
//! not depend on `schemars`, and games have the schemas of their rules alone, as text.

use crate::game::Game;
use serde_json::Value;

/// A type that has a JSON Schema. Every type with `schemars::JsonSchema` is one; without the feature
/// `schema`, every type.
#[cfg(feature = "schema")]
pub trait Described: schemars::JsonSchema {}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> Described for T {}

/// A type that has a JSON Schema. Every type with `schemars::JsonSchema` is one; without the feature
/// `schema`, every type.
#[cfg(not(feature = "schema"))]
pub trait Described {}

#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// Returns the JSON Schema of a type; `None` without the feature `schema`.
#[cfg(feature = "schema")]
pub(crate) fn schema_of<T: Described>() -> Option<Value> {
    Some(schemars::schema_for!(T).to_value())
}

/// Returns the JSON Schema of a type; `None` without the feature `schema`.
#[cfg(not(feature = "schema"))]
#[expect(clippy::extra_unused_type_parameters, reason = "with the feature it is used")]
pub(crate) fn schema_of<T: Described>() -> Option<Value> {
    None
}

/// Returns the JSON Schema of a game's rules; null if there is none.
pub(crate) fn schema_of_rules<G: Game>() -> Value {
    match G::RULES_SCHEMA {
        "" => schema_of::<G::Rules>().unwrap_or_default(),
        text => serde_json::from_str(text).expect("a test compares it with the type"),
    }
}
