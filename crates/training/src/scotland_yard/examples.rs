//! The features of the positions of recorded games, and how the games ended, as examples for the
//! network.

use super::arena::Arena;
use super::example_set::{Example, ExampleSet};
use super::fit::{Fit, fit};
use super::recorded_game::RecordedGame;
use botyard_bots::scotland_yard::{Chance, FeatureReader, Features, SimulationState};
use botyard_engine::scotland_yard::Stage;

/// A position with Mr. X to move, as the detectives could know it, and what the network should
/// predict of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndExample {
    pub(super) features: Features,
    pub(super) chance: Chance,
}

/// Positions of games, as training examples.
pub type Examples = ExampleSet<EndExample>;

impl Example for EndExample {
    fn of_game(arena: &Arena, game: &RecordedGame) -> Result<Vec<EndExample>, String> {
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
            EndExample { features, chance }
        });
        Ok(examples.collect())
    }

    fn fit(examples: &Examples, how: &Fit, report: &mut dyn FnMut(u32, f64)) -> Vec<u8> {
        fit(examples, how, report).to_bytes()
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
