//! The game for all the stations where Mr. X can be as a [`TurnGame`]: what the detectives search
//! who do not guess where he is. Mr. X chooses the tickets that he shows; the line ends where he
//! shows himself.

use super::evaluation::{Closeness, DECIDED, doubt, nearness, tickets};
use super::open_game::{Key, move_id, turn};
use crate::scotland_yard::{Atlas, Scene, StationBits};
use botyard_engine::scotland_yard::{Action, Arena, End, Stage, Station, Ticket};
use botyard_search::turns::{Chooser, TurnGame};

/// How the stations where Mr. X can be are put into one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// He is where it is worst for the detectives; only the last possible station is a capture.
    Worst,
    /// Each is equally likely, and to look at one is worth its share.
    Expected,
}

/// A position of the node; Mr. X's station in it stands for all possible ones.
#[derive(Clone, Copy, Debug)]
pub struct HiddenScene {
    scene: Scene,
    /// Mr. X has shown himself.
    shown: bool,
}

impl HiddenScene {
    /// The game of a Mr. X who can be at these stations, of which there is at least one.
    pub fn new(scene: Scene) -> HiddenScene {
        HiddenScene { scene: Scene { tracked: true, ..scene }, shown: false }
    }
}

/// A game on one board.
pub struct HiddenGame<'a> {
    atlas: &'a Atlas,
    arena: &'a Arena,
    closeness: Closeness,
    aggregate: Aggregate,
}

impl<'a> HiddenGame<'a> {
    /// The node.
    pub const fn new(
        atlas: &'a Atlas,
        arena: &'a Arena,
        closeness: Closeness,
        aggregate: Aggregate,
    ) -> HiddenGame<'a> {
        HiddenGame { atlas, arena, closeness, aggregate }
    }

    /// Where Mr. X can be after he has shown this ticket.
    #[inline]
    fn after_ticket(&self, scene: &Scene, ticket: Ticket) -> StationBits {
        let mut after = self.atlas.spread(ticket.pays_for(), scene.candidates);
        scene.position.pawns().stations().for_each(|station| after.remove(station));
        after
    }
}

const TICKETS: [Ticket; 4] = [Ticket::Taxi, Ticket::Bus, Ticket::Underground, Ticket::Black];

impl TurnGame for HiddenGame<'_> {
    type Position = HiddenScene;
    type Move = Action;

    #[inline]
    fn chooser(&self, node: &HiddenScene) -> Option<Chooser> {
        match node.scene.position.stage() {
            _ if node.shown => None,
            Stage::Over(_) => None,
            Stage::MrX | Stage::SecondLeg => Some(Chooser::Minimiser),
            Stage::Detectives => Some(Chooser::Maximiser),
        }
    }

    #[inline]
    fn turn(&self, node: &HiddenScene) -> u32 {
        turn(&node.scene.position)
    }

    #[inline]
    fn for_each_move(&self, node: &HiddenScene, mut f: impl FnMut(Action)) {
        let position = &node.scene.position;
        if let Some(detective) = node.scene.detective_to_move(self.arena) {
            position.for_each_step(self.arena, detective, |ticket, to| {
                f(Action::Detective { detective, ticket, to });
                true
            });
            return;
        }
        let mut any = false;
        for ticket in TICKETS.into_iter().filter(|&ticket| position.purse().has(ticket)) {
            if let Some(to) = self.after_ticket(&node.scene, ticket).iter().next() {
                any = true;
                f(Action::MrX { ticket, to, double: false });
            }
        }
        if !any {
            // He steps onto a detective, which the sets leave out.
            position.for_each_action(self.arena, f);
        }
    }

    #[inline]
    fn make(&self, node: &HiddenScene, action: Action) -> (HiddenScene, i32) {
        let mut after = *node;
        let scene = &mut after.scene;
        let mut gain = 0;
        match action {
            Action::MrX { ticket, .. } => {
                scene.candidates = self.after_ticket(&node.scene, ticket);
                scene.position.apply(self.arena, action);
                after.shown = self.arena.reveals(scene.position.x_moves());
            }
            Action::Detective { to, .. } => {
                let possible = scene.candidates.len();
                let is_look = scene.candidates.contains(to);
                scene.candidates.remove(to);
                // Someone who is not there yet stands for all that are left.
                let stand_in = scene.candidates.iter().next().unwrap_or(to);
                scene.position = scene.position.with_mr_x(stand_in);
                scene.position.apply(self.arena, action);
                if is_look && possible > 1 && self.aggregate == Aggregate::Expected {
                    // Shares of what is left: the logarithm of the chance to miss adds up.
                    let missed = 1.0 - 1.0 / possible as f32;
                    gain = (-(DECIDED as f32) / 8.0 * missed.ln()) as i32;
                }
            }
        }
        // Whether he is stuck hangs on where he is: that is no end of the game to count on.
        if let Stage::Over(end) = after.scene.position.stage()
            && end != End::XStuck
        {
            gain += self.closeness.decided(end, &after.scene.position);
        }
        (after, gain)
    }

    fn evaluate(&self, node: &HiddenScene) -> i32 {
        let Scene { position, candidates, .. } = &node.scene;
        if matches!(position.stage(), Stage::Over(end) if end != End::XStuck) {
            return 0;
        }
        let near = |station: Station| nearness(self.atlas, &position.with_mr_x(station));
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
        key.position(&node.scene.position.with_mr_x(anywhere));
        node.scene.candidates.words().into_iter().for_each(|word| key.word(word));
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
                self.after_ticket(&node.scene, ticket).len() as i32
                    - 20 * i32::from(ticket == Ticket::Black)
            }
            Action::Detective { detective, to, .. } => {
                let kinds = node.scene.position.tickets_of(detective).kinds();
                let row = self.atlas.row(kinds, to);
                let nearest = node.scene.candidates.iter().map(|station| row[station.index()]);
                -i32::from(nearest.min().unwrap_or(u8::MAX))
            }
        }
    }
}
