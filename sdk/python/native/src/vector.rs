//! Games that are stepped together, without Python between the steps. A game that ends begins again
//! at once, with another opening.

use crate::encoding::NO_INDEX;
use crate::play::Play;
use crate::setting::Setting;
use botyard_engine::random::below;
use botyard_engine::{Game, Seat, Seed, Stream, Turn};
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
    /// Returns the seed of each game in progress.
    fn seeds(&self) -> Vec<Seed>;
}

pub struct TypedVector<G: Game> {
    setting: Arc<Setting<G>>,
    slots: Vec<Slot<G>>,
    threads: usize,
    /// Draws random actions.
    choices: Stream,
}

struct Slot<G: Game> {
    play: Play<G>,
    legal: Vec<G::Action>,
    indices: Vec<u32>,
    /// The place of the action that is to be played in `legal`.
    chosen: usize,
    /// The seed of all games of this place.
    seed: Seed,
    /// The number of games begun.
    games: u64,
    /// The seed of the game in progress.
    game_seed: Seed,
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
        let game_seed = seed.part("game 0");
        let play = Play::open(&setting.game, game_seed);
        let (legal, indices) = (Vec::new(), Vec::new());
        Slot { play, legal, indices, chosen: 0, seed, games: 1, game_seed }
    }

    fn step(&mut self, setting: &Setting<G>, mut row: Row<'_>) {
        let game = &setting.game;
        self.play.apply(game, self.legal[self.chosen]);
        if *row.done {
            *row.done = false;
            row.rewards.fill(0.0);
        }
        let seat = match game.turn(&self.play.state) {
            Turn::Seat(seat) => seat,
            Turn::Over | Turn::Chance => self.begin_again(setting, &mut row),
        };
        self.show(setting, seat, row);
    }

    /// Writes the end of a game and opens the next. Returns the seat to move in that.
    fn begin_again(&mut self, setting: &Setting<G>, row: &mut Row<'_>) -> Seat {
        let game = &setting.game;
        *row.done = true;
        let outcome = game.outcome(&self.play.state).expect("a game without a turn is over");
        for (reward, &points) in row.rewards.iter_mut().zip(&outcome.scores) {
            *reward = setting.reward(points) as f32;
        }
        self.game_seed = self.seed.part(&format!("game {}", self.games));
        self.games += 1;
        self.play = Play::open(game, self.game_seed);
        self.seat_to_move(setting)
    }

    fn seat_to_move(&self, setting: &Setting<G>) -> Seat {
        match setting.game.turn(&self.play.state) {
            Turn::Seat(seat) => seat,
            Turn::Over | Turn::Chance => unreachable!("a game that has begun waits for a seat"),
        }
    }

    /// Writes what `seat` sees and may do. The mask shows the legal actions of the last step.
    fn show(&mut self, setting: &Setting<G>, seat: Seat, row: Row<'_>) {
        let game = &setting.game;
        *row.seat = seat.index() as i8;
        setting.encoding.observe(game, &self.play.state, seat, row.observation);
        for &index in self.indices.iter().filter(|&&index| index != NO_INDEX) {
            row.mask[index as usize] = false;
        }
        game.actions(&self.play.state, &mut self.legal);
        setting.encoding.indexing().indices(seat, &self.legal, &mut self.indices);
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
        let choices = seed.stream("actions");
        TypedVector { setting, slots, threads, choices }
    }

    /// Calls `work` with each game and its row.
    fn for_each(
        &mut self,
        rows: Rows<'_>,
        work: impl Fn(&Setting<G>, &mut Slot<G>, Row<'_>) + Copy + Send,
    ) {
        let setting = &*self.setting;
        let mut slots = &mut self.slots[..];
        let length = slots.len().div_ceil(self.threads).max(1);
        let mut rows = rows;
        std::thread::scope(|scope| {
            while slots.len() > length {
                let (part, rest) = slots.split_at_mut(length);
                let (part_rows, rest_rows) = rows.split_at(length, setting);
                scope.spawn(move || for_part(setting, part, part_rows, work));
                (slots, rows) = (rest, rest_rows);
            }
            for_part(setting, slots, rows, work);
        });
    }
}

fn for_part<G: Game>(
    setting: &Setting<G>,
    slots: &mut [Slot<G>],
    rows: Rows<'_>,
    work: impl Fn(&Setting<G>, &mut Slot<G>, Row<'_>),
) {
    let (spec, seats) = (setting.spec(), setting.game.seats().len());
    let rows = rows
        .observations
        .chunks_mut(spec.observation())
        .zip(rows.masks.chunks_mut(spec.actions))
        .zip(rows.seats)
        .zip(rows.rewards.chunks_mut(seats))
        .zip(rows.dones);
    for (slot, ((((observation, mask), seat), rewards), done)) in slots.iter_mut().zip(rows) {
        work(setting, slot, Row { observation, mask, seat, rewards, done });
    }
}

impl<'a> Rows<'a> {
    /// Returns the rows of the first `games` games and those of the others.
    fn split_at<G: Game>(self, games: usize, setting: &Setting<G>) -> (Rows<'a>, Rows<'a>) {
        let (spec, seats) = (setting.spec(), setting.game.seats().len());
        let observations = self.observations.split_at_mut(games * spec.observation());
        let masks = self.masks.split_at_mut(games * spec.actions);
        let seat = self.seats.split_at_mut(games);
        let rewards = self.rewards.split_at_mut(games * seats);
        let dones = self.dones.split_at_mut(games);
        let rows = |observations, masks, seats, rewards, dones| Rows {
            observations,
            masks,
            seats,
            rewards,
            dones,
        };
        (
            rows(observations.0, masks.0, seat.0, rewards.0, dones.0),
            rows(observations.1, masks.1, seat.1, rewards.1, dones.1),
        )
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
        self.choices = seed.stream("actions");
        self.for_each(rows, |setting, slot, row| {
            *row.done = false;
            row.rewards.fill(0.0);
            row.mask.fill(false);
            let seat = slot.seat_to_move(setting);
            slot.show(setting, seat, row);
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
                let drawn = slot.indices[below(self.choices.rng(), count) as usize];
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

    fn seeds(&self) -> Vec<Seed> {
        self.slots.iter().map(|slot| slot.game_seed).collect()
    }
}
