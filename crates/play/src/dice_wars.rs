//! The face of Dice Wars: the map with the dice of all players; attacks and transfers as two
//! numbers.

use crate::face::{Chosen, Face, GameFace, Question};
use crate::terminal::Ink;
use botyard_engine::Game;
use botyard_engine::dice_wars::{
    Action, Area, Chance, DiceWars, Map, Roll, Rules, Setup, State, View, letter, win_probability,
};
use botyard_protocol::Start;
use botyard_runner::words::wrapped;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The face of Dice Wars.
#[derive(Clone, Debug)]
pub struct DiceWarsFace {
    game: DiceWars,
    map: Arc<Map>,
}

impl GameFace for DiceWarsFace {
    type Game = DiceWars;

    fn new(start: &Start) -> Option<DiceWarsFace> {
        let rules: Rules = serde_json::from_value(start.rules.clone()).ok()?;
        let setup: Setup = serde_json::from_value(start.setup.clone()).ok()?;
        Some(DiceWarsFace { game: DiceWars::new(rules).ok()?, map: Arc::new(setup.map) })
    }
}

impl DiceWarsFace {
    fn state(&self, question: &Question) -> Option<State> {
        let view: View = serde_json::from_value(question.view.clone()).ok()?;
        self.game.state_on(&self.map, &view).ok()
    }
}

fn legal(question: &Question) -> impl Iterator<Item = Action> + '_ {
    question.legal.iter().filter_map(|action| Action::deserialize(action).ok())
}

/// Returns an action as typed at the prompt.
fn written(action: Action) -> String {
    match action {
        Action::Attack(from, to) | Action::Transfer(from, to) => format!("{from} {to}"),
        Action::EndTurn => "end".to_string(),
    }
}

/// Describes an attack with its odds: `3 5 (6 against 4, 74%)`.
fn odds(state: &State, from: Area, to: Area) -> String {
    let position = state.position();
    let (attacker, defender) = (position.dice(from), position.dice(to));
    let percent = 100.0 * win_probability(attacker, defender);
    format!("{from} {to} ({attacker} against {defender}, {percent:.0}%)")
}

impl Face for DiceWarsFace {
    fn position(&self, question: &Question, _ink: Ink) -> String {
        let Some(state) = self.state(question) else { return String::new() };
        let text = self.game.text(&state);
        let shown = text.lines().map(|line| format!("  {line}\n"));
        let letter = letter(state.position().to_move());
        shown.collect::<String>() + &format!("  your areas are marked {letter}\n")
    }

    fn words(&self, seat: &str, told: &Value) -> String {
        match Action::deserialize(told) {
            Ok(Action::Attack(from, to)) => format!("{seat}: attack {from} -> {to}"),
            Ok(Action::Transfer(from, to)) => format!("{seat}: transfer {from} -> {to}"),
            Ok(Action::EndTurn) => format!("{seat}: end of the turn"),
            Err(_) => format!("{seat}: {told}"),
        }
    }

    fn drawn(&self, told: &Value) -> String {
        match Chance::deserialize(told) {
            Ok(Chance::Battle { attacker, defender }) => {
                let result = if attacker.pips() > defender.pips() { "taken" } else { "held" };
                format!("{} against {}: {result}", pips(&attacker), pips(&defender))
            }
            Ok(Chance::Reinforcement { placed }) => {
                let mut dice: BTreeMap<Area, usize> = BTreeMap::new();
                for area in placed {
                    *dice.entry(area).or_default() += 1;
                }
                let dice: Vec<String> =
                    dice.iter().map(|(area, dice)| format!("{area} +{dice}")).collect();
                if dice.is_empty() {
                    "no new dice".into()
                } else {
                    format!("new dice: {}", dice.join(", "))
                }
            }
            Err(_) => told.to_string(),
        }
    }

    fn choices(&self, question: &Question) -> String {
        let (mut attacks, mut transfers) = (Vec::new(), Vec::new());
        let state = self.state(question);
        for action in legal(question) {
            match (action, &state) {
                (Action::Attack(from, to), Some(state)) => attacks.push(odds(state, from, to)),
                (Action::Attack(..), None) => attacks.push(written(action)),
                (Action::Transfer(..), _) => transfers.push(written(action)),
                (Action::EndTurn, _) => {}
            }
        }
        let mut text = String::new();
        for (kind, list) in [("attacks", attacks), ("transfers", transfers)] {
            if !list.is_empty() {
                text.push_str(&wrapped(&format!("  {kind:9}  "), &list.join(", ")));
            }
        }
        text + "  end        end your turn\n"
    }

    fn read(&self, line: &str, question: &Question) -> Result<Chosen, String> {
        let words: Vec<&str> = line
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty() && !["attack", "transfer"].contains(word))
            .collect();
        let wanted = match words[..] {
            ["end"] | ["end", "turn"] | ["e"] => "end".to_string(),
            [from, to] if from.parse::<u8>().is_ok() && to.parse::<u8>().is_ok() => {
                format!("{from} {to}")
            }
            _ => {
                return Err(format!(
                    "expected the numbers of two areas, such as 3 5, or end; got {line:?}"
                ));
            }
        };
        let found = question.legal.iter().find(|action| {
            Action::deserialize(*action).is_ok_and(|action| written(action) == wanted)
        });
        found
            .cloned()
            .map(Chosen::only)
            .ok_or_else(|| format!("{wanted} is illegal; expected\n{}", self.choices(question)))
    }

    fn help(&self) -> String {
        "  3 5          attack area 5 from area 3, or move dice from 3 to 5 if both are yours\n  \
          end          end your turn\n  \
          The label of an area is its number and, below it, its player's letter and its dice.\n"
            .to_string()
    }
}

/// Describes a roll: `17 (6+6+5)`.
fn pips(roll: &Roll) -> String {
    match roll {
        Roll::Sum(sum) => sum.to_string(),
        Roll::Faces(faces) => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            format!("{} ({})", roll.pips(), faces.join("+"))
        }
    }
}
