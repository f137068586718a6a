//! The totals of a match as text: tables of scores with their intervals, by seat and by place; the
//! reasons of the ends, faults, times.

use crate::adjudication::adjudicated_in_words;
use crate::config::Replays;
use crate::message;
use crate::message::Message;
use crate::plan::Plan;
use crate::settings::DIRECTORY;
use crate::tally::Tally;
use crate::words::{counted, fault_in_words, milliseconds, wrapped};
use botyard_engine::registry;
use botyard_league::plain_table::table_of_numbers;
use botyard_league::score::Score;

impl Tally {
    /// Returns the totals of the games so far as text.
    pub fn to_text(&self, plan: &Plan) -> Message {
        let mut text = format!("{}\n\n{}\n", self.scores(), self.by_seat(plan));
        // With two seats, places follow from the scores.
        if plan.seats.len() > 2 {
            text.push_str(&format!("\n{}\n", self.by_place(plan)));
            if let Ok(info) = registry::info(plan.schedule.game) {
                text.push('\n');
                text.push_str(&wrapped("points and places: ", info.scoring));
            }
        }
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        if !reasons.is_empty() {
            text.push_str(&format!("\nended by: {}\n", reasons.join(", ")));
        }
        let adjudicated = adjudicated_in_words(&self.reasons);
        if !adjudicated.is_empty() {
            text.push_str(&format!("adjudicated by: {adjudicated}\n"));
        }
        if self.void > 0 {
            text.push_str(&format!(
                "void: {}, not counted, because the host failed\n",
                counted(self.void, "game")
            ));
        }
        text.push_str(&format!(
            "{}, {} in {:.1} s: {:.0} moves per second\n",
            counted(self.counted, "game"),
            counted(self.plies, "move"),
            self.elapsed().as_secs_f64(),
            self.plies_per_second()
        ));
        text.push_str(&self.first_faults());
        let faults = !self.first_faults.is_empty();
        match &plan.replays {
            Replays::Own(directory) => message![text, "replays: ", directory.display(), "\n"],
            Replays::Faulty(directory) if faults => message![
                text,
                "replays of games with faults, and the standard error of bots: ",
                directory.display(),
                "; to keep all replays, add ",
                DIRECTORY.with("DIR"),
                "\n"
            ],
            _ if faults => message![
                text,
                "to keep the replays and the standard error of bots, add ",
                DIRECTORY.with("DIR"),
                "\n"
            ],
            _ => message![text],
        }
    }

    fn first_faults(&self) -> String {
        let mut text = String::new();
        for first in &self.first_faults {
            let bot = &self.bots[first.bot];
            let kind = first.fault.kind;
            let times = match bot.faults.get(&kind) {
                Some(&count @ 2..) => format!("{} {count} times, first", kind.as_str()),
                _ => format!("{} once,", kind.as_str()),
            };
            let words = fault_in_words(&first.fault, true);
            text.push_str(&format!("\n{}: {times} in {}:\n  {words}\n", bot.name, first.game_id));
            text.push_str(&first.stderr);
        }
        text
    }

    fn scores(&self) -> String {
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
        let has_points = self.bots.iter().any(|bot| bot.score.points().is_some());
        if has_points {
            header.insert(5, "points");
        }
        let has_excused = self.bots.iter().any(|bot| bot.excused_us > 0);
        header.extend(has_excused.then_some("excused"));
        let mut table = table_of_numbers(&header);
        for bot in &self.bots {
            let faults =
                bot.faults.iter().map(|(kind, count)| format!("{} {count}", kind.as_str()));
            let faults: Vec<String> = faults.collect();
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
            row.extend(has_excused.then(|| excused(bot.excused_us, bot.longest_excused_us)));
            table.add_row(row);
        }
        table.to_string()
    }

    fn by_seat(&self, plan: &Plan) -> String {
        let seats: Vec<String> = plan.seats.iter().map(|seat| format!("as {seat}")).collect();
        let mut header = vec!["bot"];
        header.extend(seats.iter().map(String::as_str));
        let mut table = table_of_numbers(&header);
        for bot in &self.bots {
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
        table.to_string()
    }

    fn by_place(&self, plan: &Plan) -> String {
        let places: Vec<String> =
            (1..=plan.seats.len()).map(|place| format!("place {place}")).collect();
        let mut header = vec!["bot"];
        header.extend(places.iter().map(String::as_str));
        header.push("mean place");
        let mut table = table_of_numbers(&header);
        for bot in &self.bots {
            let mut row = vec![bot.name.clone()];
            row.extend(bot.places.iter().map(u32::to_string));
            row.push(bot.mean_place().map_or_else(nothing, |place| format!("{place:.2}")));
            table.add_row(row);
        }
        table.to_string()
    }
}

/// Returns the excused time of a bot: all of it, and the most of a decision.
fn excused(all_us: u64, longest_us: u64) -> String {
    let [all, longest] = [all_us, longest_us].map(|us| milliseconds(us as f64));
    if all_us == 0 { nothing() } else { format!("{all}, longest {longest}") }
}

fn share(score: &Score) -> String {
    score.share().map_or_else(nothing, percent)
}

/// Returns the mean of the game's own points.
fn points(score: &Score) -> String {
    score.points().map_or_else(nothing, |points| format!("{:.2}", points + 0.0))
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

fn nothing() -> String {
    "-".to_string()
}
