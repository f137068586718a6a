//! Games of a person against bots on a page of the loopback, with the same protocol and referee as
//! a match.
//!
//! To the referee the person is a bot: see [`botyard_runner::play`]. A session follows the replay
//! of the game as it is recorded, cuts it to what the person's seat saw, as the pages of running
//! games do, and publishes the result; pages receive it as events. What the person decides comes
//! back as commands, and the session checks them against the legal actions that the referee sent.
//!
//! * The address has a random part, because every program of the host can connect to the loopback,
//!   bots included.
//! * Commands need the token of the page, and must not come from a page of another site.
//! * A [`Table`] is the same for a server that has pages of its own, and says who may use them.
//! * With several seats whose views differ, a page shows nothing until the next person asks for it.
//!
//! ```no_run
//! use botyard_browser::{Browser, Options};
//! use botyard_runner::play::PlayConfig;
//! use botyard_runner::{Error, Programs};
//!
//! fn play(config: PlayConfig, programs: Programs) -> Result<(), Error> {
//!     let options = Options { port: 0, rated: false, level: None };
//!     let browser = Browser::open(config, programs, options)?;
//!     println!("{}", browser.address());
//!     let played = browser.play()?;
//!     println!("{:?}", played.replays);
//!     Ok(())
//! }
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod command;
mod desk;
mod estimates;
mod games;
mod line;
mod perspectives;
mod published;
mod remarks;
mod review;
mod routes;
mod session;
mod table;

pub use botyard_play::{LEVEL, LEVELS, level_bot};
pub use games::{Games, Levels, Offers};
pub use line::Refused;
pub use review::Reviewer;
pub use table::Table;

use botyard_connections::{Listening, Server, Shutdown};
use botyard_play::at_level;
use botyard_runner::play::{PlayConfig, PlayPlan};
use botyard_runner::{Error, Message, Programs};
use crossbeam_channel::unbounded;
use desk::{Common, Desk};
use games::ConfiguredGames;
use line::Line;
use published::Published;
use rand::TryRng;
use rand::rngs::SysRng;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How long open pages may take to receive the message that the server ends.
const FAREWELL: Duration = Duration::from_secs(1);

/// The conditions of the games at a page.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The port on the loopback; 0 for any free port.
    pub port: u16,
    /// Whether hints and undo are disabled.
    pub rated: bool,
    /// The level of the bots for which the configuration has no names. `None`: its default bot.
    pub level: Option<u8>,
}

/// The outcome of the games at a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Whether the last game was left unfinished.
    pub is_unfinished: bool,
    /// The replays that were saved, in order.
    pub replays: Vec<PathBuf>,
}

/// A page at which a person plays, one game after another.
pub struct Browser {
    desk: Desk,
    /// The first game, if its seats are known.
    first: Option<PlayPlan>,
    server: Server,
    shutdown: Shutdown,
    /// The secret part of the address.
    key: String,
    warnings: Vec<Message>,
}

impl Browser {
    /// Opens the page of a game. Without seats in the configuration, the person chooses one on the
    /// page.
    ///
    /// # Errors
    ///
    /// The configuration makes no game, or the port cannot be used.
    pub fn open(
        mut config: PlayConfig,
        programs: Programs,
        options: Options,
    ) -> Result<Browser, Error> {
        let Options { port, rated, level } = options;
        let is_chosen = !config.seats.is_empty();
        if !is_chosen {
            config.seats = vec![desk::first_seat(&config)?];
        }
        let level = level.unwrap_or(0);
        let at_level = match level {
            0 => config.clone(),
            level => at_level(&config, level),
        };
        let plan = PlayPlan::new(&at_level, &programs)?;
        let warnings = plan.warnings.clone();
        let signals = botyard_play::signals()?;
        let (published, receiver) = watch::channel(Published::default());
        let shutdown = Shutdown::default();
        let (requests, received) = unbounded();
        let (key, token) = (secret()?, secret()?);
        let line = Line { published: receiver, requests, shutdown: shutdown.clone() };
        let shared = routes::Shared::new(token, line);
        let router = routes::router(&key, Arc::new(shared));
        let server = Server::start(Listening::on_loopback(port), router).map_err(|error| {
            Error::host(format!(
                "cannot serve pages on port {port} of 127.0.0.1: {error}; choose another port, or \
                 0 for any"
            ))
        })?;
        // A plan is one game, whether or not its seats are changed before it begins.
        let games = ConfiguredGames { config, programs, level, begun: u32::from(is_chosen) };
        let (games, offers) = (Box::new(games), Offers::of_play(rated));
        let common = Common { games, offers, requests: received, signals, published };
        let desk = Desk::new(common, &plan);
        let first = is_chosen.then_some(plan);
        Ok(Browser { desk, first, server, shutdown, key, warnings })
    }

    /// The address of the page. Only who knows it can play.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.server.address(), self.key)
    }

    /// What the person should know before the game.
    pub fn warnings(&self) -> &[Message] {
        &self.warnings
    }

    /// Plays games until a signal arrives.
    ///
    /// # Errors
    ///
    /// The host fails.
    pub fn play(mut self) -> Result<Played, Error> {
        let played = self.desk.play(self.first.take());
        self.shutdown.begin_and_wait(FAREWELL);
        played
    }
}

/// Returns 32 random hexadecimal digits.
fn secret() -> Result<String, Error> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| {
        Error::host(format!("cannot get random numbers from the system: {error}"))
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
