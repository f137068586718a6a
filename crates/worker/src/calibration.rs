//! The measurement of a host: a game between built-in bots that is always the same, and the delays of a
//! thread that sleeps meanwhile. Hosts can be compared by it, and a host with itself at another time.

use crate::events::WorkerEvent;
use crate::shared::Shared;
use botyard_referee::Interrupt;
use botyard_runner::{
    Config, ContainmentConfig, Error, Games, GivenSeed, MatchGames, MatchRecord, Observer, Plan,
    Programs, RunConfig, Sandbox, StartConfig, TimeConfig, run,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The game and the bots, whose decisions depend on nothing but the position.
const GAME: &str = "draughts";
const BOTS: [&str; 2] = ["one=alpha-beta:depth=5", "other=alpha-beta:depth=5"];
const SEED: u64 = 1;

/// The time per move, which a host that can play at all does not need.
const MOVE_MS: u64 = 60_000;

/// How long the thread sleeps whose delays are measured.
const SLEEP: Duration = Duration::from_millis(1);

/// The most delays that are recorded.
const MOST: usize = 1_000_000;

/// The speed and the jitter of a host.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// When it was measured, in milliseconds since 1970 (UTC), by the clock of the host.
    pub at: u64,
    /// Decisions of the bots per second of their CPU time; of wall-clock time where the host does not
    /// measure CPU time.
    pub speed: f64,
    /// The delay of a thread that sleeps a millisecond, exceeded by one sleep in a hundred, in
    /// microseconds.
    pub jitter_us: u64,
    /// The longest of these delays, in microseconds.
    pub jitter_max_us: u64,
    /// The wall-clock time of the game, in microseconds.
    pub wall_us: u64,
}

/// Measures this host.
///
/// # Errors
///
/// An interrupt, or a host that cannot play the game.
pub fn measure(programs: &Programs, interrupt: &Interrupt) -> Result<Calibration, Error> {
    let config = Config {
        games: Games::Number(1),
        start: StartConfig { seed: Some(GivenSeed::Number(SEED)), ..StartConfig::default() },
        time: TimeConfig { move_ms: Some(MOVE_MS), ..TimeConfig::default() },
        running: RunConfig { concurrency: Some(1), ..RunConfig::default() },
        // The same on hosts with and without a sandbox.
        containment: ContainmentConfig { sandbox: Sandbox::None, ..ContainmentConfig::default() },
        ..Config::new(GAME, BOTS.map(String::from).to_vec())
    };
    let plan = Plan::new(&config, programs)?;
    let mut games = MatchGames::new(&plan, false, interrupt);
    let mut played = Played::default();
    let (stopped, mut delays) =
        with_delays(|| run(&plan, &mut games, &mut played, None, interrupt));
    if let Some(stop) = stopped? {
        return Err(stop);
    }
    if let Some(failure) = games.start_failure {
        return Err(Error::host(failure));
    }
    let Played { turns, cpu_us, decisions_us, elapsed, .. } = played;
    let used = cpu_us.filter(|&cpu| cpu > 0).unwrap_or(decisions_us).max(1);
    if turns == 0 || played.has_faults {
        return Err(Error::host("the game of the measurement was not played to its end"));
    }
    delays.sort_unstable();
    let quantile = delays.get(delays.len() * 99 / 100).or(delays.last()).copied();
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Calibration {
        at: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        speed: f64::from(turns) * 1e6 / used as f64,
        jitter_us: quantile.unwrap_or_default(),
        jitter_max_us: delays.last().copied().unwrap_or_default(),
        wall_us: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
    })
}

/// The game of the measurement.
#[derive(Debug, Default)]
struct Played {
    turns: u32,
    cpu_us: Option<u64>,
    decisions_us: u64,
    elapsed: Duration,
    has_faults: bool,
}

impl<'a> Observer<MatchGames<'a>> for Played {
    fn ended(&mut self, _: &MatchGames<'a>, record: MatchRecord) -> Result<(), Error> {
        let MatchRecord::Next(games) = record else { return Ok(()) };
        for game in games {
            let seats = &game.report.seats;
            self.turns = game.report.turns;
            self.cpu_us = seats.iter().map(|seat| seat.cpu_us).sum();
            self.decisions_us = seats.iter().map(|seat| seat.wall_us).sum();
            self.elapsed = game.elapsed;
            self.has_faults = game.is_void() || !game.report.faults.is_empty();
        }
        Ok(())
    }
}

/// Runs the work while another thread sleeps again and again. Also returns by how much each sleep was
/// too long, in microseconds.
fn with_delays<T>(work: impl FnOnce() -> T) -> (T, Vec<u64>) {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            let mut delays = Vec::new();
            while !is_done.load(SeqCst) && delays.len() < MOST {
                let begun = Instant::now();
                std::thread::sleep(SLEEP);
                let late = begun.elapsed().saturating_sub(SLEEP).as_micros();
                delays.push(u64::try_from(late).unwrap_or(u64::MAX));
            }
            delays
        });
        let done = work();
        is_done.store(true, SeqCst);
        (done, sleeper.join().unwrap_or_default())
    })
}

/// The measurements of a worker.
pub(crate) struct Calibrations {
    every: Option<Duration>,
    state: Mutex<State>,
}

struct State {
    due: Instant,
    /// Whether the host was measured, or could not be.
    has_begun: bool,
    last: Option<Calibration>,
}

impl Calibrations {
    /// The first measurement is due at once.
    pub(crate) fn new(every: Option<Duration>) -> Calibrations {
        Calibrations {
            every,
            state: Mutex::new(State { due: Instant::now(), has_begun: false, last: None }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the thread with this number is to measure the host now.
    pub(crate) fn is_due(&self, thread: usize) -> bool {
        self.every.is_some() && thread == 0 && self.state().due <= Instant::now()
    }

    /// Returns whether threads wait with their first games: the first measurement is made alone.
    pub(crate) fn is_first(&self) -> bool {
        self.every.is_some() && !self.state().has_begun
    }

    /// Returns the last measurement.
    pub(crate) fn last(&self) -> Option<Calibration> {
        self.state().last
    }

    /// Measures the host, and says the figures to the queue.
    pub(crate) fn measure(&self, shared: &Shared) {
        let measured = shared
            .interrupt(0)
            .map_err(Error::host)
            .and_then(|interrupt| measure(shared.tournaments.programs(), &interrupt));
        let now = Instant::now();
        {
            let mut state = self.state();
            state.due = self.every.and_then(|every| now.checked_add(every)).unwrap_or(now);
            state.has_begun = true;
        }
        match measured {
            Ok(calibration) => {
                self.state().last = Some(calibration);
                shared.introduce();
                shared.notify(WorkerEvent::Calibrated { calibration });
            }
            Err(Error::Interrupted) => {}
            Err(error) => shared.notify(WorkerEvent::NotCalibrated {
                reason: error.message().text(shared.tournaments.programs().name),
            }),
        }
    }
}
