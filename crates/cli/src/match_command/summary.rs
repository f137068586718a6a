//! The summary of a match: tables of scores with their intervals, by seat and by place; reasons of
//! the ends, faults, times.

use botyard_engine::registry;
use botyard_league::plain_table::plain_table;
use botyard_league::score::Score;
use botyard_runner::words::{counted, fault_in_words, milliseconds, wrapped};
use botyard_runner::{Plan, Replays, Tally, adjudicated_in_words};
use comfy_table::Table;

/// The summary of all finished games.
pub fn summary(plan: &Plan, tally: &Tally) -> String {
    let mut text = format!("{}\n\n{}\n", scores(tally), by_seat(plan, tally));
    // With two seats, places follow from the scores.
    if plan.seats.len() > 2 {
        text.push_str(&format!("\n{}\n", by_place(plan, tally)));
        if let Ok(info) = registry::info(plan.schedule.game) {
            text.push('\n');
            text.push_str(&wrapped("points and places: ", info.scoring));
        }
    }
    let reasons: Vec<String> =
        tally.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if !reasons.is_empty() {
        text.push_str(&format!("\nended by: {}\n", reasons.join(", ")));
    }
    let adjudicated = adjudicated_in_words(&tally.reasons);
    if !adjudicated.is_empty() {
        text.push_str(&format!("adjudicated by: {adjudicated}\n"));
    }
    if tally.void > 0 {
        text.push_str(&format!(
            "void: {}, not counted, because the host failed\n",
            counted(tally.void, "game")
        ));
    }
    text.push_str(&format!(
        "{}, {} in {:.1} s: {:.0} moves per second\n",
        counted(tally.counted, "game"),
        counted(tally.plies, "move"),
        tally.elapsed().as_secs_f64(),
        tally.plies_per_second()
    ));
    for first in &tally.first_faults {
        let bot = &tally.bots[first.bot];
        let kind = first.fault.kind;
        let times = match bot.faults.get(&kind) {
            Some(&count @ 2..) => format!("{} {count} times, first", kind.as_str()),
            _ => format!("{} once,", kind.as_str()),
        };
        let words = fault_in_words(&first.fault, true);
        text.push_str(&format!("\n{}: {times} in {}:\n  {words}\n", bot.name, first.game_id));
        text.push_str(&first.stderr);
    }
    if let Replays::Own(directory) = &plan.replays {
        text.push_str(&format!("replays: {}\n", directory.display()));
    } else if !tally.first_faults.is_empty() {
        text.push_str("to keep the replays and the standard error of bots, add --out DIR\n");
    }
    text
}

fn scores(tally: &Tally) -> Table {
    let mut header = vec![
        "bot",
        "games",
        "wins",
        "draws",
        "losses",
        "share",
        "95% interval",
        "faults",
        "mean move",
        "longest",
    ];
    let has_points = tally.bots.iter().any(|bot| bot.score.points().is_some());
    if has_points {
        header.insert(5, "points");
    }
    let mut table = empty_table(&header);
    for bot in &tally.bots {
        let faults: Vec<String> =
            bot.faults.iter().map(|(kind, count)| format!("{} {count}", kind.as_str())).collect();
        let mut row = vec![
            bot.name.clone(),
            bot.score.games().to_string(),
            bot.score.wins.to_string(),
            bot.score.draws.to_string(),
            bot.score.losses.to_string(),
            share(&bot.score),
            bot.score.interval().map_or_else(nothing, |interval| {
                format!("{} to {}", percent(interval.low), percent(interval.high))
            }),
            if faults.is_empty() { nothing() } else { faults.join(", ") },
            bot.mean_us().map_or_else(nothing, milliseconds),
            bot.mean_us().map_or_else(nothing, |_| milliseconds(bot.longest_us as f64)),
        ];
        if has_points {
            row.insert(5, points(&bot.score));
        }
        table.add_row(row);
    }
    table
}

fn by_seat(plan: &Plan, tally: &Tally) -> Table {
    let seats: Vec<String> = plan.seats.iter().map(|seat| format!("as {seat}")).collect();
    let mut header = vec!["bot"];
    header.extend(seats.iter().map(String::as_str));
    let mut table = empty_table(&header);
    for bot in &tally.bots {
        let mut row = vec![bot.name.clone()];
        row.extend(bot.by_seat.iter().map(|score| match score.games() {
            0 => nothing(),
            games => match score.points() {
                Some(_) => format!("{} points in {games}", points(score)),
                None => format!("{} of {games}", share(score)),
            },
        }));
        table.add_row(row);
    }
    table
}

fn by_place(plan: &Plan, tally: &Tally) -> Table {
    let places: Vec<String> =
        (1..=plan.seats.len()).map(|place| format!("place {place}")).collect();
    let mut header = vec!["bot"];
    header.extend(places.iter().map(String::as_str));
    header.push("mean place");
    let mut table = empty_table(&header);
    for bot in &tally.bots {
        let mut row = vec![bot.name.clone()];
        row.extend(bot.places.iter().map(u32::to_string));
        row.push(bot.mean_place().map_or_else(nothing, |place| format!("{place:.2}")));
        table.add_row(row);
    }
    table
}

/// A table whose first column has words, and all others numbers.
pub fn empty_table(header: &[&str]) -> Table {
    plain_table(header, |column| column == 0)
}

fn share(score: &Score) -> String {
    score.share().map_or_else(nothing, percent)
}

/// The mean of the game's own points.
fn points(score: &Score) -> String {
    score.points().map_or_else(nothing, |points| format!("{:.2}", points + 0.0))
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

fn nothing() -> String {
    "-".to_string()
}
