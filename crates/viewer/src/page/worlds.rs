//! A copy for a seat, followed without what was hidden from it.
//!
//! A copy cannot be played through the rules, because actions in it are redacted. So all positions
//! in which the game can be, as far as the seat knows, are played beside each other: its
//! information set. An action that is redacted is any action that looks like it; a position that
//! contradicts a later event is dropped. What the views of all positions have in common is what the
//! seat saw.

use crate::perspective::in_common;
use botyard_engine::information::{Information, Seen};
use botyard_engine::registry::{UnknownGame, Visitor, visit};
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_engine::{Game, Seat, Turn};
use botyard_protocol::{EndOutcome, OutcomeKind};
use botyard_replay::{Event, Header, OpeningSource};
use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The most positions that are played. Beyond that, some of them are played.
const MOST: usize = 12_000;

/// A copy that is followed line by line.
pub(super) trait Follow {
    /// Follows an event. `next` is the next one that changes the game.
    ///
    /// # Errors
    ///
    /// The event contradicts the rules or the events before it.
    fn follow(&mut self, event: &Event, next: Option<&Event>) -> Result<(), String>;

    /// The setup of the game, as the seat knows it.
    fn setup(&self) -> Value;

    /// The view of the seat.
    fn view(&mut self) -> Value;
}

/// Begins to follow a copy for a seat.
///
/// # Errors
///
/// The game is unknown, or its rules cannot be played.
pub(super) fn begin(
    header: &Header,
    seat: Seat,
) -> Result<Result<Box<dyn Follow>, String>, UnknownGame> {
    visit(&header.game, Begin { header, seat })
}

struct Begin<'a> {
    header: &'a Header,
    seat: Seat,
}

impl Visitor for Begin<'_> {
    type Output = Result<Box<dyn Follow>, String>;

    fn visit<G: Game>(self) -> Self::Output {
        let rules = G::Rules::deserialize(&self.header.rules).map_err(|error| error.to_string())?;
        let game = G::new(rules).map_err(|error| error.to_string())?;
        if game.seats().len() != self.header.seats.len() {
            return Err("the seats are not those of the game".to_string());
        }
        let bot_of = |seat: &String| self.header.seats.iter().find(|its| its.seat == *seat);
        let bots = game.seats().iter().map(|seat| bot_of(seat).map(|its| its.player.clone()));
        Ok(Box::new(Worlds::<G> {
            bots: bots.collect(),
            game,
            seat: self.seat,
            is_drawn: self.header.opening == OpeningSource::Drawn,
            states: Vec::new(),
            last: Value::Null,
            is_sample: false,
        }))
    }
}

struct Worlds<G: Game> {
    game: G,
    seat: Seat,
    /// The player of each seat.
    bots: Vec<Option<String>>,
    /// Whether the opening was drawn, and is therefore among those that the rules draw.
    is_drawn: bool,
    /// The positions in which the game can be.
    states: Vec<G::State>,
    /// The last view.
    last: Value,
    /// Whether only some of the positions are played.
    is_sample: bool,
}

/// Whether an event that a seat sees as `seen` is recorded in its copy as `recorded`.
fn looks_like<F: Serialize, S: Serialize>(full: &F, seen: &Seen<S>, recorded: &Value) -> bool {
    let written = match seen {
        Seen::Whole => serde_json::to_value(full),
        Seen::Redacted(copy) => serde_json::to_value(copy),
    };
    written.is_ok_and(|written| written == *recorded)
}

fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

/// The openings that may be behind the copy of one.
fn openings<G: Game>(recorded: &Value) -> Vec<G::Opening> {
    if let Some(opening) = read(recorded) {
        return vec![opening];
    }
    // Openings cannot be listed. Scotland Yard is the game that hides a part of one.
    let (ScotlandYard::NAME, Some(object)) = (G::NAME, recorded.as_object()) else {
        return Vec::new();
    };
    let with = |station: u16| {
        let mut opening = object.clone();
        opening.insert("mr_x".to_string(), json!(station));
        read(&Value::Object(opening))
    };
    (1..=10_000).filter_map(with).collect()
}

/// The part of a position that an action leaves hidden, if nothing else is: in Scotland Yard all but
/// the station of Mr. X is public.
fn hidden_place<G: Game>(mover: Seat, action: &G::Action) -> Option<String> {
    let is_mr_x = G::NAME == ScotlandYard::NAME && mover.index() == 0;
    is_mr_x.then(|| json!(action)["to"].to_string())
}

impl<G: Game> Worlds<G> {
    fn opening(&mut self, recorded: &Value) {
        let game = &self.game;
        for opening in openings::<G>(recorded) {
            let seen = G::Information::seen_opening(game, &opening, self.seat);
            if !looks_like(&opening, &seen, recorded) {
                continue;
            }
            let Ok(state) = game.start(&opening) else { continue };
            let view = json!(game.view(&state, self.seat));
            // An opening that no card allows is not drawn.
            if !(self.is_drawn && view.get("mr_x_starts").is_some()) {
                self.states.push(state);
            }
        }
    }

    /// Replaces every position by those that follow it.
    ///
    /// Of positions with the same key, one is kept: what differs between them is the past.
    fn advance(&mut self, next: impl Fn(&G, &G::State) -> Vec<(Option<String>, G::State)>) {
        let share = (MOST / self.states.len().max(1)).max(1);
        let mut states = Vec::new();
        let mut keys = HashSet::new();
        for state in &self.states {
            let following = next(&self.game, state);
            let step = following.len().div_ceil(share).max(1);
            self.is_sample |= step > 1;
            for (key, state) in following.into_iter().step_by(step) {
                if key.is_none_or(|key| keys.insert(key)) {
                    states.push(state);
                }
            }
        }
        self.states = states;
    }

    fn play(&mut self, mover: Seat, recorded: &Value) {
        let seat = self.seat;
        let given: Option<G::Action> = read(recorded);
        self.advance(|game, state| {
            if game.turn(state) != Turn::Seat(mover) {
                return Vec::new();
            }
            let mut actions = Vec::new();
            match given {
                Some(action) => actions.push(action),
                None => game.actions(state, &mut actions),
            }
            actions.retain(|&action| {
                let seen = G::Information::seen_action(game, state, action, seat);
                looks_like(&action, &seen, recorded) && game.check(state, action).is_ok()
            });
            let played = |action| {
                let mut state = state.clone();
                game.apply(&mut state, action);
                (hidden_place::<G>(mover, &action), state)
            };
            actions.into_iter().map(played).collect()
        });
    }

    fn draw(&mut self, recorded: &Value) {
        let seat = self.seat;
        let given: Option<G::Chance> = read(recorded);
        self.advance(|game, state| {
            if game.turn(state) != Turn::Chance {
                return Vec::new();
            }
            let mut chances = Vec::new();
            match &given {
                Some(chance) => chances.push((1.0, chance.clone())),
                None => game.chances(state, &mut chances),
            }
            let fits = |chance: &G::Chance| {
                let seen = G::Information::seen_chance(game, state, chance, seat);
                let looks_like_it = looks_like(chance, &seen, recorded);
                // What was listed can be drawn.
                looks_like_it && (given.is_none() || game.check_chance(state, chance).is_ok())
            };
            let drawn = |(_, chance): (f64, G::Chance)| {
                let mut state = state.clone();
                game.apply_chance(&mut state, &chance);
                (None, state)
            };
            chances.into_iter().filter(|(_, chance)| fits(chance)).map(drawn).collect()
        });
    }

    fn forfeit(&mut self, seat: Seat) {
        let bot = &self.bots[seat.index()];
        let all = Seat::all(self.bots.len());
        let others = all.filter(|other| *other != seat && self.bots[other.index()] == *bot);
        let lost: Vec<Seat> = std::iter::once(seat).chain(others).collect();
        for state in &mut self.states {
            for &seat in &lost {
                if self.game.turn(state) != Turn::Over {
                    self.game.forfeit(state, seat);
                }
            }
        }
    }

    /// Drops the positions in which the next event cannot happen.
    fn expect(&mut self, next: Option<&Event>) {
        let game = &self.game;
        match next {
            Some(Event::Move(event, _)) => {
                let index = game.seats().iter().position(|seat| *seat == event.seat);
                let turn = index.map(|index| Turn::Seat(Seat::new(index)));
                self.states.retain(|state| Some(game.turn(state)) == turn);
            }
            Some(Event::Chance(_)) => self.states.retain(|state| game.turn(state) == Turn::Chance),
            Some(Event::End(event, _)) if event.outcome.kind == OutcomeKind::Completed => {
                // An imported game may end where the rules do not end it.
                let is = |state: &G::State| ends_as(game, state, &event.outcome);
                if self.states.iter().any(is) {
                    self.states.retain(is);
                }
            }
            _ => {}
        }
    }
}

fn ends_as<G: Game>(game: &G, state: &G::State, outcome: &EndOutcome) -> bool {
    let by_rules = game.outcome(state);
    by_rules.is_some_and(|its| its.reason == outcome.reason && *its.ranks == *outcome.ranks)
}

impl<G: Game> Follow for Worlds<G> {
    fn follow(&mut self, event: &Event, next: Option<&Event>) -> Result<(), String> {
        let parsed = |json: &serde_json::value::RawValue| {
            serde_json::from_str::<Value>(json.get()).unwrap_or_default()
        };
        let seat = |name: &str| {
            let index = self.game.seats().iter().position(|seat| seat == name);
            index.map(Seat::new).ok_or_else(|| format!("there is no seat {name:?}"))
        };
        match event {
            Event::Chance(event) if self.states.is_empty() => self.opening(&parsed(&event.outcome)),
            Event::Chance(event) => self.draw(&parsed(&event.outcome)),
            Event::Move(event, _) => {
                let mover = seat(&event.seat)?;
                self.play(mover, &parsed(&event.action));
            }
            Event::Fault(event, _) if event.fatal => {
                let seat = seat(&event.fault.seat)?;
                self.forfeit(seat);
            }
            _ => return Ok(()),
        }
        self.expect(next);
        match self.states.is_empty() {
            true => Err("no position of the game agrees with this line".to_string()),
            false => Ok(()),
        }
    }

    fn setup(&self) -> Value {
        let setups = self.states.iter().map(|state| json!(self.game.setup(state, self.seat)));
        setups
            .reduce(|one, other| if one == other { one } else { in_common(one, other) })
            .unwrap_or_default()
    }

    fn view(&mut self) -> Value {
        let game = &self.game;
        let is_over = |state: &G::State| game.turn(state) == Turn::Over;
        if self.is_sample && self.states.iter().any(is_over) {
            // The end may show what was hidden, and not all positions are there to compare.
            return self.last.clone();
        }
        let mut views: Vec<G::View> = Vec::new();
        for state in &self.states {
            let view = game.view(state, self.seat);
            if !views.contains(&view) {
                views.push(view);
            }
        }
        let views = views.iter().map(|view| json!(view));
        self.last = views.reduce(in_common).unwrap_or_default();
        self.last.clone()
    }
}
