//! Paranoid search: alpha-beta with the searching player on one side and all others on the other
//! (Sturtevant and Korf 2000). Chance nodes are handled in [`super::star1`].

use super::game::{Actor, MultiplayerGame};
use super::searcher::{MultiplayerSearcher, Place};
use super::settings::{Algorithm, Pruning};
use crate::limits::Stopped;
use crate::player::Player;
use crate::scored::best_first;
use crate::table::Known;
use crate::window::Window;

impl<P: Copy, M: Copy + Eq> MultiplayerSearcher<P, M> {
    /// Returns the value of a position to the searching player if it lies in the window, otherwise
    /// a bound.
    pub(super) fn node<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
        window: Window,
    ) -> Result<i32, Stopped> {
        self.first_moves(game, position, place, window, usize::MAX)
    }

    /// The same, with only the first `most` moves of the player to move.
    pub(super) fn first_moves<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        place: Place,
        window: Window,
        most: usize,
    ) -> Result<i32, Stopped> {
        self.meter.visit()?;
        self.begin_line(place);
        let (position, actor, place) = self.settled(game, position, place);
        if self.is_leaf(game, &position, actor, place) {
            return Ok(self.judge(game, &position));
        }
        match (actor, self.settings.algorithm) {
            (Actor::Player(player), Algorithm::BestReply) if player != self.player => {
                self.best_reply(game, &position, player, place, window, most)
            }
            (Actor::Player(player), _) => {
                self.decision(game, &position, player, place, window, most)
            }
            (Actor::Chance | Actor::DenseChance | Actor::Over, _) => {
                self.chance(game, &position, place, window)
            }
        }
    }

    /// Returns the value of a position in which a player chooses among the first `most` moves in
    /// move order: exact if these are all moves, otherwise a bound.
    pub(super) fn decision<G: MultiplayerGame<Position = P, Move = M>>(
        &mut self,
        game: &G,
        position: &P,
        player: Player,
        place: Place,
        window: Window,
        most: usize,
    ) -> Result<i32, Stopped> {
        let depth = self.depth_at(game, position, place);
        // Best-reply search may hand a turn over at the horizon and still search it.
        if self.settings.pruning > Pruning::None && depth.left > 0 {
            let (least, most) = self.bounds(game, position, self.player, place);
            if most <= window.low {
                return Ok(most);
            }
            if least >= window.high {
                return Ok(least);
            }
        }
        let key = self.table_key(game, position, place);
        let mut from_table = None;
        if let Some(known) = self.probe_table(key) {
            from_table = known.best;
            if place.steps > 0 && known.depth == depth.left as i32 && window.is_settled(known) {
                return Ok(known.value);
            }
        }
        let first = self.moves.len();
        self.push_moves(game, position, place, from_table);
        let is_whole = self.moves.len() - first <= most;
        let last = first + most.min(self.moves.len() - first);
        // From here on, values are those of the side to move.
        let sign = if player == self.player { 1 } else { -1 };
        let mut open = if sign > 0 { window } else { window.turned() };
        let (mut best, mut best_move) = (i32::MIN, None);
        for index in first..last {
            best_first(&mut self.moves[first..], index - first);
            let mv = self.moves[index].mv;
            let after = game.make(position, mv);
            let below = if sign > 0 { open } else { open.turned() };
            let value = sign * self.node(game, &after, place.after_move(), below)?;
            if value > best {
                best = value;
                if value > open.low {
                    self.lead(place, mv);
                    best_move = Some(mv);
                    if value >= open.high {
                        break;
                    }
                    if self.settings.pruning > Pruning::None {
                        open.low = value;
                    }
                }
            }
        }
        self.moves.truncate(first);
        let best = sign * best;
        if is_whole {
            let bound = window.bound(best);
            let best_move = best_move.map(|mv| game.move_id(mv));
            let known = Known { value: best, depth: depth.left as i32, bound, best: best_move };
            if let Some(table) = &mut self.table {
                table.put(key, known);
            }
        }
        Ok(best)
    }

    /// Returns the hash key of everything that a value depends on besides the depth.
    fn table_key<G: MultiplayerGame<Position = P, Move = M>>(
        &self,
        game: &G,
        position: &P,
        place: Place,
    ) -> u64 {
        // 2^64 over the golden ratio, rounded to an odd integer: a mixing constant.
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let salt = 1 + 2 * self.player.index() as u64 + u64::from(place.answered);
        let salt = (self.settings.seed ^ salt.wrapping_mul(MIX)).wrapping_mul(MIX);
        // The upper half, so that a position has the place in the table that it has in a new one.
        game.key(position) ^ salt ^ u64::from(self.forgotten) << 32
    }

    fn probe_table(&mut self, key: u64) -> Option<Known> {
        let table = self.table.as_ref()?;
        self.probes += 1;
        let known = table.get(key)?;
        self.hits += 1;
        Some(known)
    }
}
