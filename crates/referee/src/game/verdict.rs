//! The consequences of a failure in a live game: the course rules on it; here the ruling is
//! recorded, sent to the bot and carried out.

use crate::failure::{BotFailure, HostFailure};
use crate::game::report::{Progress, RefereeError};
use crate::game::{GameInProgress, replay_failure};
use crate::program::connection::Connected;
use botyard_engine::{Seat, Turn};
use botyard_protocol::{Fault, FaultKind};
use botyard_replay::briefing::write_error;
use botyard_replay::{CourseError, FaultEvent, MoveTime, Phase, Ruling};
use std::io::{self, Write};

impl<W: Write> GameInProgress<'_, W> {
    /// Handles a failure of the bot in this seat: sends it the error; then the bot forfeits, or a
    /// substitute is played, or the bot is asked again. `time` is given if the bot had been asked.
    pub(crate) fn fail(
        &mut self,
        seat: Seat,
        phase: Phase,
        failure: BotFailure,
        time: Option<MoveTime>,
    ) -> Result<(), RefereeError> {
        let (bot, kind) = (self.spec.seats[seat.index()], failure.kind);
        match self.rule(seat, phase, failure, time)? {
            Ruling::Retry => {}
            Ruling::Substitute => {
                if kind == FaultKind::Timeout {
                    self.notes[bot].expired.push(self.course.turn() + 1);
                }
                self.play_for(seat)?;
            }
            Ruling::Forfeit => {
                self.bots[bot].mark_failed();
                // If this ends the game, the bot is sent the outcome first and ended afterwards.
                if self.course.table().turn() != Turn::Over {
                    self.part_with(bot)?;
                }
            }
        }
        Ok(())
    }

    /// Makes the course rule on a failure, records the ruling, and sends it to the bot.
    pub(crate) fn rule(
        &mut self,
        seat: Seat,
        phase: Phase,
        failure: BotFailure,
        time: Option<MoveTime>,
    ) -> Result<Ruling, HostFailure> {
        let bot = self.spec.seats[seat.index()];
        let kind = failure.kind;
        let turn = if phase == Phase::Setup { 0 } else { self.course.turn() + 1 };
        let legal = match kind {
            FaultKind::IllegalAction => self.course.legal(),
            _ => Vec::new(),
        };
        let ruling = self.course.fault(seat, kind, phase).map_err(course_failure)?;
        let BotFailure { kind, message, got } = failure;
        let fault = Fault { kind, seat: self.seats[seat.index()].clone(), turn, message, got };
        let fatal = ruling.is_fatal();
        if let Some(replay) = &mut self.replay {
            let event = FaultEvent { fault: fault.clone(), fatal };
            replay.write_fault(&event, time).map_err(replay_failure)?;
        }
        (self.observer)(&Progress::Failed { fault: &fault, fatal });
        if let Some(connection) = self.bots[bot].connection_mut() {
            let noted = &mut self.notes[bot].stderr_at_ruling;
            if fatal && noted.is_none() {
                connection.drain_stderr();
                *noted = Some(connection.stderr_log.text());
            }
            write_error(&mut connection.outbox, &fault, fatal, legal);
            // A write error is ignored: the fault counts even if the bot never learns of it.
            let _ = connection.write_now();
        }
        self.faults.push(fault);
        Ok(ruling)
    }
}

/// Returns the failure of a referee whose game does not follow its course.
pub(crate) fn course_failure(error: CourseError) -> HostFailure {
    HostFailure::new("adjudicating the game", io::Error::other(error))
}
