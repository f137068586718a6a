//! The outcomes of a chance node as the search looks at them: all of few, some of many, or only the
//! likeliest. Which are drawn depends on the position alone.

use super::game::{Actor, MultiplayerGame};
use super::settings::{Luck, Settings};
use crate::SearchRng;
use rand_xoshiro::rand_core::SeedableRng;

/// An outcome of a chance node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome<P> {
    /// How likely it is, in parts of the sum over all outcomes looked at.
    pub(super) weight: u32,
    /// The position after it.
    pub(super) after: P,
    /// Between what its value to the player of interest lies, as far as is known.
    pub(super) bounds: (i32, i32),
}

/// Calls `f` with each outcome that a search with these settings looks at in a position in which
/// chance decides, and with its weight.
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
