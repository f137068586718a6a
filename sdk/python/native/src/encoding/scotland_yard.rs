//! Scotland Yard: what a seat sees, with the stations at which Mr. X can be. All parts have the same
//! meaning for every seat; Mr. X's own views show his station.
//!
//! Indices are given to the steps that the board and the rules have, in this order: Mr. X's by ticket
//! and destination, the same as first halves of double moves, and each detective's by ticket and
//! destination.

use super::{Indexing, NO_INDEX, Spec, ViewEncoding, Writer, fraction};
use botyard_engine::scotland_yard::{
    Action, Candidates, Detective, LimitUnit, LogView, Mover, Pawns, ScotlandYard, Station, Ticket,
    Tickets, View,
};
use botyard_engine::{Game, Seat};

const TICKETS: [Ticket; 4] = [Ticket::Taxi, Ticket::Bus, Ticket::Underground, Ticket::Black];

/// This number of tickets and more is 1 in an observation.
const MANY_TICKETS: u8 = 24;

pub struct Encoding {
    spec: Spec,
    stations: usize,
    seats: usize,
    /// The index of an action, by its kind, ticket and destination: see [`Encoding::place`].
    indices: Vec<u32>,
    last_reveal: u16,
}

impl Encoding {
    pub fn new(game: &ScotlandYard) -> Encoding {
        let (rules, board) = (game.rules(), game.board());
        let (stations, detectives) = (board.len(), usize::from(rules.detectives));
        let seats = game.seats().len();
        let mut indices = Vec::new();
        let mut actions = 0;
        let black = rules.black_tickets() > 0;
        // Mr. X, Mr. X with a double ticket, and each detective.
        for kind in 0..2 + detectives {
            for ticket in TICKETS {
                let has = match ticket {
                    Ticket::Black => black && kind < 2,
                    _ => true,
                } && (kind != 1 || rules.double > 0);
                for station in board.stations() {
                    let arrives = board.kinds(station).bits() & ticket.pays_for().bits() != 0;
                    indices.push(if has && arrives { actions } else { NO_INDEX });
                    actions += u32::from(has && arrives);
                }
            }
        }
        let parts = vec![
            ("mr_x", vec![stations]),
            ("candidates", vec![stations]),
            ("detectives", vec![detectives, stations]),
            ("moved", vec![detectives]),
            ("detective_tickets", vec![detectives, 3]),
            ("mr_x_tickets", vec![5]),
            ("seat", vec![seats]),
            ("to_move", vec![seats]),
            ("second_leg", vec![1]),
            ("round", vec![1]),
            ("steps_since_reveal", vec![1]),
        ];
        Encoding {
            spec: Spec::new(actions as usize, parts),
            stations,
            seats,
            indices,
            last_reveal: rules.last_x_move(),
        }
    }

    /// Returns the place of an action in the table of indices.
    fn place(&self, action: Action) -> usize {
        let (kind, ticket, to) = match action {
            Action::MrX { ticket, to, double } => (usize::from(double), ticket, to),
            Action::Detective { detective, ticket, to } => (2 + detective.index(), ticket, to),
        };
        (kind * TICKETS.len() + ticket as usize) * self.stations + to.index()
    }
}

/// Returns [`ScotlandYard::candidates_in`], followed from the last reveal on, which is quicker.
fn candidates_of(game: &ScotlandYard, view: &View) -> Candidates {
    let is_known = |entry: &LogView| entry.reveal && entry.station.is_some();
    let Some(last) = view.log.iter().rposition(is_known).filter(|_| view.over.is_none()) else {
        return game.candidates_in(view);
    };
    let board = game.board();
    let mut candidates = Candidates::new(board, view.log[last].station, &Pawns::new([]));
    for step in &view.log[last + 1..] {
        candidates.mr_x_moved(board, step.ticket, &step.detectives);
    }
    candidates.detectives_at(&view.pawns());
    candidates
}

fn index(station: Station) -> usize {
    station.index()
}

fn few(tickets: u16) -> f32 {
    fraction(tickets, MANY_TICKETS)
}

/// Writes taxi, bus and underground tickets; unlimited ones as many.
fn write_tickets(tickets: Option<Tickets>, into: &mut Writer<'_>) {
    let part = into.next(3);
    match tickets {
        None => part.fill(1.0),
        Some(held) => {
            part.copy_from_slice(&[held.taxi, held.bus, held.underground].map(few));
        }
    }
}

impl Indexing<ScotlandYard> for Encoding {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn indices(&self, _seat: Seat, legal: &[Action], into: &mut Vec<u32>) {
        into.clear();
        into.extend(legal.iter().map(|&action| self.indices[self.place(action)]));
    }
}

impl ViewEncoding<ScotlandYard> for Encoding {
    fn observe(&self, game: &ScotlandYard, view: &View, seat: Seat, into: &mut Writer<'_>) {
        into.one_hot(self.stations, view.mr_x.station.map(index));
        let candidates = into.next(self.stations);
        for station in candidates_of(game, view).set().iter() {
            candidates[station.index()] = 1.0;
        }
        for detective in &view.detectives {
            into.one_hot(self.stations, detective.station.map(index));
        }
        for detective in &view.detectives {
            into.number(f32::from(detective.moved));
        }
        for detective in &view.detectives {
            write_tickets(detective.tickets, into);
        }
        write_tickets(view.mr_x.tickets, into);
        into.number(few(view.mr_x.black));
        into.number(few(view.mr_x.double));
        into.one_hot(self.seats, Some(seat.index()));
        into.one_hot(
            self.seats,
            view.to_move.map(|mover| match mover {
                Mover::MrX => 0,
                Mover::Detectives => 1,
                Mover::Detective(detective) => 1 + Detective::index(detective),
            }),
        );
        into.number(f32::from(view.second_leg));
        let rules = game.rules();
        into.number(match rules.limit_unit {
            LimitUnit::Rounds => fraction(view.round, rules.limit),
            LimitUnit::XMoves => fraction(view.log.len() as u32, rules.limit),
        });
        let hidden = view.log.iter().rev().take_while(|entry| !entry.reveal).count();
        into.number(fraction(hidden as u32, self.last_reveal));
    }
}
