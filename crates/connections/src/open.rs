//! The connections that are open, and which of them makes room for another one.

use crate::place;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// How far a connection is. Those that come first make room first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// No request is on it.
    Idle,
    /// The body of a request has not arrived whole.
    Receiving,
    /// A request is being answered.
    Answering,
}

/// The connections that are open.
#[derive(Debug)]
pub(crate) struct Open {
    /// How many there are at once.
    most: usize,
    state: Mutex<State>,
    /// Notified when one ends, or could make room.
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// The number of the next change of any connection.
    next: u64,
    all: HashMap<u64, Known>,
    /// How many each place has.
    of: HashMap<IpAddr, usize>,
}

#[derive(Debug)]
struct Known {
    place: IpAddr,
    stage: Stage,
    /// The number of its last change.
    since: u64,
    closed: Arc<Notify>,
}

/// A connection, which counts until it is dropped.
#[derive(Debug)]
pub(crate) struct Entry {
    open: Arc<Open>,
    id: u64,
    closed: Arc<Notify>,
}

/// Why a connection does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// Its place has as many as it may, and all are used.
    Place,
    /// There are as many as there may be, and all are used.
    All,
}

impl Open {
    pub(crate) fn new(most: usize) -> Open {
        Open { most, state: Mutex::default(), changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn count(&self) -> usize {
        self.state().all.len()
    }

    /// Counts a connection from this address, whose place may have `most` of them. Where there are as many already,
    /// the one that has been idle for the longest time is closed, of that place or of the one with the most.
    pub(crate) fn enter(self: &Arc<Self>, address: IpAddr, most: usize) -> Result<Entry, Full> {
        let place = place(address);
        let mut state = self.state();
        if state.of.get(&place).copied().unwrap_or_default() >= most && !state.close(place) {
            return Err(Full::Place);
        }
        if state.all.len() >= self.most && !state.close_of_largest() {
            return Err(Full::All);
        }
        let (id, closed) = (state.next(), Arc::new(Notify::new()));
        let known = Known { place, stage: Stage::Idle, since: id, closed: Arc::clone(&closed) };
        state.all.insert(id, known);
        *state.of.entry(place).or_default() += 1;
        Ok(Entry { open: Arc::clone(self), id, closed })
    }

    /// Counts a connection as [`Open::enter`] does, and waits while all are used.
    pub(crate) async fn enter_in_turn(
        self: &Arc<Self>,
        address: IpAddr,
        most: usize,
    ) -> Option<Entry> {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            match self.enter(address, most) {
                Ok(entry) => return Some(entry),
                Err(Full::Place) => return None,
                Err(Full::All) => changed.await,
            }
        }
    }
}

impl State {
    fn next(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Closes the connection of a place that makes room first. Returns whether there was one.
    fn close(&mut self, place: IpAddr) -> bool {
        let its = self.all.iter().filter(|(_, known)| known.place == place);
        let unused = its.filter(|(_, known)| known.stage < Stage::Answering);
        let Some((&id, _)) = unused.min_by_key(|(_, known)| (known.stage, known.since)) else {
            return false;
        };
        self.remove(id);
        true
    }

    fn close_of_largest(&mut self) -> bool {
        let mut places: Vec<(usize, IpAddr)> =
            self.of.iter().map(|(&place, &count)| (count, place)).collect();
        places.sort_unstable();
        places.into_iter().rev().any(|(_, place)| self.close(place))
    }

    fn remove(&mut self, id: u64) {
        let Some(known) = self.all.remove(&id) else { return };
        known.closed.notify_one();
        if let Some(count) = self.of.get_mut(&known.place) {
            *count -= 1;
            if *count == 0 {
                self.of.remove(&known.place);
            }
        }
    }
}

impl Entry {
    /// Notes how far the connection is.
    pub(crate) fn is_now(&self, stage: Stage) {
        let mut state = self.open.state();
        let since = state.next();
        if let Some(known) = state.all.get_mut(&self.id) {
            (known.stage, known.since) = (stage, since);
        }
        drop(state);
        if stage < Stage::Answering {
            self.open.changed.notify_waiters();
        }
    }

    /// Waits until the connection has to make room.
    pub(crate) async fn closed(&self) {
        self.closed.notified().await;
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.open.state().remove(self.id);
        self.open.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let open = Arc::new(Open::new(10));
        let enter = |text: &str| {
            let entry = open.enter(address(text), 1)?;
            entry.is_now(Stage::Answering);
            Ok(entry)
        };
        let first = enter("2001:db8:1:2::9").expect("the first");
        assert_eq!(enter("2001:db8:1:2:3::4").map(|_| ()), Err(Full::Place));
        assert!(enter("2001:db8:1:3::9").is_ok() && enter("10.0.0.1").is_ok());
        drop(first);
        assert!(enter("2001:db8:1:2:3::4").is_ok());
        assert_eq!(open.count(), 0);
        assert!(open.state().of.is_empty());
    }

    #[test]
    fn what_is_unused_for_the_longest_time_makes_room_and_what_is_used_does_not() {
        let open = Arc::new(Open::new(4));
        let [one, two] = ["10.0.0.1", "10.0.0.2"].map(address);
        let its: Vec<Entry> = (0..3).map(|_| open.enter(one, 3).expect("room")).collect();
        its[0].is_now(Stage::Answering);
        its[1].is_now(Stage::Receiving);
        let is_open = |entry: &Entry| open.state().all.contains_key(&entry.id);
        // At the limit of its place: the idle one first.
        let fourth = open.enter(one, 3).expect("an idle one makes room");
        assert!(is_open(&its[0]) && is_open(&its[1]) && !is_open(&its[2]));
        fourth.is_now(Stage::Answering);
        let fifth = open.enter(one, 3).expect("then one that sends slowly");
        assert!(!is_open(&its[1]));
        fifth.is_now(Stage::Answering);
        assert_eq!(open.enter(one, 3).map(|_| ()), Err(Full::Place));
        // At the limit of all: one of the place with the most.
        let other = open.enter(two, 3).expect("the last place");
        assert_eq!(open.enter(two, 3).map(|_| ()).err(), None, "its own idle one makes room");
        other.is_now(Stage::Idle);
        assert!(!is_open(&other));
        let other = open.enter(two, 3).expect("room");
        other.is_now(Stage::Answering);
        assert_eq!(open.enter(two, 3).map(|_| ()), Err(Full::All));
        fifth.is_now(Stage::Idle);
        let more = open.enter(two, 3).expect("the larger place makes room");
        assert!(!is_open(&fifth) && is_open(&other) && is_open(&more));
        assert_eq!(open.count(), 4);
    }
}
