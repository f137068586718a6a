//! The thread that sends results, and repeats what failed.

use crate::events::WorkerEvent;
use crate::shared::Shared;
use crate::spool::Spooled;
use botyard_league::store::StoreError;
use botyard_queue::{Completed, Delivery};
use crossbeam_channel::Receiver;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// The first and the longest pause after a failure.
const PAUSES: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(10));

/// Results with files of this many bytes are sent without others.
const ENOUGH: usize = 4 << 20;

/// How long a result waits for others that are sent with it. Games of bots that answer at once take a
/// millisecond, and a transaction for each of their blocks costs as much.
const LINGER: Duration = Duration::from_millis(50);

/// How often a waiting thread checks whether the worker ends.
const LOOK: Duration = Duration::from_millis(50);

/// Sends results until the other threads have ended and all are sent, or the queue cannot be reached
/// while the worker ends. What is not sent stays in the spool. Results that arrive together are
/// sent together.
pub(crate) fn send_all(shared: &Shared, results: &Receiver<Spooled>) {
    let mut is_failing = false;
    let mut next = None;
    while let Some(first) = next.take().or_else(|| results.recv().ok()) {
        let mut waiting = vec![read(first)];
        let mut size = waiting[0].size();
        let deadline = Instant::now() + LINGER;
        while waiting.len() < shared.work.most_together() && size < ENOUGH {
            let Ok(spooled) = results.recv_deadline(deadline) else { break };
            // A process that ended may have left results of another name.
            if spooled.result.worker != waiting[0].spooled.result.worker {
                next = Some(spooled);
                break;
            }
            waiting.push(read(spooled));
            size += waiting.last().map_or(0, Read::size);
        }
        if !send_together(shared, waiting, &mut is_failing) {
            return;
        }
    }
}

/// A result with the content of its files, or the reason why they cannot be read.
struct Read {
    spooled: Spooled,
    content: Result<Delivery, String>,
}

impl Read {
    /// Returns the number of bytes in its files.
    fn size(&self) -> usize {
        let files = self.content.iter().flat_map(|delivery| &delivery.files);
        files.map(|(_, content)| content.len()).sum()
    }
}

fn read(spooled: Spooled) -> Read {
    let files: Result<Vec<(String, Vec<u8>)>, String> = (spooled.files())
        .map(|(name, content)| match content {
            Ok(content) => Ok((name.to_string(), content)),
            Err(error) => Err(format!("the file {name} cannot be read in the spool: {error}")),
        })
        .collect();
    let (token, games) = (spooled.result.token.clone(), spooled.result.games.clone());
    Read { content: files.map(|files| Delivery { token, games, files }), spooled }
}

/// Sends results. Returns whether the worker continues.
fn send_together(shared: &Shared, waiting: Vec<Read>, is_failing: &mut bool) -> bool {
    let (mut spooled, mut deliveries) = (Vec::new(), Vec::new());
    for Read { spooled: its, content } in waiting {
        match content {
            Ok(delivery) => {
                spooled.push(its);
                deliveries.push(delivery);
            }
            Err(reason) => refused(shared, its, reason),
        }
    }
    let Some(first) = spooled.first() else { return true };
    let worker = first.result.worker.clone();
    match deliver(shared, &worker, &deliveries, is_failing) {
        Sent::Completed(completed) => {
            for (spooled, completed) in spooled.into_iter().zip(completed) {
                sent(shared, spooled, completed);
            }
            true
        }
        Sent::Refused(_) if spooled.len() > 1 => {
            // One of them is refused, and none was stored.
            for (spooled, delivery) in spooled.into_iter().zip(deliveries) {
                match deliver(shared, &worker, &[delivery], is_failing) {
                    Sent::Completed(completed) => {
                        if let Some(completed) = completed.into_iter().next() {
                            sent(shared, spooled, completed);
                        }
                    }
                    Sent::Refused(reason) => refused(shared, spooled, reason),
                    Sent::Stopped => return false,
                }
            }
            true
        }
        Sent::Refused(reason) => {
            spooled.into_iter().for_each(|spooled| refused(shared, spooled, reason.clone()));
            true
        }
        Sent::Stopped => false,
    }
}

/// What became of results.
enum Sent {
    /// The queue has them.
    Completed(Vec<Completed>),
    /// The queue refuses one of them, for this reason, and has none.
    Refused(String),
    /// The worker ends, and the queue cannot be reached.
    Stopped,
}

/// Delivers results, and repeats that until the queue is reached or the worker ends.
fn deliver(shared: &Shared, worker: &str, deliveries: &[Delivery], is_failing: &mut bool) -> Sent {
    let mut pause = PAUSES.0;
    loop {
        let error = match shared.work.deliver(worker, deliveries) {
            Ok(completed) => {
                if std::mem::replace(is_failing, false) {
                    shared.notify(WorkerEvent::QueueReached);
                }
                return Sent::Completed(completed);
            }
            Err(error @ (StoreError::Host(_) | StoreError::Full(_))) => error.to_string(),
            Err(error) => return Sent::Refused(error.to_string()),
        };
        if !std::mem::replace(is_failing, true) {
            shared.notify(WorkerEvent::QueueFailed { error });
        }
        if !wait(shared, pause) {
            return Sent::Stopped;
        }
        pause = (pause * 2).min(PAUSES.1);
    }
}

/// Waits for this time. Returns whether the worker continues.
fn wait(shared: &Shared, time: Duration) -> bool {
    let until = Instant::now() + time;
    while !shared.is_stopping() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(LOOK));
    }
    false
}

fn sent(shared: &Shared, spooled: Spooled, completed: Completed) {
    let result = &spooled.result;
    let voids = result.games.iter().filter(|game| !game.is_scored()).count();
    if completed == Completed::Accepted {
        shared.sent.blocks.fetch_add(1, SeqCst);
        shared.sent.games.fetch_add((result.games.len() - voids) as u64, SeqCst);
    }
    shared.notify(WorkerEvent::BlockCompleted {
        tournament: result.tournament.clone(),
        block: result.block,
        games: result.games.len(),
        voids,
        completed,
    });
    let token = result.token.clone();
    // Sent again by a later worker, it is a duplicate.
    let _ = spooled.remove();
    shared.leases.ended(&token);
}

fn refused(shared: &Shared, spooled: Spooled, reason: String) {
    let (worker, token) = (spooled.result.worker.clone(), spooled.result.token.clone());
    let (tournament, block) = (spooled.result.tournament.clone(), spooled.result.block);
    // The lease is still held if it is this worker's.
    let _ = shared.work.release(&worker, std::slice::from_ref(&token));
    let kept = spooled.refuse(&reason).ok().map(|path| path.display().to_string());
    shared.notify(WorkerEvent::ResultRefused { tournament, block, reason, kept });
    shared.leases.ended(&token);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open_tournaments::OpenTournaments;
    use crate::options::Options;
    use crate::place::Place;
    use crate::spool::{BlockResult, Spool};
    use botyard_league::store::{Definition, StoredGame};
    use botyard_queue::{BlobFile, Lease, Request, Work};
    use botyard_runner::Programs;
    use botyard_sandbox::Launcher;
    use std::sync::{Arc, Mutex};

    /// A queue that refuses every delivery with the result of one lease, and stores the others.
    #[derive(Default)]
    struct Particular {
        /// The tokens of each delivery, in order.
        deliveries: Mutex<Vec<Vec<String>>>,
        released: Mutex<Vec<String>>,
    }

    /// The lease whose result is refused.
    const FORGED: &str = "forged";

    impl Work for Particular {
        fn introduce(&self, _: &str, _: &serde_json::Value) -> Result<(), StoreError> {
            Ok(())
        }

        fn claim(&self, _: &Request) -> Result<Vec<Lease>, StoreError> {
            Ok(Vec::new())
        }

        fn unfinished(&self, _: &Request) -> Result<u64, StoreError> {
            Ok(0)
        }

        fn heartbeat(
            &self,
            _: &str,
            tokens: &[String],
            _: Duration,
        ) -> Result<Vec<String>, StoreError> {
            Ok(tokens.to_vec())
        }

        fn release(&self, _: &str, tokens: &[String]) -> Result<(), StoreError> {
            self.released.lock().expect("no panic").extend_from_slice(tokens);
            Ok(())
        }

        fn complete(
            &self,
            _: &str,
            _: &str,
            _: &[StoredGame],
            _: &[(String, String)],
        ) -> Result<Completed, StoreError> {
            unreachable!("results are delivered")
        }

        fn most_together(&self) -> usize {
            8
        }

        fn deliver(&self, _: &str, deliveries: &[Delivery]) -> Result<Vec<Completed>, StoreError> {
            let tokens: Vec<String> = deliveries.iter().map(|its| its.token.clone()).collect();
            let is_refused = tokens.iter().any(|token| token == FORGED);
            self.deliveries.lock().expect("no panic").push(tokens);
            match is_refused {
                true => Err(StoreError::Refused("it is forged".to_string())),
                false => Ok(vec![Completed::Accepted; deliveries.len()]),
            }
        }

        fn definition(&self, _: &str) -> Result<Definition, StoreError> {
            unreachable!("nothing is played")
        }

        fn files(&self, _: &str, _: &str) -> Result<Vec<BlobFile>, StoreError> {
            Ok(Vec::new())
        }

        fn put(&self, _: &[u8]) -> Result<String, StoreError> {
            unreachable!("content is delivered with its result")
        }

        fn get(&self, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
            Ok(None)
        }
    }

    #[test]
    fn a_refused_result_takes_no_other_with_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = Place::take(directory.path(), Some("anna"), None).expect("a place");
        let spool = Spool::open(place.spool()).expect("a spool");
        let programs = Programs::new(Launcher { program: "false".into(), args: Vec::new() });
        let tournaments = OpenTournaments::new(
            &place.copies(),
            &place.games().expect("a directory"),
            1,
            programs,
        );
        let work = Arc::new(Particular::default());
        let events: Arc<Mutex<Vec<(u32, String)>>> = Arc::default();
        let heard = Arc::clone(&events);
        let notify = move |event: &WorkerEvent| match event {
            WorkerEvent::BlockCompleted { block, .. } => {
                heard.lock().expect("no panic").push((*block, "completed".to_string()));
            }
            WorkerEvent::ResultRefused { block, reason, .. } => {
                heard.lock().expect("no panic").push((*block, reason.clone()));
            }
            _ => {}
        };
        let (results, waiting) = crossbeam_channel::bounded(9);
        let options = Options::new(directory.path().to_path_buf());
        let way: Arc<dyn Work> = work.clone();
        let shared = Shared::new(
            way,
            place,
            options,
            1,
            tournaments,
            spool,
            results.clone(),
            Arc::new(notify),
        );
        for (block, token) in (1..).zip(["one", FORGED, "three"]) {
            let result = BlockResult {
                worker: "anna".to_string(),
                token: token.to_string(),
                tournament: "class".to_string(),
                block,
                games: Vec::new(),
                files: Vec::new(),
            };
            results.send(shared.spool.add(result, &[]).expect("it is stored")).expect("space");
        }
        drop(results);
        shared.no_more_results();
        send_all(&shared, &waiting);
        let deliveries = work.deliveries.lock().expect("no panic").clone();
        let [together, alone @ ..] = &deliveries[..] else { panic!("nothing was delivered") };
        assert_eq!(*together, ["one", FORGED, "three"]);
        assert_eq!(*alone, [["one"], [FORGED], ["three"]].map(|token| token.map(String::from)));
        let expected = [(1, "completed"), (2, "it is forged"), (3, "completed")];
        let events = events.lock().expect("no panic").clone();
        assert!(events.iter().any(|(_, what)| what.contains(expected[1].1)), "{events:?}");
        assert_eq!(events.iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(events.iter().filter(|it| it.1 == "completed").count(), 2, "{events:?}");
        assert_eq!(*work.released.lock().expect("no panic"), [FORGED]);
        // The refused one is kept for its reader, and sent no more.
        assert_eq!(shared.spool.results().expect("a directory").len(), 0);
    }
}
