//! A trial start of a tournament's bots before the first game, to read what they declare and find
//! those that cannot play.

use botyard_league::Entrant;
use botyard_referee::{Bot, Interrupt};
use botyard_runner::bots::bundle::Bundle;
use botyard_runner::{Error, FirstStart, Plan, first_start};

/// A bot that was started once.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
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
pub(crate) fn try_all(
    plan: &Plan,
    bundles: &[Result<Bundle, String>],
    interrupt: &Interrupt,
) -> Result<Vec<Tried>, Error> {
    let game = plan.schedule.game;
    let mut all = Vec::with_capacity(plan.bots.len());
    for (index, (planned, bundle)) in plan.bots.iter().zip(bundles).enumerate() {
        let mut entrant = Entrant { name: planned.name().to_string(), ..Entrant::default() };
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
        let failure = match first_start(&mut bot, Some(game), &plan.limits, interrupt)? {
            FirstStart::Started => None,
            FirstStart::Failed(failure) => Some(failure),
            FirstStart::Stalled(reason) => return Err(Error::host(reason)),
        };
        entrant.version = bot.hello().and_then(|hello| hello.version.clone()).unwrap_or_default();
        all.push(Tried { entrant, failure });
        Bot::quit_all(&mut [bot], &plan.limits).map_err(Error::host)?;
    }
    Ok(all)
}
