//! Copies of a game's program that bots run as their models.

use crate::error::Error;
use crate::game_programs::loaded;
use crate::message;
use crate::programs::Programs;
use crate::settings::{HOST, SANDBOX};
use botyard_referee::BotCommand;
use botyard_sandbox::Tier;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// The environment variable of a bot that may run a copy of a game's program as its model: JSON with the
/// words of the command as `run`, the `directory` to run it in, and its environment `variables`.
const MODEL_VARIABLE: &str = "BOTYARD_MODEL";

/// Gives bots in this tier a copy of the program of their game as a model, if the game allows it: the command in
/// [`MODEL_VARIABLE`], and its files to read.
///
/// # Errors
///
/// A built-in bot needs the model, and the tier allows it one process alone.
pub(crate) fn give_model(
    tier: Tier,
    game: &str,
    bots: &mut [BotCommand],
    programs: &Programs,
) -> Result<(), Error> {
    let Some(game) = loaded(game) else { return Ok(()) };
    // Where the game allows no model, the bot says so.
    if !game.manifest.model {
        return Ok(());
    }
    if tier == Tier::A {
        check_none_needed(bots, programs)?;
    }
    let program = game.command.program.to_string_lossy();
    let args = game.command.args.iter().map(|arg| arg.to_string_lossy());
    let run: Vec<_> = std::iter::once(program).chain(args).collect();
    let lossy = |text: &OsString| text.to_string_lossy().into_owned();
    let variables: BTreeMap<_, _> =
        game.command.variables.iter().map(|(name, value)| (lossy(name), lossy(value))).collect();
    let model = serde_json::json!({
        "run": run,
        "directory": game.directory.to_string_lossy(),
        "variables": variables,
    });
    for bot in bots {
        bot.variables.push((MODEL_VARIABLE.into(), model.to_string().into()));
        bot.readable.push(game.directory.clone());
    }
    Ok(())
}

fn check_none_needed(bots: &[BotCommand], programs: &Programs) -> Result<(), Error> {
    let needs_model = |bot: &&BotCommand| {
        let built_in = programs.built_in_of(bot).and_then(|name| programs.built_in(&name));
        built_in.is_some_and(|bot| bot.needs_model)
    };
    match bots.iter().find(needs_model) {
        None => Ok(()),
        Some(bot) => Err(Error::host(message![
            format!("{} starts a copy of the game's program, but tier A of the sandbox ", bot.name),
            "allows a bot one process alone; ",
            HOST,
            " says how to have tier B here. For programs that you trust, use ",
            SANDBOX.with("none")
        ])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::BuiltIn;
    use crate::programs::testing::programs;

    #[test]
    fn a_bot_that_needs_a_model_is_refused_where_it_has_one_process() {
        let built_in = |name: &str, needs_model: bool| BuiltIn {
            name: name.into(),
            needs_model,
            ..BuiltIn::default()
        };
        let built_ins = vec![built_in("random", false), built_in("mcts", true)];
        let programs = Programs { built_ins, ..programs() };
        let bot = |name: &str| {
            let (program, args) = programs.command(name);
            BotCommand { name: name.into(), program, args, ..BotCommand::default() }
        };
        assert!(check_none_needed(&[bot("random")], &programs).is_ok());
        let refused = check_none_needed(&[bot("random"), bot("mcts")], &programs);
        let message = refused.map_err(|error| error.to_string());
        assert!(message.is_err_and(|it| it.starts_with("mcts starts a copy")));
    }
}
