//! The positions that a page has: each is sent once, and the last one again when it has changed.

use std::sync::Arc;

/// The most positions in one event.
const BATCH: usize = 200;

/// The positions that a page has.
#[derive(Clone, Debug, Default)]
pub struct SentPositions {
    /// Their number.
    next: usize,
    /// The last one, if this has sent it.
    last: Option<Arc<str>>,
}

impl SentPositions {
    /// Makes the state of a page that has this many positions already.
    pub fn of(count: usize) -> SentPositions {
        SentPositions { next: count, last: None }
    }

    /// Returns what the page lacks of these positions: the number of the last one, from 0, and a JSON
    /// array. `None` if it has all of them.
    pub fn due(&mut self, positions: &[Arc<str>]) -> Option<(usize, String)> {
        let has_changed = |index: usize| positions.get(index) != self.last.as_ref();
        let from = match self.next.checked_sub(1) {
            Some(last) if self.last.is_some() && has_changed(last) => last,
            _ => self.next,
        };
        let to = positions.len().min(from.saturating_add(BATCH));
        let last = positions.get(from..to)?.last()?;
        self.next = to;
        self.last = Some(Arc::clone(last));
        Some((to - 1, format!("[{}]", positions[from..to].join(","))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(of: &[&str]) -> Vec<Arc<str>> {
        of.iter().map(|&text| text.into()).collect()
    }

    #[test]
    fn positions_are_sent_once_and_the_last_one_again_when_it_has_changed() {
        let mut sent = SentPositions::default();
        assert_eq!(sent.due(&[]), None);
        assert_eq!(sent.due(&positions(&["1", "2"])), Some((1, "[1,2]".to_string())));
        assert_eq!(sent.due(&positions(&["1", "2"])), None);
        assert_eq!(sent.due(&positions(&["1", "3", "4"])), Some((2, "[3,4]".to_string())));
        let mut later = SentPositions::of(2);
        assert_eq!(later.due(&positions(&["1"])), None, "it has more than there are");
        assert_eq!(later.due(&positions(&["1", "2", "3"])), Some((2, "[3]".to_string())));
    }

    #[test]
    fn many_positions_are_sent_in_batches() {
        let many: Vec<Arc<str>> = (0..2 * BATCH).map(|number| number.to_string().into()).collect();
        let mut sent = SentPositions::default();
        let ends: Vec<usize> =
            std::iter::from_fn(|| sent.due(&many)).map(|(last, _)| last).collect();
        assert_eq!(ends, [BATCH - 1, 2 * BATCH - 1]);
    }
}
