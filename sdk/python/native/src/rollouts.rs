//! Random playouts: games in which every seat plays uniformly random legal actions.

use crate::play::Play;
use crate::threads::chunks;
use botyard_engine::random::below;
use botyard_engine::{Game, Seed};

/// The ends of playouts, in order.
pub struct Playouts {
    /// The number of seats.
    pub seats: usize,
    /// The actions played in each game.
    pub plies: Vec<i32>,
    /// The points of each seat in each game, game by game.
    pub returns: Vec<f64>,
}

/// Plays `games` games that `start` begins. What is played depends on the seed and not on the number
/// of threads.
pub fn play_out<G: Game>(
    game: &G,
    games: usize,
    seed: Seed,
    threads: usize,
    start: impl Fn(Seed) -> Play<G> + Sync,
) -> Playouts {
    let seats = game.seats().len();
    let mut playouts = Playouts { seats, plies: vec![0; games], returns: vec![0.0; games * seats] };
    let rows = playouts.plies.iter_mut().zip(playouts.returns.chunks_mut(seats)).enumerate();
    chunks(rows.collect(), threads, |rows| {
        let mut legal = Vec::new();
        for (number, (plies, returns)) in rows {
            let seed = seed.part(&format!("game {number}"));
            let mut play = start(seed);
            let mut choices = seed.stream("actions");
            loop {
                game.actions(&play.state, &mut legal);
                if legal.is_empty() {
                    break;
                }
                let choice = below(choices.rng(), legal.len() as u32);
                play.apply(game, legal[choice as usize]);
            }
            *plies = play.plies as i32;
            let outcome = game.outcome(&play.state).expect("a game without legal actions is over");
            returns.copy_from_slice(&outcome.scores);
        }
    });
    playouts
}
