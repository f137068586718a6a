//! `botyard tournament rejudge`: plays selected games of a tournament again. The changes are shown
//! before they are applied, and the old results are always kept.

use super::arguments::RejudgeArgs;
use super::shown::{Shown, resumable, unless_failed};
use crate::failure::{FAILED, Failure};
use crate::installed::programs;
use crate::match_command::empty_table;
use crate::text::{out, print_event, warn};
use botyard_referee::Interrupt;
use botyard_runner::tournament::{
    Choice, Difference, Form, Settled, Tournament, TournamentEvent, finish_rejudge,
};
use botyard_runner::words::counted;
use serde_json::json;
use std::process::ExitCode;

/// How many games with another result are listed.
const SHOWN: usize = 20;

/// Rejudges the selected games, or applies or drops the new results.
pub fn rejudge(args: &RejudgeArgs) -> anyhow::Result<ExitCode> {
    if args.settle.apply || args.settle.drop {
        return apply_or_drop(args);
    }
    let choice = Choice { bots: args.bots.clone(), games: args.games.clone(), faults: args.faults };
    let (mut tournament, generation) =
        Tournament::rejudge(&args.directory, &choice, &args.reason, programs()?)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let games = generation.games.len() as u64;
    let plan = tournament.plan(games, args.running.concurrency)?;
    warn(&plan.warnings);
    let (number, json) = (generation.number, args.running.json);
    if !json {
        out(&format!("rejudging {}; {}\n\n", counted(games, "game"), plan.conditions()))?;
    }
    let session = tournament.rejudge_session(&plan, &generation)?;
    let mut shown = Shown::new(&session, json);
    let ended = session.play(&mut shown, &interrupt).map_err(resumable);
    shown.clear();
    let ended = ended?;
    let difference = Difference::of(&tournament.store, &tournament.schedule, number)?;
    if json {
        print_event(TournamentEvent::rejudging_ended(number, &ended, &difference))?;
    } else {
        out(&in_words(&difference))?;
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
            out(&format!("new results {what}\n\n{}", results.to_text(Form::Table)))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The changes of a generation as text.
fn in_words(difference: &Difference) -> String {
    let mut table = empty_table(&["bot", "rank", "now", "share", "now"]);
    let rank = |rank: Option<usize>| rank.map_or("-".into(), |rank| rank.to_string());
    let share =
        |share: Option<f64>| share.map_or("-".into(), |share| format!("{:.1}%", share * 100.0));
    for old in &difference.before.bots {
        let Some(new) = difference.after.bots.iter().find(|new| new.name == old.name) else {
            continue;
        };
        table.add_row([
            old.name.clone(),
            rank(old.rank),
            rank(new.rank),
            share(old.score.share),
            share(new.score.share),
        ]);
    }
    let judged = counted(difference.judged as u64, "game");
    let mut text =
        format!("{} of {judged} rejudged with a different result\n", difference.changed.len());
    for game in difference.changed.iter().take(SHOWN) {
        let ([old, new], [before, after]) = (&game.ids, &game.points);
        text.push_str(&format!("  {old}: {} now {new}: {}\n", json!(before), json!(after)));
    }
    if difference.changed.len() > SHOWN {
        text.push_str(&format!("  and {} more\n", difference.changed.len() - SHOWN));
    }
    text.push_str(&format!("\n{table}\n"));
    text
}
