//! A player of games, which plays those of a match or a tournament one at a time and keeps its bots
//! running between them. It does not know which games there are or what becomes of the results.
//!
//! Where rules hide or draw something, no process of a bot plays two games with the same start: it
//! would know in the second what it saw in the first.

use crate::compression::compress_new_replay;
use crate::config::Replays;
use crate::error::Error;
use crate::plan::Plan;
use crate::pool::Player;
use crate::searches::{self, Searches};
use crate::stderr_excerpt::stderr_in_words;
use crate::void_games::void_reason;
use botyard_league::replay_names::{attempt_name, replay_name};
use botyard_league::schedule::ScheduledGame;
use botyard_protocol::{EndOutcome, OutcomeKind};
use botyard_referee::{
    Bot, BotReport, GameReport, GameSpec, HostFailure, Interrupt, Progress, RefereeError,
    SeatReport, StartError, play, start_all,
};
use botyard_replay::{
    HOST_FAILED, Header, ReplayWriter, compressed_path, replay_file_name, stderr_path,
};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A game that was played.
#[derive(Debug)]
pub struct PlayedGame {
    /// The game.
    pub game: ScheduledGame,
    /// The report of the referee.
    pub report: GameReport,
    /// Its replay, if one was saved.
    pub replay: Option<PathBuf>,
    /// Time from when its bots were started, or found running, to the verdict.
    pub elapsed: Duration,
    /// Where the standard error of each bot was saved, in the order of the bots in the report.
    pub stderr_files: Vec<Option<PathBuf>>,
    /// The searches that each seat's bot reported, in seat order.
    pub searches: Vec<Searches>,
    /// The bot that the host stalled at its turn, if known.
    pub void_bot: Option<usize>,
    /// Why the host could not run a bot, or failed during the game. The game is void then.
    pub host_failure: Option<String>,
}

impl PlayedGame {
    /// Returns whether the game has no result because the host failed.
    pub fn is_void(&self) -> bool {
        self.report.outcome.kind == OutcomeKind::Void
    }

    /// Returns the bot at whose turn the game was void.
    pub fn void_at(&self) -> Option<usize> {
        self.void_bot.filter(|_| self.is_void())
    }

    /// Formats what the standard error of a bot, by its index in the report, says about its fault,
    /// and where all of it was saved.
    pub fn stderr_in_words(&self, bot: usize) -> String {
        let Some(output) = self.report.bots.get(bot) else { return String::new() };
        let kept = self.stderr_files.get(bot).and_then(Option::as_deref);
        stderr_in_words(output.stderr_before_ruling(), kept)
    }

    /// Returns why the game is void, as the end of a sentence.
    pub fn void_reason(&self) -> String {
        void_reason(self.host_failure.as_deref(), &self.report.outcome)
    }
}

/// How many games with faults have their replays saved by a player, if it saves those only.
const FAULTY_GAMES: u32 = 50;

/// Where the lines of a replay go.
enum ReplayOutput {
    File(File),
    Memory(Memory),
}

/// A replay that is not saved yet.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

/// Where a replay is saved.
enum Place {
    File(PathBuf),
    /// In this directory, if the game has a fault.
    AfterFault(PathBuf, Memory),
}

impl Write for ReplayOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            ReplayOutput::File(file) => file.write(bytes),
            ReplayOutput::Memory(memory) => memory.0.borrow_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            ReplayOutput::File(file) => file.flush(),
            ReplayOutput::Memory(_) => Ok(()),
        }
    }
}

/// Plays games one after another and keeps seated bots running.
pub(crate) struct GamePlayer<'a> {
    plan: &'a Plan,
    interrupt: &'a Interrupt,
    bots: Vec<Bot>,
    /// Which bots these are, in the order of the plan's bots.
    seated: Vec<Seated>,
    /// How many games with faults may still have their replays saved ([`Replays::Faulty`]).
    faulty_left: u32,
}

/// A bot at the table.
#[derive(Debug)]
struct Seated {
    /// Its index in the plan.
    bot: usize,
    /// The starts of the games that this process has played ([`ScheduledGame::start`]). Kept only
    /// if the game has secrets.
    starts: HashSet<u64>,
}

impl<'a> GamePlayer<'a> {
    /// Makes a player whose bots are not running yet.
    pub(crate) fn new(plan: &'a Plan, interrupt: &'a Interrupt) -> GamePlayer<'a> {
        GamePlayer {
            plan,
            interrupt,
            bots: Vec::new(),
            seated: Vec::new(),
            faulty_left: FAULTY_GAMES,
        }
    }

    /// Seats the bots of a game, and returns the index of each seat's bot among them. Other bots
    /// leave: a program that waits for a later game would take CPU time from those that play. A bot
    /// whose process has played a game with the same start leaves too and is started again.
    fn seat(&mut self, game: &ScheduledGame) -> Result<Vec<usize>, Error> {
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
            Bot::quit_all(&mut leaving, &self.plan.limits).map_err(Error::host)?;
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

    /// Returns the index of one of the plan's bots among the seated ones.
    fn place_of(&self, bot: usize) -> Option<usize> {
        self.seated.binary_search_by_key(&bot, |seated| seated.bot).ok()
    }

    /// Returns the void result of a game that failed by a fault of the host.
    fn void(&mut self, game: ScheduledGame, begun: Instant, failure: &HostFailure) -> PlayedGame {
        let seats = self.plan.seats.len();
        PlayedGame {
            report: GameReport {
                outcome: EndOutcome {
                    kind: OutcomeKind::Void,
                    scores: Vec::new(),
                    ranks: Vec::new(),
                    reason: HOST_FAILED.into(),
                },
                faults: Vec::new(),
                turns: 0,
                seats: vec![SeatReport::default(); seats],
                bots: vec![BotReport::default(); self.bots.len()],
                host: None,
                host_failure: None,
                rules_us: None,
            },
            game,
            replay: None,
            stderr_files: Vec::new(),
            elapsed: begun.elapsed(),
            searches: vec![Searches::default(); seats],
            void_bot: None,
            host_failure: Some(failure.to_string()),
        }
    }

    /// Begins the replay of a game. A replay left by a run that ended during this attempt is
    /// overwritten. One that is saved only after a fault is in memory.
    fn begin_replay(
        &self,
        game: &ScheduledGame,
        header: impl FnOnce(&[Bot]) -> Header,
    ) -> io::Result<Option<(ReplayWriter<ReplayOutput>, Place)>> {
        let (output, place) = match &self.plan.replays {
            Replays::Faulty(_) if self.faulty_left == 0 => return Ok(None),
            Replays::Faulty(directory) => {
                let memory = Memory::default();
                (ReplayOutput::Memory(memory.clone()), Place::AfterFault(directory.clone(), memory))
            }
            replays => {
                let Some((file, path)) = replay_file(replays, game)? else { return Ok(None) };
                (ReplayOutput::File(file), Place::File(path))
            }
        };
        Ok(Some((ReplayWriter::new(output, &header(&self.bots))?, place)))
    }

    /// Returns the file of a replay that is complete, and writes it if it was in memory and the game
    /// has a fault.
    fn settle_replay(
        &mut self,
        place: Place,
        game: &ScheduledGame,
        report: &GameReport,
    ) -> Option<PathBuf> {
        let (directory, memory) = match place {
            Place::File(path) => return Some(path),
            Place::AfterFault(directory, memory) => (directory, memory),
        };
        if report.faults.is_empty() {
            return None;
        }
        // A full disk is no reason to stop a match that was not asked to save anything.
        let (mut file, path) = new_file(&directory, &attempt_name(&game.id, game.attempt)).ok()?;
        if file.write_all(&memory.0.borrow()).is_err() {
            let _ = fs::remove_file(path);
            return None;
        }
        self.faulty_left -= 1;
        Some(path)
    }

    /// Writes the standard error of each bot to a file beside the replay, if there is any. Returns
    /// the files in the order of the bots.
    fn keep_stderr(&self, replay: &Path, report: &GameReport) -> io::Result<Vec<Option<PathBuf>>> {
        let mut files = vec![None; self.bots.len()];
        for (index, (bot, output)) in self.bots.iter().zip(&report.bots).enumerate() {
            if !output.stderr.is_empty() {
                let file = stderr_path(replay, index + 1, bot.name());
                fs::write(&file, &output.stderr)?;
                files[index] = Some(file);
            }
        }
        Ok(files)
    }
}

impl Player for GamePlayer<'_> {
    fn play(
        &mut self,
        game: ScheduledGame,
        steps: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<PlayedGame, Error> {
        let plan = self.plan;
        let begun = Instant::now();
        let seats = self.seat(&game)?;
        match start_all(&mut self.bots, &plan.limits, self.interrupt) {
            Ok(()) => {}
            // A tournament has tried its bots with their options. One that rejects them now has
            // failed, which ends only its own games.
            Err(StartError::Option { .. }) if plan.bots_were_tried => {}
            // The game is void, and its replay records that.
            Err(StartError::Host(_)) => {}
            Err(error) => return Err(start_error(error)),
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
            gauge: plan.gauge,
            void_at: game.void_at.and_then(|bot| self.place_of(bot)),
            adjudicator: plan.adjudicator.as_ref(),
        };
        let (mut writer, place) = self
            .begin_replay(&game, |bots| spec.header(&*table, bots))
            .map_err(|error| replay_error(&plan.replays, &error))?
            .unzip();
        let mut searches = vec![Searches::default(); plan.seats.len()];
        let mut observer = |progress: &Progress<'_>| {
            searches::count(&mut searches, progress);
            steps(progress);
        };
        let played = play(
            &mut *table,
            &mut self.bots,
            &spec,
            self.interrupt,
            writer.as_mut(),
            &mut observer,
        );
        let report = match played {
            Ok(report) => report,
            // A full disk does not recover by a repeat.
            Err(RefereeError::Host(failure)) if !is_full(&failure.error) => {
                return Ok(self.void(game, begun, &failure));
            }
            Err(error) => return Err(referee_error(error)),
        };
        drop(writer);
        let replay = place.and_then(|place| self.settle_replay(place, &game, &report));
        let stderr_files = match &replay {
            Some(replay) => self.keep_stderr(replay, &report).map_err(Error::host)?,
            None => Vec::new(),
        };
        let replay = match replay {
            Some(plain) if plan.compress => {
                let compressed = compress_new_replay(&plain).map_err(|error| {
                    Error::host(format!("cannot compress the replay {}: {error}", plain.display()))
                });
                Some(compressed?)
            }
            replay => replay,
        };
        let (replay, stderr_files) = match plan.replays.are_kept() {
            true => (replay, stderr_files),
            false => (None, Vec::new()),
        };
        if plan.restart {
            self.quit_all()?;
        }
        let host_failure = report.host_failure.clone();
        if host_failure.is_some() {
            // The next attempt starts with new processes.
            self.quit_all()?;
        }
        let void_seat = report.host.as_ref().and_then(|host| host.seat.as_ref());
        let void_seat = plan.seats.iter().position(|seat| Some(seat) == void_seat);
        let void_bot = void_seat.and_then(|seat| game.seats.get(seat)).copied();
        let elapsed = begun.elapsed();
        Ok(PlayedGame {
            game,
            report,
            replay,
            stderr_files,
            elapsed,
            searches,
            void_bot,
            host_failure,
        })
    }

    fn quit_all(&mut self) -> Result<(), Error> {
        // New processes know nothing of earlier games.
        self.seated.iter_mut().for_each(|seated| seated.starts.clear());
        Bot::quit_all(&mut self.bots, &self.plan.limits).map_err(Error::host)
    }
}

/// Opens the replay file of an attempt, and returns it with its path, or `None` if no replay is
/// saved. Each attempt has its own file: `NAME.ndjson`, `NAME.2.ndjson`, and so on.
fn replay_file(replays: &Replays, game: &ScheduledGame) -> io::Result<Option<(File, PathBuf)>> {
    let name = attempt_name(&game.id, game.attempt);
    Ok(Some(match replays {
        Replays::None | Replays::Faulty(_) => return Ok(None),
        Replays::Own(directory) | Replays::Temporary(directory) => {
            let path = directory.join(replay_file_name(&name));
            (create_new(&path)?, path)
        }
        Replays::Shared(directory) => new_file(directory, &name)?,
        Replays::Tournament(directory) => {
            let path = directory.join(replay_name(&game.id, game.attempt));
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory)?;
            }
            // The same attempt, interrupted or compressed before its result was stored. Its file is
            // replaced, not emptied: a program that follows the file reads no mixture of both.
            for stale in [&compressed_path(&path), &path] {
                match fs::remove_file(stale) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            (File::create_new(&path)?, path)
        }
    }))
}

/// Creates a file of this name in a directory that may already have one: playing the same seed
/// again is not an error.
fn new_file(directory: &Path, name: &str) -> io::Result<(File, PathBuf)> {
    let mut copy = 1;
    loop {
        let name = if copy == 1 { name.to_string() } else { format!("{name}-{copy}") };
        let path = directory.join(replay_file_name(&name));
        match create_new(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => copy += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Creates a file, unless one of this name or its compressed form exists.
fn create_new(path: &Path) -> io::Result<File> {
    match compressed_path(path).try_exists()? {
        true => Err(io::ErrorKind::AlreadyExists.into()),
        false => File::create_new(path),
    }
}

fn replay_error(replays: &Replays, error: &io::Error) -> Error {
    let directory = replays.directory().unwrap_or(Path::new("")).display();
    match error.kind() {
        io::ErrorKind::AlreadyExists => Error::usage(format!(
            "{directory} already has a replay of this game: choose another directory, or move it away"
        )),
        _ => Error::host(format!("cannot write a replay in {directory}: {error}")),
    }
}

/// Returns whether the storage is full or read-only.
pub(crate) fn is_full(error: &io::Error) -> bool {
    let kinds = [
        io::ErrorKind::StorageFull,
        io::ErrorKind::FileTooLarge,
        io::ErrorKind::QuotaExceeded,
        io::ErrorKind::ReadOnlyFilesystem,
    ];
    kinds.contains(&error.kind())
}

fn start_error(error: StartError) -> Error {
    match error {
        StartError::Interrupted => Error::Interrupted,
        StartError::Option { .. } | StartError::Failed { .. } => {
            Error::usage(format!("bot {error}"))
        }
        StartError::Overloaded { .. } | StartError::Host(_) => Error::host(error),
    }
}

fn referee_error(error: RefereeError) -> Error {
    match error {
        RefereeError::Interrupted => Error::Interrupted,
        RefereeError::Opening(_)
        | RefereeError::Record { .. }
        | RefereeError::RecordTooLong { .. }
        | RefereeError::TimeControl(_)
        | RefereeError::Seating(_) => Error::usage(error),
        RefereeError::Rules(_) => Error::rules(error),
        RefereeError::Host(_) | RefereeError::Survivors(_) => Error::host(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, ContainmentConfig, Games, RunConfig};
    use crate::match_games::{MatchGames, MatchRecord};
    use crate::pool::{Observer, run};
    use crate::programs::testing::programs;
    use botyard_league::schedule::{Draws, Schedule};
    use botyard_referee::{Advice, BotCommand, BotFiles, Containment};
    use botyard_sandbox::{Launcher, ResourceLimits, Tier};

    /// A schedule of games between two bots.
    fn schedule(games: u32) -> Schedule {
        Schedule {
            game: "dice",
            draws: Draws::numbered(7, "dice"),
            bots: 2,
            games,
            fixed_seats: false,
            openings: Vec::new(),
        }
    }

    #[test]
    fn every_attempt_keeps_its_replay() {
        let place = tempfile::tempdir().unwrap();
        let schedule = schedule(2);
        let game = |attempt| ScheduledGame { attempt, ..schedule.game(1) };
        let path = |name: &str| place.path().join(name);
        let directory = place.path().to_path_buf();
        let own = Replays::Own(directory.clone());
        for (replays, attempt, expected) in [
            (&own, 1, Some("dice-ID-00001.ndjson")),
            (&own, 2, Some("dice-ID-00001.2.ndjson")),
            (&own, 3, Some("dice-ID-00001.3.ndjson")),
            (&own, 2, None),
            (&Replays::Shared(directory.clone()), 2, Some("dice-ID-00001.2-2.ndjson")),
            (&Replays::Tournament(directory), 4, Some("replays/00/dice-ID-00001.4.ndjson")),
        ] {
            let made = replay_file(replays, &game(attempt));
            let Some(expected) = expected else {
                assert_eq!(made.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
                continue;
            };
            let id = schedule.game(1).id;
            let expected = path(&expected.replace("dice-ID-00001", &id));
            assert_eq!(made.unwrap().map(|(_, path)| path), Some(expected));
        }
        assert!(replay_file(&Replays::None, &game(1)).unwrap().is_none());
    }

    #[test]
    fn no_replay_takes_the_place_of_a_compressed_one_but_that_of_the_same_attempt() {
        let place = tempfile::tempdir().unwrap();
        let schedule = schedule(1);
        let game = schedule.game(1);
        let directory = place.path().to_path_buf();
        for (replays, expected) in [
            (Replays::Own(directory.clone()), Err(io::ErrorKind::AlreadyExists)),
            (Replays::Shared(directory.clone()), Ok(format!("{}-2.ndjson", game.id))),
            (Replays::Tournament(directory), Ok(replay_name(&game.id, 1))),
        ] {
            let first = match &replays {
                Replays::Tournament(_) => replay_name(&game.id, 1),
                _ => replay_file_name(&game.id),
            };
            let plain = place.path().join(first);
            fs::create_dir_all(plain.parent().unwrap()).unwrap();
            fs::write(&plain, "a game").unwrap();
            let compressed = compress_new_replay(&plain).unwrap();
            assert!(compressed.exists() && !plain.exists());
            let made = replay_file(&replays, &game).map(|made| made.unwrap().1);
            match expected {
                Ok(name) => assert_eq!(made.unwrap(), place.path().join(name)),
                Err(kind) => assert_eq!(made.unwrap_err().kind(), kind),
            }
            let is_kept = !matches!(replays, Replays::Tournament(_));
            assert_eq!(compressed.exists(), is_kept, "{replays:?}");
            if is_kept {
                fs::remove_file(&compressed).unwrap();
            }
        }
    }

    struct Quiet;

    impl<'a> Observer<MatchGames<'a>> for Quiet {
        fn ended(&mut self, _: &MatchGames<'a>, _: MatchRecord) -> Result<(), Error> {
            Ok(())
        }
    }

    /// The host cannot contain bots: there is no launcher program.
    #[test]
    fn a_game_whose_bots_the_host_cannot_start_is_void_and_repeated() {
        let bots = ["a=sh -c 'read hello'", "b=sh -c 'read hello'"].map(String::from).to_vec();
        let config = Config {
            games: Games::Number(10),
            running: RunConfig { concurrency: Some(1), ..RunConfig::default() },
            containment: ContainmentConfig::none(),
            ..Config::new("scotland-yard", bots)
        };
        let mut plan = Plan::new(&config, &programs()).unwrap();
        let contained = |bot: &BotCommand| Containment {
            tier: Tier::B,
            launcher: Launcher { program: "/no/such/launcher".into(), args: Vec::new() },
            limits: ResourceLimits::default(),
            files: BotFiles::of(bot, &[]),
            hidden: Vec::new(),
            advice: Advice::default(),
        };
        for bot in &mut plan.bots {
            bot.containment = Some(contained(&bot.command));
        }
        let interrupt = Interrupt::new().unwrap();
        let mut player = GamePlayer::new(&plan, &interrupt);
        let played = player.play(plan.schedule.game(1), &mut |_| {}).unwrap();
        assert!(played.is_void() && played.replay.is_none());
        assert!(played.void_reason().contains("the host failed while"), "{played:?}");

        let mut games = MatchGames::new(&plan, false, &interrupt);
        let stopped = run(&plan, &mut games, &mut Quiet, None, &interrupt).unwrap();
        let Some(Error::Host(reason)) = &stopped else { panic!("{stopped:?}") };
        let reason = reason.plain();
        assert!(reason.contains("was void 4 times"), "{reason}");
        assert!(reason.contains("the host failed while"), "{reason}");
        assert_eq!((games.tally.counted, games.tally.void), (0, 1));
    }
}
