//! The outcomes of a chance node that the search considers: all of few, a sample of many, or only
//! the likeliest. The sample depends only on the position.

use super::game::{Actor, MultiplayerGame};
use super::settings::{Luck, Settings};
use crate::SearchRng;
use rand_xoshiro::rand_core::SeedableRng;

/// An outcome of a chance node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome<P> {
    /// Its weight. The probability is the weight over the sum of the weights of all outcomes
    /// considered.
    pub(super) weight: u32,
    /// The position after it.
    pub(super) after: P,
    /// The known bounds of its value to the player of interest.
    pub(super) bounds: (i32, i32),
}

/// Calls `f` with each outcome of a chance node that a search with these settings considers, and
/// with its weight.
pub fn for_each_outcome<G: MultiplayerGame>(
    game: &G,
    position: &G::Position,
    settings: &Settings,
    mut f: impl FnMut(u32, G::Position),
) {
    match (game.actor(position), settings.luck) {
        (Actor::Chance, Luck::Expected) => game.for_each_outcome(position, f),
        (Actor::Chance, Luck::Likeliest) => {
            let mut likeliest: Option<(u32, G::Position)> = None;
            game.for_each_outcome(position, |weight, after| {
                if likeliest.is_none_or(|(most, _)| weight > most) {
                    likeliest = Some((weight, after));
                }
            });
            if let Some((_, after)) = likeliest {
                f(1, after);
            }
        }
        (Actor::DenseChance, luck) => {
            let samples = match luck {
                Luck::Expected => settings.samples.max(1),
                Luck::Likeliest => 1,
            };
            let mut rng = SearchRng::seed_from_u64(settings.seed ^ game.key(position));
            for _ in 0..samples {
                f(1, game.sample(position, &mut rng));
            }
        }
        (Actor::Player(_) | Actor::Over, _) => {}
    }
}
