//! Measurements of the host during one decision. They begin when it takes longer than a quick
//! answer, and end with the answer or a deadline that passes.

use super::evidence::excuse;
use super::gauge::{CanaryReading, HostGauge};
use crate::program::connection::{Connected, Connection};
use crate::program::processes::Processes;
use arrayvec::ArrayVec;
use botyard_engine::MAX_SEATS;
use botyard_replay::HostEvidence;
use botyard_sandbox::{CoreWait, CoreWaits, HostLoad};
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
    pub(crate) fn now(host: &dyn HostGauge, processes: Option<&Processes>) -> AtQuestion {
        let own_cpu = processes.and_then(Processes::own_cpu_time);
        AtQuestion { canary: host.canary(), own_cpu }
    }

    /// Returns the CPU time of the bot's own process since the question, where it is known.
    fn own_cpu_since(&self, bots: &[impl Connected], asked: usize) -> Option<Duration> {
        let own = bots[asked].connection()?.processes.own_cpu_time();
        own.zip(self.own_cpu).map(|(now, then)| now.saturating_sub(then))
    }
}

/// The counters at the moment when the watch began.
#[derive(Debug)]
pub(crate) struct HostWatch {
    load: HostLoad,
    cpu: Option<Duration>,
    /// CPU time before the watch, as far as it is known.
    cpu_before: Duration,
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

/// The measurements at a look at the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// What is known.
    pub evidence: HostEvidence,
    /// What `waited_us` may be when a wait that lasts is over.
    pub waited_possible_us: Option<u64>,
    /// A delay of the canary that lasts, in microseconds.
    pub canary_lasting_us: u64,
}

impl Measured {
    /// Returns the evidence that it may be when what lasts is over. Of the canary's delay, at most
    /// `late_us` can be that of a host that stood still, because the referee stood still too.
    pub(crate) fn at_most(&self, late_us: u64) -> HostEvidence {
        let lasting_us = self.canary_lasting_us.min(late_us);
        HostEvidence {
            waited_us: self.evidence.waited_us.and(self.waited_possible_us),
            canary_us: self.evidence.canary_us.map(|us| us.saturating_add(lasting_us)),
            ..self.evidence
        }
    }
}

impl HostWatch {
    /// Begins to watch the host: makes the first measurement. The bot's waits are read first, because
    /// they count from then on: the host may keep the referee from the rest. This thread runs soon from
    /// now on: bots that think for longer must not keep it from its next look.
    pub(crate) fn begin<B: Connected>(
        host: &dyn HostGauge,
        at_question: &AtQuestion,
        bots: &[B],
        asked: usize,
    ) -> HostWatch {
        #[cfg(target_os = "linux")]
        botyard_sandbox::run_soon();
        let given = bots[asked].connection().map(|connection| connection.scheduling);
        let waits = RefCell::new(CoreWaits::new(given.unwrap_or_default()));
        longest_wait(&waits, host, bots, asked);
        let others = running_others(bots, asked);
        let load = host.load();
        let cpu_before = at_question.own_cpu_since(bots, asked).unwrap_or_default();
        let cpu = cpu_time(bots, asked);
        let others = others.map(|index| Some((index, cpu_time(bots, index)?))).collect();
        HostWatch { load, cpu, cpu_before, waits, others, whole: Cell::new(None) }
    }

    /// Returns for how long a thread of the bot has waited for a core since the watch began, and the
    /// bot's CPU time, in microseconds, where both are known.
    pub(crate) fn wait_and_cpu_us(
        &self,
        host: &dyn HostGauge,
        bots: &[impl Connected],
        asked: usize,
    ) -> Option<(u64, u64)> {
        let waited = longest_wait(&self.waits, host, bots, asked)?.known;
        let used =
            cpu_time(bots, asked).zip(self.cpu).map(|(now, then)| now.saturating_sub(then))?;
        Some((micros(waited), micros(used)))
    }

    /// Returns whether the CPU time of the bot that was asked, and that of the others, is that of all
    /// their processes.
    fn are_counted_whole(&self, bots: &[impl Connected], asked: usize) -> [bool; 2] {
        if let Some((at, whole)) = self.whole.get()
            && at.elapsed() < WHOLE_FOR
        {
            return whole;
        }
        let is_whole = |bot: usize| {
            let connection = bots[bot].connection();
            connection.is_none_or(|connection| connection.processes.is_counted_whole())
        };
        let whole = [is_whole(asked), running_others(bots, asked).all(is_whole)];
        self.whole.set(Some((Instant::now(), whole)));
        whole
    }

    /// Adds the measurements since the watch began.
    fn add(
        &self,
        evidence: HostEvidence,
        host: &dyn HostGauge,
        bots: &[impl Connected],
        asked: usize,
    ) -> (HostEvidence, Option<CoreWait>) {
        let load = host.load().since(&self.load);
        let used = cpu_time(bots, asked).zip(self.cpu).map(|(now, then)| now.saturating_sub(then));
        let used_since = |&(index, then): &(usize, Duration)| {
            cpu_time(bots, index).unwrap_or(then).saturating_sub(then)
        };
        let others = self.others.as_ref().map(|others| others.iter().map(used_since).sum());
        let waited = longest_wait(&self.waits, host, bots, asked);
        let added = HostEvidence {
            cpu_us: used.map(|used| micros(self.cpu_before + used)),
            waited_us: waited.map(|waited| micros(waited.known)),
            stolen_us: load.stolen.map(micros),
            pressure_us: load.pressure.map(micros),
            others_us: others.map(micros),
            ..evidence
        };
        if excuse(&added) == 0 && waited.is_none_or(|waited| waited.possible.is_zero()) {
            return (added, waited);
        }
        let [is_whole, are_others_whole] = self.are_counted_whole(bots, asked);
        let others_us = added.others_us.filter(|_| are_others_whole);
        // Processes of the bot whose CPU time is not known may be what its threads wait for.
        let waited_us = added.waited_us.filter(|_| is_whole);
        (HostEvidence { others_us, waited_us, ..added }, waited)
    }
}

/// Returns the measurements at a look `elapsed_us` after the question, for which the referee was
/// `late_us` late.
pub(crate) fn measure(
    (at_question, watch): (&AtQuestion, Option<&HostWatch>),
    host: &dyn HostGauge,
    (bots, asked): (&[impl Connected], usize),
    (allowed_us, elapsed_us, late_us): (u64, u64, u64),
) -> Measured {
    let (now, then) = (host.canary(), at_question.canary);
    // What lasted at the question is counted since, and was before.
    let since = |now: Duration, before: Duration| now.saturating_sub(before + then.lasting);
    let late = since(now.late, then.late);
    let stood_still = now.stood_still.zip(then.stood_still).map(|(now, then)| since(now, then));
    // Where the bot's waits are not measured, the canary stands for it: it waits like the bot.
    let is_portable =
        bots[asked].connection().is_some_and(|bot| bot.processes.portable().is_some());
    let canary = stood_still.filter(|_| !is_portable).unwrap_or(late);
    let evidence = HostEvidence {
        allowed_us,
        late_us,
        watched_us: elapsed_us,
        cpu_us: at_question.own_cpu_since(bots, asked).map(micros),
        canary_us: Some(micros(canary)),
        ..HostEvidence::default()
    };
    let (evidence, waited) = match watch {
        Some(watch) => watch.add(evidence, host, bots, asked),
        None => (evidence, None),
    };
    Measured {
        evidence,
        waited_possible_us: waited.map(|waited| micros(waited.possible)),
        canary_lasting_us: micros(now.lasting),
    }
}

/// Returns the indices of the other bots that run at the moment.
fn running_others(bots: &[impl Connected], asked: usize) -> impl Iterator<Item = usize> {
    let runs = |bot: &Connection| !bot.is_stopped();
    let others = (0..bots.len()).filter(move |&index| index != asked);
    others.filter(move |&index| bots[index].connection().is_some_and(runs))
}

/// Waits for `time`, in which no bot of the game runs. Returns for how much of it no core was idle, in
/// microseconds, at most.
pub(crate) fn waiting_afterwards(host: &dyn HostGauge, time: Duration) -> Option<u64> {
    let before = host.load();
    host.wait(time);
    let idle = host.load().since(&before).idle?;
    Some(micros(time.saturating_sub(idle)))
}

/// Reads the threads of the bot, and returns for how long one of them has waited for a core since
/// the first reading.
fn longest_wait(
    waits: &RefCell<CoreWaits>,
    host: &dyn HostGauge,
    bots: &[impl Connected],
    bot: usize,
) -> Option<CoreWait> {
    host.longest_core_wait(&mut waits.borrow_mut(), bots[bot].connection()?.processes.id())
}

fn cpu_time(bots: &[impl Connected], bot: usize) -> Option<Duration> {
    bots[bot].connection()?.processes.cpu_time_of_all()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
