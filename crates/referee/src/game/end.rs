//! The end of a game: its line in the replay, `end` for the bots, and the report.

use crate::bot::Bot;
use crate::game::report::{GameReport, Progress, RefereeError};
use crate::game::{GameInProgress, check_rules, replay_failure};
use crate::program::connection::Connected;
use botyard_engine::Table;
use botyard_replay::briefing::write_end;
use botyard_replay::{EndEvent, EndTime};
use std::io::Write;

impl<W: Write> GameInProgress<'_, W> {
    /// Ends a game of which nothing is due any more.
    pub(super) fn end(&mut self) -> Result<GameReport, RefereeError> {
        let outcome = self.course.outcome().expect("nothing is due any more: see play()");
        let turns = self.course.turn();
        let state = self.course.table().state();
        let hash = self.replay.is_some().then(|| self.course.table().state_hash());
        check_rules(self.course.table())?;
        if let Some(replay) = &mut self.replay {
            let totals = self.seats.iter().zip(&self.tallies);
            let time = EndTime {
                total_us: totals.map(|(seat, tally)| (seat.clone(), tally.wall_us)).collect(),
                host: self.host.clone().map(Box::new),
                rules_us: rules_us(self.course.table()),
            };
            let adjudicated = self.course.adjudicated();
            let end = EndEvent { outcome: outcome.clone(), turns, adjudicated };
            replay.write_end(hash, &end, Some(&time)).map_err(replay_failure)?;
        }
        (self.observer)(&Progress::Ended { outcome: &outcome, table: self.course.table() });
        // A frozen bot that was left running must not read `end` sooner than others.
        self.bots.iter_mut().for_each(Bot::rest);
        let mut line = Vec::new();
        write_end(&mut line, &outcome, &self.faults, state);
        for connection in self.bots.iter_mut().filter_map(Bot::connection_mut) {
            connection.outbox.extend_from_slice(&line);
            // What the pipe does not take now is written with the next game's `start`. An error is
            // ignored: the game is over.
            let _ = connection.write_now();
        }
        self.bots.iter_mut().for_each(Bot::rest_or_go_on);
        let mut bots = Vec::with_capacity(self.bots.len());
        for bot in 0..self.bots.len() {
            let has_failed = self.seats_of(bot).any(|seat| self.course.has_forfeited(seat));
            // The rest of its output would be taken for its first output in the next game.
            let notes = &self.notes[bot];
            if has_failed || !notes.expired.is_empty() {
                self.part_with(bot)?;
            }
            bots.push(self.report_of(bot));
        }
        Ok(GameReport {
            outcome,
            faults: std::mem::take(&mut self.faults),
            turns,
            seats: std::mem::take(&mut self.tallies),
            bots,
            host: self.host.take(),
            host_failure: self.host_failure.take(),
            rules_us: rules_us(self.course.table()),
        })
    }
}

/// Returns how long the program with the rules has computed in this game, in microseconds.
fn rules_us(table: &dyn Table) -> Option<u64> {
    table.rules_time().map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
}
