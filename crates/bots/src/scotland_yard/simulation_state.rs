//! A state of the simulated game: the position and Mr. X's candidates. `Copy`, so that an iteration
//! starts with a simple copy.

use super::board_tables::BoardTables;
use super::station_bits::StationBits;
use super::suspicion::Suspicion;
use botyard_engine::scotland_yard::{
    Action, Arena, Detective, Position, ScotlandYard, Stage, Ticket, View,
};

/// A state of the game.
#[derive(Clone, Copy, Debug)]
pub struct SimulationState {
    /// The position.
    pub position: Position,
    /// Mr. X's candidates.
    pub candidates: StationBits,
    /// Whether candidates are tracked; skipped, to save time, where they are not needed.
    pub tracked: bool,
}

impl SimulationState {
    /// Makes the state that a side with this view is in. For the detectives, Mr. X's station in
    /// `position` is to be drawn.
    pub fn seen(game: &ScotlandYard, view: &View, position: Position) -> SimulationState {
        let candidates = game.candidates_in(view).set().iter().collect();
        SimulationState { position, candidates, tracked: true }
    }

    /// Makes a state with Mr. X's station known, without candidates.
    pub fn untracked(position: Position) -> SimulationState {
        SimulationState { position, candidates: StationBits::default(), tracked: false }
    }

    /// Plays a legal action.
    #[inline]
    pub fn apply(&mut self, tables: &BoardTables, arena: &Arena, action: Action) {
        match action {
            Action::MrX { ticket, to, .. } => {
                self.position.apply(arena, action);
                if !self.tracked {
                    return;
                }
                if arena.reveals(self.position.x_moves()) {
                    self.candidates = StationBits::default();
                    self.candidates.insert(to);
                } else {
                    self.shown(tables, ticket);
                }
            }
            Action::Detective { to, .. } => {
                self.position.apply(arena, action);
                if self.tracked {
                    self.candidates.remove(to);
                }
            }
        }
    }

    /// Updates the candidates after Mr. X has shown a ticket, but not himself.
    #[inline]
    fn shown(&mut self, tables: &BoardTables, ticket: Ticket) {
        self.candidates = tables.spread(ticket.pays_for(), self.candidates);
        for station in self.position.pawns().stations() {
            self.candidates.remove(station);
        }
    }

    /// Returns the detective that moves next, by number: the order in which the search moves them,
    /// whatever the rules allow. `None` unless it is their part of the round.
    #[inline]
    pub fn detective_to_move(&self, arena: &Arena) -> Option<Detective> {
        if self.position.stage() != Stage::Detectives {
            return None;
        }
        let mut waiting =
            self.position.all_detectives().filter(|&detective| !self.position.has_moved(detective));
        waiting.find(|&detective| self.position.can_move(arena, detective))
    }
}

/// A state of the game, and what the detectives think of it.
#[derive(Clone, Copy, Debug)]
pub struct SearchState {
    /// The position and Mr. X's candidates.
    pub game: SimulationState,
    /// Where the detectives expect him, if their policy is believing.
    pub suspicion: Option<Suspicion>,
}
