//! Output of a tournament and its gate while they run: a progress bar on a terminal, or lines of
//! JSON.

use super::arguments::Running;
use botyard_cli::bars::bar_of_games;
use botyard_cli::text::{out, warn};
use botyard_league::store::StoreError;
use botyard_referee::Interrupt;
use botyard_runner::words::shares_in_words;
use botyard_runner::{Error, JsonLines, Message, Observer, Plan, message};
use botyard_tournament::{
    Ended, GateGames, KeptGame, Results, RunStart, Tournament, TournamentGames, TournamentObserver,
};
use indicatif::ProgressBar;
use std::io;

/// The remedy after a failure of the host.
const RESUME: &str = "\nwhen the host works again, run `botyard tournament resume`";

/// How many of the best bots the bar names.
const BOTS_ON_BAR: usize = 3;

/// Plays the remaining games of a tournament, and shows them as JSON lines or as text and a bar.
///
/// # Errors
///
/// Those of [`Tournament::play`], with the remedy.
pub(super) fn play_tournament(
    tournament: &mut Tournament,
    plan: &Plan,
    running: Running,
    interrupt: &Interrupt,
) -> Result<Ended, Error> {
    let concurrency = running.concurrency;
    if running.json {
        let mut lines = JsonLines::new(io::stdout());
        return tournament.play(plan, concurrency, &mut lines, interrupt).map_err(resumable);
    }
    let mut shown = Shown(ProgressBar::hidden());
    let ended = tournament.play(plan, concurrency, &mut shown, interrupt);
    shown.0.finish_and_clear();
    ended.map_err(resumable)
}

/// Plays games again, and shows them as JSON lines or as a bar.
///
/// # Errors
///
/// Those of [`TournamentGames::play`], with the remedy.
pub(super) fn play_again(
    games: TournamentGames<'_>,
    json: bool,
    interrupt: &Interrupt,
) -> Result<Ended, Error> {
    if json {
        return games.play(&mut JsonLines::new(io::stdout()), interrupt).map_err(resumable);
    }
    let mut shown = Shown(bar_of_tournament(games.known(), games.scored()));
    let ended = games.play(&mut shown, interrupt);
    shown.0.finish_and_clear();
    ended.map_err(resumable)
}

/// A bar over all known games, some of which have a result.
fn bar_of_tournament(known: u64, scored: u64) -> ProgressBar {
    let bar = bar_of_games(u32::try_from(known).unwrap_or(u32::MAX));
    bar.set_position(scored);
    bar.reset_eta();
    bar
}

/// Counts games with a result. The bar is made longer first, so that it never shows more games than all:
/// a knockout and a Swiss tournament schedule games in later rounds.
fn advance(bar: &ProgressBar, more: u64, known: u64) {
    let known = known.max(bar.position() + more);
    if bar.length().is_some_and(|length| length < known) {
        bar.set_length(known);
    }
    bar.inc(more);
}

/// A progress bar on a terminal, and lines about failures of the host.
struct Shown(ProgressBar);

impl<'a> Observer<TournamentGames<'a>> for Shown {
    fn ended(&mut self, games: &TournamentGames<'a>, kept: KeptGame) -> Result<(), Error> {
        let Shown(bar) = self;
        let remarks = kept.remarks();
        if !remarks.is_empty() {
            bar.suspend(|| out(&remarks)).map_err(Error::Output)?;
        }
        let is_scored = kept.stored.is_scored();
        advance(bar, u64::from(is_scored), games.known().max(games.scored()));
        if !bar.is_hidden() {
            let best: Vec<_> = games.leaders().into_iter().take(BOTS_ON_BAR).collect();
            bar.set_message(shares_in_words(&best));
        }
        Ok(())
    }
}

impl TournamentObserver for Shown {
    fn begun(&mut self, start: &RunStart<'_>) -> Result<(), Error> {
        out(&start.to_text()).map_err(Error::Output)?;
        self.0 = bar_of_tournament(start.known, start.played_before);
        Ok(())
    }

    fn finished(&mut self, ended: &Ended, results: &Results) -> Result<(), Error> {
        self.0.finish_and_clear();
        out(&ended.to_text(results)).map_err(Error::Output)
    }
}

/// The games of a gate as a progress bar, or no output.
pub(super) struct GateShown(Option<ProgressBar>);

/// Shows the gate that `admit` plays, if `has_bar`, and then the warnings that it found.
pub(super) fn show_gate<T>(
    has_bar: bool,
    admit: impl FnOnce(&mut GateShown, &mut Vec<Message>) -> T,
) -> T {
    let mut shown = GateShown(has_bar.then(|| bar_of_games(0).with_message("gate")));
    let mut warnings = Vec::new();
    let admitted = admit(&mut shown, &mut warnings);
    if let Some(bar) = shown.0 {
        bar.finish_and_clear();
    }
    warn(&warnings);
    admitted
}

impl<'a> Observer<GateGames<'a>> for GateShown {
    fn ended(&mut self, gate: &GateGames<'a>, (): ()) -> Result<(), Error> {
        if let Some(bar) = &self.0 {
            bar.set_length(gate.games());
            bar.set_position(gate.settled());
        }
        Ok(())
    }
}

/// An error of a tournament that can be resumed, with the remedy.
fn resumable(error: Error) -> Error {
    match error {
        Error::Host(message) => Error::host(message![message, RESUME]),
        Error::Rules(message) => Error::rules(message![message, RESUME]),
        Error::Store(StoreError::Host(message)) => {
            Error::host(format!("{}{RESUME}", StoreError::Host(message)))
        }
        error => error,
    }
}

/// `Ok` after an interrupt.
///
/// # Errors
///
/// Any other reason of the stop.
pub(super) fn unless_failed(stop: Error) -> Result<(), Error> {
    match stop {
        Error::Interrupted => Ok(()),
        error => Err(resumable(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_grows_with_later_rounds_and_never_shows_more_games_than_all() {
        let bar = ProgressBar::hidden();
        bar.set_length(12);
        bar.set_position(12);
        advance(&bar, 1, 0);
        assert_eq!((bar.position(), bar.length()), (13, Some(13)));
        // The games of a round are known at once.
        advance(&bar, 1, 24);
        assert_eq!((bar.position(), bar.length()), (14, Some(24)));
        advance(&bar, 0, 12);
        assert_eq!((bar.position(), bar.length()), (14, Some(24)));
    }
}
