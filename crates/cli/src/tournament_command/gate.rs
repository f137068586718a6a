//! The gate: before a bot is let into a tournament it plays some games against bots that are known to be
//! well. One that fails in them, or scores too little, stays outside, and is told why.

use super::arguments::Running;
use super::journal::played_game;
use super::setup::Setup;
use super::supply::Supply;
use super::trial::Tried;
use crate::config::Replays;
use crate::error::Error;
use crate::match_command::{
    GameSource, Observer, Plan, PlayedGame, bar, fault_in_words, play_games, stderr_in_words,
};
use crate::programs::Programs;
use crate::text::warn;
use botyard_league::schedule::ScheduledGame;
use botyard_league::score::Score;
use botyard_league::store::Rejected;
use botyard_league::{Entrant, Verdict};
use botyard_referee::Interrupt;
use indicatif::ProgressBar;

/// Who may take part, by index, and who may not.
#[derive(Debug, Default)]
pub struct Admission {
    /// Those who may.
    pub admitted: Vec<(usize, Entrant)>,
    /// Those who may not.
    pub rejected: Vec<Rejected>,
}

/// Plays the games of the gate, if there is one, with those bots that could be started.
///
/// # Errors
///
/// An interrupt, and what the host cannot do.
pub fn admit(
    setup: &Setup,
    tried: Vec<Tried>,
    running: Running,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<Admission, Error> {
    let mut admission = Admission::default();
    if setup.file.gate.is_none() {
        let entrants = tried.into_iter().map(|tried| tried.entrant);
        admission.admitted = entrants.enumerate().collect();
        return Ok(admission);
    }
    let mut before_gate = Vec::new();
    for (index, Tried { mut entrant, failure }) in tried.into_iter().enumerate() {
        match failure {
            Some(reason) => {
                entrant.gate_passed = Some(false);
                admission.rejected.push(Rejected { entrant, reason });
            }
            None => before_gate.push((index, entrant)),
        }
    }
    if before_gate.is_empty() {
        return Ok(admission);
    }
    let reasons = play_gate(setup, &before_gate, running, programs, interrupt)?;
    for ((index, mut entrant), reason) in before_gate.into_iter().zip(reasons) {
        entrant.gate_passed = Some(reason.is_none());
        match reason {
            Some(reason) => admission.rejected.push(Rejected { entrant, reason }),
            None => admission.admitted.push((index, entrant)),
        }
    }
    Ok(admission)
}

/// For each of these bots why it does not pass, or `None`.
fn play_gate(
    setup: &Setup,
    candidates: &[(usize, Entrant)],
    running: Running,
    programs: &Programs,
    interrupt: &Interrupt,
) -> Result<Vec<Option<String>>, Error> {
    let Some(gate) = &setup.file.gate else { return Ok(vec![None; candidates.len()]) };
    let mut bots: Vec<_> = candidates.iter().map(|&(index, _)| setup.bots[index].clone()).collect();
    bots.extend(setup.gate_bots.iter().cloned());
    let schedule = setup
        .gate_schedule(gate, candidates.len())
        .map_err(|error| Error::usage(format!("[gate]: {error}")))?;
    let games = schedule.games();
    let plan = setup.plan(bots, games, Replays::None, running.concurrency, programs)?;
    warn(&plan.warnings);
    let length = u32::try_from(games).unwrap_or(u32::MAX);
    let mut session = GateSession {
        plan: &plan,
        supply: Supply::new(&schedule, false, 0),
        scores: vec![Score::default(); candidates.len()],
        failures: vec![None; candidates.len()],
        settled: 0,
    };
    let mut bar = GateBar(if running.json { ProgressBar::hidden() } else { bar(length) });
    bar.0.set_message("gate");
    let stopped = play_games(&plan, &mut session, &mut bar, None, interrupt);
    bar.0.finish_and_clear();
    if let Some(error) = stopped? {
        return Err(error);
    }
    let all = session.failures.into_iter().zip(session.scores);
    Ok(all.map(|(failure, score)| failure.or_else(|| judge(&score, gate.score))).collect())
}

/// Why a score is not enough.
fn judge(score: &Score, needed: f64) -> Option<String> {
    let share = score.share().unwrap_or(0.0);
    // Points are sums of halves and thirds.
    (share + 1e-9 < needed).then(|| {
        format!(
            "it scored {:.1}% in {} games against the bots of the gate, and needs {:.1}%",
            share * 100.0,
            score.games(),
            needed * 100.0
        )
    })
}

/// The games of a gate being played.
struct GateSession<'a> {
    plan: &'a Plan,
    supply: Supply<'a>,
    scores: Vec<Score>,
    /// The first fault of each candidate, in words.
    failures: Vec<Option<String>>,
    /// How many games need not be played any more.
    settled: u64,
}

impl GateSession<'_> {
    /// A fault in words for the bot's author: what it was, in which game, and what the bot wrote.
    fn in_words(&self, played: &PlayedGame, seat: usize, bot: usize, index: usize) -> String {
        let fault = &played.report.faults[index];
        let against: Vec<&str> = (played.game.seats.iter().enumerate())
            .filter(|&(other, _)| other != seat)
            .map(|(_, &other)| self.plan.bots[other].name.as_str())
            .collect();
        let mut at_table = played.game.seats.clone();
        at_table.sort_unstable();
        let output = at_table.binary_search(&bot).ok().and_then(|at| played.report.bots.get(at));
        let stderr = output.map_or(String::new(), |output| stderr_in_words(&output.stderr));
        let words = fault_in_words(fault, true);
        format!("it failed as {} against {}: {words}\n{stderr}", fault.seat, against.join(", "))
            .trim_end()
            .to_string()
    }
}

impl GameSource for GateSession<'_> {
    type Record = ();

    fn next_game(&mut self) -> Option<ScheduledGame> {
        loop {
            let game = self.supply.next_game()?;
            // One that has failed need not fail again: that may take long.
            let failed = |&bot: &usize| self.failures.get(bot).is_some_and(Option::is_some);
            if !game.seats.iter().any(failed) {
                return Some(game);
            }
            self.settled += 1;
        }
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<(), Error> {
        let game = played_game(self.plan, &played);
        if !again {
            self.supply.ended(&played.game, &game);
            self.settled += 1;
        }
        // What the host did is not held against a bot.
        let Verdict::Scored { points, .. } = &game.verdict else { return Ok(()) };
        for (seat, &bot) in game.seats.iter().enumerate() {
            let Some(score) = self.scores.get_mut(bot) else { continue };
            score.add(points.get(seat).copied().unwrap_or(0.0));
            let failed = game.faults.iter().position(|&(failed, _)| failed == seat);
            if let Some(index) = failed
                && self.failures[bot].is_none()
            {
                self.failures[bot] = Some(self.in_words(&played, seat, bot, index));
            }
        }
        Ok(())
    }
}

/// The bar of a gate.
struct GateBar(ProgressBar);

impl<'a> Observer<GateSession<'a>> for GateBar {
    fn ended(&mut self, source: &GateSession<'a>, (): ()) -> Result<(), Error> {
        self.0.set_position(source.settled);
        Ok(())
    }
}
