//! Tests of the two rules for redacted copies ([`Information`]).
//!
//! *A copy reveals no more than the views.* Take a step in one state, and a step in another state
//! with the same view for a seat, so that the views after them are the same too. Then the copy of
//! the first step must be possible on the way to the second state as well; otherwise the copy
//! distinguishes states that the views do not.
//!
//! *The view before and the copy suffice to rebuild the view after.* Two steps from states with the
//! same view, with the same copy, lead to states with the same view. (Unless one of them ends the
//! game: the end reveals something.)
//!
//! For openings the other state is that of an opening with one part replaced from another drawn
//! opening.

use botyard_engine::game::{Game, Turn};
use botyard_engine::information::{Information, Seen};
use botyard_engine::random::{Stream, choose};
use botyard_engine::seat::Seat;
use serde::Serialize;
use serde_json::Value;

/// The largest number of compared outcomes of a chance turn; with more, every n-th is compared.
const MOST_OUTCOMES: usize = 256;

/// An event that can happen in a state.
pub enum Step<G: Game> {
    /// A seat's action.
    Action(G::Action),
    /// A chance outcome.
    Chance(G::Chance),
}

/// Returns a seat's copy, as the JSON that goes into its record.
///
/// # Panics
///
/// If a value is not plain data with string keys.
pub fn copy<T: Serialize>(seen: Seen<T>, whole: &impl Serialize) -> Value {
    match seen {
        Seen::Whole => serde_json::to_value(whole),
        Seen::Redacted(copy) => serde_json::to_value(copy),
    }
    .expect("plain data")
}

impl<G: Game> Step<G> {
    fn visible<I: Information<G>>(&self, game: &G, before: &G::State, seat: Seat) -> Value {
        match self {
            Step::Action(action) => copy(I::seen_action(game, before, *action, seat), action),
            Step::Chance(chance) => copy(I::seen_chance(game, before, chance, seat), chance),
        }
    }

    fn after(&self, game: &G, before: &G::State) -> G::State {
        let mut state = before.clone();
        match self {
            Step::Action(action) => game.apply(&mut state, *action),
            Step::Chance(chance) => game.apply_chance(&mut state, chance),
        }
        state
    }

    /// Returns all events that can happen in a state.
    fn all(game: &G, state: &G::State) -> Vec<Step<G>> {
        if game.turn(state) == Turn::Chance {
            let mut chances = Vec::new();
            game.chances(state, &mut chances);
            let stride = chances.len().div_ceil(MOST_OUTCOMES).max(1);
            return chances.into_iter().step_by(stride).map(|(_, c)| Step::Chance(c)).collect();
        }
        let mut actions = Vec::new();
        game.actions(state, &mut actions);
        actions.into_iter().map(Step::Action).collect()
    }
}

/// Tests the copies of `step` in `state` for each seat; returns the number of compared pairs of
/// steps to differing states.
///
/// # Panics
///
/// If a copy reveals too much or too little.
pub fn steps<G: Game, I: Information<G>>(
    game: &G,
    state: &G::State,
    step: &Step<G>,
    seed: u64,
    place: &str,
) -> u64 {
    // A separate stream: the games stay the same whatever is compared here.
    let mut stream = Stream::new(seed, place);
    let mut compared = 0;
    let after = step.after(game, state);
    for seat in Seat::all(game.seats().len()) {
        let visible = step.visible::<I>(game, state, seat);
        let view = game.view(&after, seat);
        let twin = game
            .determinize(&game.view(state, seat), seat, stream.rng())
            .unwrap_or_else(|why| panic!("{place}: seat {seat:?} sees what cannot be: {why}"));
        for other in [state, &twin] {
            let all: Vec<(Value, G::State)> = Step::all(game, other)
                .iter()
                .map(|step| (step.visible::<I>(game, other, seat), step.after(game, other)))
                .collect();
            let over = |state: &G::State| game.turn(state) == Turn::Over;
            for (same, end) in &all {
                if *same == visible && !over(&after) && !over(end) {
                    assert!(
                        game.view(end, seat) == view,
                        "{place}: seat {seat:?} sees too little: {visible} leads to states that do \
                         not look alike"
                    );
                }
            }
            let alike: Vec<&(Value, G::State)> = all
                .iter()
                .filter(|(_, end)| *end != after && game.view(end, seat) == view)
                .collect();
            let Some((instead, end)) = choose(stream.rng(), &alike) else { continue };
            assert!(
                all.iter().any(|(same, reached)| *same == visible && reached == end),
                "{place}: seat {seat:?} sees something hidden: {visible}, and not {instead}, after \
                 which everything looks the same to it"
            );
            compared += 1;
        }
    }
    compared
}

/// Tests the copies of openings for each seat; returns the number of compared pairs of differing
/// openings with the same view.
///
/// # Panics
///
/// If a copy reveals too much or too little.
pub fn openings<G: Game, I: Information<G>>(game: &G, opening: &G::Opening, seed: u64) -> u64 {
    let mut compared = 0;
    let start = game.start(opening).expect("a drawn opening can be played");
    let whole = serde_json::to_value(opening).expect("plain data");
    for other in 0..8 {
        let mut stream = Stream::new(seed, &format!("another opening {other}"));
        let donor = serde_json::to_value(game.draw_opening(stream.rng())).expect("plain data");
        for crossed in crossed(&whole, &donor) {
            let Ok(crossed) = serde_json::from_value::<G::Opening>(crossed) else { continue };
            let Ok(begun) = game.start(&crossed) else { continue };
            if begun == start {
                continue;
            }
            for seat in Seat::all(game.seats().len()) {
                let visible = copy(I::seen_opening(game, opening, seat), opening);
                let instead = copy(I::seen_opening(game, &crossed, seat), &crossed);
                let alike = game.view(&start, seat) == game.view(&begun, seat);
                let name = G::NAME;
                assert!(
                    !alike || visible == instead,
                    "{name} seed {seed}: seat {seat:?} sees something hidden of the opening: \
                     {visible} or {instead}, which look the same to it"
                );
                assert!(
                    alike || visible != instead,
                    "{name} seed {seed}: seat {seat:?} sees too little of the opening: {visible} \
                     begins games that do not look alike"
                );
                compared += u64::from(alike);
            }
        }
    }
    compared
}

/// Returns `whole` with each of its parts in turn replaced by the same part of `donor`, and
/// `donor`.
fn crossed(whole: &Value, donor: &Value) -> Vec<Value> {
    let mut all = vec![donor.clone()];
    match (whole, donor) {
        (Value::Object(fields), Value::Object(others)) => {
            for (name, other) in others {
                let Some(field) = fields.get(name) else { continue };
                for part in crossed(field, other) {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), part);
                    all.push(Value::Object(fields));
                }
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            for (index, (item, other)) in items.iter().zip(others).enumerate() {
                for part in crossed(item, other) {
                    let mut items = items.clone();
                    items[index] = part;
                    all.push(Value::Array(items));
                }
            }
        }
        _ => {}
    }
    all.retain(|crossed| crossed != whole);
    all
}
