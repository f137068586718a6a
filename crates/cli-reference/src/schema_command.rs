//! `botyard schema`: the JSON Schemas of the protocol's messages and of every game's rules,
//! openings, setups, views, actions and chance outcomes, and of what each seat sees of them. They
//! are generated from the types; tests of `protocol` and `engine` compare the copies in
//! `docs/schemas/` with them.

use botyard_cli::failure::Failure;
use botyard_cli::text::{done, done_json};
use botyard_engine::registry;
use botyard_engine::rules::did_you_mean;
use clap::Args;
use serde_json::Value;
use std::process::ExitCode;

/// `botyard schema`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard schema
  botyard schema bot-move
  botyard schema scotland-yard-view > view.json")]
pub struct SchemaArgs {
    /// Schema to print [default: list all schemas]
    pub name: Option<String>,
}

/// All schemas with their names: `bot-move`, `scotland-yard-view`, ...
fn schemas() -> Vec<(String, Value)> {
    let protocol = botyard_protocol::schemas();
    let mut all: Vec<(String, Value)> =
        protocol.into_iter().map(|(name, schema)| (name.to_string(), schema)).collect();
    for game in registry::names() {
        // Known, because the registry listed it.
        let info = registry::info(&game).into_iter().flat_map(|info| info.schemas);
        all.extend(info.map(|(part, schema)| (format!("{game}-{part}"), schema)));
    }
    all
}

/// Prints one schema, or the list of names.
pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<ExitCode> {
    let schemas = schemas();
    let Some(wanted) = &args.name else {
        let names: String = schemas.iter().map(|(name, _)| format!("{name}\n")).collect();
        return done(&names);
    };
    let Some((_, schema)) = schemas.iter().find(|(name, _)| name == wanted) else {
        let known: Vec<String> = schemas.into_iter().map(|(name, _)| name).collect();
        return Err(Failure::usage(format!(
            "there is no schema {wanted:?}{}; `botyard schema` lists them",
            did_you_mean(wanted, &known)
        )));
    };
    done_json(schema)
}
