//! The bots that come with Botyard, by name. The general ones and the strongest have a program of their
//! own (`botyard-mcts`), [`crate::baselines`] is any of them, and `botyard` starts itself as one where it
//! has no program.

use crate::dice_wars::bots;
use crate::{
    alpha_beta, alpha_beta_sova, dice, evasive, expectimax_n, greedy, max_n, mcts, mcts_belej,
    mcts_sova, mtdf_2007, random,
};
use botyard_agent::Bot;
use botyard_agent::program;
use botyard_engine::rules::did_you_mean;
use std::process::ExitCode;

/// No bot of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no bot {name:?}{}; the bots that come with Botyard are {}",
    did_you_mean(.name, .known),
    .known.join(", ")
)]
pub struct UnknownBot {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub known: Vec<String>,
}

/// The bots that have a program of their own, `botyard-NAME`.
pub const PROGRAMS: [&str; 5] = ["random", "mcts", "max-n", "alpha-beta", "dice"];

/// Every bot, the simplest first.
pub fn bots() -> Vec<Bot> {
    vec![
        random::bot(),
        greedy::bot(),
        evasive::bot(),
        alpha_beta_sova::bot(),
        mcts_sova::bot(),
        mcts_belej::bot(),
        mcts::bot(),
        mtdf_2007::bot(),
        max_n::bot(),
        expectimax_n::bot(),
        alpha_beta::bot(),
        bots::rand(),
        bots::sdc(),
        bots::ste(),
        bots::stei(),
        bots::sdc_at(),
        bots::stei_at(),
        bots::stei_dt(),
        bots::stei_adt(),
        bots::max_n_2021(),
        dice::bot(),
    ]
}

/// The bot of this name.
///
/// # Errors
///
/// A name that no bot has.
pub fn bot(name: &str) -> Result<Bot, UnknownBot> {
    let mut bots = bots();
    match bots.iter().position(|bot| bot.name() == name) {
        Some(index) => Ok(bots.swap_remove(index)),
        None => Err(UnknownBot {
            name: name.into(),
            known: bots.iter().map(|bot| bot.name().into()).collect(),
        }),
    }
}

/// Is the bot of this name for a referee on standard input and output: what `botyard bot NAME`
/// does. The exit code is that of [`program::run`], or 2 for a name that no bot has.
pub fn run(name: &str) -> ExitCode {
    match bot(name) {
        Ok(bot) => program::run(&bot),
        Err(error) => {
            program::say(&error.to_string());
            ExitCode::from(2)
        }
    }
}

/// The strongest bot of each game that has one of its own kind; for others a general one does.
const STRONGEST: [(&str, &str); 3] =
    [("draughts", "alpha-beta"), ("scotland-yard", "mcts"), ("dice-wars", "dice")];

/// The strongest bot that plays the game of this name, as measured in `docs/strength.md`; for a game
/// that has not been measured, the first of `mcts`, `greedy` and `random` that plays it.
pub fn strongest(game: &str) -> Option<Bot> {
    let measured = STRONGEST.iter().filter(|(known, _)| *known == game).map(|(_, name)| *name);
    let mut names = measured.chain(["mcts", "greedy", "random"]);
    let plays = |bot: &Bot| bot.games().any(|played| played == game);
    names.find_map(|name| bot(name).ok().filter(plays))
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::registry;

    #[test]
    fn every_game_has_a_strongest_bot() {
        for game in registry::names() {
            assert!(strongest(&game).is_some(), "{game}");
        }
        for (game, name) in STRONGEST {
            assert_eq!(strongest(game).map(|bot| bot.name()), Some(name), "{game}");
        }
        assert!(strongest("chess").is_none());
    }
}
