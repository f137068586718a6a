//! Training examples: the features of the positions of recorded games, and how the games ended.

use super::arena::{Arena, Arenas};
use super::recorded_game::{RecordedGame, for_each_game};
use crate::scotland_yard::{Chance, FeatureReader, Features, SimulationState};
use botyard_engine::scotland_yard::Stage;

/// One game in this many is held out.
pub(super) const CHECK_IN: usize = 20;

/// A position with Mr. X to move, and what the network should predict of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Example {
    pub(super) features: Features,
    pub(super) chance: Chance,
}

/// Positions of games, as training examples.
#[derive(Debug, Default)]
pub struct Examples {
    pub(super) learned: Vec<Example>,
    /// The examples of held-out games.
    pub(super) held_out: Vec<Example>,
    games: usize,
    /// The rules of the games so far.
    arenas: Arenas,
}

impl Examples {
    /// Adds the positions of all games in a file: see [`Examples::add`].
    ///
    /// # Errors
    ///
    /// If the bytes are not games, or a game cannot be replayed.
    pub fn add_file(&mut self, bytes: &[u8]) -> Result<(), String> {
        for_each_game(bytes, |game| self.add(game))
    }

    /// Adds the positions of a game with Mr. X to move, as the detectives could know them.
    ///
    /// # Errors
    ///
    /// If the game has rules that are no preset, an action is not legal, or it does not end.
    pub fn add(&mut self, game: &RecordedGame) -> Result<(), String> {
        let arena = self.arenas.of(&game.preset)?;
        let Arena { game: rules, tables, .. } = arena;
        let reader = FeatureReader::new(rules, tables);
        let mut seen: Vec<(u16, Features)> = Vec::new();
        let (last, end) = arena.replay(game, |state, _| {
            let position = *state.position();
            if position.stage() == Stage::MrX {
                let candidates = rules.candidates(state).set().iter().collect();
                let simulated = SimulationState { position, candidates, tracked: true };
                seen.push((position.x_moves(), reader.read(&simulated, None)));
            }
        })?;
        let is_caught = !end.mr_x_wins();
        let examples = seen.into_iter().map(|(x_moves, features)| {
            let chance = if is_caught {
                let early = libm::powf(Chance::DECAY, f32::from(last.x_moves() - x_moves));
                Chance { caught: 1.0, early }
            } else {
                Chance { caught: 0.0, early: 0.0 }
            };
            Example { features, chance }
        });
        if self.games.is_multiple_of(CHECK_IN) {
            self.held_out.extend(examples);
        } else {
            self.learned.extend(examples);
        }
        self.games += 1;
        Ok(())
    }

    /// Returns the number of examples.
    pub fn len(&self) -> usize {
        self.learned.len() + self.held_out.len()
    }

    /// Returns whether there are no examples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(actions: &str) -> RecordedGame {
        let opening = r#"{"mr_x":13,"detectives":[3,11]}"#;
        let line =
            format!(r#"{{"preset":"grid-5x5-2","opening":{opening},"actions":[{actions}]}}"#);
        serde_json::from_str(&line).unwrap()
    }

    /// Mr. X flees once, then steps between the detectives and is caught in the second round.
    #[test]
    fn an_early_capture_counts_for_more() {
        let mut examples = Examples::default();
        let caught = concat!(
            r#"{"ticket":"taxi","to":14},{"detective":1,"ticket":"taxi","to":4},"#,
            r#"{"detective":2,"ticket":"taxi","to":12},"#,
            r#"{"ticket":"taxi","to":13},{"detective":1,"ticket":"taxi","to":3},"#,
            r#"{"detective":2,"ticket":"taxi","to":13}"#
        );
        examples.add(&game(caught)).unwrap();
        let chances: Vec<Chance> = examples.held_out.iter().map(|one| one.chance).collect();
        let two = Chance { caught: 1.0, early: Chance::DECAY * Chance::DECAY };
        assert!((chances[0].early - two.early).abs() < 1e-6, "{chances:?}");
        assert_eq!(chances[1..], [Chance { caught: 1.0, early: Chance::DECAY }]);
    }

    #[test]
    fn games_that_cannot_be_replayed_are_refused() {
        let mut examples = Examples::default();
        let error = examples.add(&game(r#"{"ticket":"taxi","to":14}"#)).unwrap_err();
        assert_eq!(error, "expected a game with an end, got one without");
        assert!(examples.add(&game(r#"{"ticket":"taxi","to":15}"#)).is_err());
        let foreign = RecordedGame { preset: "paris".into(), ..game("") };
        assert!(examples.add(&foreign).unwrap_err().contains("a preset of Scotland Yard"));
        assert!(examples.is_empty());
    }
}
