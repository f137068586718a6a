//! Plays the games of a match or a tournament: one worker plays one game at a time and keeps its bots
//! running between games; many workers take games from one queue. Which games there are, and what becomes
//! of the results, is not known here.
//!
//! Where something is hidden or drawn, no process of a bot plays two games that begin alike: what it learns
//! in the one is what it must not know in the other.

use super::plan::Plan;
use super::searches::{self, Searches};
use crate::config::Replays;
use crate::error::Error;
use crate::schedule::ScheduledGame;
use botyard_league::schedule::by_rotation;
use botyard_league::store::replay_name;
use botyard_protocol::OutcomeKind;
use botyard_referee::{
    Bot, GameReport, GameSpec, Interrupt, Progress, RefereeError, StartError, ThisHost, play,
    start_all,
};
use botyard_replay::{CreateError, ReplayWriter, replay_file_name};
use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A game that was played.
#[derive(Debug)]
pub struct PlayedGame {
    /// Which.
    pub game: ScheduledGame,
    /// How it went.
    pub report: GameReport,
    /// Its replay, where one was saved.
    pub replay: Option<PathBuf>,
    /// From the moment its bots were started, or found running, to the verdict.
    pub elapsed: Duration,
    /// For each seat, in seat order, the searches of its bot, as far as it told of them.
    pub searches: Vec<Searches>,
}

/// Why the games of a match do not go on.
#[derive(Debug)]
pub enum Stop {
    /// The user wants to stop.
    Interrupted,
    /// No game can be played like this, or on this host.
    Failed(Error),
}

/// What comes from the workers.
#[derive(Debug)]
pub enum Event {
    /// A game begins.
    Started(ScheduledGame),
    /// A game is over.
    Ended(Box<PlayedGame>),
    /// A worker gives up, and no further game should begin.
    Stopped(Stop),
}

/// Plays games one after another, with the same bots as long as they are seated.
pub struct Worker<'a> {
    plan: &'a Plan,
    interrupt: &'a Interrupt,
    bots: Vec<Bot>,
    /// Who these are, in the order of the plan's bots.
    seated: Vec<Seated>,
}

/// A bot at the table.
#[derive(Debug)]
struct Seated {
    /// Which of the plan's bots it is.
    bot: usize,
    /// How the games began that it has played since it took its seat ([`ScheduledGame::start`]), where
    /// that matters.
    starts: HashSet<u64>,
}

impl<'a> Worker<'a> {
    /// A worker whose bots are not running yet.
    pub fn new(plan: &'a Plan, interrupt: &'a Interrupt) -> Worker<'a> {
        Worker { plan, interrupt, bots: Vec::new(), seated: Vec::new() }
    }

    /// Brings those to the table who play a game. The others leave: a program that waits for a later
    /// game would take from those who play. So do those who have played a game that began like this
    /// one, and a new process takes their seat. Gives, for each seat, its bot among those at the table.
    fn seat(&mut self, game: &ScheduledGame) -> Result<Vec<usize>, Stop> {
        let mut wanted = game.seats.clone();
        wanted.sort_unstable();
        wanted.dedup();
        let start = self.plan.has_secrets.then(|| game.start());
        let stays = |seated: &Seated| {
            let knows = start.is_some_and(|start| seated.starts.contains(&start));
            wanted.contains(&seated.bot) && !knows
        };
        if !(self.seated.iter().all(stays) && self.seated.len() == wanted.len()) {
            let at_table = self.seated.drain(..).zip(self.bots.drain(..));
            let (mut staying, leaving): (Vec<_>, Vec<_>) =
                at_table.partition(|(seated, _)| stays(seated));
            let mut leaving: Vec<Bot> = leaving.into_iter().map(|(_, bot)| bot).collect();
            Bot::dismiss(&mut leaving, &self.plan.limits).map_err(stop)?;
            for &bot in &wanted {
                if !staying.iter().any(|(seated, _)| seated.bot == bot) {
                    staying.push((Seated { bot, starts: HashSet::new() }, self.plan.bot(bot)));
                }
            }
            staying.sort_unstable_by_key(|(seated, _)| seated.bot);
            (self.seated, self.bots) = staying.into_iter().unzip();
        }
        if let Some(start) = start {
            for seated in &mut self.seated {
                seated.starts.insert(start);
            }
        }
        Ok(game.seats.iter().map(|&bot| self.place_of(bot).unwrap_or_default()).collect())
    }

    /// The place of one of the plan's bots among those at the table.
    fn place_of(&self, bot: usize) -> Option<usize> {
        self.seated.binary_search_by_key(&bot, |seated| seated.bot).ok()
    }

    /// Plays one game and tells `observer` of every step.
    ///
    /// # Errors
    ///
    /// Whatever keeps this game and all others from being played. None of the bots is running then.
    pub fn play(
        &mut self,
        game: ScheduledGame,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<PlayedGame, Stop> {
        let plan = self.plan;
        let begun = Instant::now();
        let seats = self.seat(&game)?;
        match start_all(&mut self.bots, &plan.limits, self.interrupt) {
            // A tournament has tried its bots with their options: one that does not know them any
            // more has failed, and ends nobody's games but its own.
            Err(StartError::Option { .. }) if plan.bots_were_tried => {}
            started => started.map_err(start_stop)?,
        }
        let mut table = (plan.tables)();
        let spec = GameSpec {
            game_id: &game.id,
            seed: game.seed,
            time: plan.time.clone(),
            limits: plan.limits,
            send_legal: plan.send_legal,
            opening: game.opening.as_deref(),
            seats: &seats,
            gauge: &ThisHost,
            void_at: game.void_at.and_then(|bot| self.place_of(bot)),
        };
        let header = spec.header(&*table, &self.bots);
        let (mut writer, replay) = match &plan.replays {
            Replays::None => (None, None),
            // Its first attempt was void, and is not kept.
            Replays::Own(directory) if game.void_at.is_some() => {
                let path = directory.join(replay_file_name(&game.id));
                let file = file_written_over(&path).map_err(stop)?;
                (Some(ReplayWriter::new(file, &header).map_err(stop)?), Some(path))
            }
            Replays::Own(directory) => {
                let (writer, path) =
                    ReplayWriter::create(directory, &header).map_err(replay_stop)?;
                (Some(writer), Some(path))
            }
            Replays::Shared(directory) => {
                let (file, path) = new_file(directory, &game.id).map_err(stop)?;
                (Some(ReplayWriter::new(file, &header).map_err(stop)?), Some(path))
            }
            Replays::Tournament(directory) => {
                let path = directory.join(replay_name(&game.id));
                let file = file_written_over(&path).map_err(stop)?;
                (Some(ReplayWriter::new(file, &header).map_err(stop)?), Some(path))
            }
        };
        let mut searches = vec![Searches::default(); plan.seats.len()];
        let mut observer = |progress: &Progress<'_>| {
            searches::count(&mut searches, progress);
            observer(progress);
        };
        let report = play(
            &mut *table,
            &mut self.bots,
            &spec,
            self.interrupt,
            writer.as_mut(),
            &mut observer,
        )
        .map_err(referee_stop)?;
        if let Some(replay) = &replay {
            self.keep_stderr(replay, &report).map_err(stop)?;
        }
        if plan.restart {
            self.dismiss()?;
        }
        Ok(PlayedGame { game, report, replay, elapsed: begun.elapsed(), searches })
    }

    /// Tells the bots to leave and waits until they are gone.
    ///
    /// # Errors
    ///
    /// Processes that cannot be ended.
    pub fn dismiss(&mut self) -> Result<(), Stop> {
        // None of what was played is known to the processes that come after these.
        self.seated.iter_mut().for_each(|seated| seated.starts.clear());
        Bot::dismiss(&mut self.bots, &self.plan.limits).map_err(stop)
    }

    /// What bots wrote to standard error goes into files beside the replay, and then only where
    /// they wrote something.
    fn keep_stderr(&self, replay: &Path, report: &GameReport) -> std::io::Result<()> {
        for (index, (bot, output)) in self.bots.iter().zip(&report.bots).enumerate() {
            if !output.stderr.is_empty() {
                let number = index + 1;
                // The name may hold anything; the file's name of a game holds nothing that harms.
                let name = replay_file_name(&format!("bot{number}-{}", bot.name()));
                let name = name.trim_end_matches(".ndjson");
                fs::write(replay.with_extension(format!("{name}.stderr.txt")), &output.stderr)?;
            }
        }
        Ok(())
    }
}

/// A new file for the replay of a game in a directory that may hold one of the same game: the same
/// seed was played before, which is no reason to stop.
fn new_file(directory: &Path, game_id: &str) -> std::io::Result<(File, PathBuf)> {
    let mut copy = 1;
    loop {
        let id = if copy == 1 { game_id.to_string() } else { format!("{game_id}-{copy}") };
        let path = directory.join(replay_file_name(&id));
        match File::create_new(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => copy += 1,
            Err(error) => return Err(error),
        }
    }
}

/// The file for the replay of a game that has no result: what is there was broken off.
fn file_written_over(path: &Path) -> std::io::Result<File> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    File::create(path)
}

fn stop(error: impl std::fmt::Display) -> Stop {
    Stop::Failed(Error::host(error))
}

fn replay_stop(error: CreateError) -> Stop {
    match error {
        CreateError::Exists { .. } => Stop::Failed(Error::usage(error)),
        CreateError::Host { .. } => stop(error),
    }
}

fn start_stop(error: StartError) -> Stop {
    match error {
        StartError::Interrupted => Stop::Interrupted,
        StartError::Option { .. } | StartError::Failed { .. } => {
            Stop::Failed(Error::usage(format!("bot {error}")))
        }
        StartError::Overloaded { .. } | StartError::Host(_) => stop(error),
    }
}

fn referee_stop(error: RefereeError) -> Stop {
    match error {
        RefereeError::Interrupted => Stop::Interrupted,
        RefereeError::Opening(_)
        | RefereeError::Record { .. }
        | RefereeError::RecordTooLong { .. }
        | RefereeError::TimeControl(_)
        | RefereeError::Seating(_) => Stop::Failed(Error::usage(error)),
        RefereeError::Host(_) | RefereeError::Survivors(_) => stop(error),
    }
}

/// Says which game comes next, and hears how games go.
pub trait GameSource {
    /// The next game; `None` where there is none now. It is asked again after every game that has
    /// ended, and no more once there is no game in progress.
    fn next_game(&mut self) -> Option<ScheduledGame>;

    /// Something has happened.
    ///
    /// # Errors
    ///
    /// Whatever is a reason to stop.
    fn on_event(&mut self, event: Event) -> Result<(), Error>;
}

/// How often a void game is played again.
pub const REPLAYS_OF_VOID: u32 = 3;

/// The games of a plan that have these numbers. Void ones are played again, and only how they ended
/// last is told.
struct Numbered<'a, N, F> {
    plan: &'a Plan,
    numbers: N,
    on_event: F,
    again: VecDeque<ScheduledGame>,
    /// How often games were played again.
    repeated: HashMap<u32, u32>,
}

impl<'a, N, F> Numbered<'a, N, F> {
    fn new(plan: &'a Plan, numbers: N, on_event: F) -> Numbered<'a, N, F> {
        Numbered { plan, numbers, on_event, again: VecDeque::new(), repeated: HashMap::new() }
    }

    /// Puts a game that the host made void back in the queue, unless that was done often enough.
    fn repeats(&mut self, played: &PlayedGame) -> bool {
        let Some(host) = played.report.host.as_ref() else { return false };
        if played.report.outcome.kind != OutcomeKind::Void {
            return false;
        }
        let repeated = self.repeated.entry(played.game.number).or_default();
        *repeated += 1;
        if *repeated > REPLAYS_OF_VOID {
            return false;
        }
        let seat = self.plan.seats.iter().position(|seat| Some(seat) == host.seat.as_ref());
        let void_at = seat.and_then(|seat| played.game.seats.get(seat)).copied();
        self.again.push_back(ScheduledGame { void_at, ..played.game.clone() });
        true
    }
}

impl<N, F> GameSource for Numbered<'_, N, F>
where
    N: Iterator<Item = u32>,
    F: FnMut(Event) -> Result<(), Error>,
{
    fn next_game(&mut self) -> Option<ScheduledGame> {
        let again = self.again.pop_front();
        again.or_else(|| self.numbers.next().map(|number| self.plan.schedule.game(number)))
    }

    fn on_event(&mut self, event: Event) -> Result<(), Error> {
        match &event {
            Event::Ended(played) if self.repeats(played) => Ok(()),
            Event::Started(game) if self.repeated.contains_key(&game.number) => Ok(()),
            _ => (self.on_event)(event),
        }
    }
}

/// Plays the games of the plan that have these numbers, on as many threads as it says, and calls
/// `on_event` on the calling thread, in the order in which things happen. Where that fails, or a game cannot be played, the
/// interrupt is raised and the games in progress stop.
///
/// # Errors
///
/// The first error of `on_event`. All bots are gone by then.
pub fn play_all(
    plan: &Plan,
    numbers: impl IntoIterator<Item = u32>,
    interrupt: &Interrupt,
    on_event: impl FnMut(Event) -> Result<(), Error>,
) -> Result<(), Error> {
    let numbers = numbers.into_iter();
    if !plan.has_secrets {
        return play_games(plan, &mut Numbered::new(plan, numbers, on_event), interrupt);
    }
    let numbers = by_rotation(numbers, plan.schedule.block_length());
    play_games(plan, &mut Numbered::new(plan, numbers, on_event), interrupt)
}

/// Plays the games that the source tells, under the conditions of the plan. Otherwise as
/// [`play_all`].
///
/// # Errors
///
/// The first error of the source. All bots are gone by then.
pub fn play_games(
    plan: &Plan,
    source: &mut dyn GameSource,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    // A game for each worker waits, so that none of them waits for a game.
    let (queue, games) = bounded(plan.concurrency);
    let (events, results) = unbounded();
    std::thread::scope(|scope| {
        for number in 0..plan.concurrency {
            let (games, events) = (games.clone(), events.clone());
            scope.spawn(move || {
                pin(plan.cores.get(number));
                let mut worker = Worker::new(plan, interrupt);
                let played = play_queue(&mut worker, &games, &events);
                if let Err(stop) = played.and_then(|()| worker.dismiss()) {
                    interrupt.raise();
                    // Nobody listens any more only when the match has ended already.
                    let _ = events.send(Event::Stopped(stop));
                }
            });
        }
        drop((games, events));
        let mut queue = Some(queue);
        let mut next = None;
        let mut in_progress = 0;
        let mut result = Ok(());
        loop {
            if queue.is_some() && next.is_none() {
                next = source.next_game();
                if next.is_none() && in_progress == 0 {
                    // Workers end when the queue does.
                    queue = None;
                }
            }
            let event = match (&queue, &next) {
                (Some(open), Some(game)) => select! {
                    send(open, game.clone()) -> sent => {
                        next = None;
                        in_progress += 1;
                        // Nobody takes games any more: what stopped them is among the events.
                        if sent.is_err() {
                            queue = None;
                        }
                        continue;
                    }
                    recv(results) -> event => event,
                },
                _ => results.recv(),
            };
            let Ok(event) = event else { break result };
            match &event {
                Event::Started(_) => {}
                Event::Ended(_) => in_progress -= 1,
                Event::Stopped(_) => queue = None,
            }
            if result.is_ok() {
                result = source.on_event(event);
                if result.is_err() {
                    interrupt.raise();
                    queue = None;
                }
            }
        }
    })
}

/// Keeps the calling thread, and all the bots that it starts, on one core, if there is one for it.
pub fn pin(core: Option<&usize>) {
    if let Some(&core) = core {
        let mut only = CpuSet::new();
        only.set(core);
        // Where it cannot be done, games are played all the same, only less evenly.
        let _ = sched_setaffinity(None, &only);
    }
}

fn play_queue(
    worker: &mut Worker<'_>,
    games: &Receiver<ScheduledGame>,
    events: &Sender<Event>,
) -> Result<(), Stop> {
    for game in games {
        if worker.interrupt.is_raised() {
            return Err(Stop::Interrupted);
        }
        let _ = events.send(Event::Started(game.clone()));
        let played = worker.play(game, &mut |_| {})?;
        let _ = events.send(Event::Ended(Box::new(played)));
    }
    Ok(())
}
