//! The Dice Wars parts of a manifest: how the games of a generation are played, and how weights are
//! fitted to them.

use super::fit::{Examples, Fit, fit};
use super::play::{Among, PLAYERS, PRESETS, play_seed};
use super::recorded_game::{RecordedGame, read_games};
use crate::{Learner, Training};
use botyard_bots::InvalidWeights;
use botyard_bots::dice_wars::{
    Baseline, Evaluator, Hand, Learned, Network, PlanLimits, Planning, Shares,
};
use botyard_engine::dice_wars::{Map, Position, Rules};
use serde::Deserialize;

/// The names of the bots of [`super::FIELD`], in its order.
const OPPONENTS: [&str; 5] = ["dw-stei-adt", "dw-stei-at", "dw-sdc-at", "dw-stei-dt", "dw-stei"];

/// The settings of the games of a generation: the options of `botyard train dice-wars generate`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Play {
    /// The names of the presets that the rules of a game are drawn from; a repeated one is drawn
    /// more often.
    pub presets: Vec<String>,
    /// The numbers of players that are drawn from, 2 to 8 each.
    pub players: Vec<u8>,
    /// The names of the course's bots that the other seats are drawn from.
    pub opponents: Vec<String>,
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
        Play {
            presets: PRESETS.map(String::from).to_vec(),
            players: PLAYERS.to_vec(),
            opponents: OPPONENTS.map(String::from).to_vec(),
            planners: 15,
            random_in: 100,
            nodes: 3000,
            depth: 12,
            width: attacks,
            transfers,
        }
    }
}

impl Play {
    /// Returns the settings of these games.
    ///
    /// # Errors
    ///
    /// If a number is out of range, a list is empty, or a preset or a bot does not exist.
    pub fn settings(&self) -> Result<Among, String> {
        if self.planners > 100 || self.depth == 0 || self.width == 0 {
            return Err(
                "expected 0 to 100 percent planners, a depth of 1 or more, and a width of 1 or more"
                    .into(),
            );
        }
        if self.players.is_empty() || self.players.iter().any(|count| !(2..=8).contains(count)) {
            return Err(format!("expected numbers of players from 2 to 8, got {:?}", self.players));
        }
        if self.presets.is_empty() || self.opponents.is_empty() {
            return Err("expected at least one preset and at least one opponent, got none".into());
        }
        let presets = self.presets.iter().map(|name| {
            let rules = Rules::preset(name)
                .ok_or_else(|| format!("expected a preset of Dice Wars, got {name:?}"))?;
            Ok((name.clone(), rules))
        });
        let field = self.opponents.iter().map(|name| {
            Baseline::named(name)
                .ok_or_else(|| format!("expected a bot such as dw-stei-adt, got {name:?}"))
        });
        Ok(Among {
            presets: presets.collect::<Result<_, String>>()?,
            players: self.players.clone(),
            field: field.collect::<Result<_, String>>()?,
            planners: self.planners,
            random_in: self.random_in,
            planning: self.planning(),
            limits: self.limits(),
        })
    }

    /// Returns the settings of the bot's planner.
    pub fn planning(&self) -> Planning {
        let Play { width: attacks, transfers, .. } = *self;
        Planning { attacks, transfers, ..Planning::default() }
    }

    /// Returns the limits of the bot's plans.
    pub fn limits(&self) -> PlanLimits {
        PlanLimits { depth: self.depth, nodes: self.nodes, deadline: None }
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
    const UNIT: &'static str = "turns";
    const HELD_OUT: &'static str = "games";
    type Play = Play;
    type Fit = FitStep;
    type Evaluator = AnyEvaluator;

    fn by_hand() -> AnyEvaluator {
        AnyEvaluator::Hand(Hand)
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
        let settings = how.settings()?;
        Ok(move |seed| play_seed(seed, &settings, &evaluator).to_bytes())
    }

    fn units(games: &[u8]) -> usize {
        read_games(games).map_or(0, |games| games.iter().map(RecordedGame::turns).sum())
    }

    fn learner(how: &FitStep, before: Option<&[u8]>) -> Result<impl Learner, String> {
        let guide = match (how.lambda, before) {
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
        Ok(DiceWarsLearner { how: *how, guide, examples: Examples::default() })
    }
}

struct DiceWarsLearner {
    how: FitStep,
    /// The weights of the previous generation, and the factor of their evaluations.
    guide: Option<(Network, f32)>,
    examples: Examples,
}

impl Learner for DiceWarsLearner {
    fn add(&mut self, file: &[u8]) -> Result<(), String> {
        let guide = self.guide.as_ref().map(|(network, lambda)| (network, *lambda));
        self.examples.add_file(file, self.how.one_in, guide)
    }

    fn positions(&self) -> usize {
        self.examples.len()
    }

    fn epochs(&self) -> u32 {
        self.how.epochs
    }

    fn fit(&self, report: &mut dyn FnMut(u32, f64)) -> Vec<u8> {
        let before = self.guide.as_ref().map(|(network, _)| network);
        fit(&self.examples, &self.how.settings(), before, report).to_bytes()
    }
}
