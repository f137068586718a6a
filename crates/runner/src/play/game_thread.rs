//! The referee's side of a game with a person: one game, from the start or from a record, on its
//! own thread. What the person may know goes to the session as [`News`]; the record of the game
//! stays here until the game is over.

use super::play_plan::PlayPlan;
use super::recording::{Output, Recording};
use super::relay::{Line, Switchboard};
use crate::error::Error;
use botyard_engine::{GameEvent, Seat};
use botyard_protocol::{EndOutcome, Fault};
use botyard_referee::{
    Bot, BotCommand, GameSpec, Interrupt, Progress, RefereeError, StartError, ThisHost, play_on,
    start_all,
};
use botyard_replay::{CreateError, ReplayWriter};
use crossbeam_channel::Sender;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// An event for the session.
#[derive(Debug)]
pub enum News {
    /// The relay is connected; answers are written to this stream.
    Connected(Line),
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
        /// What the bot said about it, as JSON; `None` in games that hide anything.
        info: Option<String>,
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
        /// The final views of all seats, in seat order.
        views: Vec<Value>,
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
    /// The replay; `None` if the game could not be begun.
    pub replay: Option<PathBuf>,
    /// Why the game could not be played. An interrupt is not an error.
    pub failed: Option<Error>,
}

/// Resumes a game from `record`, and records it in a new file of `directory`. Returns when the game
/// is over or interrupted and all bots have ended.
pub fn play(
    plan: &PlayPlan,
    switchboard: &Switchboard,
    record: &[Decision],
    directory: &Path,
    interrupt: &Interrupt,
    news: &Sender<News>,
) -> Left {
    let mut left = Left { record: Vec::new(), replay: None, failed: None };
    let place = Place { directory: Some(directory), has_settings: true, recording: None };
    left.failed = run(plan, switchboard, record, place, interrupt, news, &mut left).err();
    left
}

/// The same with a copy of the replay in memory, for a front end of which no game is resumed. A file
/// is written if the plan has a directory.
pub fn play_with_recording(
    plan: &PlayPlan,
    switchboard: &Switchboard,
    record: &[Decision],
    recording: &Recording,
    interrupt: &Interrupt,
    news: &Sender<News>,
) -> Left {
    let mut left = Left { record: Vec::new(), replay: None, failed: None };
    let directory = plan.out.as_deref();
    let place = Place { directory, has_settings: false, recording: Some(recording) };
    left.failed = run(plan, switchboard, record, place, interrupt, news, &mut left).err();
    left
}

/// Where a game is recorded.
struct Place<'a> {
    /// The directory of the file; `None` for no file.
    directory: Option<&'a Path>,
    /// Whether the file gets the settings beside it with which the game can be resumed.
    has_settings: bool,
    recording: Option<&'a Recording>,
}

fn run(
    plan: &PlayPlan,
    switchboard: &Switchboard,
    record: &[Decision],
    place: Place<'_>,
    interrupt: &Interrupt,
    news: &Sender<News>,
    left: &mut Left,
) -> Result<(), Error> {
    let person = BotCommand {
        name: plan.name.clone(),
        program: plan.botyard.clone(),
        args: switchboard.relay_arguments(),
        ..BotCommand::default()
    };
    let mut bots = vec![Bot::new(person).untimed()];
    for (command, containment) in plan.bots.iter().zip(&plan.containments) {
        // The bots do not think in the person's time.
        let is_stopped = containment.is_some();
        let bot = Bot::new(command.clone()).run_by(plan.backend).contained(containment.clone());
        bots.push(bot.with_freeze(is_stopped).wrapped(plan.wrapper.clone()));
    }
    match start_all(&mut bots, &plan.limits, interrupt) {
        Ok(()) => {}
        Err(StartError::Interrupted) => return Ok(()),
        Err(error @ (StartError::Option { .. } | StartError::Failed { .. })) => {
            return Err(Error::usage(format!("bot {error}")));
        }
        Err(error @ (StartError::Overloaded { .. } | StartError::Host(_))) => {
            return Err(Error::host(error));
        }
    }
    let mut table = (plan.tables)();
    let has_secrets = table.has_secrets();
    let spec = GameSpec {
        game_id: &plan.game.id,
        seed: plan.game.seed,
        time: plan.time.clone(),
        limits: plan.limits,
        send_legal: true,
        opening: plan.game.opening.as_deref(),
        seats: &plan.holders,
        gauge: &ThisHost,
        void_at: None,
        adjudicator: None,
    };
    let header = spec.header(&*table, &bots);
    let mut writer = match place.directory {
        Some(directory) => {
            let output = |file| Output::new(Some(file), place.recording);
            let (created, path) = ReplayWriter::create_through(directory, &header, output)
                .map_err(|error| {
                    let is_usage = matches!(error, CreateError::Exists { .. });
                    if is_usage { Error::usage(error) } else { Error::host(error) }
                })?;
            if place.has_settings {
                plan.save_settings(&path).map_err(|error| {
                    let path = path.display();
                    Error::host(format!("cannot write the settings beside {path}: {error}"))
                })?;
            }
            left.replay = Some(path);
            created
        }
        None => {
            ReplayWriter::new(Output::new(None, place.recording), &header).map_err(Error::host)?
        }
    };
    if place.recording.is_some() {
        writer = writer.prompt();
    }
    let actions: Vec<String> = record.iter().map(|decision| decision.action.clone()).collect();
    let mut observer = |progress: &Progress<'_>| {
        if let Progress::Moved { seat, played, .. } = progress {
            left.record.push(Decision { seat: seat.index(), action: played.full.clone() });
        }
        if let Some(told) = news_of(plan, progress, has_secrets) {
            // A session that has ended receives no more news.
            let _ = news.send(told);
        }
    };
    let played = play_on(
        &mut *table,
        &mut bots,
        &spec,
        &actions,
        interrupt,
        Some(&mut writer),
        &mut observer,
    );
    match played {
        Ok(_) => Bot::quit_all(&mut bots, &plan.limits).map_err(Error::host),
        Err(RefereeError::Interrupted) => Ok(()),
        Err(error @ (RefereeError::Host(_) | RefereeError::Survivors(_))) => {
            Err(Error::host(error))
        }
        Err(error) => Err(Error::usage(error)),
    }
}

/// Returns what the person may know of a step.
fn news_of(plan: &PlayPlan, progress: &Progress<'_>, has_secrets: bool) -> Option<News> {
    Some(match *progress {
        Progress::Opened { .. } => return None,
        Progress::Drawn { turn, drawn, .. } => News::Drawn { turn, told: told(plan, drawn) },
        Progress::Moved { turn, seat, played, info, .. } => News::Moved {
            turn,
            seat: seat.index(),
            told: told(plan, played),
            // A bot may say what its opponents must not know.
            info: info.filter(|_| !has_secrets).map(String::from),
        },
        Progress::Logged { player, text } => {
            News::Logged { player: player.to_string(), text: text.to_string() }
        }
        Progress::Failed { fault, fatal } => News::Failed { fault: fault.clone(), fatal },
        Progress::Ended { outcome, table } => {
            let views = Seat::all(plan.seats.len()).map(|seat| {
                let mut view = Vec::new();
                table.write_view(seat, &mut view);
                serde_json::from_slice(&view).unwrap_or_default()
            });
            News::Ended { outcome: outcome.clone(), text: table.text(), views: views.collect() }
        }
    })
}

/// Returns an event as the person's seats observed it: in full if one of them saw it in full.
fn told(plan: &PlayPlan, game_event: &GameEvent) -> Value {
    let seen = |own: usize| game_event.seen.iter().find(|(seat, _)| seat.index() == own);
    match plan.own_seats().map(seen).collect::<Option<Vec<_>>>().as_deref() {
        Some([(_, told), ..]) => told.clone(),
        _ => serde_json::from_str(&game_event.full).unwrap_or_default(),
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
