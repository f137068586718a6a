//! The number and duration of a bot's searches in a game. Not every decision is a search: some come
//! from a table of openings or from an earlier search. A decision counts as a search if the bot
//! reports visited `nodes` in its `info`.

use botyard_referee::Progress;
use serde::{Deserialize, Serialize};

/// The searches of a seat's bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searches {
    /// The number of searches.
    pub count: u32,
    /// Their wall-clock time, in seconds.
    pub seconds: f64,
    /// The sum of the squares of their times, in seconds squared.
    pub squared_seconds: f64,
    /// The wall-clock time of the longest, in seconds.
    pub longest_seconds: f64,
    /// The nodes that the bot reported.
    #[serde(default)]
    pub nodes: u64,
    /// The sum of the squares of the nodes of each search.
    #[serde(default)]
    pub squared_nodes: f64,
    /// The number of searches for which the bot reported a score.
    #[serde(default)]
    pub scored: u32,
    /// The sum of those scores, in the bot's own unit.
    #[serde(default)]
    pub score: f64,
}

impl Searches {
    /// Counts a search that took this long, with the nodes and the score that the bot reported.
    pub fn add(&mut self, seconds: f64, nodes: u64, score: Option<f64>) {
        self.add_all(&Searches {
            count: 1,
            seconds,
            squared_seconds: seconds * seconds,
            longest_seconds: seconds,
            nodes,
            squared_nodes: (nodes as f64).powi(2),
            scored: u32::from(score.is_some()),
            score: score.unwrap_or_default(),
        });
    }

    /// Adds other searches.
    pub fn add_all(&mut self, other: &Searches) {
        self.count += other.count;
        self.seconds += other.seconds;
        self.squared_seconds += other.squared_seconds;
        self.longest_seconds = self.longest_seconds.max(other.longest_seconds);
        self.nodes += other.nodes;
        self.squared_nodes += other.squared_nodes;
        self.scored += other.scored;
        self.score += other.score;
    }
}

/// The fields of a bot's `info` about a search, which it marks by nodes.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    nodes: u64,
    #[serde(default)]
    score: Option<f64>,
}

/// Counts a step of a game for its seat, if the bot searched.
pub(crate) fn count(by_seat: &mut [Searches], progress: &Progress<'_>) {
    let Progress::Moved { seat, info: Some(info), wall_us: Some(wall_us), .. } = *progress else {
        return;
    };
    let Ok(Told { nodes: nodes @ 1.., score }) = serde_json::from_str(info) else { return };
    if let Some(searches) = by_seat.get_mut(seat.index()) {
        searches.add(wall_us as f64 / 1e6, nodes, score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::{GameEvent, Seat, registry};

    #[test]
    fn only_decisions_that_tell_of_nodes_are_searches() {
        let table = registry::tables("scotland-yard", None, &[]).unwrap()();
        let played = GameEvent::default();
        let mut by_seat = [Searches::default(); 2];
        for (seat, info, wall_us) in [
            (0, Some(r#"{"nodes":10,"score":0.5}"#), Some(2_000_000)),
            (0, Some(r#"{"nodes":7}"#), Some(4_000_000)),
            (0, Some(r#"{"nodes":0}"#), Some(1)),
            (1, Some(r#"{"text":"from the table"}"#), Some(1)),
            (1, Some(r#"{"nodes":7}"#), None),
            (1, None, Some(1)),
        ] {
            let seat = Seat::new(seat);
            let table = &*table;
            let played = &played;
            let moved =
                Progress::Moved { turn: 1, seat, played, info, wall_us, excused_us: 0, table };
            count(&mut by_seat, &moved);
        }
        let expected = Searches {
            count: 2,
            seconds: 6.0,
            squared_seconds: 20.0,
            longest_seconds: 4.0,
            nodes: 17,
            squared_nodes: 149.0,
            scored: 1,
            score: 0.5,
        };
        assert_eq!(by_seat, [expected, Searches::default()]);
    }
}
