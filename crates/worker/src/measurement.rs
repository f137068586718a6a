//! The times of a store's requests, measured with a tournament whose games are not played.

use crate::direct::Direct;
use crate::simulation::Times;
use botyard_league::replay_names::replay_name;
use botyard_league::schedule::{Draws, GameKey, Stage};
use botyard_league::store::{Definition, StoreError, StoredCopies, StoredGame};
use botyard_league::{Entrant, PlayedGame, SeatUse, Verdict};
use botyard_queue::{Hold, Queue, Request, Schedule, Work};
use botyard_runner::Error;
use botyard_tournament::schedule_of;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The id of the tournament.
const ID: &str = "measurement";

/// The game, between bots of any name.
const FILE: &str = "game = \"draughts\"\nseed = 1\n[[bot]]\ncommand = \"random:seed=1\"\n\
                    [[bot]]\ncommand = \"random:seed=2\"\n";

/// The name of the worker.
const WORKER: &str = "measurement";

fn definition(blocks: u32) -> Definition {
    let entrant = |name: &str| Entrant { name: name.into(), ..Entrant::default() };
    let stage = Stage { bots: vec![0, 1], blocks, ..Stage::default() };
    Definition {
        name: ID.into(),
        game: "draughts".into(),
        draws: Draws::numbered(1, ID),
        commitment: None,
        file: FILE.into(),
        directory: "/".into(),
        digest: String::new(),
        version: env!("CARGO_PKG_VERSION").into(),
        entrants: ["one", "other"].map(entrant).to_vec(),
        rejected: Vec::new(),
        kept: Some(StoredCopies { stages: vec![stage], ..StoredCopies::default() }),
    }
}

/// Measures the requests of a worker to an empty store, one at a time, with replays of this many bytes:
/// the median of each kind over this many blocks. A tournament that is held remains in the store.
///
/// # Errors
///
/// The store has tournaments; errors of the store.
pub fn measure(queue: &Arc<Queue>, blocks: u32, replay_bytes: usize) -> Result<Times, Error> {
    if !queue.tournaments()?.is_empty() {
        let what = "the store has tournaments: measure with an empty one".to_string();
        return Err(StoreError::Refused(what).into());
    }
    let definition = definition(blocks);
    let (games, scale) = schedule_of(&definition)?;
    queue.add(ID, &definition, &Schedule { games: &games, scale })?;
    let work = Direct::new(Arc::clone(queue));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut replay = vec![0; replay_bytes];
    let ttl = Duration::from_secs(3600);
    let request = Request {
        worker: WORKER.into(),
        blocks: 1,
        ttl,
        tournament: Some(ID.into()),
        except: Vec::new(),
    };
    let mut times: [Vec<f64>; 4] = Default::default();
    loop {
        let begun = Instant::now();
        let leases = work.claim(&request)?;
        times[0].push(begun.elapsed().as_secs_f64());
        let Some(lease) = leases.first() else { break };
        let mut played = Vec::new();
        let mut files = Vec::new();
        for leased in &lease.games {
            rng.fill_bytes(&mut replay);
            let begun = Instant::now();
            let digest = work.put(&replay)?;
            times[1].push(begun.elapsed().as_secs_f64());
            let key = GameKey { generation: 0, block: lease.block, rotation: leased.rotation };
            let scheduled = games.game(&lease.block(), leased.rotation, 0);
            let name = replay_name(&scheduled.id, 1);
            files.push((name.clone(), digest));
            let used = SeatUse {
                decisions: 30,
                wall_us: 900_000,
                longest_us: 99_000,
                cpu_us: Some(1),
                ..SeatUse::default()
            };
            played.push(StoredGame {
                key,
                id: games.hash(key),
                attempts: 1,
                game: PlayedGame {
                    block: lease.block,
                    seats: scheduled.seats,
                    verdict: Verdict::Scored { points: vec![1.0, 0.0], places: vec![1, 2] },
                    void_at: None,
                    turns: 60,
                    uses: vec![used; 2],
                    faults: Vec::new(),
                    replay: Some(name),
                },
            });
        }
        let begun = Instant::now();
        work.heartbeat(WORKER, std::slice::from_ref(&lease.token), ttl)?;
        times[3].push(begun.elapsed().as_secs_f64());
        let begun = Instant::now();
        work.complete(WORKER, &lease.token, &played, &files)?;
        times[2].push(begun.elapsed().as_secs_f64());
    }
    queue.hold(ID, Hold::Held)?;
    let [claim, upload, result, heartbeat] = times.map(median);
    Ok(Times { claim, upload, result, heartbeat })
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_queue::Address;

    #[test]
    fn every_request_is_measured_and_only_an_empty_store_is_used() {
        let place = tempfile::tempdir().unwrap();
        let queue = Queue::open(&Address::File(place.path().join("a.db"))).unwrap();
        let queue = Arc::new(queue);
        let times = measure(&queue, 5, 1000).unwrap();
        let all = [times.claim, times.upload, times.result, times.heartbeat];
        assert!(all.iter().all(|&time| time > 0.0), "{times:?}");
        assert_eq!(queue.status(ID).unwrap().games, 10);
        assert!(measure(&queue, 5, 1000).unwrap_err().to_string().contains("an empty one"));
    }
}
