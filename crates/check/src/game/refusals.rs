//! Actions that are not legal.

use crate::game::check::GameCheck;
use crate::game::lab::Lab;
use crate::game::program::{Event, Setting, Start, Step, Stop, bits, json, shown};
use crate::game::suggestions::nearly_equal;
use botyard_engine::random::Stream;
use botyard_engine::{Seat, Turn};
use botyard_rules::ability;
use serde_json::Value;

/// How many games are played for this.
const GAMES: u32 = 6;

/// Plays random games, and tries actions that are not legal before each decision.
pub(crate) fn refusals(lab: &mut Lab<'_>) -> Result<String, Stop> {
    if !lab.can(ability::CHECK) {
        return Ok("the referee refuses what the program does not list".into());
    }
    let effort = lab.effort();
    let mut refused = 0;
    for game in 0..GAMES {
        let mut stream = lab.stream(&format!("refusals {game}"));
        let index = game as usize % lab.settings.len().max(1);
        let Some(setting) = lab.settings.get(index).cloned() else { continue };
        let place =
            |decision| format!("rules {}, refusals {game}, decision {decision}", setting.name);
        lab.program.place = place(0);
        let Ok(mut step) = lab.program.open(&setting, &Start::Random(bits(&mut stream)))? else {
            continue;
        };
        for decision in 1.. {
            if effort.is_spent(lab) {
                return Ok(in_words(refused));
            }
            lab.program.place = place(decision);
            let event = match step.turn {
                Turn::Over => break,
                Turn::Chance => Event::Draw(bits(&mut stream)),
                Turn::Seat(seat) => {
                    let action = lab.action(&setting, &step, &mut stream)?;
                    refused += refuse(lab, &setting, (seat, &action), &step, &mut stream)?;
                    Event::Action(seat, action)
                }
            };
            let Ok(next) = lab.program.apply(&setting, &event)? else {
                let expected = "a position, as it said that this is legal";
                return Err(lab.program.unexpected(Some(GameCheck::Legal), expected));
            };
            step = next;
        }
    }
    Ok(in_words(refused))
}

fn in_words(refused: u64) -> String {
    format!("{refused} actions were refused, and changed nothing")
}

/// Tries actions that are not legal. Returns the number of those that were refused.
fn refuse(
    lab: &mut Lab<'_>,
    setting: &Setting,
    (seat, action): (Seat, &str),
    step: &Step,
    stream: &mut Stream,
) -> Result<u64, Stop> {
    let mut strange = lab.suggestions.strange(action, stream);
    let legal: Option<Vec<Value>> =
        step.legal.as_ref().map(|legal| legal.iter().map(|action| json(action)).collect());
    if let Some(legal) = &legal {
        strange.retain(|action| !legal.iter().any(|listed| nearly_equal(listed, action)));
    }
    let program = &mut lab.program;
    let state = program.state()?;
    let mut refused = 0;
    for action in strange {
        let action = action.to_string();
        match program.check(setting, seat, &action)? {
            Ok(own) => {
                // It may mean a listed action, or one where none are listed.
                let is_legal = legal
                    .as_ref()
                    .is_none_or(|legal| own.is_some_and(|own| legal.contains(&json(&own))));
                if is_legal {
                    continue;
                }
                let expected = "\"refused\", as this action is not listed";
                return Err(program.unexpected(None, expected));
            }
            Err(reason) if reason.trim().is_empty() => {
                return Err(program.unexpected(None, "a message with the reason"));
            }
            Err(_) => {}
        }
        if legal.is_none() {
            let event = Event::Action(seat, action.clone());
            if program.apply(setting, &event)?.is_ok() {
                return Err(program.unexpected(None, "\"refused\", as `check` refuses this action"));
            }
        }
        refused += 1;
        let after = program.state()?;
        if json(&after) != json(&state) {
            let message = format!(
                "the refused action {} changed the state from {} to {}",
                shown(&action),
                shown(&state),
                shown(&after)
            );
            return Err(program.fault(None, message));
        }
    }
    Ok(refused)
}
