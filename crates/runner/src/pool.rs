//! The loop over games, under every verb that plays many of them: a source gives them out, workers play
//! them, void ones are repeated, and an observer shows what happens. Which games there are, what is kept
//! of them and how they are shown is not known here.

use crate::error::Error;
use crate::plan::Plan;
use crate::worker::{PlayedGame, Worker};
use botyard_league::schedule::ScheduledGame;
use botyard_referee::{Interrupt, Progress};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select, unbounded};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// How often a void game is repeated, whatever plays it.
pub const REPEATS_OF_VOID: u32 = 3;

/// The most games that are kept together.
const MOST_KEPT_TOGETHER: usize = 256;

/// Gives games out, and hears how they ended.
pub trait GameSource {
    /// What comes of a game that has ended, for the observer.
    type Record;

    /// The next game; `None` where there is none now. It is asked again after every game that has
    /// ended, and no more once there is no game in progress.
    fn next_game(&mut self) -> Option<ScheduledGame>;

    /// Whether [`next_game`](GameSource::next_game) may be asked while every player plays, so that none of
    /// them waits for its next game. A source says no whose games become needless by how others end.
    fn is_asked_ahead(&self) -> bool {
        true
    }

    /// A game has ended. Where `again` is set it was void, and is repeated.
    ///
    /// # Errors
    ///
    /// Whatever is a reason to stop at once.
    fn ended(&mut self, played: Box<PlayedGame>, again: bool) -> Result<Self::Record, Error>;

    /// For how long games that have ended may wait until several of them are [kept](GameSource::keep), and
    /// shown, together. Zero for a source that has nothing to keep.
    fn patience(&self) -> Duration {
        Duration::ZERO
    }

    /// Keeps the games that have ended since the last call. They are reported to the observer afterwards.
    ///
    /// # Errors
    ///
    /// Whatever is a reason to stop at once.
    fn keep(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Shows what happens. It is called on the thread that called [`run`], after the source.
pub trait Observer<S: GameSource> {
    /// An attempt to play a game begins.
    ///
    /// # Errors
    ///
    /// Whatever is a reason to stop at once.
    fn started(&mut self, source: &S, game: &ScheduledGame) -> Result<(), Error> {
        let (_, _) = (source, game);
        Ok(())
    }

    /// An attempt has ended, and this came of it.
    ///
    /// # Errors
    ///
    /// Whatever is a reason to stop at once.
    fn ended(&mut self, source: &S, record: S::Record) -> Result<(), Error>;
}

/// Receives every step of a game, on the thread that plays it.
pub type Steps<'a> = dyn FnMut(&Progress<'_>) + Send + 'a;

/// Plays one game after another.
pub trait Player {
    /// Plays one game, and tells `steps` of every step.
    ///
    /// # Errors
    ///
    /// Whatever keeps this game and all others from being played. No bot is running then.
    fn play(
        &mut self,
        game: ScheduledGame,
        steps: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<PlayedGame, Error>;

    /// Ends the bots and waits until they are gone.
    ///
    /// # Errors
    ///
    /// Processes that cannot be ended.
    fn dismiss(&mut self) -> Result<(), Error>;
}

/// Plays the games of the source under the conditions of the plan, as many at once as it says. A game
/// that the host made void is repeated up to three times; after that no more games begin, and those in
/// progress come to their end. `steps` receives every step of the games of one worker.
///
/// Returns what ended it before the source had no more games: an interrupt, or what the host or the plan
/// made impossible. All bots are gone by then.
///
/// # Errors
///
/// The first error of the source or the observer. All bots are gone by then too.
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
    run_players(plan.concurrency, &player, source, observer, steps, interrupt)
}

/// What comes from the threads that play.
enum Event {
    /// An attempt begins.
    Started(ScheduledGame),
    /// An attempt is over.
    Ended(Box<PlayedGame>),
    /// A thread gives up, and no further game should begin.
    Stopped(Error),
    /// Nothing has come, and games wait to be kept.
    Due,
}

fn run_players<S: GameSource, P: Player>(
    players: usize,
    player: &(impl Fn(usize) -> P + Sync),
    source: &mut S,
    observer: &mut dyn Observer<S>,
    mut steps: Option<&mut Steps<'_>>,
    interrupt: &Interrupt,
) -> Result<Option<Error>, Error> {
    // A game for each player waits, so that none of them waits for a game.
    let (queue, games) = bounded(players);
    let (events, results) = unbounded();
    std::thread::scope(|scope| {
        for number in 0..players {
            let (games, events) = (games.clone(), events.clone());
            let steps = steps.take();
            scope.spawn(move || {
                let mut player = player(number);
                let played = play_queue(&mut player, &games, &events, steps, interrupt);
                if let Err(error) = played.and_then(|()| player.dismiss()) {
                    interrupt.raise();
                    // Nobody listens any more only when the run has ended already.
                    let _ = events.send(Event::Stopped(error));
                }
            });
        }
        drop(events);
        let mut run = Run { queue: Some(queue), waiting: games, in_progress: 0, stopped: None };
        let mut voids = Voids::default();
        let mut next = None;
        let mut result = Ok(());
        let mut waiting = Waiting::default();
        loop {
            let is_asked = source.is_asked_ahead() || run.in_progress < players;
            if run.queue.is_some() && next.is_none() && is_asked {
                next = voids.again.pop_front().or_else(|| source.next_game());
                if next.is_none() && run.in_progress == 0 {
                    // Players end when the queue does.
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
                    let fate = voids.fate_of(&played);
                    let again = matches!(fate, Fate::Repeated) && run.queue.is_some();
                    if let Fate::GivenUp(error) = fate {
                        run.stop(error);
                    }
                    match result {
                        Ok(()) => source.ended(played, again).map(|record| {
                            waiting.end(record, source.patience());
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
            // Games that have ended are kept also where something else failed.
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

/// How long to wait for an event where no game waits to be kept.
const NO_HURRY: Duration = Duration::from_secs(3600);

/// Games that have ended and are to be kept, then shown, and those that have begun since then, which are
/// shown in their turn.
struct Waiting<T> {
    steps: Vec<Step<T>>,
    /// When the first of them has waited for long enough.
    due: Option<Instant>,
}

/// What is reported to an observer.
enum Step<T> {
    Started(ScheduledGame),
    Ended(T),
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

    /// Keeps them, then shows them.
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
        })
    }
}

/// Games on their way to the players.
struct Run {
    /// Where they go; `None` where no more do.
    queue: Option<Sender<ScheduledGame>>,
    /// Those that no player has taken yet.
    waiting: Receiver<ScheduledGame>,
    /// How many were given out and have not ended.
    in_progress: usize,
    /// What stopped them.
    stopped: Option<Error>,
}

impl Run {
    /// Has no more games begin.
    fn close(&mut self) {
        self.queue = None;
        self.in_progress -= self.waiting.try_iter().count();
    }

    /// The same, for this reason: of several, a failure says more than the interrupt that it caused
    /// elsewhere.
    fn stop(&mut self, error: Error) {
        self.close();
        if self.stopped.as_ref().is_none_or(|kept| matches!(kept, Error::Interrupted)) {
            self.stopped = Some(error);
        }
    }
}

/// Void games: which of them are repeated.
#[derive(Debug, Default)]
struct Voids {
    again: VecDeque<ScheduledGame>,
    /// How often games were repeated, by their numbers.
    repeats: HashMap<u32, u32>,
}

/// What follows from how an attempt ended.
#[derive(Debug)]
enum Fate {
    /// It has a result.
    Counts,
    /// It was void, and is repeated.
    Repeated,
    /// It was void too often.
    GivenUp(Error),
}

impl Voids {
    fn fate_of(&mut self, played: &PlayedGame) -> Fate {
        let game = &played.game;
        if !played.is_void() {
            self.repeats.remove(&game.number);
            return Fate::Counts;
        }
        let repeats = self.repeats.entry(game.number).or_default();
        if *repeats == REPEATS_OF_VOID {
            return Fate::GivenUp(Error::host(format!(
                "{} was void {} times, the last time because {}",
                game.id,
                REPEATS_OF_VOID + 1,
                played.void_reason()
            )));
        }
        *repeats += 1;
        self.again.push_back(ScheduledGame {
            attempt: game.attempt + 1,
            void_at: played.void_at(),
            ..game.clone()
        });
        Fate::Repeated
    }
}

/// Keeps the calling thread, and all the bots that it starts, on one core, if there is one for it.
fn pin(core: Option<&usize>) {
    if let Some(&core) = core {
        let mut only = CpuSet::new();
        only.set(core);
        // Where it cannot be done, games are played all the same, only less evenly.
        let _ = sched_setaffinity(None, &only);
    }
}

fn play_queue(
    player: &mut impl Player,
    games: &Receiver<ScheduledGame>,
    events: &Sender<Event>,
    mut steps: Option<&mut Steps<'_>>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    for game in games {
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
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_league::schedule::{Draws, Schedule};
    use botyard_protocol::{EndOutcome, OutcomeKind};
    use botyard_referee::GameReport;
    use std::sync::Mutex;
    use std::time::Duration;

    /// Games of two bots.
    fn schedule(games: u32) -> Schedule {
        let draws = Draws::numbered(7, "dice");
        Schedule { game: "dice", draws, bots: 2, games, fixed_seats: false, openings: Vec::new() }
    }

    /// How every attempt at a game ends, by the game's number and the attempt.
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
                elapsed: Duration::ZERO,
                searches: Vec::new(),
                void_bot: Some(1),
                host_failure: None,
            })
        }

        fn dismiss(&mut self) -> Result<(), Error> {
            Ok(())
        }
    }

    /// The games of a schedule, and how each attempt ended.
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
                Some(last) if last == number => Err(Error::usage("nobody reads")),
                _ => Ok(()),
            }
        }
    }

    /// What came of a run.
    struct Ran {
        result: Result<Option<Error>, Error>,
        /// Every attempt that ended: the game's number, the attempt, and whether it is repeated.
        ended: Vec<(u32, u32, bool)>,
        /// The number of the game of every attempt that was shown.
        shown: Vec<u32>,
    }

    fn play(games: u32, players: usize, fails_at: Option<u32>, script: &Script<'_>) -> Ran {
        let mut source = Listed { schedule: schedule(games), next: 0, ended: Vec::new() };
        let mut shown = Shown(Vec::new(), fails_at);
        let interrupt = Interrupt::new().unwrap();
        let player = |_| Scripted(script);
        let result = run_players(players, &player, &mut source, &mut shown, None, &interrupt);
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
        let Ran { result, ended, .. } = play(1000, 1, None, &|number, _| {
            Ok(if number == 2 { OutcomeKind::Void } else { OutcomeKind::Completed })
        });
        let Ok(Some(Error::Host(reason))) = &result else { panic!("{result:?}") };
        assert!(
            reason.contains("was void 4 times, the last time because the host failed: by script"),
            "{reason}"
        );
        let second: Vec<_> = ended.iter().filter(|(number, ..)| *number == 2).collect();
        assert_eq!(second, [&(2, 1, true), &(2, 2, true), &(2, 3, true), &(2, 4, false)]);
        // Whatever was begun has ended and was told; what was not begun is not.
        assert!((2..20).contains(&(ended.len() - second.len())), "{ended:?}");
    }

    #[test]
    fn the_bot_at_whose_turn_a_game_was_void_is_known_to_the_next_attempt() {
        let mut voids = Voids::default();
        let game = schedule(4).game(2);
        let script = |_, _| Ok(OutcomeKind::Void);
        let mut player = Scripted(&script);
        let played = player.play(game.clone(), &mut |_| {}).unwrap();
        assert!(matches!(voids.fate_of(&played), Fate::Repeated));
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

    /// Games that are kept together, and what happened in which order.
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
            let mut told = Told::default();
            let player = |_| Scripted(&|_, _| Ok(OutcomeKind::Completed));
            let ran = run_players(1, &player, &mut source, &mut told, None, &interrupt);
            assert_eq!(source.steps, ["kept 3"]);
            let expected = match fails {
                false => {
                    &["started 1", "ended 1", "started 2", "ended 2", "started 3", "ended 3"][..]
                }
                true => &["started 1"],
            };
            assert_eq!(told.0, expected);
            assert_eq!(ran.is_err(), fails);
        }
    }

    #[test]
    fn an_observer_that_fails_ends_the_run() {
        let Ran { result, .. } = play(1000, 2, Some(3), &|_, _| Ok(OutcomeKind::Completed));
        assert!(matches!(&result, Err(Error::Usage(_))), "{result:?}");
    }
}
