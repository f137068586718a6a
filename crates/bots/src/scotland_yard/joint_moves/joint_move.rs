//! Joint moves: a step of Mr. X, or one step of each detective that is still to move in the round.
//! Packed into one word, so that trees of them are small.

use botyard_engine::scotland_yard::{
    Action, Arena, Detective, MAX_DETECTIVES, Position, Stage, Station, Ticket,
};

/// A move of one of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointMove(u64);

/// Set for Mr. X's moves, whose step is the first. The steps of five detectives end below it.
const MR_X: u64 = 1 << 63;
/// Set, with [`MR_X`], for the first half of a double move.
const DOUBLE: u64 = 1 << 62;
/// A step has one bit that marks it as present, two for its ticket and eight for its station.
const STEP_BITS: usize = 12;
const PRESENT: u64 = 1;
const TICKETS: [Ticket; 4] = [Ticket::Taxi, Ticket::Bus, Ticket::Underground, Ticket::Black];

const fn step(ticket: Ticket, to: Station) -> u64 {
    PRESENT | (ticket as u64) << 1 | (to.index() as u64) << 3
}

const fn ticket_and_station(step: u64) -> (Ticket, Station) {
    (TICKETS[(step >> 1 & 3) as usize], Station::from_index((step >> 3 & 0xff) as usize))
}

impl JointMove {
    /// No pawn moves.
    const NONE: JointMove = JointMove(0);

    /// Adds a step.
    #[must_use]
    const fn with(self, action: Action) -> JointMove {
        match action {
            Action::MrX { ticket, to, double } => {
                JointMove(MR_X | if double { DOUBLE } else { 0 } | step(ticket, to))
            }
            Action::Detective { detective, ticket, to } => {
                JointMove(self.0 | step(ticket, to) << (STEP_BITS * detective.index()))
            }
        }
    }

    /// Its steps, in the order of the detectives.
    pub fn steps(self) -> impl Iterator<Item = Action> {
        let is_mr_x = self.0 & MR_X != 0;
        Detective::all(MAX_DETECTIVES).filter_map(move |detective| {
            let step = self.0 >> (STEP_BITS * detective.index());
            let (ticket, to) = (step & PRESENT != 0).then(|| ticket_and_station(step))?;
            Some(match is_mr_x {
                true => Action::MrX { ticket, to, double: self.0 & DOUBLE != 0 },
                false => Action::Detective { detective, ticket, to },
            })
        })
    }

    /// Fills `into` with the moves of the player to move. Detectives move in the order of their
    /// numbers, each on the board that the ones before it have left; after a capture the others
    /// need not move.
    ///
    /// The board has at most 256 stations.
    pub fn list(arena: &Arena, position: &Position, into: &mut Vec<JointMove>) {
        into.clear();
        match position.stage() {
            Stage::Detectives => list_team(arena, position, JointMove::NONE, into),
            _ => position.for_each_action(arena, |action| into.push(JointMove::NONE.with(action))),
        }
    }

    /// Returns the move that consists of these steps.
    pub fn of(steps: impl IntoIterator<Item = Action>) -> JointMove {
        steps.into_iter().fold(JointMove::NONE, JointMove::with)
    }
}

/// Returns the first detective that is still to move and can.
pub(super) fn next_detective(arena: &Arena, position: &Position) -> Option<Detective> {
    if position.stage() != Stage::Detectives {
        return None;
    }
    position
        .all_detectives()
        .find(|&detective| !position.has_moved(detective) && position.can_move(arena, detective))
}

fn list_team(arena: &Arena, position: &Position, so_far: JointMove, into: &mut Vec<JointMove>) {
    let Some(detective) = next_detective(arena, position) else {
        into.push(so_far);
        return;
    };
    position.for_each_step(arena, detective, |ticket, to| {
        let action = Action::Detective { detective, ticket, to };
        let mut after = *position;
        after.apply(arena, action);
        list_team(arena, &after, so_far.with(action), into);
        true
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::scotland_yard::ScotlandYard;
    use botyard_engine::{Game, Stream};
    use std::collections::HashSet;

    fn positions(preset: &str, games: u64) -> (ScotlandYard, Vec<Position>) {
        let game = ScotlandYard::new(ScotlandYard::preset(preset).unwrap()).unwrap();
        let mut positions = Vec::new();
        for seed in 0..games {
            let mut stream = Stream::new(seed, "test");
            let mut position = *game.start(&game.draw_opening(stream.rng())).unwrap().position();
            for _ in 0..40 {
                let Some(action) = position.random_action(game.arena(), stream.rng()) else {
                    break;
                };
                positions.push(position);
                position.apply(game.arena(), action);
            }
        }
        (game, positions)
    }

    #[test]
    fn steps_come_back_as_they_were_packed() {
        for preset in ["grid-15x15-4", "ravensburger", "bristol"] {
            let (game, positions) = positions(preset, 3);
            let mut actions = Vec::new();
            for position in positions {
                position.actions(game.arena(), &mut actions);
                for &action in &actions {
                    assert!(JointMove::of([action]).steps().eq([action]), "{action:?}");
                }
            }
        }
    }

    /// Every sequence of legal steps up to the end of the detectives' part is a move, once.
    #[test]
    fn all_moves_and_no_others() {
        for preset in ["grid-5x5-2", "grid-7x7-3", "grid-15x15-4", "grid-15x15-3-stay"] {
            let (game, positions) = positions(preset, 4);
            let mut moves = Vec::new();
            for position in positions.iter().filter(|p| p.stage() == Stage::Detectives) {
                JointMove::list(game.arena(), position, &mut moves);
                let mut ends = HashSet::new();
                for joint in &moves {
                    let mut after = *position;
                    for step in joint.steps() {
                        assert_eq!(after.check(game.arena(), step), Ok(()), "{joint:?}");
                        after.apply(game.arena(), step);
                    }
                    assert_ne!(after.stage(), Stage::Detectives, "{joint:?} leaves somebody out");
                    assert!(ends.insert(joint.0), "{joint:?} twice");
                }
                assert_eq!(ends.len(), count(game.arena(), *position));
            }
        }
    }

    fn count(arena: &Arena, position: Position) -> usize {
        if position.stage() != Stage::Detectives {
            return 1;
        }
        let mut actions = Vec::new();
        position.actions(arena, &mut actions);
        let after = |action: &Action| {
            let mut after = position;
            after.apply(arena, *action);
            count(arena, after)
        };
        actions.iter().map(after).sum()
    }

    /// Four detectives in the open have 4^4 moves minus those that lead two onto one cell.
    #[test]
    fn colliding_moves_are_dropped() {
        let game = ScotlandYard::new(ScotlandYard::preset("grid-15x15-4").unwrap()).unwrap();
        let mut moves = Vec::new();
        for (detectives, expected) in [([33, 43, 178, 190], 256), ([33, 35, 178, 190], 15 * 16)] {
            let opening =
                serde_json::from_str(&format!(r#"{{"mr_x":113,"detectives":{detectives:?}}}"#));
            let mut position = *game.start(&opening.unwrap()).unwrap().position();
            let step =
                Action::MrX { ticket: Ticket::Taxi, to: Station::new(114).unwrap(), double: false };
            position.apply(game.arena(), step);
            JointMove::list(game.arena(), &position, &mut moves);
            assert_eq!(moves.len(), expected, "{detectives:?}");
        }
    }
}
