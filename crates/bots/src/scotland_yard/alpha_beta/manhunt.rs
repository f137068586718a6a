//! The hunt for all the stations where Mr. X can be as a [`TurnGame`]: what the detectives search
//! who do not guess where he is. Mr. X chooses the tickets that he shows; the line ends where he
//! shows himself.

use super::closeness::{Closeness, DECIDED, doubt, nearness, tickets};
use super::pursuit::{Key, move_id, turn};
use crate::scotland_yard::{Atlas, Scene, StationBits};
use botyard_engine::scotland_yard::{Action, Arena, End, Stage, Station, Ticket};
use botyard_search::turns::{Chooser, TurnGame};

/// How the stations where Mr. X can be are put into one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// He is where it is worst for the detectives; only the last possible station is a capture.
    Worst,
    /// Each is equally likely, and to look at one is worth its share.
    Expected,
}

/// A position of the hunt; Mr. X's station in it stands for all possible ones.
#[derive(Clone, Copy, Debug)]
pub struct HuntScene {
    scene: Scene,
    /// Mr. X has shown himself.
    shown: bool,
}

impl HuntScene {
    /// The hunt for a Mr. X who can be at these stations, of which there is at least one.
    pub fn new(scene: Scene) -> HuntScene {
        HuntScene { scene: Scene { tracked: true, ..scene }, shown: false }
    }
}

/// A hunt on one board.
pub struct Manhunt<'a> {
    atlas: &'a Atlas,
    arena: &'a Arena,
    closeness: Closeness,
    doubt: Doubt,
}

impl<'a> Manhunt<'a> {
    /// The hunt.
    pub const fn new(
        atlas: &'a Atlas,
        arena: &'a Arena,
        closeness: Closeness,
        doubt: Doubt,
    ) -> Manhunt<'a> {
        Manhunt { atlas, arena, closeness, doubt }
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

impl TurnGame for Manhunt<'_> {
    type Position = HuntScene;
    type Move = Action;

    #[inline]
    fn chooser(&self, hunt: &HuntScene) -> Option<Chooser> {
        match hunt.scene.position.stage() {
            _ if hunt.shown => None,
            Stage::Over(_) => None,
            Stage::MrX | Stage::SecondLeg => Some(Chooser::Minimiser),
            Stage::Detectives => Some(Chooser::Maximiser),
        }
    }

    #[inline]
    fn turn(&self, hunt: &HuntScene) -> u32 {
        turn(&hunt.scene.position)
    }

    #[inline]
    fn for_each_move(&self, hunt: &HuntScene, mut f: impl FnMut(Action)) {
        let position = &hunt.scene.position;
        if let Some(detective) = hunt.scene.detective_to_move(self.arena) {
            position.for_each_step(self.arena, detective, |ticket, to| {
                f(Action::Detective { detective, ticket, to });
                true
            });
            return;
        }
        let mut any = false;
        for ticket in TICKETS.into_iter().filter(|&ticket| position.purse().has(ticket)) {
            if let Some(to) = self.after_ticket(&hunt.scene, ticket).iter().next() {
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
    fn make(&self, hunt: &HuntScene, action: Action) -> (HuntScene, i32) {
        let mut after = *hunt;
        let scene = &mut after.scene;
        let mut gain = 0;
        match action {
            Action::MrX { ticket, .. } => {
                scene.candidates = self.after_ticket(&hunt.scene, ticket);
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
                if is_look && possible > 1 && self.doubt == Doubt::Expected {
                    // Shares of what is left: the logarithm of the chance to miss adds up.
                    let missed = 1.0 - 1.0 / possible as f32;
                    gain = (-(DECIDED as f32) / 8.0 * missed.ln()) as i32;
                }
            }
        }
        // Whether he is stuck hangs on where he is: that is no end of the hunt to count on.
        if let Stage::Over(end) = after.scene.position.stage()
            && end != End::XStuck
        {
            gain += self.closeness.decided(end, &after.scene.position);
        }
        (after, gain)
    }

    fn evaluate(&self, hunt: &HuntScene) -> i32 {
        let Scene { position, candidates, .. } = &hunt.scene;
        if matches!(position.stage(), Stage::Over(end) if end != End::XStuck) {
            return 0;
        }
        let near = |station: Station| nearness(self.atlas, &position.with_mr_x(station));
        let value = match self.doubt {
            Doubt::Worst => candidates.iter().map(near).min().unwrap_or(0),
            Doubt::Expected => {
                let sum: i32 = candidates.iter().map(near).sum();
                sum / candidates.len().max(1) as i32
            }
        };
        let doubt = if hunt.shown { 0 } else { doubt(candidates.len()) };
        value - doubt - tickets(position)
    }

    #[inline]
    fn key(&self, hunt: &HuntScene) -> u64 {
        let salt = 2 << 32 | u64::from(self.doubt == Doubt::Worst) << 1 | u64::from(hunt.shown);
        let mut key = Key::new(salt);
        let anywhere = Station::from_index(0);
        key.position(&hunt.scene.position.with_mr_x(anywhere));
        hunt.scene.candidates.words().into_iter().for_each(|word| key.word(word));
        key.finish()
    }

    #[inline]
    fn move_id(&self, action: Action) -> u32 {
        move_id(action)
    }

    #[inline]
    fn promise(&self, hunt: &HuntScene, action: Action) -> i32 {
        match action {
            Action::MrX { ticket, .. } => {
                self.after_ticket(&hunt.scene, ticket).len() as i32
                    - 20 * i32::from(ticket == Ticket::Black)
            }
            Action::Detective { detective, to, .. } => {
                let kinds = hunt.scene.position.tickets_of(detective).kinds();
                let row = self.atlas.row(kinds, to);
                let nearest = hunt.scene.candidates.iter().map(|station| row[station.index()]);
                -i32::from(nearest.min().unwrap_or(u8::MAX))
            }
        }
    }
}
