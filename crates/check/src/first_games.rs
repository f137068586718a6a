//! The first games of a bot: one in each seat of each game. They decide the checks that faults
//! belong to, and in which games the other checks are made.

use crate::arena::{Arena, Played, repeated};
use crate::check::{Check, Checked, Finding, Status};
use botyard_referee::{Disturbance, Interrupt};
use botyard_runner::Error;
use botyard_runner::words::counted;
use std::collections::BTreeMap;

/// After this number of decisions of the bot a game ends as a draw.
const DECISIONS: u32 = 100;

/// After this number of games with a fault no more games are begun.
const MOST_FAULTY: usize = 3;

/// The checks that the first games decide.
pub(crate) const CHECKS: [Check; 6] =
    [Check::Setup, Check::Messages, Check::Actions, Check::Running, Check::Deadline, Check::Memory];

/// The results of the first games.
#[derive(Debug, Default)]
pub(crate) struct FirstGames {
    /// What was found, by the check that it belongs to.
    pub found: BTreeMap<Check, Vec<Finding>>,
    /// What was found in answers that are no faults, in each game at most once.
    pub noted: Vec<Finding>,
    /// The indices of the games that were played in every seat without a fault.
    pub clean: Vec<usize>,
    /// Why a game has no result, if one has none.
    pub void: Option<String>,
    /// The number of games that were played without a fault.
    games: u32,
}

/// Plays the first games.
///
/// # Errors
///
/// An interrupt, or a failure of the host.
pub(crate) fn play(
    arenas: &[Arena],
    interrupt: &Interrupt,
    working: &mut dyn FnMut(&str),
) -> Result<FirstGames, Error> {
    let mut first = FirstGames::default();
    for (index, arena) in arenas.iter().enumerate() {
        if first.found.values().map(Vec::len).sum::<usize>() >= MOST_FAULTY {
            break;
        }
        let mut is_clean = true;
        for seat in arena.seats() {
            working(&format!("{} as {}", arena.game, arena.seat_name(seat)));
            let scene = arena.scene(Some(seat), DECISIONS);
            let played =
                repeated(interrupt, || arena.play_once(Disturbance::default(), &scene, interrupt))?;
            match played {
                Played::Clean => first.games += 1,
                Played::Faulty(check, finding) => {
                    first.found.entry(check).or_default().push(finding);
                    is_clean = false;
                    break;
                }
                Played::Void(reason) => {
                    first.void = Some(format!("{}: {reason}", arena.game));
                    is_clean = false;
                }
            }
        }
        first.noted.extend(arena.take_wrong_marks());
        if is_clean {
            first.clean.push(index);
        }
    }
    Ok(first)
}

impl FirstGames {
    /// Returns the result of one of these checks. Without a finding, it is decided if a game was
    /// played without a fault.
    pub(crate) fn result(&self, check: Check) -> Checked {
        if let Some(findings) = self.found.get(&check) {
            return Checked::found(check, Status::Failed, findings.clone());
        }
        let games = counted(self.games, "game");
        match &self.void {
            Some(reason) if check == Check::Deadline || self.games == 0 => {
                Checked::new(check, Status::NotDecided, reason)
            }
            _ if self.games == 0 => {
                let message = "no game was played without a fault";
                Checked::new(check, Status::Skipped, message)
            }
            _ if check == Check::Messages && !self.noted.is_empty() => {
                Checked::found(check, Status::Noted, self.noted.clone())
            }
            _ => Checked::new(check, Status::Passed, format!("{games}, one in each seat")),
        }
    }
}
