//! Options whose value is one of a library's own, by its name: `--clock cpu`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The values of an option, each with its name and its help.
pub type Named<T> = [(T, &'static str, &'static str)];

/// Makes the parser of an option that takes one of these values.
pub fn one_of<T: Clone + Send + Sync>(
    values: &'static Named<T>,
) -> impl TypedValueParser<Value = T> {
    let possible = values.iter().map(|&(_, name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(possible).try_map(|given| {
        let named = values.iter().find(|(_, name, _)| *name == given);
        named.map(|(value, ..)| value.clone()).ok_or("expected one of the possible values")
    })
}
