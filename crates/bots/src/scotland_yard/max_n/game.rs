//! The game with Mr. X in the open as a [`MultiplayerGame`]: Mr. X is the first player, and each
//! detective is one of the others. The detectives have what the game is worth to all of them in
//! common; besides, each likes to be near.

use crate::scotland_yard::alpha_beta::evaluation::{self, Closeness, DECIDED};
use crate::scotland_yard::alpha_beta::open_game::{Key, move_id, promise, turn};
use crate::scotland_yard::{Atlas, Scene};
use botyard_engine::scotland_yard::{Action, Arena, Detective, End, Position, Stage, Ticket};
use botyard_search::Player;
use botyard_search::multiplayer::{Actor, MultiplayerGame};
use std::ops::RangeInclusive;

/// How much a detective's own nearness counts, in parts of what all of them together have of it.
const OWN_PART: i32 = 2;
/// Beyond what a capture is worth.
const MOST: i32 = 2 * DECIDED;

/// A game on one board.
pub struct MaxNGame<'a> {
    atlas: &'a Atlas,
    arena: &'a Arena,
    closeness: Closeness,
    detectives: usize,
}

impl<'a> MaxNGame<'a> {
    /// The game, for searches from this position on.
    pub fn new(atlas: &'a Atlas, arena: &'a Arena, root: &Position) -> MaxNGame<'a> {
        let detectives = root.all_detectives().count();
        MaxNGame { atlas, arena, closeness: Closeness::new(root), detectives }
    }

    /// What the game is worth to the detectives in common.
    fn common(&self, scene: &Scene) -> i32 {
        let position = &scene.position;
        if let Stage::Over(end) = position.stage() {
            let value = self.closeness.decided(end, position);
            let by_detective = position.all_detectives().any(|d| position.has_moved(d));
            return match end {
                // Detectives who do not know which of the stations it is may well go elsewhere.
                End::Caught if scene.tracked && by_detective => {
                    2 * value / (2 + scene.candidates.len() as i32)
                }
                _ => value,
            };
        }
        let known = evaluation::nearness(self.atlas, position) - evaluation::tickets(position);
        if scene.tracked { known - evaluation::doubt(scene.candidates.len()) } else { known }
    }
}

impl MultiplayerGame for MaxNGame<'_> {
    type Position = Scene;
    type Move = Action;

    fn players(&self) -> usize {
        1 + self.detectives
    }

    fn actor(&self, scene: &Scene) -> Actor {
        match scene.position.stage() {
            Stage::Over(_) => Actor::Over,
            Stage::MrX | Stage::SecondLeg => Actor::Player(Player::new(0)),
            Stage::Detectives => {
                let detective = scene.detective_to_move(self.arena);
                detective.map_or(Actor::Over, |detective| Actor::Player(player(detective)))
            }
        }
    }

    fn turn(&self, scene: &Scene) -> u32 {
        turn(&scene.position)
    }

    fn for_each_move(&self, scene: &Scene, mut f: impl FnMut(Action)) {
        let position = &scene.position;
        if let Some(detective) = scene.detective_to_move(self.arena) {
            position.for_each_step(self.arena, detective, |ticket, to| {
                f(Action::Detective { detective, ticket, to });
                true
            });
            return;
        }
        let fares = self.atlas.neighbours(position.purse().tickets.kinds(), position.mr_x());
        position.for_each_action(self.arena, |action| match action {
            // Where nobody counts what the detectives can know, a black ticket hides nothing.
            Action::MrX { ticket: Ticket::Black, to, .. }
                if !scene.tracked && fares.contains(to) => {}
            _ => f(action),
        });
    }

    fn make(&self, scene: &Scene, action: Action) -> Scene {
        let mut after = *scene;
        after.apply(self.atlas, self.arena, action);
        after
    }

    fn range(&self) -> RangeInclusive<i32> {
        -MOST..=MOST
    }

    fn value(&self, scene: &Scene, player: Player) -> i32 {
        let common = self.common(scene);
        let value = match detective(player) {
            None => -common,
            Some(detective) => {
                let own = evaluation::near(self.atlas, &scene.position, detective);
                common + own / OWN_PART
            }
        };
        value.clamp(-MOST, MOST)
    }

    fn key(&self, scene: &Scene) -> u64 {
        let mut key = Key::new(0);
        key.position(&scene.position);
        if scene.tracked {
            scene.candidates.words().into_iter().for_each(|word| key.word(word));
        }
        key.finish()
    }

    fn move_id(&self, action: Action) -> u32 {
        move_id(action)
    }

    fn promise(&self, scene: &Scene, action: Action) -> i32 {
        promise(self.atlas, scene, action)
    }
}

fn player(detective: Detective) -> Player {
    Player::new(1 + detective.index())
}

fn detective(player: Player) -> Option<Detective> {
    Detective::new(player.index() as u8)
}
