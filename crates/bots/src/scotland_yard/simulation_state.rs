//! A state of the simulated game: the position, and the stations at which Mr. X can be as far as
//! the detectives could tell there. `Copy`, so that an iteration begins with a plain copy.

use super::board_tables::BoardTables;
use super::station_bits::StationBits;
use botyard_engine::scotland_yard::{Action, Arena, Detective, Position, Stage, Ticket};

/// A state of the game.
#[derive(Clone, Copy, Debug)]
pub struct SimulationState {
    /// Who stands where and holds what.
    pub position: Position,
    /// Where Mr. X can be.
    pub candidates: StationBits,
    /// Whether candidates are kept up to date; where nobody asks for them that time is saved.
    pub tracked: bool,
}

impl SimulationState {
    /// A position with Mr. X in the open: nobody keeps track of where he could be.
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

    /// Mr. X has shown a ticket, but not himself.
    #[inline]
    fn shown(&mut self, tables: &BoardTables, ticket: Ticket) {
        self.candidates = tables.spread(ticket.pays_for(), self.candidates);
        for station in self.position.pawns().stations() {
            self.candidates.remove(station);
        }
    }

    /// The detective that moves next in the order of their numbers: the order in which the search
    /// moves them, whatever the rules allow. `None` unless it is their part of the round.
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
