//! The admission of a single bot under the conditions of a tournament file, for events to which bots
//! come one at a time: it must start, and pass the gate if there is one.

use crate::gate::{Admission, GateGames, admit};
use crate::setup::Setup;
use crate::single_gate::SingleGate;
use crate::trial::{Tried, try_all};
use botyard_league::Entrant;
use botyard_referee::{BotCommand, Interrupt};
use botyard_runner::bots::bundle::Bundle;
use botyard_runner::{Error, Observer, Programs, Replays, await_quiet_host};

/// A bot that asks for admission.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its command. The name is in messages and, with the secret of the event, determines the games
    /// of the gate: a bot that comes again under another name has other starts.
    pub command: BotCommand,
    /// Its bundle.
    pub bundle: Bundle,
}

/// A candidate after its games.
#[derive(Clone, Debug)]
pub struct Admitted {
    /// The bot, with what it declared.
    pub entrant: Entrant,
    /// Why it is rejected, in words for its author. `None`: it is admitted.
    pub rejected: Option<String>,
}

/// Has the games of a gate played on other hosts. Returns why the bot is rejected, if it is; `None` if this host is to
/// play them.
pub type GateElsewhere<'a> =
    dyn FnMut(&SingleGate, &Candidate) -> Result<Option<Option<String>>, Error> + 'a;

/// Starts a bot once, and plays the gate of the file, if it has one: elsewhere, or else here.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub fn admit_single(
    setup: &Setup,
    candidate: &Candidate,
    programs: &Programs,
    elsewhere: &mut GateElsewhere<'_>,
    observer: &mut dyn for<'a> Observer<GateGames<'a>>,
    interrupt: &Interrupt,
) -> Result<Admitted, Error> {
    let Candidate { command, bundle } = candidate;
    let draws = setup.draws.part(&command.name);
    let single = Setup { bots: vec![command.clone()], draws, ..setup.clone() };
    let plan = single.plan(single.bots.clone(), 1, Replays::None, None, programs)?;
    let tried = try_all(&plan, &[Ok(bundle.clone())], interrupt)?;
    if let [Tried { entrant, failure: Some(failure) }] = &tried[..] {
        let entrant = Entrant { gate_passed: Some(false), ..entrant.clone() };
        return Ok(Admitted { entrant, rejected: Some(failure.clone()) });
    }
    if let Some(gate) = &setup.file.gate {
        if let (Some(rejected), [Tried { entrant, .. }]) =
            (elsewhere(&SingleGate::of(&single, gate)?, candidate)?, &tried[..])
        {
            let entrant = Entrant { gate_passed: Some(rejected.is_none()), ..entrant.clone() };
            return Ok(Admitted { entrant, rejected });
        }
        await_quiet_host(programs.quiet_within, interrupt)?;
    }
    let Admission { admitted, rejected } =
        admit(&single, tried, None, programs, observer, interrupt)?;
    let admitted = admitted.into_iter().map(|(_, entrant)| (entrant, None));
    let rejected = rejected.into_iter().map(|rejected| (rejected.entrant, Some(rejected.reason)));
    let found = admitted.chain(rejected).next();
    let (entrant, rejected) = found.ok_or_else(|| Error::host("the gate lost its bot"))?;
    Ok(Admitted { entrant, rejected })
}
