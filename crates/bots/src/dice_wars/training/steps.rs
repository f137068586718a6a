//! The Dice Wars parts of a manifest: how the games of a generation are played, and how weights are
//! fitted to them.

use super::fit::{Examples, Fit, fit};
use super::play::{Among, play_seed};
use crate::dice_wars::{Evaluator, Hand, Learned, Network, PlanLimits, Planning, Shares};
use crate::training::Training;
use crate::weights_file::InvalidWeights;
use botyard_engine::dice_wars::{Map, Position};
use serde::Deserialize;

/// The settings of the games of a generation: the options of `botyard train dice-wars generate`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Play {
    /// The percentage of seats that the bot plays, besides one in every game; the others are the
    /// course's bots. 0 for games of the course's bots only.
    pub planners: u32,
    /// One action of the bot in N is random; 0 for none.
    pub random_in: u32,
    /// The number of positions evaluated per decision.
    pub nodes: u64,
    /// The number of actions in a plan.
    pub depth: u32,
    /// The number of attacks that are followed up in a position.
    pub width: usize,
    /// The number of transfers that are followed up in a position.
    pub transfers: usize,
}

impl Default for Play {
    fn default() -> Play {
        let Planning { attacks, transfers, .. } = Planning::default();
        Play { planners: 15, random_in: 100, nodes: 3000, depth: 12, width: attacks, transfers }
    }
}

impl Play {
    /// Returns the settings of these games.
    pub fn settings(&self) -> Among {
        let Play { planners, random_in, nodes, depth, width, transfers } = *self;
        Among {
            planners,
            random_in,
            planning: Planning { attacks: width, transfers, ..Planning::default() },
            limits: PlanLimits { depth, nodes, deadline: None },
        }
    }
}

/// The settings of a fit: the options of `botyard train dice-wars fit`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct FitStep {
    /// Starts from the weights of the previous generation, whose evaluations of later positions
    /// count as targets as well, weighted by powers of this factor; 1 for the winner only. `None`
    /// to start from random weights.
    pub lambda: Option<f32>,
    /// One position in N is a training example.
    pub one_in: u32,
    /// The number of passes over all positions.
    pub epochs: u32,
    /// The size of the first steps.
    pub rate: f32,
    /// The seed of the first weights and of the order of the positions.
    pub seed: u64,
}

impl Default for FitStep {
    fn default() -> FitStep {
        let Fit { epochs, rate, seed, .. } = Fit::default();
        FitStep { lambda: None, one_in: 1, epochs, rate, seed }
    }
}

impl FitStep {
    /// Returns the settings of the fit.
    pub fn settings(&self) -> Fit {
        let FitStep { epochs, rate, seed, .. } = *self;
        Fit { epochs, rate, seed, ..Fit::default() }
    }
}

/// An evaluation that games are played by.
#[derive(Clone, Debug)]
pub enum AnyEvaluator {
    /// The one set by hand.
    Hand(Hand),
    /// One that was learned.
    Learned(Learned),
}

impl AnyEvaluator {
    /// Returns the evaluation of this name: `hand`, or `learned` with the weights of the bot.
    pub fn named(name: &str) -> Option<AnyEvaluator> {
        match name {
            "hand" => Some(AnyEvaluator::Hand(Hand)),
            "learned" => Some(AnyEvaluator::Learned(Learned::new())),
            _ => None,
        }
    }

    /// Returns the learned evaluation with the weights of a file.
    ///
    /// # Errors
    ///
    /// If the file has other weights, or is damaged.
    pub fn with_weights(bytes: &[u8]) -> Result<AnyEvaluator, InvalidWeights> {
        Ok(AnyEvaluator::Learned(Learned::with(Network::from_bytes(bytes)?)))
    }
}

impl Evaluator for AnyEvaluator {
    fn shares(&self, map: &Map, position: &Position) -> Shares {
        match self {
            AnyEvaluator::Hand(evaluator) => evaluator.shares(map, position),
            AnyEvaluator::Learned(evaluator) => evaluator.shares(map, position),
        }
    }
}

/// Training of the evaluation of Dice Wars.
#[derive(Clone, Copy, Debug)]
pub struct DiceWarsTraining;

impl Training for DiceWarsTraining {
    const GAME: &'static str = "dice-wars";
    type Play = Play;
    type Fit = FitStep;

    fn player(
        how: &Play,
        weights: Option<&[u8]>,
    ) -> Result<impl Fn(u64) -> Vec<u8> + Sync, String> {
        if how.planners > 100 || how.depth == 0 || how.width == 0 {
            return Err(
                "expected 0 to 100 percent planners, a depth of 1 or more, and a width of 1 or more"
                    .into(),
            );
        }
        let settings = how.settings();
        let evaluator = match weights {
            Some(bytes) => AnyEvaluator::with_weights(bytes).map_err(|error| error.to_string())?,
            None => AnyEvaluator::Hand(Hand),
        };
        Ok(move |seed| play_seed(seed, &settings, &evaluator).to_bytes())
    }

    fn fit(
        how: &FitStep,
        files: &[Vec<u8>],
        before: Option<&[u8]>,
        report: &mut dyn FnMut(u32, f64),
    ) -> Result<Vec<u8>, String> {
        let before = match (how.lambda, before) {
            (None, _) => None,
            (Some(lambda), _) if !(0.0..=1.0).contains(&lambda) => {
                return Err(format!("expected a lambda of 0 to 1, got {lambda}"));
            }
            (Some(_), None) => {
                return Err("expected weights to begin with, as lambda was given, got none".into());
            }
            (Some(lambda), Some(bytes)) => {
                Some((Network::from_bytes(bytes).map_err(|error| error.to_string())?, lambda))
            }
        };
        let guide = before.as_ref().map(|(network, lambda)| (network, *lambda));
        let mut examples = Examples::default();
        for file in files {
            examples.add_file(file, how.one_in, guide)?;
        }
        let network = fit(&examples, &how.settings(), guide.map(|(network, _)| network), report);
        Ok(network.to_bytes())
    }
}
