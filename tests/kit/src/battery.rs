//! The battery: random games that check the contract of [`Game`] at every state.
//!
//! Modelled on OpenSpiel's tests for each of its games: random simulations, serialisation round
//! trips, observations that depend on nothing hidden. A failure panics with the game, its seed and
//! the decision, so that it can be reproduced.

use crate::action_shapes;
use crate::copies::{self, Step};
use botyard_engine::game::{Game, Turn, has_chance};
use botyard_engine::information::Information;
use botyard_engine::random::{Stream, below, choose};
use botyard_engine::seat::{MAX_SEATS, Seat};
use botyard_engine::table::{GameEvent, Table, TypedTable};
use std::collections::HashSet;
use std::sync::Arc;

/// Counts of what the battery covered, for tests to check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Covered {
    /// Games played to the end.
    pub games: u32,
    /// Decisions of seats.
    pub decisions: u64,
    /// Chance turns.
    pub chances: u64,
    /// Actions that were refused.
    pub refused: u64,
    /// States with hidden information that were replaced by another consistent one.
    pub hidden: u64,
    /// Pairs of differing states with the same view before *and* after a step.
    pub alike_steps: u64,
    /// Pairs of differing openings, or of steps to differing states, with the same view for a seat,
    /// whose copies were compared.
    pub copies: u64,
}

/// Tests `game` in `games` random games, the same ones for the same `seed`.
///
/// # Panics
///
/// At the first violation of the contract.
pub fn run<G: Game>(game: G, games: u32, seed: u64) -> Covered {
    run_as::<G, G::Information>(game, games, seed)
}

/// [`run`] with `I` in place of [`Game::Information`], to show that the battery rejects a game that
/// shows too much or too little.
///
/// # Panics
///
/// At the first violation of the contract.
pub fn run_as<G: Game, I: Information<G>>(game: G, games: u32, seed: u64) -> Covered {
    let game = Arc::new(game);
    rules_and_seats(&*game);
    let mut covered = Covered::default();
    // Actions of earlier states: well formed, and mostly illegal in later ones.
    let mut strangers: Vec<G::Action> = Vec::new();
    for number in 0..games {
        let seed = seed + u64::from(number);
        let end = one_game::<G, I>(&*game, seed, &mut strangers, &mut covered);
        if number % 10 == 0 {
            let again = one_game::<G, I>(&*game, seed, &mut strangers, &mut Covered::default());
            assert!(end == again, "{} seed {seed}: not the same game twice", G::NAME);
            through_a_table(&game, seed);
            with_a_forfeit(&*game, seed);
        }
        covered.games += 1;
    }
    if !I::HIDDEN {
        assert_eq!(covered.hidden, 0, "{} says that nothing is hidden", G::NAME);
    }
    if !has_chance::<G>() {
        assert_eq!(covered.chances, 0, "{} says that nothing is drawn", G::NAME);
    }
    let secrets = G::Information::HIDDEN || has_chance::<G>();
    assert_eq!(game.has_secrets(), secrets, "{}", G::NAME);
    covered
}

fn rules_and_seats<G: Game>(game: &G) {
    let rules = game.rules();
    assert_eq!(*rules, round_trip(rules), "rules change on their way through JSON");
    let again = G::new(rules.clone()).expect("resolved rules are good rules");
    assert_eq!(rules, again.rules(), "resolving resolved rules changes them");
    let seats = game.seats();
    assert!(G::SEATS.contains(&seats.len()), "{} seats", seats.len());
    assert!(*G::SEATS.start() >= 1 && *G::SEATS.end() <= MAX_SEATS, "{:?}", G::SEATS);
    assert!(game.scores().least < game.scores().most, "{:?}", game.scores());
    assert_eq!(seats.iter().collect::<HashSet<_>>().len(), seats.len(), "two seats of one name");
    for preset in G::PRESETS {
        let rules = G::preset(preset.name).expect("every listed preset exists");
        G::new(rules).unwrap_or_else(|error| panic!("preset {}: {error}", preset.name));
    }
    assert!(G::preset("no such preset").is_none());
}

fn round_trip<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    let json = serde_json::to_string(value).expect("plain data");
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error} in {json}"))
}

/// Plays one random game, checking every state; returns the last state.
fn one_game<G: Game, I: Information<G>>(
    game: &G,
    seed: u64,
    strangers: &mut Vec<G::Action>,
    covered: &mut Covered,
) -> G::State {
    let mut stream = Stream::new(seed, "battery");
    let opening = game.draw_opening(Stream::new(seed, "opening").rng());
    assert_eq!(opening, round_trip(&opening), "the opening changes on its way through JSON");
    assert_eq!(opening, game.draw_opening(Stream::new(seed, "opening").rng()));
    let mut state = game.start(&opening).expect("a drawn opening can be played");
    if I::HIDDEN {
        covered.copies += copies::openings::<G, I>(game, &opening, seed);
    }
    let mut scratch = state.clone();
    let mut actions = Vec::new();
    let mut chances = Vec::new();
    for decision in 1.. {
        assert!(decision < 100_000, "{} seed {seed}: no end in sight", G::NAME);
        let place = format!("{} seed {seed} decision {decision}", G::NAME);
        assert_eq!(state, round_trip(&state), "{place}: the state changes through JSON");
        scratch.clone_from(&state);
        assert_eq!(scratch, state, "{place}: clone_from");
        views(game, &state, &mut stream, &place, covered);
        game.actions(&state, &mut actions);
        match game.turn(&state) {
            Turn::Over => {
                finished(game, &state, &place);
                return state;
            }
            Turn::Chance => {
                assert!(actions.is_empty(), "{place}: actions on a chance turn");
                assert!(game.outcome(&state).is_none(), "{place}: an outcome before the end");
                game.chances(&state, &mut chances);
                let total: f64 = chances.iter().map(|(probability, _)| probability).sum();
                assert!((total - 1.0).abs() < 1e-9, "{place}: chances sum to {total}");
                for (probability, chance) in &chances {
                    assert!(*probability > 0.0, "{place}: an impossible chance");
                    game.check_chance(&state, chance).unwrap_or_else(|e| panic!("{place}: {e}"));
                }
                if I::HIDDEN {
                    let (_, chance) = choose(stream.rng(), &chances).expect("they sum to 1");
                    let step = Step::Chance(chance.clone());
                    covered.copies += copies::steps::<G, I>(game, &state, &step, seed, &place);
                }
                let drawn = game.draw(&state, stream.rng());
                assert_eq!(drawn, round_trip(&drawn), "{place}: chance through JSON");
                game.check_chance(&state, &drawn).unwrap_or_else(|e| panic!("{place}: {e}"));
                game.apply_chance(&mut state, &drawn);
                covered.chances += 1;
            }
            Turn::Seat(seat) => {
                assert!(game.outcome(&state).is_none(), "{place}: an outcome before the end");
                legality(game, &state, &actions, strangers, &place, covered);
                let action = *choose(stream.rng(), &actions).expect("checked not to be empty");
                look_alikes::<G, I>(game, &state, action, &mut stream, &place, covered);
                if I::HIDDEN {
                    let step = Step::Action(action);
                    covered.copies += copies::steps::<G, I>(game, &state, &step, seed, &place);
                }
                if strangers.len() < 4000 {
                    strangers.push(action);
                } else {
                    // Not from the stream: the game must not depend on the size of the pool.
                    strangers[(covered.decisions * 31 % 4000) as usize] = action;
                }
                assert!(seat.index() < game.seats().len(), "{place}: no such seat");
                game.apply(&mut state, action);
                covered.decisions += 1;
            }
        }
    }
    unreachable!("the loop returns or panics")
}

fn legality<G: Game>(
    game: &G,
    state: &G::State,
    actions: &[G::Action],
    strangers: &[G::Action],
    place: &str,
    covered: &mut Covered,
) {
    assert!(!actions.is_empty(), "{place}: a seat without an action");
    let mut again = actions.to_vec();
    game.actions(state, &mut again);
    assert_eq!(actions, again, "{place}: the list depends on what was in the buffer");
    for (index, &action) in actions.iter().enumerate() {
        assert!(!actions[..index].contains(&action), "{place}: {action:?} is listed twice");
        assert_eq!(action, round_trip(&action), "{place}: an action through JSON");
        game.check(state, action)
            .unwrap_or_else(|why| panic!("{place}: {action:?} is listed but refused: {why}"));
    }
    assert!(actions.contains(&game.pass(state)), "{place}: pass() is not legal");
    // A prime stride visits different strangers in every state without trying them all.
    for &stranger in strangers.iter().skip(place.len() % 7).step_by(97) {
        match game.check(state, stranger) {
            Ok(()) => assert!(actions.contains(&stranger), "{place}: {stranger:?} is not listed"),
            Err(why) => {
                assert!(!actions.contains(&stranger), "{place}: {stranger:?}: {why}");
                assert!(why.0.len() > 10, "{place}: no reason for {stranger:?}: {why:?}");
                covered.refused += 1;
            }
        }
    }
}

/// Checks that each seat's view suffices to rebuild a state with the same view.
fn views<G: Game>(
    game: &G,
    state: &G::State,
    stream: &mut Stream,
    place: &str,
    covered: &mut Covered,
) {
    for seat in Seat::all(game.seats().len()) {
        let view = game.view(state, seat);
        assert_eq!(view, round_trip(&view), "{place}: a view through JSON");
        if game.turn(state) == Turn::Over {
            continue;
        }
        let possible = game
            .determinize(&view, seat, stream.rng())
            .unwrap_or_else(|why| panic!("{place}: seat {seat:?} sees what cannot be: {why}"));
        assert_eq!(view, game.view(&possible, seat), "{place}: determinized for {seat:?}");
        assert_eq!(game.turn(state), game.turn(&possible), "{place}: whose turn it is");
        if possible != *state {
            covered.hidden += 1;
        }
        if game.turn(state) == Turn::Seat(seat) {
            let (mut real, mut guessed) = (Vec::new(), Vec::new());
            game.actions(state, &mut real);
            game.actions(&possible, &mut guessed);
            assert_eq!(real, guessed, "{place}: a seat cannot work out its own legal actions");
            for action in real {
                let [here, there] =
                    [state, &possible].map(|state| game.own_action_text(state, action));
                assert_eq!(here, there, "{place}: the text of an own action shows what is hidden");
            }
        }
    }
}

/// Checks that a seat's view depends on nothing hidden: two states with the same view for it, and
/// two actions with the same copy for it, lead to states with the same view for it. (Unless one of
/// them ends the game: the end reveals something.)
fn look_alikes<G: Game, I: Information<G>>(
    game: &G,
    state: &G::State,
    action: G::Action,
    stream: &mut Stream,
    place: &str,
    covered: &mut Covered,
) {
    for seat in Seat::all(game.seats().len()) {
        let view = game.view(state, seat);
        let twin = game.determinize(&view, seat, stream.rng()).expect("checked above");
        if twin == *state {
            continue;
        }
        let reported = |state: &G::State, action: G::Action| {
            copies::copy(I::seen_action(game, state, action, seat), &action)
        };
        let seen = reported(state, action);
        let mut actions = Vec::new();
        game.actions(&twin, &mut actions);
        actions.retain(|&other| reported(&twin, other) == seen);
        let Some(&other) = choose(stream.rng(), &actions) else { continue };
        let (mut after, mut twin_after) = (state.clone(), twin);
        game.apply(&mut after, action);
        game.apply(&mut twin_after, other);
        if game.turn(&after) != game.turn(&twin_after) || game.turn(&after) == Turn::Over {
            continue;
        }
        let (one, two) = (game.view(&after, seat), game.view(&twin_after, seat));
        assert_eq!(one, two, "{place}: after {action:?} seat {seat:?} sees something hidden");
        covered.alike_steps += 1;
    }
}

fn finished<G: Game>(game: &G, state: &G::State, place: &str) {
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    assert!(actions.is_empty(), "{place}: actions after the end");
    let outcome = game.outcome(state).unwrap_or_else(|| panic!("{place}: over, and no outcome"));
    let seats = game.seats().len();
    let scores = game.scores();
    if let Some(sum) = scores.sum {
        let total: f64 = outcome.scores.iter().sum();
        assert!((total - sum).abs() < 1e-9, "{place}: {outcome:?}, {scores:?}");
    }
    assert_eq!(outcome.scores.len(), seats, "{place}");
    assert_eq!(outcome.ranks.len(), seats, "{place}");
    assert!(!outcome.reason.is_empty(), "{place}: no reason");
    for seat in 0..seats {
        let range = scores.least..=scores.most;
        assert!(range.contains(&outcome.scores[seat]), "{place}: {outcome:?}, {scores:?}");
        let better = outcome.ranks.iter().filter(|&&rank| rank < outcome.ranks[seat]).count();
        assert_eq!(outcome.ranks[seat] as usize, better + 1, "{place}: {outcome:?}");
        let ahead = outcome.scores.iter().any(|&score| score > outcome.scores[seat]);
        assert!(!(ahead && outcome.ranks[seat] == 1), "{place}: first without the most points");
    }
}

/// Checks that the same game through JSON has the same states, and that nonsense is refused and
/// changes nothing.
fn through_a_table<G: Game>(game: &Arc<G>, seed: u64) {
    let mut stream = Stream::new(seed, "battery through a table");
    let mut table = TypedTable::new(Arc::clone(game));
    let mut copy = TypedTable::new(Arc::clone(game));
    let opening = table.open(&mut Stream::new(seed, "opening"));
    let given = copy.open_with(&opening.full).expect("a drawn opening can be given");
    assert_eq!(opening, given, "{}: an opening given is not the one drawn", G::NAME);
    let (mut event, mut copied) = (GameEvent::default(), GameEvent::default());
    for step in 0.. {
        let place = format!("{} seed {seed} step {step} at a table", G::NAME);
        assert_eq!(table.state_hash(), copy.state_hash(), "{place}");
        assert!(!table.text().trim().is_empty(), "{place}: nothing to show");
        match table.turn() {
            Turn::Over => break,
            Turn::Chance => {
                table.draw(&mut stream, &mut event);
                assert!(!copy.chance_text(&event.full).is_empty(), "{place}");
                copy.play_chance(&event.full, &mut copied)
                    .unwrap_or_else(|error| panic!("{place}: {error}"));
            }
            Turn::Seat(_) => {
                let before = table.state_hash();
                for nonsense in ["null", "[]", "{}", "\"?\"", "{\"to\":1e99}", "[[[]]]", "{"] {
                    let refused = table.play(nonsense, &mut event);
                    let why = refused.expect_err("nonsense is not an action").to_string();
                    assert!(why.len() > 10, "{place}: {nonsense}: {why}");
                    let refused = table.canonical_action(nonsense).map_err(|why| why.to_string());
                    assert_eq!(refused, Err(why), "{place}: {nonsense}");
                }
                if step < 12 {
                    action_shapes::check(&mut table);
                }
                assert_eq!(table.state_hash(), before, "{place}: a refused action left a mark");
                let legal = table.legal();
                let action =
                    choose(stream.rng(), &legal).expect("a seat has an action").to_string();
                assert!(!table.action_text(&action).is_empty(), "{place}");
                assert!(!table.own_action_text(&action).is_empty(), "{place}");
                let canonical = table.canonical_action(&action).expect("a legal action");
                assert_eq!(table.state_hash(), before, "{place}: a check left a mark");
                table.play(&action, &mut event).unwrap_or_else(|error| panic!("{place}: {error}"));
                assert_eq!(canonical, event.full, "{place}");
                assert_ne!(table.state_hash(), before, "{place}: {action} changed nothing");
                copy.play(&event.full, &mut copied)
                    .unwrap_or_else(|error| panic!("{place}: {error}"));
            }
        }
        assert_eq!(event, copied, "{place}");
    }
}

/// Checks that a seat that forfeits scores nothing and ranks behind all others, and that the game
/// still ends.
fn with_a_forfeit<G: Game>(game: &G, seed: u64) {
    let mut stream = Stream::new(seed, "battery with a forfeit");
    let opening = game.draw_opening(Stream::new(seed, "opening").rng());
    let mut state = game.start(&opening).expect("a drawn opening can be played");
    let quitter = Seat::new(below(stream.rng(), game.seats().len() as u32) as usize);
    let when = below(stream.rng(), 8);
    let mut actions = Vec::new();
    for step in 0..100_000 {
        let place = format!("{} seed {seed} step {step} with {quitter:?} gone", G::NAME);
        if step == when && game.turn(&state) != Turn::Over {
            game.forfeit(&mut state, quitter);
            assert_eq!(state, round_trip(&state), "{place}: a forfeit through JSON");
        }
        match game.turn(&state) {
            Turn::Over => {
                finished(game, &state, &place);
                let outcome = game.outcome(&state).expect("just checked");
                if step >= when && outcome.reason.contains("forfeit") {
                    let least = game.scores().least;
                    assert_eq!(outcome.scores[quitter.index()], least, "{place}: {outcome:?}");
                    assert!(outcome.ranks[quitter.index()] > 1, "{place}: {outcome:?}");
                }
                return;
            }
            Turn::Chance => {
                let drawn = game.draw(&state, stream.rng());
                game.apply_chance(&mut state, &drawn);
            }
            Turn::Seat(seat) => {
                let action = if seat == quitter && step >= when {
                    game.pass(&state)
                } else {
                    game.actions(&state, &mut actions);
                    *choose(stream.rng(), &actions).expect("a seat has an action")
                };
                game.apply(&mut state, action);
            }
        }
    }
    panic!("{} seed {seed}: no end in sight after a forfeit", G::NAME);
}
