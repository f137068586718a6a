//! The events of a tournament as JSON lines.

use crate::{Ended, KeptGame, Opening, Results, Session, TournamentEvent, TournamentObserver};
use botyard_league::schedule::ScheduledGame;
use botyard_runner::{ConcurrencyChange, Error, JsonLines, Observer};
use std::io::Write;

impl<'a, W: Write> Observer<Session<'a>> for JsonLines<W> {
    fn started(&mut self, session: &Session<'a>, game: &ScheduledGame) -> Result<(), Error> {
        self.write(&TournamentEvent::game_started(session.plan(), game, session.key(game)))
    }

    fn ended(&mut self, session: &Session<'a>, kept: KeptGame) -> Result<(), Error> {
        self.write(&TournamentEvent::game_ended(session.plan(), &kept))
    }

    fn concurrency_changed(
        &mut self,
        _: &Session<'a>,
        change: &ConcurrencyChange,
    ) -> Result<(), Error> {
        self.write(&TournamentEvent::ConcurrencyChanged(*change))
    }
}

impl<W: Write> TournamentObserver for JsonLines<W> {
    fn begun(&mut self, opening: &Opening<'_>) -> Result<(), Error> {
        self.write(&TournamentEvent::tournament_started(opening))?;
        let mut rejected = opening.definition.rejected.iter();
        rejected.try_for_each(|bot| self.write(&TournamentEvent::bot_rejected(bot)))
    }

    fn finished(&mut self, ended: &Ended, results: &Results) -> Result<(), Error> {
        self.write(&TournamentEvent::tournament_ended(ended, results))
    }
}
