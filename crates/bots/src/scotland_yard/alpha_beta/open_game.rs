//! The game with Mr. X's station known as a [`TurnGame`]: the detectives are one player, want to
//! come close, and move pawn by pawn. A turn is a turn of Mr. X or the detectives' part of a round.

use crate::scotland_yard::{BoardTables, SimulationState};
use botyard_engine::scotland_yard::{
    Action, Allowance, Arena, MAX_DETECTIVES, Position, Stage, Station, Ticket,
};
use botyard_search::turns::{Chooser, TurnGame, UNBOUNDED};
use std::ops::RangeInclusive;

/// The values of a game to the detectives.
pub trait Evaluation {
    /// Returns the gain of a step from one state to another.
    fn gain(&self, tables: &BoardTables, before: &SimulationState, after: &SimulationState) -> i32;

    /// Returns the value of a state at the end of a line, without gains.
    fn evaluate(&self, tables: &BoardTables, state: &SimulationState) -> i32;

    /// Returns the bounds of the value of a state with this many turns still to be searched: see
    /// [`TurnGame::bounds`].
    fn bounds(
        &self,
        _atlas: &BoardTables,
        _scene: &SimulationState,
        _turns: u32,
    ) -> RangeInclusive<i32> {
        UNBOUNDED
    }

    /// Returns a hash of everything that values depend on besides the state.
    fn salt(&self) -> u64 {
        0
    }
}

/// A game on one board, evaluated by `J`.
pub struct OpenGame<'a, J> {
    tables: &'a BoardTables,
    arena: &'a Arena,
    evaluation: J,
}

impl<'a, J: Evaluation> OpenGame<'a, J> {
    /// Returns the game.
    pub const fn new(tables: &'a BoardTables, arena: &'a Arena, evaluation: J) -> OpenGame<'a, J> {
        OpenGame { tables, arena, evaluation }
    }
}

/// The move-ordering score of a capture.
const CAPTURE: i32 = 1 << 20;

impl<J: Evaluation> TurnGame for OpenGame<'_, J> {
    type Position = SimulationState;
    type Move = Action;

    #[inline]
    fn chooser(&self, state: &SimulationState) -> Option<Chooser> {
        match state.position.stage() {
            Stage::Over(_) => None,
            Stage::MrX | Stage::SecondLeg => Some(Chooser::Minimiser),
            Stage::Detectives => Some(Chooser::Maximiser),
        }
    }

    #[inline]
    fn turn(&self, state: &SimulationState) -> u32 {
        turn(&state.position)
    }

    #[inline]
    fn for_each_move(&self, state: &SimulationState, mut f: impl FnMut(Action)) {
        let position = &state.position;
        if let Some(detective) = state.detective_to_move(self.arena) {
            position.for_each_step(self.arena, detective, |ticket, to| {
                f(Action::Detective { detective, ticket, to });
                true
            });
            return;
        }
        let at = position.mr_x();
        let fares = self.tables.neighbours(position.purse().tickets.kinds(), at);
        position.for_each_action(self.arena, |action| match action {
            // Without candidates, a black ticket hides nothing.
            Action::MrX { ticket: Ticket::Black, to, .. }
                if !state.tracked && fares.contains(to) => {}
            _ => f(action),
        });
    }

    #[inline]
    fn make(&self, state: &SimulationState, action: Action) -> (SimulationState, i32) {
        let mut after = *state;
        after.apply(self.tables, self.arena, action);
        let gain = self.evaluation.gain(self.tables, state, &after);
        (after, gain)
    }

    #[inline]
    fn evaluate(&self, state: &SimulationState) -> i32 {
        self.evaluation.evaluate(self.tables, state)
    }

    #[inline]
    fn key(&self, state: &SimulationState) -> u64 {
        let mut key = Key::new(self.evaluation.salt());
        key.position(&state.position);
        if state.tracked {
            state.candidates.words().into_iter().for_each(|word| key.word(word));
        }
        key.finish()
    }

    #[inline]
    fn move_id(&self, action: Action) -> u32 {
        move_id(action)
    }

    #[inline]
    fn promise(&self, state: &SimulationState, action: Action) -> i32 {
        promise(self.tables, state, action)
    }

    #[inline]
    fn bounds(&self, state: &SimulationState, turns: u32) -> RangeInclusive<i32> {
        self.evaluation.bounds(self.tables, state, turns)
    }
}

/// Returns the number of turns played before a position.
#[inline]
pub(in crate::scotland_yard) fn turn(position: &Position) -> u32 {
    2 * u32::from(position.round())
        + u32::from(!matches!(position.stage(), Stage::MrX | Stage::SecondLeg))
}

/// Returns the distance of the nearest detective from a station.
#[inline]
pub(in crate::scotland_yard) fn nearest(
    tables: &BoardTables,
    position: &Position,
    station: Station,
) -> i32 {
    let far = position.all_detectives().filter_map(|detective| {
        let at = position.pawns().get(detective)?;
        Some(tables.row(position.tickets_of(detective).kinds(), station)[at.index()])
    });
    far.min().unwrap_or(u8::MAX).into()
}

/// Returns the move-ordering score of an action: captures first; then detectives that come near,
/// and Mr. X far from them.
#[inline]
pub(in crate::scotland_yard) fn promise(
    tables: &BoardTables,
    state: &SimulationState,
    action: Action,
) -> i32 {
    let position = &state.position;
    match action {
        Action::Detective { to, .. } if to == position.mr_x() => CAPTURE,
        Action::Detective { detective, to, .. } => {
            let kinds = position.tickets_of(detective).kinds();
            -i32::from(tables.row(kinds, position.mr_x())[to.index()])
        }
        Action::MrX { to, .. } if position.pawns().occupy(to) => -CAPTURE,
        Action::MrX { ticket, to, double } => {
            let waste = i32::from(double) + i32::from(ticket == Ticket::Black);
            8 * nearest(tables, position, to) - waste
        }
    }
}

/// Returns a number that is unique to an action.
#[inline]
pub(in crate::scotland_yard) fn move_id(action: Action) -> u32 {
    match action {
        Action::MrX { ticket, to, double } => {
            u32::from(to.number()) | (ticket as u32) << 16 | u32::from(double) << 18
        }
        Action::Detective { detective, ticket, to } => {
            let number = u32::from(detective.number());
            u32::from(to.number()) | (ticket as u32) << 16 | number << 19
        }
    }
}

/// A key under construction.
pub(in crate::scotland_yard) struct Key(u64);

impl Key {
    #[inline]
    pub(in crate::scotland_yard) const fn new(salt: u64) -> Key {
        Key(salt)
    }

    #[inline]
    pub(in crate::scotland_yard) const fn word(&mut self, word: u64) {
        // An odd number without pattern: 2^64 over the golden ratio.
        self.0 = (self.0.rotate_left(25) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// The key of everything that the rest of the game depends on.
    #[inline]
    pub(in crate::scotland_yard) fn position(&mut self, position: &Position) {
        let number = |station: Option<Station>| u64::from(station.map_or(0, Station::number));
        let mut stations = [0; MAX_DETECTIVES];
        let mut done = 0;
        for detective in position.all_detectives() {
            stations[detective.index()] = number(position.pawns().get(detective));
            done |= u64::from(position.has_moved(detective)) << detective.index();
        }
        let stage = match position.stage() {
            Stage::MrX => 0,
            Stage::SecondLeg => 1,
            Stage::Detectives => 2,
            Stage::Over(_) => 3,
        };
        let [a, b, c, d, e] = stations;
        self.word(a | b << 16 | c << 32 | d << 48);
        self.word(e | number(Some(position.mr_x())) << 16 | u64::from(position.round()) << 32);
        self.word(done | stage << 8 | u64::from(position.x_moves()) << 16);
        if done != 0 {
            // If a detective may not follow another, the stations before the round matter.
            let before = position.before().iter();
            self.word(before.fold(0, |word, station| word << 12 ^ number(station)));
        }
        let purse = position.purse();
        self.word(u64::from(purse.black) | u64::from(purse.double) << 16);
        self.tickets(purse.tickets);
        for detective in position.all_detectives() {
            self.tickets(position.tickets_of(detective));
        }
    }

    #[inline]
    fn tickets(&mut self, allowance: Allowance) {
        if let Some(held) = allowance.tickets() {
            let [taxi, bus, underground] = [held.taxi, held.bus, held.underground].map(u64::from);
            self.word(taxi | bus << 16 | underground << 32);
        }
    }

    #[inline]
    pub(in crate::scotland_yard) const fn finish(self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
