//! What bots say during a game: the `info` of their moves, and their logs. Nothing is kept in a game
//! that hides information, because a bot may say what its opponents must not know, and nothing where
//! the person is not offered it, as in a rated game, because it would be a hint.

use botyard_protocol::printable;
use botyard_runner::words::info_in_words;
use serde_json::{Value, json};
use std::collections::VecDeque;

/// The maximum number of remarks that pages receive with each state; they keep the earlier ones.
const KEPT: usize = 40;

/// How much of a log is shown, in characters.
const CHARACTERS: usize = 300;

/// The last remarks of a game.
#[derive(Debug)]
pub(crate) struct Remarks {
    is_silent: bool,
    /// The number of the last decision.
    turn: u32,
    /// The numbers of decisions, with what was said at them.
    last: VecDeque<(u32, String)>,
}

impl Remarks {
    /// Makes the remarks of a game.
    pub(crate) fn new(hides: bool, is_offered: bool) -> Remarks {
        Remarks { is_silent: hides || !is_offered, turn: 0, last: VecDeque::new() }
    }

    /// Adds the `info` of a decision.
    pub(crate) fn moved(&mut self, turn: u32, info: Option<&str>) {
        self.turn = turn;
        let words = info.map(info_in_words).unwrap_or_default();
        if !words.is_empty() {
            self.add(turn, words);
        }
    }

    /// Adds a log: it belongs to the decision that is being made.
    pub(crate) fn logged(&mut self, player: &str, text: &str) {
        let (player, text) = (printable(player, 60), printable(text, CHARACTERS));
        self.add(self.turn + 1, format!("{player} says: {text}"));
    }

    fn add(&mut self, turn: u32, words: String) {
        if self.is_silent {
            return;
        }
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back((turn, words));
    }

    /// Returns the remarks for pages: the number of a decision, and a text.
    pub(crate) fn as_json(&self) -> Value {
        self.last.iter().map(|(turn, words)| json!([turn, words])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_remarks_are_kept_with_the_numbers_of_their_decisions() {
        let mut remarks = Remarks::new(false, true);
        remarks.moved(1, None);
        remarks.logged("a\u{202e}bot", "hm");
        remarks.moved(2, Some(r#"{"depth":3,"own":1}"#));
        remarks.moved(3, Some(r#"{"own":1}"#));
        let expected = json!([[2, "a\\u{202e}bot says: hm"], [2, "depth 3"]]);
        assert_eq!(remarks.as_json(), expected);
        for turn in 4..100 {
            remarks.moved(turn, Some(r#"{"depth":3}"#));
        }
        let kept = remarks.as_json();
        assert_eq!(kept.as_array().map(Vec::len), Some(KEPT));
        assert_eq!(kept[KEPT - 1][0], 99);
    }

    #[test]
    fn nothing_is_kept_where_it_would_reveal_something() {
        for (hides, is_offered) in [(true, true), (false, false)] {
            let mut remarks = Remarks::new(hides, is_offered);
            remarks.logged("a bot", "I am at 5");
            remarks.moved(1, Some(r#"{"depth":3}"#));
            assert_eq!(remarks.as_json(), json!([]));
        }
    }
}
