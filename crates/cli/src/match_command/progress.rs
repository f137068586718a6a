//! The announcement of a match of many games, and its progress bar with the score so far.

use botyard_runner::{Plan, Tally};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;

/// The match in two lines: what is needed to repeat it, and its conditions.
pub fn announcement(plan: &Plan) -> String {
    let schedule = &plan.schedule;
    let names: Vec<&str> = plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    let block = schedule.block_length();
    let seats = if schedule.fixed_seats {
        "seats fixed".to_string()
    } else if schedule.games.is_multiple_of(block) {
        "seats rotated".to_string()
    } else {
        format!(
            "seats rotated (the last block is incomplete: {} games are not a multiple of {block})",
            schedule.games
        )
    };
    let at_once = match plan.concurrency {
        1 => "one game at a time".to_string(),
        number => format!("{number} games at a time"),
    };
    format!(
        "{} games of {}, rules {}, seed {}: {}\n{seats}; {at_once}; {}\n\n",
        schedule.games,
        schedule.game,
        plan.rules,
        schedule.draws,
        names.join(" against "),
        plan.conditions(),
    )
}

/// A progress bar over `games` games on standard error; hidden unless that is a terminal.
pub fn bar(games: u32) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games.into()), ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template("{bar:24} {pos}/{len} games, {rate}, {eta} left  {msg}");
    if let Ok(style) = style {
        bar.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Ignored: a bar that cannot be written changes nothing about the match.
            let _ = write!(out, "{:.1} games/s", state.per_sec());
        }));
    }
    bar.tick();
    bar
}

/// The shares so far: `greedy 75.0%, random 25.0%`.
pub fn live_score(tally: &Tally) -> String {
    let scores: Vec<String> = tally
        .bots
        .iter()
        .filter_map(|bot| Some(format!("{} {:.1}%", bot.name, bot.score.share()? * 100.0)))
        .collect();
    scores.join(", ")
}
