//! Final move selection: which root action is played (Chaslot et al. 2008).

use super::settings::Final;
use crate::report::RootMove;
use std::cmp::Ordering;

/// Moves the selected action to the front, and sorts the others by visits and value.
pub(super) fn sort<A>(actions: &mut [RootMove<A>], choice: Final) {
    let worth = |action: &RootMove<A>| match choice {
        Final::Visits => action.visits as f64 + action.value / 2.0,
        Final::Value => action.value,
        Final::Secure => action.value - 1.0 / (action.visits.max(1) as f64).sqrt(),
    };
    // Stable, and only a strictly greater value moves forward: ties keep the order of the actions.
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
    fn the_final_choice_follows_its_rule() {
        let tried = [('a', 100, 0.50), ('b', 90, 0.58), ('c', 10, 0.60), ('d', 100, 0.51)];
        for (choice, expected) in
            [(Final::Visits, "dabc"), (Final::Value, "cdab"), (Final::Secure, "bdac")]
        {
            let mut actions: Vec<RootMove<char>> =
                tried.iter().map(|&(mv, visits, value)| RootMove { mv, visits, value }).collect();
            sort(&mut actions, choice);
            let order: String = actions.iter().map(|tried| tried.mv).collect();
            assert_eq!(order, expected, "{choice:?}");
        }
    }
}
