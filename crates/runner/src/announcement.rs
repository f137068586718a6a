//! What is announced of games before the first of them: what is needed to repeat them, and their
//! conditions.

use crate::plan::Plan;
use crate::planned_bot::PlannedBot;
use botyard_engine::registry::plain_name;
use botyard_league::schedule::ScheduledGame;

impl Plan {
    /// Returns the announcement of a match of many games, in two lines and an empty one.
    pub fn announcement(&self) -> String {
        let schedule = &self.schedule;
        let names: Vec<&str> = self.bots.iter().map(PlannedBot::name).collect();
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
        format!(
            "{} games of {}, rules {}, seed {}: {}\n{seats}; {}; {}\n\n",
            schedule.games,
            plain_name(schedule.game),
            self.rules,
            schedule.draws,
            names.join(" against "),
            self.at_once(),
            self.conditions(),
        )
    }

    /// Returns the announcement of one game: its name, rules and seed, and the bot in each seat.
    pub fn announcement_of_game(&self, game: &ScheduledGame) -> String {
        let width = self.width_of_seats();
        let mut text = format!(
            "{}, rules {}, seed {}\n",
            plain_name(self.schedule.game),
            self.rules,
            self.schedule.draws
        );
        for (seat, &bot) in self.seats.iter().zip(&game.seats) {
            text.push_str(&format!("  {seat:width$}  {}\n", self.bots[bot].name()));
        }
        text.push_str(&format!("{}\n", self.conditions()));
        text
    }

    /// Returns how many games are played at once: `4 games at a time`.
    pub fn at_once(&self) -> String {
        match self.concurrency {
            1 => "one game at a time".to_string(),
            number => format!("{number} games at a time"),
        }
    }

    /// Returns the width of a column of seats, in characters.
    pub(crate) fn width_of_seats(&self) -> usize {
        self.seats.iter().map(|seat| seat.chars().count()).max().unwrap_or(0)
    }
}
