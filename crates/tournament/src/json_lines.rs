//! The events of a tournament as JSON lines.

use crate::{
    Ended, KeptGame, Results, RunStart, TournamentEvent, TournamentGames, TournamentObserver,
};
use botyard_league::schedule::ScheduledGame;
use botyard_runner::{ConcurrencyChange, Error, JsonLines, Observer};
use std::io::Write;

impl<'a, W: Write> Observer<TournamentGames<'a>> for JsonLines<W> {
    fn started(&mut self, games: &TournamentGames<'a>, game: &ScheduledGame) -> Result<(), Error> {
        self.write(&TournamentEvent::game_started(games.plan(), game, games.key(game)))
    }

    fn ended(&mut self, games: &TournamentGames<'a>, kept: KeptGame) -> Result<(), Error> {
        self.write(&TournamentEvent::game_ended(games.plan(), &kept))
    }

    fn concurrency_changed(
        &mut self,
        _: &TournamentGames<'a>,
        change: &ConcurrencyChange,
    ) -> Result<(), Error> {
        self.write(&TournamentEvent::ConcurrencyChanged(*change))
    }
}

impl<W: Write> TournamentObserver for JsonLines<W> {
    fn begun(&mut self, start: &RunStart<'_>) -> Result<(), Error> {
        self.write(&TournamentEvent::tournament_started(start))?;
        let mut rejected = start.definition.rejected.iter();
        rejected.try_for_each(|bot| self.write(&TournamentEvent::bot_rejected(bot)))
    }

    fn finished(&mut self, ended: &Ended, results: &Results) -> Result<(), Error> {
        self.write(&TournamentEvent::tournament_ended(ended, results))
    }
}
