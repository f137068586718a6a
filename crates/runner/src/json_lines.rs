//! The observer that writes the events of a run as JSON lines.

use crate::concurrency_limit::ConcurrencyChange;
use crate::error::Error;
use crate::events::MatchEvent;
use crate::match_games::{MatchGames, MatchRecord};
use crate::pool::Observer;
use crate::run_observer::RunObserver;
use crate::sequential::{TestEvent, TestGames, TestState};
use botyard_league::schedule::ScheduledGame;
use serde::Serialize;
use std::io::Write;

/// Writes the events of a run as JSON, one object per line: [`MatchEvent`], [`TestEvent`], or those that another
/// crate adds by implementing [`Observer`] for its games.
pub struct JsonLines<W: Write> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    /// Makes an observer that writes to an output.
    pub fn new(out: W) -> JsonLines<W> {
        JsonLines { out }
    }

    /// Writes an event.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn write(&mut self, event: &impl Serialize) -> Result<(), Error> {
        let line = serde_json::to_string(event).map_err(Error::host)? + "\n";
        let written = self.out.write_all(line.as_bytes());
        written.and_then(|()| self.out.flush()).map_err(Error::Output)
    }
}

impl<'a, W: Write> Observer<MatchGames<'a>> for JsonLines<W> {
    fn started(&mut self, games: &MatchGames<'a>, game: &ScheduledGame) -> Result<(), Error> {
        match game.attempt {
            1 => self.write(&MatchEvent::game_started(games.plan(), game)),
            _ => Ok(()),
        }
    }

    fn ended(&mut self, games: &MatchGames<'a>, record: MatchRecord) -> Result<(), Error> {
        match record {
            MatchRecord::Next(played) => {
                let mut played = played.iter();
                played.try_for_each(|game| self.write(&MatchEvent::game_ended(games.plan(), game)))
            }
            MatchRecord::Repeated(_) => Ok(()),
        }
    }

    fn concurrency_changed(
        &mut self,
        _: &MatchGames<'a>,
        change: &ConcurrencyChange,
    ) -> Result<(), Error> {
        self.write(&MatchEvent::ConcurrencyChanged(*change))
    }
}

impl<'a, W: Write> RunObserver<MatchGames<'a>> for JsonLines<W> {
    fn begun(&mut self, games: &MatchGames<'a>) -> Result<(), Error> {
        self.write(&MatchEvent::match_started(games.plan()))
    }

    fn finished(&mut self, games: &MatchGames<'a>, stopped: Option<&Error>) -> Result<(), Error> {
        let (is_stopped, start_failure) = (stopped.is_some(), games.start_failure.as_deref());
        let start_failure = start_failure.filter(|_| is_stopped);
        let tally = &games.tally;
        self.write(&MatchEvent::match_ended(games.plan(), tally, is_stopped, start_failure))
    }
}

impl<'a, W: Write> Observer<TestGames<'a>> for JsonLines<W> {
    fn ended(&mut self, _: &TestGames<'a>, states: Option<Vec<TestState>>) -> Result<(), Error> {
        let states = states.unwrap_or_default();
        states.iter().try_for_each(|state| self.write(&TestEvent::pair_ended(state)))
    }

    fn concurrency_changed(
        &mut self,
        _: &TestGames<'a>,
        change: &ConcurrencyChange,
    ) -> Result<(), Error> {
        self.write(&TestEvent::ConcurrencyChanged(*change))
    }
}

impl<'a, W: Write> RunObserver<TestGames<'a>> for JsonLines<W> {
    fn begun(&mut self, games: &TestGames<'a>) -> Result<(), Error> {
        self.write(&TestEvent::test_started(games))
    }

    fn finished(&mut self, games: &TestGames<'a>, stopped: Option<&Error>) -> Result<(), Error> {
        let is_interrupted = matches!(stopped, Some(Error::Interrupted));
        self.write(&TestEvent::test_ended(games, is_interrupted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, ContainmentConfig, Games};
    use crate::plan::Plan;
    use crate::programs::testing::programs;
    use botyard_referee::Interrupt;

    #[test]
    fn a_change_of_the_number_of_games_at_once_is_an_event() {
        let config = Config {
            games: Games::Number(4),
            containment: ContainmentConfig::none(),
            ..Config::new("scotland-yard", ["a=random", "b=random"].map(String::from).to_vec())
        };
        let plan = Plan::new(&config, &programs()).unwrap();
        let interrupt = Interrupt::new().unwrap();
        let games = MatchGames::new(&plan, false, &interrupt);
        let mut lines = JsonLines::new(Vec::new());
        let change = ConcurrencyChange { before: 4, after: 1, waited: 0.84 };
        lines.concurrency_changed(&games, &change).unwrap();
        let line = String::from_utf8(lines.out).unwrap();
        let expected =
            "{\"type\":\"concurrency_changed\",\"before\":4,\"after\":1,\"waited\":0.84}\n";
        assert_eq!(line, expected);
    }
}
