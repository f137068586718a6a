//! The core of a state: stations, tickets and the seat to move. A `Copy` value without the travel
//! log, for search and playouts: nothing here allocates.

use super::action::Action;
use super::arena::Arena;
use super::detective::{Detective, MAX_DETECTIVES, Pawns};
use super::rules::{LimitUnit, Stuck};
use super::station::Station;
use super::ticket::{Allowance, Ticket};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A detective and Mr. X are on the same station: the detectives win.
    Caught,
    /// Mr. X had no legal move on his turn: the detectives win.
    XStuck,
    /// The limit was reached: Mr. X wins.
    Survived,
    /// No detective could move: Mr. X wins.
    DetectivesImmobile,
    /// Mr. X's bot failed: the detectives win.
    MrXForfeited,
    /// A bot of the detectives' side failed: Mr. X wins.
    DetectivesForfeited,
}

impl End {
    /// Returns whether Mr. X has won.
    pub const fn mr_x_wins(self) -> bool {
        matches!(self, End::Survived | End::DetectivesImmobile | End::DetectivesForfeited)
    }

    /// Returns the `reason` in an outcome.
    pub const fn reason(self) -> &'static str {
        match self {
            End::Caught => "caught",
            End::XStuck => "x_stuck",
            End::Survived => "survived",
            End::DetectivesImmobile => "detectives_immobile",
            End::MrXForfeited | End::DetectivesForfeited => "forfeit",
        }
    }
}

/// The stage of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Mr. X is to move.
    MrX,
    /// Mr. X is to make the second step of a double move.
    SecondLeg,
    /// The detectives that can move and have not moved yet are to move.
    Detectives,
    /// The game is over.
    Over(End),
}

/// Mr. X's tickets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purse {
    /// Taxi, bus and underground tickets.
    pub tickets: Allowance,
    /// Black tickets.
    pub black: u16,
    /// Double tickets.
    pub double: u16,
}

impl Purse {
    /// Returns whether he has a ticket of this kind.
    #[inline]
    pub const fn has(&self, ticket: Ticket) -> bool {
        match ticket {
            Ticket::Black => self.black > 0,
            _ => self.tickets.has(ticket),
        }
    }

    #[inline]
    fn spend(&mut self, ticket: Ticket) {
        match ticket {
            Ticket::Black => self.black = self.black.saturating_sub(1),
            _ => self.tickets.spend(ticket),
        }
    }
}

/// A position: everything that the rest of the game depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    mr_x: Station,
    purse: Purse,
    pawns: Pawns,
    tickets: [Allowance; MAX_DETECTIVES],
    /// The detectives' stations after Mr. X's last step.
    before: Pawns,
    /// A bit for each detective whose turn of this round is over.
    done: u8,
    round: u16,
    x_moves: u16,
    stage: Stage,
}

/// The parts of a position, for reading and writing one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parts {
    pub(super) round: u16,
    pub(super) x_moves: u16,
    pub(super) stage: Stage,
    pub(super) mr_x: Station,
    pub(super) purse: Purse,
    pub(super) pawns: Pawns,
    pub(super) tickets: Vec<Allowance>,
    pub(super) before: Pawns,
    pub(super) moved: Vec<bool>,
}

impl From<Position> for Parts {
    fn from(position: Position) -> Parts {
        let detectives = position.all_detectives();
        Parts {
            round: position.round,
            x_moves: position.x_moves,
            stage: position.stage,
            mr_x: position.mr_x,
            purse: position.purse,
            pawns: position.pawns,
            tickets: detectives.clone().map(|d| position.tickets_of(d)).collect(),
            before: position.before,
            moved: detectives.map(|d| position.has_moved(d)).collect(),
        }
    }
}

impl TryFrom<Parts> for Position {
    type Error = String;

    fn try_from(parts: Parts) -> Result<Position, String> {
        let count = parts.pawns.len();
        for (what, length) in [
            ("tickets", parts.tickets.len()),
            ("moved", parts.moved.len()),
            ("before", parts.before.len()),
        ] {
            if length != count {
                return Err(format!("{length} entries of {what} for {count} detectives"));
            }
        }
        let mut position = Position {
            mr_x: parts.mr_x,
            purse: parts.purse,
            pawns: parts.pawns,
            tickets: [Allowance::Unlimited; MAX_DETECTIVES],
            before: parts.before,
            done: 0,
            round: parts.round,
            x_moves: parts.x_moves,
            stage: parts.stage,
        };
        for (place, (tickets, moved)) in parts.tickets.into_iter().zip(parts.moved).enumerate() {
            position.tickets[place] = tickets;
            position.done |= u8::from(moved) << place;
        }
        Ok(position)
    }
}

impl Position {
    /// Returns the first position of a game with these stations and tickets (the detectives' in
    /// their order). The stations must be on the board, and all different.
    pub(super) fn new(
        arena: &Arena,
        mr_x: Station,
        purse: Purse,
        pawns: Pawns,
        tickets: &[Allowance],
    ) -> Position {
        let mut held = [Allowance::Unlimited; MAX_DETECTIVES];
        held[..tickets.len()].copy_from_slice(tickets);
        let mut position = Position {
            mr_x,
            purse,
            pawns,
            tickets: held,
            before: pawns,
            done: 0,
            round: 1,
            x_moves: 0,
            stage: Stage::MrX,
        };
        position.begin_x_turn(arena);
        position
    }

    /// Returns Mr. X's station.
    #[inline]
    pub const fn mr_x(&self) -> Station {
        self.mr_x
    }

    /// The same position with Mr. X elsewhere, for determinization. The caller makes sure that he
    /// could have come there.
    #[must_use]
    pub const fn with_mr_x(self, station: Station) -> Position {
        Position { mr_x: station, ..self }
    }

    /// Returns Mr. X's tickets.
    #[inline]
    pub const fn purse(&self) -> Purse {
        self.purse
    }

    /// Returns the detectives' stations.
    #[inline]
    pub const fn pawns(&self) -> &Pawns {
        &self.pawns
    }

    /// Returns the detectives' stations after Mr. X's last step.
    #[inline]
    pub const fn before(&self) -> &Pawns {
        &self.before
    }

    /// Returns a detective's tickets.
    #[inline]
    pub const fn tickets_of(&self, detective: Detective) -> Allowance {
        self.tickets[detective.index()]
    }

    /// Returns whether a detective's turn in this round is over: it has moved, or (in fixed order)
    /// it could not move.
    #[inline]
    pub const fn has_moved(&self, detective: Detective) -> bool {
        self.done >> detective.index() & 1 != 0
    }

    /// Returns the round, from 1.
    #[inline]
    pub const fn round(&self) -> u16 {
        self.round
    }

    /// Returns the number of steps that Mr. X has made: the length of the travel log.
    #[inline]
    pub const fn x_moves(&self) -> u16 {
        self.x_moves
    }

    /// Returns the stage of the round.
    #[inline]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns all detectives, in order.
    #[inline]
    pub fn all_detectives(&self) -> impl DoubleEndedIterator<Item = Detective> + Clone + use<> {
        Detective::all(self.pawns.len())
    }

    /// Returns the detective to move, in the detectives' part of a round in fixed order.
    #[inline]
    pub fn detective_to_move(&self) -> Option<Detective> {
        self.all_detectives().find(|&detective| !self.has_moved(detective))
    }

    /// Ends the game because a bot has failed.
    pub(super) fn forfeit(&mut self, by_mr_x: bool) {
        if !matches!(self.stage, Stage::Over(_)) {
            self.stage =
                Stage::Over(if by_mr_x { End::MrXForfeited } else { End::DetectivesForfeited });
        }
    }

    /// Calls `visit` with every legal action. Mr. X's are ordered by ticket and station, with first
    /// halves of double moves last; the detectives' by detective, ticket and station.
    #[inline]
    pub fn for_each_action(&self, arena: &Arena, mut visit: impl FnMut(Action)) {
        match self.stage {
            Stage::Over(_) => {}
            Stage::Detectives => {
                for detective in self.all_detectives() {
                    if self.has_moved(detective) {
                        continue;
                    }
                    self.for_each_step(arena, detective, |ticket, to| {
                        visit(Action::Detective { detective, ticket, to });
                        true
                    });
                    if arena.fixed_order {
                        break;
                    }
                }
            }
            Stage::MrX | Stage::SecondLeg => {
                let free = |to| arena.x_may_blunder || !self.pawns.occupy(to);
                self.for_each_x_step(arena, |ticket, to| {
                    if free(to) {
                        visit(Action::MrX { ticket, to, double: false });
                    }
                });
                if self.stage == Stage::MrX && self.may_double(arena) {
                    self.for_each_x_step(arena, |ticket, to| {
                        if !self.pawns.occupy(to) && self.has_second_leg(arena, ticket, to) {
                            visit(Action::MrX { ticket, to, double: true });
                        }
                    });
                }
            }
        }
    }

    /// Fills `into` with every legal action, in the order of [`Position::for_each_action`].
    pub fn actions(&self, arena: &Arena, into: &mut Vec<Action>) {
        into.clear();
        self.for_each_action(arena, |action| into.push(action));
    }

    /// Lists Mr. X's legal double moves: each first half with all actions that are legal after it.
    /// Empty unless it is his turn.
    pub fn double_moves(&self, arena: &Arena) -> Vec<(Action, Vec<Action>)> {
        let mut moves = Vec::new();
        self.for_each_action(arena, |first| {
            if matches!(first, Action::MrX { double: true, .. }) {
                let mut after = *self;
                after.apply(arena, first);
                let mut second = Vec::new();
                after.actions(arena, &mut second);
                moves.push((first, second));
            }
        });
        moves
    }

    /// The steps that Mr. X has tickets for, to free and occupied stations.
    #[inline]
    fn for_each_x_step(&self, arena: &Arena, mut visit: impl FnMut(Ticket, Station)) {
        let kinds = self.purse.tickets.kinds();
        for step in arena.board().steps(self.mr_x) {
            if kinds.has(step.by) {
                visit(step.by.ticket(), step.to);
            }
        }
        if self.purse.black > 0 {
            for &to in arena.board().neighbours(self.mr_x) {
                visit(Ticket::Black, to);
            }
        }
    }

    /// Returns whether Mr. X has a double ticket and the log has room for two entries.
    #[inline]
    pub(super) fn may_double(&self, arena: &Arena) -> bool {
        self.purse.double > 0
            && (arena.limit_unit == LimitUnit::Rounds
                || u32::from(self.x_moves) + 2 <= u32::from(arena.limit))
    }

    /// Returns whether Mr. X has a second step after going to the free station `to` with `ticket`.
    #[inline]
    pub(super) fn has_second_leg(&self, arena: &Arena, ticket: Ticket, to: Station) -> bool {
        let mut purse = self.purse;
        purse.spend(ticket);
        Position { mr_x: to, purse, ..*self }.x_can_move(arena)
    }

    /// Returns whether Mr. X has a legal step.
    pub(super) fn x_can_move(&self, arena: &Arena) -> bool {
        let free = |to| arena.x_may_blunder || !self.pawns.occupy(to);
        let board = arena.board();
        if self.purse.black > 0 {
            return board.neighbours(self.mr_x).iter().any(|&to| free(to));
        }
        let kinds = self.purse.tickets.kinds();
        board.steps(self.mr_x).iter().any(|step| kinds.has(step.by) && free(step.to))
    }

    /// Returns whether a detective may enter a station, with the pawns where they are now.
    #[inline]
    pub(super) fn may_enter(&self, arena: &Arena, detective: Detective, to: Station) -> bool {
        let taken = self.pawns.occupy(to) || (arena.nobody_follows && self.before.occupy(to));
        // Staying on its own station is allowed where the board has an edge for that.
        !taken || self.pawns.get(detective) == Some(to)
    }

    /// Calls `visit` with each step that a detective can make with the pawns where they are now,
    /// whether or not it is its turn. Stops when `visit` returns false; returns whether it never
    /// did.
    #[inline]
    pub fn for_each_step(
        &self,
        arena: &Arena,
        detective: Detective,
        mut visit: impl FnMut(Ticket, Station) -> bool,
    ) -> bool {
        let Some(from) = self.pawns.get(detective) else { return true };
        let kinds = self.tickets_of(detective).kinds();
        for step in arena.board().steps(from) {
            if kinds.has(step.by)
                && self.may_enter(arena, detective, step.to)
                && !visit(step.by.ticket(), step.to)
            {
                return false;
            }
        }
        true
    }

    /// Returns whether a detective has a step with the pawns where they are now.
    #[inline]
    pub fn can_move(&self, arena: &Arena, detective: Detective) -> bool {
        !self.for_each_step(arena, detective, |_, _| false)
    }

    /// Returns whether a detective has a ticket for an edge at its station, whether or not it is
    /// free.
    fn has_fitting_ticket(&self, arena: &Arena, detective: Detective) -> bool {
        let kinds = self.tickets_of(detective).kinds();
        self.pawns
            .get(detective)
            .is_some_and(|at| kinds.bits() & arena.board().kinds(at).bits() != 0)
    }

    /// Returns whether no detective can move, as the rule `stuck` defines it.
    fn all_stuck(&self, arena: &Arena) -> bool {
        self.all_detectives().all(|detective| match arena.stuck {
            Stuck::Skip => !self.can_move(arena, detective),
            Stuck::Out | Stuck::Removed => !self.has_fitting_ticket(arena, detective),
        })
    }

    /// Plays a legal action. An illegal one leaves an unspecified position.
    ///
    /// # Panics
    ///
    /// May panic on an action that is not legal.
    #[inline]
    pub fn apply(&mut self, arena: &Arena, action: Action) {
        match action {
            Action::MrX { ticket, to, double } => self.move_x(arena, ticket, to, double),
            Action::Detective { detective, ticket, to } => {
                self.move_detective(arena, detective, ticket, to);
            }
        }
    }

    fn move_x(&mut self, arena: &Arena, ticket: Ticket, to: Station, double: bool) {
        self.purse.spend(ticket);
        self.mr_x = to;
        self.x_moves += 1;
        self.before = self.pawns;
        if self.pawns.occupy(to) {
            self.stage = Stage::Over(End::Caught);
        } else if double {
            self.purse.double = self.purse.double.saturating_sub(1);
            self.stage = Stage::SecondLeg;
        } else {
            self.begin_detectives_part(arena);
        }
    }

    fn begin_detectives_part(&mut self, arena: &Arena) {
        self.stage = Stage::Detectives;
        self.done = 0;
        if arena.stuck == Stuck::Removed {
            for detective in self.all_detectives() {
                if !self.has_fitting_ticket(arena, detective) {
                    self.pawns.set(detective, None);
                    self.before.set(detective, None);
                }
            }
        }
        self.go_on(arena);
    }

    fn move_detective(&mut self, arena: &Arena, detective: Detective, ticket: Ticket, to: Station) {
        self.pawns.set(detective, Some(to));
        self.tickets[detective.index()].spend(ticket);
        self.done |= 1 << detective.index();
        if arena.handover_to_x {
            self.purse.tickets.receive(ticket);
        }
        if to == self.mr_x {
            self.stage = Stage::Over(End::Caught);
        } else {
            self.go_on(arena);
        }
    }

    /// Finds the next detective to move, or ends the detectives' part of the round.
    #[inline]
    fn go_on(&mut self, arena: &Arena) {
        for detective in self.all_detectives() {
            if self.has_moved(detective) {
                continue;
            }
            if self.can_move(arena, detective) {
                return;
            }
            if arena.fixed_order {
                self.done |= 1 << detective.index();
            }
        }
        self.end_round(arena);
    }

    fn end_round(&mut self, arena: &Arena) {
        self.done = 0;
        let survived = match arena.limit_unit {
            LimitUnit::Rounds => self.round >= arena.limit,
            LimitUnit::XMoves => self.x_moves >= arena.limit,
        };
        if survived {
            self.stage = Stage::Over(End::Survived);
            return;
        }
        self.round += 1;
        self.begin_x_turn(arena);
    }

    fn begin_x_turn(&mut self, arena: &Arena) {
        self.stage = if arena.all_stuck_wins && self.all_stuck(arena) {
            Stage::Over(End::DetectivesImmobile)
        } else if !self.x_can_move(arena) {
            Stage::Over(End::XStuck)
        } else {
            Stage::MrX
        };
    }
}
