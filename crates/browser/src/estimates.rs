//! The bots' estimates of a game: the scores that they report with their decisions, as winning
//! chances. There are none in a game that hides information, because an estimate may say what the
//! person must not know, and none where the person is not offered what bots say.

use botyard_replay::Scale;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of estimates that pages receive, the last ones.
const KEPT: usize = 200;

/// The first score of a game from which on scores that are all from 0 to 1 are probabilities: a game
/// begins about even, which is 1/2 as a probability and 0 on every other scale.
const LEAST_EVEN: f64 = 0.25;

/// The estimates of a game.
#[derive(Debug)]
pub(crate) struct Estimates {
    is_silent: bool,
    scores: Vec<Scored>,
}

/// The score of a decision.
#[derive(Debug)]
struct Scored {
    turn: u32,
    seat: String,
    score: f64,
}

/// The field of a bot's `info` that is its estimate.
#[derive(Deserialize)]
struct Told {
    score: f64,
}

impl Estimates {
    /// Makes the estimates of a game.
    pub(crate) fn new(hides: bool, is_offered: bool) -> Estimates {
        Estimates { is_silent: hides || !is_offered, scores: Vec::new() }
    }

    /// Adds the estimate in the `info` of a decision, if there is one.
    pub(crate) fn moved(&mut self, turn: u32, seat: &str, info: Option<&str>) {
        let told = info.and_then(|info| serde_json::from_str::<Told>(info).ok());
        if let Some(Told { score }) = told.filter(|told| !self.is_silent && told.score.is_finite())
        {
            self.scores.push(Scored { turn, seat: seat.to_string(), score });
        }
    }

    /// Returns the estimates for pages: the number of a decision, its seat, the seat's winning chance
    /// and the score. `null` if there are none in such a game.
    pub(crate) fn as_json(&self) -> Value {
        if self.is_silent {
            return Value::Null;
        }
        let last = &self.scores[self.scores.len().saturating_sub(KEPT)..];
        let seats: BTreeSet<&str> = last.iter().map(|its| its.seat.as_str()).collect();
        let scales: BTreeMap<&str, Scale> =
            seats.into_iter().map(|seat| (seat, self.scale(seat))).collect();
        last.iter()
            .map(|Scored { turn, seat, score }| {
                let chance = scales[seat.as_str()].chance(*score);
                json!([turn, seat, (chance * 1000.0).round() / 1000.0, score])
            })
            .collect()
    }

    /// Returns the scale of a seat's scores, as far as they show it.
    fn scale(&self, seat: &str) -> Scale {
        let scores = || self.scores.iter().filter(|its| its.seat == seat).map(|its| its.score);
        Scale::shown_by(scores()).unwrap_or_else(|| match scores().next() {
            Some(first) if first >= LEAST_EVEN => Scale::Probability,
            _ => Scale::Unbounded,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_scores(scores: &[f64]) -> Value {
        let mut estimates = Estimates::new(false, true);
        for (turn, score) in (1..).zip(scores) {
            estimates.moved(turn, "white", Some(&json!({ "score": score }).to_string()));
        }
        estimates.as_json()
    }

    #[test]
    fn scores_become_chances_on_the_scale_that_they_show() {
        for (scores, chances) in [
            // Pieces: no probability, since it is near 0 at first.
            (&[0.0, 0.1][..], &[0.5, 0.525][..]),
            (&[0.5, 0.9], &[0.5, 0.9]),
            (&[0.5, -0.5], &[0.75, 0.25]),
            (&[0.5, 2.0], &[0.622, 0.881]),
        ] {
            let found = with_scores(scores);
            let found: Vec<&Value> = found.as_array().unwrap().iter().map(|its| &its[2]).collect();
            assert_eq!(found, chances, "{scores:?}");
        }
        assert_eq!(with_scores(&[0.5])[0], json!([1, "white", 0.5, 0.5]));
    }

    #[test]
    fn each_seat_has_its_own_scale_and_other_info_is_no_estimate() {
        let mut estimates = Estimates::new(false, true);
        estimates.moved(1, "white", Some(r#"{"score":3,"depth":2}"#));
        estimates.moved(2, "black", Some(r#"{"score":0.5}"#));
        for info in [None, Some("{}"), Some(r#"{"score":"high"}"#), Some("?")] {
            estimates.moved(3, "black", info);
        }
        assert_eq!(estimates.as_json(), json!([[1, "white", 0.953, 3.0], [2, "black", 0.5, 0.5]]));
    }

    #[test]
    fn nothing_is_kept_where_it_would_reveal_something() {
        for (hides, is_offered) in [(true, true), (false, false)] {
            let mut estimates = Estimates::new(hides, is_offered);
            estimates.moved(1, "mr-x", Some(r#"{"score":0.5}"#));
            assert_eq!(estimates.as_json(), Value::Null);
        }
    }
}
