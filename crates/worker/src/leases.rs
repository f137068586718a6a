//! The leases that a worker holds: those that it plays, and those whose results wait to be sent.

use botyard_queue::Lease;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The leases of a worker, by token.
#[derive(Debug, Default)]
pub(crate) struct Leases(Mutex<BTreeMap<String, State>>);

/// What a worker does with a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Its games are played.
    Playing,
    /// Its result waits to be sent.
    Sending,
}

impl Leases {
    fn held(&self) -> MutexGuard<'_, BTreeMap<String, State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds claimed leases.
    pub(crate) fn claimed(&self, leases: &[Lease]) {
        let tokens = leases.iter().map(|lease| (lease.token.clone(), State::Playing));
        self.held().extend(tokens);
    }

    /// Records that the result of a lease waits to be sent.
    pub(crate) fn sending(&self, token: &str) {
        self.held().insert(token.to_string(), State::Sending);
    }

    /// Records that a lease has ended.
    pub(crate) fn ended(&self, token: &str) {
        self.held().remove(token);
    }

    /// Returns whether a lease is held, as far as is known.
    pub(crate) fn has(&self, token: &str) -> bool {
        self.held().contains_key(token)
    }

    /// Returns the tokens of all leases.
    pub(crate) fn tokens(&self) -> Vec<String> {
        self.held().keys().cloned().collect()
    }

    /// Returns the tokens of the leases whose games are played.
    pub(crate) fn playing(&self) -> Vec<String> {
        let held = self.held();
        let playing = held.iter().filter(|(_, state)| **state == State::Playing);
        playing.map(|(token, _)| token.clone()).collect()
    }

    /// Removes those of the tokens that the queue does not confirm. Returns how many of them were
    /// being played.
    pub(crate) fn confirmed(&self, asked: &[String], confirmed: &[String]) -> usize {
        let mut held = self.held();
        let lost = asked.iter().filter(|token| !confirmed.contains(token));
        lost.filter(|token| {
            // The result is sent nevertheless: the queue says what becomes of it.
            let is_playing = held.get(*token) == Some(&State::Playing);
            is_playing && held.remove(*token).is_some()
        })
        .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_queue_does_not_confirm_is_not_played_and_its_result_is_sent_nevertheless() {
        let lease = |token: &str| Lease {
            token: token.into(),
            tournament: "class".into(),
            generation: 0,
            block: 1,
            line_up: vec![0, 1],
            repeat: 0,
            games: Vec::new(),
        };
        let leases = Leases::default();
        leases.claimed(&["a", "b", "c"].map(lease));
        leases.sending("c");
        let asked = leases.tokens();
        // Claimed while the heartbeat was on its way.
        leases.claimed(&[lease("d")]);
        assert_eq!(leases.confirmed(&asked, &["a".to_string()]), 1);
        assert_eq!(leases.tokens(), ["a", "c", "d"]);
        assert_eq!(leases.playing(), ["a", "d"]);
        leases.ended("c");
        assert!(!leases.has("c") && leases.has("a"));
    }
}
