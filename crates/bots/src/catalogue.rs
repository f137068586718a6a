//! The bots that come with Botyard, by name. Each is a program of its own (`botyard-random`), and
//! `botyard` starts itself as any of them where that program was not built.

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
