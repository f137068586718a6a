//! The first start of a bot, with the reason for its author if it cannot play. A tournament starts
//! every bot once before the first game, and a check of a bot begins with it: both say the same.

use crate::error::Error;
use crate::void_games::REPEATS_OF_VOID;
use crate::words::stderr_in_words;
use botyard_engine::registry::plain_name;
use botyard_protocol::{Limits, printable};
use botyard_referee::{Bot, Interrupt, StartError};

/// The result of a first start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstStart {
    /// The bot is running.
    Started,
    /// It cannot play, for this reason.
    Failed(String),
    /// The host could not start it at any attempt.
    Stalled(String),
}

/// Starts a bot, and repeats the start as often as a void game is repeated. Its `hello` must list
/// `game`, if one is given.
///
/// # Errors
///
/// An interrupt, or a failure of the host that lost the bot's files.
pub fn first_start(
    bot: &mut Bot,
    game: Option<&str>,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<FirstStart, Error> {
    let failure = match start(bot, limits, interrupt) {
        Ok(()) => game.and_then(|game| plays_another_game(bot, game)),
        Err(StartError::Failed { failure, .. }) => {
            if let Some(lost) = bot.lost_files() {
                return Err(Error::host(lost));
            }
            let stderr = stderr_in_words(bot.stderr_at_start(), None);
            Some(format!("it could not be started: {failure}\n{stderr}"))
        }
        Err(StartError::Option { error, .. }) => Some(error.to_string()),
        Err(StartError::Interrupted) => return Err(Error::Interrupted),
        Err(error @ (StartError::Overloaded { .. } | StartError::Host(_))) => {
            return Ok(FirstStart::Stalled(error.to_string()));
        }
    };
    Ok(match failure {
        Some(failure) => FirstStart::Failed(failure.trim_end().to_string()),
        None => FirstStart::Started,
    })
}

fn start(bot: &mut Bot, limits: &Limits, interrupt: &Interrupt) -> Result<(), StartError> {
    let mut repeats = 0..REPEATS_OF_VOID;
    loop {
        match bot.start(limits, interrupt) {
            Err(StartError::Overloaded { .. } | StartError::Host(_))
                if repeats.next().is_some() => {}
            started => return started,
        }
    }
}

fn plays_another_game(bot: &Bot, game: &str) -> Option<String> {
    let game = plain_name(game);
    let games = &bot.hello()?.games;
    let plays = games.is_empty() || games.iter().any(|played| played == game);
    (!plays).then(|| {
        let games: Vec<String> = games.iter().map(|game| printable(game, 40)).collect();
        format!("it does not play {game}; its `hello` lists {}", games.join(", "))
    })
}
