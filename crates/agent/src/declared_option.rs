//! A declared option of a bot: for every game or for one of them.

use botyard_protocol::OptionSpec;
use std::collections::BTreeMap;

/// An option of a bot, and the game to which it applies.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// Its values, its default and its description.
    pub spec: OptionSpec,
    /// The game to which it applies; `None` for every game.
    pub game: Option<&'static str>,
    /// Whether it is a research option, used to compare parts of the bot.
    pub research: bool,
}

impl DeclaredOption {
    /// Returns whether it applies to the game of this name.
    pub fn applies_at(&self, game: &str) -> bool {
        self.game.is_none_or(|own| own == game)
    }

    /// Describes its values, its default and what it is for: `an integer from 1 to 9, default 4: the
    /// depth`.
    pub fn in_words(&self) -> String {
        let about = match self.spec.about() {
            "" => String::new(),
            about => format!(": {about}"),
        };
        format!("{}, default {}{about}", self.spec.expected(), self.spec.default_value())
    }
}

/// Merges the options of all games into one list, for `hello`: the referee reads it before it names
/// a game. The list accepts every value that one of the games accepts; the default is that of the
/// game declared first.
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

/// Widens a specification to accept every value of another one of the same kind.
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
        // Flags and texts accept the same values everywhere.
        _ => {}
    }
}
