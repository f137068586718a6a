//! The loop over games, shared by all commands that play many of them. A source schedules games,
//! worker threads play them, void games are repeated, and an observer shows what happens. The loop
//! does not know which games there are, what is stored or how it is shown.

use crate::concurrency_limit::{ConcurrencyChange, ConcurrencyLimit};
use crate::error::Error;
use crate::game_player::{GamePlayer, PlayedGame};
use crate::plan::Plan;
use crate::void_games::Repeats;
use botyard_league::schedule::ScheduledGame;
use botyard_protocol::ClockKind;
use botyard_referee::{Interrupt, Progress};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select, unbounded};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The largest number of games that are stored in one transaction.
const MOST_KEPT_TOGETHER: usize = 256;

/// A schedule of games that receives their results.
pub trait GameSource {
    /// The result of an attempt, for the observer.
    type Record;

    /// Returns the next game, or `None` if no game is ready now. Called again after every ended
    /// game, until `None` while no game is in progress.
    fn next_game(&mut self) -> Option<ScheduledGame>;

    /// Returns whether [`next_game`](GameSource::next_game) may be called while all players are
    /// busy, so that none has to wait for its next game. A source returns `false` if the result of
    /// one game can make others unnecessary.
    fn is_asked_ahead(&self) -> bool {
        true
    }

    /// Receives the result of an attempt. If `again` is set, the game was void and is repeated.
    ///
    /// # Errors
    ///
    /// Any error stops the run immediately.
    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<Self::Record, Error>;

    /// Returns how long ended games may wait so that several are [stored](GameSource::keep) and
    /// shown together. Zero for a source that stores nothing.
    fn patience(&self) -> Duration {
        Duration::ZERO
    }

    /// Stores the games that have ended since the last call. The observer sees them afterwards.
    ///
    /// # Errors
    ///
    /// Any error stops the run immediately.
    fn keep(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Shows what happens. Called on the thread that called [`run`], after the source.
pub trait Observer<S: GameSource> {
    /// An attempt begins.
    ///
    /// # Errors
    ///
    /// Any error stops the run immediately.
    fn started(&mut self, source: &S, game: &ScheduledGame) -> Result<(), Error> {
        let (_, _) = (source, game);
        Ok(())
    }

    /// An attempt has ended with this result.
    ///
    /// # Errors
    ///
    /// Any error stops the run immediately.
    fn ended(&mut self, source: &S, record: S::Record) -> Result<(), Error>;

    /// The number of games at once has changed, because bots wait for cores or do not any more.
    ///
    /// # Errors
    ///
    /// Any error stops the run immediately.
    fn concurrency_changed(&mut self, source: &S, change: &ConcurrencyChange) -> Result<(), Error> {
        let (_, _) = (source, change);
        Ok(())
    }
}

/// Receives every step of a game, on the thread that plays it.
pub type Steps<'a> = dyn FnMut(&Progress<'_>) + Send + 'a;

/// Plays one game after another.
pub(crate) trait Player {
    /// Plays one game, and passes every step to `steps`.
    ///
    /// # Errors
    ///
    /// A failure that affects all games, not this one alone. No bot is running when it is returned.
    fn play(
        &mut self,
        game: ScheduledGame,
        steps: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<PlayedGame, Error>;

    /// Ends the bots and waits for their processes.
    ///
    /// # Errors
    ///
    /// A process cannot be ended.
    fn quit_all(&mut self) -> Result<(), Error>;
}

/// Plays the games of the source under the conditions of the plan, on as many threads as the plan
/// has concurrent games. A game that the host made void is repeated up to three times. If it stays
/// void, no more games begin, and those in progress are played to their end. While bots wait for
/// cores, fewer games are played at once. `steps` receives every step of the games of one worker.
///
/// Returns the reason if the run ended before the source had no more games: an interrupt, or a
/// failure of the host or the plan. All bots have ended when this returns.
///
/// # Errors
///
/// The first error of the source or the observer. All bots have ended then too.
pub fn run<S: GameSource>(
    plan: &Plan,
    source: &mut S,
    observer: &mut dyn Observer<S>,
    steps: Option<&mut Steps<'_>>,
    interrupt: &Interrupt,
) -> Result<Option<Error>, Error> {
    let player = |number: usize| {
        pin(plan.cores.get(number));
        GamePlayer::new(plan, interrupt)
    };
    let own = plan.limit.is_none().then(|| ConcurrencyLimit::new(plan.concurrency));
    let limit = own.as_ref().or(plan.limit.as_deref());
    let limit = limit.map(|limit| Limited { limit, clock: plan.time.kind });
    run_players(plan.concurrency, limit, &player, source, observer, steps, interrupt)
}

/// Does the same as [`run`] on one thread, the one with this number of the plan's concurrent games:
/// it is pinned to that one's core. The caller limits the number of its threads that play; what games
/// show of the host is added to the plan's limit.
///
/// # Errors
///
/// As for [`run`].
pub fn run_on<S: GameSource>(
    plan: &Plan,
    number: usize,
    source: &mut S,
    observer: &mut dyn Observer<S>,
    interrupt: &Interrupt,
) -> Result<Option<Error>, Error> {
    let player = |_| {
        pin(plan.cores.get(number));
        GamePlayer::new(plan, interrupt)
    };
    let limit = plan.limit.as_deref().map(|limit| Limited { limit, clock: plan.time.kind });
    run_players(1, limit, &player, source, observer, None, interrupt)
}

/// How often a player that may not begin a game looks whether it may.
const LOOK: Duration = Duration::from_millis(50);

/// The limit on games at once, and the clock of the games.
#[derive(Clone, Copy)]
struct Limited<'a> {
    limit: &'a ConcurrencyLimit,
    clock: ClockKind,
}

impl Limited<'_> {
    /// Waits until the player with this number may begin a game, or no further game may begin. Its
    /// bots leave meanwhile: they would take CPU time from those that play.
    fn wait(
        self,
        number: usize,
        player: &mut impl Player,
        is_closed: &AtomicBool,
    ) -> Result<(), Error> {
        let waits = || number >= self.limit.allowed() && !is_closed.load(Ordering::SeqCst);
        if waits() {
            player.quit_all()?;
        }
        while waits() {
            thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Adds for how long a bot waited for a core and used one in a game that began at `began`.
    fn add(self, began: Duration, waited_and_used_us: (u64, u64), events: &Sender<Event>) {
        if let Some(change) = self.limit.add(began, waited_and_used_us, self.clock) {
            let _ = events.send(Event::Changed(change));
        }
    }
}

/// A message from a worker thread.
enum Event {
    /// An attempt begins.
    Started(ScheduledGame),
    /// An attempt is over.
    Ended(Box<PlayedGame>),
    /// The number of games at once has changed.
    Changed(ConcurrencyChange),
    /// A worker thread gives up, and no further game may begin.
    Stopped(Error),
    /// No message arrived in time, and ended games must be stored.
    Due,
}

fn run_players<S: GameSource, P: Player>(
    players: usize,
    limit: Option<Limited<'_>>,
    player: &(impl Fn(usize) -> P + Sync),
    source: &mut S,
    observer: &mut dyn Observer<S>,
    mut steps: Option<&mut Steps<'_>>,
    interrupt: &Interrupt,
) -> Result<Option<Error>, Error> {
    // One game is queued for each player, so that none has to wait for the source.
    let (queue, games) = bounded(players);
    let (events, results) = unbounded();
    let is_closed = &AtomicBool::new(false);
    thread::scope(|scope| {
        for number in 0..players {
            let (games, events) = (games.clone(), events.clone());
            let steps = steps.take();
            scope.spawn(move || {
                let mut player = player(number);
                let wait = |player: &mut P| match limit {
                    Some(limit) => limit.wait(number, player, is_closed),
                    None => Ok(()),
                };
                let played =
                    play_queue(&mut player, limit, wait, &games, &events, steps, interrupt);
                if let Err(error) = played.and_then(|()| player.quit_all()) {
                    interrupt.raise();
                    // The receiver is gone only if the run has already ended.
                    let _ = events.send(Event::Stopped(error));
                }
            });
        }
        drop(events);
        let mut run =
            Run { queue: Some(queue), waiting: games, is_closed, in_progress: 0, stopped: None };
        let mut voids = Voids::default();
        let mut next = None;
        let mut result = Ok(());
        let mut waiting = Waiting::default();
        loop {
            let at_once = limit.map_or(players, |it| it.limit.allowed().min(players));
            let is_asked = source.is_asked_ahead() || run.in_progress < at_once;
            if run.queue.is_some() && next.is_none() && is_asked {
                next = voids.again.pop_front().or_else(|| source.next_game());
                if next.is_none() && run.in_progress == 0 {
                    // The players end when the queue is closed.
                    run.close();
                }
            }
            let due = waiting.due.unwrap_or_else(|| Instant::now() + NO_HURRY);
            let event = match (&run.queue, &next) {
                (Some(open), Some(game)) => select! {
                    send(open, game.clone()) -> _ => {
                        next = None;
                        run.in_progress += 1;
                        continue;
                    }
                    recv(results) -> event => event.ok(),
                    default(due.saturating_duration_since(Instant::now())) => Some(Event::Due),
                },
                _ => match results.recv_deadline(due) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => Some(Event::Due),
                    Err(RecvTimeoutError::Disconnected) => None,
                },
            };
            let is_last = event.is_none();
            let heard = match event.unwrap_or(Event::Due) {
                Event::Due => Ok(()),
                Event::Started(game) if result.is_ok() => waiting.begin(game, source, observer),
                Event::Ended(played) => {
                    run.in_progress -= 1;
                    let fate = voids.end_of_attempt(&played);
                    let again = matches!(fate, AttemptEnd::Repeated) && run.queue.is_some();
                    if let AttemptEnd::GivenUp(error) = fate {
                        run.stop(error);
                    }
                    match result {
                        Ok(()) => source
                            .ended(played, again)
                            .map(|record| waiting.end(record, source.patience())),
                        Err(_) => Ok(()),
                    }
                }
                Event::Changed(change) if result.is_ok() => {
                    waiting.change(change, source, observer)
                }
                Event::Stopped(error) => {
                    run.stop(error);
                    Ok(())
                }
                Event::Started(_) | Event::Changed(_) => Ok(()),
            };
            // Ended games are stored even if something else has failed.
            let kept = match waiting.is_due() || is_last || heard.is_err() {
                true => waiting.keep(source, observer),
                false => Ok(()),
            };
            let heard = heard.and(kept);
            if heard.is_err() && result.is_ok() {
                result = heard;
                interrupt.raise();
                run.close();
            }
            if is_last {
                break;
            }
        }
        result.map(|()| run.stopped)
    })
}

/// How long to wait for an event while no ended game waits to be stored.
const NO_HURRY: Duration = Duration::from_secs(3600);

/// Ended games that wait to be stored and then shown, and games started since then, to be shown in
/// order.
struct Waiting<T> {
    steps: Vec<Step<T>>,
    /// When the first of them has waited long enough.
    due: Option<Instant>,
}

/// An event for the observer.
enum Step<T> {
    Started(ScheduledGame),
    Ended(T),
    Changed(ConcurrencyChange),
}

impl<T> Default for Waiting<T> {
    fn default() -> Waiting<T> {
        Waiting { steps: Vec::new(), due: None }
    }
}

impl<T> Waiting<T> {
    fn begin<S: GameSource<Record = T>>(
        &mut self,
        game: ScheduledGame,
        source: &S,
        observer: &mut dyn Observer<S>,
    ) -> Result<(), Error> {
        if self.steps.is_empty() {
            return observer.started(source, &game);
        }
        self.steps.push(Step::Started(game));
        Ok(())
    }

    fn change<S: GameSource<Record = T>>(
        &mut self,
        change: ConcurrencyChange,
        source: &S,
        observer: &mut dyn Observer<S>,
    ) -> Result<(), Error> {
        if self.steps.is_empty() {
            return observer.concurrency_changed(source, &change);
        }
        self.steps.push(Step::Changed(change));
        Ok(())
    }

    fn end(&mut self, record: T, patience: Duration) {
        self.steps.push(Step::Ended(record));
        self.due.get_or_insert_with(|| Instant::now() + patience);
    }

    fn is_due(&self) -> bool {
        let is_late = |due: Instant| due <= Instant::now();
        self.steps.len() >= MOST_KEPT_TOGETHER || self.due.is_some_and(is_late)
    }

    /// Stores them, then shows them.
    fn keep<S: GameSource<Record = T>>(
        &mut self,
        source: &mut S,
        observer: &mut dyn Observer<S>,
    ) -> Result<(), Error> {
        let steps = std::mem::take(self).steps;
        if steps.is_empty() {
            return Ok(());
        }
        source.keep()?;
        steps.into_iter().try_for_each(|step| match step {
            Step::Started(game) => observer.started(source, &game),
            Step::Ended(record) => observer.ended(source, record),
            Step::Changed(change) => observer.concurrency_changed(source, &change),
        })
    }
}

/// Games that were scheduled and have not ended.
struct Run<'a> {
    /// The queue of the players. `None` when no more games may begin.
    queue: Option<Sender<ScheduledGame>>,
    /// Queued games that no player has taken yet.
    waiting: Receiver<ScheduledGame>,
    /// Whether no more games may begin, for players that wait for the limit.
    is_closed: &'a AtomicBool,
    /// The number of queued games and games being played.
    in_progress: usize,
    /// The reason to stop, if any.
    stopped: Option<Error>,
}

impl Run<'_> {
    /// Stops further games from beginning.
    fn close(&mut self) {
        self.queue = None;
        self.is_closed.store(true, Ordering::SeqCst);
        self.in_progress -= self.waiting.try_iter().count();
    }

    /// Does the same for this reason. A failure replaces an interrupt, which it may have caused
    /// elsewhere.
    fn stop(&mut self, error: Error) {
        self.close();
        if self.stopped.as_ref().is_none_or(|kept| matches!(kept, Error::Interrupted)) {
            self.stopped = Some(error);
        }
    }
}

/// Void games and their repeats.
#[derive(Debug, Default)]
struct Voids {
    again: VecDeque<ScheduledGame>,
    /// The repeats of each void game, by its number.
    repeats: HashMap<u32, Repeats>,
}

/// The consequence of an attempt.
#[derive(Debug)]
enum AttemptEnd {
    /// It has a result.
    Counts,
    /// It was void, and is repeated.
    Repeated,
    /// It was void too many times.
    GivenUp(Error),
}

impl Voids {
    fn end_of_attempt(&mut self, played: &PlayedGame) -> AttemptEnd {
        let game = &played.game;
        if !played.is_void() {
            self.repeats.remove(&game.number);
            return AttemptEnd::Counts;
        }
        let repeats = self.repeats.entry(game.number).or_default();
        if let Err(error) = repeats.repeat(&game.id, &played.void_reason()) {
            return AttemptEnd::GivenUp(error);
        }
        self.again.push_back(ScheduledGame {
            attempt: game.attempt + 1,
            void_at: played.void_at(),
            ..game.clone()
        });
        AttemptEnd::Repeated
    }
}

/// Pins the calling thread, and all bots that it starts, to `core`, if given. Only Linux lists the
/// cores that can be given.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
fn pin(core: Option<&usize>) {
    #[cfg(target_os = "linux")]
    if let Some(&core) = core {
        use rustix::thread::{CpuSet, sched_setaffinity};
        let mut only = CpuSet::new();
        only.set(core);
        // If pinning fails the games are played anyway, only less evenly.
        let _ = sched_setaffinity(None, &only);
    }
}

fn play_queue<P: Player>(
    player: &mut P,
    limit: Option<Limited<'_>>,
    wait: impl Fn(&mut P) -> Result<(), Error>,
    games: &Receiver<ScheduledGame>,
    events: &Sender<Event>,
    mut steps: Option<&mut Steps<'_>>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    loop {
        wait(player)?;
        let Ok(game) = games.recv() else { return Ok(()) };
        if interrupt.is_raised() {
            return Err(Error::Interrupted);
        }
        let _ = events.send(Event::Started(game.clone()));
        let limit = limit.map(|it| (it, it.limit.now()));
        let played = player.play(game, &mut |progress| {
            if let Some((limit, began)) = limit
                && let Progress::Waited { waited_us, used_us } = *progress
            {
                limit.add(began, (waited_us, used_us), events);
            }
            if let Some(steps) = &mut steps {
                steps(progress);
            }
        })?;
        if let Some((limit, began)) = limit {
            limit.add(began, (0, 0), events);
        }
        let _ = events.send(Event::Ended(Box::new(played)));
    }
}

#[cfg(test)]
mod tests;
