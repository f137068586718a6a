//! `botyard tournament rejudge`: plays selected games of a tournament again. The changes are shown
//! before they are applied, and the old results are always kept.

use super::arguments::RejudgeArgs;
use super::shown::{play_again, unless_failed};
use botyard_cli::failure::{FAILED, Failure};
use botyard_cli::installed::{for_tournaments, programs};
use botyard_cli::text::{done, out, print_event, warn, warn_during_games};
use botyard_referee::Interrupt;
use botyard_runner::words::counted;
use botyard_tournament::{
    Choice, Difference, Form, Settled, Tournament, TournamentEvent, finish_rejudge,
};
use std::process::ExitCode;

/// Rejudges the selected games, or applies or drops the new results.
pub(super) fn rejudge(args: &RejudgeArgs) -> anyhow::Result<ExitCode> {
    if args.settle.apply || args.settle.drop {
        return apply_or_drop(args);
    }
    let choice = Choice { bots: args.bots.clone(), games: args.games.clone(), faults: args.faults };
    let (mut tournament, generation) =
        Tournament::rejudge(&args.directory, &choice, &args.reason, for_tournaments(programs()?))?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let games = generation.games.len() as u64;
    let mut plan = tournament.plan(games, args.running.concurrency)?;
    plan.announce_overload(warn_during_games);
    warn(&plan.warnings);
    let (number, json) = (generation.number, args.running.json);
    if !json {
        out(&format!("rejudging {}; {}\n\n", counted(games, "game"), plan.conditions()))?;
    }
    let games = tournament.rejudge_games(&plan, &generation)?;
    let ended = play_again(games, json, &interrupt)?;
    let difference = Difference::of(&tournament.store, &tournament.schedule, number)?;
    if json {
        print_event(TournamentEvent::rejudging_ended(number, &ended, &difference))?;
    } else {
        out(&difference.to_text())?;
        let shown = tournament.directory.path().display();
        out(&format!(
            "\nnothing has changed yet; next: botyard tournament rejudge {shown} --apply, or --drop\n"
        ))?;
    }
    if let Some(stop) = ended.stopped {
        unless_failed(stop)?;
        return Ok(ExitCode::from(FAILED));
    }
    Ok(if ended.missing == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn apply_or_drop(args: &RejudgeArgs) -> anyhow::Result<ExitCode> {
    match finish_rejudge(&args.directory, args.settle.apply)? {
        Settled::Missing(missing) => Err(Failure::usage(format!(
            "{} to rejudge without a result; to resume: botyard tournament rejudge {}",
            counted(missing, "game"),
            args.directory.display()
        ))),
        Settled::Done(results) => {
            let what = if args.settle.apply { "applied" } else { "dropped" };
            done(&format!("new results {what}\n\n{}", results.to_text(Form::Table)))
        }
    }
}
