//! Measurements of the host during one decision. They begin when it takes longer than a quick
//! answer, and end with the answer or a deadline that passes.

use super::evidence::excuse;
use super::gauge::{CanaryReading, HostGauge};
use crate::program::connection::{Connected, Connection};
use crate::program::processes::Processes;
use arrayvec::ArrayVec;
use botyard_engine::MAX_SEATS;
use botyard_replay::HostEvidence;
use botyard_sandbox::{CoreWaits, HostLoad};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The counters at the moment when a bot is asked: as few as possible, because they are read at
/// every question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtQuestion {
    canary: CanaryReading,
    /// CPU time of the bot's own process, where it can be read without delay.
    pub own_cpu: Option<Duration>,
}

impl AtQuestion {
    /// Reads the counters now.
    pub fn now(host: &dyn HostGauge, processes: Option<&Processes>) -> AtQuestion {
        let own_cpu = processes.and_then(Processes::own_cpu_time);
        AtQuestion { canary: host.canary(), own_cpu }
    }

    /// Returns the measurements since the question, `elapsed_us` ago.
    fn until(
        &self,
        canary: CanaryReading,
        bots: &[impl Connected],
        asked: usize,
        elapsed_us: u64,
    ) -> HostEvidence {
        let own = bots[asked].connection().and_then(|bot| bot.processes.own_cpu_time());
        let used = own.zip(self.own_cpu).map(|(now, then)| now.saturating_sub(then));
        let counted = HostEvidence {
            watched_us: elapsed_us,
            cpu_us: used.map(micros),
            ..HostEvidence::default()
        };
        with_canary(counted, canary, self.canary)
    }
}

/// The counters at the moment when the watch began.
#[derive(Debug)]
pub(crate) struct HostWatch {
    begun: Instant,
    canary: CanaryReading,
    load: HostLoad,
    cpu: Option<Duration>,
    /// How long the bot's threads have waited for a core.
    waits: RefCell<CoreWaits>,
    /// The other running bots, by index, with their CPU time; `None` if one is not measured.
    others: Option<ArrayVec<(usize, Duration), MAX_SEATS>>,
    /// Whether the CPU time of this bot and of the others was that of all their processes, and when
    /// that was last checked.
    whole: Cell<Option<(Instant, [bool; 2])>>,
}

/// How long it is not checked again whether all processes of the bots are counted, because the check
/// lists the processes of the host.
const WHOLE_FOR: Duration = Duration::from_millis(50);

impl HostWatch {
    /// Begins to watch the host: makes the first measurement.
    pub fn begin<B: Connected>(host: &dyn HostGauge, bots: &[B], asked: usize) -> HostWatch {
        let others = running_others(bots, asked);
        host.sample_now();
        let canary = host.canary();
        let load = host.load();
        let cpu = cpu_time(bots, asked);
        let others = others.map(|index| Some((index, cpu_time(bots, index)?))).collect();
        let waits = RefCell::default();
        longest_wait(&waits, host, bots, asked);
        // The time is read last. If the referee does not run for a while during these measurements,
        // that time belongs to the one before the watch, for which the referee's lateness counts.
        let whole = Cell::new(None);
        HostWatch { begun: Instant::now(), canary, load, cpu, waits, others, whole }
    }

    /// Returns when the watch began.
    pub fn begun(&self) -> Instant {
        self.begun
    }

    /// Returns the time to be excused before the watch, which began `elapsed_us` after the question
    /// and `late_us` after the time for which the referee had planned it. How crowded the host was
    /// is left out: the CPU time of the bot's children is not known, and they may be the crowd.
    pub fn excused_before(
        &self,
        at_question: &AtQuestion,
        bots: &[impl Connected],
        asked: usize,
        (elapsed_us, late_us): (u64, u64),
    ) -> u64 {
        let counted = at_question.until(self.canary, bots, asked, elapsed_us);
        excuse(&HostEvidence { denied_us: None, late_us, ..counted })
    }

    /// Returns whether the CPU time of the bot that was asked, and that of the others, is that of all
    /// their processes.
    fn are_counted_whole(&self, bots: &[impl Connected], asked: usize) -> [bool; 2] {
        if let Some((at, whole)) = self.whole.get()
            && at.elapsed() < WHOLE_FOR
        {
            return whole;
        }
        let whole = are_counted_whole(bots, asked);
        self.whole.set(Some((Instant::now(), whole)));
        whole
    }

    /// Returns the measurements since the watch began.
    fn since(&self, host: &dyn HostGauge, bots: &[impl Connected], asked: usize) -> HostEvidence {
        let load = host.load().since(&self.load);
        let used = cpu_time(bots, asked).zip(self.cpu).map(|(now, then)| now.saturating_sub(then));
        let used_since = |&(index, then): &(usize, Duration)| {
            cpu_time(bots, index).unwrap_or(then).saturating_sub(then)
        };
        let others = self.others.as_ref().map(|others| others.iter().map(used_since).sum());
        let counted = HostEvidence {
            watched_us: micros(self.begun.elapsed()),
            cpu_us: used.map(micros),
            waited_us: longest_wait(&self.waits, host, bots, asked).map(micros),
            stolen_us: load.stolen.map(micros),
            pressure_us: load.pressure.map(micros),
            idle_us: load.idle.map(micros),
            referee_us: load.own_wait.map(micros),
            others_us: others.map(micros),
            ..HostEvidence::default()
        };
        let canary = host.canary();
        HostEvidence {
            denied_us: denied_us(&load, canary, self.canary),
            ..with_canary(counted, canary, self.canary)
        }
    }
}

/// Returns how long a thread on the cores of this load would have waited for one, in microseconds.
/// The canary counts the threads of all cores of the host. For a referee that may use only some of
/// the cores, the result is therefore the upper bound of what those threads can have taken. The
/// kernel counts idle time in ticks of 10 ms, so over a shorter time only the canary shows that no
/// thread waited.
fn denied_us(load: &HostLoad, now: CanaryReading, then: CanaryReading) -> Option<u64> {
    if load.all_cores {
        difference(now.denied, then.denied)
    } else {
        difference(now.denied_on_one, then.denied_on_one)
    }
}

/// Returns the measurements at a check, `elapsed_us` after the question and `late_us` after the
/// time for which the referee had planned the check.
pub(crate) fn evidence(
    (at_question, watch): (&AtQuestion, Option<&HostWatch>),
    host: &dyn HostGauge,
    (bots, asked): (&[impl Connected], usize),
    (allowed_us, elapsed_us, late_us): (u64, u64, u64),
) -> HostEvidence {
    let counted = match watch {
        Some(watch) => watch.since(host, bots, asked),
        // The referee was woken so late that the watch has not begun.
        None => at_question.until(host.canary(), bots, asked, elapsed_us),
    };
    let counted = HostEvidence { allowed_us, late_us, ..counted };
    if excuse(&counted) == 0 {
        return counted;
    }
    let [is_whole, are_others_whole] = match watch {
        Some(watch) => watch.are_counted_whole(bots, asked),
        None => are_counted_whole(bots, asked),
    };
    let others_us = counted.others_us.filter(|_| are_others_whole);
    match is_whole {
        true => HostEvidence { others_us, ..counted },
        // How crowded the host was is left out: not all CPU time of the bot is known, and its own
        // processes may be the crowd.
        false => {
            HostEvidence { denied_us: None, idle_us: None, waited_us: None, others_us, ..counted }
        }
    }
}

fn are_counted_whole(bots: &[impl Connected], asked: usize) -> [bool; 2] {
    let is_whole = |bot: usize| {
        let connection = bots[bot].connection();
        connection.is_none_or(|connection| connection.processes.is_counted_whole())
    };
    [is_whole(asked), running_others(bots, asked).all(is_whole)]
}

/// Returns the indices of the other bots that run at the moment.
fn running_others(bots: &[impl Connected], asked: usize) -> impl Iterator<Item = usize> {
    let runs = |bot: &Connection| !bot.is_stopped();
    let others = (0..bots.len()).filter(move |&index| index != asked);
    others.filter(move |&index| bots[index].connection().is_some_and(runs))
}

fn with_canary(evidence: HostEvidence, now: CanaryReading, then: CanaryReading) -> HostEvidence {
    HostEvidence {
        canary_us: Some(micros(now.late.saturating_sub(then.late))),
        denied_us: difference(now.denied, then.denied),
        ..evidence
    }
}

fn difference(now: Option<Duration>, then: Option<Duration>) -> Option<u64> {
    now.zip(then).map(|(now, then)| micros(now.saturating_sub(then)))
}

/// Waits for `time`, in which no bot of the game runs. Returns for how much of it a thread would
/// have waited for a core, in microseconds.
pub(crate) fn waiting_afterwards(host: &dyn HostGauge, time: Duration) -> Option<u64> {
    let before = host.canary();
    host.wait(time);
    let counted = with_canary(HostEvidence::default(), host.canary(), before);
    counted.denied_us.zip(counted.canary_us).map(|(denied, late)| denied.max(late))
}

/// Reads the threads of the bot, and returns for how long one of them has waited for a core since
/// the first reading.
fn longest_wait(
    waits: &RefCell<CoreWaits>,
    host: &dyn HostGauge,
    bots: &[impl Connected],
    bot: usize,
) -> Option<Duration> {
    host.longest_core_wait(&mut waits.borrow_mut(), bots[bot].connection()?.processes.id())
}

fn cpu_time(bots: &[impl Connected], bot: usize) -> Option<Duration> {
    bots[bot].connection()?.processes.cpu_time_of_all()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within 7 ms the kernel may not count a single tick of an idle core.
    #[test]
    fn a_pinned_referee_excuses_nothing_where_no_thread_waited() {
        let ms = Duration::from_millis;
        for (what, waited_on_one, excused_us) in [
            ("nothing else was runnable", ms(0), 0),
            ("one other thread was runnable all the time", ms(3), 3_000),
            ("more than was left of the time", ms(9), 7_000),
        ] {
            let load = HostLoad { cores: 1, all_cores: false, ..HostLoad::default() };
            let then = CanaryReading::default();
            let then = CanaryReading { denied: Some(ms(0)), denied_on_one: Some(ms(0)), ..then };
            let now = CanaryReading { denied_on_one: Some(waited_on_one), ..then };
            let evidence = HostEvidence {
                watched_us: 7_000,
                idle_us: Some(0),
                denied_us: denied_us(&load, now, then),
                ..HostEvidence::default()
            };
            assert_eq!(excuse(&evidence), excused_us, "{what}");
        }
    }
}
