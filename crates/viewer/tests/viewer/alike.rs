//! Games that look alike to a seat or to spectators. Tests of the crate `botyard-live` have them too.

use crate::recording::{Recording, game};
use serde_json::Value;

/// The lines of a replay as JSON.
pub fn lines(replay: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(replay).expect("a replay is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// A game on a grid in which Mr. X starts here and goes to and fro; the detectives' steps are the
/// same in all of them.
fn grid(mr_x: u64, stop: u32) -> Vec<u8> {
    let opening = format!(r#"{{"mr_x":{mr_x},"detectives":[1,3]}}"#);
    let rules = (Some("grid-7x7-3"), &[("detectives", "2"), ("reveals", "none")][..]);
    let recording = Recording { rules, opening: Some(&opening), stop, ..game("scotland-yard") };
    let mut steps = 0;
    recording.played(|seat, legal| {
        if seat == 0 {
            // Far from the detectives, on the lower half of the grid.
            let low = legal.iter().find(|action| action["to"].as_u64() > Some(35));
            return low.expect("he can stay below").clone();
        }
        steps += 1;
        // To and fro on the upper half.
        let high = legal.iter().filter(|action| action["to"].as_u64() < Some(15));
        high.clone().nth(steps % 2).or(high.clone().next()).expect("they can stay above").clone()
    })
}

/// Two games that the detectives cannot tell apart.
pub fn alike() -> (Vec<u8>, Vec<u8>) {
    (grid(40, 24), grid(46, 24))
}

/// The cups of a game of Liar's Dice.
pub fn cups(replay: &[u8]) -> Vec<Value> {
    let rolls = lines(replay).into_iter().filter(|line| line["outcome"].get("cup").is_some());
    rolls.map(|line| line["outcome"]["cup"].clone()).collect()
}

/// A game of Liar's Dice of which the record stops before the cups are lifted.
pub fn bids(seed: u64) -> Vec<u8> {
    let rules = (Some("one-die"), &[("players", "3")][..]);
    let recording = Recording { rules, seed, stop: 3, ..game("liars-dice") };
    recording.played(|_, legal| {
        let bid = legal.iter().find(|action| action.is_object());
        bid.expect("a higher bid is legal").clone()
    })
}
