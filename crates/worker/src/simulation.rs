//! How many workers one store carries, by simulation: workers with several threads play games of random
//! length, and their requests wait in one queue for the store, which serves some of them at once. The
//! times of the requests are measured or given.
//!
//! A thread claims blocks, plays them, and claims again; the results of a worker are sent one after
//! another beside it; heartbeats come in between. What is simulated is the waiting at the store. The
//! network and the hosts of the workers are without limits.

use crate::options::Options;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

/// The requests of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A claim of blocks.
    Claim,
    /// The upload of a replay.
    Upload,
    /// The result of a block.
    Result,
    /// A sign of life that renews leases.
    Heartbeat,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Claim, Kind::Upload, Kind::Result, Kind::Heartbeat];

    /// Returns its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Claim => "claims",
            Kind::Upload => "uploads",
            Kind::Result => "results",
            Kind::Heartbeat => "heartbeats",
        }
    }
}

/// The time that the store takes for each request, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Times {
    /// For a claim.
    pub claim: f64,
    /// For the upload of a replay.
    pub upload: f64,
    /// For the result of a block.
    pub result: f64,
    /// For a heartbeat.
    pub heartbeat: f64,
}

impl Times {
    fn of(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Claim => self.claim,
            Kind::Upload => self.upload,
            Kind::Result => self.result,
            Kind::Heartbeat => self.heartbeat,
        }
    }
}

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Model {
    /// The mean time of a game, in seconds. Games take from half of it to one and a half times.
    pub game: f64,
    /// The number of games in a block.
    pub block: u32,
    /// The number of games that a worker plays at once.
    pub concurrency: u32,
    /// The number of requests that the store serves at once.
    pub served_at_once: u32,
    /// Whether replays are uploaded.
    pub replays: bool,
    /// The times of the requests.
    pub times: Times,
}

/// What became of a number of workers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The number of workers.
    pub workers: u32,
    /// The mean time from a claim to its answer, in seconds.
    pub claim: f64,
    /// The time that one claim in a hundred exceeds, in seconds.
    pub claim_p99: f64,
    /// The part of their time that threads wait for games.
    pub idle: f64,
    /// Games per second.
    pub games: f64,
    /// The part of the store's time that each kind of request takes, in the order of [`Kind::ALL`].
    pub load: [f64; 4],
}

impl Outcome {
    /// Returns the kind of request that takes most of the store's time.
    pub fn heaviest(&self) -> Kind {
        let loads = Kind::ALL.into_iter().zip(self.load);
        loads.max_by(|one, other| one.1.total_cmp(&other.1)).map_or(Kind::Claim, |(kind, _)| kind)
    }

    /// Returns the part of its time that the store is busy.
    pub fn busy(&self) -> f64 {
        self.load.iter().sum()
    }
}

/// The number of blocks that a thread plays in a simulation, beside those before the measurement.
const BLOCKS: f64 = 12.0;

/// The least number of claims that are measured.
const CLAIMS: f64 = 4000.0;

/// The most workers of which a capacity is searched.
const MOST: u32 = 1 << 20;

impl Model {
    /// Returns how many blocks a thread claims at once: as a worker does.
    fn blocks_at_once(&self) -> u32 {
        crate::open_tournaments::blocks_at_once(Duration::from_secs_f64(self.game), self.block)
    }

    /// Returns the store's work, in seconds, per second and worker that never waits.
    fn load_of_worker(&self) -> f64 {
        let blocks = f64::from(self.concurrency) / (self.game * f64::from(self.block));
        let uploads = if self.replays { f64::from(self.block) } else { 0.0 };
        let of_block = self.times.claim / f64::from(self.blocks_at_once())
            + self.times.result
            + uploads * self.times.upload;
        blocks * of_block + self.times.heartbeat / heartbeats()
    }

    /// Returns the largest number of workers with which a claim is answered within `most` seconds in
    /// the mean, and what became of them; `None` if one worker is too many.
    pub fn capacity(&self, most: f64, seed: u64) -> Option<Outcome> {
        let fits = |outcome: &Outcome| outcome.claim <= most;
        // Where the store would be busy all the time.
        let full = f64::from(self.served_at_once) / self.load_of_worker().max(1e-12);
        let full = (full * 1.2 + 2.0).min(f64::from(MOST)) as u32;
        let mut best = Some(self.simulate(1, seed)).filter(fits)?;
        let (mut low, mut high) = (1, full.max(2));
        while high - low > (low / 50).max(1) {
            let middle = low + (high - low) / 2;
            let outcome = self.simulate(middle, seed);
            if fits(&outcome) {
                low = middle;
                best = outcome;
            } else {
                high = middle;
            }
        }
        Some(best)
    }

    /// Simulates this many workers.
    pub fn simulate(&self, workers: u32, seed: u64) -> Outcome {
        Simulation::new(self, workers, seed).run()
    }
}

/// Returns the seconds between two heartbeats of a worker.
fn heartbeats() -> f64 {
    (Options::TTL.as_secs_f64() / 4.0).min(30.0)
}

/// A time in nanoseconds, so that events can be ordered.
type Nanos = u64;

fn nanos(seconds: f64) -> Nanos {
    (seconds * 1e9) as Nanos
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A thread of a worker has played a block, and has this many more.
    Played { worker: u32, left: u32 },
    /// The store has served a request.
    Served { worker: u32, kind: u8, asked: Nanos },
    /// A heartbeat of a worker is due.
    Beat { worker: u32 },
}

struct Simulation<'a> {
    model: &'a Model,
    rng: Xoshiro256PlusPlus,
    now: Nanos,
    /// When the measurement begins and ends.
    span: (Nanos, Nanos),
    events: BinaryHeap<Reverse<(Nanos, u64, Event)>>,
    /// Makes the order of events at the same time certain.
    number: u64,
    /// Requests that wait for the store.
    waiting: VecDeque<(u32, Kind, Nanos)>,
    served: u32,
    /// Requests of each worker that are sent one after another, and whether one is on its way.
    sending: Vec<(VecDeque<Kind>, bool)>,
    claims: Vec<f64>,
    waited: f64,
    work: [f64; 4],
    games: u64,
    workers: u32,
}

impl<'a> Simulation<'a> {
    fn new(model: &'a Model, workers: u32, seed: u64) -> Simulation<'a> {
        let claim = model.game * f64::from(model.block * model.blocks_at_once());
        let threads = f64::from(workers * model.concurrency);
        let enough = claim * (CLAIMS / threads).max(BLOCKS / f64::from(model.blocks_at_once()));
        let begin = claim * 2.0;
        let mut simulation = Simulation {
            model,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            now: 0,
            span: (nanos(begin), nanos(begin + enough)),
            events: BinaryHeap::new(),
            number: 0,
            waiting: VecDeque::new(),
            served: 0,
            sending: vec![(VecDeque::new(), false); workers as usize],
            claims: Vec::new(),
            waited: 0.0,
            work: [0.0; 4],
            games: 0,
            workers,
        };
        for worker in 0..workers {
            // Workers and threads begin at different times.
            for _ in 0..model.concurrency {
                let at = nanos(simulation.rng.random::<f64>() * claim);
                simulation.at(at, Event::Played { worker, left: 0 });
            }
            let at = nanos(simulation.rng.random::<f64>() * heartbeats());
            simulation.at(at, Event::Beat { worker });
        }
        simulation
    }

    fn at(&mut self, at: Nanos, event: Event) {
        self.number += 1;
        self.events.push(Reverse((at, self.number, event)));
    }

    fn is_measured(&self) -> bool {
        (self.span.0..self.span.1).contains(&self.now)
    }

    fn run(mut self) -> Outcome {
        while let Some(Reverse((at, _, event))) = self.events.pop() {
            if at >= self.span.1 {
                break;
            }
            self.now = at;
            match event {
                Event::Played { worker, left } => self.played(worker, left),
                Event::Served { worker, kind, asked } => self.served(worker, kind, asked),
                Event::Beat { worker } => {
                    self.ask(worker, Kind::Heartbeat);
                    self.at(self.now + nanos(heartbeats()), Event::Beat { worker });
                }
            }
        }
        let seconds = (self.span.1 - self.span.0) as f64 / 1e9;
        let threads = f64::from(self.workers * self.model.concurrency);
        // Claims that are not answered at the end have waited too.
        let unanswered = self.waiting.iter().filter(|(_, kind, _)| *kind == Kind::Claim);
        let unanswered: Vec<f64> = unanswered
            .map(|(_, _, asked)| (self.now.saturating_sub(*asked)) as f64 / 1e9)
            .collect();
        self.claims.extend(unanswered);
        self.claims.sort_by(f64::total_cmp);
        let mean = self.claims.iter().sum::<f64>() / self.claims.len().max(1) as f64;
        let p99 = self.claims.get(self.claims.len() * 99 / 100).copied().unwrap_or_default();
        let at_once = f64::from(self.model.served_at_once);
        Outcome {
            workers: self.workers,
            claim: mean,
            claim_p99: p99,
            idle: self.waited / (seconds * threads),
            games: self.games as f64 / seconds,
            load: self.work.map(|work| work / (seconds * at_once)),
        }
    }

    /// A thread has played a block, or begins.
    fn played(&mut self, worker: u32, left: u32) {
        if left > 0 {
            self.play(worker, left - 1);
            return;
        }
        self.ask(worker, Kind::Claim);
    }

    /// A thread plays a block, and has this many more.
    fn play(&mut self, worker: u32, left: u32) {
        let mut time = 0.0;
        for _ in 0..self.model.block {
            time += self.model.game * (0.5 + self.rng.random::<f64>());
        }
        self.at(self.now + nanos(time), Event::Played { worker, left });
        // The result of this block is sent when it has been played; its place in time does not matter
        // for the load, so it is sent when the next one begins.
        if self.is_measured() {
            self.games += u64::from(self.model.block);
        }
        let uploads = if self.model.replays { self.model.block as usize } else { 0 };
        let sending = &mut self.sending[worker as usize];
        sending.0.extend(std::iter::repeat_n(Kind::Upload, uploads).chain([Kind::Result]));
        self.send_next(worker);
    }

    /// Sends the next request of a worker's results, if none is on its way.
    fn send_next(&mut self, worker: u32) {
        let sending = &mut self.sending[worker as usize];
        if !sending.1
            && let Some(kind) = sending.0.pop_front()
        {
            sending.1 = true;
            self.ask(worker, kind);
        }
    }

    fn ask(&mut self, worker: u32, kind: Kind) {
        self.waiting.push_back((worker, kind, self.now));
        self.serve();
    }

    /// Begins to serve requests, as many as can be served at once.
    fn serve(&mut self) {
        while self.served < self.model.served_at_once {
            let Some((worker, kind, asked)) = self.waiting.pop_front() else { return };
            self.served += 1;
            let time = self.model.times.of(kind);
            if self.is_measured() {
                self.work[kind as usize] += time;
            }
            let kind = kind as u8;
            self.at(self.now + nanos(time), Event::Served { worker, kind, asked });
        }
    }

    fn served(&mut self, worker: u32, kind: u8, asked: Nanos) {
        self.served -= 1;
        match Kind::ALL[usize::from(kind)] {
            Kind::Claim => {
                let took = (self.now - asked) as f64 / 1e9;
                if self.is_measured() {
                    self.claims.push(took);
                    self.waited += took;
                }
                self.play(worker, self.model.blocks_at_once() - 1);
            }
            Kind::Upload | Kind::Result => {
                self.sending[worker as usize].1 = false;
                self.send_next(worker);
            }
            Kind::Heartbeat => {}
        }
        self.serve();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(game: f64) -> Model {
        Model {
            game,
            block: 2,
            concurrency: 2,
            served_at_once: 1,
            replays: true,
            times: Times { claim: 0.002, upload: 0.001, result: 0.003, heartbeat: 0.001 },
        }
    }

    #[test]
    fn few_workers_never_wait_and_too_many_share_the_stores_time() {
        let model = model(5.0);
        let few = model.simulate(2, 1);
        assert!((few.claim - 0.002).abs() < 0.0005, "{few:?}");
        assert!(few.idle < 0.001, "{few:?}");
        // Four threads play 0.2 games per second each.
        assert!((few.games - 0.8).abs() < 0.05, "{few:?}");
        let many = model.simulate(20_000, 1);
        assert!(many.busy() > 0.97, "{many:?}");
        assert!(many.claim > 1.0 && many.idle > 0.1, "{many:?}");
    }

    #[test]
    fn the_load_is_that_of_the_requests() {
        let model = model(5.0);
        let outcome = model.simulate(100, 1);
        let expected = model.load_of_worker() * 100.0;
        assert!((outcome.busy() / expected - 1.0).abs() < 0.05, "{outcome:?}, {expected}");
    }

    #[test]
    fn longer_games_carry_more_workers_until_heartbeats_count() {
        let capacity = |game: f64| model(game).capacity(0.005, 1).unwrap();
        let [short, long] = [1.0, 60.0].map(capacity);
        assert!(long.workers > 20 * short.workers, "{short:?} {long:?}");
        assert!(short.claim <= 0.005 && long.claim <= 0.005);
        let twice = Model { served_at_once: 2, ..model(1.0) }.capacity(0.005, 1).unwrap();
        assert!(twice.workers > short.workers * 3 / 2, "{short:?} {twice:?}");
        // A claim that takes longer than it may is too long for one worker.
        assert!(model(1.0).capacity(0.001, 1).is_none());
    }

    #[test]
    fn the_same_seed_gives_the_same_figures() {
        assert_eq!(model(1.0).simulate(50, 7), model(1.0).simulate(50, 7));
    }
}
