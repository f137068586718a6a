//! Games that are stepped together, without Python between the steps. A game that ends begins again
//! at once, with another opening.

use crate::encoding::NO_INDEX;
use crate::play::Play;
use crate::setting::Setting;
use crate::threads::chunks;
use botyard_engine::random::below;
use botyard_engine::{Game, Seed, Stream, Turn};
use std::sync::Arc;

/// The arrays that a step fills, row by row, one row a game.
pub struct Rows<'a> {
    /// What the seat to move sees.
    pub observations: &'a mut [f32],
    /// Which indices are those of legal actions.
    pub masks: &'a mut [bool],
    /// The seat to move.
    pub seats: &'a mut [i8],
    /// The reward of each seat, if the last step ended a game.
    pub rewards: &'a mut [f32],
    /// Whether the last step ended a game.
    pub dones: &'a mut [bool],
}

/// An index that is not that of a legal action.
pub struct IllegalIndex {
    pub game: usize,
    pub index: i64,
}

/// Games of any kind that are stepped together.
pub trait AnyVector: Send {
    fn games(&self) -> usize;
    /// Begins all games again.
    fn reset(&mut self, seed: Seed, rows: Rows<'_>);
    /// Plays one action in each game. An illegal one changes nothing in any game.
    fn step(&mut self, actions: &[i64], rows: Rows<'_>) -> Result<(), IllegalIndex>;
    /// Fills `into` with the index of a random legal action of each game.
    fn random_actions(&mut self, into: &mut [i64]);
    /// Returns the actions played in each game so far.
    fn plies(&self, into: &mut [i32]);
}

pub struct TypedVector<G: Game> {
    setting: Arc<Setting<G>>,
    slots: Vec<Slot<G>>,
    threads: usize,
}

struct Slot<G: Game> {
    play: Play<G>,
    legal: Vec<G::Action>,
    indices: Vec<u32>,
    /// The place of the action that is to be played in `legal`.
    chosen: usize,
    seed: Seed,
    games: u64,
    choices: Stream,
}

struct Row<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [bool],
    seat: &'a mut i8,
    rewards: &'a mut [f32],
    done: &'a mut bool,
}

impl<G: Game> Slot<G> {
    fn new(setting: &Setting<G>, seed: Seed) -> Slot<G> {
        let play = Play::open(&setting.game, seed.part("game 0"));
        let (legal, indices) = (Vec::new(), Vec::new());
        let choices = seed.stream("actions");
        Slot { play, legal, indices, chosen: 0, seed, games: 1, choices }
    }

    fn step(&mut self, setting: &Setting<G>, row: Row<'_>) {
        let game = &setting.game;
        self.play.apply(game, self.legal[self.chosen]);
        *row.done = false;
        row.rewards.fill(0.0);
        if let Some(outcome) = game.outcome(&self.play.state) {
            *row.done = true;
            for (reward, &points) in row.rewards.iter_mut().zip(&outcome.scores) {
                *reward = setting.reward(points) as f32;
            }
            let seed = self.seed.part(&format!("game {}", self.games));
            self.games += 1;
            self.play = Play::open(game, seed);
        }
        self.show(setting, row);
    }

    fn show(&mut self, setting: &Setting<G>, row: Row<'_>) {
        let game = &setting.game;
        let Turn::Seat(seat) = game.turn(&self.play.state) else {
            unreachable!("a game in progress waits for a seat")
        };
        *row.seat = seat.index() as i8;
        setting.encoding.observe(game, &self.play.state, seat, row.observation);
        game.actions(&self.play.state, &mut self.legal);
        setting.encoding.indexing().indices(seat, &self.legal, &mut self.indices);
        row.mask.fill(false);
        for &index in self.indices.iter().filter(|&&index| index != NO_INDEX) {
            row.mask[index as usize] = true;
        }
    }
}

impl<G: Game> TypedVector<G> {
    pub fn new(
        setting: Arc<Setting<G>>,
        games: usize,
        seed: Seed,
        threads: usize,
    ) -> TypedVector<G> {
        let slot = |number| Slot::new(&setting, seed.part(&format!("place {number}")));
        let slots = (0..games).map(slot).collect();
        TypedVector { setting, slots, threads }
    }

    /// Calls `work` with each game and its row.
    fn for_each(
        &mut self,
        rows: Rows<'_>,
        work: impl Fn(&Setting<G>, &mut Slot<G>, Row<'_>) + Sync,
    ) {
        let setting = &*self.setting;
        let (spec, seats) = (setting.spec(), setting.game.seats().len());
        let rows = rows
            .observations
            .chunks_mut(spec.observation().max(1))
            .zip(rows.masks.chunks_mut(spec.actions.max(1)))
            .zip(rows.seats)
            .zip(rows.rewards.chunks_mut(seats))
            .zip(rows.dones)
            .map(|((((observation, mask), seat), rewards), done)| Row {
                observation,
                mask,
                seat,
                rewards,
                done,
            });
        let games: Vec<_> = self.slots.iter_mut().zip(rows).collect();
        chunks(games, self.threads, |games| {
            for (slot, row) in games {
                work(setting, slot, row);
            }
        });
    }
}

impl<G: Game> AnyVector for TypedVector<G> {
    fn games(&self) -> usize {
        self.slots.len()
    }

    fn reset(&mut self, seed: Seed, rows: Rows<'_>) {
        for (number, slot) in self.slots.iter_mut().enumerate() {
            *slot = Slot::new(&self.setting, seed.part(&format!("place {number}")));
        }
        self.for_each(rows, |setting, slot, row| {
            *row.done = false;
            row.rewards.fill(0.0);
            slot.show(setting, row);
        });
    }

    fn step(&mut self, actions: &[i64], rows: Rows<'_>) -> Result<(), IllegalIndex> {
        for (game, (slot, &index)) in self.slots.iter_mut().zip(actions).enumerate() {
            let place = slot.indices.iter().position(|&other| i64::from(other) == index);
            slot.chosen = match place {
                Some(place) if slot.indices[place] != NO_INDEX => place,
                _ => return Err(IllegalIndex { game, index }),
            };
        }
        self.for_each(rows, |setting, slot, row| slot.step(setting, row));
        Ok(())
    }

    fn random_actions(&mut self, into: &mut [i64]) {
        for (slot, index) in self.slots.iter_mut().zip(into) {
            let count = slot.indices.len() as u32;
            // Hardly any action has no index: a few more draws are cheaper than a list of the others.
            *index = loop {
                let drawn = slot.indices[below(slot.choices.rng(), count) as usize];
                if drawn != NO_INDEX {
                    break i64::from(drawn);
                }
            };
        }
    }

    fn plies(&self, into: &mut [i32]) {
        for (slot, plies) in self.slots.iter().zip(into) {
            *plies = slot.play.plies as i32;
        }
    }
}
