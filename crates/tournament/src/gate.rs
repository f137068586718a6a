//! The gate: checks, and games against trusted bots that a bot must play before it is admitted to a
//! tournament. A bot that fails or scores too little is rejected with the reason.

use crate::setup::Setup;
use crate::trial::Tried;
use botyard_league::scale::Part;
use botyard_league::schedule::ScheduledGame;
use botyard_league::score::Score;
use botyard_league::store::Rejected;
use botyard_league::{Entrant, Verdict};
use botyard_referee::Interrupt;
use botyard_runner::words::failure_in_words;
use botyard_runner::{
    Error, GameSource, Observer, PendingGames, Plan, PlayedGame, Programs, Replays, played_game,
};

/// The admitted bots, by index, and the rejected ones.
#[derive(Debug, Default)]
pub(crate) struct Admission {
    /// The admitted bots.
    pub admitted: Vec<(usize, Entrant)>,
    /// The rejected bots.
    pub rejected: Vec<Rejected>,
}

/// Makes the checks of the gate and plays its games, if there is one, with the bots that could be
/// started.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub(crate) fn admit(
    setup: &Setup,
    tried: Vec<Tried>,
    concurrency: Option<u16>,
    programs: &Programs,
    observer: &mut dyn for<'a> Observer<GateGames<'a>>,
    interrupt: &Interrupt,
) -> Result<Admission, Error> {
    let mut admission = Admission::default();
    if setup.file.gate.is_none() {
        let entrants = tried.into_iter().map(|tried| tried.entrant);
        admission.admitted = entrants.enumerate().collect();
        return Ok(admission);
    }
    let mut before_gate: Vec<(usize, Entrant)> = Vec::new();
    for (index, Tried { mut entrant, failure }) in tried.into_iter().enumerate() {
        match failure {
            Some(reason) => {
                entrant.gate_passed = Some(false);
                admission.rejected.push(Rejected { entrant, reason });
            }
            None => before_gate.push((index, entrant)),
        }
    }
    if setup.file.gate.as_ref().is_some_and(|gate| gate.checks) {
        let candidates = std::mem::take(&mut before_gate);
        for (index, mut entrant) in candidates {
            match setup.check(index, programs, interrupt)? {
                None => before_gate.push((index, entrant)),
                Some(reason) => {
                    entrant.gate_passed = Some(false);
                    admission.rejected.push(Rejected { entrant, reason });
                }
            }
        }
    }
    if before_gate.is_empty() {
        return Ok(admission);
    }
    let reasons = play_gate(setup, &before_gate, concurrency, programs, observer, interrupt)?;
    for ((index, mut entrant), reason) in before_gate.into_iter().zip(reasons) {
        entrant.gate_passed = Some(reason.is_none());
        match reason {
            Some(reason) => admission.rejected.push(Rejected { entrant, reason }),
            None => admission.admitted.push((index, entrant)),
        }
    }
    Ok(admission)
}

/// Returns for each of these bots the reason to reject it, or `None`.
fn play_gate(
    setup: &Setup,
    candidates: &[(usize, Entrant)],
    concurrency: Option<u16>,
    programs: &Programs,
    observer: &mut dyn for<'a> Observer<GateGames<'a>>,
    interrupt: &Interrupt,
) -> Result<Vec<Option<String>>, Error> {
    let Some(gate) = &setup.file.gate else { return Ok(vec![None; candidates.len()]) };
    let mut bots: Vec<_> = candidates.iter().map(|&(index, _)| setup.bots[index].clone()).collect();
    bots.extend(setup.gate_bots.iter().cloned());
    let schedule = setup
        .gate_schedule(gate, candidates.len())
        .map_err(|error| Error::usage(format!("[gate]: {error}")))?;
    let games = schedule.games();
    let plan = setup.plan(bots, games, Replays::None, concurrency, programs)?;
    let mut session = GateGames {
        plan: &plan,
        pending: PendingGames::new(&schedule, false, 0),
        scores: vec![Score::default(); candidates.len()],
        failures: vec![None; candidates.len()],
        games,
        settled: 0,
    };
    if let Some(error) = botyard_runner::run(&plan, &mut session, observer, None, interrupt)? {
        return Err(error);
    }
    let all = session.failures.into_iter().zip(session.scores);
    Ok(all.map(|(failure, score)| failure.or_else(|| judge(&score, gate.score))).collect())
}

/// Returns why a score is too low, if it is.
pub(crate) fn judge(score: &Score, needed: f64) -> Option<String> {
    let share = score.share().unwrap_or(0.0);
    // The tolerance allows for sums of halves and thirds.
    (share + 1e-9 < needed).then(|| {
        format!(
            "it scored {:.1}% in {} games against the bots of the gate, and needs {:.1}%",
            share * 100.0,
            score.games(),
            needed * 100.0
        )
    })
}

/// The games of a gate.
pub struct GateGames<'a> {
    plan: &'a Plan,
    pending: PendingGames<'a>,
    scores: Vec<Score>,
    /// The first fault of each candidate, as text.
    failures: Vec<Option<String>>,
    /// The number of games.
    games: u64,
    /// How many games were played or are no longer needed.
    settled: u64,
}

impl GateGames<'_> {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns how many games were played or are no longer needed.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// Describes a fault for the bot's author: the fault, the game and the bot's output.
    fn in_words(&self, played: &PlayedGame, seat: usize, bot: usize, index: usize) -> String {
        let fault = &played.report.faults[index];
        let against: Vec<&str> = (played.game.seats.iter().enumerate())
            .filter(|&(other, _)| other != seat)
            .map(|(_, &other)| self.plan.bots[other].name())
            .collect();
        let mut at_table = played.game.seats.clone();
        at_table.sort_unstable();
        let place = at_table.binary_search(&bot).ok();
        let stderr = place.map_or(String::new(), |place| played.stderr_in_words(place));
        format!("{}\n{stderr}", failure_in_words(fault, &against)).trim_end().to_string()
    }
}

impl GameSource for GateGames<'_> {
    type Record = ();

    fn next_game(&mut self) -> Option<ScheduledGame> {
        loop {
            let game = self.pending.next_game()?;
            // A bot that has failed skips its other games: failing may take long.
            let failed = |&bot: &usize| self.failures.get(bot).is_some_and(Option::is_some);
            if !game.seats.iter().any(failed) {
                return Some(game);
            }
            self.settled += 1;
        }
    }

    /// The first fault of a bot makes the rest of its games unnecessary.
    fn is_asked_ahead(&self) -> bool {
        false
    }

    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<(), Error> {
        let game = played_game(self.plan, &played);
        if !again {
            self.pending.ended(&played.game, &game);
            self.settled += 1;
        }
        // A failure of the host does not count against a bot.
        let Verdict::Scored { points, places } = &game.verdict else { return Ok(()) };
        for (seat, &bot) in game.seats.iter().enumerate() {
            let Some(score) = self.scores.get_mut(bot) else { continue };
            let part = self.plan.scale.part(points, places, seat);
            score.add_part(part.unwrap_or_else(|| Part::of_share(0.0)), 1);
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
