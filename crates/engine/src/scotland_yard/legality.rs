//! Error messages for illegal actions, written for the author of the bot that sent one. `position`
//! decides which actions are legal; this module finds the first rule that an action breaks.

use super::action::Action;
use super::arena::Arena;
use super::board::Board;
use super::detective::Detective;
use super::position::{Position, Stage};
use super::station::Station;
use super::ticket::Ticket;
use crate::game::Illegal;

impl Position {
    /// Checks that an action is legal. The legal actions are those of [`Position::actions`].
    ///
    /// # Errors
    ///
    /// The first rule that it breaks.
    pub fn check(&self, arena: &Arena, action: Action) -> Result<(), Illegal> {
        match (self.stage(), action) {
            (Stage::Over(end), _) => illegal(format!("the game is over: {}", end.reason())),
            (Stage::MrX | Stage::SecondLeg, Action::Detective { .. }) => {
                illegal("it is Mr. X's turn: leave out `detective`")
            }
            (Stage::Detectives, Action::MrX { .. }) => illegal(
                "it is the detectives' turn: say which one moves, such as \
                 {\"detective\": 1, \"ticket\": \"taxi\", \"to\": 45}",
            ),
            (Stage::MrX | Stage::SecondLeg, Action::MrX { ticket, to, double }) => {
                self.check_x(arena, ticket, to, double)
            }
            (Stage::Detectives, Action::Detective { detective, ticket, to }) => {
                self.check_detective(arena, detective, ticket, to)
            }
        }
    }

    fn check_x(
        &self,
        arena: &Arena,
        ticket: Ticket,
        to: Station,
        double: bool,
    ) -> Result<(), Illegal> {
        reachable(arena.board(), self.mr_x(), ticket, to)?;
        if !self.purse().has(ticket) {
            return illegal(format!("Mr. X has no {ticket} ticket left"));
        }
        if let Some(detective) = self.pawns().who(to)
            && (double || !arena.x_may_blunder)
        {
            return illegal(format!("detective {detective} is on {to}"));
        }
        if !double {
            return Ok(());
        }
        if self.stage() == Stage::SecondLeg {
            return illegal("this is already the second half of a double move: leave out `double`");
        }
        if self.purse().double == 0 {
            return illegal("Mr. X has no double ticket left");
        }
        if !self.may_double(arena) {
            return illegal(format!(
                "a double move makes two entries, and the log of {} has room for one",
                arena.limit
            ));
        }
        if !self.has_second_leg(arena, ticket, to) {
            return illegal(format!("after {ticket} to {to} there is no legal second step"));
        }
        Ok(())
    }

    fn check_detective(
        &self,
        arena: &Arena,
        detective: Detective,
        ticket: Ticket,
        to: Station,
    ) -> Result<(), Illegal> {
        let count = self.pawns().len();
        if detective.index() >= count {
            return illegal(format!("there is no detective {detective}; there are {count}"));
        }
        let Some(from) = self.pawns().get(detective) else {
            return illegal(format!("detective {detective} was taken off the board"));
        };
        if self.has_moved(detective) {
            return illegal(format!("detective {detective} has had its turn in this round"));
        }
        if let Some(first) = self.detective_to_move()
            && arena.fixed_order
            && first != detective
        {
            return illegal(format!(
                "detectives move in order: it is detective {first}'s turn, not detective \
                 {detective}'s"
            ));
        }
        if ticket == Ticket::Black {
            return illegal("detectives have no black tickets");
        }
        reachable(arena.board(), from, ticket, to)?;
        if !self.tickets_of(detective).has(ticket) {
            return illegal(format!("detective {detective} has no {ticket} ticket left"));
        }
        if self.may_enter(arena, detective, to) {
            return Ok(());
        }
        match self.pawns().who(to) {
            Some(other) => illegal(format!("detective {other} is on {to}")),
            None => illegal(format!(
                "a detective stood on {to} when this round's first detective moved, and none may \
                 follow another"
            )),
        }
    }
}

/// Checks that the ticket pays for an edge between the two stations.
fn reachable(board: &Board, from: Station, ticket: Ticket, to: Station) -> Result<(), Illegal> {
    if !board.has(to) {
        return illegal(format!("there is no station {to}; the board has {}", board.len()));
    }
    if board.joins(from, ticket, to) {
        return Ok(());
    }
    let ends: Vec<String> = board
        .neighbours(from)
        .iter()
        .filter(|&&end| board.joins(from, ticket, end))
        .map(Station::to_string)
        .collect();
    let article = if ticket == Ticket::Underground { "an" } else { "a" };
    let where_to = match ends.as_slice() {
        [] => "nowhere".to_string(),
        ends => format!("to {}", ends.join(", ")),
    };
    illegal(format!(
        "{article} {ticket} ticket does not lead from {from} to {to}: from there it leads {where_to}"
    ))
}

fn illegal<T>(message: impl Into<String>) -> Result<T, Illegal> {
    Err(Illegal(message.into()))
}
