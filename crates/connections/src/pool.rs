//! What many use together, with a share for each.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;

/// An amount that many holders use together. A holder may have half of what the others leave, rounded up, so a part is
/// always free for another one: of `n` greedy holders each has one part of `n + 1`. A single request may be for all of
/// it, if its holder has nothing yet.
pub struct Pool<K>(Arc<Inner<K>>);

struct Inner<K> {
    all: usize,
    /// The most of one holder, whatever is free.
    each: usize,
    taken: Mutex<Taken<K>>,
    freed: Notify,
}

#[derive(Debug)]
struct Taken<K> {
    sum: usize,
    of: HashMap<K, usize>,
}

/// A part of a pool, until it is dropped.
pub struct Share<K: Eq + Hash> {
    pool: Arc<Inner<K>>,
    holder: K,
    amount: usize,
}

impl<K: Clone + Eq + Hash> Pool<K> {
    /// Makes a pool of this amount.
    pub fn new(all: usize) -> Pool<K> {
        Pool::with_most(all, all)
    }

    /// Makes a pool of this amount, of which each may have `each` at most.
    pub fn with_most(all: usize, each: usize) -> Pool<K> {
        let taken = Mutex::new(Taken { sum: 0, of: HashMap::new() });
        Pool(Arc::new(Inner { all, each, taken, freed: Notify::new() }))
    }

    /// Takes an amount; at most all of the pool. `None` if the holder has its share, or too little is free.
    pub fn take(&self, holder: &K, amount: usize) -> Option<Share<K>> {
        if self.0.all == 0 {
            return None;
        }
        let amount = amount.min(self.0.all);
        let mut taken = self.0.taken();
        let own = taken.of.get(holder).copied().unwrap_or_default();
        let left_by_others = self.0.all - (taken.sum - own);
        let most = match own {
            0 => left_by_others,
            _ => left_by_others.div_ceil(2).min(self.0.each),
        };
        if own + amount > most {
            return None;
        }
        taken.sum += amount;
        taken.of.insert(holder.clone(), own + amount);
        Some(Share { pool: Arc::clone(&self.0), holder: holder.clone(), amount })
    }

    /// Takes an amount as [`Pool::take`] does, and waits for it. `None` after this time.
    pub async fn wait(&self, holder: &K, amount: usize, patience: Duration) -> Option<Share<K>> {
        let taken = async {
            loop {
                let mut freed = pin!(self.0.freed.notified());
                freed.as_mut().enable();
                match self.take(holder, amount) {
                    Some(share) => return share,
                    None => freed.await,
                }
            }
        };
        timeout(patience, taken).await.ok()
    }
}

impl<K> Inner<K> {
    fn taken(&self) -> MutexGuard<'_, Taken<K>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        let mut taken = self.pool.taken();
        taken.sum -= self.amount;
        if let Some(own) = taken.of.get_mut(&self.holder) {
            *own -= self.amount;
            if *own == 0 {
                taken.of.remove(&self.holder);
            }
        }
        drop(taken);
        self.pool.freed.notify_waiters();
    }
}

impl<K> fmt::Debug for Pool<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let taken = self.0.taken().sum;
        formatter.debug_struct("Pool").field("all", &self.0.all).field("taken", &taken).finish()
    }
}

impl<K: Eq + Hash> fmt::Debug for Share<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Share").field("amount", &self.amount).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes one after another until there is no more.
    fn all_of(pool: &Pool<&'static str>, holder: &'static str) -> Vec<Share<&'static str>> {
        std::iter::from_fn(|| pool.take(&holder, 1)).collect()
    }

    #[test]
    fn however_much_others_take_something_is_free_for_the_next() {
        let pool = Pool::new(32);
        let mut shares = Vec::new();
        let mut counts = Vec::new();
        for holder in ["a", "b", "c", "d", "e", "f"] {
            let its = all_of(&pool, holder);
            counts.push(its.len());
            shares.extend(its);
        }
        assert_eq!(counts, [16, 8, 4, 2, 1, 1], "the last one has the last part");
        assert!(pool.take(&"a", 1).is_none());
        drop(shares);
        assert_eq!(all_of(&pool, "f").len(), 16);
    }

    #[test]
    fn one_request_may_be_for_all_and_a_holder_has_a_most() {
        let pool = Pool::with_most(100, 10);
        let share = pool.take(&"a", 1000).expect("all of it");
        assert!(pool.take(&"b", 1).is_none());
        drop(share);
        assert_eq!(all_of(&pool, "a").len(), 10);
    }

    #[test]
    fn what_is_taken_is_waited_for() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime").block_on(async {
            let pool = Pool::new(1);
            let share = pool.take(&"a", 1).expect("it is free");
            assert!(pool.wait(&"b", 1, Duration::from_millis(1)).await.is_none());
            let free = async {
                tokio::task::yield_now().await;
                drop(share);
            };
            let (waited, ()) = tokio::join!(pool.wait(&"b", 1, Duration::from_secs(300)), free);
            assert!(waited.is_some());
        });
    }
}
