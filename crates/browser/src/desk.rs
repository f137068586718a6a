//! The games at one page, one after another: what they have in common, and what leads from one to
//! the next.

use crate::Played;
use crate::command::{Order, Request};
use crate::games::{Games, Levels, Offers};
use crate::published::{Published, Recorded};
use crate::review::Reviewer;
use crate::session::{Leaving, Session};
use botyard_engine::registry::plain_name;
use botyard_play::taken_back;
use botyard_runner::play::{Attempt, Left, PlayConfig, PlayPlan, Recording, play_with_recording};
use botyard_runner::{Error, tables};
use crossbeam_channel::{Receiver, at, never, select};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use std::{fs, io};
use tokio::sync::watch;

/// What a desk is made of.
pub(crate) struct Common {
    pub games: Box<dyn Games>,
    pub offers: Offers,
    pub requests: Receiver<Request>,
    pub signals: Receiver<()>,
    pub published: watch::Sender<Published>,
}

/// What the games at one page have in common.
pub(crate) struct Desk {
    games: Box<dyn Games>,
    /// What the person is offered.
    pub offers: Offers,
    /// When the person last asked for something, or was asked.
    active: Instant,
    /// The name of the game.
    pub name: &'static str,
    /// The names of its seats.
    seats: Vec<String>,
    pub requests: Receiver<Request>,
    pub signals: Receiver<()>,
    published: watch::Sender<Published>,
    /// The number of what pages show: see [`Published::game`].
    number: u64,
}

/// How a game was left.
enum GameLeft {
    /// Another one begins.
    Next(Box<PlayPlan>),
    /// A signal arrived.
    Interrupted {
        /// Whether the game was over.
        is_over: bool,
    },
}

/// Returns the name of the first seat of a game.
///
/// # Errors
///
/// The configuration makes no game.
pub(crate) fn first_seat(config: &PlayConfig) -> Result<String, Error> {
    let start = &config.start;
    let players = Some(config.against.len()).filter(|&bots| bots > 1).map(|bots| bots + 1);
    let (tables, _) = tables(&config.game, start.rules.as_deref(), &start.changes, players)?;
    Ok(tables().seats().first().cloned().unwrap_or_default())
}

impl Desk {
    pub(crate) fn new(common: Common, plan: &PlayPlan) -> Desk {
        Desk {
            name: (plan.tables)().game(),
            seats: plan.seats.clone(),
            games: common.games,
            offers: common.offers,
            active: Instant::now(),
            requests: common.requests,
            signals: common.signals,
            published: common.published,
            number: 0,
        }
    }

    /// Makes the plan of the next game.
    ///
    /// # Errors
    ///
    /// The person cannot play these seats, in words.
    pub(crate) fn plan(
        &mut self,
        seats: Vec<String>,
        level: Option<u8>,
    ) -> Result<Box<PlayPlan>, String> {
        self.games.plan(seats, level)
    }

    /// Returns the levels among which the person chooses.
    pub(crate) fn levels(&self) -> Option<Levels> {
        self.games.levels()
    }

    /// Returns what makes reviews, if anything does.
    pub(crate) fn reviewer(&self) -> Option<Reviewer> {
        self.games.reviewer()
    }

    /// Allows the bots to be started again.
    ///
    /// # Errors
    ///
    /// They are not, in words.
    pub(crate) fn start_again(&mut self) -> Result<(), String> {
        self.games.start_again()
    }

    /// Records that the bots of the game have ended.
    pub(crate) fn ended(&mut self) {
        self.games.ended();
    }

    /// Records that the person asks for something, or is asked.
    pub(crate) fn touch(&mut self) {
        self.active = Instant::now();
    }

    /// Returns a channel with a message once the game has waited too long for the person.
    pub(crate) fn idle(&self) -> Receiver<Instant> {
        match self.offers.idle {
            Some(idle) => at(self.active + idle),
            None => never(),
        }
    }

    /// Puts an error in words.
    pub(crate) fn in_words(&self, error: &Error) -> String {
        self.games.in_words(error)
    }

    /// Puts the reason of a void game in words.
    pub(crate) fn void_in_words(&self, reason: &str) -> String {
        self.games.void_in_words(reason)
    }

    /// Begins to show something else: pages receive it as a whole.
    pub(crate) fn turn_over(&mut self) {
        self.number += 1;
    }

    /// The number of what pages show.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The number of positions that pages have of what they show now.
    pub(crate) fn published_positions(&self) -> usize {
        let published = self.published.borrow();
        if published.game == self.number { published.positions.len() } else { 0 }
    }

    /// Publishes the state, and the positions from an index with what is known of the game.
    pub(crate) fn publish(
        &self,
        state: &Value,
        from: usize,
        shown: Option<(Value, Vec<Arc<str>>)>,
    ) {
        let state: Arc<str> = state.to_string().into();
        self.published.send_if_modified(|its| {
            let mut is_modified = its.state != state;
            if its.game != self.number {
                is_modified = true;
                *its = Published { game: self.number, ..Published::default() };
            }
            its.state = state;
            if let Some((about, positions)) = shown {
                is_modified |= its.positions.get(from..) != Some(&positions[..]);
                its.about.get_or_insert_with(|| about.to_string().into());
                its.positions.truncate(from);
                its.positions.extend(positions);
            }
            is_modified
        });
    }

    /// Publishes the replay of a game that is over.
    pub(crate) fn publish_replay(&self, recorded: Recorded) {
        self.published.send_modify(|its| its.replay = Some(Arc::new(recorded)));
    }

    /// Plays games until a signal arrives.
    ///
    /// # Errors
    ///
    /// The host fails.
    pub(crate) fn play(&mut self, first: Option<PlayPlan>) -> Result<Played, Error> {
        let mut played = Played::default();
        let mut next = first.map(Box::new);
        loop {
            let Some(plan) = next.take() else {
                next = self.seats_chosen();
                if next.is_none() {
                    return Ok(played);
                }
                continue;
            };
            match self.game(&plan, &mut played)? {
                GameLeft::Next(plan) => next = Some(plan),
                GameLeft::Interrupted { is_over } => {
                    played.is_unfinished = !is_over;
                    return Ok(played);
                }
            }
        }
    }

    /// Waits until the person has chosen a seat. `None`: a signal arrived.
    fn seats_chosen(&mut self) -> Option<Box<PlayPlan>> {
        self.turn_over();
        let seats = self.seats.iter();
        let seats: Value =
            seats.map(|seat| json!({ "seat": seat, "player": "", "own": false })).collect();
        let state = json!({
            "phase": "choose",
            "game": self.number,
            "name": plain_name(self.name),
            "seats": seats,
            "levels": self.levels(),
            "faults": [],
            "remarks": [],
        });
        self.publish(&state, 0, None);
        let (requests, signals) = (self.requests.clone(), self.signals.clone());
        loop {
            select! {
                recv(requests) -> request => {
                    let Request { command, answer } = request.ok()?;
                    let planned = match command.order {
                        Order::New { seats, level } => self.plan(seats, level),
                        _ => Err("choose a seat first".to_string()),
                    };
                    // A page that was closed receives no answer.
                    match planned {
                        Ok(plan) => {
                            let _ = answer.send(Ok(()));
                            return Some(plan);
                        }
                        Err(reason) => {
                            let _ = answer.send(Err(reason));
                        }
                    }
                }
                recv(signals) -> _ => return None,
            }
        }
    }

    /// Plays one game, with what is taken back, or void, and played again.
    fn game(&mut self, plan: &PlayPlan, played: &mut Played) -> Result<GameLeft, Error> {
        let mut next = Attempt::default();
        let mut void = None;
        loop {
            let attempt = next.clone();
            let (leaving, is_over, left) = self.attempt(plan, attempt.clone(), void.take())?;
            if let Leaving::Void(reason) = leaving {
                played.replays.extend(left.replay);
                next = left.next.unwrap_or(attempt);
                void = Some(reason);
                continue;
            }
            if matches!(leaving, Leaving::Undo) {
                next = attempt.from_record(taken_back(plan, left.record));
                if let Some(abandoned) = &left.replay {
                    // The continued game has the same id, so its replay has the same name.
                    match fs::remove_file(abandoned) {
                        Err(error) if error.kind() != io::ErrorKind::NotFound => {
                            return Err(Error::host(error));
                        }
                        _ => {}
                    }
                }
                continue;
            }
            played.replays.extend(left.replay);
            return Ok(match leaving {
                Leaving::Next(plan) => GameLeft::Next(plan),
                _ => GameLeft::Interrupted { is_over },
            });
        }
    }

    /// Plays one attempt until its end, an undo, or the person's leaving. `void`: why the attempt
    /// before was void.
    fn attempt(
        &mut self,
        plan: &PlayPlan,
        attempt: Attempt,
        void: Option<String>,
    ) -> Result<(Leaving, bool, Left), Error> {
        let (recording, grown) = Recording::new();
        let mut session = Session::new(plan, self, recording.clone(), attempt.record.len(), void);
        let (leaving, left) = botyard_play::attempt(
            |switchboard, interrupt, news| {
                play_with_recording(plan, switchboard, attempt, &recording, interrupt, news)
            },
            |news| {
                let leaving = session.run(news, &grown);
                let has_left = !matches!(leaving, Leaving::Over);
                (leaving, has_left)
            },
        )?;
        let leaving = match leaving {
            Leaving::Over if left.next.is_some() => Leaving::Void(session.void_reason()),
            Leaving::Over => session.rest(&left),
            leaving => leaving,
        };
        let is_over = session.is_over();
        Ok((leaving, is_over, left))
    }
}
