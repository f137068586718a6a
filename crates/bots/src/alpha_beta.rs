//! The bot `alpha-beta`: searches as deep as its time allows and plays the best line. The algorithm,
//! the evaluation and the refinements are options, so that they can be measured against each other.

use crate::agent::Agent;
use crate::bot::Bot;
use crate::draughts::{Janacek2007, Positional, SearchAgent};
use crate::options::Options;
use crate::search::{Algorithm, Settings};
use botyard_engine::draughts::Draughts;
use botyard_protocol::OptionSpec;

/// The bot.
pub fn bot() -> Bot {
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let algorithms: Vec<&str> = Algorithm::ALL.iter().map(|(name, _)| *name).collect();
    let refinement = |about: &str| OptionSpec::Bool { default: true, about: about.into() };
    let number =
        |min, max, default, about: &str| OptionSpec::Int { min, max, default, about: about.into() };
    Bot::new("alpha-beta", "searches the game tree as deep as its time allows")
        .with_option(
            "algorithm",
            OptionSpec::Enum {
                values: names(&algorithms),
                default: "mtdf".into(),
                about: "how the tree is searched".into(),
            },
        )
        .with_option(
            "eval",
            OptionSpec::Enum {
                values: names(&["positional", "janacek-2007"]),
                default: "positional".into(),
                about: "how positions are judged".into(),
            },
        )
        .with_option(
            "depth",
            number(0, 100, 0, "plies to search; 0 for as many as the time allows"),
        )
        .with_option("hash-mb", number(0, 4096, 64, "memory of the table in MiB; 0 for none"))
        .with_option(
            "grain",
            number(1, 50, 4, "evaluations of `positional` are multiples of this; a man is 100"),
        )
        .with_option("step", number(0, 2, 0, "plies between iterations; 0: as suits the algorithm"))
        .with_option("ordering", refinement("killer and history heuristics"))
        .with_option("quiescence", refinement("search captures out before judging"))
        .with_option("extensions", refinement("a ply more where there is one move only"))
        .with_option("reductions", refinement("fewer plies for quiet moves tried late"))
        .plays::<Draughts>(agent)
}

fn agent(options: &Options) -> Box<dyn Agent<Draughts>> {
    let natural = |name| u32::try_from(options.int(name)).expect("its range is within u32");
    let algorithm = Algorithm::ALL
        .into_iter()
        .find(|(name, _)| *name == options.text("algorithm"))
        .map_or(Algorithm::Mtdf, |(_, algorithm)| algorithm);
    let suited = Settings::new(algorithm);
    let settings = Settings {
        table_mebibytes: natural("hash-mb") as usize,
        step: Some(natural("step")).filter(|&step| step > 0).unwrap_or(suited.step),
        ordering: options.bool("ordering"),
        quiescence: options.bool("quiescence"),
        extensions: options.bool("extensions"),
        reductions: options.bool("reductions"),
        ..suited
    };
    let depth = Some(natural("depth")).filter(|&depth| depth > 0);
    match options.text("eval") {
        "janacek-2007" => Box::new(SearchAgent::new(settings, Janacek2007, depth)),
        _ => {
            let evaluator = Positional { grain: natural("grain") as i32 };
            Box::new(SearchAgent::new(settings, evaluator, depth))
        }
    }
}
