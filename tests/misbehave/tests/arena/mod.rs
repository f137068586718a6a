//! The arena in which bots of this crate play: the tier, a directory with files of several owners,
//! a good opponent, and a thorough check of everything afterwards.
#![allow(dead_code)] // Each test program uses only a part of this module.

use crate::traces;
use botyard_engine::{Game, Table, TypedTable, registry};
use botyard_protocol::{ClockKind, Limits, OnFault, TimeControl};
use botyard_referee::{
    Advice, Backend, Bot, BotCommand, BotFiles, CanaryReading, Containment, GameReport, GameSpec,
    HostGauge, Interrupt, Progress, Source, StartError, ThisHost, play, start_all,
};
use botyard_replay::ReplayWriter;
use botyard_sandbox::{
    Host, HostLoad, Launcher, MIB, ResourceLimits, Tier, end_launcher_of_this_thread, own_core_wait,
};
use botyard_testkit::dice::{Dice, DiceRules};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::cell::Cell;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The path of the misbehaving bot.
pub const MISBEHAVE: &str = env!("CARGO_BIN_EXE_misbehave");

/// Enough time for any honest answer on any machine, in milliseconds.
const AMPLE_MS: u64 = 60_000;

/// A host that reports no load, whatever the real one does: no verdict of a test depends on the
/// load.
#[derive(Debug)]
pub struct QuietHost;

impl HostGauge for QuietHost {
    fn canary(&self) -> CanaryReading {
        CanaryReading::default()
    }

    fn load(&self) -> HostLoad {
        HostLoad::default()
    }
}

/// The circumstances of a game that differ from the defaults.
#[derive(Clone, Copy)]
pub struct Circumstances<'a> {
    /// The gauge by which the host is judged.
    pub gauge: &'a dyn HostGauge,
    /// The bot at whose turn the game was void before, if any.
    pub void_at: Option<usize>,
    /// Whether bots are stopped outside their turn.
    pub frozen: bool,
    /// The only core that the bots may use; `None` for all of them.
    pub core: Option<usize>,
    /// Called when the game is over and its bots still exist; gets their token.
    pub look: &'a dyn Fn(&str),
    /// Called for every move as soon as it is played; gets its seat and the bots' token.
    pub moved: &'a dyn Fn(usize, &str),
}

impl Default for Circumstances<'_> {
    fn default() -> Self {
        Circumstances {
            gauge: &QuietHost,
            void_at: None,
            frozen: false,
            core: None,
            look: &|_| {},
            moved: &|_, _| {},
        }
    }
}

/// A game and its measurements.
#[derive(Debug)]
pub struct Played {
    /// How it ended.
    pub report: GameReport,
    /// The seat of the bot that misbehaves.
    pub seat: String,
    /// The bots' log messages.
    pub log: Vec<String>,
    /// Time from the previous event to the first fault.
    pub verdict: Duration,
    /// How long the referee waited for a core meanwhile.
    pub referee_waited: Duration,
    /// Time from the end of the game until no process was left.
    pub teardown: Duration,
    /// Increase of the referee's memory, from before the game to its peak.
    pub memory_kib: u64,
    /// Everything that was left behind.
    pub left: Vec<String>,
}

/// Plays games in one tier.
pub struct Arena {
    tier: Tier,
    backend: Backend,
    /// Holds the directory of each game.
    directory: tempfile::TempDir,
    /// How many games were void.
    pub void: Cell<usize>,
}

/// Ends the launcher of this thread when it is dropped, before another test counts descriptors and
/// processes.
struct EndsLauncher;

impl Drop for EndsLauncher {
    fn drop(&mut self) {
        end_launcher_of_this_thread();
    }
}

fn launcher() -> Launcher {
    Launcher { program: MISBEHAVE.into(), args: vec!["launch".into()] }
}

fn token() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("botyard-trace-{}-{}-", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Makes a directory world-readable: only the sandbox keeps a bot with an unused UID out.
fn readable(directory: tempfile::TempDir) -> tempfile::TempDir {
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
    directory
}

/// Creates a directory with files of the bot and files of others.
fn place(within: &Path) -> tempfile::TempDir {
    let place = readable(tempfile::tempdir_in(within).unwrap());
    for (file, text) in [
        ("own/file.txt", "its own"),
        ("own/beside.txt", "its own too"),
        ("own/hidden/replay.ndjson", "who is where"),
        ("other/bot.py", "another's idea"),
        ("home/.ssh/id_ed25519", "a key"),
        ("referee.txt", "the referee's"),
    ] {
        let path = place.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    std::os::unix::fs::symlink("hidden/replay.ndjson", place.path().join("own/link-to-hidden"))
        .unwrap();
    place
}

/// Returns the path of a program that cannot be executed, or of this one.
fn program(what: &str, place: &Path) -> PathBuf {
    let file = |name: &str, mode: u32, text: &str| {
        let path = place.join("own").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    match what.strip_prefix("program: ") {
        None => MISBEHAVE.into(),
        Some("missing") => place.join("own/missing"),
        Some("not executable") => file("notes.txt", 0o644, "#!/bin/sh\n"),
        Some("wrong architecture") => file("picture", 0o755, "\u{1}\u{2}\u{3}"),
        Some("bad shebang") => file("script", 0o755, "#!/no/such/python3\n"),
        Some("a directory") => place.join("own"),
        Some(other) => panic!("no such program: {other}"),
    }
}

/// Returns the memory limit of a bot in this mode, in MiB.
pub fn memory_limit(mode: &str) -> u64 {
    if mode.starts_with("hoards_large_") { 256 } else { 64 }
}

fn table(mode: &str) -> Box<dyn Table> {
    match mode {
        // The bot must know when it has won.
        "leaves_when_won" => {
            let race = Dice::new(DiceRules { target: 12, rounds: 30 }).unwrap();
            Box::new(TypedTable::new(Arc::new(race)))
        }
        // A long game.
        mode if mode.ends_with("_outside") => {
            let race = Dice::new(DiceRules { target: 1000, rounds: 20 }).unwrap();
            Box::new(TypedTable::new(Arc::new(race)))
        }
        _ => registry::tables("scotland-yard", Some("grid-5x5-2"), &[]).unwrap()(),
    }
}

/// Returns whether the referee is root and other users cannot reach the program.
fn is_closed_to_others(program: &Path) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    is_root
        && program.ancestors().any(|path| {
            path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o001 == 0)
        })
}

fn spec(move_ms: u64) -> GameSpec<'static> {
    GameSpec {
        game_id: "test-1",
        seed: 1.into(),
        time: TimeControl {
            kind: ClockKind::Wall,
            move_ms: Some(move_ms),
            bank_ms: None,
            increment_ms: 0,
            grace_ms: 0,
            on_fault: OnFault::Forfeit,
        },
        limits: Limits { start_ms: AMPLE_MS, setup_ms: AMPLE_MS, ..Limits::default() },
        send_legal: true,
        opening: None,
        seats: &[0, 1],
        gauge: &ThisHost,
        void_at: None,
        adjudicator: None,
    }
}

impl Arena {
    /// Creates an arena for this tier. If this host cannot run the tier, prints a note beside the
    /// results and returns `None`, or panics if `BOTYARD_REQUIRE_TIERS` (`A,B`) names the tier.
    pub fn new(tier: Tier) -> Option<Arena> {
        let _launcher = EndsLauncher;
        if tier != Tier::None
            && let Some(obstacle) = Host::detect(&launcher())
                .expect("a host with resources for a few programs")
                .obstacle(tier)
        {
            let required = std::env::var("BOTYARD_REQUIRE_TIERS").unwrap_or_default();
            let reason = &obstacle.reason;
            assert!(!required.contains(tier.as_str()), "tier {tier} does not work here: {reason}");
            // Past the capture of test output, so that a skipped test does not look like a passed
            // one.
            let mut stderr = std::io::stderr();
            let _ = writeln!(stderr, "NOT TESTED on this host: bots in tier {tier}: {reason}");
            return None;
        }
        if tier == Tier::A && is_closed_to_others(Path::new(MISBEHAVE)) {
            let required = std::env::var("BOTYARD_REQUIRE_TIERS").unwrap_or_default();
            assert!(
                !required.contains(tier.as_str()),
                "other users cannot reach the tests' directory"
            );
            let mut stderr = std::io::stderr();
            let _ = writeln!(
                stderr,
                "NOT TESTED on this host: bots in tier A, which run under an unused UID and may \
                 not enter the directory of this program"
            );
            return None;
        }
        traces::adopt_orphans();
        let directory = readable(tempfile::tempdir().unwrap());
        Some(Arena { tier, backend: Backend::default(), directory, void: Cell::new(0) })
    }

    /// Creates an arena whose bots are run by the portable back end.
    pub fn portable() -> Arena {
        let arena = Arena::new(Tier::None).expect("nothing is needed for no sandbox");
        Arena { backend: Backend::Portable, ..arena }
    }

    /// Returns the tier of its bots.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Returns how many files and directories are left of its games.
    pub fn files(&self) -> usize {
        fs::read_dir(self.directory.path()).unwrap().count()
    }

    /// Plays a game of a misbehaving bot, which moves first, against a good one. In a mode that
    /// acts before the first question, `short_ms` is the time to start or to be ready; otherwise,
    /// the time per move.
    pub fn play(&self, mode: &str, at: u32, short_ms: Option<u64>) -> Played {
        self.play_under(mode, at, short_ms, Circumstances::default())
    }

    /// Plays a game under other circumstances.
    pub fn play_under(
        &self,
        mode: &str,
        at: u32,
        short_ms: Option<u64>,
        circumstances: Circumstances<'_>,
    ) -> Played {
        let _launcher = EndsLauncher;
        // So that memory left by the previous game does not count for this one.
        traces::forget_peak();
        let (_, memory_before) = traces::memory_kib();
        let before = (traces::descriptors(), traces::children());
        let (place, token) = (place(self.directory.path()), token());
        let program = program(mode, place.path());
        let files_before = traces::contents(place.path());

        let interrupt = Interrupt::new().unwrap();
        let spec = spec(short_ms.unwrap_or(AMPLE_MS));
        let (gauge, void_at) = (circumstances.gauge, circumstances.void_at);
        let mut spec = GameSpec { gauge, void_at, ..spec };
        let mut table = table(mode);
        if table.seats().len() > 2 {
            spec.seats = &[0, 1, 1];
        }
        let seat = table.seats()[0].clone();
        let mut bots = [
            self.bot("culprit", mode, at, program, &token, &place),
            self.bot("honest", "good", 1, MISBEHAVE.into(), &token, &place),
        ]
        .map(|bot| bot.with_freeze(circumstances.frozen));
        let own = sched_getaffinity(None).unwrap();
        if let Some(core) = circumstances.core {
            let mut only = CpuSet::new();
            only.set(core);
            // Programs that this thread starts have its cores.
            sched_setaffinity(None, &only).unwrap();
        }
        // Time is short only for the bot that will not use it: the other bot starts with ample time
        // before the first question, and is never asked to move after it.
        bots[1].start(&spec.limits, &interrupt).expect("the good bot starts");
        match mode {
            "silent" => spec.limits.start_ms = short_ms.unwrap_or(AMPLE_MS),
            // The good bot must be ready in that time as well.
            "never_ready" | "never_reads" => spec.limits.setup_ms = short_ms.unwrap_or(AMPLE_MS),
            "floods_stdout" | "floods_stderr" => {
                (spec.limits.stdout_bytes, spec.limits.stderr_bytes) = (1_000_000, 1_000_000);
            }
            _ => {}
        }
        start_all(&mut bots, &spec.limits, &interrupt).expect("the host can start bots");
        sched_setaffinity(None, &own).unwrap();
        let mut log = Vec::new();
        let own_wait = || own_core_wait().unwrap_or_default();
        let mut last = (Instant::now(), own_wait());
        let (mut verdict, mut referee_waited) = (Duration::ZERO, Duration::ZERO);
        let mut ended = None;
        let no_replay = None::<&mut ReplayWriter<Vec<u8>>>;
        let report = play(&mut *table, &mut bots, &spec, &interrupt, no_replay, &mut |progress| {
            match progress {
                Progress::Logged { text, .. } => log.push((*text).to_string()),
                Progress::Failed { .. } => {
                    verdict = last.0.elapsed();
                    referee_waited = own_wait().saturating_sub(last.1);
                    ended = Some(Instant::now());
                }
                Progress::Moved { seat, .. } => (circumstances.moved)(seat.index(), &token),
                Progress::Ended { .. } => ended = ended.or_else(|| Some(Instant::now())),
                _ => {}
            }
            if !matches!(progress, Progress::Logged { .. } | Progress::Waited { .. }) {
                last = (Instant::now(), own_wait());
            }
        })
        .expect("the host can play");
        (circumstances.look)(&token);
        let (memory_peak, _) = traces::memory_kib();
        for bot in &mut bots {
            bot.stop();
        }
        let teardown = ended.map_or(Duration::ZERO, |ended| ended.elapsed());
        drop(bots);
        drop(interrupt);
        end_launcher_of_this_thread();

        let mut left = traces::orphans();
        left.extend(traces::files(&token));
        left.extend(traces::objects(MISBEHAVE, &token));
        left.extend(traces::control_groups(std::process::id()));
        if traces::contents(place.path()) != files_before {
            left.push("changed files".into());
        }
        let after = (traces::descriptors(), traces::children());
        if after != before {
            left.push(format!("descriptors and children: {before:?} {after:?}"));
        }
        let memory_kib = memory_peak.saturating_sub(memory_before);
        Played { report, seat, log, verdict, referee_waited, teardown, memory_kib, left }
    }

    /// Starts a bot that never writes its `hello`, and interrupts that when `processes` processes
    /// exist. Returns how the start ended, and what is left of this bot and of the one after it.
    pub fn interrupt_start(&self, processes: usize) -> (Result<(), StartError>, Vec<String>) {
        let _launcher = EndsLauncher;
        let before = (traces::descriptors(), traces::children());
        let (place, token) = (place(self.directory.path()), token());
        let mut bots = ["silent", "good"]
            .map(|mode| self.bot(mode, mode, 1, MISBEHAVE.into(), &token, &place));
        let interrupt = Interrupt::new().unwrap();
        let switch = interrupt.clone();
        let raises = std::thread::spawn(move || {
            let deadline = Instant::now() + Duration::from_millis(AMPLE_MS);
            while traces::started_by(std::process::id()).len() < processes {
                if Instant::now() > deadline {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            let found = traces::started_by(std::process::id()).len();
            switch.raise();
            found
        });
        let started = start_all(&mut bots, &spec(AMPLE_MS).limits, &interrupt);
        assert!(raises.join().unwrap() >= processes, "too few processes");
        end_launcher_of_this_thread();
        let mut left = traces::control_groups(std::process::id());
        let after = traces::children();
        if after != before.1 {
            left.push(format!("children: {before:?} {after:?}"));
        }
        drop((bots, interrupt));
        let after = (traces::descriptors(), traces::children());
        if after != before {
            left.push(format!("descriptors and children: {before:?} {after:?}"));
        }
        (started, left)
    }

    /// Plays a game of two bots in these modes with a CPU time limit per move. The first bot
    /// misbehaves at every question.
    pub fn play_on_cpu_clock(&self, modes: [&str; 2], move_ms: u64) -> GameReport {
        let _launcher = EndsLauncher;
        let (place, token) = (place(self.directory.path()), token());
        let interrupt = Interrupt::new().unwrap();
        let mut spec = spec(move_ms);
        spec.time.kind = ClockKind::Cpu;
        let mut table = table(modes[0]);
        let mut number = 0;
        let mut bots = modes.map(|mode| {
            number += 1;
            self.bot(&format!("bot-{number}"), mode, 1, MISBEHAVE.into(), &token, &place)
        });
        start_all(&mut bots, &spec.limits, &interrupt).expect("the host can start bots");
        let no_replay = None::<&mut ReplayWriter<Vec<u8>>>;
        play(&mut *table, &mut bots, &spec, &interrupt, no_replay, &mut |_| {})
            .expect("the host can play")
    }

    fn bot(
        &self,
        name: &str,
        mode: &str,
        at: u32,
        program: PathBuf,
        token: &str,
        place: &tempfile::TempDir,
    ) -> Bot {
        let place = place.path();
        // Not as a plain path: the sandbox would grant it as a file that the bot needs.
        let named = format!("@{}", place.display());
        let args = [mode, &at.to_string(), token, &named, &std::process::id().to_string()];
        let command = BotCommand {
            name: name.into(),
            program,
            args: args.iter().map(Into::into).collect(),
            directory: Some(place.join("own")),
            source: Source::Directory,
            may_be_root: true,
            ..BotCommand::default()
        };
        let containment = Containment {
            files: BotFiles::of(&command, &[]),
            tier: self.tier,
            launcher: launcher(),
            limits: ResourceLimits {
                memory: memory_limit(mode) * MIB,
                processes: 100,
                files: 32,
                scratch: MIB,
                cpu_seconds: None,
            },
            hidden: vec![place.join("own/hidden")],
            advice: Advice::default(),
        };
        Bot::new(command)
            .run_by(self.backend)
            .contained((self.tier != Tier::None).then_some(containment))
            .with_freeze(mode == "wakes_itself")
    }
}

/// Starts a referee whose bot is in this mode, kills it, and waits until no process is left.
/// Returns how long that took. The referee's control groups are removed when the next referee
/// detects the host's tiers.
pub fn kill_a_referee(tier: Tier, mode: &str) -> Duration {
    let token = token();
    let mut referee = Command::new(MISBEHAVE)
        .args(["referee", tier.as_str(), &token, mode])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(referee.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n", "tier {tier}: the referee has started");
    let running = traces::started_by(referee.id());
    let least = if tier == Tier::A { 1 } else { 60 };
    assert!(running.len() >= least, "tier {tier}: {} run", running.len());
    referee.kill().unwrap();
    let killed = Instant::now();
    for process in &running {
        let deadline = killed + Duration::from_secs(120);
        assert!(traces::has_ended_by(process, deadline), "tier {tier}: a process is left");
    }
    let gone = killed.elapsed();
    referee.wait().unwrap();
    assert_eq!(traces::orphans(), [""; 0], "tier {tier}");
    assert!(Command::new(MISBEHAVE).arg("host").status().unwrap().success(), "tier {tier}");
    assert_eq!(traces::control_groups(referee.id()), [""; 0], "tier {tier}");
    gone
}
