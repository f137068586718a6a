//! The loop over games, shared by all commands that play many of them. A source schedules games,
//! worker threads play them, void games are repeated, and an observer shows what happens. The loop
//! does not know which games there are, what is stored or how it is shown.

use crate::concurrency_limit::{ConcurrencyChange, ConcurrencyLimit};
use crate::error::Error;
use crate::plan::Plan;
use crate::void_games::Repeats;
use crate::worker::{PlayedGame, Worker};
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
pub trait Player {
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
        Worker::new(plan, interrupt)
    };
    let own = plan.limit.is_none().then(|| ConcurrencyLimit::new(plan.concurrency));
    let limit = own.as_ref().or(plan.limit.as_deref());
    let limit = limit.map(|limit| Limited { limit, clock: plan.time.kind });
    run_players(plan.concurrency, limit, &player, source, observer, steps, interrupt)
}

/// Does the same as [`run`] on one thread, the one with this number of the plan's concurrent games:
/// it is pinned to that one's core. The caller limits the number of its threads that play.
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
        Worker::new(plan, interrupt)
    };
    run_players(1, None, &player, source, observer, None, interrupt)
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
}

/// A message from a worker thread.
enum Event {
    /// An attempt begins.
    Started(ScheduledGame),
    /// An attempt is over.
    Ended(Box<PlayedGame>),
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
                let played = play_queue(&mut player, wait, &games, &events, steps, interrupt);
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
                    let change = limit.and_then(|it| it.limit.game_ended(&played, it.clock));
                    match result {
                        Ok(()) => source.ended(played, again).map(|record| {
                            waiting.end(record, source.patience());
                            waiting.steps.extend(change.map(Step::Changed));
                        }),
                        Err(_) => Ok(()),
                    }
                }
                Event::Stopped(error) => {
                    run.stop(error);
                    Ok(())
                }
                Event::Started(_) => Ok(()),
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
        let played = match &mut steps {
            Some(steps) => player.play(game, *steps)?,
            None => player.play(game, &mut |_| {})?,
        };
        let _ = events.send(Event::Ended(Box::new(played)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::void_games::REPEATS_OF_VOID;
    use botyard_league::schedule::{Draws, Schedule};
    use botyard_protocol::{EndOutcome, OutcomeKind};
    use botyard_referee::{GameReport, SeatReport};
    use std::sync::Mutex;
    use std::time::Duration;

    /// Games of two bots.
    fn schedule(games: u32) -> Schedule {
        let draws = Draws::numbered(7, "dice");
        Schedule { game: "dice", draws, bots: 2, games, fixed_seats: false, openings: Vec::new() }
    }

    /// The end of every attempt, by the game's number and the attempt.
    type Script<'a> = dyn Fn(u32, u32) -> Result<OutcomeKind, Error> + Sync + 'a;

    struct Scripted<'a>(&'a Script<'a>);

    impl Player for Scripted<'_> {
        fn play(
            &mut self,
            game: ScheduledGame,
            _: &mut dyn FnMut(&Progress<'_>),
        ) -> Result<PlayedGame, Error> {
            let kind = (self.0)(game.number, game.attempt)?;
            let outcome =
                EndOutcome { kind, scores: vec![], ranks: vec![], reason: "by script".into() };
            Ok(PlayedGame {
                game,
                report: GameReport {
                    outcome,
                    faults: Vec::new(),
                    turns: 0,
                    seats: Vec::new(),
                    bots: Vec::new(),
                    host: None,
                    host_failure: None,
                },
                replay: None,
                stderr_files: Vec::new(),
                elapsed: Duration::ZERO,
                searches: Vec::new(),
                void_bot: Some(1),
                host_failure: None,
            })
        }

        fn quit_all(&mut self) -> Result<(), Error> {
            Ok(())
        }
    }

    /// A schedule, and how each attempt ended.
    struct Listed {
        schedule: Schedule,
        next: u32,
        ended: Vec<(u32, u32, bool)>,
    }

    impl GameSource for Listed {
        type Record = u32;

        fn next_game(&mut self) -> Option<ScheduledGame> {
            self.next += 1;
            (self.next <= self.schedule.games).then(|| self.schedule.game(self.next))
        }

        fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<u32, Error> {
            self.ended.push((played.game.number, played.game.attempt, again));
            Ok(played.game.number)
        }
    }

    struct Shown(Vec<u32>, Option<u32>);

    impl Observer<Listed> for Shown {
        fn ended(&mut self, _: &Listed, number: u32) -> Result<(), Error> {
            self.0.push(number);
            match self.1 {
                Some(last) if last == number => Err(Error::usage("closed pipe")),
                _ => Ok(()),
            }
        }
    }

    /// The results of a run.
    struct Ran {
        result: Result<Option<Error>, Error>,
        /// Every ended attempt: the game's number, the attempt, and whether it is repeated.
        ended: Vec<(u32, u32, bool)>,
        /// The number of the game of every attempt that was shown.
        shown: Vec<u32>,
    }

    fn play(games: u32, players: usize, fails_at: Option<u32>, script: &Script<'_>) -> Ran {
        let mut source = Listed { schedule: schedule(games), next: 0, ended: Vec::new() };
        let mut shown = Shown(Vec::new(), fails_at);
        let interrupt = Interrupt::new().unwrap();
        let player = |_| Scripted(script);
        let result = run_players(players, None, &player, &mut source, &mut shown, None, &interrupt);
        source.ended.sort_unstable();
        shown.0.sort_unstable();
        Ran { result, ended: source.ended, shown: shown.0 }
    }

    #[test]
    fn every_game_is_played_and_void_ones_are_repeated() {
        for players in [1, 3] {
            let Ran { result, ended, shown } = play(5, players, None, &|number, attempt| {
                let is_void = number == 2 && attempt <= REPEATS_OF_VOID;
                Ok(if is_void { OutcomeKind::Void } else { OutcomeKind::Completed })
            });
            assert!(matches!(result, Ok(None)), "{result:?}");
            let second = [(2, 1, true), (2, 2, true), (2, 3, true), (2, 4, false)];
            let mut expected = [1, 3, 4, 5].map(|number| (number, 1, false)).to_vec();
            expected.extend(second);
            expected.sort_unstable();
            assert_eq!(ended, expected);
            assert_eq!(shown, [1, 2, 2, 2, 2, 3, 4, 5]);
        }
    }

    #[test]
    fn a_game_that_stays_void_ends_the_run_and_loses_no_other() {
        let began = Mutex::new(Vec::new());
        let Ran { result, ended, .. } = play(1000, 1, None, &|number, attempt| {
            began.lock().unwrap().push((number, attempt));
            Ok(if number == 2 { OutcomeKind::Void } else { OutcomeKind::Completed })
        });
        let Ok(Some(Error::Host(reason))) = &result else { panic!("{result:?}") };
        assert!(
            reason.contains("was void 4 times, the last time because the host failed: by script"),
            "{reason}"
        );
        let second: Vec<_> = ended.iter().filter(|(number, ..)| *number == 2).collect();
        assert_eq!(second, [&(2, 1, true), &(2, 2, true), &(2, 3, true), &(2, 4, false)]);
        // Every game that began has ended and was reported. A few began before the run learned of the
        // last void one: it chooses at random whether to hear of an end or to queue a game.
        let mut began = began.into_inner().unwrap();
        began.sort_unstable();
        let reported: Vec<_> =
            ended.iter().map(|&(number, attempt, _)| (number, attempt)).collect();
        assert_eq!(reported, began);
        assert!((2..200).contains(&(ended.len() - second.len())), "{ended:?}");
    }

    #[test]
    fn the_bot_at_whose_turn_a_game_was_void_is_known_to_the_next_attempt() {
        let mut voids = Voids::default();
        let game = schedule(4).game(2);
        let script = |_, _| Ok(OutcomeKind::Void);
        let mut player = Scripted(&script);
        let played = player.play(game.clone(), &mut |_| {}).unwrap();
        assert!(matches!(voids.end_of_attempt(&played), AttemptEnd::Repeated));
        let again = ScheduledGame { attempt: 2, void_at: Some(1), ..game };
        assert_eq!(voids.again.pop_front(), Some(again));
    }

    #[test]
    fn what_fails_is_told_rather_than_the_interrupt_that_it_caused() {
        let failed = Mutex::new(false);
        let Ran { result, .. } = play(100, 3, None, &|number, _| {
            if number == 5 {
                *failed.lock().unwrap() = true;
                return Err(Error::usage("no such bot"));
            }
            match *failed.lock().unwrap() {
                true => Err(Error::Interrupted),
                false => Ok(OutcomeKind::Completed),
            }
        });
        assert!(matches!(&result, Ok(Some(Error::Usage(_)))), "{result:?}");
    }

    /// Games that are stored together, and the order of events.
    #[derive(Default)]
    struct Kept {
        next: u32,
        unkept: u32,
        steps: Vec<String>,
        fails: bool,
    }

    impl GameSource for Kept {
        type Record = u32;

        fn next_game(&mut self) -> Option<ScheduledGame> {
            self.next += 1;
            (self.next <= 3).then(|| schedule(3).game(self.next))
        }

        fn ended(&mut self, played: Box<PlayedGame>, _: bool) -> Result<u32, Error> {
            self.unkept += 1;
            Ok(played.game.number)
        }

        /// Longer than the games take.
        fn patience(&self) -> Duration {
            Duration::from_secs(60)
        }

        fn keep(&mut self) -> Result<(), Error> {
            self.steps.push(format!("kept {}", self.unkept));
            self.unkept = 0;
            if self.fails { Err(Error::host("no room")) } else { Ok(()) }
        }
    }

    /// The numbers of the games that were shown.
    #[derive(Default)]
    struct Told(Vec<String>);

    impl Observer<Kept> for Told {
        fn started(&mut self, _: &Kept, game: &ScheduledGame) -> Result<(), Error> {
            self.0.push(format!("started {}", game.number));
            Ok(())
        }

        fn ended(&mut self, source: &Kept, number: u32) -> Result<(), Error> {
            assert_eq!(source.steps.len(), 1, "no game is shown before it is kept");
            self.0.push(format!("ended {number}"));
            Ok(())
        }
    }

    #[test]
    fn games_are_kept_together_and_then_shown_in_their_order() {
        let interrupt = Interrupt::new().unwrap();
        for fails in [false, true] {
            let mut source = Kept { fails, ..Kept::default() };
            let mut observed = Told::default();
            let player = |_| Scripted(&|_, _| Ok(OutcomeKind::Completed));
            let ran = run_players(1, None, &player, &mut source, &mut observed, None, &interrupt);
            assert_eq!(source.steps, ["kept 3"]);
            let expected = match fails {
                false => {
                    &["started 1", "ended 1", "started 2", "ended 2", "started 3", "ended 3"][..]
                }
                true => &["started 1"],
            };
            assert_eq!(observed.0, expected);
            assert_eq!(ran.is_err(), fails);
        }
    }

    /// A player whose bots wait for a core most of the time. All but the first end their games when
    /// that is known.
    struct Crowded<'a>(usize, &'a ConcurrencyLimit, &'a Mutex<Vec<usize>>);

    impl Player for Crowded<'_> {
        fn play(
            &mut self,
            game: ScheduledGame,
            steps: &mut dyn FnMut(&Progress<'_>),
        ) -> Result<PlayedGame, Error> {
            let Crowded(number, limit, began) = self;
            began.lock().unwrap().push(*number);
            while *number > 0 && limit.allowed() > 1 {
                thread::sleep(Duration::from_millis(1));
            }
            let mut played = Scripted(&|_, _| Ok(OutcomeKind::Completed)).play(game, steps)?;
            let (waited_us, watched_cpu_us) = (1_680_000, 320_000);
            let seat = SeatReport { waited_us, watched_cpu_us, ..SeatReport::default() };
            played.report.seats = vec![seat];
            Ok(played)
        }

        fn quit_all(&mut self) -> Result<(), Error> {
            Ok(())
        }
    }

    /// The changes that were shown, in the order of the games.
    #[derive(Default)]
    struct Changes(Vec<ConcurrencyChange>);

    impl Observer<Listed> for Changes {
        fn ended(&mut self, _: &Listed, _: u32) -> Result<(), Error> {
            Ok(())
        }

        fn concurrency_changed(
            &mut self,
            _: &Listed,
            change: &ConcurrencyChange,
        ) -> Result<(), Error> {
            self.0.push(*change);
            Ok(())
        }
    }

    #[test]
    fn on_an_overloaded_host_one_player_plays_all_games_that_are_left() {
        let limit = ConcurrencyLimit::new(4);
        let began = Mutex::default();
        let mut source = Listed { schedule: schedule(40), next: 0, ended: Vec::new() };
        let mut changes = Changes::default();
        let interrupt = Interrupt::new().unwrap();
        let player = |number| Crowded(number, &limit, &began);
        let limited = Some(Limited { limit: &limit, clock: ClockKind::Wall });
        let ran = run_players(4, limited, &player, &mut source, &mut changes, None, &interrupt);
        assert!(matches!(ran, Ok(None)), "{ran:?}");
        assert_eq!(source.ended.len(), 40);
        assert_eq!(changes.0, [ConcurrencyChange { before: 4, after: 1, waited: 0.84 }]);
        let began = began.into_inner().unwrap();
        for number in 1..4 {
            let games = began.iter().filter(|&&it| it == number).count();
            assert!(games <= 1, "player {number} began {games} games");
        }
    }

    #[test]
    fn an_observer_that_fails_ends_the_run() {
        let Ran { result, .. } = play(1000, 2, Some(3), &|_, _| Ok(OutcomeKind::Completed));
        assert!(matches!(&result, Err(Error::Usage(_))), "{result:?}");
    }
}
