//! A game as text while it is played: the position at the start of each round, each action with its
//! time, faults, and the end with its reason.

use crate::game_player::PlayedGame;
use crate::plan::Plan;
use crate::spectator::{Sight, Spectator};
use crate::words::{
    counted, ended_by_in_words, evidence_in_words, fault_in_words, info_in_words, milliseconds,
    place_among_losers, quoted,
};
use botyard_protocol::{ClockKind, Fault, FaultKind, OutcomeKind, printable};
use botyard_referee::{BotCommand, Progress, SeatReport};
use std::io::{self, Write};

/// How many characters of a bot's text are shown.
const TEXT_CHARACTERS: usize = 300;

/// Writes the steps of games to an output.
pub struct GameText<'a, W: Write> {
    out: W,
    spectator: Spectator<'a>,
    /// The width of the column of seats.
    width: usize,
    /// The first error of the output.
    failed: Option<io::Error>,
}

impl<'a, W: Write> GameText<'a, W> {
    /// Makes the text of games of this plan.
    pub fn new(plan: &'a Plan, out: W) -> GameText<'a, W> {
        GameText {
            out,
            spectator: Spectator::new(plan),
            width: plan.width_of_seats(),
            failed: None,
        }
    }

    /// Writes a step. After an error of the output, nothing more is written.
    pub fn step(&mut self, progress: &Progress<'_>) {
        if self.failed.is_some() {
            return;
        }
        let (out, width) = (&mut self.out, self.width);
        let shown = self.spectator.step(progress, |sight| write(out, width, sight));
        self.failed = shown.and_then(|()| self.out.flush()).err();
    }

    /// Returns whether the output failed.
    pub fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Ends the text.
    ///
    /// # Errors
    ///
    /// The first error of the output.
    pub fn finish(self) -> io::Result<()> {
        self.failed.map_or(Ok(()), Err)
    }
}

fn write(out: &mut impl Write, width: usize, sight: Sight<'_>) -> io::Result<()> {
    match sight {
        Sight::Position(text) => {
            writeln!(out)?;
            text.lines().try_for_each(|line| writeln!(out, "  {line}"))?;
            writeln!(out)
        }
        Sight::Drawn { words } => writeln!(out, "        {:width$}  {words}", ""),
        Sight::Moved { turn, seat, words, wall_us, excused_us, info } => {
            let time = match wall_us {
                Some(us) if excused_us > 0 => {
                    let [took, excused] = [us, excused_us].map(|us| milliseconds(us as f64));
                    format!("({took}, {excused} excused)")
                }
                Some(us) => format!("({})", milliseconds(us as f64)),
                None => "(played by the referee)".to_string(),
            };
            let info = info.map(info_in_words).filter(|info| !info.is_empty());
            let info = info.map_or(String::new(), |info| format!("  {info}"));
            writeln!(out, "{turn:>6}  {seat:width$}  {words}  {time}{info}")
        }
        Sight::Logged { player, text } => {
            writeln!(out, "        {player} says: {}", printable(text, TEXT_CHARACTERS))
        }
        Sight::Failed { fault, fatal } => writeln!(out, "        {}", fault_in_words(fault, fatal)),
    }
}

impl PlayedGame {
    /// Returns the end of the game as lines of text: the reason, the points and times of each seat,
    /// the faults that decided it.
    pub fn ending(&self, plan: &Plan) -> String {
        let report = &self.report;
        let outcome = &report.outcome;
        let mut text = match outcome.kind {
            OutcomeKind::Void => format!(
                "void after {}: {}; the host failed, so this game does not count\n{}",
                counted(report.turns, "move"),
                outcome.reason,
                match (&report.host, &self.host_failure) {
                    (Some(evidence), _) => evidence_in_words(evidence),
                    (None, Some(failure)) => format!("  {failure}\n"),
                    (None, None) => String::new(),
                }
            ),
            OutcomeKind::Completed | OutcomeKind::BotFault => {
                format!("{} after {}\n", outcome.reason, counted(report.turns, "move"))
            }
        };
        let width = plan.width_of_seats();
        for (index, (seat, &bot)) in plan.seats.iter().zip(&self.game.seats).enumerate() {
            let Some(&points) = outcome.scores.get(index) else { continue };
            let result = match points {
                points if !plan.scale.is_point() => match outcome.ranks.get(index) {
                    Some(place) => format!("has {points} points and place {place}"),
                    None => format!("has {points} points"),
                },
                points if points >= 1.0 => "wins".to_string(),
                points if points > 0.0 => format!("scores {points:.2} of one point"),
                _ => match place_among_losers(outcome, index) {
                    Some(place) => format!("takes place {place}"),
                    None => "loses".to_string(),
                },
            };
            let tally = report.seats.get(index).copied().unwrap_or_default();
            let mean = tally.wall_us as f64 / f64::from(tally.decisions.max(1));
            text.push_str(&format!(
                "  {seat:width$}  {} {result}; {}, {} on average, {} at most{}\n",
                plan.bots[bot].name(),
                counted(tally.decisions, "move"),
                milliseconds(mean),
                milliseconds(tally.longest_us as f64),
                cpu_time(plan, &tally),
            ));
            if tally.excused_us > 0 {
                text.push_str(&format!(
                    "  {:width$}  {} of that was excused, {} at most\n",
                    "",
                    milliseconds(tally.excused_us as f64),
                    milliseconds(tally.longest_excused_us as f64),
                ));
            }
        }
        for (index, fault) in report.faults.iter().enumerate() {
            let Some(seat) = plan.seats.iter().position(|seat| *seat == fault.seat) else {
                continue;
            };
            // Faults that were retried come before the one that was not.
            if report.faults[index + 1..].iter().any(|later| later.seat == fault.seat) {
                continue;
            }
            let bot = self.game.seats[seat];
            let (name, words) = (plan.bots[bot].name(), ended_by_in_words(fault));
            text.push_str(&format!("{name}: {words}\n{}", self.stderr_in_words(bot)));
            let has_answered = report.seats.get(seat).is_some_and(|tally| tally.decisions > 0);
            if fault.kind == FaultKind::Timeout && fault.turn > 0 && has_answered {
                text.push_str(&self.how_to_interrupt(fault, &plan.bots[bot].command));
            }
        }
        text
    }

    /// Returns how to see where a bot computes or waits that has answered before and then did not: its
    /// output is flushed. Empty without a replay.
    fn how_to_interrupt(&self, fault: &Fault, command: &BotCommand) -> String {
        let Some(replay) = &self.replay else { return String::new() };
        let words = command.words().map(|word| quoted(&word.to_string_lossy()));
        let run = words.collect::<Vec<_>>().join(" ");
        let run = match &command.directory {
            Some(directory) => format!("(cd {} && {run})", quoted(&directory.to_string_lossy())),
            None => run,
        };
        format!(
            "  it has answered before, so look for an endless loop or a wait: run it on the lines of this game, \
             and press Ctrl-C when it hangs\n    botyard replay stdin {} --seat {} --until {} | {run}\n",
            quoted(&replay.to_string_lossy()),
            quoted(&fault.seat),
            fault.turn
        )
    }
}

/// Returns the mean CPU time of a move, where the clock measures it.
fn cpu_time(plan: &Plan, tally: &SeatReport) -> String {
    match tally.cpu_us {
        Some(cpu_us) if plan.time.kind == ClockKind::Cpu => {
            let mean = cpu_us as f64 / f64::from(tally.decisions.max(1));
            format!("; {} of CPU time on average", milliseconds(mean))
        }
        _ => String::new(),
    }
}
