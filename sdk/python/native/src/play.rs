//! A game in progress whose chance turns are drawn as soon as they come, so that it always waits for
//! a seat or is over.

use botyard_engine::game::has_chance;
use botyard_engine::{Game, Illegal, Seed, Stream, Turn};

/// A state, the stream that its chance outcomes are drawn from, and the number of actions so far.
pub struct Play<G: Game> {
    pub state: G::State,
    pub plies: u32,
    chance: Stream,
}

impl<G: Game> Clone for Play<G> {
    fn clone(&self) -> Play<G> {
        Play { state: self.state.clone(), plies: self.plies, chance: self.chance.clone() }
    }

    fn clone_from(&mut self, source: &Play<G>) {
        self.state.clone_from(&source.state);
        self.plies = source.plies;
        self.chance = source.chance.clone();
    }
}

impl<G: Game> Play<G> {
    /// Opens the game that a referee opens from this seed, with the same opening and dice.
    pub fn open(game: &G, seed: Seed) -> Play<G> {
        let opening = game.draw_opening(seed.stream("opening").rng());
        let state = game.start(&opening).expect("a drawn opening can be played");
        Play::continuing(game, state, 0, seed)
    }

    /// Opens the game with this opening. The seed is for chance outcomes.
    pub fn open_with(game: &G, opening: &G::Opening, seed: Seed) -> Result<Play<G>, Illegal> {
        Ok(Play::continuing(game, game.start(opening)?, 0, seed))
    }

    /// Continues from a state with chance outcomes from this seed.
    pub fn continuing(game: &G, state: G::State, plies: u32, seed: Seed) -> Play<G> {
        let mut play = Play { state, plies, chance: seed.stream("chance") };
        play.draw_chances(game);
        play
    }

    /// Has chance outcomes drawn from another seed from now on.
    pub fn reseed(&mut self, seed: Seed) {
        self.chance = seed.stream("chance");
    }

    /// Plays a legal action, and draws what the rules draw after it.
    #[inline]
    pub fn apply(&mut self, game: &G, action: G::Action) {
        game.apply(&mut self.state, action);
        self.plies += 1;
        self.draw_chances(game);
    }

    fn draw_chances(&mut self, game: &G) {
        while has_chance::<G>() && game.turn(&self.state) == Turn::Chance {
            let chance = game.draw(&self.state, self.chance.rng());
            game.apply_chance(&mut self.state, &chance);
        }
    }
}
