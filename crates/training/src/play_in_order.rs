//! Games on several threads, delivered in the order of their seeds.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// Plays the game of every seed on `threads` threads and passes each to `each`, in the order of the
/// seeds: the calls of `each` do not depend on the number of threads. When `is_stopped` returns
/// true, no further game begins; those in progress are still delivered. Returns the number of
/// delivered games.
///
/// # Errors
///
/// The first error of `each`, after which no further game begins and none is delivered.
pub fn play_in_order<T: Send, E>(
    seeds: Range<u64>,
    threads: NonZero<usize>,
    is_stopped: impl Fn() -> bool + Sync,
    play: impl Fn(u64) -> T + Sync,
    mut each: impl FnMut(T) -> Result<(), E>,
) -> Result<u64, E> {
    let next = AtomicU64::new(seeds.start);
    let failed = AtomicBool::new(false);
    let mut due = seeds.start;
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.get() {
            let (sender, next, failed) = (sender.clone(), &next, &failed);
            let (play, is_stopped, end) = (&play, &is_stopped, seeds.end);
            scope.spawn(move || {
                while !failed.load(Ordering::Relaxed) && !is_stopped() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    // A closed receiver has met an error.
                    if seed >= end || sender.send((seed, play(seed))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        for (seed, game) in receiver {
            early.insert(seed, game);
            while let Some(game) = early.remove(&due) {
                if let Err(error) = each(game) {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                due += 1;
            }
        }
        Ok(due - seeds.start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn threads(count: usize) -> NonZero<usize> {
        NonZero::new(count).unwrap()
    }

    #[test]
    fn games_are_handed_over_in_the_order_of_their_seeds() {
        for count in [1, 2, 7] {
            let mut seen = Vec::new();
            // Games of very different lengths.
            let play = |seed: u64| (0..(seed * 7919) % 5000).fold(seed, |sum, _| sum ^ 1 ^ 1);
            let whole = play_in_order(
                10..300,
                threads(count),
                || false,
                play,
                |game| {
                    seen.push(game);
                    Ok::<_, Infallible>(())
                },
            );
            assert_eq!(whole, Ok(290));
            assert_eq!(seen, (10..300).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn games_that_have_begun_are_handed_over_after_a_stop() {
        let (began, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let mut handed = 0;
        let count = play_in_order(
            0..1_000_000,
            threads(2),
            || stop.load(Ordering::SeqCst),
            |_| began.fetch_add(1, Ordering::SeqCst),
            |_| {
                handed += 1;
                stop.store(handed >= 20, Ordering::SeqCst);
                Ok::<_, Infallible>(())
            },
        );
        assert_eq!(count, Ok(began.load(Ordering::SeqCst)));
        assert_eq!(count, Ok(handed));
        assert!((20..1_000_000).contains(&handed));
    }

    #[test]
    fn an_error_ends_it() {
        let mut handed = 0;
        let failed = play_in_order(
            0..u64::MAX,
            threads(2),
            || false,
            |seed| seed,
            |game| {
                handed += 1;
                if game == 5 { Err("the disk is full") } else { Ok(()) }
            },
        );
        assert_eq!((failed, handed), (Err("the disk is full"), 6));
    }
}
