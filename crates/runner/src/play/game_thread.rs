//! The referee's side of a game with a person: one game, from its beginning or from a record, on a
//! thread of its own. What the person may know of it goes to the session as news; the record of
//! what was played stays here until the game is over.

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

/// What a session hears.
#[derive(Debug)]
pub enum News {
    /// The relay has called: answers go here.
    Connected(UnixStream),
    /// A line of the referee's to the person's seats.
    Line(Vec<u8>),
    /// A seat has decided.
    Moved {
        /// The number of the decision, from 1.
        turn: u32,
        /// The seat, by its place.
        seat: usize,
        /// What the person's seats were told of the action.
        told: Value,
    },
    /// Something was drawn.
    Drawn {
        /// The number of the last decision before it; 0 before the first.
        turn: u32,
        /// What the person's seats were told of it.
        told: Value,
    },
    /// A bot's text for the log.
    Logged {
        /// The bot's name.
        player: String,
        /// What it said. Not made printable.
        text: String,
    },
    /// A bot has failed, or the person has resigned.
    Failed {
        /// How.
        fault: Fault,
        /// Whether it has lost its seats by this.
        fatal: bool,
    },
    /// The game is over, and nothing is hidden any more.
    Ended {
        /// How it ended.
        outcome: EndOutcome,
        /// The final position in words.
        text: String,
    },
}

/// A decision that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The seat, by its place.
    pub seat: usize,
    /// The action in the game's JSON, hidden parts included.
    pub action: String,
}

/// What is left of a game.
#[derive(Debug)]
pub struct Left {
    /// Every decision, those that it began with included.
    pub record: Vec<Decision>,
    /// Its replay, where one was saved.
    pub replay: Option<PathBuf>,
    /// Why it could not be played; an interrupted game is none.
    pub failed: Option<Error>,
}

/// Plays a game on from `record`, and returns when it is over or interrupted and no bot is left.
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
        // They do not think in the person's time.
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
            // A session that has ended needs no news.
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

/// What the person may know of a step.
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

/// What happened as the person's seats were told: in full where one of them saw it in full.
fn told(party: &Party, happening: &Happening) -> Value {
    let seen = |own: usize| happening.seen.iter().find(|(seat, _)| seat.index() == own);
    match party.own_seats().map(seen).collect::<Option<Vec<_>>>().as_deref() {
        Some([(_, told), ..]) => told.clone(),
        _ => serde_json::from_str(&happening.full).unwrap_or_default(),
    }
}

/// Hears the relay, line by line, until it hangs up.
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
