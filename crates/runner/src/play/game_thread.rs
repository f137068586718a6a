//! The referee's side of a game with a person: one game, from the start or from a record, on its
//! own thread. What the person may know goes to the session as [`News`]; the record of the game
//! stays here until the game is over.

use super::party::Party;
use super::relay::Switchboard;
use crate::error::Error;
use botyard_engine::Happening;
use botyard_protocol::{EndOutcome, Fault};
use botyard_referee::{
    Bot, BotCommand, GameSpec, Interrupt, Progress, RefereeError, StartError, ThisHost, play_on,
    start_all,
};
use botyard_replay::{CreateError, ReplayWriter};
use crossbeam_channel::Sender;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// An event for the session.
#[derive(Debug)]
pub enum News {
    /// The relay is connected; answers are written to this stream.
    Connected(UnixStream),
    /// A line from the referee to the person's seats.
    Line(Vec<u8>),
    /// A seat has decided.
    Moved {
        /// The number of the decision, from 1.
        turn: u32,
        /// The index of the seat.
        seat: usize,
        /// The action as the person's seats observed it.
        told: Value,
    },
    /// A chance event.
    Drawn {
        /// The number of the last decision before it, 0 before the first.
        turn: u32,
        /// The event as the person's seats observed it.
        told: Value,
    },
    /// A bot's text for the log.
    Logged {
        /// The bot's name.
        player: String,
        /// The text. May contain control characters.
        text: String,
    },
    /// A bot has committed a fault, or the person has resigned.
    Failed {
        /// The fault.
        fault: Fault,
        /// Whether the seat is forfeited.
        fatal: bool,
    },
    /// The game is over, and nothing is redacted any more.
    Ended {
        /// The outcome.
        outcome: EndOutcome,
        /// The final position as text.
        text: String,
    },
}

/// A decision in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The index of the seat.
    pub seat: usize,
    /// The action in the game's JSON, hidden parts included.
    pub action: String,
}

/// The result of a game thread.
#[derive(Debug)]
pub struct Left {
    /// All decisions, including those of the record.
    pub record: Vec<Decision>,
    /// The replay, if one was saved.
    pub replay: Option<PathBuf>,
    /// Why the game could not be played. An interrupt is not an error.
    pub failed: Option<Error>,
}

/// Resumes a game from `record`. Returns when the game is over or interrupted and all bots have
/// ended.
pub fn play(
    party: &Party,
    switchboard: &Switchboard,
    record: &[Decision],
    interrupt: &Interrupt,
    news: &Sender<News>,
) -> Left {
    let mut left = Left { record: Vec::new(), replay: None, failed: None };
    left.failed = run(party, switchboard, record, interrupt, news, &mut left).err();
    left
}

fn run(
    party: &Party,
    switchboard: &Switchboard,
    record: &[Decision],
    interrupt: &Interrupt,
    news: &Sender<News>,
    left: &mut Left,
) -> Result<(), Error> {
    let person = BotCommand {
        name: party.name.clone(),
        program: party.botyard.clone(),
        args: switchboard.relay_arguments(),
        ..BotCommand::default()
    };
    let mut bots = vec![Bot::new(person).untimed()];
    for (command, containment) in party.bots.iter().zip(&party.containments) {
        // The bots do not think in the person's time.
        let is_stopped = containment.is_some();
        let bot = Bot::new(command.clone()).contained(containment.clone()).frozen(is_stopped);
        bots.push(bot.wrapped(party.wrapper.clone()));
    }
    match start_all(&mut bots, &party.limits, interrupt) {
        Ok(()) => {}
        Err(StartError::Interrupted) => return Ok(()),
        Err(error @ (StartError::Option { .. } | StartError::Failed { .. })) => {
            return Err(Error::usage(format!("bot {error}")));
        }
        Err(error @ (StartError::Overloaded { .. } | StartError::Host(_))) => {
            return Err(Error::host(error));
        }
    }
    let mut table = (party.tables)();
    let spec = GameSpec {
        game_id: &party.game.id,
        seed: party.game.seed,
        time: party.time.clone(),
        limits: party.limits,
        send_legal: true,
        opening: party.game.opening.as_deref(),
        seats: &party.holders,
        gauge: &ThisHost,
        void_at: None,
    };
    let mut writer = None;
    if let Some(directory) = &party.out {
        let header = spec.header(&*table, &bots);
        let (created, path) = ReplayWriter::create(directory, &header).map_err(|error| {
            let is_usage = matches!(error, CreateError::Exists { .. });
            if is_usage { Error::usage(error) } else { Error::host(error) }
        })?;
        writer = Some(created);
        left.replay = Some(path);
    }
    let actions: Vec<String> = record.iter().map(|decision| decision.action.clone()).collect();
    let mut observer = |progress: &Progress<'_>| {
        if let Progress::Moved { seat, played, .. } = progress {
            left.record.push(Decision { seat: seat.index(), action: played.full.clone() });
        }
        if let Some(told) = tell(party, progress) {
            // A session that has ended receives no more news.
            let _ = news.send(told);
        }
    };
    let played =
        play_on(&mut *table, &mut bots, &spec, &actions, interrupt, writer.as_mut(), &mut observer);
    match played {
        Ok(_) => Bot::dismiss(&mut bots, &party.limits).map_err(Error::host),
        Err(RefereeError::Interrupted) => Ok(()),
        Err(error @ (RefereeError::Host(_) | RefereeError::Survivors(_))) => {
            Err(Error::host(error))
        }
        Err(error) => Err(Error::usage(error)),
    }
}

/// Returns what the person may know of a step.
fn tell(party: &Party, progress: &Progress<'_>) -> Option<News> {
    Some(match *progress {
        Progress::Opened { .. } => return None,
        Progress::Drawn { turn, drawn, .. } => News::Drawn { turn, told: told(party, drawn) },
        Progress::Moved { turn, seat, played, .. } => {
            News::Moved { turn, seat: seat.index(), told: told(party, played) }
        }
        Progress::Logged { player, text } => {
            News::Logged { player: player.to_string(), text: text.to_string() }
        }
        Progress::Failed { fault, fatal } => News::Failed { fault: fault.clone(), fatal },
        Progress::Ended { outcome, table } => {
            News::Ended { outcome: outcome.clone(), text: table.text() }
        }
    })
}

/// Returns an event as the person's seats observed it: in full if one of them saw it in full.
fn told(party: &Party, happening: &Happening) -> Value {
    let seen = |own: usize| happening.seen.iter().find(|(seat, _)| seat.index() == own);
    match party.own_seats().map(seen).collect::<Option<Vec<_>>>().as_deref() {
        Some([(_, told), ..]) => told.clone(),
        _ => serde_json::from_str(&happening.full).unwrap_or_default(),
    }
}

/// Forwards the relay's lines to the session until the relay disconnects.
pub fn listen(switchboard: &Switchboard, news: &Sender<News>) {
    let Ok(stream) = switchboard.accept() else { return };
    let Ok(answers) = stream.try_clone() else { return };
    let _ = news.send(News::Connected(answers));
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        if news.send(News::Line(std::mem::take(&mut line))).is_err() {
            return;
        }
    }
}
