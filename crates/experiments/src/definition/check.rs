//! The checks of a definition that are beyond its form: values, names, openings, and that every seat has a bot.

use super::{Experiment, Published, Row, Statistic, TIME};
use botyard_engine::rules::did_you_mean;
use botyard_engine::{Table, registry};
use botyard_runner::MOST_GAMES;
use botyard_runner::words::counted;
use std::collections::BTreeSet;

/// The most line-ups of a row: more would take too long to play.
const MOST_LINE_UPS: usize = 1000;

impl Experiment {
    /// Checks all that the form of the file does not.
    ///
    /// # Errors
    ///
    /// The place and the message of the first error.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let wrong = |place: &str, message: String| Err((place.to_string(), message));
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c);
        if self.name.is_empty() || !self.name.chars().all(is_name) {
            let message = "expected lower-case letters, digits, dots and dashes";
            return wrong("name", format!("{message}, got {:?}", self.name));
        }
        for (field, text) in
            [("title", &self.title), ("source", &self.source), ("about", &self.about)]
        {
            if text.trim().is_empty() {
                return wrong(field, "expected text, got none".into());
            }
        }
        if self.move_ms == Some(0) || self.cap_ms == 0 {
            return wrong("move_ms and cap_ms", "expected 1 or more, got 0".into());
        }
        if self.bank_ms == Some(0) {
            return wrong("bank_ms", "expected 1 or more, got 0".into());
        }
        if self.increment_ms.is_some() && self.bank_ms.is_none() {
            return wrong("increment_ms", "expected bank_ms beside it, got none".into());
        }
        if self.rows.is_empty() {
            return wrong("row", "expected a [[row]] or more, got none".into());
        }
        let mut labels = BTreeSet::new();
        for (number, row) in (1..).zip(&self.rows) {
            if row.label.trim().is_empty() || !labels.insert(row.label.to_lowercase()) {
                let message = format!("expected a unique label, got {:?}", row.label);
                return wrong(&format!("row {number}"), message);
            }
            self.check_row(row)
                .map_err(|(field, message)| (format!("row {:?}, {field}", row.label), message))?;
        }
        Ok(())
    }

    fn check_row(&self, row: &Row) -> Result<(), (String, String)> {
        let wrong = |place: &str, message: String| Err((place.to_string(), message));
        if !(1..=MOST_GAMES).contains(&self.games_of(row)) {
            let got = self.games_of(row);
            return wrong("games", format!("expected 1 to {MOST_GAMES}, got {got}"));
        }
        if !(row.seconds_a_game.is_finite() && row.seconds_a_game >= 0.0) {
            let got = row.seconds_a_game;
            return wrong("seconds_a_game", format!("expected 0 or more, got {got}"));
        }
        let tables = registry::tables(&self.game, Some(self.preset_of(row)), &self.changes_of(row))
            .map_err(|error| ("game, preset and rules".to_string(), error.to_string()))?;
        let mut table: Box<dyn Table> = tables();
        self.read_openings(&mut *table).map_err(|message| ("openings".to_string(), message))?;
        self.check_bots(row, table.seats())?;
        self.check_decisions(row).map_err(|message| ("decisions_of".to_string(), message))?;
        if row.figures.is_empty() {
            return wrong("figures", "expected one or more, got none".into());
        }
        for figure in &row.figures {
            check_figure(figure, row, table.seats())
                .and_then(|()| self.check_ratio(figure))
                .map_err(|message| ("figures".to_string(), message))?;
        }
        Ok(())
    }

    /// Checks that a ratio, and nothing else, names another row.
    fn check_ratio(&self, figure: &Published) -> Result<(), String> {
        match (&figure.to, figure.statistic.is_ratio()) {
            (Some(to), true) => self.row(to).map(|_| ()),
            (None, true) => {
                Err("expected `to`, the label of the row to compare with, got none".into())
            }
            (Some(to), false) => Err(format!("expected `to` only with a ratio, got {to:?}")),
            (None, false) => Ok(()),
        }
    }

    /// Checks that a row without games has a bot for the decisions of a row with as many, and figures of searches.
    fn check_decisions(&self, row: &Row) -> Result<(), String> {
        let Some(of) = &row.decisions_of else { return Ok(()) };
        let of = self.row(of)?;
        if of.decisions_of.is_some() || self.games_of(of) != self.games_of(row) {
            return Err(format!("expected a row with as many games, got {:?}", of.label));
        }
        let is_known = |figure: &Published| {
            matches!(figure.statistic, Statistic::SecondsASearch | Statistic::SecondsRatio)
        };
        match row.bot {
            Some(_) if row.figures.iter().all(is_known) => Ok(()),
            Some(_) => Err("expected figures of the seconds of searches alone".into()),
            None => Err("expected `bot`, which searches, got none".into()),
        }
    }

    fn check_bots(&self, row: &Row, seats: &[String]) -> Result<(), (String, String)> {
        if self.move_ms.is_none() && row.is_by_time() {
            let message = format!("{TIME} is replaced by move_ms, which is not set");
            return Err(("bots".to_string(), message));
        }
        if row.has_fixed_seats() {
            return check_seats(row, seats).map_err(|message| ("bots".to_string(), message));
        }
        check_entrants(row, seats.len()).map_err(|message| ("entrants".to_string(), message))
    }
}

/// Checks that every seat has a bot.
fn check_seats(row: &Row, seats: &[String]) -> Result<(), String> {
    if row.bot.is_some() {
        return match row.bots.is_empty() {
            true => Ok(()),
            false => Err("expected either a bot for each seat or one for all, got both".into()),
        };
    }
    if let Some(seat) = row.bots.keys().find(|seat| !seats.contains(seat)) {
        return Err(no_seat(seat, seats));
    }
    if let Some(seat) = seats.iter().find(|seat| !row.bots.contains_key(*seat)) {
        return Err(format!(
            "expected a bot for each of {} ({}), got none for {seat}",
            counted(seats.len() as u64, "seat"),
            seats.join(", ")
        ));
    }
    Ok(())
}

/// Checks that the entrants can fill this many seats.
fn check_entrants(row: &Row, seats: usize) -> Result<(), String> {
    if !row.bots.is_empty() || row.bot.is_some() {
        return Err("expected either bots for the seats or entrants, got both".into());
    }
    let mut names = BTreeSet::new();
    if let Some(bot) = row.all_bots().find(|bot| !names.insert(*bot)) {
        return Err(format!("expected every bot once, got {bot} again"));
    }
    let (always, all) = (row.always.len(), row.always.len() + row.entrants.len());
    if always >= seats || all < seats {
        return Err(format!(
            "expected fewer than {} that always play and as many in all or more, got {always} of {all}",
            counted(seats as u64, "bot")
        ));
    }
    let line_ups = row.selections(seats).len();
    if line_ups > MOST_LINE_UPS {
        return Err(format!(
            "expected at most {MOST_LINE_UPS} line-ups, got {line_ups}; take fewer entrants"
        ));
    }
    Ok(())
}

fn no_seat(seat: &str, seats: &[String]) -> String {
    format!(
        "there is no seat {seat:?}{}; the seats are {}",
        did_you_mean(seat, seats),
        seats.join(", ")
    )
}

fn check_figure(figure: &Published, row: &Row, seats: &[String]) -> Result<(), String> {
    match (&figure.seat, &figure.bot) {
        (Some(seat), _) if !seats.contains(seat) => return Err(no_seat(seat, seats)),
        (Some(_), Some(_)) if row.has_fixed_seats() => {
            let message = "expected a seat or a bot, as every seat keeps its bot, got both";
            return Err(message.into());
        }
        (_, Some(bot)) if !row.all_bots().any(|known| known == bot) => {
            let known: Vec<String> = row.all_bots().cloned().collect();
            return Err(format!(
                "no bot {bot:?}{} is in this row; its bots are {}",
                did_you_mean(bot, &known),
                known.join(", ")
            ));
        }
        (None, None) if !figure.statistic.is_of_searches() => {
            return Err("expected a seat or a bot that each figure is about".into());
        }
        _ => {}
    }
    if figure.value.is_some() && figure.more_than.is_some() {
        return Err("expected value or more_than, got both".into());
    }
    if figure.games == Some(0) {
        return Err("expected games of 1 or more, got 0".into());
    }
    if !figure.peaks.is_empty() && figure.statistic != Statistic::MeanWinningRound {
        return Err("expected peaks only for mean-winning-round, got them here".into());
    }
    let (least, most) = match figure.statistic {
        Statistic::WinPercent => (0.0, 100.0),
        Statistic::ScoreASearch => (f64::MIN, f64::MAX),
        _ => (0.0, f64::MAX),
    };
    match figure.value.or(figure.more_than) {
        Some(value) if !(least..=most).contains(&value) => {
            Err(format!("expected a figure from {least} to {most}, got {value}"))
        }
        _ => Ok(()),
    }
}
