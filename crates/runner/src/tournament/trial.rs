//! A trial start of a tournament's bots before the first game, to read what they declare and find
//! those that cannot play.

use crate::bots::bundle::Bundle;
use crate::words::stderr_in_words;
use crate::{Error, Plan, REPEATS_OF_VOID};
use botyard_league::Entrant;
use botyard_protocol::{Limits, printable};
use botyard_referee::{Bot, Interrupt, StartError};

/// A bot that was started once.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The bot.
    pub entrant: Entrant,
    /// Why it cannot play, in words for its author.
    pub failure: Option<String>,
}

/// Starts and ends each of the plan's bots that is a bundle.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub fn try_all(
    plan: &Plan,
    bundles: &[Result<Bundle, String>],
    interrupt: &Interrupt,
) -> Result<Vec<Tried>, Error> {
    let game = plan.schedule.game;
    let mut all = Vec::with_capacity(plan.bots.len());
    for (index, (command, bundle)) in plan.bots.iter().zip(bundles).enumerate() {
        let mut entrant = Entrant { name: command.name.clone(), ..Entrant::default() };
        let bundle = match bundle {
            Ok(bundle) => bundle,
            Err(error) => {
                let failure = Some(format!("it could not be started: {error}"));
                all.push(Tried { entrant, failure });
                continue;
            }
        };
        entrant.digest.clone_from(&bundle.digest);
        let mut bot = plan.bot(index);
        let failure = match start(&mut bot, &plan.limits, interrupt) {
            Ok(()) => plays_another_game(&bot, game),
            Err(StartError::Failed { failure, .. }) => {
                if let Some(lost) = bot.lost_files() {
                    return Err(Error::host(lost));
                }
                let stderr = stderr_in_words(bot.stderr_at_start());
                Some(format!("it could not be started: {failure}\n{stderr}"))
            }
            Err(StartError::Option { error, .. }) => Some(error.to_string()),
            Err(StartError::Interrupted) => return Err(Error::Interrupted),
            Err(error @ (StartError::Overloaded { .. } | StartError::Host(_))) => {
                return Err(Error::host(error));
            }
        };
        entrant.version = bot.hello().and_then(|hello| hello.version.clone()).unwrap_or_default();
        all.push(Tried { entrant, failure: failure.map(|failure| failure.trim_end().to_string()) });
        Bot::dismiss(&mut [bot], &plan.limits).map_err(Error::host)?;
    }
    Ok(all)
}

/// Starts a bot, and repeats the start as often as a void game is repeated.
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
    let games = &bot.hello()?.games;
    let plays = games.is_empty() || games.iter().any(|played| played == game);
    (!plays).then(|| {
        let games: Vec<String> = games.iter().map(|game| printable(game, 40)).collect();
        format!("it does not play {game}; its `hello` lists {}", games.join(", "))
    })
}
