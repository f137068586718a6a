//! `botyard tournament update` and `extend`: enter a new version of a bot, late bots or more games,
//! and then play the remaining games.

use super::arguments::{ExtendArgs, Running, UpdateArgs};
use super::play;
use super::shown::show_gate;
use botyard_cli::failure::{Failure, failed};
use botyard_cli::installed::for_tournaments;
use botyard_cli::text::{out, print_event, warn};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use botyard_tournament::{Addition, Adoption, TournamentEvent, rejected_in_words};
use std::path::Path;
use std::process::ExitCode;

/// Enters a new version of a bot, and plays its games.
pub(super) fn update(args: &UpdateArgs) -> anyhow::Result<ExitCode> {
    let file = args.file.as_deref();
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let addition = Addition::update(
        &args.directory,
        file,
        &args.bot,
        for_tournaments(args.quiet.programs()?),
        &interrupt,
    );
    adopt("updated", addition, &args.directory, args.running, &interrupt)
}

/// Adds games and new bots, and plays the new games.
pub(super) fn extend(args: &ExtendArgs) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let file = args.file.as_deref();
    let addition = Addition::extend(
        &args.directory,
        file,
        for_tournaments(args.quiet.programs()?),
        &interrupt,
    );
    adopt("extended", addition, &args.directory, args.running, &interrupt)
}

fn adopt(
    what: &str,
    addition: Result<Addition, Error>,
    directory: &Path,
    running: Running,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    let admitted = addition.and_then(|addition| {
        warn(&addition.warnings);
        let has_bar = !running.json && !addition.setup.bots.is_empty();
        show_gate(has_bar, |shown, warnings| {
            addition.admit(running.concurrency, shown, warnings, interrupt)
        })
    });
    let admitted = match admitted {
        Ok(admitted) => admitted,
        Err(Error::Interrupted) => return failed("interrupted: the tournament is unchanged"),
        Err(error) => return Err(error.into()),
    };
    if running.json {
        for rejected in admitted.rejected() {
            print_event(TournamentEvent::bot_rejected(rejected))?;
        }
    }
    let adoption = match admitted.adopt(interrupt) {
        Err(Error::Interrupted) => {
            return failed(&format!(
                "interrupted: the tournament is {what}; to play its games: botyard tournament resume {}",
                directory.display()
            ));
        }
        adoption => adoption?,
    };
    match adoption {
        Adoption::Nothing(definition) => {
            let rejected = rejected_in_words(&definition);
            let rejected = rejected.trim_end();
            failed(&format!(
                "error: no bot passed the gate; the tournament is unchanged\n{rejected}"
            ))
        }
        Adoption::Adopted { tournament, entered } => {
            if !running.json {
                out(&match entered.is_empty() {
                    true => format!("{what}: more games\n"),
                    false => format!("{what}: entered: {}\n", entered.join(", ")),
                })?;
            }
            play(*tournament, running, interrupt)
        }
    }
}
