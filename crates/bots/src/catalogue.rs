//! The catalogue of the bots that come with Botyard, by name. The general ones and the strongest
//! have separate programs (`botyard-mcts`), [`crate::baselines`] runs any of them, and `botyard`
//! starts itself as a bot that has no program.

use crate::dice_wars::bots;
use crate::{
    alpha_beta, alpha_beta_sova, dice, evasive, expectimax_n, greedy, level, max_n, mcts,
    mcts_belej, mcts_sova, mtdf_2007, random,
};
use botyard_agent::Bot;
use botyard_agent::program;
use botyard_engine::Game;
use botyard_engine::dice_wars::DiceWars;
use botyard_engine::draughts::Draughts;
use botyard_engine::rules::did_you_mean;
use botyard_engine::scotland_yard::ScotlandYard;
use std::process::ExitCode;

/// There is no bot of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no bot {name:?}{}; the bots that come with Botyard are {}",
    did_you_mean(.name, .known),
    .known.join(", ")
)]
pub struct UnknownBot {
    /// The unknown name.
    pub name: String,
    /// The known names.
    pub known: Vec<String>,
}

/// The bots that have a separate program, `botyard-NAME`.
pub const PROGRAMS: [&str; 5] = ["random", "mcts", "max-n", "alpha-beta", "dice"];

/// Returns every bot, the simplest first.
pub fn bots() -> Vec<Bot> {
    vec![
        random::bot(),
        greedy::bot(),
        level::bot(),
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

/// Returns the bot of this name.
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

/// Runs the bot of this name for a referee on standard input and output, for `botyard bot NAME`.
/// Returns the exit code of [`program::run`], or 2 for a name that no bot has.
pub fn run(name: &str) -> ExitCode {
    match bot(name) {
        Ok(bot) => program::run(&bot),
        Err(error) => {
            program::say(&error.to_string());
            ExitCode::from(2)
        }
    }
}

/// Makes a bot.
type Maker = fn() -> Bot;

/// The strongest bot of each game that has a special one.
const STRONGEST: [(&str, Maker); 3] = [
    (Draughts::NAME, alpha_beta::bot),
    (ScotlandYard::NAME, mcts::bot),
    (DiceWars::NAME, dice::bot),
];

/// The bots for other games, the strongest first.
const GENERAL: [Maker; 3] = [mcts::bot, greedy::bot, random::bot];

/// Returns the strongest bot for the game of this name, as measured in `docs/strength.md`; for a
/// game that has not been measured, the first of `mcts`, `greedy` and `random` that plays it.
pub fn strongest(game: &str) -> Option<Bot> {
    let measured = STRONGEST.iter().filter(|(known, _)| *known == game).map(|&(_, bot)| bot);
    let plays = |bot: &Bot| bot.games().any(|played| played == game);
    measured.chain(GENERAL).map(|bot| bot()).find(plays)
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
        for (game, bot) in STRONGEST {
            assert_eq!(strongest(game).map(|bot| bot.name()), Some(bot().name()), "{game}");
        }
        assert!(strongest("chess").is_none());
    }
}
