//! Error messages for illegal actions, written for the author of the bot that sent one. The legal
//! actions are those of [`Position::for_each_action`].

use super::action::Action;
use super::area::Area;
use super::battle::MAX_DICE;
use super::map::Map;
use super::player::Player;
use super::position::{Position, Stage};
use crate::game::Illegal;

impl Position {
    /// Checks that an action is legal for the player to move.
    ///
    /// # Errors
    ///
    /// The first rule that it breaks.
    pub fn check(&self, map: &Map, action: Action) -> Result<(), Illegal> {
        let broken = match self.stage() {
            Stage::Over(end) => Some(format!("the game is over: {}", end.reason())),
            Stage::Battle { from, to } => {
                Some(format!("the dice of the attack from {from} on {to} are still rolling"))
            }
            Stage::Reinforcement => Some("the turn has ended; new dice are still falling".into()),
            Stage::Action => match action {
                Action::EndTurn => None,
                Action::Attack(from, to) => self.why_no_attack(map, from, to),
                Action::Transfer(from, to) => self.why_no_transfer(map, from, to),
            },
        };
        broken.map_or(Ok(()), |why| Err(Illegal(format!("{action}: {why}"))))
    }

    /// Checks that the player to move may make this attack.
    pub(super) fn check_attack(&self, map: &Map, from: Area, to: Area) -> Result<(), Illegal> {
        let broken = self.why_no_attack(map, from, to);
        broken.map_or(Ok(()), |why| Err(Illegal(format!("attack {from} {to}: {why}"))))
    }

    fn why_no_attack(&self, map: &Map, from: Area, to: Area) -> Option<String> {
        self.why_not_from(map, from, to).or_else(|| {
            (self.owner(to) == self.to_move())
                .then(|| format!("area {to} is the player's own; attack another player's"))
        })
    }

    fn why_no_transfer(&self, map: &Map, from: Area, to: Area) -> Option<String> {
        let most = self.mechanics().transfers;
        if most == 0 {
            return Some("there are no transfers under these rules".into());
        }
        if self.transfers_left() == 0 {
            return Some(format!("all {most} transfers of this turn are made"));
        }
        self.why_not_from(map, from, to).or_else(|| {
            if self.owner(to) != self.to_move() {
                return Some(format!("area {to} is player {}'s", Player(self.owner(to))));
            }
            (self.dice(to) == MAX_DICE)
                .then(|| format!("area {to} has {MAX_DICE} dice already, and no more fit"))
        })
    }

    /// Checks that attacks and transfers share.
    fn why_not_from(&self, map: &Map, from: Area, to: Area) -> Option<String> {
        if let Some(missing) = [from, to].into_iter().find(|&area| !map.all().contains(area)) {
            return Some(format!("there is no area {missing}; the map has {}", map.areas()));
        }
        let owner = self.owner(from);
        if owner != self.to_move() {
            let (whose, whom) = (Player(owner), Player(self.to_move()));
            return Some(format!("area {from} is player {whose}'s, and player {whom} is to move"));
        }
        if !map.adjacent(from, to) {
            let around = map.neighbours(from).iter().map(|area| area.to_string());
            let around = around.collect::<Vec<_>>().join(", ");
            return Some(format!("area {from} does not touch {to}; it touches {around}"));
        }
        (self.dice(from) < 2).then(|| format!("area {from} has one die, and one must stay"))
    }
}
