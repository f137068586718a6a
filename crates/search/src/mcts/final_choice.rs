//! Final move selection: which root action is played (Chaslot et al. 2008).

use super::settings::Final;
use crate::SearchRng;
use crate::report::RootMove;
use crate::sorting::sort_falling;
use rand_xoshiro::rand_core::Rng;

/// Of the visits of the selected action, the share that another one needs to be drawn instead: the
/// mean of fewer says too little.
const LEAST_SHARE: u64 = 10;

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

/// Moves an action to the front that is drawn among those whose mean reward is at most `margin` below
/// that of the first.
pub(super) fn draw_within<A: Copy>(actions: &mut [RootMove<A>], margin: f64, rng: &mut SearchRng) {
    let Some(&RootMove { visits, value, .. }) = actions.first() else { return };
    let is_near = |tried: &RootMove<A>| {
        tried.value >= value - margin && tried.visits >= visits.div_ceil(LEAST_SHARE)
    };
    let near = actions.iter().filter(|tried| is_near(tried)).count() as u64;
    // The bias of the remainder is far below what any game could show.
    let drawn = (rng.next_u64() % near.max(1)) as usize;
    let place = (0..actions.len()).filter(|&place| is_near(&actions[place])).nth(drawn);
    if let Some(front) = place.and_then(|place| actions.get_mut(..=place)) {
        front.rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn an_action_within_the_margin_is_drawn() {
        let tried = [('a', 100, 0.50), ('b', 90, 0.48), ('c', 9, 0.60), ('d', 10, 0.40)];
        let mut rng = SearchRng::seed_from_u64(1);
        for (margin, expected) in [(0.0, "a"), (0.05, "ab"), (0.2, "abd")] {
            let mut drawn: Vec<char> = (0..64)
                .map(|_| {
                    let mut actions: Vec<RootMove<char>> =
                        tried.map(|(mv, visits, value)| RootMove { mv, visits, value }).to_vec();
                    draw_within(&mut actions, margin, &mut rng);
                    assert_eq!(actions.len(), tried.len());
                    actions[0].mv
                })
                .collect();
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.into_iter().collect::<String>(), expected, "{margin}");
        }
    }

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
