//! The deadline of one exchange with a bot: how long to wait, when to look again, and what follows when
//! the time is over. It is absolute and computed again before every wait, so no trickle of bytes
//! extends it; time that the host took does.

use crate::allowance::Allowance;
use crate::bot::Bot;
use crate::host::evidence::{BEFORE_WATCHING_US, HostEvidence, LOOK_SHARE, LOOK_US, longest_us};
use crate::host::watch::{HostWatch, evidence};
use crate::poll_loop::micros_since;
use std::time::Instant;

/// What a look at the clock says.
#[derive(Debug)]
pub(crate) enum Ruling {
    /// There is time left, or there was when what has come was read.
    InTime,
    /// The time is over.
    TooLate,
    /// The host has not let the bot run for long enough to say.
    CannotTell(Box<HostEvidence>),
}

/// The deadline of one exchange.
#[derive(Debug)]
pub(crate) struct Deadline<'a> {
    allowance: &'a Allowance<'a>,
    since: Instant,
    watch: Option<HostWatch>,
    /// How much of the time before the watch does not count.
    excused_before_us: u64,
    /// How much of the time does not count.
    excused_us: u64,
    /// When the referee wants to look again, after `since`.
    look_at_us: u64,
}

impl<'a> Deadline<'a> {
    /// The deadline of an allowance that began at `since`.
    pub fn new(allowance: &'a Allowance<'a>, since: Instant) -> Deadline<'a> {
        Deadline {
            allowance,
            since,
            watch: None,
            excused_before_us: 0,
            excused_us: 0,
            look_at_us: u64::MAX,
        }
    }

    /// What may be taken.
    pub fn allowance(&self) -> &Allowance<'a> {
        self.allowance
    }

    /// How much of the wall-clock time does not count, in microseconds.
    pub fn excused_us(&self) -> u64 {
        self.excused_us
    }

    /// How long to wait now, in microseconds, when `cpu_us` of CPU time are used.
    pub fn pause_us(&mut self, now: Instant, cpu_us: u64) -> u64 {
        let elapsed_us = micros_since(self.since, now);
        let counted_us = elapsed_us.saturating_sub(self.excused_us);
        let mut pause_us = self.allowance.pause_us(counted_us, cpu_us);
        if elapsed_us > self.allowance.wall_us {
            let left_us = longest_us(self.allowance.wall_us).saturating_sub(elapsed_us);
            let over_us = elapsed_us - self.allowance.wall_us;
            pause_us = pause_us.max(LOOK_US).max(over_us / LOOK_SHARE).min(left_us);
        } else if self.watch.is_none() {
            pause_us = pause_us.min((self.allowance.wall_us / 4).min(BEFORE_WATCHING_US));
        }
        self.look_at_us = elapsed_us.saturating_add(pause_us);
        pause_us
    }

    /// Begins to watch the host, if that was not done before: the decision is none of an instant.
    pub fn watch(&mut self, bots: &[Bot], asked: usize) {
        if self.watch.is_none() {
            let elapsed_us = micros_since(self.since, Instant::now());
            // Usually nothing; but a referee may have been kept from beginning sooner. How crowded
            // the host was says nothing yet: what the bot's children used is not known.
            let known = HostEvidence { denied_us: None, ..self.evidence(bots, asked, elapsed_us) };
            self.excused_before_us = known.excuse();
            self.watch = Some(HostWatch::begin(self.allowance.host, bots, asked));
        }
    }

    /// Returns how much of the time of an answer that was read at `at` does not count, in
    /// microseconds: 0 where it came too soon to be watched.
    pub fn excused_until(&mut self, bots: &[Bot], asked: usize, at: Instant) -> u64 {
        if self.watch.is_some() {
            let evidence = self.evidence(bots, asked, micros_since(self.since, at));
            let excused_us = self.excused_before_us.saturating_add(evidence.excuse());
            self.excused_us = self.excused_us.max(excused_us);
        }
        self.excused_us
    }

    /// Says whether there is time left. Other bots of the game that run while the time of this one is
    /// over in wall-clock time are stopped: they have no claim to it.
    pub fn rule(&mut self, bots: &mut [Bot], asked: usize, now: Instant) -> Ruling {
        let elapsed_us = micros_since(self.since, now);
        let allowed_us = self.allowance.wall_us;
        if elapsed_us.saturating_sub(self.excused_us) <= allowed_us {
            return Ruling::InTime;
        }
        let evidence = self.evidence(bots, asked, elapsed_us);
        let excused_us = self.excused_before_us.saturating_add(evidence.excuse());
        self.excused_us = self.excused_us.max(excused_us);
        let evidence = HostEvidence { excused_us: Some(self.excused_us), ..evidence };
        for (index, bot) in bots.iter_mut().enumerate() {
            if index != asked {
                bot.yield_cores();
            }
        }
        if elapsed_us.saturating_sub(self.excused_us) > allowed_us {
            return Ruling::TooLate;
        }
        if elapsed_us >= longest_us(allowed_us) {
            return Ruling::CannotTell(Box::new(evidence));
        }
        Ruling::InTime
    }

    /// What is known of the host since the watch began, or else since the question.
    fn evidence(&self, bots: &[Bot], asked: usize, elapsed_us: u64) -> HostEvidence {
        evidence(
            (&self.allowance.at_question, self.watch.as_ref()),
            self.allowance.host,
            (bots, asked),
            (self.allowance.wall_us, elapsed_us, elapsed_us.saturating_sub(self.look_at_us)),
        )
    }
}
