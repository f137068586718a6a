//! What a search found out, and which action follows from it.

use super::settings::Final;
use crate::deadline::Stall;
use std::cmp::Ordering;

/// An action at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootAction<A> {
    /// The action.
    pub action: A,
    /// How many iterations went through it.
    pub visits: u64,
    /// The mean reward of the deciding player in these, 0 to 1.
    pub value: f64,
}

/// What a search found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<A> {
    /// The action to play; `None` only where not one iteration was done.
    pub best: Option<A>,
    /// Every action that was tried, the one to play first and the others by their visits.
    pub root: Vec<RootAction<A>>,
    /// How many playouts were played.
    pub playouts: u64,
    /// How many nodes the trees had.
    pub nodes: usize,
    /// How many nodes the longest path had, the root not counted.
    pub depth: u32,
    /// The longest time between two looks at the clock, where there is a deadline: how long other
    /// programs kept the processor from the search.
    pub stall: Stall,
    /// The principal variation, as far as actions are known and were visited.
    pub line: Vec<A>,
    /// The best first action of each player that has a tree of its own and chose in it.
    pub plan: Vec<A>,
}

impl<A> Report<A> {
    /// The mean reward of the action to play.
    pub fn value(&self) -> Option<f64> {
        self.root.first().map(|best| best.value)
    }
}

/// Puts the action to play first, and the others after it by visits and value.
pub(super) fn sort<A>(actions: &mut [RootAction<A>], choice: Final) {
    let worth = |action: &RootAction<A>| match choice {
        Final::Visits => action.visits as f64 + action.value / 2.0,
        Final::Value => action.value,
        Final::Secure => action.value - 1.0 / (action.visits.max(1) as f64).sqrt(),
    };
    // Stable, and only a greater worth comes before: equal ones stay in the order of the actions.
    let falling = |a: f64, b: f64| b.partial_cmp(&a).unwrap_or(Ordering::Equal);
    actions
        .sort_by(|a, b| falling(a.visits as f64 + a.value / 2.0, b.visits as f64 + b.value / 2.0));
    let mut best = 0;
    for place in 1..actions.len() {
        if worth(&actions[place]) > worth(&actions[best]) {
            best = place;
        }
    }
    if let Some(front) = actions.get_mut(..=best) {
        front.rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_action_is_played() {
        let tried = [('a', 100, 0.50), ('b', 90, 0.58), ('c', 10, 0.60), ('d', 100, 0.51)];
        for (choice, expected) in
            [(Final::Visits, "dabc"), (Final::Value, "cdab"), (Final::Secure, "bdac")]
        {
            let mut actions: Vec<RootAction<char>> = tried
                .iter()
                .map(|&(action, visits, value)| RootAction { action, visits, value })
                .collect();
            sort(&mut actions, choice);
            let order: String = actions.iter().map(|tried| tried.action).collect();
            assert_eq!(order, expected, "{choice:?}");
        }
    }
}
