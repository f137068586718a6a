//! `botyard tournament update` and `extend`: enter a new version of a bot, late bots or more games,
//! and then play the remaining games.

use super::arguments::{ExtendArgs, Running, UpdateArgs};
use super::play;
use super::shown::show_gate;
use crate::failure::{FAILED, Failure};
use crate::installed::programs;
use crate::text::{eprint_line, out, print_event, warn};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_runner::tournament::{Addition, Adoption, TournamentEvent, rejected_in_words};
use std::process::ExitCode;

/// Enters a new version of a bot, and plays its games.
pub fn update(args: &UpdateArgs) -> anyhow::Result<ExitCode> {
    let file = args.file.as_deref();
    let addition = Addition::update(&args.directory, file, &args.bot, programs()?)?;
    adopt("updated", addition, args.running)
}

/// Adds games and new bots, and plays the new games.
pub fn extend(args: &ExtendArgs) -> anyhow::Result<ExitCode> {
    let addition = Addition::extend(&args.directory, args.file.as_deref(), programs()?)?;
    adopt("extended", addition, args.running)
}

fn adopt(what: &str, addition: Addition, running: Running) -> anyhow::Result<ExitCode> {
    warn(&addition.warnings);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let has_bar = !running.json && !addition.setup.bots.is_empty();
    let admitted = show_gate(has_bar, |shown, warnings| {
        addition.admit(running.concurrency, shown, warnings, &interrupt)
    });
    let admitted = match admitted {
        Ok(admitted) => admitted,
        Err(Error::Interrupted) => {
            eprint_line("interrupted: the tournament is unchanged");
            return Ok(ExitCode::from(FAILED));
        }
        Err(error) => return Err(error.into()),
    };
    if running.json {
        for rejected in admitted.rejected() {
            print_event(TournamentEvent::bot_rejected(rejected))?;
        }
    }
    match admitted.adopt()? {
        Adoption::Nothing(definition) => {
            let rejected = rejected_in_words(&definition);
            eprint_line(&format!(
                "error: no bot passed the gate; the tournament is unchanged\n{}",
                rejected.trim_end()
            ));
            Ok(ExitCode::from(FAILED))
        }
        Adoption::Adopted { tournament, entered } => {
            if !running.json {
                out(&match entered.is_empty() {
                    true => format!("{what}: more games\n"),
                    false => format!("{what}: entered: {}\n", entered.join(", ")),
                })?;
            }
            play(*tournament, running, &interrupt)
        }
    }
}
