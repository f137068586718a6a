//! Games at pages that another server serves: it routes their addresses, and says who may use them.

use crate::desk::{Common, Desk};
use crate::games::{Games, Offers};
use crate::line::{Line, Refused, settled};
use crate::published::Published;
use axum::response::sse::Event;
use botyard_connections::Shutdown;
use crossbeam_channel::{Sender, bounded, unbounded};
use futures_util::Stream;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::sync::watch;

/// A table at which a person plays, one game after another, in a thread of its own. Its games end when it is
/// dropped.
pub struct Table {
    line: Line,
    leave: Sender<()>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Table {
    /// Begins a game in which the person plays these seats.
    ///
    /// # Errors
    ///
    /// There is no such game, in words for the person.
    pub fn open(
        mut games: Box<dyn Games>,
        seats: Vec<String>,
        offers: Offers,
    ) -> Result<Table, String> {
        let plan = games.plan(seats, None)?;
        let (published, receiver) = watch::channel(Published::default());
        let shutdown = Shutdown::default();
        let (requests, received) = unbounded();
        let (leave, signals) = bounded(1);
        let line = Line { published: receiver, requests, shutdown: shutdown.clone() };
        let common = Common { games, offers, requests: received, signals, published };
        let mut desk = Desk::new(common, &plan);
        let thread = thread::Builder::new().name("table".to_string()).spawn(move || {
            // The person reads why on the page, and the games hear it.
            if let Err(error) = desk.play(Some(*plan)) {
                desk.in_words(&error);
            }
            desk.ended();
            shutdown.begin();
        });
        let thread = thread.map_err(|error| format!("the game cannot be started: {error}"))?;
        Ok(Table { line, leave, thread: Mutex::new(Some(thread)) })
    }

    /// Carries out a command of a page, as JSON, and waits until that is done.
    ///
    /// # Errors
    ///
    /// It is not carried out.
    ///
    /// # Panics
    ///
    /// If it is called in a task of an async runtime, which must not wait.
    pub fn carry_out(&self, json: &[u8]) -> Result<(), Refused> {
        let answered = self.line.send(json)?;
        settled(answered.blocking_recv().ok())
    }

    /// Returns the events of a page, from the beginning. The last one says that the games have ended.
    pub fn events(&self) -> impl Stream<Item = Event> + Send + use<> {
        self.line.events()
    }

    /// Returns the page of the replay of a game that is over; `None` if it is not.
    ///
    /// # Errors
    ///
    /// The replay cannot be shown, in words.
    pub fn replay(&self) -> Option<Result<String, String>> {
        self.line.replay()
    }

    /// Returns whether its games have ended, and all their bots.
    pub fn has_ended(&self) -> bool {
        self.line.shutdown.has_begun()
    }

    /// Ends its games, and waits until their bots have ended.
    pub fn end(&self) {
        // A message that waits already is enough.
        let _ = self.leave.try_send(());
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Table")
            .field("has_ended", &self.has_ended())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::games::ConfiguredGames;
    use botyard_protocol::Limits;
    use botyard_runner::play::PlayConfig;
    use botyard_runner::{ContainmentConfig, Programs, StartConfig};
    use botyard_sandbox::Launcher;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::time::{Duration, Instant};

    /// A game in which the person has all seats, and never begins: the relay is a program that waits.
    fn games(place: &Path) -> Box<dyn Games> {
        let relay = place.join("relay");
        fs::write(&relay, "#!/bin/sh\nexec sleep 100000\n").expect("it is ours");
        fs::set_permissions(&relay, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let launcher = Launcher { program: "false".into(), args: Vec::new() };
        let programs = Programs { botyard: relay, ..Programs::new(launcher) };
        let config = PlayConfig {
            game: "connect-four".to_string(),
            seats: Vec::new(),
            against: Vec::new(),
            default_bot: None,
            start: StartConfig::default(),
            number: 1,
            move_ms: 1000,
            limits: Limits { start_ms: 1_000_000, ..Limits::default() },
            name: "person".to_string(),
            containment: ContainmentConfig::none(),
            out: None,
            rated: false,
        };
        Box::new(ConfiguredGames { config, programs, level: 0, begun: 0 })
    }

    fn table(place: &Path, idle: Option<Duration>) -> Table {
        let seats = ["yellow", "red"].map(String::from).to_vec();
        let offers = Offers { idle, ..Offers::of_play(false) };
        Table::open(games(place), seats, offers).expect("a table")
    }

    #[test]
    fn a_game_ends_when_its_person_does_nothing_or_leaves() {
        let place = tempfile::tempdir().expect("a directory");
        let idle = table(place.path(), Some(Duration::from_millis(1)));
        let begun = Instant::now();
        while !idle.has_ended() {
            assert!(begun.elapsed() < Duration::from_secs(600), "it does not end");
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(idle.carry_out(b"{\"do\": \"resign\"}"), Err(Refused::Ended));

        let left = table(place.path(), None);
        assert!(!left.has_ended());
        let refused = left.carry_out(b"{\"do\": \"resign\"}");
        assert_eq!(refused, Err(Refused::Impossible("it is not your turn".to_string())));
        assert!(matches!(left.carry_out(b"{}"), Err(Refused::Unreadable(_))));
        assert!(left.replay().is_none());
        left.end();
        assert!(left.has_ended());
    }
}
