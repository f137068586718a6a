//! Answers that last, such as events that a page follows. Each holds a connection.

use futures_util::{Stream, StreamExt};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Who has a stream, and how many of them it may have: a session, a person, an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The name of the holder, which no other one has.
    pub name: String,
    /// The most streams that it has.
    pub most: usize,
}

/// The streams that are open. Where there are too many, the oldest ends: its page has been replaced by a later one, or
/// connects again.
#[derive(Clone, Debug)]
pub struct Streams {
    most: usize,
    open: Arc<Mutex<All>>,
}

#[derive(Debug, Default)]
struct All {
    next: u64,
    /// By age.
    streams: BTreeMap<u64, Known>,
}

#[derive(Debug)]
struct Known {
    holders: Vec<String>,
    /// Ends the stream when it is dropped.
    _end: oneshot::Sender<()>,
}

/// A stream that counts until it is dropped.
#[derive(Debug)]
pub struct Open {
    counted: Counted,
    end: oneshot::Receiver<()>,
}

#[derive(Debug)]
struct Counted {
    all: Arc<Mutex<All>>,
    id: u64,
}

fn locked(all: &Mutex<All>) -> MutexGuard<'_, All> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Streams {
    /// Allows this number of streams at once.
    pub fn new(most: usize) -> Streams {
        Streams { most, open: Arc::default() }
    }

    /// Opens a stream of these holders, of which the last is the one with the most people behind it. Ends the oldest
    /// of a holder that has as many as it may, and where all have as many as they may, the oldest of the last holder
    /// with the most.
    pub fn open(&self, holders: &[Holder]) -> Open {
        let (sender, end) = oneshot::channel();
        let mut all = locked(&self.open);
        for holder in holders {
            while all.of(&holder.name).count() >= holder.most.max(1) {
                let Some(oldest) = all.of(&holder.name).next() else { break };
                all.streams.remove(&oldest);
            }
        }
        while all.streams.len() >= self.most.max(1) {
            all.end_of_largest();
        }
        all.next += 1;
        let id = all.next;
        let holders = holders.iter().map(|holder| holder.name.clone()).collect();
        all.streams.insert(id, Known { holders, _end: sender });
        Open { counted: Counted { all: Arc::clone(&self.open), id }, end }
    }

    /// Returns how many are open.
    pub fn count(&self) -> usize {
        locked(&self.open).streams.len()
    }
}

impl All {
    /// Returns the streams of a holder, the oldest first.
    fn of(&self, holder: &str) -> impl Iterator<Item = u64> {
        let is_its = move |known: &Known| known.holders.iter().any(|name| name == holder);
        self.streams.iter().filter(move |(_, known)| is_its(known)).map(|(id, _)| *id)
    }

    fn end_of_largest(&mut self) {
        let mut counts: HashMap<Option<&String>, (usize, u64)> = HashMap::new();
        // The youngest first, so that the oldest is what stays.
        for (id, known) in self.streams.iter().rev() {
            let its = counts.entry(known.holders.last()).or_default();
            *its = (its.0 + 1, *id);
        }
        let oldest = counts.into_values().max_by_key(|(count, id)| (*count, u64::MAX - id));
        if let Some((_, oldest)) = oldest {
            self.streams.remove(&oldest);
        }
    }
}

impl Open {
    /// Returns a stream of the same items, which ends when it has to make room for another one.
    pub fn limit<S: Stream>(self, stream: S) -> impl Stream<Item = S::Item> {
        let Open { counted, end } = self;
        stream.take_until(end).map(move |item| {
            let _ = &counted;
            item
        })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        locked(&self.all).streams.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::stream::pending;
    use std::pin::Pin;

    type Stream = Pin<Box<dyn futures_util::Stream<Item = ()>>>;

    fn opened(streams: &Streams, holders: &[(&str, usize)]) -> Stream {
        let holder = |&(name, most): &(&str, usize)| Holder { name: name.to_string(), most };
        let holders: Vec<Holder> = holders.iter().map(holder).collect();
        Box::pin(streams.open(&holders).limit(pending()))
    }

    fn has_ended(stream: &mut Stream) -> bool {
        stream.next().now_or_never().is_some()
    }

    #[test]
    fn the_oldest_ends_at_the_limit_of_a_session_a_person_or_an_address() {
        let streams = Streams::new(100);
        let of = |session: &'static str| [(session, 2), ("person", 3), ("address", 4)];
        let mut all: Vec<Stream> = ["s", "s", "s", "t", "t"]
            .map(|session| opened(&streams, &of(session)))
            .into_iter()
            .collect();
        let ended: Vec<bool> = all.iter_mut().map(has_ended).collect();
        assert_eq!(ended, [true, true, false, false, false]);
        all.push(opened(&streams, &[("other", 2), ("address", 4)]));
        all.push(opened(&streams, &[("other", 2), ("address", 4)]));
        assert_eq!(all.iter_mut().filter_map(|it| has_ended(it).then_some(())).count(), 3);
        assert_eq!(streams.count(), 4);
        drop(all);
        assert_eq!(streams.count(), 0);
    }

    #[test]
    fn where_all_are_taken_the_oldest_of_the_largest_address_ends() {
        let streams = Streams::new(4);
        let mut one = opened(&streams, &[("p", 9), ("one", 9)]);
        let mut two: Vec<Stream> =
            (0..3).map(|_| opened(&streams, &[("q", 9), ("two", 9)])).collect();
        let mut three = opened(&streams, &[("r", 9), ("three", 9)]);
        assert!(!has_ended(&mut one) && !has_ended(&mut three));
        let ended: Vec<bool> = two.iter_mut().map(has_ended).collect();
        assert_eq!(ended, [true, false, false]);
    }
}
