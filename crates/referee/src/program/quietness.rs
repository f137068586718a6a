//! Whether a bot may be left running for a moment after its turn. To stop a bot and to let it
//! continue takes as long as a quick ply, and a bot that only waits for its next question need not
//! be stopped: if it is asked again within [`GRACE`], nothing was gained by a stop.
//!
//! A bot earns this by using hardly any CPU time after its turns, and loses it when it uses more
//! than [`NOISE`]. What it uses while it is left running is charged to its next decision, so it
//! gains nothing by using less.

use std::time::Duration;

/// How long a quiet bot is left running after its turn, unless it is asked again.
pub(crate) const GRACE: Duration = Duration::from_micros(150);

/// The most CPU time that a quiet bot uses from its answer to its next question, its stop included.
const NOISE: Duration = Duration::from_micros(100);

/// After how many quiet turns a bot is left running for the first time.
const PROVEN: u32 = 4;

/// How many times as many quiet turns it needs after each one that was not.
const HARDER: u32 = 8;

/// At every which question the CPU time of a bot's child processes is read, which takes longer than
/// that of its own process.
const CHILDREN_EVERY: u32 = 8;

/// What a bot did after its turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quietness {
    /// The CPU time of its own process at its last answer, until it is asked again.
    at_answer: Option<Duration>,
    /// The CPU time of its other processes when it was last read.
    of_children: Duration,
    /// The quiet turns since the last one that was not.
    quiet: u32,
    needed: u32,
}

impl Default for Quietness {
    fn default() -> Quietness {
        Quietness { at_answer: None, of_children: Duration::ZERO, quiet: 0, needed: PROVEN }
    }
}

impl Quietness {
    /// Returns whether the bot may be left running after its turn.
    pub(crate) fn is_proven(&self) -> bool {
        self.quiet >= self.needed
    }

    /// Notes the CPU time of the bot's own process at its answer, if that is measured.
    pub(crate) fn answered(&mut self, cpu: Option<Duration>) {
        self.at_answer = cpu;
    }

    /// Returns how much CPU time the bot's own process has used since its answer, when it has used
    /// `cpu` in all. `of_children` returns that of its other processes, if it may have some.
    pub(crate) fn asked(
        &mut self,
        cpu: Option<Duration>,
        of_children: impl FnOnce() -> Option<Duration>,
    ) -> Duration {
        let Some((cpu, before)) = cpu.zip(self.at_answer.take()) else { return Duration::ZERO };
        let used = cpu.saturating_sub(before);
        let mut is_quiet = used <= NOISE;
        if self.quiet.is_multiple_of(CHILDREN_EVERY)
            && let Some(of_children) = of_children()
        {
            is_quiet &= of_children.saturating_sub(self.of_children) <= NOISE;
            self.of_children = of_children;
        }
        if is_quiet {
            self.quiet = self.quiet.saturating_add(1);
        } else {
            self.quiet = 0;
            self.needed = self.needed.saturating_mul(HARDER);
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays turns after each of which the bot uses this much, in microseconds: its own process and
    /// its children. Returns after how many of them it was left running.
    fn left_running(turns: impl IntoIterator<Item = (u64, u64)>) -> usize {
        let mut quietness = Quietness::default();
        let (mut cpu, mut children) = (Duration::ZERO, Duration::ZERO);
        let left = turns.into_iter().filter(|&(own, others)| {
            let is_left = quietness.is_proven();
            quietness.answered(Some(cpu));
            cpu += Duration::from_micros(own);
            children += Duration::from_micros(others);
            let used = quietness.asked(Some(cpu), || Some(children));
            assert_eq!(used, Duration::from_micros(own));
            is_left
        });
        left.count()
    }

    #[test]
    fn a_bot_is_left_running_as_long_as_it_is_quiet() {
        let quiet = (10, 0);
        for (what, turns, expected) in [
            ("it only waits", vec![quiet; 100], 96),
            ("it thinks", vec![(2000, 0); 100], 0),
            ("its children think", vec![(10, 150); 100], 0),
            ("it thinks every fifth time", [quiet, quiet, quiet, quiet, (101, 0)].repeat(20), 1),
            ("its process was replaced", vec![(0, 0); 4], 0),
        ] {
            assert_eq!(left_running(turns), expected, "{what}");
        }
    }

    #[test]
    fn children_that_think_are_noticed_within_a_few_turns() {
        let turns = [(10, 0); 20].into_iter().chain([(10, 150); 200]);
        let left = left_running(turns);
        assert!((16..=16 + CHILDREN_EVERY as usize).contains(&left), "{left}");
    }

    #[test]
    fn a_bot_whose_cpu_time_is_unknown_is_never_left_running() {
        let mut quietness = Quietness::default();
        for _ in 0..10 {
            quietness.answered(None);
            assert_eq!(quietness.asked(None, || None), Duration::ZERO);
        }
        assert!(!quietness.is_proven());
    }
}
