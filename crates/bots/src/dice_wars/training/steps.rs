//! What a manifest says of Dice Wars: how the games of a generation are played, and how weights are
//! fitted to them.

use super::fit::{Examples, Fit, fit};
use super::play::{Among, play_seed};
use super::recorded_game::read_games;
use crate::dice_wars::{Evaluator, Hand, Learned, Network, PlanLimits, Planning, Shares};
use crate::training::Training;
use crate::weights_file::WrongWeights;
use botyard_engine::dice_wars::{Map, Position};
use serde::Deserialize;

/// How the games of a generation are played: the options of `botyard train dice-wars generate`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Play {
    /// How many seats in a hundred the bot plays beside one in every game, where others are the
    /// course's; 0 for games of the course's bots alone.
    pub planners: u32,
    /// One action of the bot in N is random; 0 for none.
    pub random_in: u32,
    /// How many positions are judged for a decision.
    pub nodes: u64,
    /// How many actions a plan looks ahead.
    pub depth: u32,
    /// How many attacks are followed up in a position.
    pub width: usize,
    /// How many transfers are followed up in a position.
    pub transfers: usize,
}

impl Default for Play {
    fn default() -> Play {
        let Planning { attacks, transfers, .. } = Planning::default();
        Play { planners: 15, random_in: 100, nodes: 3000, depth: 12, width: attacks, transfers }
    }
}

impl Play {
    /// The settings of these games.
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

/// How weights are fitted to games: the options of `botyard train dice-wars fit`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct FitStep {
    /// Begin with the weights of the generation before, and have what they say of later positions
    /// count as well, each later one by this factor less; 1 for who won alone. `None` to begin with
    /// random weights.
    pub lambda: Option<f32>,
    /// One position in N is learned from.
    pub one_in: u32,
    /// How often all positions are gone through.
    pub epochs: u32,
    /// The size of the first steps.
    pub rate: f32,
    /// What the first weights and the order of the positions are drawn from.
    pub seed: u64,
}

impl Default for FitStep {
    fn default() -> FitStep {
        let Fit { epochs, rate, seed, .. } = Fit::default();
        FitStep { lambda: None, one_in: 1, epochs, rate, seed }
    }
}

impl FitStep {
    /// The settings of the fit.
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
    /// The evaluation of this name: `hand`, or `learned` with the weights of the bot.
    pub fn named(name: &str) -> Option<AnyEvaluator> {
        match name {
            "hand" => Some(AnyEvaluator::Hand(Hand)),
            "learned" => Some(AnyEvaluator::Learned(Learned::new())),
            _ => None,
        }
    }

    /// The learned evaluation with the weights of a file.
    ///
    /// # Errors
    ///
    /// A file of other weights, and damage.
    pub fn with_weights(bytes: &[u8]) -> Result<AnyEvaluator, WrongWeights> {
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
                "expected 0 to 100 planners in a hundred, a depth of 1 or more, and a width of 1 or more"
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
            let games = read_games(file).map_err(|error| error.to_string())?;
            for (index, game) in games.iter().enumerate() {
                examples
                    .add(game, how.one_in, guide)
                    .map_err(|error| format!("game {}: {error}", index + 1))?;
            }
        }
        let network = fit(&examples, &how.settings(), guide.map(|(network, _)| network), report);
        Ok(network.to_bytes())
    }
}
