//! The referee's notes on each bot of a game, and the report that is made of them.

use crate::failure::{BotFailure, Survivors};
use crate::game::GameInProgress;
use crate::game::report::BotReport;
use crate::program::connection::Connected;
use std::io::Write;
use std::time::{Duration, Instant};

/// How long a bot that has failed may keep running to write down why, before it is killed.
const FAREWELL: Duration = Duration::from_millis(50);

/// The referee's state of a bot during a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct BotNotes {
    /// Turns that were played for it because it was late. Answers to them may still arrive.
    pub expired: Vec<u32>,
    /// Its output, if its program has ended.
    pub report: Option<BotReport>,
    /// The failure of its next decision, if it was ended because it did not stop outside its turn.
    pub ran_on: Option<BotFailure>,
    /// Its standard error up to the ruling by which it forfeits.
    pub stderr_at_ruling: Option<String>,
    /// The CPU time that it had used at its last answer, if that is its clock and it was stopped
    /// then. What it used beyond that is charged to its next decision.
    pub cpu_at_answer: Option<Duration>,
}

impl<W: Write> GameInProgress<'_, W> {
    /// Ends the program of a bot that has failed, and keeps its output for the report.
    pub(crate) fn part_with(&mut self, bot: usize) -> Result<(), Survivors> {
        if let Some(connection) = self.bots[bot].connection_mut() {
            connection.say_quit();
            let parted = connection.wait_and_kill(Instant::now() + FAREWELL);
            self.notes[bot].report = Some(self.report_of(bot));
            self.bots[bot].stop();
            parted?;
        }
        Ok(())
    }

    pub(crate) fn report_of(&mut self, bot: usize) -> BotReport {
        if let Some(report) = self.notes[bot].report.take() {
            return report;
        }
        let start_repeats = self.bots[bot].start_repeats();
        let stderr_at_ruling = self.notes[bot].stderr_at_ruling.take();
        match self.bots[bot].connection_mut() {
            Some(connection) => {
                connection.drain_stderr();
                BotReport {
                    stderr: connection.stderr_log.text(),
                    stderr_at_ruling,
                    stderr_bytes: connection.stderr_log.total(),
                    stdout_bytes: connection.stdout_bytes(),
                    start_repeats,
                }
            }
            None => {
                let stderr = self.bots[bot].stderr_at_start().to_string();
                let stderr_bytes = stderr.len() as u64;
                BotReport { stderr_bytes, stderr, stderr_at_ruling, stdout_bytes: 0, start_repeats }
            }
        }
    }
}
