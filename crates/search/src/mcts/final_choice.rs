//! Final move selection: which root action is played (Chaslot et al. 2008).

use super::settings::Final;
use crate::report::RootMove;
use crate::sorting::sort_falling;

/// Moves the selected action to the front, and sorts the others by visits and value.
pub(super) fn sort<A: Copy>(actions: &mut [RootMove<A>], choice: Final) {
    let worth = |action: &RootMove<A>| match choice {
        Final::Visits => action.visits as f64 + action.value / 2.0,
        Final::Value => action.value,
        Final::Secure => action.value - 1.0 / (action.visits.max(1) as f64).sqrt(),
    };
    // Ties keep the order of the actions: only a strictly greater value moves forward.
    sort_falling(actions, |action| action.visits as f64 + action.value / 2.0);
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
