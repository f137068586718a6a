//! The game over all of Mr. X's candidates as a [`TurnGame`], for detectives who search without
//! guessing his station. Mr. X chooses the tickets that he shows; a line ends at a reveal.

use super::evaluation::{Closeness, DECIDED, doubt, nearness, tickets};
use super::open_game::{Key, move_id, turn};
use crate::scotland_yard::{BoardTables, SimulationState, StationBits};
use botyard_engine::scotland_yard::{Action, Arena, End, Stage, Station, Ticket};
use botyard_search::turns::{Chooser, TurnGame};

/// The way in which the values of the candidates are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// The worst candidate for the detectives counts; only the last candidate is a capture.
    Worst,
    /// All candidates are equally likely; visiting one is worth its share.
    Expected,
}

/// The position of the node; Mr. X's station in it represents all candidates.
#[derive(Clone, Copy, Debug)]
pub struct HiddenScene {
    state: SimulationState,
    /// Mr. X's station was revealed.
    shown: bool,
}

impl HiddenScene {
    /// Makes the game with these candidates, at least one.
    pub fn new(state: SimulationState) -> HiddenScene {
        HiddenScene { state: SimulationState { tracked: true, ..state }, shown: false }
    }
}

/// A game on one board.
pub struct HiddenGame<'a> {
    tables: &'a BoardTables,
    arena: &'a Arena,
    closeness: Closeness,
    aggregate: Aggregate,
}

impl<'a> HiddenGame<'a> {
    /// Returns the node.
    pub const fn new(
        tables: &'a BoardTables,
        arena: &'a Arena,
        closeness: Closeness,
        aggregate: Aggregate,
    ) -> HiddenGame<'a> {
        HiddenGame { tables, arena, closeness, aggregate }
    }

    /// Returns the candidates after Mr. X has shown this ticket.
    #[inline]
    fn after_ticket(&self, state: &SimulationState, ticket: Ticket) -> StationBits {
        let mut after = self.tables.spread(ticket.pays_for(), state.candidates);
        state.position.pawns().stations().for_each(|station| after.remove(station));
        after
    }
}

const TICKETS: [Ticket; 4] = [Ticket::Taxi, Ticket::Bus, Ticket::Underground, Ticket::Black];

impl TurnGame for HiddenGame<'_> {
    type Position = HiddenScene;
    type Move = Action;

    #[inline]
    fn chooser(&self, node: &HiddenScene) -> Option<Chooser> {
        match node.state.position.stage() {
            _ if node.shown => None,
            Stage::Over(_) => None,
            Stage::MrX | Stage::SecondLeg => Some(Chooser::Minimiser),
            Stage::Detectives => Some(Chooser::Maximiser),
        }
    }

    #[inline]
    fn turn(&self, node: &HiddenScene) -> u32 {
        turn(&node.state.position)
    }

    #[inline]
    fn for_each_move(&self, node: &HiddenScene, mut f: impl FnMut(Action)) {
        let position = &node.state.position;
        if let Some(detective) = node.state.detective_to_move(self.arena) {
            position.for_each_step(self.arena, detective, |ticket, to| {
                f(Action::Detective { detective, ticket, to });
                true
            });
            return;
        }
        let mut any = false;
        for ticket in TICKETS.into_iter().filter(|&ticket| position.purse().has(ticket)) {
            if let Some(to) = self.after_ticket(&node.state, ticket).iter().next() {
                any = true;
                f(Action::MrX { ticket, to, double: false });
            }
        }
        if !any {
            // He steps onto a detective; the sets exclude such stations.
            position.for_each_action(self.arena, f);
        }
    }

    #[inline]
    fn make(&self, node: &HiddenScene, action: Action) -> (HiddenScene, i32) {
        let mut after = *node;
        let state = &mut after.state;
        let mut gain = 0;
        match action {
            Action::MrX { ticket, .. } => {
                state.candidates = self.after_ticket(&node.state, ticket);
                state.position.apply(self.arena, action);
                after.shown = self.arena.reveals(state.position.x_moves());
            }
            Action::Detective { to, .. } => {
                let possible = state.candidates.len();
                let is_look = state.candidates.contains(to);
                state.candidates.remove(to);
                // A candidate that has not been visited represents all remaining ones.
                let stand_in = state.candidates.iter().next().unwrap_or(to);
                state.position = state.position.with_mr_x(stand_in);
                state.position.apply(self.arena, action);
                if is_look && possible > 1 && self.aggregate == Aggregate::Expected {
                    // Shares of the remaining candidates: the logarithms of the probabilities to
                    // miss add up.
                    let missed = 1.0 - 1.0 / possible as f32;
                    gain = (-(DECIDED as f32) / 8.0 * missed.ln()) as i32;
                }
            }
        }
        // Whether he is stuck depends on his station, so this is not treated as an end of the game.
        if let Stage::Over(end) = after.state.position.stage()
            && end != End::XStuck
        {
            gain += self.closeness.decided(end, &after.state.position);
        }
        (after, gain)
    }

    fn evaluate(&self, node: &HiddenScene) -> i32 {
        let SimulationState { position, candidates, .. } = &node.state;
        if matches!(position.stage(), Stage::Over(end) if end != End::XStuck) {
            return 0;
        }
        let near = |station: Station| nearness(self.tables, &position.with_mr_x(station));
        let value = match self.aggregate {
            Aggregate::Worst => candidates.iter().map(near).min().unwrap_or(0),
            Aggregate::Expected => {
                let sum: i32 = candidates.iter().map(near).sum();
                sum / candidates.len().max(1) as i32
            }
        };
        let doubt = if node.shown { 0 } else { doubt(candidates.len()) };
        value - doubt - tickets(position)
    }

    #[inline]
    fn key(&self, node: &HiddenScene) -> u64 {
        let salt =
            2 << 32 | u64::from(self.aggregate == Aggregate::Worst) << 1 | u64::from(node.shown);
        let mut key = Key::new(salt);
        let anywhere = Station::from_index(0);
        key.position(&node.state.position.with_mr_x(anywhere));
        node.state.candidates.words().into_iter().for_each(|word| key.word(word));
        key.finish()
    }

    #[inline]
    fn move_id(&self, action: Action) -> u32 {
        move_id(action)
    }

    #[inline]
    fn promise(&self, node: &HiddenScene, action: Action) -> i32 {
        match action {
            Action::MrX { ticket, .. } => {
                self.after_ticket(&node.state, ticket).len() as i32
                    - 20 * i32::from(ticket == Ticket::Black)
            }
            Action::Detective { detective, to, .. } => {
                let kinds = node.state.position.tickets_of(detective).kinds();
                let row = self.tables.row(kinds, to);
                let nearest = node.state.candidates.iter().map(|station| row[station.index()]);
                -i32::from(nearest.min().unwrap_or(u8::MAX))
            }
        }
    }
}
