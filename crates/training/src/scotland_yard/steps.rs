//! The Scotland Yard parts of a manifest: how the games of a generation are played, and how weights
//! are fitted to them.

use super::arena::Arena;
use super::example_set::ExampleLearner;
use super::examples::EndExample;
use super::fit::Fit;
use super::mcts_options::MctsOptions;
use super::recorded_game::{read_games, write_game};
use super::self_play::{SIDES, SelfPlay, play_game};
use crate::{Learner, Training};
use botyard_bots::InvalidWeights;
use botyard_bots::mcts;
use botyard_bots::scotland_yard::{Cutoffs, Network, PlayoutPolicy};
use botyard_engine::scotland_yard::Side;
use serde::Deserialize;

/// The settings of the games of a generation: the options of `botyard train scotland-yard generate`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Play {
    /// The names of the presets that the rules of a game are drawn from; a repeated one is drawn
    /// more often.
    pub presets: Vec<String>,
    /// The number of iterations per decision.
    pub iterations: u64,
    /// One action in N is random; 0 for none.
    pub random_in: u32,
    /// The number of rounds after which weights judge a playout. Unused by the first generation,
    /// which has none and plays to the end.
    pub cutoff: u16,
    /// The options of `mcts` as Mr. X and as the detectives.
    pub mr_x: MctsOptions,
    /// See [`Play::mr_x`].
    pub detectives: MctsOptions,
}

impl Default for Play {
    fn default() -> Play {
        let presets = vec!["ravensburger".to_string()];
        let [mr_x, detectives] = [(); 2].map(|()| MctsOptions::default());
        Play { presets, iterations: 100, random_in: 20, cutoff: 0, mr_x, detectives }
    }
}

impl Play {
    /// Returns the settings of these games.
    ///
    /// # Errors
    ///
    /// If the number of iterations is 0, there are no presets, a preset does not exist, or an option
    /// does not.
    pub fn settings(&self) -> Result<SelfPlay, String> {
        if self.iterations == 0 {
            return Err("expected at least one iteration, got 0".into());
        }
        if self.presets.is_empty() {
            return Err("expected at least one preset, got none".into());
        }
        let play = |side, options: &MctsOptions| {
            let options = options.resolve()?;
            Ok::<_, String>(mcts::yard_play(side, &options, PlayoutPolicy::Searching))
        };
        let arenas = self.presets.iter().map(|preset| Arena::new(preset));
        Ok(SelfPlay {
            arenas: arenas.collect::<Result<_, String>>()?,
            iterations: self.iterations,
            random_in: self.random_in,
            // In the order of [`SIDES`].
            plays: [play(Side::MrX, &self.mr_x)?, play(Side::Detectives, &self.detectives)?],
            habits: None,
        })
    }
}

/// What judges positions in the searches of games.
#[derive(Clone, Debug)]
pub enum AnyEvaluator {
    /// Playouts to the end of the game.
    Playouts,
    /// Short playouts, and the built-in network of the board and the side.
    Learned,
    /// Short playouts, and a network for all boards.
    Network(Box<Network>),
}

/// Training of the network of Scotland Yard.
#[derive(Clone, Copy, Debug)]
pub struct ScotlandYardTraining;

impl Training for ScotlandYardTraining {
    const GAME: &'static str = "scotland-yard";
    const UNIT: &'static str = "actions";
    const HELD_OUT: &'static str = "games";
    type Play = Play;
    type Fit = Fit;
    type Evaluator = AnyEvaluator;

    fn by_hand() -> AnyEvaluator {
        AnyEvaluator::Playouts
    }

    fn named(name: &str) -> Option<AnyEvaluator> {
        match name {
            "playouts" => Some(AnyEvaluator::Playouts),
            "learned" => Some(AnyEvaluator::Learned),
            _ => None,
        }
    }

    fn with_weights(bytes: &[u8]) -> Result<AnyEvaluator, InvalidWeights> {
        Ok(AnyEvaluator::Network(Box::new(Network::from_bytes(bytes)?)))
    }

    fn player(
        how: &Play,
        evaluator: AnyEvaluator,
    ) -> Result<impl Fn(u64) -> Vec<u8> + Sync, String> {
        Ok(player(how.settings()?, how.cutoff, evaluator))
    }

    fn units(games: &[u8]) -> usize {
        read_games(games).map_or(0, |games| games.iter().map(|game| game.actions.len()).sum())
    }

    fn learner(how: &Fit, _before: Option<&[u8]>) -> Result<impl Learner, String> {
        Ok(ExampleLearner::<EndExample>::new(*how))
    }
}

/// Returns a function that plays the game of a seed, with this cutoff and evaluation.
pub(super) fn player(
    settings: SelfPlay,
    rounds: u16,
    evaluator: AnyEvaluator,
) -> impl Fn(u64) -> Vec<u8> + Sync {
    let cutoffs = match evaluator {
        AnyEvaluator::Playouts => None,
        AnyEvaluator::Learned => Some(SIDES.map(|side| Cutoffs::built_in(rounds, side))),
        AnyEvaluator::Network(network) => {
            Some(SIDES.map(|_| Cutoffs::with_network(rounds, (*network).clone())))
        }
    };
    move |seed| write_game(&play_game(seed, &settings, cutoffs.as_ref()))
}
