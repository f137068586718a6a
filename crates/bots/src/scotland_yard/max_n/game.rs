//! The game with Mr. X's station known as a [`MultiplayerGame`]: Mr. X is the first player, and
//! each detective is one of the others. The detectives share the value of the game; each also has a
//! bonus for being near.

use crate::scotland_yard::alpha_beta::evaluation::{self, Closeness, DECIDED};
use crate::scotland_yard::alpha_beta::open_game::{Key, move_id, promise, turn};
use crate::scotland_yard::{BoardTables, SimulationState};
use botyard_engine::scotland_yard::{Action, Arena, Detective, End, Position, Stage, Ticket};
use botyard_search::Player;
use botyard_search::multiplayer::{Actor, MultiplayerGame};
use std::ops::RangeInclusive;

/// The weight of a detective's own nearness, as a part of the value of all detectives' nearness.
const OWN_PART: i32 = 2;
/// Greater than the value of a capture.
const MOST: i32 = 2 * DECIDED;

/// A game on one board.
pub struct MaxNGame<'a> {
    tables: &'a BoardTables,
    arena: &'a Arena,
    closeness: Closeness,
    detectives: usize,
}

impl<'a> MaxNGame<'a> {
    /// Makes the game, for searches from this position on.
    pub fn new(tables: &'a BoardTables, arena: &'a Arena, root: &Position) -> MaxNGame<'a> {
        let detectives = root.all_detectives().count();
        MaxNGame { tables, arena, closeness: Closeness::new(root), detectives }
    }

    /// Returns the shared value of the game to the detectives.
    fn common(&self, state: &SimulationState) -> i32 {
        let position = &state.position;
        if let Stage::Over(end) = position.stage() {
            let value = self.closeness.decided(end, position);
            let by_detective = position.all_detectives().any(|d| position.has_moved(d));
            return match end {
                // Detectives who do not know his station may go elsewhere.
                End::Caught if state.tracked && by_detective => {
                    2 * value / (2 + state.candidates.len() as i32)
                }
                _ => value,
            };
        }
        let known = evaluation::nearness(self.tables, position) - evaluation::tickets(position);
        if state.tracked { known - evaluation::doubt(state.candidates.len()) } else { known }
    }
}

impl MultiplayerGame for MaxNGame<'_> {
    type Position = SimulationState;
    type Move = Action;

    fn players(&self) -> usize {
        1 + self.detectives
    }

    fn actor(&self, state: &SimulationState) -> Actor {
        match state.position.stage() {
            Stage::Over(_) => Actor::Over,
            Stage::MrX | Stage::SecondLeg => Actor::Player(Player::new(0)),
            Stage::Detectives => {
                let detective = state.detective_to_move(self.arena);
                detective.map_or(Actor::Over, |detective| Actor::Player(player(detective)))
            }
        }
    }

    fn turn(&self, state: &SimulationState) -> u32 {
        turn(&state.position)
    }

    fn for_each_move(&self, state: &SimulationState, mut f: impl FnMut(Action)) {
        let position = &state.position;
        if let Some(detective) = state.detective_to_move(self.arena) {
            position.for_each_step(self.arena, detective, |ticket, to| {
                f(Action::Detective { detective, ticket, to });
                true
            });
            return;
        }
        let fares = self.tables.neighbours(position.purse().tickets.kinds(), position.mr_x());
        position.for_each_action(self.arena, |action| match action {
            // Without candidates, a black ticket hides nothing.
            Action::MrX { ticket: Ticket::Black, to, .. }
                if !state.tracked && fares.contains(to) => {}
            _ => f(action),
        });
    }

    fn make(&self, state: &SimulationState, action: Action) -> SimulationState {
        let mut after = *state;
        after.apply(self.tables, self.arena, action);
        after
    }

    fn range(&self) -> RangeInclusive<i32> {
        -MOST..=MOST
    }

    fn value(&self, state: &SimulationState, player: Player) -> i32 {
        let common = self.common(state);
        let value = match detective(player) {
            None => -common,
            Some(detective) => {
                let own = evaluation::near(self.tables, &state.position, detective);
                common + own / OWN_PART
            }
        };
        value.clamp(-MOST, MOST)
    }

    fn key(&self, state: &SimulationState) -> u64 {
        let mut key = Key::new(0);
        key.position(&state.position);
        if state.tracked {
            state.candidates.words().into_iter().for_each(|word| key.word(word));
        }
        key.finish()
    }

    fn move_id(&self, action: Action) -> u32 {
        move_id(action)
    }

    fn promise(&self, state: &SimulationState, action: Action) -> i32 {
        promise(self.tables, state, action)
    }
}

fn player(detective: Detective) -> Player {
    Player::new(1 + detective.index())
}

fn detective(player: Player) -> Option<Detective> {
    Detective::new(player.index() as u8)
}
