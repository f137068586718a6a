//! What a failure leads to: forgiven, or the seat forfeited; and how a game has ended. The rules
//! say who wins when a seat drops out; this says when it does, and why.

use crate::briefing::write_error;
use crate::failure::BotFailure;
use crate::game::{GameInProgress, replay_failure};
use crate::replay::{FaultEvent, MoveTime};
use crate::report::{Progress, RefereeError};
use botyard_engine::{Seat, Turn, random};
use botyard_protocol::{EndOutcome, Fault, FaultKind, OnFault, OutcomeKind};
use std::io::Write;

/// How often a bot may fail in a game before it forfeits, where failures are substituted.
pub const STRIKES: u32 = 3;

/// The reason of a game that is void because the referee was kept from running.
pub(crate) const STALLED: &str = "host_overloaded";

/// What decided a game before the rules did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A bot's failure.
    Forfeit(FaultKind),
    /// The host's failure, in a word.
    Void(&'static str),
}

impl<W: Write> GameInProgress<'_, W> {
    /// A bot has failed at decision `turn` (0 before the first) in this seat. Either a random
    /// legal action is played for it, where the match says so and it has strikes left, or it
    /// forfeits all its seats.
    pub(crate) fn fail(
        &mut self,
        seat: Seat,
        turn: u32,
        failure: BotFailure,
        time: Option<MoveTime>,
    ) -> Result<(), RefereeError> {
        let bot = self.spec.seats[seat.index()];
        let forgiven = turn > 0
            && self.spec.time.on_fault == OnFault::Substitute
            && is_forgivable(failure.kind)
            // One whose games were void twice has been ended already.
            && self.bots[bot].connection().is_some()
            && {
                self.notes[bot].strikes += 1;
                self.notes[bot].strikes < STRIKES
            };
        let kind = failure.kind;
        self.record(seat, turn, failure, !forgiven, time)?;
        if !forgiven {
            return self.forfeit(seat, kind);
        }
        if kind == FaultKind::Timeout {
            self.notes[bot].expired.push(turn);
        }
        let legal = self.table.legal();
        let chosen = random::choose(self.substitutes.rng(), &legal).map(ToString::to_string);
        let action = chosen.unwrap_or_else(|| self.table.pass());
        self.play_for(seat, &action)
    }

    /// Writes a failure down, and tells the bot of it.
    pub(crate) fn record(
        &mut self,
        seat: Seat,
        turn: u32,
        failure: BotFailure,
        fatal: bool,
        time: Option<MoveTime>,
    ) -> Result<(), RefereeError> {
        let BotFailure { kind, message, got } = failure;
        let seat_name = self.seats[seat.index()].clone();
        let fault = Fault { kind, seat: seat_name, turn, message, got };
        if let Some(replay) = &mut self.replay {
            let event = FaultEvent { fault: fault.clone(), fatal };
            replay.write_fault(&event, time).map_err(replay_failure)?;
        }
        (self.observer)(&Progress::Failed { fault: &fault, fatal });
        let legal = if kind == FaultKind::IllegalAction { self.table.legal() } else { Vec::new() };
        if let Some(connection) = self.bots[self.spec.seats[seat.index()]].connection_mut() {
            write_error(&mut connection.outbox, &fault, fatal, legal);
            // A bot that cannot be told is not told: the fault stands all the same.
            let _ = connection.write_now();
        }
        self.faults.push(fault);
        Ok(())
    }

    /// The bot of this seat drops out of the game, with all its seats.
    fn forfeit(&mut self, seat: Seat, kind: FaultKind) -> Result<(), RefereeError> {
        let bot = self.spec.seats[seat.index()];
        self.bots[bot].mark_failed();
        let others: Vec<Seat> = self.seats_of(bot).filter(|&other| other != seat).collect();
        for seat in [seat].into_iter().chain(others) {
            self.forfeited[seat.index()] = true;
            if self.table.turn() != Turn::Over {
                self.table.forfeit(seat);
            }
        }
        if self.table.turn() == Turn::Over {
            self.verdict.get_or_insert(Verdict::Forfeit(kind));
            // It is ended with the game, when it has been told how that ended.
            return Ok(());
        }
        self.part_with(bot)
    }

    /// How the game has ended.
    pub(crate) fn outcome(&self) -> EndOutcome {
        let void = |reason: &str| EndOutcome {
            kind: OutcomeKind::Void,
            scores: Vec::new(),
            ranks: Vec::new(),
            reason: reason.to_string(),
        };
        let (kind, forfeit) = match self.verdict {
            Some(Verdict::Void(reason)) => return void(reason),
            Some(Verdict::Forfeit(fault)) => (OutcomeKind::BotFault, Some(fault)),
            None => (OutcomeKind::Completed, None),
        };
        let Some(outcome) = self.table.outcome() else {
            // Only a table that breaks its contract is over without an outcome.
            return void("no_outcome");
        };
        let reason = match forfeit {
            Some(fault) => forfeit_reason(fault),
            None => outcome.reason.to_string(),
        };
        // Whoever fails last has not won by that: if nobody is left, nobody wins.
        if self.forfeited.iter().all(|&forfeited| forfeited) {
            let seats = self.seats.len();
            return EndOutcome { kind, scores: vec![0.0; seats], ranks: vec![1; seats], reason };
        }
        let (scores, ranks) = (outcome.scores.to_vec(), outcome.ranks.to_vec());
        EndOutcome { kind, scores, ranks, reason }
    }
}

/// The reason of a game that a fault of this kind decided: `forfeit_timeout`, ...
pub fn forfeit_reason(kind: FaultKind) -> String {
    format!("forfeit_{}", kind.as_str())
}

/// Whether a bot can go on after this: its program is alive and its lines can still be told apart.
pub(crate) fn is_forgivable(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Timeout | FaultKind::IllegalAction | FaultKind::Protocol)
}
