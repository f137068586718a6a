//! The line from the game's history to the current node, used to detect draws by repetition and by
//! lack of progress.

/// The draw rules of a game that depend on its history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawRules {
    /// Whether repetition leads to a draw. Search scores the first repetition as the draw: a side
    /// that can repeat once can repeat again.
    pub repetition: bool,
    /// The number of plies without progress after which the game is drawn; 0 for never.
    pub quiet_plies: u16,
}

/// The keys and counts of the line.
#[derive(Default)]
pub(super) struct Line {
    rules: DrawRules,
    /// A position's key, and the number of consecutive reversible moves before it.
    positions: Vec<(u64, u16)>,
}

impl Line {
    /// Starts at the root; `earlier` has the keys of the positions that could recur, oldest first.
    pub(super) fn begin(&mut self, rules: DrawRules, earlier: &[u64], root: u64) {
        self.rules = rules;
        self.positions.clear();
        self.positions.extend((0..).zip(earlier.iter().chain([&root])).map(|(n, &key)| (key, n)));
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64, is_reversible: bool) {
        let before = self.positions.last().map_or(0, |&(_, quiet)| quiet);
        self.positions.push((key, if is_reversible { before + 1 } else { 0 }));
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.positions.pop();
    }

    /// Returns whether the position pushed last is a draw.
    #[inline]
    pub(super) fn is_draw(&self) -> bool {
        let Some((&(key, quiet), earlier)) = self.positions.split_last() else { return false };
        if self.rules.quiet_plies > 0 && quiet >= self.rules.quiet_plies {
            return true;
        }
        // The sides alternate, so a repetition takes at least four plies.
        self.rules.repetition
            && earlier.iter().rev().take(quiet.into()).skip(3).step_by(2).any(|p| p.0 == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_and_lack_of_progress() {
        let both = DrawRules { repetition: true, quiet_plies: 7 };
        let mut line = Line::default();
        line.begin(both, &[1, 2, 3], 4);
        assert!(!line.is_draw());
        line.push(1, true);
        assert!(line.is_draw(), "four plies after the first of the game");
        line.pop();
        line.push(9, false);
        for key in [4, 3, 2] {
            line.push(key, true);
            assert!(!line.is_draw(), "{key}: before the irreversible move");
        }
        line.push(9, true);
        assert!(line.is_draw());
        for key in [11, 12, 13] {
            line.push(key, true);
        }
        assert!(line.is_draw(), "seven quiet plies");
        line.begin(DrawRules::default(), &[1, 2, 3], 4);
        line.push(1, true);
        assert!(!line.is_draw(), "no such rule");
    }
}
