//! The draughts parts of a manifest: how the games of a generation are played, and how weights are
//! fitted to them.

use super::fit::{Fit, fit};
use super::sample::{Sample, read_samples, write_samples};
use super::self_play::{SelfPlay, play_game};
use crate::{Learner, Training};
use botyard_bots::InvalidWeights;
use botyard_bots::draughts::{Learned, Positional};
use botyard_engine::draughts::endgame::{Endgames, Material, solve};
use serde::Deserialize;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The settings of the games of a generation: the options of `botyard train draughts generate`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Play {
    /// The number of nodes per move, at least [`Play::LEAST_NODES`].
    pub nodes: u64,
    /// The number of pieces of the endgame tables that searches use, at most
    /// [`Material::MOST_WITH_PLIES`]; 0 for none. The tables are solved before the first game.
    pub endgames: u8,
    /// The percentage of the games that begin from a random position with 5 to 14 pieces, of which
    /// a third are kings, instead of a ballot.
    pub scattered: u32,
    /// One move in this many is random; 0 for none.
    pub random_in: u32,
}

impl Play {
    /// With fewer nodes a search may end before it completes depth 1.
    pub const LEAST_NODES: u64 = 100;

    /// Returns the settings of these games.
    pub fn settings(&self) -> SelfPlay {
        SelfPlay {
            nodes: self.nodes,
            scattered: self.scattered,
            random_in: self.random_in,
            ..SelfPlay::default()
        }
    }
}

impl Default for Play {
    fn default() -> Play {
        let SelfPlay { nodes, scattered, random_in, .. } = SelfPlay::default();
        Play { nodes, endgames: 0, scattered, random_in }
    }
}

/// An evaluation that games are played by, without rounding.
#[derive(Clone)]
pub enum AnyEvaluator {
    /// The one set by hand.
    Positional(Positional),
    /// One that was learned.
    Learned(Learned),
}

impl AnyEvaluator {
    /// Returns the evaluation of this name: `positional`, or `learned` with the weights of the bot.
    pub fn named(name: &str) -> Option<AnyEvaluator> {
        let by_hand = Positional::default();
        match name {
            "positional" => Some(AnyEvaluator::Positional(by_hand)),
            "learned" => Some(AnyEvaluator::Learned(Learned::new(by_hand.grain))),
            _ => None,
        }
    }

    /// Returns the learned evaluation with the weights of a file.
    ///
    /// # Errors
    ///
    /// If the file has other weights, or is damaged.
    pub fn with_weights(bytes: &[u8]) -> Result<AnyEvaluator, InvalidWeights> {
        Learned::from_bytes(bytes, Positional::default().grain).map(AnyEvaluator::Learned)
    }

    /// Plays the game with this seed against itself and returns its quiet positions.
    pub fn play(&self, seed: u64, how: &SelfPlay, endgames: Option<&Arc<Endgames>>) -> Vec<Sample> {
        match self {
            AnyEvaluator::Positional(evaluator) => play_game(seed, how, evaluator, endgames),
            AnyEvaluator::Learned(evaluator) => play_game(seed, how, evaluator, endgames),
        }
    }
}

/// Returns the tables of all positions with at most this many pieces.
fn solved(pieces: u8) -> Endgames {
    let mut endgames = Endgames::default();
    let whole = solve(&mut endgames, pieces, 1, &|| false, |_, _| ControlFlow::Continue(()));
    whole.expect("nothing interrupts it");
    endgames
}

/// Training of the evaluation of draughts.
#[derive(Clone, Copy, Debug)]
pub struct DraughtsTraining;

impl Training for DraughtsTraining {
    const GAME: &'static str = "draughts";
    const UNIT: &'static str = "positions";
    const HELD_OUT: &'static str = "positions";
    type Play = Play;
    type Fit = Fit;
    type Evaluator = AnyEvaluator;

    fn by_hand() -> AnyEvaluator {
        AnyEvaluator::Positional(Positional::default())
    }

    fn named(name: &str) -> Option<AnyEvaluator> {
        AnyEvaluator::named(name)
    }

    fn with_weights(bytes: &[u8]) -> Result<AnyEvaluator, InvalidWeights> {
        AnyEvaluator::with_weights(bytes)
    }

    fn player(
        how: &Play,
        evaluator: AnyEvaluator,
    ) -> Result<impl Fn(u64) -> Vec<u8> + Sync, String> {
        if how.nodes < Play::LEAST_NODES {
            let (least, got) = (Play::LEAST_NODES, how.nodes);
            return Err(format!("expected at least {least} nodes, got {got}"));
        }
        let (most, got) = (Material::MOST_WITH_PLIES, how.endgames);
        if got == 1 || got > most {
            return Err(format!("expected endgame tables of 2 to {most} pieces, or 0, got {got}"));
        }
        if how.scattered > 100 {
            let got = how.scattered;
            return Err(format!("expected 0 to 100 percent of scattered games, got {got}"));
        }
        let settings = how.settings();
        let endgames = (how.endgames > 0).then(|| Arc::new(solved(how.endgames)));
        Ok(move |seed| write_samples(&evaluator.play(seed, &settings, endgames.as_ref())))
    }

    fn units(games: &[u8]) -> usize {
        read_samples(games).map_or(0, |samples| samples.len())
    }

    fn learner(how: &Fit, _before: Option<&[u8]>) -> Result<impl Learner, String> {
        if !(0.0..=1.0).contains(&how.result_share) {
            let share = how.result_share;
            return Err(format!("expected a result-share of 0 to 1, got {share}"));
        }
        Ok(DraughtsLearner { how: *how, samples: Vec::new() })
    }
}

struct DraughtsLearner {
    how: Fit,
    samples: Vec<Sample>,
}

impl Learner for DraughtsLearner {
    fn add(&mut self, file: &[u8]) -> Result<(), String> {
        self.samples.extend(read_samples(file).map_err(|error| error.to_string())?);
        Ok(())
    }

    fn positions(&self) -> usize {
        self.samples.len()
    }

    fn epochs(&self) -> u32 {
        self.how.epochs
    }

    fn fit(&self, report: &mut dyn FnMut(u32, f64)) -> Vec<u8> {
        fit(&self.samples, &self.how, report)
    }
}
