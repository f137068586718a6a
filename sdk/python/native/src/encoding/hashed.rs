//! The encoding that suits every game: the view's JSON by feature hashing (Weinberger et al. 2009,
//! "Feature hashing for large scale multitask learning"), and the place of an action in the list of
//! legal actions as its index.
//!
//! Every value in the view is a feature with the path to it as its name. A number is added at the place
//! that its name is hashed to; any other value adds 1 at the place of its name and value. Features can
//! share a place.

use super::{Indexing, NO_INDEX, Spec, ViewEncoding, Writer};
use botyard_engine::{Game, Seat};
use serde_json::Value;

const PLACES: usize = 1024;
const ACTIONS: usize = 1024;

pub struct Hashed {
    spec: Spec,
}

impl Hashed {
    pub fn new() -> Hashed {
        Hashed {
            spec: Spec { bounded: false, ..Spec::new(ACTIONS, vec![("features", vec![PLACES])]) },
        }
    }
}

impl<G: Game> Indexing<G> for Hashed {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn indices(&self, _seat: Seat, legal: &[G::Action], into: &mut Vec<u32>) {
        into.clear();
        into.extend((0..legal.len()).map(|n| if n < ACTIONS { n as u32 } else { NO_INDEX }));
    }
}

impl<G: Game> ViewEncoding<G> for Hashed {
    fn observe(&self, _game: &G, view: &G::View, seat: Seat, into: &mut Writer<'_>) {
        let features = into.next(PLACES);
        let view = serde_json::to_value(view).expect("views are plain data with string keys");
        features[place(Fnv::START.with(b"seat").with(&[seat.index() as u8]))] += 1.0;
        add(&view, Fnv::START, features);
    }
}

fn add(value: &Value, name: Fnv, features: &mut [f32]) {
    match value {
        Value::Number(number) => features[place(name)] += number.as_f64().unwrap_or(0.0) as f32,
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                add(value, name.with(b"/").with(&(index as u64).to_le_bytes()), features);
            }
        }
        Value::Object(values) => {
            for (key, value) in values {
                add(value, name.with(b".").with(key.as_bytes()), features);
            }
        }
        Value::String(text) => features[place(name.with(b"=").with(text.as_bytes()))] += 1.0,
        Value::Bool(truth) => features[place(name.with(b"?").with(&[u8::from(*truth)]))] += 1.0,
        Value::Null => features[place(name.with(b"!"))] += 1.0,
    }
}

fn place(name: Fnv) -> usize {
    (name.0 ^ name.0 >> 32) as usize % PLACES
}

/// FNV-1a with 64 bits (Fowler, Noll, Vo): the same in every version, as weights depend on it.
#[derive(Clone, Copy)]
struct Fnv(u64);

impl Fnv {
    const START: Fnv = Fnv(0xcbf2_9ce4_8422_2325);

    fn with(self, bytes: &[u8]) -> Fnv {
        Fnv(bytes.iter().fold(self.0, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}
