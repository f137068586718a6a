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
}

impl Searches {
    /// Counts a search that took this long.
    pub fn add(&mut self, seconds: f64) {
        self.count += 1;
        self.seconds += seconds;
        self.squared_seconds += seconds * seconds;
        self.longest_seconds = self.longest_seconds.max(seconds);
    }
}

/// The field of a bot's `info` that marks a search.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    nodes: u64,
}

/// Counts a step of a game for its seat, if the bot searched.
pub(crate) fn count(by_seat: &mut [Searches], progress: &Progress<'_>) {
    let Progress::Moved { seat, info: Some(info), wall_us: Some(wall_us), .. } = *progress else {
        return;
    };
    let searched = serde_json::from_str(info).is_ok_and(|reported: Told| reported.nodes > 0);
    if let Some(searches) = by_seat.get_mut(seat.index()).filter(|_| searched) {
        searches.add(wall_us as f64 / 1e6);
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
            count(&mut by_seat, &Progress::Moved { turn: 1, seat, played, info, wall_us, table });
        }
        let expected =
            Searches { count: 2, seconds: 6.0, squared_seconds: 20.0, longest_seconds: 4.0 };
        assert_eq!(by_seat, [expected, Searches::default()]);
    }
}
