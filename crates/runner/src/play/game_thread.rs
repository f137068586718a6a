//! The referee's side of a game with a person: one game, from the start or from a record, on its
//! own thread. What the person may know goes to the session as [`News`]; the record of the game
//! stays here until the game is over.

use super::attempt::Attempt;
use super::play_plan::PlayPlan;
use super::recording::{Output, Recording};
use super::relay::{Line, Switchboard};
use crate::error::Error;
use crate::game_player::is_full;
use crate::void_games::void_reason;
use botyard_engine::{GameEvent, Seat};
use botyard_protocol::{EndOutcome, Fault, OutcomeKind};
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
        seen_by_seat: Value,
        /// What the bot said about it, as JSON; `None` in games that hide anything.
        info: Option<String>,
    },
    /// A chance event.
    Drawn {
        /// The number of the last decision before it, 0 before the first.
        turn: u32,
        /// The event as the person's seats observed it.
        seen_by_seat: Value,
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
    /// The game is void, for this reason, as the end of a sentence. [`Left`] has what follows.
    Void(String),
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
    /// Whether the host made the attempt void.
    pub is_void: bool,
    /// The next attempt, if this one is void.
    pub next: Option<Attempt>,
    /// Why the game could not be played, or was void too often. An interrupt is not an error.
    pub failed: Option<Error>,
}

/// Plays an attempt at a game, and records it in a new file of `directory`, and in `recording` if there is
/// one. Returns when the attempt is over or interrupted and all bots have ended.
pub fn play(
    plan: &PlayPlan,
    switchboard: &Switchboard,
    attempt: Attempt,
    directory: &Path,
    recording: Option<&Recording>,
    interrupt: &Interrupt,
    news: &Sender<News>,
) -> Left {
    let place = Place { directory: Some(directory), has_settings: true, recording };
    left_of(plan, switchboard, attempt, place, interrupt, news)
}

/// Does the same with a copy of the replay in memory, for a front end of which no game is resumed. A
/// file is written if the plan has a directory.
pub fn play_with_recording(
    plan: &PlayPlan,
    switchboard: &Switchboard,
    attempt: Attempt,
    recording: &Recording,
    interrupt: &Interrupt,
    news: &Sender<News>,
) -> Left {
    let directory = plan.out.as_deref();
    let place = Place { directory, has_settings: false, recording: Some(recording) };
    left_of(plan, switchboard, attempt, place, interrupt, news)
}

/// A void attempt.
struct Void {
    /// Why, as the end of a sentence.
    reason: String,
    /// The player at whose turn it was void.
    at: Option<usize>,
    /// Whether a seat was forfeited before. The decisions after that cannot be played without it.
    has_forfeit: bool,
}

fn left_of(
    plan: &PlayPlan,
    switchboard: &Switchboard,
    attempt: Attempt,
    place: Place<'_>,
    interrupt: &Interrupt,
    news: &Sender<News>,
) -> Left {
    let mut left =
        Left { record: Vec::new(), replay: None, is_void: false, next: None, failed: None };
    match run(plan, switchboard, &attempt, place, interrupt, news, &mut left) {
        Ok(None) => {}
        Ok(Some(Void { reason, at, has_forfeit })) => {
            left.is_void = true;
            let record = match left.record.len() < attempt.record.len() {
                // It was void before all of them were played.
                true => attempt.record.clone(),
                false if has_forfeit => Vec::new(),
                false => left.record.clone(),
            };
            match attempt.after_void(&plan.game.id, record, at, &reason) {
                Ok(next) => left.next = Some(next),
                Err(error) => left.failed = Some(error),
            }
            // A session that has ended receives no more news.
            let _ = news.send(News::Void(reason));
        }
        Err(error) => left.failed = Some(error),
    }
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
    attempt: &Attempt,
    place: Place<'_>,
    interrupt: &Interrupt,
    news: &Sender<News>,
    left: &mut Left,
) -> Result<Option<Void>, Error> {
    let person = BotCommand {
        name: plan.name.clone(),
        program: plan.botyard.clone(),
        args: switchboard.relay_arguments(),
        ..BotCommand::default()
    };
    let mut bots = vec![Bot::new(person).untimed().with_legal()];
    for planned in &plan.bots {
        // The bots do not think in the person's time.
        let is_stopped = plan.freeze || planned.containment.is_some();
        let bot = planned.bot(plan.backend, plan.wrapper.as_ref());
        bots.push(bot.with_freeze(is_stopped));
    }
    match start_all(&mut bots, &plan.limits, interrupt) {
        Ok(()) => {}
        Err(StartError::Interrupted) => return Ok(None),
        Err(error @ (StartError::Option { .. } | StartError::Failed { .. })) => {
            return Err(Error::usage(format!("bot {error}")));
        }
        // The game is void, and its replay records that.
        Err(StartError::Overloaded { .. } | StartError::Host(_)) => {}
    }
    let mut table = (plan.tables)();
    let has_secrets = table.has_secrets();
    let spec = GameSpec {
        game_id: &plan.game.id,
        seed: plan.game.seed,
        time: plan.time.clone(),
        limits: plan.limits,
        send_legal: plan.send_legal,
        opening: plan.game.opening.as_deref(),
        seats: &plan.holders,
        gauge: &ThisHost,
        void_at: attempt.void_at,
        adjudicator: plan.adjudicator.as_ref(),
    };
    let header = spec.header(&*table, &bots);
    let mut writer = match place.directory {
        Some(directory) => {
            let output = |file| Output::new(Some(file), place.recording);
            let path = plan.replay_in(directory, attempt.number());
            let created =
                ReplayWriter::create_through(&path, &header, output).map_err(|error| {
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
    let actions: Vec<String> =
        attempt.record.iter().map(|decision| decision.action.clone()).collect();
    let mut has_forfeit = false;
    let mut observer = |progress: &Progress<'_>| {
        has_forfeit |= matches!(progress, Progress::Failed { fatal: true, .. });
        if let Progress::Moved { seat, played, .. } = progress {
            left.record.push(Decision { seat: seat.index(), action: played.full.clone() });
        }
        if let Some(seen_by_seat) = news_of(plan, progress, has_secrets) {
            // A session that has ended receives no more news.
            let _ = news.send(seen_by_seat);
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
        Ok(report) => {
            Bot::quit_all(&mut bots, &plan.limits).map_err(Error::host)?;
            let stalled = report.host.as_ref().and_then(|host| host.seat.as_ref());
            let seat = plan.seats.iter().position(|seat| Some(seat) == stalled);
            Ok((report.outcome.kind == OutcomeKind::Void).then(|| Void {
                reason: void_reason(report.host_failure.as_deref(), &report.outcome),
                at: seat.and_then(|seat| plan.holders.get(seat)).copied(),
                has_forfeit,
            }))
        }
        // A full disk does not recover by a repeat.
        Err(RefereeError::Host(failure)) if !is_full(&failure.error) => {
            Ok(Some(Void { reason: failure.to_string(), at: None, has_forfeit }))
        }
        Err(RefereeError::Interrupted) => Ok(None),
        Err(error @ RefereeError::Rules(_)) => Err(Error::rules(error)),
        Err(error @ (RefereeError::Host(_) | RefereeError::Survivors(_))) => {
            Err(Error::host(error))
        }
        Err(error) => Err(Error::usage(error)),
    }
}

/// Returns what the person may know of a step.
fn news_of(plan: &PlayPlan, progress: &Progress<'_>, has_secrets: bool) -> Option<News> {
    Some(match *progress {
        Progress::Opened { .. } | Progress::Waited { .. } => return None,
        Progress::Drawn { turn, drawn, .. } => {
            News::Drawn { turn, seen_by_seat: seen_by_seat(plan, drawn) }
        }
        Progress::Moved { turn, seat, played, info, .. } => News::Moved {
            turn,
            seat: seat.index(),
            seen_by_seat: seen_by_seat(plan, played),
            // A bot may say what its opponents must not know.
            info: info.filter(|_| !has_secrets).map(String::from),
        },
        Progress::Logged { player, text } => {
            News::Logged { player: player.to_string(), text: text.to_string() }
        }
        Progress::Failed { fault, fatal } => News::Failed { fault: fault.clone(), fatal },
        Progress::Ended { outcome, .. } if outcome.kind == OutcomeKind::Void => return None,
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
fn seen_by_seat(plan: &PlayPlan, game_event: &GameEvent) -> Value {
    let seen = |own: usize| game_event.seen.iter().find(|(seat, _)| seat.index() == own);
    match plan.own_seats().map(seen).collect::<Option<Vec<_>>>().as_deref() {
        Some([(_, seen_by_seat), ..]) => seen_by_seat.clone(),
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
