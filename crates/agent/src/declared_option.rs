//! An option as a bot declares it: for every game or for one of them.

use botyard_protocol::OptionSpec;
use std::collections::BTreeMap;

/// An option of a bot, and where it applies.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// Its values, its default, and what it does.
    pub spec: OptionSpec,
    /// The game at which it applies; `None` for every game.
    pub game: Option<&'static str>,
    /// Whether it is there for research: to measure parts of the bot against each other.
    pub research: bool,
}

impl DeclaredOption {
    /// Whether it applies at the game of this name.
    pub fn applies_at(&self, game: &str) -> bool {
        self.game.is_none_or(|own| own == game)
    }
}

/// The options of all games in one list, which `hello` has: the referee reads it before it names a
/// game. What one game accepts the list accepts; the default is that of the game declared first.
pub(crate) fn merged(declared: &[DeclaredOption]) -> BTreeMap<String, OptionSpec> {
    let mut all: BTreeMap<String, OptionSpec> = BTreeMap::new();
    for DeclaredOption { name, spec, game, .. } in declared {
        let mut spec = spec.clone();
        if let Some(game) = game {
            let about = about_of(&mut spec);
            *about = format!("{game}: {about}");
        }
        match all.get_mut(name) {
            None => {
                all.insert(name.clone(), spec);
            }
            Some(known) => widen(known, spec),
        }
    }
    all
}

fn about_of(spec: &mut OptionSpec) -> &mut String {
    match spec {
        OptionSpec::Int { about, .. }
        | OptionSpec::Float { about, .. }
        | OptionSpec::Enum { about, .. }
        | OptionSpec::Bool { about, .. }
        | OptionSpec::Text { about, .. } => about,
    }
}

/// Makes a specification accept what another one of the same kind accepts.
fn widen(known: &mut OptionSpec, mut other: OptionSpec) {
    let more = std::mem::take(about_of(&mut other));
    let about = about_of(known);
    *about = format!("{about}; {more}");
    match (known, other) {
        (OptionSpec::Int { min, max, .. }, OptionSpec::Int { min: least, max: most, .. }) => {
            (*min, *max) = ((*min).min(least), (*max).max(most));
        }
        (OptionSpec::Float { min, max, .. }, OptionSpec::Float { min: least, max: most, .. }) => {
            (*min, *max) = (min.min(least), max.max(most));
        }
        (OptionSpec::Enum { values, .. }, OptionSpec::Enum { values: others, .. }) => {
            let new: Vec<String> =
                others.into_iter().filter(|value| !values.contains(value)).collect();
            values.extend(new);
        }
        // Flags and texts accept the same everywhere.
        _ => {}
    }
}
