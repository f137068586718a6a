//! Plays the games of a match or a tournament: one worker plays one game at a time and keeps its bots
//! running between games. Which games there are, and what becomes of the results, is not known here.
//!
//! Where something is hidden or drawn, no process of a bot plays two games that begin alike: what it learns
//! in the one is what it must not know in the other.

use crate::config::Replays;
use crate::error::Error;
use crate::plan::Plan;
use crate::pool::Player;
use crate::searches::{self, Searches};
use botyard_league::atomic_file;
use botyard_league::schedule::ScheduledGame;
use botyard_league::store::{attempt_name, replay_name};
use botyard_protocol::{EndOutcome, OutcomeKind};
use botyard_referee::{
    Bot, BotReport, GameReport, GameSpec, HostFailure, Interrupt, Progress, RefereeError,
    SeatReport, StartError, ThisHost, play, start_all,
};
use botyard_replay::{
    HOST_FAILED, Header, ReplayWriter, compress, compressed_path, replay_file_name,
};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
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
    /// The bot at whose turn the host kept it from running, where that is known.
    pub void_bot: Option<usize>,
    /// What the host said where it could not run a bot, or failed while they played: the game is void.
    pub host_failure: Option<String>,
}

impl PlayedGame {
    /// Whether it has no result, because the host failed.
    pub fn is_void(&self) -> bool {
        self.report.outcome.kind == OutcomeKind::Void
    }

    /// The bot at whose turn it was void.
    pub fn void_at(&self) -> Option<usize> {
        self.void_bot.filter(|_| self.is_void())
    }

    /// Why it is void, as the end of a sentence.
    pub fn void_reason(&self) -> String {
        match &self.host_failure {
            Some(failure) => failure.clone(),
            None => format!("the host failed: {}", self.report.outcome.reason),
        }
    }
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
            Bot::dismiss(&mut leaving, &self.plan.limits).map_err(Error::host)?;
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

    /// A game that the host kept from being judged.
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
            },
            game,
            replay: None,
            elapsed: begun.elapsed(),
            searches: vec![Searches::default(); seats],
            void_bot: None,
            host_failure: Some(failure.to_string()),
        }
    }

    /// The replay of a game in a new file, or over one that a run which ended in the middle of this very
    /// attempt has left.
    fn begin_replay(
        &self,
        game: &ScheduledGame,
        header: impl FnOnce(&[Bot]) -> Header,
    ) -> io::Result<Option<(ReplayWriter<File>, PathBuf)>> {
        let Some((file, path)) = replay_file(&self.plan.replays, game)? else { return Ok(None) };
        Ok(Some((ReplayWriter::new(file, &header(&self.bots))?, path)))
    }

    /// What bots wrote to standard error goes into files beside the replay, and then only where
    /// they wrote something.
    fn keep_stderr(&self, replay: &Path, report: &GameReport) -> io::Result<()> {
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

impl Player for Worker<'_> {
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
            // A tournament has tried its bots with their options: one that does not know them any
            // more has failed, and ends nobody's games but its own.
            Err(StartError::Option { .. }) if plan.bots_were_tried => {}
            // The game is void, and has a replay that says so.
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
            gauge: &ThisHost,
            void_at: game.void_at.and_then(|bot| self.place_of(bot)),
        };
        let (mut writer, replay) = self
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
            // A full disk does not empty itself.
            Err(RefereeError::Host(failure)) if !is_full(&failure.error) => {
                return Ok(self.void(game, begun, &failure));
            }
            Err(error) => return Err(referee_error(error)),
        };
        if let Some(replay) = &replay {
            self.keep_stderr(replay, &report).map_err(Error::host)?;
        }
        drop(writer);
        let replay = match replay {
            Some(plain) if plan.compress => Some(compress_replay(&plain)?),
            replay => replay,
        };
        if plan.restart {
            self.dismiss()?;
        }
        let host_failure = report.host_failure.clone();
        if host_failure.is_some() {
            // Nothing of this attempt is left over for the next one.
            self.dismiss()?;
        }
        let void_seat = report.host.as_ref().and_then(|host| host.seat.as_ref());
        let void_seat = plan.seats.iter().position(|seat| Some(seat) == void_seat);
        let void_bot = void_seat.and_then(|seat| game.seats.get(seat)).copied();
        let elapsed = begun.elapsed();
        Ok(PlayedGame { game, report, replay, elapsed, searches, void_bot, host_failure })
    }

    fn dismiss(&mut self) -> Result<(), Error> {
        // None of what was played is known to the processes that come after these.
        self.seated.iter_mut().for_each(|seated| seated.starts.clear());
        Bot::dismiss(&mut self.bots, &self.plan.limits).map_err(Error::host)
    }
}

/// Puts the compressed replay in the place of a plain one that is complete, and returns its path. Whenever
/// this is interrupted one of the two is there whole.
fn compress_replay(plain: &Path) -> Result<PathBuf, Error> {
    let compressed = compressed_path(plain);
    let done = fs::read(plain).and_then(|bytes| {
        let archive = compress(&bytes).map_err(io::Error::other)?;
        atomic_file::replace_unsynced(&compressed, &archive)?;
        fs::remove_file(plain)
    });
    done.map_err(|error| {
        Error::host(format!("cannot compress the replay {}: {error}", plain.display()))
    })?;
    Ok(compressed)
}

/// The file for the replay of an attempt to play a game, and its path; `None` where there is to be none.
/// Every attempt has one of its own: `NAME.ndjson`, `NAME.2.ndjson`, and so on.
fn replay_file(replays: &Replays, game: &ScheduledGame) -> io::Result<Option<(File, PathBuf)>> {
    let name = attempt_name(&game.id, game.attempt);
    Ok(Some(match replays {
        Replays::None => return Ok(None),
        Replays::Own(directory) => {
            let path = directory.join(replay_file_name(&name));
            (create_new(&path)?, path)
        }
        Replays::Shared(directory) => new_file(directory, &name)?,
        Replays::Tournament(directory) => {
            let path = directory.join(replay_name(&game.id, game.attempt));
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory)?;
            }
            // That of the same attempt, compressed before its result was in the store.
            match fs::remove_file(compressed_path(&path)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            (File::create(&path)?, path)
        }
    }))
}

/// A new file of this name in a directory that may hold one: the same seed was played before, which is no
/// reason to stop.
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

/// A new file, where there is neither one of this name nor a compressed one in its place.
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
            "a replay is in {directory} already: choose another directory, or move it away"
        )),
        _ => Error::host(format!("cannot write a replay in {directory}: {error}")),
    }
}

/// Whether there is no room to write to.
fn is_full(error: &io::Error) -> bool {
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
    use botyard_referee::{BotCommand, BotFiles, Containment};
    use botyard_sandbox::{Launcher, ResourceLimits, Tier};

    /// Games of two bots.
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
            let compressed = compress_replay(&plain).unwrap();
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

    /// The host cannot contain bots: what is to start them is not there.
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
        };
        plan.containments = plan.bots.iter().map(|bot| Some(contained(bot))).collect();
        let interrupt = Interrupt::new().unwrap();
        let mut worker = Worker::new(&plan, &interrupt);
        let played = worker.play(plan.schedule.game(1), &mut |_| {}).unwrap();
        assert!(played.is_void() && played.replay.is_none());
        assert!(played.void_reason().contains("the host failed while"), "{played:?}");

        let mut games = MatchGames::new(&plan, false, &interrupt);
        let stopped = run(&plan, &mut games, &mut Quiet, None, &interrupt).unwrap();
        let Some(Error::Host(reason)) = &stopped else { panic!("{stopped:?}") };
        assert!(reason.contains("was void 4 times"), "{reason}");
        assert!(reason.contains("the host failed while"), "{reason}");
        assert_eq!((games.tally.counted, games.tally.void), (0, 1));
    }
}
